"""What reading a file gives: tables, each with the expression that loads it, and problems, each with its place."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, cast

# Sheets or tables that are read of one file.
MOST_PARTS = 50
MOST_COLUMNS = 200
# Columns that are told of one table, and values that are named of one column.
MOST_VALUES = 50

# Characters of the expression that loads a table.
MOST_LOAD = 20_000
# Numbers that count up, from which they are written as a range.
LEAST_RUN = 20

# Hears how far reading has come: a share from 0 to 1, or None when nobody can tell.
ProgressCallback = Callable[[float | None], None]


class Unreadable(Exception):
    """The file, or one part of it, is no table. `where` is "line 5", "byte 120", "sheet Data" or empty."""

    def __init__(self, message: str, where: str = "", read_as: dict[str, Any] | None = None) -> None:
        """`read_as` is what was guessed all the same, and what a person may choose."""
        super().__init__(message)
        self.message = message
        self.where = where
        self.read_as = read_as or {}


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file and where, in words for its author."""

    message: str
    where: str = ""


@dataclass(frozen=True)
class Table:
    """One table. `load` is a Python expression over `pd`, `json` and `sqlite3` that gives the same `frame`.

    `codes` are columns that are text though they look like numbers or days.
    """

    name: str
    frame: Any
    load: str
    codes: frozenset[str] = frozenset()


@dataclass
class FileContents:
    """Everything one file gave; what could not be read is in `problems`, `read_as` what was guessed or told of it."""

    tables: list[Table] = field(default_factory=list[Table])
    problems: list[Problem] = field(default_factory=list[Problem])
    read_as: dict[str, Any] = field(default_factory=dict[str, Any])


def quoted(text: str) -> str:
    """A Python literal of the text in double quotes, on one line, which no text can end or make a code tag of."""
    body = json.dumps(text, ensure_ascii=False)[1:-1]
    printable = "".join(char if char.isprintable() else _code_point(char) for char in body)
    return '"' + re.sub(r"<(?=/?code)", r"\\x3c", printable, flags=re.IGNORECASE) + '"'


def call(function: str, name: str, **options: Any) -> str:
    """`pd.read_csv("t.csv", sep=";")`; options are texts, numbers, lists and dicts of them, or None."""
    arguments = "".join(f", {option}={literal(value)}" for option, value in options.items())
    return f"{function}({quoted(name)}{arguments})"


def literal(value: Any) -> str:
    """A Python literal of plain data; its texts are `quoted`."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        values = cast(list[Any], value)
        is_run = len(values) > LEAST_RUN and all(isinstance(value, int) for value in values)
        return "[" + ", ".join(_runs(cast(list[int], value)) if is_run else map(literal, values)) + "]"
    if isinstance(value, dict):
        pairs = cast(dict[Any, Any], value).items()
        return "{" + ", ".join(f"{literal(key)}: {literal(value)}" for key, value in pairs) + "}"
    return repr(value)


def _runs(numbers: list[int]) -> Iterator[str]:
    """Numbers as literals, those that count up by one in a row as a range."""
    for _step, pairs in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _place, number in pairs]
        if len(run) > LEAST_RUN:
            yield f"*range({run[0]}, {run[-1] + 1})"
        else:
            yield from map(str, run)


def _code_point(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
