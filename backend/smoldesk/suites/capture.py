"""Capture of an answer as a test: its question, its expected parts, its inputs by hash, and its recorded turns."""

import asyncio
import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from smoldesk.chats import Buildings
from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import FileAdded, FileChanged, RunEvent, RunStarted
from smoldesk.exams.drawings import drawings_of
from smoldesk.exams.expected_parts import MAX_ROWS, MAX_TABLES, ExpectedTable
from smoldesk.exams.figure_comparison import written_figures
from smoldesk.exams.part_comparison import stored_cell
from smoldesk.exams.produced import Produced
from smoldesk.exams.questions import VERSION, ExamQuestion, Expected, Recorded
from smoldesk.folders import open_inside
from smoldesk.reruns import RecordedTurn, Reruns
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_rows import get_run
from smoldesk.store.store import Store
from smoldesk.suites.suite_folder import sha256_of
from smoldesk.tables.inside.bucket_files import is_object
from smoldesk.tables.inside.read_options import MAX_BYTES, options_path

if TYPE_CHECKING:
    from smoldesk.agents import DeskAgents

MAX_SETUP, MAX_FILES = 20, 20
# Words of code that looks for files.
LISTING = ("listdir", "scandir", "iterdir", "glob(", ".walk(")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True)
class CapturedTest:
    """A test, its recorded turns, and the files that it names by their paths in a suite."""

    question: ExamQuestion
    turns: Sequence[RecordedTurn]
    files: dict[str, Path]


class Capture:
    """Reads answers of a desk's chats as tests."""

    def __init__(self, store: Store, reruns: Reruns, agents: "DeskAgents", buildings: Buildings) -> None:
        self._store, self._reruns = store, reruns
        self._agents, self._buildings = agents, buildings

    async def capture(self, chat_id: str, run_id: str, name: str | None = None) -> CapturedTest:
        """Return the answer of a run as a test. Raises NotFound, and Conflict for a run that cannot be one."""
        turns = await self._reruns.turns(chat_id, run_id)
        earlier = (await self._reruns.turns(chat_id, run_id, every=True))[:-1]
        return await asyncio.to_thread(self._captured, chat_id, turns, earlier, name)

    def _captured(
        self, chat_id: str, turns: Sequence[RecordedTurn], earlier: Sequence[RecordedTurn], name: str | None
    ) -> CapturedTest:
        turn = turns[-1]
        produced, started = self._produced(chat_id, turn.run_id)
        options = RunOptions.read(
            self._store.read(lambda connection: get_run(connection, turn.run_id)).options
        )
        _check(options, turn, produced, started)
        texts = "\n".join(text for each in turns for text in (each.message, *each.cells)).casefold()
        files = self._files(chat_id, turn.run_id, texts)
        named = {f"files/{digest[:16]}/{file}": path for file, (path, digest) in files.items()}
        inputs = self.inputs(chat_id, turn.options.agent, produced)
        inputs |= {f"file {file}": digest for file, (_, digest) in files.items()}
        inputs |= self.folder_inputs(texts, files)
        setup = [each.message for each in earlier if not each.options.is_code][-MAX_SETUP:]
        recorded = Recorded(
            agent=turn.options.agent or self._agents.agent_list.default,
            model=self._agents.who(self._agents.choose(chat_id, options)).get("model", "builtin"),
            replies=f"replies/{turn.run_id}.json",
            inputs=inputs,
            read_as=self._read_as(chat_id, [*files]),
            building=self._buildings.of_chat(chat_id).definition.building_id,
            chat=chat_id,
            run=turn.run_id,
            saved_at=round(time.time(), 3),
        )
        question = ExamQuestion(
            id=turn.run_id,
            language="ja" if _JAPANESE.search(turn.message) else "en",
            question=turn.message,
            expect=expected_of(produced),
            files=tuple(named),
            setup=tuple(setup),
            version=VERSION,
            name=(name or turn.message).strip()[:200] or turn.run_id,
            recorded=recorded,
        )
        return CapturedTest(question, turns, named)

    def _produced(self, chat_id: str, run_id: str) -> tuple[Produced, RunStarted | None]:
        produced, started, after = Produced(), None, 0
        while page := self._store.events(chat_id, after, run_id=run_id):
            for stored in page:
                produced.add(cast("RunEvent", stored.event))
                started = stored.event if isinstance(stored.event, RunStarted) else started
            after = page[-1].seq
        produced.drawings = drawings_of(produced, self.read_file)
        return produced, started

    def read_file(self, file_id: str) -> bytes | None:
        """Return the bytes of a stored file, None without them."""
        path = self._store.files.fetch(file_id)
        return path.read_bytes() if path.is_file() else None

    def inputs(self, chat_id: str | None, agent: str | None, produced: Produced) -> dict[str, str]:
        """Return the hashes of the agent, its tools and instructions, and of the building if it is an imported one."""
        hashes = self._agents.fingerprints(agent)
        if produced.prompt:
            hashes["prompt"] = produced.prompt
        building = self._buildings.of_chat(chat_id).definition.building_id
        return hashes | ({"building": building} if building else {})

    def folder_inputs(self, texts: str, files: dict[str, tuple[Path, str]]) -> dict[str, str]:
        """Return the hashes of the files of shared folders that texts name."""
        shared, _ = self._agents.shared.split([*files])
        inputs = [stamp for stamp in shared if _is_named(Path(stamp[0]).name, texts)]
        return {
            f"folder {Path(name).name}": f"{version:x}" if is_object(name) else sha256_of(Path(name))
            for name, _, version in inputs
            if is_object(name) or Path(name).is_file()
        }

    def _files(self, chat_id: str, run_id: str, texts: str) -> dict[str, tuple[Path, str]]:
        """Return the chat's files before a run's end, with their hashes: those that texts name, all if code lists them."""
        files: dict[str, str] = {}
        for stored in self._file_events(chat_id, run_id):
            files[stored.file.name] = stored.file.file_id
        lists = any(word in texts for word in LISTING)
        named = {name: file_id for name, file_id in files.items() if lists or _is_named(name, texts)}
        paths = {name: self._store.files.fetch(file_id) for name, file_id in [*named.items()][:MAX_FILES]}
        missing = [name for name, path in paths.items() if not path.is_file()]
        if missing:
            raise NotFound(
                f"The file {missing[0][:80]!r} of this answer is not stored any more.",
                "Upload it and ask again.",
                code="file_gone",
            )
        return {name: (path, sha256_of(path)) for name, path in paths.items()}

    def _file_events(self, chat_id: str, run_id: str) -> Sequence[FileAdded | FileChanged]:
        end = self._store.events(chat_id, run_id=run_id, types=["run_finished"])
        last = end[-1].seq if end else 0
        events = self._store.events(chat_id, 0, 10_000, ["file_added", "file_changed"])
        return [
            stored.event
            for stored in events
            if stored.seq < last and isinstance(stored.event, FileAdded | FileChanged)
        ]

    def _read_as(self, chat_id: str, names: Sequence[str]) -> dict[str, dict[str, JsonValue]]:
        folder = self._store.folders.reading(chat_id)
        options: dict[str, dict[str, JsonValue]] = {}
        for name in names:
            try:
                with os.fdopen(open_inside(folder, options_path(name)), "rb") as file:
                    options[name] = json.loads(file.read(MAX_BYTES))
            except (DeskError, OSError, ValueError):
                continue
        return options


def expected_of(produced: Produced) -> Expected:
    """Return the expected parts of an answer."""
    figures = [written.expected() for written in written_figures(produced)]
    tables = [
        ExpectedTable(
            name=table.name[:1_000],
            columns=[column.name[:1_000] for column in table.columns],
            rows=[[stored_cell(cell) for cell in row] for row in table.rows[:MAX_ROWS]],
            row_count=table.row_count,
        )
        for table in produced.shown_tables[:MAX_TABLES]
    ]
    answer = "\n\n".join(produced.answer_texts)[:100_000]
    return Expected(
        answer=answer, figures=figures or None, tables=tables or None, drawings=produced.drawings or None
    )


def _check(options: RunOptions, turn: RecordedTurn, produced: Produced, started: RunStarted | None) -> None:
    """Raise Conflict for a run that cannot be a test."""
    reason = ""
    if produced.failure or not produced.is_closed:
        reason = "it has no answer"
    elif options.is_code:
        reason = "it is code of a person"
    elif not turn.recording.replies:
        reason = "the replies of its model are not recorded"
    elif options.about or options.shared_state or options.client_tools or (started and started.selection):
        reason = "it depends on selected rows or rooms, or on a client's tools"
    if reason:
        raise Conflict(f"This answer cannot be a test: {reason}.", "Ask in plain words.", code="not_testable")


def _is_named(file: str, texts: str) -> bool:
    """Return whether texts name a file, with or without its ending, also as a table of SQL."""
    stem = Path(file).stem.casefold()
    return stem in texts or re.sub(r"\W+", "_", stem) in texts
