"""Files made to harm whoever reads them."""

import io
import sqlite3
import struct
import zipfile
from pathlib import Path

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="{kind}" Target="{target}"/></Relationships>'
)
_HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'


def workbook(rows: str, doctype: str = "") -> bytes:
    """An Excel file whose one sheet has a header and these rows of XML."""
    out = io.BytesIO()
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _LINKS.format(kind=f"{_OFFICE}/officeDocument", target="xl/workbook.xml"),
        "xl/workbook.xml": f'<?xml version="1.0"?><workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}">'
        '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _LINKS.format(
            kind=f"{_OFFICE}/worksheet", target="worksheets/sheet1.xml"
        ),
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{doctype}<worksheet xmlns="{_SHEETS}">'
        f"<sheetData>{_HEADER}{rows}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def zip_bomb() -> bytes:
    """A workbook whose sheet is four billion bytes long, as its directory has it."""
    data = bytearray(workbook(""))
    entry = data.rfind(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 4_000_000_000)
    return bytes(data)


def endless_rows() -> bytes:
    """A small workbook of so many rows that reading takes very long."""
    return workbook("<row><c><v>1</v></c></row>" * 6_000_000)


def foreign_entity() -> bytes:
    """A workbook that asks for a file of the server."""
    text = '<row r="2"><c r="A2" t="inlineStr"><is><t>&e;</t></is></c></row>'
    return workbook(text, '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')


def billion_laughs() -> bytes:
    """A workbook whose one text is three billion characters long."""
    grown = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    text = '<row r="2"><c r="A2" t="inlineStr"><is><t>&l9;</t></is></c></row>'
    return workbook(text, f'<!DOCTYPE x [<!ENTITY l0 "lol">{grown}]>')


def hostile_database(path: Path) -> None:
    """A database with a view that never ends, a trigger, and a table whose cells are made when they are read."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE plain (a)")
        database.execute("INSERT INTO plain VALUES (1)")
        database.execute("CREATE TABLE huge (a, b AS (hex(zeroblob(30000000))))")
        database.execute("INSERT INTO huge (a) VALUES (1)")
        endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
        database.execute(f"CREATE VIEW endless AS {endless}")
        database.execute("CREATE TRIGGER gone AFTER INSERT ON plain BEGIN DELETE FROM plain; END")
    database.close()


def too_many_pages(path: Path) -> None:
    """A database whose first page claims four billion of them."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE plain (a)")
    database.close()
    data = bytearray(path.read_bytes())
    data[28:32] = b"\xff\xff\xff\xff"
    path.write_bytes(bytes(data))
