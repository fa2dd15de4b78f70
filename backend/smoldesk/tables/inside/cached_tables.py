"""Tables that our readers read from files DuckDB cannot read directly, cached as Parquet in a hidden folder.

An entry, also one about an unreadable file, lives until its file changes.
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
from .bucket_files import file_path, is_object
from .folder_files import CACHE_FOLDER, SPILL
from .shapes import Unreadable
from .view_names import free_name

DONE = "tables.json"
# Why a file could not be read. Created empty before reading, since the reader may be killed.
FAULT = "unreadable.txt"
# How DuckDB reads a text file directly (separator, names and types of columns); null if it cannot.
PLAIN = "text.json"
# Age at which files of another query are taken as abandoned; younger ones may be in use.
LEFT_SECONDS = 300
# Time until a file whose reading never ended is tried again.
AGAIN_SECONDS = 3600
MAX_COLUMNS = 1_000


class TableCache:
    """Cached tables of one folder, each file's under its stamp; `room` is how many more bytes it may take."""

    def __init__(self, connection: Any, folder: Path, room: int) -> None:
        self._connection = connection
        self._folder = folder
        self._room = room

    def has(self, stamp: str) -> bool:
        return (self._folder / CACHE_FOLDER / stamp / DONE).is_file()

    def read_tables(self, stamp: str) -> list[dict[str, Any]]:
        """Return the cached tables of a file: `name`, `file` (path), `columns`, `casts`, and `cut`, the number of
        dropped columns.
        """
        tables = json.loads((self._folder / CACHE_FOLDER / stamp / DONE).read_text())
        return [{**table, "file": f"{CACHE_FOLDER}/{stamp}/{table['file']}"} for table in tables]

    def plain(self, stamp: str) -> tuple[bool, tuple[str, list[list[str]]] | None]:
        """Return whether the direct form of a text file is cached, and the form: separator and columns, or None if
        it has none.
        """
        try:
            return True, json.loads((self._folder / CACHE_FOLDER / stamp / PLAIN).read_text())
        except (OSError, ValueError):
            return False, None

    def note_plain(self, stamp: str, how: tuple[str, list[list[str]]] | None) -> None:
        self._note(stamp, PLAIN, json.dumps(how))

    def fault(self, stamp: str) -> str | None:
        """Return why a file could not be read; None if it should be read: never tried, in progress elsewhere, or
        long ago.
        """
        note = self._folder / CACHE_FOLDER / stamp / FAULT
        try:
            message = note.read_text()
            age = time.time() - note.stat().st_mtime
            if not message and not LEFT_SECONDS <= age < AGAIN_SECONDS:
                return None
        except (OSError, ValueError):
            return None
        return message or "Reading it never finished."

    def read(self, name: str, stamp: str) -> str | None:
        """Read a file and cache its tables; return the fault, or None."""
        try:
            self._keep(file_path(self._folder, name), stamp)
        except _NoRoom as fault:
            return str(fault)
        except Unreadable as fault:
            where = fault.problem.where
            text = f"{fault} ({where})" if where else str(fault)
            if is_object(name):  # its store may be away for a moment
                (self._folder / CACHE_FOLDER / stamp / FAULT).unlink(missing_ok=True)
                return text
            return self._note(stamp, FAULT, text)
        except MemoryError:
            return self._note(stamp, FAULT, "It needs more memory than a query has.")
        except BaseException:  # a person stopped the cell: the file itself is not at fault
            (self._folder / CACHE_FOLDER / stamp / FAULT).unlink(missing_ok=True)
            raise
        return None

    def _note(self, stamp: str, file: str, text: str) -> str:
        with contextlib.suppress(OSError):  # the folder may be full
            (self._folder / CACHE_FOLDER / stamp).mkdir(parents=True, exist_ok=True)
            (self._folder / CACHE_FOLDER / stamp / file).write_text(text)
        return text

    def _keep(self, path: Path, stamp: str) -> None:
        """Write each table of a file as Parquet. Raises Unreadable."""
        import pyarrow
        from pyarrow import parquet

        from .reading import read_tables

        arrow: Any = pyarrow
        cached = self._folder / CACHE_FOLDER / stamp
        with contextlib.suppress(OSError):
            if time.time() - (cached / FAULT).stat().st_mtime >= AGAIN_SECONDS:
                (cached / FAULT).unlink()
        if not (cached / FAULT).is_file():
            self._note(stamp, FAULT, "")
        tables = read_tables(path)
        temporary = Path(CACHE_FOLDER) / f"{stamp}.making-{secrets.token_hex(4)}"
        temporary.mkdir(parents=True)
        try:
            entries: list[dict[str, Any]] = []
            for name, frame in tables.items():
                heads, arrays = _columns(frame)
                if not heads:
                    continue
                target = temporary / f"{len(entries)}.parquet"
                parquet.write_table(arrow.table(arrays, names=heads), target)
                casts = self._days(str(target))
                cut = len(frame.columns) - len(heads)
                entries.append(
                    {"name": name, "file": target.name, "columns": heads, "casts": casts, "cut": cut}
                )
                self._room -= target.stat().st_size
                if self._room < 0:
                    (cached / FAULT).unlink(missing_ok=True)
                    raise _NoRoom("The chat's folder is too full for a copy of its tables.")
            (temporary / DONE).write_text(json.dumps(entries))
            # A folder cannot replace one that has files. DONE is written before the rename, so an entry is complete or absent.
            shutil.rmtree(cached, ignore_errors=True)
            temporary.rename(cached)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _days(self, path: str) -> list[list[str]]:
        """List the text columns whose values are all valid ISO days or times, each with its DuckDB type."""
        reads = f"read_parquet({duck.text(path)})"
        casts: list[list[str]] = []
        for head, type_ in duck.described(self._connection, reads):
            column = duck.name(head)
            for kind, form in (("DATE", duck.DAY), ("TIMESTAMP", duck.TIME)) if type_ == "VARCHAR" else ():
                condition = f"bool_and(regexp_full_match({column}, '{form}') AND TRY_CAST({column} AS {kind}) IS NOT NULL)"
                query = f"SELECT {condition} FROM {reads} WHERE {column} IS NOT NULL"
                if self._connection.execute(query).fetchone() == (True,):
                    casts.append([head, kind])
                    break
        return casts


class _NoRoom(Unreadable):
    """The folder is too full; never cached as a fault, since there may be room next time."""


def stamp_of(name: str, size: int, changed: int) -> str:
    """Return the cache key of a file, which changes with its size or time of change."""
    return hashlib.sha256(repr((name, size, changed)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def sweep(folder: Path, stamps: set[str]) -> None:
    """Delete entries of changed or deleted files, and files that killed queries left behind."""
    for old in folder.glob(".tables-*"):  # entries of older versions
        old.unlink(missing_ok=True)
    if not (folder / CACHE_FOLDER).is_dir():
        return
    for place in (folder / CACHE_FOLDER).iterdir():
        working = place.name.startswith(SPILL) or ".making-" in place.name
        if place.name in stamps or (working and time.time() - place.stat().st_mtime < LEFT_SECONDS):
            continue
        shutil.rmtree(place, ignore_errors=True)


def _columns(frame: Any) -> tuple[list[str], list[Any]]:
    """Return distinct column names of a frame, and its values as Arrow arrays."""
    from smoldesk.sandbox.inside.tables import column_name

    heads: list[str] = []
    arrays: list[Any] = []
    for place, label in enumerate(frame.columns[:MAX_COLUMNS]):
        heads.append(free_name(column_name(label).strip() or f"column_{place + 1}", heads))
        arrays.append(_array(frame.iloc[:, place]))
    return heads, arrays


def _array(series: Any) -> Any:
    import pyarrow as arrow
    from pandas.api import types

    from smoldesk.sandbox.inside.tables import column

    pyarrow: Any = arrow
    dtype: Any = series.dtype
    numbers = types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype)
    times = types.is_datetime64_any_dtype(dtype) and getattr(dtype, "tz", None) is None
    if numbers or times or types.is_bool_dtype(dtype):
        return pyarrow.array(series, from_pandas=True)
    kind, cells = column(series)
    if kind == "bool":
        return pyarrow.array(cells, pyarrow.bool_())
    if kind == "number" and not any(isinstance(value, str) for value in cells):
        is_integer = all(value is None or isinstance(value, int) for value in cells)
        return pyarrow.array(cells, pyarrow.int64() if is_integer else pyarrow.float64())
    texts = [None if value is None else str(value).encode("utf-8", "replace").decode() for value in cells]
    return pyarrow.array(texts, pyarrow.string())
