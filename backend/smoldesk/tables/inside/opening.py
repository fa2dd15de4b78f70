"""Opening a file of the chat's folder: refuses links and pipes, reports progress, names the kind by the first bytes."""

import io
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

from .bucket_files import ObjectPath
from .file_notes import Value
from .shapes import ProgressCallback, Unreadable

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "zip_or_office"),
    (b"PK\x05\x06", "empty_zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old_office"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"PAR1", "parquet"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"%PDF", "pdf"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf", "seven_zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x7fELF", "program"),
    (b"ARROW1", "arrow"),
)


class ProgressFile(io.FileIO):
    """File that reports the share read while `watched` is set; detecting the encoding does not count."""

    def __init__(self, descriptor: int, on_progress: ProgressCallback) -> None:
        super().__init__(descriptor, "rb")
        self._on_progress = on_progress
        self.watched = False
        self._size = max(1, os.fstat(descriptor).st_size)

    def readinto(self, buffer: Any, /) -> int | None:
        count = super().readinto(buffer)
        if self.watched:
            self._on_progress(min(1.0, self.tell() / self._size))
        return count


def open_plain(path: Path, on_progress: ProgressCallback) -> io.BufferedReader:
    """Open a file or an object for reading. Raises Unreadable if it is a link, a pipe or missing."""
    try:
        if isinstance(path, ObjectPath):
            return path.open_object()
        # O_NONBLOCK: opening a pipe for reading would wait for a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
    except OSError as fault:
        raise Unreadable("cannot_open", {"reason": fault.strerror or str(fault)}) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unreadable("not_a_file")
    return io.BufferedReader(ProgressFile(descriptor, on_progress), 1 << 18)


def watch(file: io.BufferedReader) -> None:
    """Report progress from here on, starting at the file's beginning."""
    file.seek(0)
    if isinstance(file.raw, ProgressFile):
        file.raw.watched = True


def kind_of(start: bytes) -> str:
    """Return the kind of file that its first bytes indicate; empty if unknown."""
    return next((label for mark, label in SIGNATURES if start.startswith(mark)), "")


def is_workbook(file: io.BufferedReader) -> bool:
    """Check by the contents whether a file is an Excel workbook since 2007."""
    if not file.peek(4).startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    finally:
        file.seek(0)


def refuse_other_kinds(file: io.BufferedReader, expected: str, mark: bytes = b"") -> None:
    """Raise Unreadable if the file begins like another kind; `mark` is the fixed beginning of the expected kind, if
    any.
    """
    start = file.peek(16)[:16]
    if mark and start.startswith(mark):
        return
    other = kind_of(start)
    if other:
        raise Unreadable("misnamed", {"expected": expected, "kind": other}, {"byte": 0})
    if mark:
        values: dict[str, Value] = {"expected": expected, "start": _describe_start(start)}
        raise Unreadable("wrong_start", values, {"byte": 0})


def _describe_start(start: bytes) -> str:
    if not start:
        return "nothing"
    text = start.decode("ascii", "replace")
    return repr(text) if text.isprintable() and "\ufffd" not in text else f"the bytes {start[:8].hex(' ')}"
