"""Branches: a person continues from before a turn, in a new chat that starts with the earlier turns.

The original chat stays, and both chats name each other. A branch has the log, the files and the map of that time,
under new ids; variables are not copied, since its code runs in a new process, and its first run is told so.
"""

import asyncio
import secrets
from contextlib import suppress

from smoldesk.chats.chats import Chats
from smoldesk.errors import BadInput, NotFound
from smoldesk.folders import place_below
from smoldesk.runs import IdempotencyKey, Runs
from smoldesk.stopping import shielded
from smoldesk.store.branch_rows import Renamed, Trunk, note_branch, read_trunk, write_branch
from smoldesk.store.run_options import RunOptions
from smoldesk.store.store import Store


class Branches:
    """Makes branches of the chats of a desk."""

    def __init__(self, store: Store, runs: Runs, chats: Chats) -> None:
        self._store = store
        self._runs = runs
        self._chats = chats

    async def begin(
        self,
        chat_id: str,
        run_id: str,
        message: str,
        message_id: str | None = None,
        after: RunOptions | None = None,
    ) -> str:
        """Ask `message` in place of the one that a run answered, or, with `after`, behind it; the id of the new chat.

        `after` are the message's options. Sent again under its `message_id` it is the branch it was. Raises NotFound, also
        if `after` is about rows that the branch does not have, or Conflict while the run is open.
        """
        key = IdempotencyKey.of("branch", chat_id, message_id or secrets.token_hex(16))
        previous_id = await self._runs.records.sent_as(key)
        if previous_id is not None:
            await self._note(chat_id, run_id, previous_id.chat_id, message_id)
            return previous_id.chat_id
        return await shielded(self._create(chat_id, run_id, message, message_id, key, after))

    async def _create(
        self,
        chat_id: str,
        run_id: str,
        message: str,
        message_id: str | None,
        key: IdempotencyKey,
        after: RunOptions | None,
    ) -> str:
        trunk = await self._store.aread(lambda connection: read_trunk(connection, chat_id, run_id, after))
        if after and after.about and after.about.file_id not in {row["id"] for row in trunk.files}:
            raise NotFound(
                "The selected rows are not of the version that the new chat continues from.",
                "Remove them from the question, or show the newest version.",
                code="rows_elsewhere",
            )
        branch_id = f"c_{secrets.token_hex(12)}"
        file_ids: dict[str, str] = {}
        try:
            await asyncio.to_thread(self._copy_files, trunk, branch_id, file_ids)
            await self._store.do(lambda tx: write_branch(tx, trunk, branch_id, file_ids))
        except BaseException:
            await asyncio.to_thread(self._discard, branch_id, file_ids)
            raise
        same = {} if after or message == trunk.message else {"reading": None, "about": None}
        options = trunk.options.model_copy(update=same | {"version_of": None})
        # its rows are those of the branch's copy of the chart or table
        options = RunOptions.read(Renamed(file_ids).in_text(options.to_column() or ""))
        run, again = await self._runs.start_once(branch_id, message, key, options)
        if again:  # the same frame came twice at once
            await self._chats.delete(branch_id)
            return (await self._runs.records.get(run)).chat_id
        await self._note(chat_id, run_id, branch_id, message_id)
        return branch_id

    async def _note(self, chat_id: str, run_id: str, branch_id: str, message_id: str | None) -> None:
        await self._store.do(lambda tx: note_branch(tx, chat_id, run_id, branch_id, message_id))

    def _copy_files(self, trunk: Trunk, branch_id: str, file_ids: dict[str, str]) -> None:
        """Copy the trunk's files under new ids and place the last file of each name in the branch's folder."""
        for row in trunk.files:
            file_ids[row["id"]] = self._store.files.double(row["id"])
        newest = {row["name"]: row["id"] for row in trunk.files if row["kind"] in ("upload", "produced")}
        with self._store.folders.changing(branch_id) as folder:
            for name, file_id in newest.items():
                with suppress(NotFound, BadInput):  # its bytes are another server's, or its name is none
                    place_below(folder, name, self._store.files.existing_path(file_id))

    def _discard(self, branch_id: str, file_ids: dict[str, str]) -> None:
        for file_id in file_ids.values():
            self._store.files.discard(file_id)
        self._store.folders.remove(branch_id)
