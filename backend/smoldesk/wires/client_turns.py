"""Turns of clients that use their own ids for chats: the common part of ai_sdk, agui and openai_api.

Each of these wires parses its own requests. This module finds or creates the chat, files and run of a request, and cancels
a run that its client has abandoned.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from smoldesk.chats import PastTurn
from smoldesk.desk import Desk
from smoldesk.errors import Conflict, NotFound
from smoldesk.runs import IdempotencyKey, RunInfo, RunOptions
from smoldesk.wires.attachments import FilePart, decode_files
from smoldesk.wires.bodies import AttachedFile

WENT_ON = "The person continued without answering"


@dataclass(frozen=True)
class ClientRun:
    """Run of a client's chat; its events have seqs above `first`."""

    chat_id: str
    run_id: str
    first: int


class ClientTurns:
    """Chats and runs of one wire's clients."""

    def __init__(self, desk: Desk, wire: str) -> None:
        """`wire` is the namespace in which client ids are hashed."""
        self._runs = desk.runs
        self._chats = desk.chats
        self._uploads = desk.uploads
        self._wire = wire

    # --- the chat -----------------------------------------------------------------------------------------------------

    async def find_chat(self, client_id: str) -> str | None:
        """Return the id of the chat with this client id, or None."""
        return await self._chats.find(client_id, self._wire)

    async def open_chat(self, client_id: str | None, history: Sequence[PastTurn] = ()) -> str:
        """Return the id of the chat with this client id, creating it with this history if needed."""
        return await self._chats.begin(client_id, self._wire, history)

    async def read_files(self, parts: Sequence[FilePart]) -> list[AttachedFile]:
        """Decode the files of a message in a thread, since they can be large. Raises BadInput."""
        return await asyncio.to_thread(decode_files, parts, self._uploads.limit) if parts else []

    async def store_files(self, chat_id: str, files: Sequence[AttachedFile]) -> list[str] | None:
        """Store files in a chat and return their names there, or None. Raises BadInput, or DeskError for a full disk."""
        return [await self._uploads.keep(chat_id, file.name, file.data) for file in files] or None

    # --- its runs -----------------------------------------------------------------------------------------------------

    async def start(
        self, chat_id: str, message: str, options: RunOptions, key: IdempotencyKey | None = None
    ) -> ClientRun:
        """Start a run, or return the run that was started with the same key. Raises NotFound, Conflict."""
        if key is None:
            run_id = await self._runs.start(chat_id, message, options)
        else:
            run_id, _ = await self._runs.start_once(chat_id, message, key, options)
        return await self.locate_run(chat_id, run_id)

    async def locate_run(self, chat_id: str, run_id: str) -> ClientRun:
        """Return a run with the seq before its first event."""
        return ClientRun(chat_id, run_id, await self._runs.records.seq_before(chat_id, run_id))

    async def find_sent_run(self, key: IdempotencyKey) -> ClientRun | None:
        """Return the run that was started with this key, or None."""
        run = await self._runs.records.sent_as(key)
        return None if run is None else await self.locate_run(run.chat_id, run.id)

    async def open_runs(self, client_id: str) -> tuple[str | None, list[RunInfo]]:
        """Return the id of a client's chat, or None, and its open runs with the running one first."""
        chat_id = await self.find_chat(client_id)
        return chat_id, [] if chat_id is None else await self._runs.records.open_in(chat_id)

    async def stop(self, client_id: str, reason: str) -> bool:
        """Cancel all open runs of a client's chat. Return whether there were any."""
        _, runs = await self.open_runs(client_id)
        for run in runs:
            await self.cancel(run.id, reason)
        return bool(runs)

    async def cancel(self, run_id: str, reason: str = WENT_ON) -> None:
        """Cancel a run; a closed run stays as it is."""
        with suppress(Conflict, NotFound):
            await self._runs.cancel(run_id, reason)
