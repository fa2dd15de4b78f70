"""Process for one SQL query over the tables of a chat's folder: files in, one answer out.

DuckDB reads the files over a locked connection. Faults of a file or a query become answers.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.jailing import go_to_jail

from . import bucket_files, bucket_libraries, query_progress
from . import duck_reading as duck
from .folder_files import CACHE_FOLDER
from .folder_size import size_of
from .folder_views import FolderViews
from .sqlite_reading import NoRows, Watch

# Time for an interrupted query to end; after that the process answers without it and exits.
GRACE_SECONDS = 1.0


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Receive one `query` frame, enter the jail, answer, exit.

    Files and queries are untrusted. `config` has the jail's plan, limits and packages.
    """
    channel = Channel(sock, Interrupts())
    connection = duck.opened()  # ahead of time, and before the jail, where opening fails
    channel.send({"type": "ready"})
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            bundled = [table["path"] for table in frame["bundled"]]
            go_to_jail(config, frame["folder"], frame["uid"], [*bundled, *frame["readable"]])
        bucket_files.connect(_ObjectRequests(channel))
        channel.send(answer(frame, connection, channel.send))
    os._exit(0)


class _ObjectRequests:
    """Requests for objects to the desk: one at a time, from any of DuckDB's threads."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._turn = threading.Lock()

    def __call__(self, arguments: dict[str, Any]) -> Any:
        """Return the desk's answer. Raises OSError."""
        with self._turn:
            self._channel.send({"type": "object", "arguments": arguments})
            reply = self._channel.receive()
        if reply["type"] == "raised":
            raise OSError(reply["message"])
        return reply["value"]


def answer(frame: dict[str, Any], connection: Any, send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return `{columns, rows, truncated}` or `{error}`, with the available `tables` and the `unread` files.

    Sends `progress` frames with the `share` of a long query. For a query that ignores its interrupt, sends the error
    and exits the process.
    """
    folder = Path(frame["folder"])
    os.chdir(folder)
    remaining = frame["room"] - size_of(folder)
    if frame["buckets"]:
        bucket_libraries.register(connection)
    views = FolderViews(connection, folder, remaining, frame["files"], frame["bundled"])
    # The server deletes this folder once the process is dead: until then, threads of a query of which not all rows were
    # fetched may write there.
    spill = Path(frame["spill"])
    spill.mkdir(parents=True)
    duck.bound(connection, frame["memory"], spill, max(0, remaining))
    views.make(frame["query"])
    query_progress.count(connection)
    # From here on only these paths can be opened, so `read_more` caches below CACHE_FOLDER.
    duck.lock(connection, views.paths, [CACHE_FOLDER, *(f"{url}/" for url in frame["buckets"])])
    while True:
        try:
            return _run_query(frame, connection, views, send)
        except AskAgain as again:
            views.read_more(again.fault)


class AskAgain(Exception):
    """The query may succeed once more files are read, or are read by our readers."""

    def __init__(self, fault: Exception) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _run_query(
    frame: dict[str, Any],
    connection: Any,
    views: FolderViews,
    send: Callable[[dict[str, Any]], None],
) -> dict[str, Any]:
    """Return the answer. Raises AskAgain."""
    import duckdb

    result: dict[str, Any] = {"type": "answer", "tables": views.outline, "unread": views.unread}
    with (
        Watch(connection, frame["seconds"], 2 * frame["memory"]) as watch,
        _last_word(watch, result, send),
        query_progress.report_progress(connection, lambda share: send({"type": "progress", "share": share})),
    ):
        try:
            columns, rows, truncated = duck.fetch(connection, frame["query"], frame["most_rows"])
        except (duckdb.Error, duck.NoSelect, NoRows, MemoryError, UnicodeError, OverflowError) as fault:
            if not watch.reason and views.may_read_more(fault):
                raise AskAgain(fault) from fault
            return {**result, "error": duck.plain(fault, watch.reason)}
    return {**result, "columns": columns, "rows": rows, "truncated": truncated}


@contextlib.contextmanager
def _last_word(
    watch: Watch, result: dict[str, Any], send: Callable[[dict[str, Any]], None]
) -> Generator[None]:
    """Answer for a query that goes on after its interrupt, and exit the process."""
    done = threading.Event()

    def watch_query() -> None:
        waited = 0.0
        while not done.wait(0.1):
            waited += 0.1 if watch.reason else 0.0
            if waited >= GRACE_SECONDS:
                send({**result, "error": watch.reason})
                os._exit(0)

    threading.Thread(target=watch_query, name="sql-last-word", daemon=True).start()
    try:
        yield
    finally:
        done.set()
