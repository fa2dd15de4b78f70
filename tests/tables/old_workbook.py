"""Writer of a workbook of Excel 97 to 2003: numbers and texts on sheets, as BIFF8 records in an OLE file.

Written after the format's public description ([MS-XLS], [MS-CFB]); just what a reader needs.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

SECTOR = 512
FREE, END, IS_FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def write_xls(path: Path, sheets: Mapping[str, Sequence[Sequence[str | float | None]]]) -> None:
    """Write sheets with their rows."""
    path.write_bytes(_ole(_book(sheets)))


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _text(text: str, size: str) -> bytes:
    return struct.pack(size + "B", len(text), 1) + text.encode("utf-16-le")


def _book(sheets: Mapping[str, Sequence[Sequence[str | float | None]]]) -> bytes:
    start, end = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 6)), _record(0x000A, b"")
    names = [_text(name, "<B") for name in sheets]
    place = len(start) + sum(10 + len(name) for name in names) + len(end)
    globals_, bodies = start, b""
    for name, rows in zip(names, sheets.values(), strict=True):
        globals_ += _record(0x0085, struct.pack("<IH", place + len(bodies), 0) + name)
        bodies += _sheet(rows)
    return globals_ + end + bodies


def _sheet(rows: Sequence[Sequence[str | float | None]]) -> bytes:
    data = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 6))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            where = struct.pack("<HHH", row, column, 0)
            if isinstance(cell, str):
                data += _record(0x0204, where + _text(cell, "<H"))
            elif cell is not None:
                data += _record(0x0203, where + struct.pack("<d", cell))
    return data + _record(0x000A, b"")


def _ole(stream: bytes) -> bytes:
    """Return a compound file with one stream: header, table of sectors, directory, stream."""
    stream = stream.ljust(4096, b"\0")
    count = -(-len(stream) // SECTOR)
    chain = [IS_FAT, END, *range(3, count + 2), END]
    table = struct.pack(f"<{SECTOR // 4}I", *chain, *[FREE] * (SECTOR // 4 - len(chain)))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, END, 0, END, 0)
    header += struct.pack("<109I", 0, *[FREE] * 108)
    directory = _entry("Root Entry", 5, END, 0, child=1) + _entry("Workbook", 2, 2, len(stream))
    return header + table + directory.ljust(SECTOR, b"\0") + stream.ljust(count * SECTOR, b"\0")


def _entry(name: str, kind: int, start: int, size: int, child: int = FREE) -> bytes:
    text = (name + "\0").encode("utf-16-le")
    entry = text.ljust(64, b"\0") + struct.pack("<HBB", len(text), kind, 1)
    return entry + struct.pack("<III36xIQ", FREE, FREE, child, start, size)
