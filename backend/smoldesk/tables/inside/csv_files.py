"""Text tables: csv and tsv, however they are encoded and separated, and whatever stands around them."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from . import encodings, separators
from .column_types import questions, typed
from .layout import Block, blocks
from .load_options import layout_options, left_out, questions_of
from .opening import refuse_other_kinds, watch
from .shapes import MOST_PARTS, Problem, Reading, Table, Unreadable, call
from .told import NOTHING, SEPARATORS, Told

SAMPLE = 65_536
WHOLE = 2_000_000
"""Bytes of a file that is looked at as a whole; of a longer one the beginning is."""
LONGEST_LINE = 4_000_000
MOST_COLUMNS = 10_000
MOST_CODES = 100
_CODE = re.compile(r"0\d+|\d{16,}")
_POINTED_DAY = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})")

Rows = list[list[str]]


@dataclass(frozen=True)
class TextTable:
    """A table of a text file, what pandas must be told to read it, and the columns that are text whatever they look like."""

    block: Block
    options: dict[str, Any]
    codes: frozenset[str]


@dataclass(frozen=True)
class Written:
    """How a text file is written: its encoding and separator, its `rows` (the first of a long file), and its tables.

    `quotes` is False where quotation marks are letters; `asked` what a person should say of it.
    """

    encoding: encodings.Encoding
    separator: str
    rows: Rows
    tables: list[TextTable]
    quotes: bool
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def heads(self) -> list[str]:
        """The names of the first table's columns, as its line has them."""
        names = self.tables[0].block.names if self.tables else []
        return [cell.strip() for cell in self.rows[names[-1]]] if names else []


def written(file: io.BufferedReader, told: Told = NOTHING, whole: bool | None = None) -> Written:
    """How the file is encoded, separated and laid out; raises Unreadable for what is no text table.

    `whole` says whether the file is not only the beginning of one.
    """
    refuse_other_kinds(file, "a text table")
    _refuse_long_lines(file)
    encoding = encodings.chosen(file, told.encoding) if told.encoding else encodings.detect(file)
    text, ends = _text(file, encoding, whole)
    cut = separators.detect(text[:SAMPLE], SEPARATORS.get(told.separator or ""))
    width = max((len(row) for row in cut.rows), default=0)
    if width > MOST_COLUMNS:
        raise Unreadable(f"Here are {width:,} columns; at most {MOST_COLUMNS:,} are read.", "line 1")
    rows, quotes = _records(text, cut.separator)
    comma = "decimal" in separators.numbers(cut.rows, cut.separator, told.decimal)
    header = None if told.header is None else told.header - 1
    found = blocks(rows, comma=comma, header=header, told=told.rows(), ends=ends)
    if width < 2:
        found = blocks(rows, header=0 if header is None else header, told=told.rows(), ends=False)
    how = Written(encoding, cut.separator, rows, [], quotes)
    for block in found[:MOST_PARTS]:
        how.tables.append(_table(how, block, told))
        how.asked.extend(questions_of(block, rows))
    return how


def _table(how: Written, block: Block, told: Told) -> TextTable:
    """Raises Unreadable for lines that have more values than there are names."""
    rows = how.rows
    options: dict[str, Any] = {**how.encoding.options}
    if how.separator != ",":
        options["sep"] = how.separator
    of_numbers = _cells(block, rows)
    if (
        told.decimal is None
        and how.separator != ","
        and separators.may_be_thousands(of_numbers, how.separator)
    ):
        ways = [{"told": {"decimal": way}, "shows": way} for way in ("point", "comma")]
        value = next(cell for row in of_numbers[1:] for cell in row if re.fullmatch(r"\d+,\d{3}", cell))
        how.asked.append({"about": "decimal", "value": value, "choices": ways})
    options |= separators.numbers(of_numbers, how.separator, told.decimal)
    if not how.quotes:
        options["quoting"] = 3
    if block.names and not block.heads:
        _square(how, block, told)
    body = [block.names[-1], *block.body] if block.names else block.body
    if block.names and not block.heads and separators.trailing([rows[row] for row in body]):
        options["index_col"] = False
        block.columns = [*range(len(rows[body[0]]) + 1)]
    options |= layout_options(block, rows, lambda row: len(rows[row]) < 2 and not "".join(rows[row]).strip())
    if "index_col" in options:
        block.columns.pop()
    codes, days = _text_columns(block, rows, options, told)
    if codes or days:
        options["dtype"] = dict.fromkeys([*codes, *days][:MOST_CODES], "str")
    return TextTable(block, options, frozenset(codes))


def _square(how: Written, block: Block, told: Told) -> None:
    """Leave out columns without a name behind those with one; raises Unreadable where there are values in them."""
    rows = how.rows
    width = len(rows[block.names[-1]])
    last = max((at for at, cell in enumerate(rows[block.names[-1]]) if cell.strip()), default=0)
    over = [row for row in block.body if any(cell.strip() for cell in rows[row][max(width, last + 1) :])]
    if not over:
        return
    if told.ragged:
        block.left_out |= dict.fromkeys(over, "ragged")
        block.body = [row for row in block.body if row not in block.left_out]
        block.columns = [at for at in block.columns if at < width]
        return
    saw, first = len(rows[over[0]]), over[0] == block.body[0]
    words = f"Here are {saw} values, but " + (
        f"the header names {width} columns."
        if first
        else f"the lines before have {width}: expected as many as the header names."
    )
    choice = {"told": {"ragged": True}, "shows": "leave"}
    asked = [{"about": "ragged", "value": ", ".join(str(row + 1) for row in over[:5]), "choices": [choice]}]
    raise Unreadable(words, f"line {over[0] + 1}", _read_as(how, [block], [] if first else asked))


def _cells(block: Block, rows: Rows) -> Rows:
    """The table's lines, those of its names first, as far as a sample goes."""
    head = rows[block.names[-1]] if block.names else [""] * len(block.columns)
    lines = [head, *(rows[row] for row in block.body[: separators.SAMPLE_ROWS])]
    return [[line[at].strip() if at < len(line) else "" for at in block.columns] for line in lines]


def _text_columns(
    block: Block, rows: Rows, options: dict[str, Any], told: Told
) -> tuple[list[str], list[str]]:
    """The names of columns that pandas must leave as text: (codes with zeros in front, ids too long for a float; days)."""
    heads: list[str] = options.get("names") or ([*rows[block.names[-1]]] if block.names else [])
    by_place = dict(zip(block.columns, heads, strict=False)) if "names" in options else dict(enumerate(heads))
    found: tuple[list[str], list[str]] = [], []
    counts = Counter(heads)
    for at in block.columns:
        name = by_place.get(at, "")
        if not name or counts[name] > 1:
            continue
        cells = [rows[row][at].strip() for row in block.body if at < len(rows[row]) and rows[row][at].strip()]
        codes = bool(cells) and all(map(str.isdigit, cells)) and any(map(_CODE.fullmatch, cells))
        pointed = options.get("thousands") == "." and bool(cells) and all(map(_POINTED_DAY.fullmatch, cells))
        if (told.types or {}).get(name, "text" if codes else "") == "text":
            found[0].append(name)
        elif pointed:
            found[1].append(name)
    return found


def read_csv(file: io.BufferedReader, name: str, stem: str, told: Told = NOTHING) -> Reading:
    """The tables of a text file; raises Unreadable saying where it breaks."""
    how = written(file, told)
    if not how.tables and how.rows and told.header:
        raise Unreadable(f"Its last line is {len(how.rows)}: there is no line {told.header}.")
    if not how.tables:
        raise Unreadable("There is nothing in it but blank lines; expected a line of column names.")
    reading = Reading()
    for table in how.tables:
        comma = table.options.get("decimal") == ","
        frame, types = typed(_frame(file, table.options), told.types or {}, comma)
        load = call("pd.read_csv", name, **table.options) + types
        called = stem if len(how.tables) == 1 else f"{stem}_{table.block.caption or len(reading.tables) + 1}"
        reading.tables.append(Table(called, frame, load, table.codes))
        how.asked.extend(questions(frame, told.types or {}))
    reading.read_as = _read_as(how, [table.block for table in how.tables], how.asked)
    reading.problems.extend(_problems(file, how))
    return reading


def _read_as(how: Written, found: list[Block], asked: list[dict[str, Any]]) -> dict[str, Any]:
    names = found[0].names
    return {
        "format": "text",
        "encoding": how.encoding.name,
        "separator": next((word for word, sign in SEPARATORS.items() if sign == how.separator), None),
        "header": names[-1] + 1 if names else 0,
        "left_out": [line for block in found for line in left_out(block, how.rows)],
        "questions": asked,
    }


def _problems(file: io.BufferedReader, how: Written) -> list[Problem]:
    encoding, found = how.encoding, list[Problem]()
    if encoding.bad is not None:
        where = f"line {encodings.line_of(file, encoding.bad):,}, byte {encoding.bad:,}"
        found.append(
            Problem("This is not UTF-8, though the rest is: what cannot be read shows as \ufffd.", where)
        )
    if encoding.unsure:
        words = "How its letters are encoded cannot be told; they are read as Latin-1. UTF-8 is always understood."
        found.append(Problem(words))
    if not how.quotes:
        line = next(at for at, row in enumerate(how.rows) if any(cell.startswith('"') for cell in row))
        words = "A quotation mark is opened here and never closed: it is read as a letter."
        found.append(Problem(words, f"line {line + 1}"))
    return found


def _text(file: io.BufferedReader, encoding: encodings.Encoding, whole: bool | None) -> tuple[str, bool]:
    """The text of the file, or its first lines, the last one whole; and whether it is the whole file."""
    file.seek(0)
    data = file.read(WHOLE + 1)
    ends = len(data) <= WHOLE if whole is None else whole
    file.seek(0)
    text = (
        (data if ends else data[:SAMPLE])
        .decode(encoding.name, "replace" if ends else "ignore")
        .removeprefix("\ufeff")
    )
    last = text.rfind("\n") if not ends else -1
    return (text[: last + 1] if last > 0 else text), ends


def _records(text: str, separator: str) -> tuple[Rows, bool]:
    """The lines cut into cells, as pandas counts them; False when quotation marks are letters, since one never closes."""
    end = "\ufffe"
    csv.field_size_limit(2 * LONGEST_LINE)
    try:
        rows = list(csv.reader(io.StringIO(f"{text}\n{end}", newline=""), delimiter=separator))
        if rows[-1] == [end]:
            return rows[: -2 if text.endswith("\n") else -1], True
    except csv.Error:  # a field too long for the module, which an open quotation makes
        rows = []
    bare = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE))
    widths = [len(row) for row in bare if row]
    alike = widths and max(widths) > 1 and widths.count(max(widths)) >= separators.AGREEING * len(widths)
    return (bare, False) if alike else (rows, True)


def _frame(file: io.BufferedReader, options: dict[str, Any]) -> Any:
    import pandas

    pd: Any = pandas
    watch(file)
    try:
        return pd.read_csv(file, **options)
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
