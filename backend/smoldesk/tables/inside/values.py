"""Distinct texts of a file's columns with their counts, in a hidden file beside it: names that a request may
contain.

The first JSON line describes the source (size, time of change); then comes one line for each text column. The desk
reads the file when a request needs it, and checks its shape. A column has its most frequent values, and a flag if
there are more. A failure here costs the index, not the file's profile.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PLACE = ".smoldesk/values"
MAX_PER_COLUMN = 20_000
# Maximum distinct whole numbers of a column of numbers; more are quantities.
MAX_NUMBERS = 2_000
# Maximum characters of a value; requests do not name longer cells.
LONGEST_VALUE = 100
MAX_OF_TABLE = 4 * 1024**2
MAX_OF_FILE = 8 * 1024**2
# Maximum bytes of one file of values. The two limits above count characters.
MAX_BYTES = 24 * 1024**2
# Control characters, which no request has, and lone surrogates, which no file can have.
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


def values_file(name: str) -> str:
    """Return the path of the values of a chat's file, relative to the chat's folder."""
    return f"{PLACE}/{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}.jsonl"


def keep_values(name: str, tables: Sequence[tuple[Any, Sequence[str]]]) -> bool:
    """Write the values of a file's tables (a frame and the kinds of its first columns); return False on failure."""
    target = Path(values_file(name))
    temporary = target.with_suffix(f".{os.getpid()}")
    try:
        source = Path(name).lstat()
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="ascii") as file:
            file.write(json.dumps({"size": source.st_size, "changed": source.st_mtime_ns}) + "\n")
            remaining = MAX_OF_FILE
            for number, (frame, kinds) in enumerate(tables):
                of_table = min(remaining, MAX_OF_TABLE)
                for column in columns_of(frame, kinds, of_table):
                    remaining -= sum(map(len, column["values"]))
                    file.write(json.dumps({"table": number, **column}) + "\n")
        # The desk may read meanwhile: it finds the old values or the new ones, never a part.
        temporary.replace(target)
    except (OSError, ValueError, MemoryError):
        for path in (temporary, target):
            with contextlib.suppress(OSError):  # it may not exist
                path.unlink()
        return False
    return True


def columns_of(frame: Any, kinds: Sequence[str], budget: int) -> list[dict[str, Any]]:
    """Return `column`, `values`, `counts` (most frequent first) and `cut` of each column of texts or of a few whole numbers,
    which may be room numbers, within `budget` characters.
    """
    columns: list[dict[str, Any]] = []
    for place, kind in enumerate(kinds):
        if kind not in ("text", "number"):
            continue
        name = frame.columns[place]
        cells = frame.iloc[:, place]
        try:
            counts = cells.value_counts(sort=False)  # blanks are no values
        except TypeError:  # lists in the cells cannot be compared
            continue
        if kind == "number":
            if len(counts) > MAX_NUMBERS or not all(float(value).is_integer() for value in counts.index):
                continue
            counts.index = [str(int(value)) for value in counts.index]
        values, numbers, cut = _most(counts, budget)
        if values:
            budget -= sum(map(len, values))
            columns.append({"column": str(name)[:200], "values": values, "counts": numbers, "cut": cut})
    return columns


def _most(counts: Any, budget: int) -> tuple[list[str], list[int], bool]:
    """Return the most frequent values that fit, their counts, and whether others were dropped."""
    import numpy as np

    order = np.argsort(-counts.to_numpy(), kind="stable")
    texts: list[Any] = np.asarray(counts.index, dtype=object)[order].tolist()
    numbers: list[int] = counts.to_numpy()[order].tolist()
    values: list[str] = []
    places: list[int] = []
    cut = False
    for value, number in zip(texts, numbers, strict=True):
        if not isinstance(value, str) or len(value) > LONGEST_VALUE or _ODD.search(value):
            cut = True
            continue
        if len(values) == MAX_PER_COLUMN or len(value) > budget:
            return values, places, True
        budget -= len(value)
        values.append(value)
        places.append(number)
    return values, places, cut
