"""A child at a node, as the desk holds it: three connections that the node opens, and the chat's files at both ends."""

import contextlib
import select
import signal
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from smoldesk.nodes.file_exchange import DiskFull, FileExchange
from smoldesk.nodes.secure_stream import InvalidMessage, SecureSocket, SecureStream
from smoldesk.sandbox.folder_watch import State
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.losses import loss
from smoldesk.sandbox.process import ChildGone, ChildProcess, FolderObserver
from smoldesk.stopping import StopFlag

FRAMES, LIFE, FILES = ROLES = ("frames", "life", "files")
CONNECT_SECONDS = 5.0
# For the files of a run that is stopped, or of a process that is ended.
STOP_SECONDS = 5.0
MAX_REASON = 300


class NodeHandle:
    """Implements Handle over the connection `life`, on which the node reports start, end and size of the folder."""

    def __init__(self, forget: Callable[[], None]) -> None:
        """`forget` is called when the process may end."""
        self.folder_state: State = "fine"
        self.folder_files = 0
        self.is_cut = False
        """Whether the connection ended before the process did."""
        self._forget = forget
        self._life: SecureStream | None = None
        self._lock = threading.Lock()
        self._pid: int | None = None
        self._status: int | None = None
        self._complaint = ""

    def attach(self, life: SecureStream) -> None:
        self._life = life

    @property
    def has_life(self) -> bool:
        """Whether the node has opened the connection."""
        return self._life is not None

    def note_folder(self, facts: dict[str, Any]) -> None:
        """Note the size of the folder that came with its files. Raises InvalidMessage."""
        self._note({"folder": facts.get("folder"), "files": facts.get("files")})

    @property
    def pid(self) -> int:
        """Its process id at the node."""
        give_up = time.monotonic() + CONNECT_SECONDS
        while self._pid is None and not self.ended() and time.monotonic() < give_up:
            self._wait(give_up - time.monotonic())
        if self._pid is None:
            raise ProcessLookupError("the process was not forked in time")
        return self._pid

    def ended(self) -> bool:
        with self._lock:
            while self._life is not None and self._status is None:
                try:
                    message = self._life.waiting()
                    if message is None:
                        break
                    self._note(message)
                except (OSError, EOFError, InvalidMessage):
                    self._status, self.is_cut = -signal.SIGKILL, True
            return self._status is not None

    def wait(self, seconds: float) -> int | None:
        give_up = time.monotonic() + seconds
        while not self.ended() and (remaining := give_up - time.monotonic()) > 0:
            self._wait(remaining)
        return self._status

    def signal(self, number: int) -> None:
        if self._life is not None and not self.ended():
            # Few bytes: they fit into the connection, unless the node has read nothing for long.
            with contextlib.suppress(OSError):
                self._life.send({"signal": number}, 0)

    def kill(self) -> None:
        if self._life is None:
            self._status = -signal.SIGKILL
        else:
            self.signal(signal.SIGKILL)
        self._forget()

    def complaint(self) -> str:
        self.ended()
        return self._complaint

    def cut(self) -> None:
        """Treat the process as lost; any thread may call."""
        if self._life is None:
            self._status, self.is_cut = -signal.SIGKILL, True
        else:
            self._life.sock.cut()

    def close(self) -> None:
        if self._life is not None:
            self._life.sock.close()

    def _note(self, message: dict[str, Any]) -> None:
        match message:
            case {"pid": int(pid)}:
                self._pid = pid
            case {"status": int(status)} if -64 <= status <= 255:
                self._status = status
            case {"failed": str(text)}:
                self._complaint = text[:MAX_REASON]
            case {"folder": "fine" | "full" | "far too full" as state, "files": int(files)}:
                self.folder_state, self.folder_files = state, files
            case _:
                raise InvalidMessage("an unknown report about a process")

    def _wait(self, seconds: float) -> None:
        waiting = select.poll()
        if self._life is not None and self._life.sock.fileno() >= 0:
            waiting.register(self._life.sock.fileno(), select.POLLIN)
        waiting.poll(min(seconds, 0.5) * 1000)


class NodeProcess(ChildProcess):
    """A child at the node `name`. Its chat's files are sent before a cell and come back after it."""

    def __init__(
        self,
        name: str,
        scratch: Path,
        limits: Limits,
        forget: Callable[[], None],
        give_up: Callable[[str], None],
    ) -> None:
        """`forget` is called when the process may end, `give_up` when its node does not work."""
        self._give_up = give_up
        self._life = NodeHandle(forget)
        self._frames = LateSocket()
        super().__init__(self._life, self._frames)
        self._name = name
        self._scratch = scratch
        self._limits = limits
        self._files: SecureStream | None = None
        self._exchange: FileExchange | None = None
        self._folder: Path | None = None
        self._changed = threading.Event()
        """Set when it is connected or lost."""
        self._is_paused = False
        self._is_late = False
        self._has_new_files = False
        """Whether code ran since its files were collected."""

    def attach(self, role: str, stream: SecureStream) -> bool:
        """Take one of the three connections; return False for one that is there already."""
        if role == FRAMES and self._frames.inner is None:
            self._frames.inner = stream.sock
        elif role == LIFE and not self._life.has_life:
            self._life.attach(stream)
        elif role == FILES and self._files is None:
            self._files = stream
        else:
            return False
        if self._is_connected:
            self._changed.set()
        return True

    def lose(self) -> None:
        """Give the process up with its node; any thread may call."""
        self.loss = loss("node", f" ({self._name})")
        self._life.cut()
        self._frames.cut()
        if self._files is not None:
            self._files.sock.cut()
        self._changed.set()

    def enter(self, folder: Path) -> None:
        """Note the chat's folder; its files are sent by the thread that runs the first cell."""
        self._folder = folder

    def prepare(self, stop: StopFlag) -> None:
        self._changed.clear()
        if not self._is_connected and not self.loss:
            with stop.calling(self._changed.set):
                self._changed.wait(CONNECT_SECONDS)
            stop.check()
        if not self._is_connected:
            self._give_up("it did not connect a process")
        if self._files is None or self._folder is None or self.loss:
            raise ChildGone(self.how_it_ended())
        self._exchange = FileExchange(self._files, self._folder, self._scratch, self._limits, keeps_both=True)
        self._send_files(stop, is_first=True)

    def grant_folder(self, folder: Path) -> None:
        """Do nothing: the folder at the node belongs to the process."""

    def deliver(self, folder: Path, stop: StopFlag) -> None:
        self._send_files(stop)

    def collect(self, folder: Path, stop: StopFlag | None) -> None:
        if self._exchange is None or self._files is None:
            return
        # Stopped first: what threads of the cell wrote meanwhile would be lost, and the node wakes up once for both.
        self.pause()
        try:
            with self._bounded_by(stop):
                self._files.send({"collect": True})
                facts = self._exchange.receive()
            self._life.note_folder(facts)
        except (OSError, EOFError, InvalidMessage) as fault:
            raise ChildGone(self._fault(fault)) from None
        self._has_new_files = False

    def watch(self, folder: Path, limits: Limits) -> FolderObserver:
        return NodeWatch(self._life)

    def pause(self) -> None:
        if not self._is_paused:
            super().pause()
        self._is_paused, self._has_new_files = True, False

    def resume(self) -> None:
        self._is_paused, self._has_new_files = False, True
        super().resume()

    def kill(self) -> None:
        """End the process, and save what its last cell wrote if the node is still there."""
        if self._has_new_files and not self.loss and self._life.folder_state != "far too full":
            self._has_new_files = False
            self._life.kill()
            self._life.wait(CONNECT_SECONDS)
            with contextlib.suppress(ChildGone):
                self.collect(self._folder or self._scratch, None)
        super().kill()
        if self._files is not None:
            self._files.sock.close()

    def how_it_ended(self) -> str:
        if not self.loss:
            text = super().how_it_ended()
            if not self._life.is_cut:
                return text
            self.loss = loss("node", f" ({self._name})")
        complaint = self._life.complaint()
        return f"the node {self._name} was lost" + (f": {complaint}" if complaint else "")

    @property
    def _is_connected(self) -> bool:
        return self._frames.inner is not None and self._life.has_life and self._files is not None

    def _send_files(self, stop: StopFlag, is_first: bool = False) -> None:
        if self._exchange is None or self._files is None:
            return
        changed, gone = self._exchange.changes()
        if not (changed or gone or is_first):
            return
        try:
            with self._bounded_by(stop):
                self._files.send({"deliver": True})
                self._exchange.send(changed, gone, {"enter": is_first})
                answer = self._files.receive(CONNECT_SECONDS * 3)
            if "done" not in answer:
                raise InvalidMessage("an unknown message about files")
        except (OSError, EOFError, InvalidMessage) as fault:
            raise ChildGone(self._fault(fault)) from None

    @contextlib.contextmanager
    def _bounded_by(self, stop: StopFlag | None) -> Generator[None]:
        """Give an exchange of files a few seconds once the run is stopped, or from now on without `stop`."""
        timer = threading.Timer(STOP_SECONDS, self._cut)
        timer.daemon = True
        with contextlib.nullcontext() if stop is None else stop.calling(timer.start):
            if stop is None:
                timer.start()
            try:
                yield
            finally:
                timer.cancel()

    def _cut(self) -> None:
        """End the connections, as the node takes too long for the files of a stopped run."""
        self._is_late = True
        self.loss = loss("stopped")
        self._life.cut()
        if self._files is not None:
            self._files.sock.cut()

    def _fault(self, fault: Exception) -> str:
        if self._is_late:
            return f"the exchange of its files with the node {self._name} took too long"
        if isinstance(fault, DiskFull):
            self.loss = loss("full")
            return "the desk has no disk space for its files"
        if isinstance(fault, InvalidMessage):
            return f"the node {self._name} sent {fault}"
        return self.how_it_ended()


class NodeWatch:
    """Observer of a chat's folder at a node: what the node reported last."""

    def __init__(self, handle: NodeHandle) -> None:
        self._handle = handle

    def state(self, at_once: bool = False) -> State:
        self._handle.ended()  # reads the reports that have arrived
        return self._handle.folder_state

    def sweep(self) -> int:
        """Return how many files were in the folder; the node deletes it with the process."""
        return max(1, self._handle.folder_files)


class LateSocket:
    """Channel whose socket arrives later; until then there is nothing to read."""

    inner: SecureSocket | None = None

    def fileno(self) -> int:
        return self.inner.fileno() if self.inner is not None else -1

    def recv(self, size: int, /) -> bytes:
        if self.inner is None:
            raise BlockingIOError
        return self.inner.recv(size)

    def send(self, data: memoryview, /) -> int:
        if self.inner is None:
            raise BlockingIOError
        return self.inner.send(data)

    def cut(self) -> None:
        if self.inner is not None:
            self.inner.cut()

    def close(self) -> None:
        if self.inner is not None:
            self.inner.close()
