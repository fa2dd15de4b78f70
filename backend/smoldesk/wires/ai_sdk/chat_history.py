"""Earlier turns of a chat as UI messages of `ai`, as if the client had received them live; built from the log."""

import asyncio
import mimetypes
from dataclasses import dataclass, field
from typing import Any

from smoldesk.chats import Chats, Files
from smoldesk.events import (
    AskClosed,
    FileAdded,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunQueued,
    RunResumed,
    RunWaiting,
    StoredEvent,
)
from smoldesk.messages import FileContent
from smoldesk.runs import RunRecord, Runs
from smoldesk.wires.ai_sdk.encoder import ChunkEncoder
from smoldesk.wires.ai_sdk.request_handling import WIRE, ResponsePlan
from smoldesk.wires.ai_sdk.run_stream import RunStream
from smoldesk.wires.ai_sdk.ui_messages import MessageFold
from smoldesk.wires.inline_images import data_url, image_url
from smoldesk.wires.serialization import file_url

# Turns of a chat that are returned: the last ones.
MAX_RUNS = 1_000
# Characters of images and files inside all messages; further ones are links.
MAX_INLINE = 32_000_000


@dataclass
class _Turn:
    """Run while it is read: the person's message and the answer so far."""

    user_message: dict[str, Any]
    encoder: ChunkEncoder
    fold: MessageFold
    is_closed: bool = False
    is_waiting: bool = False
    files: list[FileContent] = field(default_factory=list[FileContent])


@dataclass
class _UrlBudget:
    """Characters left for data URLs in the messages."""

    remaining_characters: int

    def spend(self, url: str | None) -> str | None:
        self.remaining_characters -= len(url or "")
        return url


def _unchanged(record: RunRecord, last: int, events: object) -> RunRecord:
    return record


class ChatHistory:
    """Reader of earlier turns."""

    def __init__(self, runs: Runs, chats: Chats, files: Files, following: RunStream) -> None:
        self._runs = runs
        self._chats = chats
        self._files = files
        self._following = following

    async def messages(self, client_id: str, with_open: bool) -> list[dict[str, Any]]:
        """Return the UI messages of a client's chat, oldest first; an empty list for an unknown chat.

        The answer of an open run is left out, since `resume` streams it from its beginning; `with_open` includes it, for
        clients that do not resume.
        """
        chat_id = await self._chats.find(client_id, WIRE)
        if chat_id is None:
            return []
        budget = _UrlBudget(MAX_INLINE)
        turns = await self._turns(chat_id, budget)
        ui_messages: list[dict[str, Any]] = []
        for turn in turns.values():
            same = (at for at, message in enumerate(ui_messages) if message["id"] == turn.user_message["id"])
            # A regenerated or edited message has the same id: clients drop it and everything after it.
            del ui_messages[next(same, len(ui_messages)) :]
            turn.user_message["parts"][:0] = [
                await self._file_part(chat_id, file, budget) for file in turn.files
            ]
            ui_messages.append(turn.user_message)
            if with_open and turn.is_waiting:
                for chunk in turn.encoder.pause():
                    turn.fold.take(chunk)
            if (turn.is_closed or with_open) and (answer := turn.fold.message()) is not None:
                ui_messages.append(answer)
        return ui_messages

    async def _turns(self, chat_id: str, room: _UrlBudget) -> dict[str, _Turn]:
        """Return the last runs of a chat by id, in the order of their messages."""
        records = await self._runs.records.newest(MAX_RUNS, None, None, chat_id, (), _unchanged)
        records_by_id = {record.id: record for record in records}
        turns: dict[str, _Turn] = {}
        files: dict[str, FileContent] = {}
        after = 0
        while page := await asyncio.to_thread(self._chats.events, chat_id, after):
            after = page[-1].seq
            for stored in page:
                match stored.event:
                    case FileAdded(file=file):
                        files[file.name] = file
                    case RunQueued() as queued if (
                        record := records_by_id.get(stored.run_id or "")
                    ) is not None:
                        turn = turns[record.id] = await self._new_turn(chat_id, record)
                        turn.files = [files[name] for name in queued.attachments if name in files]
                    case _:
                        pass
                if (turn := turns.get(stored.run_id or "")) is not None:
                    await self._take(turn, stored, room)
        return turns

    async def _new_turn(self, chat_id: str, record: RunRecord) -> _Turn:
        text = [{"type": "text", "text": record.message}] if record.message else []
        name = record.options.client_message_id or f"{record.id}-asked"
        encoder = await self._following.encoder(ResponsePlan(chat_id, record.id), "sse")
        fold = MessageFold(record.id)
        for chunk in encoder.begin(record.id, record.id):
            fold.take(chunk)
        return _Turn({"id": name, "role": "user", "parts": text}, encoder, fold)

    async def _take(self, turn: _Turn, stored: StoredEvent, room: _UrlBudget) -> None:
        url = room.spend(await image_url(self._files, stored)) if room.remaining_characters > 0 else None
        for chunk in turn.encoder.take(stored, url):
            turn.fold.take(chunk)
        match stored.event:
            case AskClosed(ask_id=ask_id, granted=granted, reason=reason):
                turn.fold.answer(ask_id, granted, reason)
            case RunWaiting() | RunResumed() as event:
                turn.is_waiting = isinstance(event, RunWaiting)
            case RunFinished() | RunFailed() | RunCancelled():
                turn.is_closed = True
            case _:
                pass

    async def _file_part(self, chat_id: str, file: FileContent, room: _UrlBudget) -> dict[str, Any]:
        """Return the part of an attached file, with a data URL or, above the budget, its address."""
        media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        path = await self._files.fetch(file.file_id)
        inline_url = (
            room.spend(await asyncio.to_thread(data_url, path, media_type))
            if room.remaining_characters > 0
            else None
        )
        url = inline_url or file_url(chat_id, file.name, file.file_id)
        return {"type": "file", "mediaType": media_type, "filename": file.name, "url": url}
