"""Excel workbooks: every sheet is a table, its first row the names of the columns."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import ParseError

from .opening import refuse_other_kinds
from .shapes import MOST_PARTS, Problem, Reading, Table, Tell, Unreadable, call

MOST_UNPACKED = 500_000_000
"""Bytes of a workbook once unpacked."""
MOST_LOOKED_AT = 200_000
"""Cells that are looked at for formulas without results."""


def read_excel(file: io.BufferedReader, name: str, stem: str, tell: Tell) -> Reading:
    """The tables of a workbook; a sheet that cannot be read is a problem. Raises Unreadable for no workbook."""
    import pandas as pd

    refuse_other_kinds(file, "an Excel workbook", b"PK\x03\x04")
    _refuse_bombs(file)
    try:
        book = pd.ExcelFile(file, engine="openpyxl")
        sheets = [str(sheet) for sheet in book.sheet_names]
    except Exception as fault:  # openpyxl meets broken XML with whatever error it runs into
        raise _explained(fault, "") from None
    reading = Reading()
    broken = False
    for place, sheet in enumerate(sheets[:MOST_PARTS]):
        tell(place / len(sheets))
        try:
            frame = book.parse(sheet)
        except MemoryError:
            raise
        except Exception as fault:  # as above
            told = _explained(fault, f"sheet {sheet!r}")
            reading.problems.append(Problem(told.message, told.where))
            broken = True
            continue
        if len(frame.columns) == 0:
            continue
        load = call("pd.read_excel", name, **({} if place == 0 else {"sheet_name": sheet}))
        reading.tables.append(Table(f"{stem}_{sheet}", frame, load))
        reading.problems.extend(_without_result(book, sheet, frame))
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
    if isinstance(fault, ParseError):
        line, column = fault.position
        return Unreadable(f"Its XML is broken at line {line}, column {column}.", where)
    if isinstance(fault, zipfile.BadZipFile | EOFError):
        return Unreadable(f"The workbook is cut off or damaged: {fault}.", where)
    if isinstance(fault, KeyError):
        return Unreadable(f"A part of the workbook is missing: {str(fault)[:200]}.", where)
    return Unreadable(f"It cannot be read as a workbook: {str(fault)[:200] or type(fault).__name__}.", where)


def _without_result(book: Any, sheet: str, frame: Any) -> Iterator[Problem]:
    """Formulas that were never computed: their cells read as empty, which nobody would notice."""
    import openpyxl

    blank = frame.isna().to_numpy()
    if not blank.any():
        return
    file = book.io
    file.seek(0)
    formulas: list[str] = []
    seen = 0
    source = openpyxl.load_workbook(file, read_only=True, data_only=False)
    for number, row in enumerate(source[sheet].iter_rows(max_row=len(frame) + 1), start=1):
        seen += len(row)
        if seen > MOST_LOOKED_AT:
            break
        for cell in row:
            place = (number - 2, getattr(cell, "column", 0) - 1)
            inside = 0 <= place[0] < blank.shape[0] and 0 <= place[1] < blank.shape[1]
            if inside and blank[place] and cell.data_type == "f":
                formulas.append(cell.coordinate)
    if formulas:
        count = "A formula" if len(formulas) == 1 else f"{len(formulas):,} formulas"
        words = f"{count} without a stored result, read as empty: open the workbook in Excel and save it."
        yield Problem(words, f"sheet {sheet!r}, cell {formulas[0]}")
