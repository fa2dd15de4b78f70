"""DuckDB in cells: connections that stay within the limits of the process, and that a stop interrupts.

By default a connection takes the whole machine's memory and processors. This module does not import DuckDB: a finder
waits until a cell does. It is not a security layer: the jail's limits hold with any connection.
"""

import contextlib
import functools
import hashlib
import importlib.util
import shutil
import sys
import weakref
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from .interrupts import Interrupts

THREADS = 2
# Prefix of the folders, inside the chat's, to which connections spill data that does not fit into memory.
SPILL = ".spill-"
# Alternative names of settings.
SAME = {"memory_limit": "max_memory", "threads": "worker_threads"}


class OnImport:
    """A finder that hands the module to `adopt` as soon as it is imported, once."""

    def __init__(self, name: str, adopt: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._adopt = adopt

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Return the module's own spec with a loader that adopts it; None for other modules."""
        if name != self._name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        loader: Any = spec.loader if spec else None
        if loader is None:
            return None
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self._adopt(module)

        loader.exec_module = exec_module
        return spec


class DuckConnections:
    """The connections of one child."""

    def __init__(self, folder: Path, interrupts: Interrupts) -> None:
        self._folder = folder
        self._interrupts = interrupts
        self._connections: weakref.WeakSet[Any] = weakref.WeakSet()
        self._numbers = count(1)

    def await_import(self) -> None:
        """Take care of DuckDB once a cell has imported it."""
        sys.meta_path.insert(0, OnImport("duckdb", self.adopt))

    def adopt(self, duckdb: Any) -> None:
        """Have `duckdb.connect`, and the connection behind `duckdb.sql`, stay within our limits."""
        for path in self._folder.glob(f"{SPILL}*"):  # by a process that was killed
            shutil.rmtree(path, ignore_errors=True)
        connect, cursor = duckdb.connect, duckdb.DuckDBPyConnection.cursor

        @functools.wraps(connect)
        def bounded(
            database: Any = ":memory:", read_only: bool = False, config: dict[str, Any] | None = None
        ) -> Any:
            if str(database) == ":default:":
                return duckdb.default_connection()
            return self._register(connect(database, read_only, self._config(str(database), config or {})))

        @functools.wraps(cursor)
        def another(connection: Any) -> Any:
            return self._register(cursor(connection))

        duckdb.connect, duckdb.DuckDBPyConnection.cursor = bounded, another
        duckdb.set_default_connection(bounded())
        self._interrupts.add_callback(self._interrupt)

    def _register(self, connection: Any) -> Any:
        connection.execute("SET enable_progress_bar = false")  # it would fill the printed output
        self._connections.add(connection)
        return connection

    def _config(self, database: str, requested: dict[str, Any]) -> dict[str, Any]:
        """Return the cell's configuration with our limits as defaults; the same for each connection to one database."""
        memory, file = _limits()
        ours: dict[str, Any] = {"threads": THREADS, "async_threads": THREADS}
        ours["autoinstall_known_extensions"] = "false"  # there is no network, and the try takes seconds
        ours["temp_directory"] = str(self._folder / f"{SPILL}{self._part(database)}")
        if memory:
            ours["memory_limit"] = f"{memory // 2}B"
        if file:
            ours["max_temp_directory_size"] = f"{file}B"
        return {name: value for name, value in ours.items() if SAME.get(name) not in requested} | requested

    def _part(self, database: str) -> str:
        """Return the folder name for this database's spilled data: only connections to the same database share it."""
        if database in ("", ":memory:"):
            return str(next(self._numbers))
        resolved = database if database.startswith(":memory:") else str(Path(database).resolve())
        return hashlib.sha256(resolved.encode("utf-8", "replace")).hexdigest()[:16]

    def _interrupt(self) -> None:
        for connection in list(self._connections):
            with contextlib.suppress(Exception):  # closed meanwhile
                connection.interrupt()


def _limits() -> tuple[int, int]:
    """Return the bytes of memory and of a file that this process may have; 0 for no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return 0, 0
    limits = [resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE)]
    memory, file = (0 if limit == resource.RLIM_INFINITY else limit for limit in limits)
    return memory, file
