"""Output of a cell on its way to the host while the cell runs: joined, limited, and never blocking.

`sys.stdout` and `sys.stderr` write here; a thread also reads a pipe behind file descriptors 1 and 2, for C code and
subprocesses. At most 20 frames a second are sent (or one per 8 kB); after 1 MiB per cell a note ends the output.
"""

import codecs
import contextlib
import ctypes
import fcntl
import io
import os
import select
import sys
import threading
import time
from collections.abc import Callable

from .interrupts import Interrupts

FLUSH_SECONDS = 0.05
FLUSH_BYTES = 8 * 1024
CELL_BYTES = 1024 * 1024
PIPE_BYTES = 1024 * 1024
PARENT_SECONDS = 2.0
C_LIBRARY = ctypes.CDLL(None)
CUT = f"\n[output cut after {CELL_BYTES:,} characters]\n"


class OutputCollector:
    """Collects the output of the running cell; `send` takes (cell, text). Output between cells is dropped."""

    def __init__(self, send: Callable[[str, str], None], interrupts: Interrupts, parent: int) -> None:
        self._send = send
        self._deferred = interrupts.deferred
        self._parent = parent
        self._pid = os.getpid()
        # Reentrant: a finalizer that prints may run on a thread that already holds the lock.
        self._lock = threading.RLock()
        self._cell: str | None = None
        self._parts: list[str] = []
        self._size = 0
        self._room = 0
        self._flushed = 0.0
        # Incremental, since a read may end in the middle of a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._wake_reader, self._wake_writer = os.pipe()
        self._pipe = self._take_descriptors()
        sys.stdout = Stream(self.write)
        sys.stderr = Stream(self.write)
        threading.Thread(target=self._watch, name="printing", daemon=True).start()

    def begin(self, cell: str) -> None:
        with self._deferred, self._lock:
            self._drain()
            # Only after `_drain`: output from between two cells is dropped while there is no cell.
            self._parts, self._size, self._room, self._cell = [], 0, CELL_BYTES, cell

    def end(self) -> None:
        """Send what is left, also what C code has in its own buffers."""
        C_LIBRARY.fflush(None)
        with self._deferred, self._lock:
            self._drain()
            self._flush()
            self._cell = None

    def flush(self) -> None:
        """Send what was printed so far, now."""
        with self._deferred, self._lock:
            self._drain()
            self._flush()

    def write(self, text: str) -> None:
        if os.getpid() != self._pid:  # a forked process has no channel: its output takes the pipe
            os.write(1, text.encode("utf-8", "replace"))
            return
        with self._deferred, self._lock:
            self._take(text)

    def _take(self, text: str) -> None:
        if self._cell is None or not text or not self._room:
            return
        if len(text) >= self._room:
            text, self._room = text[: self._room] + CUT, 0
        else:
            self._room -= len(text)
        first = not self._parts
        self._parts.append(text)
        self._size += len(text)
        if self._size >= FLUSH_BYTES or time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self._flush()
        elif first:
            # Wakes `_watch`, which sends this text after 50 ms even if the cell prints nothing more.
            os.write(self._wake_writer, b"!")

    def _flush(self) -> None:
        if not self._parts or self._cell is None:
            return
        text = "".join(self._parts)
        self._parts, self._size = [], 0
        self._flushed = time.monotonic()
        # Below the 128 Ki characters that the host accepts in one frame.
        for start in range(0, len(text), FLUSH_BYTES * 4):
            self._send(self._cell, text[start : start + FLUSH_BYTES * 4])

    # --- the descriptors 1 and 2 ----------------------------------------------------------------------------

    def _take_descriptors(self) -> int:
        """Put a pipe behind 1 and 2; returns its reading end, which never blocks."""
        reader, writer = os.pipe()
        if sys.platform == "linux":  # roomy, since C code may print while no thread of ours can run
            with contextlib.suppress(OSError):
                fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.close(writer)
        # `_drain` reads under the lock: a read that blocks would stop every print of the cell.
        os.set_blocking(reader, False)
        return reader

    def _drain(self) -> None:
        """Take what waits in the pipe, at most one pipe full: who fills it faster must not keep us here."""
        for _ in range(PIPE_BYTES // 65536):
            try:
                data = os.read(self._pipe, 65536)
            except BlockingIOError:
                return
            self._take(self._decoder.decode(data))

    def _watch(self) -> None:
        """Empty the pipe, send waiting output, and notice a parent that died: the thread's loop."""
        # Linux ends this process by the parent-death signal; other systems have to look.
        patience = None if sys.platform == "linux" else PARENT_SECONDS
        while True:
            ready, _, _ = select.select([self._pipe, self._wake_reader], [], [], patience)
            if patience and os.getppid() != self._parent:
                # sys.exit would end this thread only.
                os._exit(0)
            if self._wake_reader in ready:
                os.read(self._wake_reader, 4096)
            # Joins what comes meanwhile, which keeps the frames below 20 a second.
            time.sleep(FLUSH_SECONDS)
            with self._lock:
                self._drain()
                self._flush()


class Stream(io.TextIOBase):
    """Stream that user code has as sys.stdout and sys.stderr; `flush` need not hurry, 50 ms is soon."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self.buffer = Bytes(write)

    def write(self, s: str, /) -> int:
        # user code may pass any type
        if not isinstance(s, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"write() argument must be str, not {type(s).__name__}")
        self._write(s)
        return len(s)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "utf-8"


class Bytes(io.RawIOBase):
    """`sys.stdout.buffer`, for code that writes bytes."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def write(self, b: bytes, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        # Callers may pass a memoryview or an array, which cannot decode itself.
        data = bytes(b)
        self._write(data.decode("utf-8", "replace"))
        return len(data)

    def writable(self) -> bool:
        return True
