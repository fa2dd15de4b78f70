"""Text tables: csv and tsv, however they are encoded and separated, and whatever stands around them."""

import io
import re
from dataclasses import dataclass, field
from typing import Any

from . import encodings, separators
from .block import Block
from .column_types import questions, typed
from .layout import blocks
from .load_options import layout_options, layout_problems, questions_of, skipped_lines
from .opening import refuse_other_kinds, watch
from .read_options import DEFAULT_OPTIONS, SEPARATORS, ReadOptions
from .shapes import MOST_PARTS, FileContents, Problem, Table, Unreadable, call
from .text_columns import named, text_columns
from .text_lines import SAMPLE, Rows, lines_of, records, refuse_long_lines

MOST_COLUMNS = 10_000


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
    questions: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def heads(self) -> list[str]:
        """The names of the first table's columns, as its line has them."""
        names = self.tables[0].block.names if self.tables else []
        return [cell.strip() for cell in self.rows[names[-1]]] if names else []


def written(
    file: io.BufferedReader, options: ReadOptions = DEFAULT_OPTIONS, is_complete: bool | None = None
) -> Written:
    """How the file is encoded, separated and laid out; raises Unreadable for what is no text table.

    `whole` says whether the file is not only the beginning of one.
    """
    refuse_other_kinds(file, "a text table")
    refuse_long_lines(file)
    encoding = encodings.chosen(file, options.encoding) if options.encoding else encodings.detect(file)
    text, ends, longer = lines_of(file, encoding, is_complete)
    cut = separators.detect(text[:SAMPLE], SEPARATORS.get(options.separator or ""))
    width = max((len(row) for row in cut.rows), default=0)
    if width > MOST_COLUMNS:
        raise Unreadable(f"Here are {width:,} columns; at most {MOST_COLUMNS:,} are read.", "line 1")
    rows, quotes = records(text, cut.separator, longer)
    comma = "decimal" in separators.numbers(cut.rows, cut.separator, options.decimal)
    header = None if options.header is None else options.header - 1
    found = blocks(rows, comma=comma, header=header, row_overrides=options.rows(), ends=ends)
    if width < 2:
        found = blocks(rows, header=0 if header is None else header, row_overrides=options.rows(), ends=ends)
    how = Written(encoding, cut.separator, rows, [], quotes)
    for block in found[:MOST_PARTS]:
        how.tables.append(_table(how, block, options))
        how.questions.extend(questions_of(block, rows))
    return how


def _table(how: Written, block: Block, read_options: ReadOptions) -> TextTable:
    """Raises Unreadable for lines that have more values than there are names."""
    rows = how.rows
    options: dict[str, Any] = {**how.encoding.options}
    if how.separator != ",":
        options["sep"] = how.separator
    of_numbers = _cells(block, rows)
    if (
        read_options.decimal is None
        and how.separator != ","
        and separators.may_be_thousands(of_numbers, how.separator)
    ):
        ways = [{"told": {"decimal": way}, "shows": way} for way in ("point", "comma")]
        cells = (cell for row in of_numbers[1:] for cell in row)
        value = next((cell for cell in cells if re.fullmatch(r"[+-]?\d+,\d{3}", cell)), "1,234")
        how.questions.append({"about": "decimal", "value": value, "choices": ways})
    options |= separators.numbers(of_numbers, how.separator, read_options.decimal)
    if not how.quotes:
        options["quoting"] = 3
    if block.names and not block.heads:
        _square(how, block, read_options)
    body = [block.names[-1], *block.body] if block.names else block.body
    if block.names and not block.heads and separators.trailing([rows[row] for row in body]):
        options["index_col"] = False
        block.columns = [*range(len(rows[body[0]]) + 1)]
    options |= layout_options(block, rows, lambda row: len(rows[row]) < 2 and not "".join(rows[row]).strip())
    if "index_col" in options:
        block.columns.pop()
    codes, texts = text_columns(block, rows, options, read_options.types or {})
    options |= {"dtype": texts} if texts else {}
    return TextTable(block, options, frozenset(codes))


def _square(how: Written, block: Block, options: ReadOptions) -> None:
    """Leave out columns without a name behind those with one; raises Unreadable where there are values in them."""
    rows = how.rows
    width = len(rows[block.names[-1]])
    last = max((at for at, cell in enumerate(rows[block.names[-1]]) if cell.strip()), default=0)
    over = [row for row in block.body if any(cell.strip() for cell in rows[row][max(width, last + 1) :])]
    if not over:
        return
    if options.ragged:
        block.skipped_rows |= dict.fromkeys(over, "ragged")
        block.body = [row for row in block.body if row not in block.skipped_rows]
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


def read_csv(
    file: io.BufferedReader, name: str, stem: str, options: ReadOptions = DEFAULT_OPTIONS
) -> FileContents:
    """The tables of a text file; raises Unreadable saying where it breaks."""
    how = written(file, options)
    if not how.tables and how.rows and options.header:
        raise Unreadable(f"Its last line is {len(how.rows)}: there is no line {options.header}.")
    if not how.tables:
        raise Unreadable("There is nothing in it but blank lines; expected a line of column names.")
    reading = FileContents()
    for table in how.tables:
        comma = table.options.get("decimal") == ","
        frame = _frame(file, table.options)
        frame, heads = named(frame, table.options)
        frame, types = typed(frame, options.types or {}, comma)
        load = call("pd.read_csv", name, **table.options) + heads + types
        called = stem if len(how.tables) == 1 else f"{stem}_{table.block.caption or len(reading.tables) + 1}"
        reading.tables.append(Table(called, frame, load, table.codes))
        how.questions.extend(questions(frame, options.types or {}))
    reading.read_as = _read_as(how, [table.block for table in how.tables], how.questions)
    reading.problems.extend(_problems(file, how))
    reading.problems += [one for table in how.tables for one in layout_problems(table.block)]
    return reading


def _read_as(how: Written, found: list[Block], asked: list[dict[str, Any]]) -> dict[str, Any]:
    names = found[0].names
    return {
        "format": "text",
        "encoding": how.encoding.name,
        "separator": next((word for word, sign in SEPARATORS.items() if sign == how.separator), None),
        "header": names[-1] + 1 if names else 0,
        "left_out": [line for block in found for line in skipped_lines(block, how.rows)],
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
