"""Turns of clients that name chats by ids of their own: what ai_sdk, agui and openai_api do alike.

Each of these wires reads its own requests and decides what one means. Here its chat, its files and its run are found or
made, and a run that its client goes on without is given up.
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

WENT_ON = "The person went on without answering"


@dataclass(frozen=True)
class ClientRun:
    """A run of a client's chat; its events come after the seq `first`."""

    chat_id: str
    run_id: str
    first: int


class ClientTurns:
    """Chats and runs of one wire's clients."""

    def __init__(self, desk: Desk, wire: str) -> None:
        """`wire`: the name under which clients' ids are hashed."""
        self._runs = desk.runs
        self._chats = desk.chats
        self._uploads = desk.uploads
        self._wire = wire

    # --- the chat -----------------------------------------------------------------------------------------------------

    async def find_chat(self, client_id: str) -> str | None:
        """Return the id of the chat that a client means; None when it has none yet."""
        return await self._chats.find(client_id, self._wire)

    async def open_chat(self, client_id: str | None, history: Sequence[PastTurn] = ()) -> str:
        """Find the chat that a client means, or make it with this history."""
        return await self._chats.begin(client_id, self._wire, history)

    async def read_files(self, parts: Sequence[FilePart]) -> list[AttachedFile]:
        """Decode the files of a message, aside: it takes as long as they are large. Raises BadInput."""
        return await asyncio.to_thread(decode_files, parts, self._uploads.limit) if parts else []

    async def store_files(self, chat_id: str, files: Sequence[AttachedFile]) -> list[str] | None:
        """Put files into a chat; their names there, None for no files. Raises BadInput, DeskError when the disk will not."""
        return [await self._uploads.keep(chat_id, file.name, file.data) for file in files] or None

    # --- its runs -----------------------------------------------------------------------------------------------------

    async def start(
        self, chat_id: str, message: str, options: RunOptions, key: IdempotencyKey | None = None
    ) -> ClientRun:
        """Start a run; under a key, the run that the same message began before. Raises NotFound, Conflict."""
        if key is None:
            run_id = await self._runs.start(chat_id, message, options)
        else:
            run_id, _ = await self._runs.start_once(chat_id, message, key, options)
        return await self.locate_run(chat_id, run_id)

    async def locate_run(self, chat_id: str, run_id: str) -> ClientRun:
        """Return where the log holds a run."""
        return ClientRun(chat_id, run_id, await self._runs.records.seq_before(chat_id, run_id))

    async def find_sent_run(self, key: IdempotencyKey) -> ClientRun | None:
        """Return the run that this very message began before."""
        run = await self._runs.records.sent_as(key)
        return None if run is None else await self.locate_run(run.chat_id, run.id)

    async def open_runs(self, client_id: str) -> tuple[str | None, list[RunInfo]]:
        """Return the chat that a client means, if there is one, and its open runs: the one under way comes first."""
        chat_id = await self.find_chat(client_id)
        return chat_id, [] if chat_id is None else await self._runs.records.open_in(chat_id)

    async def stop(self, client_id: str, reason: str) -> bool:
        """Stop whatever runs in a client's chat; whether anything did."""
        _, runs = await self.open_runs(client_id)
        for run in runs:
            await self.cancel(run.id, reason)
        return bool(runs)

    async def cancel(self, run_id: str, reason: str = WENT_ON) -> None:
        """Stop a run; one that is closed already stays what it is."""
        with suppress(Conflict, NotFound):
            await self._runs.cancel(run_id, reason)
