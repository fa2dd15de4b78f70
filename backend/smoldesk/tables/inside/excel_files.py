"""Excel workbooks: every sheet is a table, its first row the names of the columns."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from .opening import refuse_other_kinds
from .shapes import MOST_PARTS, Problem, Reading, Table, Tell, Unreadable, call
from .told import NOTHING, Told, header_options, numbered, with_header

MOST_UNPACKED = 500_000_000
"""Bytes of a workbook once unpacked."""
MOST_LOOKED_AT = 200_000
"""Cells that are looked at for formulas without results."""


def read_excel(file: io.BufferedReader, name: str, stem: str, tell: Tell, told: Told = NOTHING) -> Reading:
    """The tables of a workbook; a sheet that cannot be read is a problem. Raises Unreadable for no workbook."""
    import pandas as pd

    refuse_other_kinds(file, "an Excel workbook", b"PK\x03\x04")
    _refuse_bombs(file)
    try:
        book = pd.ExcelFile(file, engine="openpyxl")
        sheets = [str(sheet) for sheet in book.sheet_names]
    except Exception as fault:  # openpyxl meets broken XML with whatever error it runs into
        raise _explained(fault, "") from None
    if told.sheet is not None and told.sheet not in sheets:
        raise Unreadable(f"It has no sheet {told.sheet[:80]!r}.")
    header = 1 if told.header is None else told.header
    read_as = {"format": "workbook", "header": header, "sheet": told.sheet, "sheets": sheets[:MOST_PARTS]}
    reading = Reading(read_as=read_as)
    broken = False
    for place, sheet in enumerate(sheets[:MOST_PARTS]):
        if told.sheet not in (None, sheet):
            continue
        tell(place / len(sheets))
        try:
            frame = numbered(book.parse(sheet, **header_options(header)), header)
        except MemoryError:
            raise
        except Exception as fault:  # as above
            why = _explained(fault, f"sheet {sheet!r}")
            reading.problems.append(Problem(why.message, why.where))
            broken = True
            continue
        if len(frame.columns) == 0:
            continue
        load = call("pd.read_excel", name, **({} if place == 0 else {"sheet_name": sheet}))
        reading.tables.append(Table(f"{stem}_{sheet}", frame, with_header(load, header)))
        if header == 1:
            reading.problems.extend(_without_result(file, sheet, frame))
    if len(reading.tables) == 1 and not broken:
        only = reading.tables[0]
        reading.tables = [Table(stem, only.frame, only.load)]
    if len(sheets) > MOST_PARTS:
        reading.problems.append(Problem(f"It has {len(sheets)} sheets; the first {MOST_PARTS} are read."))
    if not reading.tables and not reading.problems:
        raise Unreadable("All its sheets are empty; expected rows below a row of column names.")
    return reading


def _refuse_bombs(file: io.BufferedReader) -> None:
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise Unreadable(f"The workbook is cut off or damaged: {fault}.") from None
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED:
        largest = max(parts, key=lambda part: part.file_size)
        words = f"It unpacks to {unpacked:,} bytes; at most {MOST_UNPACKED:,} are read."
        raise Unreadable(words, f"part {largest.filename}")
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
    words = f"{count} without a stored result, read as empty: open the workbook in Excel and save it."
    return [Problem(words, f"sheet {sheet!r}, cell {first}")]


def _formulas(file: io.BufferedReader, sheet: str, rows: int) -> Iterator[tuple[int, int, str]]:
    """(row below the header, column, name) of the formulas among the first cells of a sheet."""
    import openpyxl

    file.seek(0)
    book: Any = openpyxl.load_workbook(file, read_only=True, data_only=False)
    seen = 0
    for number, row in enumerate(book[sheet].iter_rows(max_row=rows), start=-1):
        seen += len(row)
        if seen > MOST_LOOKED_AT:
            return
        for cell in row:
            if cell.data_type == "f":
                yield number, cell.column - 1, cell.coordinate


def _holds(blank: Any, place: tuple[int, int, str]) -> bool:
    row, column, _name = place
    return 0 <= row < blank.shape[0] and column < blank.shape[1] and bool(blank[row, column])
