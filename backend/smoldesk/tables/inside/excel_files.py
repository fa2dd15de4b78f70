"""Excel workbooks: the tables of every sheet, but for those that are covers."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .cell_kinds import Grid, kind_of, text_of
from .column_types import questions, typed
from .layout import blocks
from .load_options import layout_options, layout_problems, questions_of, skipped_lines
from .opening import refuse_other_kinds
from .read_options import DEFAULT_OPTIONS, ReadOptions
from .shapes import MOST_PARTS, FileContents, Problem, ProgressCallback, Table, Unreadable, call
from .text_columns import named, text_columns

# Bytes of a workbook once unpacked.
MOST_UNPACKED = 500_000_000
# Cells that are looked at for formulas without results.
MOST_LOOKED_AT = 200_000
# Rows of a sheet among which tables are looked for.
MOST_ROWS = 20_000
# Lines of words that a cover has.
MOST_LINES = 20


def read_excel(
    file: io.BufferedReader,
    name: str,
    stem: str,
    on_progress: ProgressCallback,
    options: ReadOptions = DEFAULT_OPTIONS,
) -> FileContents:
    """The tables of a workbook; a sheet that cannot be read is a problem. Raises Unreadable for no workbook."""
    import pandas as pd

    refuse_other_kinds(file, "an Excel workbook", b"PK\x03\x04")
    _refuse_bombs(file)
    try:
        book = pd.ExcelFile(file, engine="openpyxl")
        sheets = [str(sheet) for sheet in book.sheet_names]
    except Exception as fault:  # openpyxl meets broken XML with whatever error it runs into
        raise _explained(fault, "") from None
    if options.sheet is not None and options.sheet not in sheets:
        raise Unreadable(f"It has no sheet {options.sheet[:80]!r}.")
    read_as = {"format": "workbook", "header": 1, "sheet": options.sheet, "sheets": sheets[:MOST_PARTS]}
    reading = FileContents(read_as={**read_as, "left_out": [], "questions": []})
    selected = [sheet for sheet in sheets[:MOST_PARTS] if options.sheet in (None, sheet)]
    broken = False
    covers: list[str] = []
    for sheet in selected:
        on_progress(sheets.index(sheet) / len(sheets))
        try:
            grid = _grid(book, sheet)
            if options.sheet is None and len(selected) > 1 and _is_prose(grid):
                covers.append(sheet)
                continue
            _read_sheet(reading, file, book, grid, sheet, name, options)
        except MemoryError:
            raise
        except Exception as fault:  # as above
            why = _explained(fault, f"sheet {sheet!r}")
            reading.problems.append(Problem(why.message, why.where))
            broken = True
            continue
    if not reading.tables and covers:
        _read_sheet(reading, file, book, _grid(book, covers[0]), covers[0], name, options)
    elif covers:
        message = "Skipped: it has a few lines of words and no table. Choose it as the sheet to read it all the same."
        reading.problems += [Problem(message, f"sheet {sheet!r}") for sheet in covers]
    _name(reading, stem, broken)
    if len(sheets) > MOST_PARTS:
        reading.problems.append(Problem(f"It has {len(sheets)} sheets; the first {MOST_PARTS} are read."))
    if not reading.tables and not reading.problems:
        raise Unreadable("All its sheets are empty; expected rows below a row of column names.")
    return reading


def _grid(book: Any, sheet: str) -> Grid:
    """The first rows of a sheet, as wide as it is, in values; blank cells are empty texts or not a number."""
    return book.parse(sheet, header=None, dtype="object", nrows=MOST_ROWS).to_numpy().tolist()


def _read_sheet(
    reading: FileContents,
    file: io.BufferedReader,
    book: Any,
    grid: Grid,
    sheet: str,
    name: str,
    read_options: ReadOptions,
) -> None:
    """Add the tables of a sheet, named by it and by what stands over them."""
    hidden = _hidden_rows(file, book.book[sheet], len(grid))
    rows = {
        **(dict.fromkeys(hidden, False) if read_options.hidden is False else {}),
        **read_options.rows(sheet),
    }
    header = None if read_options.header is None else read_options.header - 1
    found_blocks = blocks(grid, header=header, row_overrides=rows, ends=len(grid) < MOST_ROWS)
    for place, block in enumerate(found_blocks[:MOST_PARTS]):
        options = layout_options(block, grid, lambda _row: False)
        codes, texts = text_columns(block, grid, options, read_options.types or {})
        options |= {"dtype": texts} if texts else {}
        frame, heads = named(book.parse(sheet, **options), options)
        frame, types = typed(frame, read_options.types or {})
        if len(frame.columns) == 0:
            continue
        which = {} if sheet == book.sheet_names[0] else {"sheet_name": sheet}
        called = sheet if len(found_blocks) == 1 else f"{sheet}_{block.caption or place + 1}"
        load = call("pd.read_excel", name, **which, **options) + heads + types
        reading.tables.append(Table(called, frame, load, frozenset(codes)))
        if len(reading.tables) == 1:
            reading.read_as["header"] = block.names[-1] + 1 if block.names else 0
        reading.problems += [
            replace(problem, where=f"sheet {sheet!r}, {problem.where}") for problem in layout_problems(block)
        ]
        reading.read_as["left_out"] += skipped_lines(block, grid, sheet)
        reading.read_as["questions"] += questions_of(block, grid, sheet)
        reading.read_as["questions"] += questions(frame, read_options.types or {})
        if not options:
            reading.problems.extend(_without_result(file, sheet, frame))
    if hidden and read_options.hidden is None:
        choices = [{"told": {"hidden": keep}, "shows": "keep" if keep else "leave"} for keep in (False, True)]
        value = f"{sheet}: {', '.join(str(row + 1) for row in hidden[:8])}"
        reading.read_as["questions"].append({"about": "hidden", "value": value, "choices": choices})


def _name(reading: FileContents, stem: str, broken: bool) -> None:
    """The file's name for its only table, with the sheet's for one of several."""
    alone = len(reading.tables) == 1 and not broken
    reading.tables = [
        replace(table, name=stem if alone else f"{stem}_{table.name}") for table in reading.tables
    ]


def _is_prose(grid: Grid) -> bool:
    """Whether a sheet is a cover: one cell in a row, words, with blank rows or sentences among them."""
    filled = [[text for cell in row if (text := text_of(cell))] for row in grid]
    texts_ = [text for texts in filled for text in texts]
    alone = all(len(texts) <= 1 for texts in filled) and all(kind_of(text) != "number" for text in texts_)
    alone = alone and len(texts_) <= MOST_LINES
    return bool(texts_) and alone and (len(texts_) < len(filled) or any(len(text) > 25 for text in texts_))


def _hidden_rows(file: io.BufferedReader, sheet: Any, count: int) -> list[int]:
    """The places of the rows that the sheet does not show, of the first `count` ones."""
    hidden_rows: list[int] = []
    with zipfile.ZipFile(file) as archive, archive.open(sheet._worksheet_path) as part:
        tail = b""
        while chunk := part.read(1 << 20):
            for row in re.findall(rb"<row [^>]*>", tail + chunk):
                if b' hidden="1"' in row and (place := re.search(rb' r="(\d+)"', row)):
                    hidden_rows.append(int(place[1]) - 1)
            tail = chunk[chunk.rfind(b"<row ") :] if b">" not in chunk[chunk.rfind(b"<row ") :] else b""
    file.seek(0)
    return [row for row in dict.fromkeys(hidden_rows) if row < count]


def _refuse_bombs(file: io.BufferedReader) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise Unreadable(f"The workbook is cut off or damaged: {fault}.") from None
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED:
        largest = max(parts, key=lambda part: part.file_size)
        message = f"It unpacks to {unpacked:,} bytes; at most {MOST_UNPACKED:,} are read."
        raise Unreadable(message, f"part {largest.filename}")
    names = {part.filename for part in parts}
    if "[Content_Types].xml" not in names:
        raise Unreadable("It is a zip archive, but no Excel workbook: it has no [Content_Types].xml.")
    if "xl/workbook.bin" in names:
        raise Unreadable("It is a binary workbook (.xlsb): save it as .xlsx.")
    file.seek(0)


def _explained(fault: Exception, where: str) -> Unreadable:
    from xml.etree.ElementTree import ParseError

    if isinstance(fault, ParseError):
        line, column = fault.position
        return Unreadable(f"Its XML is broken at line {line}, column {column}.", where)
    if isinstance(fault, zipfile.BadZipFile | EOFError):
        return Unreadable(f"The workbook is cut off or damaged: {fault}.", where)
    if isinstance(fault, KeyError):
        return Unreadable(f"A part of the workbook is missing: {str(fault)[:200]}.", where)
    return Unreadable(f"It cannot be read as a workbook: {str(fault)[:200] or type(fault).__name__}.", where)


def _without_result(file: io.BufferedReader, sheet: str, frame: Any) -> list[Problem]:
    """Formulas that were never computed: their cells read as empty, which nobody would notice."""
    blank = frame.isna().to_numpy()
    if not blank.any():
        return []
    formulas = [place for place in _formulas(file, sheet, len(frame) + 1) if _holds(blank, place)]
    if not formulas:
        return []
    _row, _column, first = formulas[0]
    count = "A formula" if len(formulas) == 1 else f"{len(formulas):,} formulas"
    message = f"{count} without a stored result, read as empty: open the workbook in Excel and save it."
    return [Problem(message, f"sheet {sheet!r}, cell {first}")]


def _formulas(file: io.BufferedReader, sheet: str, rows: int) -> Iterator[tuple[int, int, str]]:
    """(row below the header, column, name) of the formulas among the first cells of a sheet."""
    import openpyxl

    file.seek(0)
    book: Any = openpyxl.load_workbook(file, read_only=True, data_only=False)
    cell_count = 0
    for number, row in enumerate(book[sheet].iter_rows(max_row=rows), start=-1):
        cell_count += len(row)
        if cell_count > MOST_LOOKED_AT:
            return
        for cell in row:
            if cell.data_type == "f":
                yield number, cell.column - 1, cell.coordinate


def _holds(blank: Any, place: tuple[int, int, str]) -> bool:
    row, column, _name = place
    return 0 <= row < blank.shape[0] and column < blank.shape[1] and bool(blank[row, column])
