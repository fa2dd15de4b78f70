"""Compressed table files: a gzip file of one, and a zip archive of one or more. Their unpacked size is limited."""

import gzip
import io
import secrets
import zipfile
import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, cast

from .opening import kind_of, refuse_other_kinds, watch
from .read_options import ReadOptions
from .shapes import MAX_PARTS, FileContents, Problem, ProgressCallback, Table, Unreadable, quoted

# Maximum unpacked bytes of all members together, and bytes that are unpacked at a time.
MAX_UNPACKED = 300_000_000
CHUNK = 1 << 20
# First bytes that distinguish a text from an archive.
START = 4096
# Members without a table that a problem names.
NAMED = 5
# Suffixes of archives, which some tools also give to the text inside.
_ARCHIVES = (".gz", ".zip")
_UTF_8, _ENCRYPTED = 0x800, 0x1
_DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True)
class Members:
    """Reader of unpacked files, and the `suffixes` of those that it reads."""

    suffixes: Collection[str]
    read: Callable[[io.BufferedReader, Path], FileContents]


def read_gzip(
    file: io.BufferedReader, path: Path, _on_progress: ProgressCallback, members: Members
) -> FileContents:
    """Return the contents of the file inside, whose suffix is before `.gz`. Raises Unreadable."""
    refuse_other_kinds(file, "gzip", b"\x1f\x8b")
    name = path.stem if Path(path.stem).suffix else f"{path.stem}.csv"
    if Path(name).suffix.lower() not in members.suffixes:
        raise Unreadable("packed_kind", {"name": name[:80]})
    watch(file)
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            unpacked, _size = _unpacked(packed, MAX_UNPACKED)
    except _DAMAGED as fault:
        raise Unreadable("cut_off", {"reason": str(fault)[:200]}) from None
    token = _token(name)
    contents = members.read(unpacked, token)
    place = quoted(path.name)
    for at, table in enumerate(contents.tables):
        load = table.load.replace(f"open({quoted(token.name)}, ", f'gzip.open({place}, "rt", ')
        # pandas unpacks text itself, by the suffix.
        opened = place if load.startswith("pd.read_csv") else f"gzip.open({place})"
        load = load.replace(quoted(token.name), opened)
        contents.tables[at] = replace(table, name=_named(table, token, Path(name).stem), load=load)
    return contents


def read_zip(
    file: io.BufferedReader,
    path: Path,
    on_progress: ProgressCallback,
    members: Members,
    options: ReadOptions,
) -> FileContents:
    """Return the tables of all members, or of the one that a person chose. Raises Unreadable if there are none."""
    refuse_other_kinds(file, "zip", b"PK")
    try:
        archive = zipfile.ZipFile(file)
    except _DAMAGED as fault:
        raise Unreadable("cut_off", {"reason": str(fault)[:200]}) from None
    visible = [member for member in archive.infolist() if not _is_hidden(member)]
    readable = [
        member for member in visible if _suffix(member) in members.suffixes or _is_misnamed(archive, member)
    ]
    names = [member.filename for member in readable[:MAX_PARTS]]
    if options.sheet is not None and options.sheet not in names:
        raise Unreadable("no_member", {"name": options.sheet[:80]})
    others = [_label(member) for member in visible if member not in readable]
    if not readable:
        if not others:
            raise Unreadable("no_table_member_empty")
        raise Unreadable("no_table_member", {"names": _first(others)})
    selected = [member for member in readable[:MAX_PARTS] if options.sheet in (None, member.filename)]
    reader = _ZipReader(archive, path, members, len(selected) > 1)
    for place, member in enumerate(selected):
        on_progress(place / len(selected))
        reader.add(member)
    contents = reader.result(names, options.sheet)
    if len(readable) > MAX_PARTS:
        contents.problems.append(Problem("some_members", {"n": len(readable), "most": MAX_PARTS}))
    if others:
        contents.problems.append(Problem("others_not_read", {"names": _first(others)}, is_note=True))
    return contents


class _ZipReader:
    """Reader of a zip archive's members, one after the other, within MAX_UNPACKED bytes."""

    def __init__(self, archive: zipfile.ZipFile, path: Path, members: Members, several: bool) -> None:
        self.archive = archive
        self.path = path
        self.members = members
        self.several = several
        self.room = MAX_UNPACKED
        self.tables: list[Table] = []
        self.problems: list[Problem] = []
        self.read_as: dict[str, Any] = {}

    def add(self, member: zipfile.ZipInfo) -> None:
        """Read one member; its faults become problems."""
        label, suffix = _label(member), _suffix(member)
        token = _token(f"member{'.csv' if suffix in _ARCHIVES else suffix}")
        try:
            contents = self.members.read(self._unpacked(member), token)
        except Unreadable as fault:
            contents = FileContents(problems=[fault.problem])
        self.problems += [
            replace(problem, place={"file": label} | problem.place) for problem in contents.problems
        ]
        self.read_as = contents.read_as
        if self.several and (left_out := contents.read_as.get("left_out")):
            lines = _first([line["line"] for line in left_out])
            self.problems.append(Problem("left_out", {"n": len(left_out), "lines": lines}, {"file": label}))
        opened = f"zipfile.Path({quoted(self.path.name)}, {quoted(member.filename)}).open("
        for table in contents.tables:
            load = table.load.replace(f"open({quoted(token.name)}, ", f'{opened}"r", ')
            load = load.replace(quoted(token.name), f'{opened}"rb")')
            name = _named(table, token, PurePosixPath(label).stem)
            self.tables.append(replace(table, name=name, load=load))

    def _unpacked(self, member: zipfile.ZipInfo) -> io.BufferedReader:
        if member.flag_bits & _ENCRYPTED:
            raise Unreadable("encrypted")
        try:
            with self.archive.open(member) as packed:
                unpacked, size = _unpacked(cast(Any, packed), self.room)
        except _DAMAGED as fault:
            raise Unreadable("cut_off", {"reason": str(fault)[:200]}) from None
        self.room -= size
        return unpacked

    def result(self, names: list[str], chosen: str | None) -> FileContents:
        """Return all tables; of several members each is a choice, as the sheets of a workbook are."""
        if len(names) == 1:
            stem = self.path.stem
            tables = [replace(table, name=stem) for table in self.tables]
            return FileContents(tables if len(tables) == 1 else self.tables, self.problems, self.read_as)
        archive: dict[str, Any] = {"format": "archive", "header": 1, "left_out": [], "questions": []}
        read_as = self.read_as if chosen is not None and self.read_as.get("format") == "text" else archive
        read_as |= {"sheet": chosen, "sheets": [name[:200] for name in names]}
        return FileContents(self.tables, self.problems, read_as)


def _unpacked(packed: Any, room: int) -> tuple[io.BufferedReader, int]:
    """Unpack up to `room` bytes. Raises Unreadable if there are more."""
    unpacked, size = io.BytesIO(), 0
    while chunk := packed.read(CHUNK):
        size += len(chunk)
        if size > room:
            raise Unreadable("too_large", {"most": room})
        unpacked.write(chunk)
    unpacked.seek(0)
    return io.BufferedReader(cast(Any, unpacked)), size


def _token(name: str) -> Path:
    """Return a file name that occurs nowhere in the table, with the suffix of `name`."""
    return Path(f"member-{secrets.token_hex(8)}{Path(name).suffix.lower()}")


def _named(table: Table, token: Path, stem: str) -> str:
    return table.name.replace(token.stem, stem)


def _suffix(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename).suffix.lower()


def _is_misnamed(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    """Check for a text that only has the name of an archive."""
    if _suffix(member) not in _ARCHIVES:
        return False
    try:
        with archive.open(member) as packed:
            start = packed.read(START)
    except _DAMAGED:
        return False
    return bool(start) and not kind_of(start) and b"\0" not in start


def _is_hidden(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return member.is_dir() or path.name.startswith(".") or "__MACOSX" in path.parts


def _label(member: zipfile.ZipInfo) -> str:
    """Return a member's name for people: names without the flag for UTF-8 are mostly of the Windows they come from."""
    if member.flag_bits & _UTF_8 or member.filename.isascii():
        return member.filename
    try:
        return member.filename.encode("cp437").decode("cp932")
    except UnicodeError:
        return member.filename


def _first(names: list[str]) -> list[str]:
    """Return the first names, and "…" for further ones."""
    return [name[:80] for name in names[:NAMED]] + (["…"] if len(names) > NAMED else [])
