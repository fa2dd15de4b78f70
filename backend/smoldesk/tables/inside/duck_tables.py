"""The tables in a chat's folder as views of DuckDB: Parquet and plain text as they lie there, the rest by way of our readers.

What DuckDB does not read as we do (other encodings and workbooks, JSON, SQLite, numbers written with commas) is read by
`reading.read_tables` and kept as Parquet in a hidden part of the folder until the file changes.
"""

import contextlib
import hashlib
import io
import json
import re
import secrets
import shutil
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from .shapes import Unreadable
from .told import read_told

KEPT = ".tables"
SPILL = "spill-"
DONE = "tables.json"
FAULT = "unreadable.txt"
"""Where it is noted why a file could not be read; made before it is read, for a reading may be killed."""
PLAIN = "text.json"
"""Where it is noted how a text file is read as it lies: its separator, and the names and types of its columns."""
LEFT_SECONDS = 300
"""How old must be what another query left, or is still making, before it is removed."""
AGAIN_SECONDS = 3600
"""When a file whose reading never ended is tried again."""
MOST_TABLES = 200
MOST_COLUMNS = 1_000
TOLD_COLUMNS = 40
HEAD = 1 << 18
BLANKS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
"""What pandas takes for a blank cell."""
_LONG_NUMBER = re.compile(r"[-+]?\d{19,}")
_DAY = r"\d{4}-\d{2}-\d{2}"
_TIME = rf"{_DAY}[ T]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?"


@dataclass
class ViewSource:
    """A view to be: the expression it selects from, and the names of its columns."""

    name: str
    reads: str
    columns: list[str]


class FolderViews:
    """A view for every table of some files, in a connection with a database of its own.

    `paths` are the files that these views read, `outline` their names and columns, `unread` what could not be read,
    `text_as_it_lies` the text files that DuckDB reads by itself.
    """

    def __init__(self, connection: Any, folder: Path, room: int) -> None:
        """`room` is how many bytes may be kept of what is read."""
        self.paths: list[str] = []
        self.outline: list[list[Any]] = []
        self.unread: list[str] = []
        self.text_as_it_lies: dict[str, str] = {}
        self._connection = connection
        self._folder = folder
        self._room = room
        self._stamps: dict[str, str] = {}

    def make(self, files: list[list[Any]]) -> None:
        """Views of these files ([name, bytes, time changed]); what cannot be read is said in `unread`."""
        self._stamps = {name: stamp_of(name, size, changed) for name, size, changed in files}
        sweep(self._folder, set(self._stamps.values()))
        for name in self._stamps:
            found = self._as_it_lies(name)
            for source in [found] if found is not None else self._by_our_reader(name):
                if len(self.outline) >= MOST_TABLES:
                    self.unread.append(f"{name}: more than {MOST_TABLES} tables are not taken")
                    return
                view = self._view(source)
                if found is not None and not _is_parquet(name):
                    self.text_as_it_lies[name] = view

    def make_by_our_readers(self) -> None:
        """The same for every text file that DuckDB reads by itself, also when nothing else may be opened any more."""
        from .large_files import LARGE

        while self.text_as_it_lies:
            name, view = self.text_as_it_lies.popitem()
            if (self._folder / name).lstat().st_size >= LARGE:
                continue  # our readers read whole files: what is wrong with this one, the query says
            self._connection.execute(f"DROP VIEW {duck.name(view)}")
            self.outline = [one for one in self.outline if one[0] != view]
            for source in self._by_our_reader(name):
                self._view(source)

    def bundle(self, tables: list[dict[str, Any]]) -> None:
        """Views of the desk's own tables (`name`, `path`, `columns`: name and type); a file of the same name comes first."""
        taken = {str(name).casefold() for name, _ in self.outline}
        for table in tables:
            if table["name"].casefold() not in taken:
                heads = [head for head, _ in table["columns"]]
                self._view(ViewSource(table["name"], _typed(table["path"], ",", table["columns"]), heads))
                self.paths.append(table["path"])

    def _view(self, source: ViewSource) -> str:
        named = free_name(source.name, [str(name) for name, _ in self.outline])
        self._connection.execute(f"CREATE VIEW {duck.name(named)} AS SELECT * FROM {source.reads}")
        self.outline.append([named, source.columns[:TOLD_COLUMNS]])
        return named

    # --- as they lie ----------------------------------------------------------------------------------------

    def _as_it_lies(self, name: str) -> ViewSource | None:
        """What DuckDB reads by itself, as we would; None when it would not."""
        import duckdb

        if self._is_kept(name) or read_told(self._folder / name):
            return None  # what a person told of it, our readers go by
        try:
            found = self._parquet(name) if _is_parquet(name) else self._text(name)
        except (duckdb.Error, Unreadable):
            return None  # our reader has better words, or understands it
        if found is not None:
            self.paths.append(name)
        return found

    def _parquet(self, name: str) -> ViewSource:
        reads = f"read_parquet({duck.text(name)})"
        columns = [head for head, _ in self._described(reads)]
        index = [head for head in columns if re.fullmatch(r"__index_level_\d+__", head)]
        if index:  # pandas' own, which counts rows
            reads = f"(SELECT * EXCLUDE ({', '.join(map(duck.name, index))}) FROM {reads})"
        return ViewSource(identifier(Path(name).stem), reads, [head for head in columns if head not in index])

    def _text(self, name: str) -> ViewSource | None:
        known = self._folder / KEPT / self._stamps[name] / PLAIN
        if known.is_file():
            separator, columns = json.loads(known.read_text())
        else:
            separator = plain_separator(self._folder / name)
            if separator is None:
                return None
            columns = self._described(_guessed(name, separator))
            if (self._folder / name).stat().st_size > HEAD:  # small ones are looked at again as fast
                with contextlib.suppress(OSError):  # a folder that is full
                    known.parent.mkdir(parents=True, exist_ok=True)
                    known.write_text(json.dumps([separator, columns]))
        reads = _typed(name, separator, columns)
        return ViewSource(identifier(Path(name).stem), reads, [head for head, _ in columns])

    def _described(self, reads: str) -> list[list[str]]:
        rows = self._connection.execute(f"DESCRIBE SELECT * FROM {reads}").fetchall()
        return [[str(row[0]), str(row[1])] for row in rows]

    # --- by way of our readers ------------------------------------------------------------------------------

    def _is_kept(self, name: str) -> bool:
        return (self._folder / KEPT / self._stamps[name] / DONE).is_file()

    def _by_our_reader(self, name: str) -> list[ViewSource]:
        kept = self._folder / KEPT / self._stamps[name]
        if not self._is_kept(name):
            known = _fault_of(kept)
            if known is None:
                try:
                    self._keep(self._folder / name, kept)
                except _NoRoom as fault:
                    known = str(fault)
                except Unreadable as fault:
                    known = _note(kept, f"{fault} ({fault.where})" if fault.where else str(fault))
                except MemoryError:
                    known = _note(kept, "It does not fit into the memory that a query has.")
                except BaseException:  # Stop, in a cell
                    (kept / FAULT).unlink(missing_ok=True)
                    raise
            if known is not None:
                self.unread.append(f"{name}: {known}"[:300])
                return []
        return [self._source(kept, table) for table in json.loads((kept / DONE).read_text())]

    def _source(self, kept: Path, table: dict[str, Any]) -> ViewSource:
        path = f"{KEPT}/{kept.name}/{table['file']}"
        reads = f"read_parquet({duck.text(path)})"
        if table["casts"]:
            casts = ", ".join(
                f"CAST({duck.name(head)} AS {kind}) AS {duck.name(head)}" for head, kind in table["casts"]
            )
            reads = f"(SELECT * REPLACE ({casts}) FROM {reads})"
        return ViewSource(identifier(table["name"]), reads, table["columns"])

    def _keep(self, path: Path, kept: Path) -> None:
        """Read a file and write each of its tables as Parquet; raises Unreadable."""
        import pyarrow
        from pyarrow import parquet

        from .reading import read_tables

        arrow: Any = pyarrow
        with contextlib.suppress(OSError):
            if time.time() - (kept / FAULT).stat().st_mtime >= AGAIN_SECONDS:
                (kept / FAULT).unlink()
        if not (kept / FAULT).is_file():
            _note(kept, "")
        tables = read_tables(path)
        making = Path(KEPT) / f"{kept.name}.making-{secrets.token_hex(4)}"
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
                listed.append({"name": name, "file": target.name, "columns": heads, "casts": casts})
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
        found: list[list[str]] = []
        for head, type_ in self._described(reads):
            column = duck.name(head)
            for kind, form in (("DATE", _DAY), ("TIMESTAMP", _TIME)) if type_ == "VARCHAR" else ():
                every = f"bool_and(regexp_full_match({column}, '{form}') AND TRY_CAST({column} AS {kind}) IS NOT NULL)"
                query = f"SELECT {every} FROM {reads} WHERE {column} IS NOT NULL"
                if self._connection.execute(query).fetchone() == (True,):
                    found.append([head, kind])
                    break
        return found


class _NoRoom(Unreadable):
    """There may be some the next time."""


def _note(kept: Path, words: str) -> str:
    with contextlib.suppress(OSError):  # a folder that is full
        kept.mkdir(parents=True, exist_ok=True)
        (kept / FAULT).write_text(words)
    return words


def _fault_of(kept: Path) -> str | None:
    """Why a file could not be read; None when it is to be tried: nobody has, somebody may be about it, or it is long ago."""
    try:
        words = (kept / FAULT).read_text()
        age = time.time() - (kept / FAULT).stat().st_mtime
        if not words and not LEFT_SECONDS <= age < AGAIN_SECONDS:
            return None
    except OSError:
        return None
    return words or "Its reading did not come to an end."


# --- names and places ------------------------------------------------------------------------------------------------


def identifier(name: str) -> str:
    """A file's or sheet's name as a plain word of SQL: `sales 2024` is sales_2024, `2024` is t_2024."""
    word = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")[:100]
    return f"t_{word}" if not word or word[0].isdigit() else word


def free_name(name: str, taken: list[str]) -> str:
    """The name, or name_2, ... when another has it, in whatever case."""
    folded = {one.casefold() for one in taken}
    number, wanted = 1, name
    while wanted.casefold() in folded:
        number += 1
        wanted = f"{name}_{number}"
    return wanted


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


# --- text ------------------------------------------------------------------------------------------------------------


def _is_parquet(name: str) -> bool:
    return name.lower().endswith(".parquet")


def plain_separator(path: Path) -> str | None:
    """The separator of a text table that is written as DuckDB reads it, by its first lines; None for any other file.

    Raises Unreadable for what is no table.
    """
    from .column_types import SAMPLE, may_be_typed
    from .csv_files import written
    from .opening import open_plain
    from .text_lines import WHOLE

    if path.suffix.lower() not in (".csv", ".tsv"):
        return None
    with open_plain(path, lambda _share: None) as file:
        head = file.read(WHOLE + 1)
    whole = len(head) <= WHOLE
    if not whole:
        head = head[: head.rfind(b"\n", 0, HEAD) + 1] or head
    how = written(io.BufferedReader(io.BytesIO(head)), whole=whole)  # pyright: ignore[reportArgumentType]
    heads = how.heads
    plain = (
        how.encoding.name in ("utf-8", "utf-8-sig")
        and how.encoding.bad is None
        and len(how.tables) == 1
        and set(how.tables[0].options) <= {"sep", "encoding"}
        and 1 < len(heads) <= MOST_COLUMNS
        and all(heads)
        and len({one.casefold() for one in heads}) == len(heads)
        and not may_be_typed(heads, [how.rows[row] for row in how.tables[0].block.body[: SAMPLE + 1]])
        and not any(_LONG_NUMBER.fullmatch(field) for row in how.rows for field in row)
    )
    return how.separator if plain else None


def _options(name: str, separator: str) -> str:
    blanks = ", ".join(map(duck.text, BLANKS))
    return (
        f"{duck.text(name)}, delim = {duck.text(separator)}, header = true, quote = '\"', escape = '\"', "
        f"comment = '', skip = 0, nullstr = [{blanks}]"
    )


def _guessed(name: str, separator: str) -> str:
    """Types by the first rows. Days and times are taken in ISO alone: 01/02/2024 stays as it is written."""
    kinds = "['BOOLEAN', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR']"
    formats = "dateformat = '%Y-%m-%d', timestampformat = '%Y-%m-%d %H:%M:%S'"
    return f"read_csv({_options(name, separator)}, auto_type_candidates = {kinds}, {formats})"


def _typed(name: str, separator: str, columns: list[Any]) -> str:
    types = ", ".join(f"{duck.text(head)}: {duck.text(kind)}" for head, kind in columns)
    return f"read_csv({_options(name, separator)}, auto_detect = false, columns = {{{types}}})"


# --- frames ----------------------------------------------------------------------------------------------------------


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
        whole = all(value is None or isinstance(value, int) for value in cells)
        return pyarrow.array(cells, pyarrow.int64() if whole else pyarrow.float64())
    texts = [None if value is None else str(value).encode("utf-8", "replace").decode() for value in cells]
    return pyarrow.array(texts, pyarrow.string())
