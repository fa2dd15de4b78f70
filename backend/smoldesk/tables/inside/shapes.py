"""Results of reading a file: tables with load expressions, and problems with places."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, cast

from .file_notes import Place, Value, note_text, place_text, reason_code

# Maximum sheets or tables read from one file.
MAX_PARTS = 50
MAX_COLUMNS = 300
# Maximum columns of a table that is read.
MOST_COLUMNS = 10_000
# Maximum values described for one column.
MAX_VALUES = 50

# Maximum characters of a load expression.
MAX_LOAD = 20_000
# Least length of a run of integers that is written as a range.
LEAST_RUN = 20

# Receives the share read, from 0 to 1, or None if it is unknown.
ProgressCallback = Callable[[float | None], None]


@dataclass(frozen=True)
class Problem:
    """Fault of a file and its place, for the file's author; with `is_note` only a fact about how it was read.

    `code` is one of `file_notes.TEXTS`, `values` fill its text, `place` is {"line": 5}, {"sheet": "Data"} or empty.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    place: Place = field(default_factory=dict[str, int | str])
    is_note: bool = False

    @property
    def message(self) -> str:
        """The text in English."""
        return note_text(self.code, self.values)

    @property
    def where(self) -> str:
        """The place in English: "line 5, byte 120", "sheet 'Data'", or empty."""
        return place_text(self.place)


def cannot_read(fault: Exception) -> Problem:
    """Report an exception of a parser, whose message may help."""
    return Problem("cannot_read", {"reason": f"{type(fault).__name__}: {str(fault)[:200]}"})


class Unreadable(Exception):
    """The file or a part of it is not a table; `problem` says why and where."""

    def __init__(
        self,
        code: str,
        values: Mapping[str, Value] | None = None,
        place: Place | None = None,
        read_as: dict[str, Any] | None = None,
    ) -> None:
        """`read_as` has the guesses made so far, and the choices for a person."""
        coded = {name: reason_code(str(value)) for name, value in (values or {}).items() if name == "reason"}
        self.problem = Problem(code, {**(values or {}), **coded}, place or {})
        super().__init__(self.problem.message)
        self.read_as = read_as or {}


def refuse_wide(count: int, place: Place | None = None) -> None:
    """Raise Unreadable if a table has too many columns."""
    if count > MOST_COLUMNS:
        raise Unreadable("wide", {"n": count, "most": MOST_COLUMNS}, place)


@dataclass(frozen=True)
class Table:
    """Table of a file. `load` is a Python expression over `pd`, `json` and the like that returns the same `frame`.

    `codes` are text columns that look like numbers or days. `load_with_totals` loads it with the `total_rows` that were
    left out.
    """

    name: str
    frame: Any
    load: str
    codes: frozenset[str] = frozenset()
    total_rows: int = 0
    load_with_totals: str = ""


@dataclass
class FileContents:
    """Tables and problems of one file; `read_as` has the guesses and options it was read with."""

    tables: list[Table] = field(default_factory=list[Table])
    problems: list[Problem] = field(default_factory=list[Problem])
    read_as: dict[str, Any] = field(default_factory=dict[str, Any])


def quoted(text: str) -> str:
    """Return a Python literal in double quotes, on one line, in which no text can end the literal or form a code
    tag.
    """
    body = json.dumps(text, ensure_ascii=False)[1:-1]
    printable = "".join(char if char.isprintable() else _code_point(char) for char in body)
    return '"' + re.sub(r"<(?=/?code)", r"\\x3c", printable, flags=re.IGNORECASE) + '"'


def call(function: str, name: str, **options: Any) -> str:
    """Return `pd.read_csv("t.csv", sep=";")`; options are texts, numbers, lists and dicts of them, or None."""
    arguments = "".join(f", {option}={literal(value)}" for option, value in options.items())
    return f"{function}({quoted(name)}{arguments})"


def literal(value: Any) -> str:
    """Return a Python literal of plain data; texts are `quoted`."""
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


def with_columns(frame: Any, expressions: Mapping[str, str]) -> tuple[Any, str]:
    """Return the frame with columns computed by expressions over `t`, and the suffix of a load expression that does so."""
    import pandas as pd

    pairs = ", ".join(f"{quoted(name)}: lambda t: {expression}" for name, expression in expressions.items())
    suffix = f".assign(**{{{pairs}}})"
    return eval(f"frame{suffix}", {"frame": frame, "pd": pd}), suffix


def _runs(numbers: list[int]) -> Iterator[str]:
    """Yield numbers as literals, and consecutive ones as a range."""
    for _step, pairs in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _place, number in pairs]
        if len(run) > LEAST_RUN:
            yield f"*range({run[0]}, {run[-1] + 1})"
        else:
            yield from map(str, run)


def _code_point(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
