"""Live layers on a socket: the list of layers when it changes, and the values of the layer that the chat shows."""

import asyncio
import logging
import time

from smoldesk import messages as m
from smoldesk.chats import BEFORE_ALL, LiveLayers
from smoldesk.errors import DeskError
from smoldesk.wires.four_pane.socket_writer import SocketWriter

log = logging.getLogger(__name__)

# Least seconds between two messages of values, and between two lists of layers.
PAUSE = 0.2
LIST_PAUSE = 1.0


class LayerSender:
    """Sender for one socket, on its event loop. A slow client gets fewer messages with more values each."""

    def __init__(self, layers: LiveLayers, chat_id: str, out: SocketWriter) -> None:
        self._layers = layers
        self._chat_id = chat_id
        self._out = out
        self._waker = layers.follower(chat_id)
        self._layer: str | None = None
        self._has_layer = False
        self._position = BEFORE_ALL
        # What the client knows; of a page without layers none are sent, unless one is shown that is gone.
        self._statuses: list[m.LayerStatus] | None = None
        self._list_at = 0.0

    def show(self, layer: str | None) -> None:
        """Send the values of this layer from now on, with its history."""
        self._has_layer = True
        self._layer, self._position = layer, BEFORE_ALL
        self._waker.wake([self._waker])

    def refresh(self) -> None:
        """Send everything again, for another building."""
        self._statuses, self._list_at = None, 0.0
        self._position = BEFORE_ALL
        self._waker.wake([self._waker])

    async def send(self) -> None:
        """Send what is new until cancelled."""
        try:
            while True:
                if self._out.is_2_0:
                    for message in await self._news():
                        await self._out.send(message)
                await asyncio.sleep(PAUSE)
                await self._waker.wait(
                    max(PAUSE, self._list_at - time.monotonic()) if self._list_at else None
                )
        finally:
            self._layers.forget(self._waker)

    async def _news(self) -> list[m.Layers | m.LayerValues]:
        """Return what the client has not got; nothing, and soon again, while the store fails."""
        news: list[m.Layers | m.LayerValues] = []
        try:
            if not self._has_layer:
                layer = await asyncio.to_thread(self._layers.current, self._chat_id)
                if not self._has_layer:  # else the client has shown another one meanwhile
                    self._layer, self._has_layer = layer, True
            news += await self._new_statuses()
            news += await self._new_values()
        except DeskError:
            pass  # the layer or the chat was deleted meanwhile
        except Exception as fault:  # the database is away: the page keeps what it has, and its other messages
            log.warning("live layers of a page could not be read (%s)", type(fault).__name__)
            self._list_at = time.monotonic() + LIST_PAUSE
        return news

    async def _new_statuses(self) -> list[m.Layers]:
        now = time.monotonic()
        if now < self._list_at:
            return []
        statuses = await asyncio.to_thread(self._layers.statuses, self._chat_id)
        if statuses == self._statuses or (not statuses and self._statuses is None and self._layer is None):
            self._list_at = 0.0
            return []
        self._statuses, self._list_at = statuses, now + LIST_PAUSE
        return [m.Layers(content=m.LayersContent(layers=statuses))]

    async def _new_values(self) -> list[m.LayerValues]:
        if self._layer is None:
            return []
        requested = self._layer, self._position
        values, position = await asyncio.to_thread(self._layers.values, self._chat_id, *requested)
        if requested != (self._layer, self._position):  # another one is shown by now
            return []
        self._position = position
        return [] if values is None else [m.LayerValues(content=values)]
