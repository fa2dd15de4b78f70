"""Objects of the operator's folders in buckets, as files of this process, whose ranges come from the desk.

`connect` sets how the desk is asked; `bucket_libraries` lets pandas and others open the URLs. Nothing here knows
credentials or the address of a server.
"""

import base64
import io
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any, cast

SERVICE = "read_object"
# Bytes of one range, whose text in base64 fits into a frame.
MAX_RANGE = 8 << 20
# Bytes of a first range. Each that continues the one before has twice as many, up to MAX_AHEAD.
FIRST, MAX_AHEAD = 1 << 16, 4 << 20
# Sends a request to the desk and returns its answer. Raises OSError.
Transport = Callable[[dict[str, Any]], Any]
_transports: list[Transport] = []


def connect(transport: Transport) -> None:
    """Set how the desk is asked."""
    _transports[:] = [transport]


def is_object(name: object) -> bool:
    """Check whether the name of a file or folder is a URL."""
    return "://" in str(name)


def listing() -> dict[str, Any]:
    """Return the `files` of all folders ([URL, size, version]), the `tables` among them, and `problems`."""
    return _transports[0]({"do": "list"}) if _transports else {"files": [], "tables": [], "problems": []}


class ObjectPath:
    """Stands for a Path where files are read, for a URL."""

    def __init__(self, url: str) -> None:
        self._url = url
        path = PurePosixPath(url)
        self.name, self.stem, self.suffix = path.name, path.stem, path.suffix
        # An object has no hidden file beside it, so no options of a person.
        self.parent = Path("/nonexistent")

    def lstat(self) -> Any:
        return self

    stat = lstat

    @property
    def st_size(self) -> int:
        return find(self._url)[0]

    def open_object(self) -> io.BufferedReader:
        return io.BufferedReader(ObjectFile(self._url), 1 << 18)


def file_path(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder, or of an object."""
    return cast(Path, ObjectPath(name)) if is_object(name) else folder / name


class ObjectFile(io.RawIOBase):
    """Reader of one object in the version that it had when it was opened.

    DuckDB's threads share a file and move it before each read: a move counts for the thread that made it.
    """

    def __init__(self, url: str) -> None:
        self.name = url
        self.size, self._version = find(url)
        self._lock = threading.RLock()
        self._position = 0
        self._moves: dict[int, int] = {}
        self._buffer, self._buffer_start, self._fetch_size = b"", 0, FIRST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._moves.get(threading.get_ident(), self._position)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self.size}[whence]
        if base + offset < 0:
            raise ValueError(f"negative position {base + offset}")
        self._position = self._moves[threading.get_ident()] = base + offset
        return self._position

    def read(self, size: int | None = -1, /) -> bytes:
        with self._lock:
            start = self._moves.pop(threading.get_ident(), self._position)
            end = self.size if size is None or size < 0 else min(self.size, start + size)
            parts: list[bytes] = []
            while start < end:
                parts.append(self._part(start, end))
                start += len(parts[-1])
            self._position = start
        return parts[0] if len(parts) == 1 else b"".join(parts)

    read1 = read

    def readinto(self, buffer: Any, /) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _part(self, start: int, end: int) -> bytes:
        """Return the first bytes of a range: those that were read ahead, or new ones."""
        if not self._buffer_start <= start < self._buffer_start + len(self._buffer):
            continues = bool(self._buffer) and start == self._buffer_start + len(self._buffer)
            self._fetch_size = min(2 * self._fetch_size, MAX_AHEAD) if continues else FIRST
            length = min(max(end - start, self._fetch_size), MAX_RANGE, self.size - start)
            self._buffer, self._buffer_start = self._range(start, length), start
        at = start - self._buffer_start
        return self._buffer[at : at + end - start]

    def _range(self, offset: int, length: int) -> bytes:
        request = {"do": "read", "url": self.name, "version": self._version}
        return base64.b64decode(_transports[0]({**request, "offset": offset, "length": length}))


def find(url: str) -> tuple[int, int]:
    """Return size and version of an object. Raises FileNotFoundError."""
    if not _transports:
        raise FileNotFoundError(f"{url}: this process reads no objects")
    size, version = _transports[0]({"do": "find", "url": url})
    return size, version
