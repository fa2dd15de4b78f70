"""Live layers on a socket: the list of layers when it changes, and the values of the layer that the chat shows."""

import asyncio
import time

from smoldesk import messages as m
from smoldesk.chats import LiveLayers
from smoldesk.errors import DeskError
from smoldesk.wires.four_pane.socket_writer import SocketWriter

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
        self._version = -1
        self._statuses: list[m.LayerStatus] = []
        self._list_at = 0.0

    def show(self, layer: str | None) -> None:
        """Send the values of this layer from now on, with its history."""
        self._layer, self._version = layer, -1
        self._waker.wake([self._waker])

    def refresh(self) -> None:
        """Send everything again, for another building."""
        self._statuses, self._list_at = [], 0.0
        self.show(self._layer)

    async def send(self) -> None:
        """Send what is new until cancelled."""
        try:
            self._layer = await asyncio.to_thread(self._layers.current, self._chat_id)
            while True:
                if self._out.is_2_0:
                    await self._send_news()
                await asyncio.sleep(PAUSE)
                await self._waker.wait(
                    max(PAUSE, self._list_at - time.monotonic()) if self._list_at else None
                )
        finally:
            self._layers.forget(self._waker)

    async def _send_news(self) -> None:
        now = time.monotonic()
        try:
            if now >= self._list_at:
                statuses = await asyncio.to_thread(self._layers.statuses, self._chat_id)
                self._list_at = now + LIST_PAUSE if statuses != self._statuses else 0.0
                if statuses != self._statuses:
                    self._statuses = statuses
                    await self._out.send(m.Layers(content=m.LayersContent(layers=statuses)))
            if self._layer is None:
                return
            requested = self._layer, self._version
            values, version = await asyncio.to_thread(self._layers.values, self._chat_id, *requested)
            if requested == (self._layer, self._version):  # else another one is shown by now
                self._version = version
                if values is not None:
                    await self._out.send(m.LayerValues(content=values))
        except DeskError:
            pass  # the layer or the chat was deleted meanwhile
