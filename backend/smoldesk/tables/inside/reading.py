"""Registry of readers by file suffix, and the functions that call them."""

import io
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .archives import Members, read_gzip, read_zip
from .arrow_files import read_arrow
from .csv_files import read_csv
from .excel_files import read_excel
from .json_files import read_json
from .load_options import MAX_QUESTIONS, MAX_SKIPPED_LINES
from .opening import is_workbook, open_plain
from .parquet_files import read_parquet
from .read_options import DEFAULT_OPTIONS, ReadOptions, read_options
from .shapes import (
    MAX_LOAD,
    FileContents,
    Problem,
    ProgressCallback,
    Table,
    Unreadable,
    cannot_read,
)
from .sqlite_files import read_sqlite

# Maximum characters of a question's `value`.
LONGEST_VALUE = 300


Reader = Callable[[io.BufferedReader, Path, ProgressCallback], FileContents]


def _csv(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_csv(file, path.name, path.stem)


def _excel(file: io.BufferedReader, path: Path, on_progress: ProgressCallback) -> FileContents:
    return read_excel(file, path.name, path.stem, on_progress)


def _parquet(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_parquet(file, path.name, path.stem)


def _json(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_json(file, path.name, path.stem)


def _arrow(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> FileContents:
    return read_arrow(file, path.name, path.stem)


def _gzip(
    file: io.BufferedReader, path: Path, on_progress: ProgressCallback, options: ReadOptions = DEFAULT_OPTIONS
) -> FileContents:
    return read_gzip(file, path, on_progress, _members(options))


def _zip(
    file: io.BufferedReader, path: Path, on_progress: ProgressCallback, options: ReadOptions = DEFAULT_OPTIONS
) -> FileContents:
    return read_zip(file, path, on_progress, _members(replace(options, sheet=None)), options)


def _sqlite(file: io.BufferedReader, path: Path, on_progress: ProgressCallback) -> FileContents:
    return read_sqlite(file, path, on_progress)


# Reader for each suffix, in lower case.
ENDINGS: dict[str, Reader] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".tab": _csv,
    ".xlsx": _excel,
    ".xlsm": _excel,
    ".xls": _excel,
    ".ods": _excel,
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".json": _json,
    ".jsonl": _json,
    ".ndjson": _json,
    ".geojson": _json,
    ".sqlite": _sqlite,
    ".sqlite3": _sqlite,
    ".db": _sqlite,
    ".gz": _gzip,
    ".zip": _zip,
}
# Suffixes of SQLite databases.
DATABASES = frozenset(ending for ending, reader in ENDINGS.items() if reader is _sqlite)


# Readers that accept a person's options.
CONFIGURABLE: dict[
    Reader, Callable[[io.BufferedReader, Path, ProgressCallback, ReadOptions], FileContents]
] = {
    _csv: lambda file, path, _on_progress, options: read_csv(file, path.name, path.stem, options),
    _excel: lambda file, path, on_progress, options: read_excel(
        file, path.name, path.stem, on_progress, options
    ),
    _gzip: _gzip,
    _zip: _zip,
}


def _members(options: ReadOptions) -> Members:
    """Return the reader of unpacked files. Archives in archives and databases, which need a file, are not read."""
    suffixes = {ending for ending, reader in ENDINGS.items() if reader not in (_gzip, _zip, _sqlite)}

    def read(file: io.BufferedReader, path: Path) -> FileContents:
        return _with_options(ENDINGS[path.suffix], file, path, lambda _share: None, options)

    return Members(suffixes, read)


def _with_options(
    reader: Reader,
    file: io.BufferedReader,
    path: Path,
    on_progress: ProgressCallback,
    options: ReadOptions,
) -> FileContents:
    is_misnamed = reader in (_csv, _json) and is_workbook(file)
    reader = _excel if is_misnamed else reader
    configured_reader = CONFIGURABLE.get(reader) if options else None
    contents = (
        configured_reader(file, path, on_progress, options)
        if configured_reader
        else reader(file, path, on_progress)
    )
    if is_misnamed:
        contents.problems.insert(0, Problem("misnamed_workbook", {"suffix": path.suffix}, is_note=True))
    return contents


def read_tables(path: Path) -> dict[str, Any]:
    """Return {table name: DataFrame} of a file. Raises Unreadable if no table can be read."""
    contents = read_file(path)
    if not contents.tables:
        first = contents.problems[0]
        raise Unreadable(first.code, first.values, first.place)
    return {table.name: table.frame for table in contents.tables}


def read_file(
    path: Path, on_progress: ProgressCallback = lambda _share: None, options: ReadOptions | None = None
) -> FileContents:
    """Return the contents of a file; faults are among its problems. Table names are distinct, also regardless of
    case.

    Without `options` the stored ones apply, or the defaults if no table can be read with these.
    """
    read_as = read_options(path) if options is None else options
    contents = _read_file(path, on_progress, read_as)
    if options is None and read_as and not contents.tables:
        again = _read_file(path, on_progress, DEFAULT_OPTIONS)
        return again if again.tables else contents
    return contents


def _read_file(path: Path, on_progress: ProgressCallback, options: ReadOptions) -> FileContents:
    reader = ENDINGS.get(path.suffix.lower())
    if reader is None:
        return FileContents(problems=[Problem("unknown_suffix", {"suffixes": [*ENDINGS]})])
    try:
        with warnings.catch_warnings(action="ignore"), open_plain(path, on_progress) as file:
            contents = _with_options(reader, file, path, on_progress, options)
    except Unreadable as fault:
        return bounded(FileContents(problems=[fault.problem], read_as=fault.read_as))
    except MemoryError:
        return FileContents(problems=[Problem("memory")])
    except Exception as fault:  # a parser may raise anything for damaged bytes; its message may still help
        return FileContents(problems=[cannot_read(fault)])
    contents.tables = _named_apart(_with_totals(contents, path, options))
    bounded(contents)
    if options and contents.read_as:
        contents.read_as |= {"told": True, "types": dict(options.types or {})}
    return contents


def _with_totals(contents: FileContents, path: Path, options: ReadOptions) -> list[Table]:
    """Return the tables, those with left-out totals together with the expression that loads these, too."""
    left_out = [line["line"] for line in contents.read_as.get("left_out", []) if line["why"] == "total"]
    if not left_out:
        return contents.tables
    kept = replace(options, lines={**(options.lines or {}), **dict.fromkeys(left_out, True)})
    try:
        with warnings.catch_warnings(action="ignore"), open_plain(path, lambda _share: None) as file:
            reader = ENDINGS[path.suffix.lower()]
            complete = _with_options(reader, file, path, lambda _share: None, kept).tables
    except Exception:  # then the totals cannot be included, but the tables are right
        return contents.tables
    if len(complete) != len(contents.tables):
        return contents.tables
    return [
        replace(table, total_rows=count, load_with_totals=other.load)
        if (count := len(other.frame) - len(table.frame)) > 0 and len(other.load) <= MAX_LOAD
        else table
        for table, other in zip(contents.tables, complete, strict=True)
    ]


def bounded(contents: FileContents) -> FileContents:
    """Cut the contents to the limits that the server accepts, and note dropped tables among the problems."""
    long = [table for table in contents.tables if len(table.load) > MAX_LOAD]
    contents.problems += [Problem("long_load", place={"table": table.name[:100]}) for table in long]
    contents.tables = [table for table in contents.tables if len(table.load) <= MAX_LOAD]
    if "left_out" in contents.read_as:
        contents.read_as["left_out_count"] = len(contents.read_as["left_out"])
        contents.read_as["left_out"] = contents.read_as["left_out"][:MAX_SKIPPED_LINES]
    if "questions" in contents.read_as:
        questions = contents.read_as["questions"][:MAX_QUESTIONS]
        contents.read_as["questions"] = [
            question | {"value": question["value"][:LONGEST_VALUE]} for question in questions
        ]
    return contents


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
