"""The child of one chat: a process started when needed, used by one cell at a time, replaced when it dies."""

import contextlib
import select
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

from smoldesk.errors import Conflict, DeskError
from smoldesk.sandbox.frames import BadFrame, Ready, parse
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.losses import loss
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.sites import CodeSite
from smoldesk.sandbox.slots import Slots
from smoldesk.sandbox.tool_host import Services
from smoldesk.stopping import StopFlag

START_SECONDS = 90.0
BUSY_SECONDS = 1.0
# Processes that are tried in turn while their nodes are lost.
START_TRIES = 3


class Child:
    """Stays the same object for its chat while processes come and go. Made by `Children` only.

    `take` returns a process for this chat, `gone` is called with the reason when one has ended.
    """

    def __init__(
        self,
        chat_id: str,
        folder: Path,
        *,
        take: Callable[["Child"], ChildProcess],
        gone: Callable[["Child", str], None],
        cell_seconds: float,
        grace_seconds: float,
        limits: Limits,
        site: CodeSite,
        services: Services | None = None,
    ) -> None:
        self.chat_id = chat_id
        self.folder = folder
        self.limits = limits
        self.services = services or {}
        self.site = site
        """Where its process runs, or the next one will."""
        self.cell_seconds = cell_seconds
        self.grace_seconds = grace_seconds
        self.process: ChildProcess | None = None
        self.busy = threading.Lock()
        """Held while a thread uses the process: by a cell, or by the thread that ends it between cells."""
        self.holders = 0
        """Executors that are in the middle of a run: such a child is evicted last."""
        self.waiting = False
        """A cell's call is with the host, which may be asking a person: the process is stopped and takes no place."""
        self.only_here = False
        """Its process runs on this machine, not at a node."""
        self.last_used = time.monotonic()
        self.ending = ""
        """The reason why another thread ends the process under a running cell."""
        self.dropped = False
        """The chat is gone: no further process for it."""
        self._take = take
        self._gone = gone

    @contextlib.contextmanager
    def in_use(self, stop: StopFlag) -> Generator[ChildProcess]:
        """Yield a ready process for one cell. Raises Conflict while another cell runs, Stopped, or DeskError.

        A process that dies meanwhile must be reported with `end`.
        """
        if not self.busy.acquire(timeout=BUSY_SECONDS):  # the supervisor may be looking at it just now
            raise Conflict("A cell of this chat is running already.", "Wait for it, or stop it.")
        try:
            process = self._ready_process(stop)
            process.resume()
            yield process
        finally:
            if self.process is not None and self.process.ready:
                # Threads that a cell left behind would go on computing between cells.
                self.process.pause()
            self.last_used = time.monotonic()
            self.busy.release()

    @property
    def slots(self) -> Slots:
        """Places for cells that compute where its process runs."""
        return self.site.slots

    @property
    def is_alive(self) -> bool:
        """Whether it has a process that runs. Any thread may ask, also while another one ends the process."""
        process = self.process  # read once: it may be None a moment later
        return process is not None and process.alive

    def end(self, reason: str) -> str:
        """Kill the process and forget it; the caller holds `busy`. Returns the reason that counts."""
        # A reason left by the thread that killed the process is the cause; the caller saw only the effect.
        reason, self.ending = self.ending or reason, ""
        if self.process is not None:
            reason = self.process.loss or reason
            self.process.kill()
            self._gone(self, reason)
            self.process = None
        return reason

    def check(self) -> None:
        """Between cells: notice a process that died or sent data while idle. The caller holds `busy`."""
        if self.process is not None and self.process.ready and not self.process.quiet():
            alive = self.process.alive
            self.end("the Python process sent data while idle" if alive else loss("ended"))

    def _ready_process(self, stop: StopFlag) -> ChildProcess:
        self.check()
        fault: Exception | None = None
        for _ in range(START_TRIES):
            if self.process is None:
                self.process = self._take(self)
            process = self.process
            try:
                if not process.ready:
                    process.prepare(stop)
                    wait_until_ready(process, stop)
                process.grant_folder(self.folder)
                process.deliver(self.folder, stop)
                return process
            except (ChildGone, BadFrame) as gone:
                fault, is_lost = gone, bool(process.loss)
                self.end("the Python process did not start")
            if not is_lost:  # else the next one starts at another node, or here
                break
        raise DeskError(
            f"The Python process did not start: {fault}.", "See `smoldesk doctor`.", code="sandbox_failed"
        )


def wait_until_ready(process: ChildProcess, stop: StopFlag, seconds: float = START_SECONDS) -> None:
    """Wait for the preload to end; raises Stopped, ChildGone or BadFrame."""
    give_up = time.monotonic() + seconds
    waiting = select.poll()
    waiting.register(process.sock, select.POLLIN)
    waiting.register(stop, select.POLLIN)
    while not process.ready:
        stop.check()
        body = process.reader.next()
        if body is not None:
            if not isinstance(parse(body), Ready):
                raise BadFrame("its first frame was not `ready`")
            process.ready = True
        elif not process.receive():
            if time.monotonic() > give_up:
                raise ChildGone("it was not ready in time")
            waiting.poll(500)
