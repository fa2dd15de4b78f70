"""Text tables: csv and tsv, however they are encoded and separated."""

import io
import re
from dataclasses import dataclass
from typing import Any

from . import encodings, separators
from .opening import refuse_other_kinds, watch
from .shapes import Problem, Reading, Table, Unreadable, call
from .told import NOTHING, SEPARATORS, Told, header_options, numbered, with_header

SAMPLE = 65_536
LONGEST_LINE = 4_000_000
MOST_COLUMNS = 10_000


@dataclass(frozen=True)
class Written:
    """How a text table is written. `options` is what pandas must be told; `trailing`: a separator too many ends its lines.

    `header` is the line with the names of the columns, 0 for none.
    """

    encoding: encodings.Encoding
    style: separators.Style
    options: dict[str, str]
    trailing: bool
    header: int


def written(file: io.BufferedReader, told: Told = NOTHING) -> Written:
    """How the file is encoded and separated; raises Unreadable for what is no text table."""
    refuse_other_kinds(file, "a text table")
    _refuse_long_lines(file)
    encoding = encodings.chosen(file, told.encoding) if told.encoding else encodings.detect(file)
    header = 1 if told.header is None else told.header
    sample = "".join(_sample(file, encoding).splitlines(keepends=True)[max(0, header - 1) :])
    style = separators.detect(sample, SEPARATORS.get(told.separator or ""))
    width = max((len(row) for row in style.rows[:2]), default=0)
    if width > MOST_COLUMNS:
        raise Unreadable(f"Here are {width:,} columns; at most {MOST_COLUMNS:,} are read.", "line 1")
    trailing = header > 0 and separators.trailing(style.rows)
    if header > 0 and not trailing:
        _refuse_short_header(style, header)
    return Written(encoding, style, {**encoding.options, **style.options}, trailing, header)


def read_csv(file: io.BufferedReader, name: str, stem: str, told: Told = NOTHING) -> Reading:
    """The one table of a text file; raises Unreadable saying where it breaks."""
    how = written(file, told)
    encoding, options, trailing, header = how.encoding, how.options, how.trailing, how.header
    frame = numbered(_frame(file, options, trailing, header), header)
    load = call("pd.read_csv", name, **options)
    load = with_header(f"{load[:-1]}, index_col=False)" if trailing else load, header)
    separator = next((word for word, sign in SEPARATORS.items() if sign == how.style.separator), None)
    read_as = {"format": "text", "encoding": encoding.name, "separator": separator, "header": header}
    reading = Reading([Table(stem, frame, load)], read_as=read_as)
    if encoding.bad is not None:
        where = f"line {encodings.line_of(file, encoding.bad):,}, byte {encoding.bad:,}"
        reading.problems.append(
            Problem("This is not UTF-8, though the rest is: what cannot be read shows as \ufffd.", where)
        )
    if encoding.unsure:
        words = "How its letters are encoded cannot be told; they are read as Latin-1. UTF-8 is always understood."
        reading.problems.append(Problem(words))
    return reading


def _sample(file: io.BufferedReader, encoding: encodings.Encoding) -> str:
    """The first lines as text, the last one whole."""
    file.seek(0)
    data = file.read(SAMPLE)
    file.seek(0)
    text = data.decode(encoding.name, "ignore").removeprefix("\ufeff")
    end = text.rfind("\n") if len(data) == SAMPLE else -1
    return text[: end + 1] if end > 0 else text


def _frame(file: io.BufferedReader, options: dict[str, str], trailing: bool, header: int) -> Any:
    import pandas

    pd: Any = pandas
    given: dict[str, Any] = {**options, **header_options(header)}
    given |= {"index_col": False} if trailing else {}
    watch(file)
    try:
        return pd.read_csv(file, **given)
    except pd.errors.EmptyDataError:
        raise Unreadable("There is nothing in it but blank lines; expected a line of column names.") from None
    except pd.errors.ParserError as fault:
        raise _explained(str(fault)) from None


def _explained(text: str) -> Unreadable:
    """pandas' complaint in plain words."""
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text):
        expected, line, saw = found.groups()
        words = f"Here are {saw} values, but the lines before have {expected}: expected as many as the header names."
        return Unreadable(words, f"line {line}")
    if found := re.search(r"EOF inside string starting at row (\d+)", text):
        return Unreadable("A quotation mark is opened here and never closed.", f"row {int(found[1]) + 1}")
    return Unreadable(
        f"It cannot be cut into columns: {text.removeprefix('Error tokenizing data. C error: ')}"
    )


def _refuse_short_header(style: separators.Style, header: int) -> None:
    """pandas would quietly take the first values as names of the rows."""
    names, saw = (len(row) for row in style.rows[:2]) if len(style.rows) > 1 else (1, 1)
    if saw > names:
        raise Unreadable(
            f"Here are {saw} values, but the header names {names} columns.", f"line {header + 1}"
        )


def _refuse_long_lines(file: io.BufferedReader) -> None:
    """A line of many megabytes is no row, and would become millions of columns."""
    length = line = 0
    while chunk := file.read(1 << 20):
        first = chunk.find(b"\n")
        if length + (len(chunk) if first < 0 else first) > LONGEST_LINE:
            file.seek(0)
            words = f"This line is longer than {LONGEST_LINE:,} bytes: expected a table, one row a line."
            raise Unreadable(words, f"line {line + 1:,}")
        line += chunk.count(b"\n")
        length = length + len(chunk) if first < 0 else len(chunk) - 1 - chunk.rfind(b"\n")
    file.seek(0)
