"""Workbooks of Excel, also until 2003, and of OpenDocument: the tables of each sheet, except covers and contents."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .blank_words import read_blanks
from .cell_kinds import Grid, kind_of, text_of
from .column_types import questions, typed
from .file_notes import Place
from .layout import blocks
from .load_options import layout_options, layout_problems, questions_of, skipped_lines
from .opening import refuse_other_kinds
from .read_options import DEFAULT_OPTIONS, ReadOptions
from .sections import split_sections
from .shapes import MAX_PARTS, FileContents, Problem, ProgressCallback, Table, Unreadable, call
from .text_columns import named, text_columns

# Maximum bytes of an unpacked workbook.
MAX_UNPACKED = 500_000_000
# Maximum cells searched for formulas without results.
MAX_FORMULA_CELLS = 200_000
# First rows of a sheet, in which tables are searched.
MAX_ROWS = 20_000
# Maximum lines of text on a cover sheet.
MAX_LINES = 20
# Names of sheets that are about the others.
_ABOUT = re.compile(
    r"\s*(?:(?:table of )?contents?|cover|index|read ?me|目次|表紙|はじめに|凡例|利用上の注意)\s*",
    re.IGNORECASE,
)
# First bytes of workbooks since 2007 and until 2003.
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def read_excel(
    file: io.BufferedReader,
    name: str,
    stem: str,
    on_progress: ProgressCallback,
    options: ReadOptions = DEFAULT_OPTIONS,
) -> FileContents:
    """Return the tables of a workbook; a sheet that cannot be read becomes a problem. Raises Unreadable."""
    import pandas as pd

    ending = name.lower().rpartition(".")[2]
    is_old = ending == "xls" and file.peek(4).startswith(_OLE)
    refuse_other_kinds(file, "excel", _OLE if is_old else _ZIP)
    if not is_old:
        _refuse_bombs(file, "content.xml" if ending == "ods" else "[Content_Types].xml")
    try:
        book = pd.ExcelFile(file, engine="xlrd" if is_old else "odf" if ending == "ods" else "openpyxl")
        _read_once(book)
        sheets = [str(sheet) for sheet in book.sheet_names]
    except Exception as fault:  # openpyxl raises errors of many types for broken XML
        raise _explained(fault) from None
    if options.sheet is not None and options.sheet not in sheets:
        raise Unreadable("no_sheet", {"name": options.sheet[:80]})
    read_as = {"format": "workbook", "header": 1, "sheet": options.sheet, "sheets": sheets[:MAX_PARTS]}
    contents = FileContents(read_as={**read_as, "left_out": [], "questions": []})
    selected = [sheet for sheet in sheets[:MAX_PARTS] if options.sheet in (None, sheet)]
    broken = False
    covers: list[str] = []
    for sheet in selected:
        on_progress(sheets.index(sheet) / len(sheets))
        try:
            grid = _grid(book, sheet)
            is_about = bool(_ABOUT.fullmatch(sheet)) or _is_prose(grid)
            if options.sheet is None and len(selected) > 1 and is_about:
                covers.append(sheet)
                continue
            _read_sheet(contents, file, book, grid, sheet, name, options)
        except MemoryError:
            raise
        except Exception as fault:  # as above
            contents.problems.append(replace(_explained(fault).problem, place={"sheet": sheet}))
            broken = True
            continue
    if not contents.tables and covers:
        _read_sheet(contents, file, book, _grid(book, covers[0]), covers[0], name, options)
    elif covers:
        contents.problems += [Problem("cover", place={"sheet": sheet}, is_note=True) for sheet in covers]
    _name(contents, stem, broken)
    if len(sheets) > MAX_PARTS:
        contents.problems.append(Problem("some_sheets", {"n": len(sheets), "most": MAX_PARTS}))
    if not contents.tables and not contents.problems:
        raise Unreadable("empty_sheets")
    return contents


def _read_once(book: Any) -> None:
    """Let pandas parse the cells of a sheet once, although its tables are read several times with other options."""
    read, last = book._reader.get_sheet_data, dict[str, list[list[Any]]]()

    def sheet_data(sheet: Any, rows: int | None = None) -> list[list[Any]]:
        name = str(getattr(sheet, "name", None) or getattr(sheet, "title", None) or id(sheet))
        if name not in last:
            last.clear()
            last[name] = read(sheet, None)
        return [row[:] for row in last[name][:rows]]  # pandas changes what it gets

    book._reader.get_sheet_data = sheet_data


def _grid(book: Any, sheet: str) -> Grid:
    """Return the first rows of a sheet as values; blank cells are empty texts or NaN."""
    return book.parse(sheet, header=None, dtype="object", nrows=MAX_ROWS).to_numpy().tolist()


def _read_sheet(
    contents: FileContents,
    file: io.BufferedReader,
    book: Any,
    grid: Grid,
    sheet: str,
    name: str,
    read_options: ReadOptions,
) -> None:
    """Add the tables of a sheet, named after it and the caption above each."""
    has_xml = book.engine == "openpyxl"
    hidden = [] if not has_xml else _hidden_rows(file, book.book[sheet], len(grid))
    rows = {
        **(dict.fromkeys(hidden, False) if read_options.hidden is False else {}),
        **read_options.rows(sheet),
    }
    header = None if read_options.header is None else read_options.header - 1
    sheet_blocks = blocks(grid, header=header, row_overrides=rows, ends=len(grid) < MAX_ROWS)
    for place, block in enumerate(sheet_blocks[:MAX_PARTS]):
        options = layout_options(block, grid, lambda _row: False)
        if "nrows" in options and isinstance(options.get("skiprows"), list):
            # For workbooks pandas counts skipped rows as well, and would lose as many at the end.
            options["skiprows"] = [*options["skiprows"], *range(block.body[-1] + 1, len(grid))]
            del options["nrows"]
        codes, texts = text_columns(block, grid, options, read_options.types or {})
        options |= {"dtype": texts} if texts else {}
        frame, read_as, signs = read_blanks(
            book.parse(sheet, **options),
            options,
            read_options.types or {},
            lambda read: book.parse(sheet, **read),
        )
        frame, heads = named(frame, options)
        frame, sections, notes = split_sections(frame)
        frame, types = typed(frame, read_options.types or {})
        if len(frame.columns) == 0:
            continue
        sheet_option = {} if sheet == book.sheet_names[0] else {"sheet_name": sheet}
        table_name = sheet if len(sheet_blocks) == 1 else f"{sheet}_{block.caption or place + 1}"
        load = call("pd.read_excel", name, **sheet_option, **read_as) + heads + sections + types
        contents.tables.append(Table(table_name, frame, load, frozenset(codes)))
        contents.problems += [
            replace(problem, place={"sheet": sheet} | problem.place)
            for problem in [*signs, *notes, *layout_problems(block)]
        ]
        if len(contents.tables) == 1:
            contents.read_as["header"] = block.names[-1] + 1 if block.names else 0
        contents.read_as["left_out"] += skipped_lines(block, grid, sheet)
        contents.read_as["questions"] += questions_of(block, grid, sheet)
        contents.read_as["questions"] += questions(frame, read_options.types or {})
        if not options and has_xml:
            contents.problems.extend(_without_result(file, sheet, frame))
    if hidden and read_options.hidden is None:
        choices = [{"told": {"hidden": keep}, "shows": "keep" if keep else "leave"} for keep in (False, True)]
        value = f"{sheet}: {', '.join(str(row + 1) for row in hidden[:8])}"
        contents.read_as["questions"].append({"about": "hidden", "value": value, "choices": choices})


def _name(contents: FileContents, stem: str, broken: bool) -> None:
    """Name a single table after the file, and several after file and sheet."""
    alone = len(contents.tables) == 1 and not broken
    contents.tables = [
        replace(table, name=stem if alone else f"{stem}_{table.name}") for table in contents.tables
    ]


def _is_prose(grid: Grid) -> bool:
    """Check for a cover sheet: at most one cell in a row, words only, with blank rows or sentences among them."""
    filled = [[text for cell in row if (text := text_of(cell))] for row in grid]
    all_texts = [text for texts in filled for text in texts]
    alone = all(len(texts) <= 1 for texts in filled) and all(kind_of(text) != "number" for text in all_texts)
    alone = alone and len(all_texts) <= MAX_LINES
    return (
        bool(all_texts)
        and alone
        and (len(all_texts) < len(filled) or any(len(text) > 25 for text in all_texts))
    )


def _hidden_rows(file: io.BufferedReader, sheet: Any, count: int) -> list[int]:
    """Return the hidden rows among the first `count` rows of a sheet."""
    hidden_rows: list[int] = []
    # From the XML itself: openpyxl's read-only sheets, which pandas uses, do not have row dimensions.
    with zipfile.ZipFile(file) as archive, archive.open(sheet._worksheet_path) as part:
        tail = b""
        while chunk := part.read(1 << 20):
            for row in re.findall(rb"<row [^>]*>", tail + chunk):
                if b' hidden="1"' in row and (place := re.search(rb' r="(\d+)"', row)):
                    hidden_rows.append(int(place[1]) - 1)
            tail = chunk[chunk.rfind(b"<row ") :] if b">" not in chunk[chunk.rfind(b"<row ") :] else b""
    file.seek(0)
    return [row for row in dict.fromkeys(hidden_rows) if row < count]


def _refuse_bombs(file: io.BufferedReader, content: str) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise Unreadable("cut_off", {"reason": str(fault)}) from None
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED:
        largest = max(parts, key=lambda part: part.file_size)
        raise Unreadable("unpacked_size", {"n": unpacked, "most": MAX_UNPACKED}, {"part": largest.filename})
    names = {part.filename for part in parts}
    if content not in names:
        raise Unreadable("no_workbook")
    if "xl/workbook.bin" in names:
        raise Unreadable("binary_workbook")
    file.seek(0)


def _explained(fault: Exception) -> Unreadable:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException

    if isinstance(fault, ParseError):
        line, column = fault.position
        return Unreadable("bad_xml", {"line": line, "column": column})
    # openpyxl hides it behind an error of its own.
    if isinstance(fault.__cause__ or fault.__context__, DefusedXmlException):
        return Unreadable("bad_workbook", {"reason": "entities"})
    if isinstance(fault, zipfile.BadZipFile | EOFError):
        return Unreadable("cut_off", {"reason": str(fault)})
    if isinstance(fault, KeyError):
        return Unreadable("missing_part", {"reason": str(fault)[:200]})
    return Unreadable("bad_workbook", {"reason": str(fault)[:200] or type(fault).__name__})


def _without_result(file: io.BufferedReader, sheet: str, frame: Any) -> list[Problem]:
    """Report formulas that were never computed: their cells read as empty, without any other sign."""
    blank = frame.isna().to_numpy()
    if not blank.any():
        return []
    formulas = [place for place in _formulas(file, sheet, len(frame) + 1) if _holds(blank, place)]
    if not formulas:
        return []
    _row, _column, first = formulas[0]
    place: Place = {"sheet": sheet, "cell": first}
    if len(formulas) == 1:
        return [Problem("formula_blank", place=place)]
    return [Problem("formulas_blank", {"n": len(formulas)}, place)]


def _formulas(file: io.BufferedReader, sheet: str, rows: int) -> Iterator[tuple[int, int, str]]:
    """Yield (row below the header, column, name) of the formulas among the first cells of a sheet."""
    import openpyxl

    file.seek(0)
    book: Any = openpyxl.load_workbook(file, read_only=True, data_only=False)
    cell_count = 0
    for number, row in enumerate(book[sheet].iter_rows(max_row=rows), start=-1):
        cell_count += len(row)
        if cell_count > MAX_FORMULA_CELLS:
            return
        for cell in row:
            if cell.data_type == "f":
                yield number, cell.column - 1, cell.coordinate


def _holds(blank: Any, place: tuple[int, int, str]) -> bool:
    row, column, _name = place
    return 0 <= row < blank.shape[0] and column < blank.shape[1] and bool(blank[row, column])
