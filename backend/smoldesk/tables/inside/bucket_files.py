"""Objects of the operator's folders in buckets, as files of this process: ranges come from the desk through a door.

`connect` gives the door. pandas and others open the URLs with fsspec, DuckDB with the same file system, PyArrow by a
wrapper. Nothing here knows credentials or an address of a server.
"""

import base64
import datetime
import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from smoldesk.sandbox.inside.cells import Cells

SERVICE = "read_object"
# Bytes of one range, whose text in base64 fits into a frame.
MAX_RANGE = 8 << 20
# Bytes of a first range. Each that continues the one before has twice as many, up to MAX_AHEAD.
FIRST, MAX_AHEAD = 1 << 16, 4 << 20
SCHEMES = ("s3", "gs", "az", "azure")
Door = Callable[[dict[str, Any]], Any]
_doors: list[Door] = []


def begin(_folder: Path, config: dict[str, Any], cells: "Cells") -> None:
    """Let the libraries of cells open the URLs, if the desk has such folders."""
    if not config["has_objects"]:
        return
    from smoldesk.sandbox.inside.duckdb_in_cells import OnImport

    connect(lambda arguments: cells.call(SERVICE, arguments))
    adopters = {"fsspec": _adopt_fsspec, "pyarrow.fs": _adopt_arrow, "duckdb": _adopt_duckdb}
    adopters |= {"pyiceberg.io": _adopt_iceberg, "pyiceberg.io.fsspec": _adopt_iceberg_fsspec}
    for name, adopt in adopters.items():
        if name in sys.modules:
            adopt(sys.modules[name])
        else:
            sys.meta_path.insert(0, OnImport(name, adopt))


def connect(door: Door) -> None:
    """Set the door to the desk."""
    _doors[:] = [door]


def is_object(name: object) -> bool:
    """Check whether the name of a file or folder is a URL."""
    return "://" in str(name)


def listing() -> dict[str, Any]:
    """Return the `files` of all folders ([URL, size, version]), the `tables` among them, and `problems`."""
    return _doors[0]({"do": "list"}) if _doors else {"files": [], "tables": [], "problems": []}


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
        return _find(self._url)[0]

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
        self.size, self._version = _find(url)
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
        return base64.b64decode(_doors[0]({**request, "offset": offset, "length": length}))


def file_system() -> Any:
    """Return an fsspec file system of the objects. It reads alone."""
    from fsspec.spec import AbstractFileSystem

    class ObjectFileSystem(AbstractFileSystem):
        protocol = SCHEMES
        cachable = False

        @classmethod
        def _strip_protocol(cls, path: Any) -> Any:
            if isinstance(path, list):
                return [str(item).rstrip("/") for item in cast("list[Any]", path)]
            return str(path).rstrip("/")

        def unstrip_protocol(self, name: str) -> str:
            return name

        def info(self, path: str, **_: Any) -> dict[str, Any]:
            try:
                return _info(path, *_find(path))
            except FileNotFoundError:
                if any(url.startswith(f"{path.rstrip('/')}/") for url, _, _ in listing()["files"]):
                    return {"name": path, "size": 0, "type": "directory"}
                raise

        def find(self, path: str, *_: Any, detail: bool = False, **__: Any) -> Any:
            head = f"{path.rstrip('/')}/"
            files = {entry[0]: _info(*entry) for entry in listing()["files"] if entry[0].startswith(head)}
            return files if detail else [*files]

        def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
            head = f"{path.rstrip('/')}/"
            entries: dict[str, dict[str, Any]] = {}
            for url, size, version in listing()["files"]:
                if url.startswith(head):
                    name, slash, _ = url[len(head) :].partition("/")
                    folder = {"name": head + name, "size": 0, "type": "directory"}
                    entries[head + name] = folder if slash else _info(url, size, version)
            return [*entries.values()] if detail else [*entries]

        def modified(self, path: str) -> datetime.datetime:
            # DuckDB reads a file anew once this differs.
            return datetime.datetime.fromtimestamp(_find(path)[1] % 10**9, datetime.UTC)

        def _open(self, path: str, mode: str = "rb", *_: Any, **__: Any) -> Any:
            if mode != "rb":
                raise PermissionError(f"{path} is of a folder that can only be read")
            return ObjectFile(path)

        def rm_file(self, path: str) -> None:
            raise PermissionError(f"{path} is of a folder that can only be read")

    return ObjectFileSystem()


def _info(url: str, size: int, version: int) -> dict[str, Any]:
    return {"name": url, "size": size, "type": "file", "ETag": str(version)}


def _find(url: str) -> tuple[int, int]:
    if not _doors:
        raise FileNotFoundError(f"{url}: this process reads no objects")
    size, version = _doors[0]({"do": "find", "url": url})
    return size, version


def _adopt_fsspec(fsspec: Any) -> None:
    implementation: Any = file_system().__class__
    for scheme in SCHEMES:
        fsspec.register_implementation(scheme, implementation, clobber=True)


def _adopt_duckdb(duckdb: Any) -> None:
    connect_to = duckdb.connect

    def connected(*arguments: Any, **options: Any) -> Any:
        connection = connect_to(*arguments, **options)
        register(connection)
        return connection

    duckdb.connect = connected
    register(duckdb.default_connection())


def register(connection: Any) -> None:
    """Let a connection read the objects."""
    system = file_system()
    if SCHEMES[0] not in connection.list_filesystems():
        connection.register_filesystem(system)


def _adopt_arrow(arrow_fs: Any) -> None:
    """Have `FileSystem.from_uri` return ours: PyArrow's own would look for a network."""
    original: type[Any] = arrow_fs.FileSystem

    class AnyFileSystem(type(original)):
        def __instancecheck__(self, instance: Any) -> bool:
            return isinstance(instance, original)

    class FileSystem(original, metaclass=AnyFileSystem):
        @staticmethod
        def from_uri(uri: Any) -> Any:
            if str(uri).partition("://")[0] in SCHEMES:
                return arrow_fs.PyFileSystem(arrow_fs.FSSpecHandler(file_system())), str(uri)
            return original.from_uri(uri)

    arrow_fs.FileSystem = FileSystem


def _adopt_iceberg(iceberg_io: Any) -> None:
    iceberg_io.SCHEMA_TO_FILE_IO.update({scheme: [iceberg_io.FSSPEC_FILE_IO] for scheme in SCHEMES})


def _adopt_iceberg_fsspec(iceberg_fsspec: Any) -> None:
    def from_properties(_properties: Any) -> Any:
        return file_system()

    iceberg_fsspec.SCHEME_TO_FS.update(dict.fromkeys(SCHEMES, from_properties))
