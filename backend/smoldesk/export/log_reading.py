"""One log on its way into the store, in batches. What a log says is believed where it was checked.

It gets ids of its own, made from a secret of this reading, so nothing of a log can name a thing of the desk. Asks, payments,
grants, and threads with agents elsewhere do not come with it; runs that the log leaves open are closed.
"""

import base64
import binascii
import hashlib
import json
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, JsonValue, ValidationError
from sqlalchemy.exc import IntegrityError

from smoldesk.errors import BadInput, NotFound
from smoldesk.events import (
    BuildingChosen,
    ChatImported,
    RoomsSelected,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunQueued,
    RunStarted,
    StepFinished,
    ToolProgress,
)
from smoldesk.export.log_format import Head, Line, LogBuilding, LogFile, broken, cut, read_log
from smoldesk.folders import place_below, remove_tree
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.store import chats
from smoldesk.store.files import media_type_of
from smoldesk.store.imported_chats import ImportedRows, add_rows, begin_import, finish_import
from smoldesk.store.partial_files import disk_full
from smoldesk.store.run_options import RunOptions
from smoldesk.store.store import Store

BATCH = 500
BATCH_CHARACTERS = 8_000_000
MOST_FILES = 20_000
MOST_OPEN = 1_000
"""Runs, and calls and asks of one run, that a log may leave open: what is kept in memory of it."""
STATES: dict[type[Any], str] = {RunFinished: "finished", RunFailed: "failed", RunCancelled: "cancelled"}
_FILE_ID = re.compile(r"f_[0-9a-f]{24}")
LOG_ENDS = "the log ends while this run was going on"


@dataclass(frozen=True)
class Imported:
    """What became of a log; `missing` files are not in it, `closed` runs were open at its end."""

    chat_id: str
    title: str
    events: int
    files: int
    missing: int
    closed: int
    is_cut: bool


class _Call(BaseModel):
    name: str
    arguments: JsonValue
    id: str


class _Fault(BaseModel):
    type: str
    message: str


class _Memory(BaseModel):
    """What agents/wrapper/memory.py reads back."""

    model_output: str | None
    code_action: str | None
    tool_calls: list[_Call]
    observations: str | None
    error: _Fault | None
    is_final_answer: bool


@dataclass
class LogReading:
    """Reads one log, on a thread of its own. `building` makes a building of the log one of the desk, if it can."""

    store: Store
    quota: int
    building: Callable[[LogBuilding, Path], str | None]
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    rows: ImportedRows = field(default_factory=ImportedRows)
    characters: int = 0
    chat_id: str = ""
    head: Head | None = None
    last: int = 0
    ended_at: float = 0.0
    begun: int = 0
    open: dict[str, tuple[dict[str, Any], OpenEnds]] = field(default_factory=dict[str, Any])
    files: list[tuple[str, LogFile]] = field(default_factory=list[tuple[str, LogFile]])
    named: set[str] = field(default_factory=set[str])
    buildings: dict[str, str | None] = field(default_factory=dict[str, str | None])
    building_id: str | None = None
    selection: str | None = None

    def name(self, kind: str, old: str) -> str:
        """An id of this desk for one of the log."""
        return f"{kind}_{hashlib.sha256(self.secret + old.encode()).hexdigest()[:24]}"

    def whole(self, path: Path, partial: bool, tells: bool = True) -> Imported:
        """Read it all; nothing is kept when that fails."""
        if 2 * path.stat().st_size > shutil.disk_usage(self.store.data_dir.files).free:
            raise disk_full()
        try:
            with path.open("rb") as file:
                is_cut = self._read(file, partial)
            return self._finish(is_cut, tells)
        except BaseException as fault:
            self._take_back()
            if isinstance(fault, IntegrityError):
                raise BadInput(
                    "A run comes twice in this log.", "The log was changed.", code="log_broken"
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
                self._event(number, line)
            elif line.building is not None:
                self._take_building(number, line.building, lines)
            elif line.file is not None:
                self._take_file(number, line.file, lines)
            elif line.end is None:
                raise broken(number, "a piece of no file" if line.piece is not None else "it says nothing")
            elif line.end.events != self.last:
                raise cut(number)
        self._flush()

    # --- events ---------------------------------------------------------------------------------------------------

    def _event(self, number: int, line: Line) -> None:
        event, run_id = line.event, line.run_id
        assert event is not None
        if line.seq != self.last + 1 or line.at is None or line.at.tzinfo is None or line.at.year < 1971:
            raise broken(number, "its seq does not follow the one before, or it has no time")
        at = line.at.timestamp()
        match event:
            case RunQueued():
                if run_id is None or run_id in self.open or len(self.open) >= MOST_OPEN:
                    raise broken(number, "a run begins twice, or too many are open")
                self.begun += 1
                row = {"id": run_id, "position": self.begun, "message": event.message, "created_at": at}
                options = RunOptions(attachments=event.attachments or None, is_code=event.is_code or None)
                self.open[run_id] = (row | {"options": options.kept()}, OpenEnds())
            case StepFinished():
                try:
                    _Memory.model_validate(event.memory)
                except ValidationError:
                    raise broken(number, "its memory is not one of a step") from None
            case RunStarted(reading=reading, about=about) if run_id in self.open:
                row = self.open[run_id][0]
                options = RunOptions.read(row["options"]).model_copy(
                    update={"reading": reading, "about": about}
                )
                row["options"] = options.kept()
            case ToolProgress(context_id=str()):
                event = event.model_copy(update={"context_id": None})
            case BuildingChosen():
                event = event.model_copy(update={"building_id": self.buildings.get(event.building_id or "")})
                self.building_id, self.selection = event.building_id, None
            case RoomsSelected(rooms=rooms):
                self.selection = (
                    json.dumps([room.model_dump(mode="json") for room in rooms]) if rooms else None
                )
            case _:
                pass
        if isinstance(event, RunEvent):
            if run_id not in self.open:
                raise broken(number, "it is of a run that has not begun, or is over")
            self.open[run_id][1].note([event])
            if self.open[run_id][1].count > MOST_OPEN:
                raise broken(number, "too many calls and asks are open")
            if (state := STATES.get(type(event))) is not None:
                self.rows.runs.append(self.open.pop(run_id)[0] | {"state": state, "changed_at": at})
        elif run_id is not None:
            raise broken(number, "it is of no run, and names one")
        body = event.model_dump_json()
        if len(self.named) < MOST_FILES:
            self.named.update(_FILE_ID.findall(body))
        self.last, self.ended_at = line.seq, at
        row = {"seq": line.seq, "run_id": run_id, "type": event.type, "at": at, "body": body}
        self.rows.events.append(row)
        self.characters += len(body)
        if len(self.rows.events) >= BATCH or self.characters > BATCH_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        rows, self.rows, self.characters = self.rows, ImportedRows(), 0
        chat_id = self.chat_id
        self.store.submit(lambda tx: add_rows(tx, chat_id, rows)).result()

    # --- files ----------------------------------------------------------------------------------------------------

    def _take_file(self, number: int, file: LogFile, lines: Iterator[tuple[int, Line]]) -> None:
        if file.is_missing:
            return
        if not _FILE_ID.fullmatch(file.id) or file.kind == "floor":
            raise broken(number, "its id is not one of a file")
        if len(self.files) >= MOST_FILES:
            raise broken(number, f"it has more than {MOST_FILES} files")
        try:
            with self.store.files.path(file.id).open("xb") as target:
                _fill(target, number, file, lines)
        except FileExistsError:
            raise broken(number, "a file comes twice") from None
        except BaseException:
            self.store.files.discard(file.id)
            raise
        self.files.append((file.id, file))
        name = file.name.replace("\0", "\ufffd")[:1000]
        row = {
            "id": file.id,
            "kind": file.kind,
            "name": name,
            "size": file.size,
            "media_type": media_type_of(name),
        }
        self.rows.files.append(row | {"created_at": 1.0 + len(self.files)})

    def _take_building(self, number: int, found: LogBuilding, lines: Iterator[tuple[int, Line]]) -> None:
        with tempfile.TemporaryDirectory(dir=self.store.data_dir.cache) as folder:
            for at, name in enumerate(found.images):
                number, line = _next(number, lines)
                if line.file is None or line.file.kind != "floor" or line.file.name != name:
                    raise broken(number, "an image of a building is expected")
                with (Path(folder) / f"image-{at}").open("xb") as target:
                    _fill(target, number, line.file, lines)
            self.buildings[found.id] = self.building(found, Path(folder))

    # --- the end --------------------------------------------------------------------------------------------------

    def _finish(self, is_cut: bool, tells: bool) -> Imported:
        self._flush()
        self._place_files()
        head = self.head
        title = head.title if head else next(iter(self._first_words()), "")
        told = ChatImported(exported_at=head.exported_at if head else None, is_cut=is_cut)
        ends: list[tuple[str, list[RunEvent]]] = []
        for run_id, (row, open_ends) in self.open.items():
            self.rows.runs.append(row | {"state": "failed", "changed_at": self.ended_at})
            failed = RunFailed(code="log_ended", message=f"{LOG_ENDS[0].upper()}{LOG_ENDS[1:]}.")
            ends.append((run_id, [*open_ends.closing(LOG_ENDS, "restart"), failed]))
        self._flush()
        facts = {
            "title": title,
            "last_seq": self.last,
            "building_id": self.building_id,
            "selection": self.selection,
        }
        chat_id = self.chat_id
        self.store.submit(
            lambda tx: finish_import(tx, chat_id, facts, ends, [told] if tells else [])
        ).result()
        missing = len(self.named - {file_id for file_id, _ in self.files})
        counted = (self.last, len(self.files), missing, len(ends))
        return Imported(chat_id, title, *counted, is_cut)

    def _first_words(self) -> Iterator[str]:
        """What a log without a head is about: its first question."""
        for stored in self.store.events(self.chat_id, 0, 50):
            if isinstance(stored.event, RunQueued):
                yield " ".join(stored.event.message.split())

    def _place_files(self) -> None:
        """The newest upload or product of each name lies in the chat's folder again, as far as there is room."""
        folder = self.store.data_dir.chat_folder(self.chat_id)
        newest = {
            file.name: (file_id, file.size)
            for file_id, file in self.files
            if file.kind in ("upload", "produced")
        }
        room = self.quota
        for name, (file_id, size) in newest.items():
            room -= size
            if room < 0:
                break
            with suppress(NotFound, BadInput):  # a name that no file here may have
                place_below(folder, name, self.store.files.kept(file_id))

    def _take_back(self) -> None:
        for file_id, _ in self.files:
            self.store.files.discard(file_id)
        if self.chat_id:
            chat_id = self.chat_id
            self.store.submit(lambda tx: chats.erase_chat(tx, chat_id)).result()
            remove_tree(self.store.data_dir.chats / chat_id)


def _next(number: int, lines: Iterator[tuple[int, Line]]) -> tuple[int, Line]:
    """The line after this one; raises BadInput when there is none."""
    for found in lines:
        return found
    raise cut(number)


def _fill(target: BinaryIO, number: int, file: LogFile, lines: Iterator[tuple[int, Line]]) -> None:
    """Write the pieces of a file, which are to be as many and the same as its line says."""
    size, digest = 0, hashlib.sha256()
    while size < file.size:
        number, line = _next(number, lines)
        if line.piece is None:
            raise broken(
                number, f"a piece of the file before it is expected, {file.size - size} bytes are missing"
            )
        try:
            piece = base64.b64decode(line.piece, validate=True)
        except binascii.Error:
            raise broken(number, "a piece that is not base64") from None
        size += len(piece)
        if size > file.size or not piece:
            raise broken(number, "the file is larger than it says, or a piece is empty")
        digest.update(piece)
        target.write(piece)
    if digest.hexdigest() != file.sha256:
        raise broken(number, "the file is not the one it says (sha256)")
