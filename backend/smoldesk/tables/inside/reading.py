"""Which reader reads which file, and the one way in."""

import io
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .csv_files import read_csv
from .excel_files import read_excel
from .json_files import read_json
from .load_options import MOST_ASKED, MOST_TOLD
from .opening import open_plain
from .parquet_files import read_parquet
from .read_options import DEFAULT_OPTIONS, ReadOptions, read_options
from .shapes import MOST_LOAD, FileContents, Problem, ProgressCallback, Table, Unreadable
from .sqlite_files import read_sqlite

# Characters of what is in question.
LONGEST_VALUE = 300


Reader = Callable[[io.BufferedReader, Path, ProgressCallback], FileContents]


def _csv(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_csv(file, path.name, path.stem)


def _excel(file: io.BufferedReader, path: Path, on_progress: ProgressCallback) -> FileContents:
    return read_excel(file, path.name, path.stem, on_progress)


def _old_excel(_file: io.BufferedReader, _path: Path, _on_progress: ProgressCallback) -> FileContents:
    raise Unreadable("It is a workbook of the kind that Excel wrote until 2003: save it as .xlsx.")


def _parquet(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_parquet(file, path.name, path.stem)


def _json(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_json(file, path.name, path.stem)


def _sqlite(file: io.BufferedReader, path: Path, on_progress: ProgressCallback) -> FileContents:
    return read_sqlite(file, path, on_progress)


ENDINGS: dict[str, Reader] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": _excel,
    ".xlsm": _excel,
    ".xls": _old_excel,
    ".parquet": _parquet,
    ".json": _json,
    ".jsonl": _json,
    ".ndjson": _json,
    ".sqlite": _sqlite,
    ".sqlite3": _sqlite,
    ".db": _sqlite,
}
# The reader for each ending of a name, in lower case.
DATABASES = frozenset(ending for ending, reader in ENDINGS.items() if reader is _sqlite)


# Of these readers those that listen to a person.
TOLD: dict[Reader, Callable[[io.BufferedReader, Path, ProgressCallback, ReadOptions], FileContents]] = {
    _csv: lambda file, path, _tell, options: read_csv(file, path.name, path.stem, options),
    _excel: lambda file, path, on_progress, options: read_excel(
        file, path.name, path.stem, on_progress, options
    ),
}


def read_tables(path: Path) -> dict[str, Any]:
    """{table name: DataFrame} of a file; raises Unreadable when it holds no table that can be read."""
    reading = read_file(path)
    if not reading.tables:
        first = reading.problems[0]
        raise Unreadable(first.message, first.where)
    return {table.name: table.frame for table in reading.tables}


def read_file(
    path: Path, on_progress: ProgressCallback = lambda _share: None, options: ReadOptions | None = None
) -> FileContents:
    """Everything in a file; whatever is wrong with it comes as a problem. Names of its tables differ, also in case.

    It is read as it is `told`, else as it was told before; when that does not fit any more, as if nothing was.
    """
    read_as = read_options(path) if options is None else options
    reading = _read_file(path, on_progress, read_as)
    if options is None and read_as and not reading.tables:
        again = _read_file(path, on_progress, DEFAULT_OPTIONS)
        return again if again.tables else reading
    return reading


def _read_file(path: Path, on_progress: ProgressCallback, options: ReadOptions) -> FileContents:
    reader = ENDINGS.get(path.suffix.lower())
    if reader is None:
        endings = ", ".join(ENDINGS)
        return FileContents(
            problems=[Problem(f"Its name does not end like that of a table: expected {endings}.")]
        )
    try:
        with warnings.catch_warnings(action="ignore"), open_plain(path, on_progress) as file:
            by_word = TOLD.get(reader) if options else None
            reading = (
                by_word(file, path, on_progress, options) if by_word else reader(file, path, on_progress)
            )
    except Unreadable as fault:
        return bounded(FileContents(problems=[Problem(fault.message, fault.where)], read_as=fault.read_as))
    except MemoryError:
        return FileContents(problems=[Problem("Reading it takes more memory than one file may have.")])
    except Exception as fault:  # a parser that met bytes nobody foresaw; its words are better than none
        return FileContents(
            problems=[Problem(f"It cannot be read: {type(fault).__name__}: {str(fault)[:200]}")]
        )
    reading.tables = _named_apart(reading.tables)
    bounded(reading)
    if options and reading.read_as:
        reading.read_as |= {"told": True, "types": dict(options.types or {})}
    return reading


def bounded(reading: FileContents) -> FileContents:
    """The same with no more and nothing longer than is believed of a file; says what it does not have for that."""
    long = [table for table in reading.tables if len(table.load) > MOST_LOAD]
    message = (
        "Its names and exceptions are too long to be told to what reads it: give it shorter or fewer names."
    )
    reading.problems += [Problem(message, f"table {table.name[:100]}") for table in long]
    reading.tables = [table for table in reading.tables if len(table.load) <= MOST_LOAD]
    if "left_out" in reading.read_as:
        reading.read_as["left_out_count"] = len(reading.read_as["left_out"])
        reading.read_as["left_out"] = reading.read_as["left_out"][:MOST_TOLD]
    if "questions" in reading.read_as:
        questions = reading.read_as["questions"][:MOST_ASKED]
        reading.read_as["questions"] = [
            question | {"value": question["value"][:LONGEST_VALUE]} for question in questions
        ]
    return reading


def _named_apart(tables: list[Table]) -> list[Table]:
    used_names: set[str] = set()
    apart: list[Table] = []
    for table in tables:
        name, number = table.name, 1
        while name.casefold() in used_names:
            number += 1
            name = f"{table.name}_{number}"
        used_names.add(name.casefold())
        apart.append(replace(table, name=name))
    return apart
