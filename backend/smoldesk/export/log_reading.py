"""Import of one log into the store, in batches. Everything in a log is checked first.

All ids are replaced by new ones, derived from a random secret, so a log cannot refer to anything of this desk. Asks,
payments, grants, and threads with remote agents are not imported; runs that the log leaves open are closed.
"""

import base64
import binascii
import hashlib
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from sqlalchemy.exc import IntegrityError

from smoldesk.errors import BadInput, NotFound
from smoldesk.events import ChatImported, RunQueued
from smoldesk.export.log_events import LogEvents
from smoldesk.export.log_format import (
    FILE_ID,
    Head,
    Line,
    LogBuilding,
    LogFile,
    LogPrompt,
    broken,
    cut,
    read_log,
)
from smoldesk.export.pins import Pins
from smoldesk.folders import place_below
from smoldesk.store import chats, reports
from smoldesk.store.files import media_type_of
from smoldesk.store.imported_chats import ImportedRows, add_rows, begin_import, finish_import, take_back_file
from smoldesk.store.partial_files import disk_full
from smoldesk.store.prompt_messages import deflated
from smoldesk.store.run_queue import TITLE_LENGTH
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

# Maximum rows, and maximum characters of rows, in one transaction: the store's single writer does nothing else meanwhile.
BATCH = 500
BATCH_CHARACTERS = 8_000_000
MAX_FILES = 20_000
MAX_PROMPTS = 200_000
# A child reads each of them.
MAX_BUILDINGS = 100
MAKE_ROOM = "Free some space: nothing of the log was kept."


@dataclass(frozen=True)
class ImportResult:
    """Result of an import; `missing` files have no bytes in the log, `closed` runs were open at its end."""

    chat_id: str
    title: str
    events: int
    files: int
    missing: int
    closed: int
    is_cut: bool


class _Call(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
    name: str
    arguments: JsonValue


class _Message(BaseModel):
    """Message of a prompt, as agents/wrapper/call_record.py writes it."""

    model_config = ConfigDict(extra="forbid")

    role: str
    content: str | list[dict[str, JsonValue]] | None
    tool_calls: list[_Call] = []


@dataclass
class LogReader:
    """Reads one log, on its own thread. `building` returns the desk's id for a building of the log, or None."""

    store: Store
    quota: int
    building: Callable[[LogBuilding, Path], str | None]
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    rows: ImportedRows = field(default_factory=ImportedRows)
    characters: int = 0
    chat_id: str = ""
    head: Head | None = None
    events: LogEvents = field(default_factory=LogEvents)
    files: list[tuple[str, LogFile]] = field(default_factory=list[tuple[str, LogFile]])
    report: Pins | None = None
    read_file_count: int = 0
    named: set[str] = field(default_factory=set[str])

    def name(self, kind: str, old: str) -> str:
        """Return this desk's id for one of the log."""
        # With the secret, a log cannot choose its ids here, and a second import of it gets other ones.
        return f"{kind}_{hashlib.sha256(self.secret + old.encode()).hexdigest()[:24]}"

    def import_all(self, path: Path, partial: bool, records_origin: bool = True) -> ImportResult:
        """Read a log; after an error nothing of it remains."""
        if 2 * path.stat().st_size > shutil.disk_usage(self.store.data_dir.files).free:
            raise disk_full(MAKE_ROOM)
        try:
            with path.open("rb") as file:
                is_cut = self._read(file, partial)
            return self._finish(is_cut, records_origin)
        except BaseException as fault:
            self._take_back()
            if isinstance(fault, IntegrityError):
                raise BadInput(
                    "The log contains a run or a file twice.", "The log was changed.", code="log_broken"
                ) from None
            raise

    def _read(self, file: BinaryIO, partial: bool) -> bool:
        self.head, lines = read_log(file, self.name)
        self.chat_id = self.store.submit(begin_import).result()
        try:
            self._take_all(lines)
        except BadInput as fault:
            if fault.code != "log_cut" or not partial:
                raise
            return True
        return False

    def _take_all(self, lines: Iterator[tuple[int, Line]]) -> None:
        for number, line in lines:
            if line.event is not None:
                self._take_event(number, line)
            elif line.prompt is not None:
                self._take_prompt(number, line.prompt)
            elif line.building is not None:
                self._take_building(number, line.building, lines)
            elif line.report is not None:
                if self.report is not None:
                    raise broken(number, "it has a second report")
                self.report = line.report
            elif line.file is not None:
                self._take_file(number, line.file, lines)
            elif line.end is None:
                raise broken(number, "its piece follows no file" if line.piece is not None else "it is empty")
            elif line.end.events != self.events.last:
                raise cut(number)
            elif line.end.files != self.read_file_count or line.end.prompts != len(self.events.prompts):
                raise broken(number, "files or prompt messages are missing before it")
        self._flush()

    def _take_event(self, number: int, line: Line) -> None:
        event, closed = self.events.take(number, line)
        if closed is not None:
            self.rows.runs.append(closed)
        body = event.model_dump_json()
        # Ids of all files that events show, to count those that the log does not have.
        if len(self.named) < MAX_FILES:
            self.named.update(FILE_ID.findall(body))
        row = {"seq": line.seq, "run_id": line.run_id, "type": event.type, "at": self.events.ended_at}
        self.rows.events.append(row | {"body": body})
        self._grow(len(body))

    def _take_prompt(self, number: int, prompt: LogPrompt) -> None:
        """Store a prompt message. Its hash differs from the log's, since the ids in it do."""
        if len(self.events.prompts) >= MAX_PROMPTS:
            raise broken(number, f"the log has more than {MAX_PROMPTS} prompt messages")
        try:
            _Message.model_validate_json(prompt.text)
        except ValidationError:
            raise broken(number, "its prompt message is invalid") from None
        compressed = deflated(prompt.text, None)
        self.events.prompts[prompt.id] = compressed.id
        self.rows.prompts.append(compressed)
        self._grow(len(compressed.body))

    def _grow(self, characters: int) -> None:
        self.characters += characters
        if len(self.rows.events) + len(self.rows.prompts) >= BATCH or self.characters > BATCH_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        rows, self.rows, self.characters = self.rows, ImportedRows(), 0
        chat_id = self.chat_id
        self.store.submit(lambda tx: add_rows(tx, chat_id, rows)).result()

    def _take_file(self, number: int, file: LogFile, lines: Iterator[tuple[int, Line]]) -> None:
        self.read_file_count += 1
        if file.is_missing:
            return
        if not FILE_ID.fullmatch(file.id) or file.kind == "floor":
            raise broken(number, "the id or kind of its file is invalid")
        if len(self.files) >= MAX_FILES:
            raise broken(number, f"the log has more than {MAX_FILES} files")
        if leads_out(file.name):
            raise broken(number, "the name of its file is a path that leads out of the chat's folder")
        name = file.name.replace("\0", "\ufffd")[:1000]
        # An imported app may not call tools: a log can come from anywhere.
        kind = "imported_app" if file.kind == "app" else file.kind
        row = {"id": file.id, "kind": kind, "name": name, "size": file.size}
        row |= {"media_type": media_type_of(name), "created_at": 1.0 + len(self.files)}
        self.rows.files.append(row)
        self._flush()  # the row before the bytes: after a crash it tells which bytes to delete
        try:
            with self.store.files.creating(file.id) as target:
                fill(target, number, file, lines)
        except BaseException:  # if the log is cut here, a partial import keeps everything before
            self.store.files.discard(file.id)
            self.store.submit(lambda tx: take_back_file(tx, file.id)).result()
            raise
        self.files.append((file.id, file))

    def _take_building(
        self, number: int, log_building: LogBuilding, lines: Iterator[tuple[int, Line]]
    ) -> None:
        if len(self.events.buildings) >= MAX_BUILDINGS:
            raise broken(number, f"the log has more than {MAX_BUILDINGS} buildings")
        with tempfile.TemporaryDirectory(dir=self.store.data_dir.cache, prefix="import-") as folder:
            for at, name in enumerate(log_building.images):
                number, line = next_line(number, lines)
                if line.file is None or line.file.kind != "floor" or line.file.name != name:
                    raise broken(number, f"the building's image {name[:80]!r} is expected here")
                self.read_file_count += 1
                with (Path(folder) / f"image-{at}").open("xb") as target:
                    fill(target, number, line.file, lines)
            self.events.buildings[log_building.id] = self.building(log_building, Path(folder))

    def _finish(self, is_cut: bool, records_origin: bool) -> ImportResult:
        self._flush()
        self._place_files()
        head, events = self.head, self.events
        title = (head.title if head else next(iter(self._first_questions()), ""))[:TITLE_LENGTH]
        origin = ChatImported(exported_at=head.exported_at if head else None, is_cut=is_cut)
        last, closed_count = events.last, 0
        for run_id, run, closing in events.ends():
            self.rows.runs.append(run)
            closed_count += 1
            # With the time of the log's end, so that the chat plays the same whenever it was imported.
            for event in closing:
                last += 1
                body = event.model_dump_json()
                row = {"seq": last, "run_id": run_id, "type": event.type, "at": events.ended_at}
                self.rows.events.append(row | {"body": body})
                self._grow(len(body))
        self._flush()
        facts = {"title": title, "last_seq": last}
        facts |= {"building_id": events.building_id, "selection": events.selection}
        chat_id = self.chat_id

        def finish(tx: Tx) -> None:
            finish_import(tx, chat_id, facts, [origin] if records_origin else [])
            if self.report is not None:
                reports.put_report(tx, chat_id, 0, self.report.model_dump_json(exclude_defaults=True))

        self.store.submit(finish).result()
        missing = len(self.named - {file_id for file_id, _ in self.files})
        return ImportResult(chat_id, title, events.last, len(self.files), missing, closed_count, is_cut)

    def _first_questions(self) -> Iterator[str]:
        """Yield the chat's questions, of which the first is the title of a log without a head."""
        for stored in self.store.events(self.chat_id, 0, 50):
            if isinstance(stored.event, RunQueued):
                attached = ", ".join(stored.event.attachments)
                yield " ".join(stored.event.message.split()) or attached

    def _place_files(self) -> None:
        """Put the newest upload or product of each name into the chat's folder, as far as the quota allows."""
        newest = {
            file.name: (file_id, file.size)
            for file_id, file in self.files
            if file.kind in ("upload", "produced")
        }
        room = self.quota
        with self.store.folders.changing(self.chat_id) as folder:
            for name, (file_id, size) in newest.items():
                room -= size
                if room < 0:
                    break
                with suppress(NotFound, BadInput):  # the name may be invalid on this desk
                    place_below(folder, name, self.store.files.existing_path(file_id))

    def _take_back(self) -> None:
        for file_id, _ in self.files:
            self.store.files.discard(file_id)
        if self.chat_id:
            chat_id = self.chat_id
            self.store.submit(lambda tx: chats.erase_chat(tx, chat_id)).result()
            self.store.folders.remove(chat_id)


def leads_out(name: str) -> bool:
    """Return whether a file's name is absolute or has `..`, on POSIX or Windows. A product may be in a folder."""
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return any(path.root or ".." in path.parts for path in paths)


def next_line(number: int, lines: Iterator[tuple[int, Line]]) -> tuple[int, Line]:
    """Return the line after this one. Raises BadInput at the end."""
    for text in lines:
        return text
    raise cut(number)


def fill(target: BinaryIO, number: int, file: LogFile, lines: Iterator[tuple[int, Line]]) -> None:
    """Write the pieces of a file. Raises BadInput if they do not match the file's size and hash."""
    size, digest = 0, hashlib.sha256()
    while size < file.size:
        number, line = next_line(number, lines)
        if line.piece is None:
            raise broken(
                number, f"a piece of the file is expected here, {file.size - size} bytes are missing"
            )
        try:
            piece = base64.b64decode(line.piece, validate=True)
        except binascii.Error:
            raise broken(number, "its piece is not base64") from None
        size += len(piece)
        if size > file.size or not piece:
            raise broken(number, f"its piece is empty, or the file is larger than {file.size} bytes")
        digest.update(piece)
        target.write(piece)
    if digest.hexdigest() != file.sha256:
        raise broken(number, "the file's bytes do not match its sha256")
