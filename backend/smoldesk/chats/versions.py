"""Versions of a turn: its message is edited or answered again, and the new answer stands in the place of the first.

Each version is a run of its own in the same chat; the log only grows. The agent's memory of a version is that of the first
run. Variables and files are those of the chat as they are now.
"""

import secrets

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import VersionShown
from smoldesk.runs import IdempotencyKey, Runs
from smoldesk.store.recordings import Recording, ReplayOptions
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_rows import OPEN_STATES, RunInfo, get_run
from smoldesk.store.store import Store


class Versions:
    """Starts and shows versions of the turns of a desk's chats."""

    def __init__(self, store: Store, runs: Runs) -> None:
        self._store = store
        self._runs = runs

    async def start(self, chat_id: str, run_id: str, message: str, message_id: str | None = None) -> str:
        """Answer `message` in the place of a closed run; return the id of the new run.

        A repeated `message_id` is the same version. Raises NotFound, or Conflict while the run is open.
        """
        run = await self._closed(chat_id, run_id)
        options = RunOptions.read(run.options)
        same = {} if message == run.message else {"reading": None, "about": None}
        options = options.model_copy(update=same | {"version_of": options.version_of or run_id})
        key = IdempotencyKey.of("version", chat_id, message_id or secrets.token_hex(16))
        return (await self._runs.start_once(chat_id, message, key, options))[0]

    async def play(self, chat_id: str, run_id: str, recording: Recording) -> str:
        """Answer a closed run's message with recorded replies, as another version; return the id of the new run.

        Raises NotFound, or Conflict while the run is open.
        """
        run = await self._closed(chat_id, run_id)
        options = RunOptions.read(run.options)
        changes = {
            "version_of": options.version_of or run_id,
            "replay": ReplayOptions(recording=recording, origin=chat_id),
        }
        return await self._runs.start(chat_id, run.message, options.model_copy(update=changes))

    async def show(self, chat_id: str, run_id: str) -> None:
        """Record which version of a turn a person looks at. Raises NotFound."""
        await self._run(chat_id, run_id)
        await self._store.do(lambda tx: tx.append(chat_id, [VersionShown(run_id=run_id)]))

    async def _closed(self, chat_id: str, run_id: str) -> RunInfo:
        run = await self._run(chat_id, run_id)
        if run.state in OPEN_STATES:
            raise Conflict(
                "This turn is still running.",
                "Wait for it to finish or stop it, then answer it again.",
                code="run_open",
            )
        return run

    async def _run(self, chat_id: str, run_id: str) -> RunInfo:
        run = await self._store.aread(lambda connection: get_run(connection, run_id))
        if run.chat_id != chat_id:
            raise NotFound(f"There is no run {run_id[:40]!r} in this chat.")
        return run
