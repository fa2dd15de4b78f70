"""Reruns: plays runs of the log again as real runs, in a hidden chat that is deleted afterwards."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from smoldesk.chats import Chats, Files
from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import RunCancelled, RunEvent, RunFailed, RunFinished, StoredEvent
from smoldesk.folders import opened_inside, place_below
from smoldesk.reruns.recorded_turns import RecordedTurn, read_turns, select_turns
from smoldesk.reruns.replays import Replay, ReplayFailed, failure_of
from smoldesk.runs import RunOptions, Runs
from smoldesk.store import recordings
from smoldesk.store.files import StoredFile, media_type_of
from smoldesk.store.store import Store
from smoldesk.tables.inside.read_options import MAX_BYTES, options_path

if TYPE_CHECKING:
    from smoldesk.agents import DeskAgents

DEFAULT_SECONDS = 120.0
# Seconds after which a hidden chat is deleted even if its server died; above any limit of a replay.
HIDDEN_SECONDS = 3600.0
# After the time limit, how long a run may take to end.
_END_SECONDS = 15.0
# Replays at a time, so that chats of people keep their processors.
CONCURRENT = 2
_CLOSING = (RunFinished, RunFailed, RunCancelled)


@dataclass(frozen=True)
class LiveModel:
    """Model, and agent if another one, that is asked instead of giving the recorded replies."""

    model: str | None = None
    agent: str | None = None


class Reruns:
    """Plays runs again. No tool that writes or needs approval is called: its recorded results are used."""

    def __init__(self, store: Store, chats: Chats, files: Files, runs: Runs, agents: "DeskAgents") -> None:
        self._store, self._chats, self._files = store, chats, files
        self._runs, self._agents = runs, agents
        self._room = asyncio.Semaphore(CONCURRENT)

    async def turns(self, chat_id: str, run_id: str, every: bool = False) -> list[RecordedTurn]:
        """Return a run, as the last one, and the earlier runs whose variables it may use; with `every`, all with its variables.

        Raises NotFound, Conflict while it is open.
        """
        live = await asyncio.to_thread(self._agents.tools_played_live)
        turns = await self._store.aread(lambda connection: read_turns(connection, chat_id, run_id, live))
        return turns if every else select_turns(turns)

    def agent_problem(self, name: str) -> str:
        """Return why runs of an agent cannot be played again, as a code; empty if they can."""
        return self._agents.replay_problem(name)

    @asynccontextmanager
    async def played(
        self,
        chat_id: str,
        run_id: str,
        files: Mapping[str, Path] | None = None,
        live: LiveModel | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> AsyncGenerator[Replay]:
        """Play a run again with the chat's present files, or with `files`. Raises NotFound, Conflict.

        A failure is part of the result. If code fails for lack of a variable, all earlier runs are played, too.
        """
        turns = await self.turns(chat_id, run_id)
        async with self.playing(turns, files, chat_id, live, seconds) as replay:
            is_last = replay.failure is None or replay.failure.code != "code_failed"
            complete = turns if is_last else await self.turns(chat_id, run_id, every=True)
            if len(complete) == len(turns):
                yield replay
                return
        async with self.playing(complete, files, chat_id, live, seconds) as second:
            yield second

    @asynccontextmanager
    async def playing(
        self,
        turns: Sequence[RecordedTurn],
        files: Mapping[str, Path] | None = None,
        origin: str | None = None,
        live: LiveModel | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> AsyncGenerator[Replay]:
        """Play turns and yield the result of the last one; its files are there until the context ends.

        `files` are the chat's files by name, by default those of the chat `origin`; building, closures and layers are those
        of `origin`, else those of a new chat.
        """
        chat_id = f"c_{secrets.token_hex(12)}"
        async with self._room:
            try:
                uploads = await self._place(chat_id, files, origin, keeps_uploads=live is not None)
                yield await self._played(chat_id, turns, origin, live, seconds, uploads)
            finally:
                await asyncio.shield(self._erase(chat_id))

    async def _played(
        self,
        chat_id: str,
        turns: Sequence[RecordedTurn],
        origin: str | None,
        live: LiveModel | None,
        seconds: float,
        uploads: Sequence[StoredFile],
    ) -> Replay:
        messages = [(turn.message, _options(turn, origin, live)) for turn in turns]
        run_ids = await self._runs.start_hidden(chat_id, origin, messages, HIDDEN_SECONDS, uploads)
        events: dict[str, list[RunEvent]] = {run_id: [] for run_id in run_ids}
        failure: ReplayFailed | None = None
        try:
            await self._follow(chat_id, events, seconds)
        except TimeoutError:
            failure = ReplayFailed("time_limit", f"The run did not end within {seconds:g} s.")
        finally:
            await asyncio.shield(self._stop(chat_id, run_ids))
        for turn, run_id in zip(turns[:-1], run_ids[:-1], strict=True):
            earlier = failure_of(turn, events[run_id], live is not None)
            if failure is None and earlier is not None and turn.answer is not None:
                failure = ReplayFailed("earlier_failed", f"{turn.message[:80]!r}: {earlier.message}")
        last = events[run_ids[-1]]
        failure = failure or failure_of(turns[-1], last, live is not None)
        return Replay(chat_id, run_ids[-1], last, failure, self._store.files.fetch)

    async def _follow(self, chat_id: str, events: Mapping[str, list[RunEvent]], seconds: float) -> None:
        """Collect the events of runs until the last one has ended. Raises TimeoutError."""
        last = [*events][-1]
        async with asyncio.timeout(seconds):
            async for batch in self._runs.follow(chat_id):
                for stored in batch:
                    if isinstance(stored, StoredEvent) and stored.run_id is not None:
                        events[stored.run_id].append(cast("RunEvent", stored.event))
                        if stored.run_id == last and isinstance(stored.event, _CLOSING):
                            return

    async def _stop(self, chat_id: str, run_ids: Sequence[str]) -> None:
        """Stop the runs that have not ended, and wait for them."""
        if not await self._runs.records.open_in(chat_id):
            return
        for run_id in reversed(run_ids):
            with contextlib.suppress(Conflict, NotFound):
                await self._runs.cancel(run_id, "The replay was stopped")
        with contextlib.suppress(TimeoutError):
            await self._follow(chat_id, {run_id: [] for run_id in run_ids}, _END_SECONDS)

    async def _erase(self, chat_id: str) -> None:
        """Delete the hidden chat. One whose runs do not end is left to the time of its deletion."""
        with contextlib.suppress(DeskError):
            if not await self._runs.records.open_in(chat_id):
                await self._chats.erase_hidden(chat_id)

    async def _place(
        self, chat_id: str, files: Mapping[str, Path] | None, origin: str | None, keeps_uploads: bool
    ) -> list[StoredFile]:
        """Copy files into the folder of a hidden chat; those of the chat `origin` with the way they are read.

        With `keeps_uploads` return them as stored uploads, which a model that is asked looks for.
        """
        stored = await self._files.of(origin) if files is None and origin is not None else []

        def copy() -> list[StoredFile]:
            sources = dict(files or {})
            for file in stored:
                with contextlib.suppress(NotFound):  # its bytes are another server's
                    sources[file.name] = self._store.files.existing_path(file.id)
            with self._store.folders.changing(chat_id) as folder:
                for name, source in sources.items():
                    place_below(folder, name, source)
                if origin is not None:
                    self._copy_readings(origin, folder, [*sources])
                return [self._stored(chat_id, folder, name) for name in sources] if keeps_uploads else []

        return await asyncio.to_thread(copy)

    def _stored(self, chat_id: str, folder: Path, name: str) -> StoredFile:
        limit = (folder / name).stat().st_size
        file_id, size = self._store.files.keep(folder, name, limit)
        return StoredFile(file_id, chat_id, "upload", name, size, media_type_of(name))

    def _copy_readings(self, origin: str, folder: Path, names: Sequence[str]) -> None:
        chat_folder = self._store.folders.reading(origin)
        for name in map(options_path, names):
            with (
                contextlib.suppress(DeskError),
                opened_inside(chat_folder, name, MAX_BYTES) as descriptor,
                open(descriptor, "rb", closefd=False) as file,
            ):
                (folder / name).write_bytes(file.read(MAX_BYTES))


def _options(turn: RecordedTurn, origin: str | None, live: LiveModel | None) -> RunOptions:
    replay = recordings.ReplayOptions(recording=turn.recording, is_live=live is not None, origin=origin)
    changes: dict[str, object] = {"replay": replay}
    if live is not None:
        changes |= {"model": live.model, "agent": live.agent or turn.options.agent}
    return turn.options.model_copy(update=changes)
