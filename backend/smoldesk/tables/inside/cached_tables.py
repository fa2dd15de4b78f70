"""What our readers gave of files that DuckDB does not read as they lie, kept as Parquet in a hidden part of the folder.

It stays until its file changes; so does why a file could not be read.
"""

import contextlib
import hashlib
import json
import secrets
import shutil
import time
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from .shapes import Unreadable
from .view_names import free_name

KEPT = ".tables"
SPILL = "spill-"
DONE = "tables.json"
# Where it is noted why a file could not be read; made before it is read, for a reading may be killed.
FAULT = "unreadable.txt"
# Where it is noted how a text file is read as it lies (its separator, the names and types of its columns); null: it is not.
PLAIN = "text.json"
# How old must be what another query left, or is still making, before it is removed.
LEFT_SECONDS = 300
# When a file whose reading never ended is tried again.
AGAIN_SECONDS = 3600
MOST_COLUMNS = 1_000
_DAY = r"\d{4}-\d{2}-\d{2}"
_TIME = rf"{_DAY}[ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?"


class TableCache:
    """What is kept in one folder, each file's under its stamp; `room` is how many bytes more may be."""

    def __init__(self, connection: Any, folder: Path, room: int) -> None:
        self._connection = connection
        self._folder = folder
        self._room = room

    def has(self, stamp: str) -> bool:
        return (self._folder / KEPT / stamp / DONE).is_file()

    def read_tables(self, stamp: str) -> list[dict[str, Any]]:
        """The tables of a file that is kept: `name`, `file` (its path), `columns`, `casts` of them, how many were `cut` off."""
        tables = json.loads((self._folder / KEPT / stamp / DONE).read_text())
        return [{**table, "file": f"{KEPT}/{stamp}/{table['file']}"} for table in tables]

    def plain(self, stamp: str) -> tuple[bool, tuple[str, list[list[str]]] | None]:
        """Whether it is noted how a text file is read as it lies, and how: separator and columns, or None for not at all."""
        try:
            return True, json.loads((self._folder / KEPT / stamp / PLAIN).read_text())
        except (OSError, ValueError):
            return False, None

    def note_plain(self, stamp: str, how: tuple[str, list[list[str]]] | None) -> None:
        self._note(stamp, PLAIN, json.dumps(how))

    def fault(self, stamp: str) -> str | None:
        """Why a file could not be read; None when it is to be tried: nobody has, somebody may be at it, or it is long ago."""
        note = self._folder / KEPT / stamp / FAULT
        try:
            message = note.read_text()
            age = time.time() - note.stat().st_mtime
            if not message and not LEFT_SECONDS <= age < AGAIN_SECONDS:
                return None
        except (OSError, ValueError):
            return None
        return message or "Its reading did not come to an end."

    def read(self, name: str, stamp: str) -> str | None:
        """Have a file read and kept; why it cannot be, or None."""
        try:
            self._keep(self._folder / name, stamp)
        except _NoRoom as fault:
            return str(fault)
        except Unreadable as fault:
            return self._note(stamp, FAULT, f"{fault} ({fault.where})" if fault.where else str(fault))
        except MemoryError:
            return self._note(stamp, FAULT, "It does not fit into the memory that a query has.")
        except BaseException:  # Stop, in a cell
            (self._folder / KEPT / stamp / FAULT).unlink(missing_ok=True)
            raise
        return None

    def _note(self, stamp: str, file: str, text: str) -> str:
        with contextlib.suppress(OSError):  # a folder that is full
            (self._folder / KEPT / stamp).mkdir(parents=True, exist_ok=True)
            (self._folder / KEPT / stamp / file).write_text(text)
        return text

    def _keep(self, path: Path, stamp: str) -> None:
        """Read a file and write each of its tables as Parquet; raises Unreadable."""
        import pyarrow
        from pyarrow import parquet

        from .reading import read_tables

        arrow: Any = pyarrow
        kept = self._folder / KEPT / stamp
        with contextlib.suppress(OSError):
            if time.time() - (kept / FAULT).stat().st_mtime >= AGAIN_SECONDS:
                (kept / FAULT).unlink()
        if not (kept / FAULT).is_file():
            self._note(stamp, FAULT, "")
        tables = read_tables(path)
        making = Path(KEPT) / f"{stamp}.making-{secrets.token_hex(4)}"
        making.mkdir(parents=True)
        try:
            listed: list[dict[str, Any]] = []
            for name, frame in tables.items():
                heads, arrays = _columns(frame)
                if not heads:
                    continue
                target = making / f"{len(listed)}.parquet"
                parquet.write_table(arrow.table(arrays, names=heads), target)
                casts = self._days(str(target))
                cut = len(frame.columns) - len(heads)
                listed.append(
                    {"name": name, "file": target.name, "columns": heads, "casts": casts, "cut": cut}
                )
                self._room -= target.stat().st_size
                if self._room < 0:
                    (kept / FAULT).unlink(missing_ok=True)
                    raise _NoRoom("There is no room left in the folder for what was read of it.")
            (making / DONE).write_text(json.dumps(listed))
            shutil.rmtree(kept, ignore_errors=True)
            making.rename(kept)
        finally:
            shutil.rmtree(making, ignore_errors=True)

    def _days(self, path: str) -> list[list[str]]:
        """The columns of text that are days or times in ISO, every one of them real, and DuckDB's type for each."""
        reads = f"read_parquet({duck.text(path)})"
        day_cells: list[list[str]] = []
        for head, type_ in duck.described(self._connection, reads):
            column = duck.name(head)
            for kind, form in (("DATE", _DAY), ("TIMESTAMP", _TIME)) if type_ == "VARCHAR" else ():
                every = f"bool_and(regexp_full_match({column}, '{form}') AND TRY_CAST({column} AS {kind}) IS NOT NULL)"
                query = f"SELECT {every} FROM {reads} WHERE {column} IS NOT NULL"
                if self._connection.execute(query).fetchone() == (True,):
                    day_cells.append([head, kind])
                    break
        return day_cells


class _NoRoom(Unreadable):
    """There may be some the next time."""


def stamp_of(name: str, size: int, changed: int) -> str:
    """The name under which what was read of a file is kept: another one as soon as the file is another."""
    return hashlib.sha256(repr((name, size, changed)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def sweep(folder: Path, stamps: set[str]) -> None:
    """Remove what was kept of files that changed or went away, and what queries that were killed left behind."""
    for old in folder.glob(".tables-*"):  # how it was kept before
        old.unlink(missing_ok=True)
    if not (folder / KEPT).is_dir():
        return
    for place in (folder / KEPT).iterdir():
        working = place.name.startswith(SPILL) or ".making-" in place.name
        if place.name in stamps or (working and time.time() - place.stat().st_mtime < LEFT_SECONDS):
            continue
        shutil.rmtree(place, ignore_errors=True)


def _columns(frame: Any) -> tuple[list[str], list[Any]]:
    """The names of a frame's columns, made distinct, and their values as Arrow has them."""
    from smoldesk.sandbox.inside.tables import column_name

    heads: list[str] = []
    arrays: list[Any] = []
    for place, label in enumerate(frame.columns[:MOST_COLUMNS]):
        heads.append(free_name(column_name(label).strip() or f"column_{place + 1}", heads))
        arrays.append(_array(frame.iloc[:, place]))
    return heads, arrays


def _array(series: Any) -> Any:
    import pyarrow as arrow
    from pandas.api import types

    from smoldesk.sandbox.inside.tables import column

    pyarrow: Any = arrow
    kind: Any = series.dtype
    numbers = types.is_numeric_dtype(kind) and not types.is_complex_dtype(kind)
    times = types.is_datetime64_any_dtype(kind) and getattr(kind, "tz", None) is None
    if numbers or times or types.is_bool_dtype(kind):
        return pyarrow.array(series, from_pandas=True)
    said, cells = column(series)
    if said == "bool":
        return pyarrow.array(cells, pyarrow.bool_())
    if said == "number" and not any(isinstance(value, str) for value in cells):
        is_integer = all(value is None or isinstance(value, int) for value in cells)
        return pyarrow.array(cells, pyarrow.int64() if is_integer else pyarrow.float64())
    texts = [None if value is None else str(value).encode("utf-8", "replace").decode() for value in cells]
    return pyarrow.array(texts, pyarrow.string())
