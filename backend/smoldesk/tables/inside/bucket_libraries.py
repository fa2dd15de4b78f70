"""Libraries of cells that open the URLs of objects: fsspec and through it pandas, DuckDB, PyArrow and pyiceberg."""

import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .bucket_files import SERVICE, ObjectFile, connect, find, listing

if TYPE_CHECKING:
    from smoldesk.sandbox.inside.cells import Cells

SCHEMES = ("s3", "gs", "az", "azure")


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
                return _info(path, *find(path))
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
            return datetime.datetime.fromtimestamp(find(path)[1] % 10**9, datetime.UTC)

        def _open(self, path: str, mode: str = "rb", *_: Any, **__: Any) -> Any:
            if mode != "rb":
                raise PermissionError(f"{path} is of a folder that can only be read")
            return ObjectFile(path)

        def rm_file(self, path: str) -> None:
            raise PermissionError(f"{path} is of a folder that can only be read")

    return ObjectFileSystem()


def _info(url: str, size: int, version: int) -> dict[str, Any]:
    return {"name": url, "size": size, "type": "file", "ETag": str(version)}


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
