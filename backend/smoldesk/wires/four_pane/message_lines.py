"""A chat's log as four-pane messages, one per line: `GET /api/chats/{id}/messages`, the input of replays.

Messages that the connection itself sends (building, files, selected rooms) show the state at each position in the log.
"""

import asyncio
from collections.abc import AsyncIterator

from smoldesk import messages as m
from smoldesk.desk import Desk
from smoldesk.errors import NotFound
from smoldesk.events import (
    BuildingChosen,
    FileAdded,
    FileChanged,
    FileRemoved,
    RoomsSelected,
    StoredEvent,
)
from smoldesk.messages import FileContent
from smoldesk.wires.four_pane.socket_writer import SocketWriter

# Events per piece of the response.
PAGE = 200


class _Lines:
    """Buffer of messages in place of a socket."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def send_text(self, data: str) -> None:
        self.lines.append(data + "\n")

    def take(self) -> bytes:
        text, self.lines = "".join(self.lines), []
        return text.encode()


async def message_lines(desk: Desk, chat_id: str, content: m.ChatContent) -> AsyncIterator[bytes]:
    """Yield the messages of a chat up to its last committed event; `content` describes it before the first one."""
    lines = _Lines()
    replay = _Replay(desk, SocketWriter(lines, desk.files, True), content)
    await replay.show_building(0)
    await replay.introduce()
    after = 0
    while page := await asyncio.to_thread(desk.chats.events, chat_id, after):
        for at in range(0, len(page), PAGE):
            for stored in page[at : at + PAGE]:
                await replay.replay(stored)
            yield lines.take()
        after = page[-1].seq
    yield lines.take()


class _Replay:
    """State of a chat while its events are replayed."""

    def __init__(self, desk: Desk, out: SocketWriter, content: m.ChatContent) -> None:
        self._desk = desk
        self._out = out
        self._content = content

    async def introduce(self) -> None:
        await self._out.send(m.Chat(content=self._content))

    async def show_building(self, seq: int) -> None:
        """Send the building at this position, or the bundled one if it was deleted."""
        try:
            building = await self._desk.buildings.view(self._content.chat_id, seq)
        except NotFound:
            building = await self._desk.buildings.by_id(None)
        await self._out.send_building(building)

    async def replay(self, stored: StoredEvent) -> None:
        match stored.event:
            case BuildingChosen(building_id=building_id):
                await self.show_building(stored.seq)
                await self._change(building_id=building_id, selection=[])
            case RoomsSelected(rooms=rooms):
                await self._change(selection=rooms)
            case FileRemoved(file_id=_, name=name):
                await self._change(files=[file for file in self._content.files if file.name != name])
            case FileAdded(file=file) | FileChanged(file=file):
                self._keep(file)
                await self._out.send_event(stored)
            case _:
                await self._out.send_event(stored)

    def _keep(self, file: FileContent) -> None:
        other_files = [other for other in self._content.files if file.file_id != other.file_id]
        self._content = self._content.model_copy(update={"files": [*other_files, file]})

    async def _change(self, **facts: object) -> None:
        self._content = self._content.model_copy(update=facts)
        await self.introduce()
