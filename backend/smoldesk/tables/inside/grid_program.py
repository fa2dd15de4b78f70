"""Process for one stored table: enters the jail of the table's chat, opens the table and answers until the host
leaves.

It handles one question at a time; a `cancel` ends the current one. Faults of a file or a question become answers.
"""

import base64
import contextlib
import fcntl
import os
import queue
import secrets
import shutil
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel, Frame
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.jailing import go_to_jail

from . import duck_reading as duck
from .column_profiles import profile_of
from .folder_size import size_of
from .sqlite_reading import Watch
from .table_export import export
from .table_grid import Cancelled, Grid
from .table_groups import groups
from .table_view import BadView

PLACES = ".grids"
# Idle time after which the grid prepares for the next question.
PAUSE_SECONDS = 2.0


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Receive one `open` frame, enter the jail, answer questions, and exit when the host does.

    The table is untrusted. `config` has the jail's plan, limits and packages.
    """
    channel = Channel(sock, Interrupts())
    connection = duck.opened()  # ahead of time, and before the jail, where opening fails
    channel.send({"type": "ready"})
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            go_to_jail(config, frame["folder"], frame["uid"], [frame["path"]])
        _serve(frame, connection, channel)
    os._exit(0)


def _serve(frame: Frame, connection: Any, channel: Channel) -> None:
    import duckdb

    folder = Path(frame["folder"])
    os.chdir(folder)
    with _place(Path(PLACES)) as place:
        remaining = max(0, frame["room"] - size_of(folder))
        duck.bound(connection, frame["memory"], place, remaining)
        duck.lock(connection, [frame["path"]], [str(place)])
        inbox = _Inbox(channel, place)
        try:
            grid = Grid(connection, _parquet_of(frame, connection, place), place)
        except (duckdb.Error, MemoryError, UnicodeError) as fault:
            channel.send(_fault("broken_table", duck.plain(fault, ""), "Show it again to make a new one."))
            return
        columns = [{"name": column.name, "kind": column.kind, "type": column.type} for column in grid.columns]
        channel.send({"type": "opened", "rows": grid.rows, "columns": columns})
        while True:
            request = inbox.next(grid.pause)
            for answer in _answers(request, grid, frame, place, inbox):
                channel.send({**answer, "id": request["id"]})


def _answers(request: Frame, grid: Grid, frame: Frame, place: Path, inbox: "_Inbox") -> Iterator[Frame]:
    """Yield the answers to one question; the last is an `answer` or a `fault`."""
    import duckdb

    watch = Watch(grid.connection, request["seconds"], 4 * frame["memory"])

    def cancelled() -> bool:
        return bool(watch.reason)

    try:
        with watch, inbox.calling(request["id"], watch.stop):
            match request["what"]:
                case "page":
                    yield {"type": "answer", **grid.page(request, cancelled)}
                case "profile":
                    profile = profile_of(grid.connection, frame["path"], grid.columns, grid.rows)
                    yield {"type": "answer", "columns": profile}
                case "groups":
                    yield {"type": "answer", **groups(grid, request, cancelled)}
                case _:
                    for piece in export(grid, request, place, cancelled):
                        yield {"type": "piece", "data": base64.b64encode(piece).decode()}
                    yield {"type": "answer"}
    except BadView as fault:
        yield _fault(fault.code, str(fault), fault.hint)
    except Cancelled:
        yield _fault("table_unanswered", f"The table was not read: {watch.reason}.", "Ask for less.")
    except (duckdb.Error, MemoryError, OSError, UnicodeError, OverflowError, ValueError) as fault:
        message = duck.plain(fault, watch.reason)
        yield _fault(
            "table_unanswered", f"The table could not be read: {message}.", "Ask for less, or another way."
        )


def _parquet_of(frame: Frame, connection: Any, place: Path) -> str:
    """Return the table's Parquet file, converted from its JSON lines if need be. Raises duckdb.Error."""
    if not frame["columns"]:
        return frame["path"]
    target = str(place / "rows.parquet")
    types = ", ".join(f"c{at}: {duck.text(type_)}" for at, (_, type_) in enumerate(frame["columns"]))
    names = ", ".join(f"c{at} AS {duck.name(name)}" for at, (name, _) in enumerate(frame["columns"]))
    lines = f"read_json({duck.text(frame['path'])}, format = 'newline_delimited', columns = {{{types}}})"
    connection.execute(f"COPY (SELECT {names} FROM {lines}) TO {duck.text(target)} (FORMAT parquet)")
    return target


def _fault(code: str, message: str, hint: str) -> Frame:
    return {"type": "fault", "code": code, "message": message[:1_000], "hint": hint[:1_000]}


class _Inbox:
    """Frames of the host, read by a thread: questions in order, and cancellations.

    When the host leaves, deletes `place` and exits the process.
    """

    def __init__(self, channel: Channel, place: Path) -> None:
        self._channel = channel
        self._place = place
        self._questions: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._cancelled = 0
        """Number of the last cancelled question."""
        self._open: tuple[int, Callable[[], None]] | None = None
        threading.Thread(target=self._read, name="table-inbox", daemon=True).start()

    def next(self, pause: Callable[[], None]) -> Frame:
        """Return the next question; call `pause` once if none arrives soon."""
        with contextlib.suppress(queue.Empty):
            return self._questions.get(timeout=PAUSE_SECONDS)
        pause()
        return self._questions.get()

    @contextlib.contextmanager
    def calling(self, number: int, stop: Callable[[], None]) -> Generator[None]:
        """Call `stop` when this question is cancelled, at once if it was cancelled before."""
        with self._lock:
            self._open = number, stop
            # The cancel may arrive before the question starts: the reader thread runs ahead of the answers.
            late = self._cancelled == number
        if late:
            stop()
        try:
            yield
        finally:
            with self._lock:
                self._open = None

    def _read(self) -> None:
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                frame = self._channel.receive()
                if frame["type"] != "cancel":
                    self._questions.put(frame)
                    continue
                with self._lock:
                    self._cancelled = frame["id"]
                    stop = self._open[1] if self._open and self._open[0] == frame["id"] else None
                if stop is not None:
                    stop()
        shutil.rmtree(self._place, ignore_errors=True)
        os._exit(0)


@contextlib.contextmanager
def _place(above: Path) -> Generator[Path]:
    """Yield a folder for this process. Deletes the folders of dead processes, whose locks are free."""
    above.mkdir(exist_ok=True)
    for other in above.iterdir():
        with contextlib.suppress(OSError), (other / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(other, ignore_errors=True)
    path = above / secrets.token_hex(8)
    path.mkdir()
    with (path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
