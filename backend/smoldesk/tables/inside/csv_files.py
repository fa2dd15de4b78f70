"""Text tables: csv and tsv in any encoding, with any separator, and with other lines around them."""

import io
import re
from dataclasses import dataclass, field
from typing import Any

from . import encodings, separators
from .blank_words import read_blanks
from .block import Block
from .column_types import questions, typed
from .layout import blocks
from .load_options import layout_options, layout_problems, questions_of, skipped_lines
from .opening import refuse_other_kinds, watch
from .orange_header import orange_lines
from .read_options import DEFAULT_OPTIONS, SEPARATORS, ReadOptions
from .sections import split_sections
from .shapes import MAX_PARTS, FileContents, Problem, Table, Unreadable, call, refuse_wide
from .text_columns import named, text_columns
from .text_lines import SAMPLE, Rows, lines_of, records, refuse_long_lines

# Least rows of a table whose header has one name less.
LEAST_NAMED = 3


@dataclass(frozen=True)
class TextTable:
    """Table of a text file, pandas' options for reading it, and the columns that are text whatever they look like."""

    block: Block
    options: dict[str, Any]
    codes: frozenset[str]


@dataclass(frozen=True)
class TextLayout:
    """Layout of a text file: its encoding and separator, its `rows` (the first of a long file), and its tables.

    `quotes` is false if quotation marks are ordinary characters. `style` has options for
    spaces and marks in the lines. `questions` are for a person.
    """

    encoding: encodings.Encoding
    separator: str
    rows: Rows
    tables: list[TextTable]
    quotes: bool
    style: dict[str, Any] = field(default_factory=dict[str, Any])
    questions: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def heads(self) -> list[str]:
        """Names of the first table's columns, as its header line has them."""
        names = self.tables[0].block.names if self.tables else []
        return [cell.strip() for cell in self.rows[names[-1]]] if names else []


def detect_layout(
    file: io.BufferedReader, options: ReadOptions = DEFAULT_OPTIONS, is_complete: bool | None = None
) -> TextLayout:
    """Detect encoding, separator and tables of a file. Raises Unreadable if it is not a text table.

    `is_complete` says whether `file` has all of the original's bytes; None if it is the original.
    """
    refuse_other_kinds(file, "csv")
    refuse_long_lines(file)
    encoding = encodings.chosen(file, options.encoding) if options.encoding else encodings.detect(file)
    text, ends, longer = lines_of(file, encoding, is_complete)
    cut = separators.detect(text[:SAMPLE], SEPARATORS.get(options.separator or ""))
    style = separators.style_of(text, cut.separator)
    if style:
        cut = separators.Cut(cut.separator, separators.rows_of(text[:SAMPLE], cut.separator, style))
    rows, quotes = records(text, cut.separator, longer, style)
    # Also of all rows: the sample ends within a long first line.
    width = max((len(row) for row in [*cut.rows, *rows]), default=0)
    refuse_wide(width, {"line": 1})
    comma = "decimal" in separators.numbers(cut.rows, cut.separator, options.decimal)
    header = None if options.header is None else options.header - 1
    of_orange = orange_lines(rows) if header is None else []
    overrides = {**dict.fromkeys(of_orange, False), **options.rows()}
    header = 0 if of_orange else header
    table_blocks = blocks(rows, comma=comma, header=header, row_overrides=overrides, ends=ends)
    if width < 2:
        table_blocks = blocks(
            rows, header=0 if header is None else header, row_overrides=options.rows(), ends=ends
        )
    layout = TextLayout(encoding, cut.separator, rows, [], quotes, style)
    for block in table_blocks[:MAX_PARTS]:
        block.skipped_rows |= dict.fromkeys({*of_orange} & {*block.skipped_rows} - {*options.rows()}, "units")
        layout.tables.append(_table(layout, block, options))
        layout.questions.extend(questions_of(block, rows))
    return layout


def _table(layout: TextLayout, block: Block, read_options: ReadOptions) -> TextTable:
    """Find pandas' options for a block. Raises Unreadable if lines have more values than the header."""
    rows = layout.rows
    options: dict[str, Any] = {**layout.encoding.options}
    if layout.separator != ",":
        options["sep"] = layout.separator
    options |= layout.style
    of_numbers = _cells(block, rows)
    if (
        read_options.decimal is None
        and layout.separator != ","
        and separators.may_be_thousands(of_numbers, layout.separator)
    ):
        choices = [{"told": {"decimal": mark}, "shows": mark} for mark in ("point", "comma")]
        cells = (cell for row in of_numbers[1:] for cell in row)
        value = next((cell for cell in cells if re.fullmatch(r"[+-]?\d+,\d{3}", cell)), "1,234")
        layout.questions.append({"about": "decimal", "value": value, "choices": choices})
    options |= separators.numbers(of_numbers, layout.separator, read_options.decimal)
    if not layout.quotes:
        options["quoting"] = 3
    if block.names and not block.heads and not _name_rows(layout, block):
        _square(layout, block, read_options)
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


def _name_rows(layout: TextLayout, block: Block) -> bool:
    """Name the column of row names that the header of R's write.table leaves out; return whether there is one.

    All rows have one value more than the header has names. Names that only count the rows are left out.
    """
    rows = layout.rows
    names = [cell.strip() for cell in rows[block.names[-1]]]
    body = [rows[row] for row in block.body]
    firsts = [row[0].strip() for row in body]
    has_names = len(body) >= LEAST_NAMED and all(names) and {*map(len, body)} == {len(names) + 1}
    if not has_names or len({*firsts}) < len(firsts):
        return False
    counts = firsts == [str(at + 1) for at in range(len(firsts))]
    block.columns = [*range(counts, len(names) + 1)]
    free = next(name for name in ("name", "row_name", "row name") if name not in names)
    block.heads = names if counts else [free, *names]
    return True


def _square(layout: TextLayout, block: Block, options: ReadOptions) -> None:
    """Drop unnamed columns after the last named one. Raises Unreadable if they have values."""
    rows = layout.rows
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
    value_count, first = len(rows[over[0]]), over[0] == block.body[0]
    choice = {"told": {"ragged": True}, "shows": "leave"}
    open_questions = [
        {"about": "ragged", "value": ", ".join(str(row + 1) for row in over[:5]), "choices": [choice]}
    ]
    raise Unreadable(
        "ragged_first" if first else "ragged",
        {"n": value_count, "width": width},
        {"line": over[0] + 1},
        _read_as(layout, [block], [] if first else open_questions),
    )


def _cells(block: Block, rows: Rows) -> Rows:
    """Return the table's header and the first lines of its body, for detecting number formats."""
    head = rows[block.names[-1]] if block.names else [""] * len(block.columns)
    lines = [head, *(rows[row] for row in block.body[: separators.SAMPLE_ROWS])]
    return [[line[at].strip() if at < len(line) else "" for at in block.columns] for line in lines]


def read_csv(
    file: io.BufferedReader,
    name: str,
    stem: str,
    options: ReadOptions = DEFAULT_OPTIONS,
    is_sample: bool = False,
) -> FileContents:
    """Return the tables of a text file. Raises Unreadable with the place of the fault.

    In a sample of a file, words for a missing value are blank in all columns, since later rows are unknown.
    """
    layout = detect_layout(file, options)
    if not layout.tables and layout.rows and options.header:
        raise Unreadable("no_line", {"last": len(layout.rows), "line": options.header})
    if not layout.tables:
        raise Unreadable("blank_file")
    contents = FileContents()
    for table in layout.tables:
        comma = table.options.get("decimal") == ","
        frame, read_options = _frame(file, table.options), table.options
        if not is_sample:
            frame, read_options, problems = read_blanks(
                frame, read_options, options.types or {}, lambda read: _frame(file, read)
            )
            contents.problems += problems
        frame, heads = named(frame, table.options)
        frame, sections, notes = split_sections(frame) if not is_sample else (frame, "", [])
        contents.problems += notes
        frame, types = typed(frame, options.types or {}, comma)
        load = call("pd.read_csv", name, **read_options) + heads + sections + types
        table_name = (
            stem if len(layout.tables) == 1 else f"{stem}_{table.block.caption or len(contents.tables) + 1}"
        )
        contents.tables.append(Table(table_name, frame, load, table.codes))
        layout.questions.extend(questions(frame, options.types or {}))
    contents.read_as = _read_as(layout, [table.block for table in layout.tables], layout.questions)
    contents.problems.extend(_problems(file, layout))
    contents.problems += [problem for table in layout.tables for problem in layout_problems(table.block)]
    return contents


def _read_as(
    layout: TextLayout, table_blocks: list[Block], open_questions: list[dict[str, Any]]
) -> dict[str, Any]:
    names = table_blocks[0].names
    return {
        "format": "text",
        "encoding": layout.encoding.name,
        "separator": next((label for label, sign in SEPARATORS.items() if sign == layout.separator), None),
        "header": names[-1] + 1 if names else 0,
        "left_out": [line for block in table_blocks for line in skipped_lines(block, layout.rows)],
        "questions": open_questions,
    }


def _problems(file: io.BufferedReader, layout: TextLayout) -> list[Problem]:
    encoding, problems = layout.encoding, list[Problem]()
    if encoding.bad is not None:
        problems.append(Problem("bad_bytes_shown", place=encodings.place_of(file, encoding.bad)))
    if encoding.unsure:
        problems.append(Problem("unknown_encoding"))
    if not layout.quotes:
        line = next(at for at, row in enumerate(layout.rows) if any(cell.startswith('"') for cell in row))
        problems.append(Problem("open_quote_letter", place={"line": line + 1}))
    return problems


def _frame(file: io.BufferedReader, options: dict[str, Any]) -> Any:
    import pandas

    pd: Any = pandas
    watch(file)
    try:
        return pd.read_csv(file, **options)
    except pd.errors.EmptyDataError:
        raise Unreadable("blank_file") from None
    except pd.errors.ParserError as fault:
        raise _explained(str(fault)) from None


def _explained(text: str) -> Unreadable:
    """Translate pandas' error message."""
    if match := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text):
        width, line, value_count = map(int, match.groups())
        return Unreadable("ragged", {"n": value_count, "width": width}, {"line": line})
    if match := re.search(r"EOF inside string starting at row (\d+)", text):
        return Unreadable("open_quote", place={"row": int(match[1]) + 1})
    return Unreadable("cannot_cut", {"reason": text.removeprefix("Error tokenizing data. C error: ")})
