"""Report of a child about an uploaded file; the child is started for it and ends afterwards."""

import json
import resource
import time
from pathlib import Path
from typing import Any

from .bucket_files import file_path
from .columns import Describer
from .file_notes import bounded_values
from .large_files import read_large
from .preview import MAX_TABLES, preview
from .read_options import parse_options, read_options
from .reading import read_file
from .shapes import Problem, quoted
from .values import MAX_BYTES, keep_values

ADDRESS_SPACE = 2 * 1024**3
CPU_SECONDS = 90
PROGRESS_SECONDS = 0.2
MAX_PROBLEMS = 20
MAX_MESSAGE_CHARACTERS = 500


def report(name: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return tables and problems of a file in the working directory; prints {"share": ...} lines meanwhile.

    Stores the values of text columns, see `values`. With `options` it only tries whether the file can be read so, and
    stores nothing.
    """
    take_limits(MAX_BYTES)
    path = file_path(Path(), name)
    large = read_large(path, ProgressReporter()) if options is None and not read_options(path) else None
    if large is None:
        contents, rows = (
            read_file(path, ProgressReporter(), None if options is None else parse_options(options)),
            None,
        )
    else:
        contents, rows = large
    describer = Describer()
    # A line that a person put back is a row like the others, also if it is their sum.
    restored = any((read_options(path).lines or {}).values())
    described = [
        describer.columns(table.frame, table.codes, with_wholes=not restored) for table in contents.tables
    ]
    tables: list[dict[str, Any]] = [
        {
            "file": name,
            "name": table.name[:200],
            "rows": len(table.frame) if rows is None else rows,
            "width": len(table.frame.columns),
            "columns": columns,
            "load": table.load.replace(quoted(path.name), quoted(name)),
            "total_rows": table.total_rows,
            "load_with_totals": table.load_with_totals.replace(quoted(path.name), quoted(name)),
            "preview": preview(table.frame, columns) if number < MAX_TABLES else None,
        }
        for number, (table, columns) in enumerate(zip(contents.tables, described, strict=True))
    ]
    for table in tables:
        if rows is not None and table["preview"] is not None:
            table["preview"]["sampled"] = True
    kinds = [[str(column["kind"]) for column in columns] for columns in described]
    if options is None and any("text" in of_table for of_table in kinds):
        frames = [table.frame for table in contents.tables]
        keep_values(name, list(zip(frames, kinds, strict=True)))
    wholes = {
        column["name"]: column["whole"]
        for columns in described
        for column in columns
        if "whole" in column and column["role"] != "id"
    }
    contents.problems += [
        Problem("sums", {"value": value, "column": column}, is_note=True) for column, value in wholes.items()
    ]
    problems = [
        {
            "where": problem.where[:200],
            "message": problem.message[:MAX_MESSAGE_CHARACTERS],
            "is_note": problem.is_note,
            "code": problem.code,
            "values": bounded_values(problem.values),
            "place": bounded_values(problem.place),
        }
        for problem in contents.problems[:MAX_PROBLEMS]
    ]
    return {"tables": tables, "problems": problems, "read_as": contents.read_as or None}


def take_limits(most_written: int) -> None:
    """Lower the process's limits below those of a chat's code: time, memory, and the size of each file it writes."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + CPU_SECONDS
    for kind, requested in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, most_written),
    ):
        _soft, hard = resource.getrlimit(kind)
        limit = requested if hard == resource.RLIM_INFINITY else min(requested, hard)
        try:
            resource.setrlimit(kind, (limit, hard))
        except (ValueError, OSError):
            continue  # macOS refuses some of these


class ProgressReporter:
    """Prints the growing share read, a few times a second."""

    def __init__(self) -> None:
        self._reported_share = 0.0
        self._at = time.monotonic()

    def __call__(self, share: float | None) -> None:
        now = time.monotonic()
        if share is None or share < self._reported_share or now - self._at < PROGRESS_SECONDS:
            return
        self._reported_share, self._at = share, now
        print(json.dumps({"share": round(share, 3)}), flush=True)  # noqa: T201 - the host reads it
