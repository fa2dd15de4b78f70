"""All child processes of a server: one for each chat that runs code, at most so many, and one kept warm."""

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from smoldesk.errors import DeskError
from smoldesk.sandbox.child import BUSY_SECONDS, Child
from smoldesk.sandbox.environment import PRELOAD
from smoldesk.sandbox.isolation import Isolation, Jail, jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.losses import loss
from smoldesk.sandbox.machine import processors
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.sites import CellSetup, CodeSite, LocalSite, Nodes
from smoldesk.sandbox.slots import Slots
from smoldesk.sandbox.supervisor import Supervisor
from smoldesk.sandbox.tool_host import Services

REWARM_SECONDS = 3.0
SPARE_TRIES = 3
# How long a cell waits for cells that are being ended: they hold a process, and no place.
ROOM_SECONDS = 30.0
POLL_SECONDS = 0.05
FORGET_SECONDS = 3600.0
MAX_LOSSES = 10_000
# Between a chat's id and the name of its part.
PART = "/"


class Children:
    """Starts, keeps and ends children. All methods may be called from any thread.

    `cell_seconds` is how long a cell may run, `grace_seconds` what it then has to stop by itself. `cache_dir`
    keeps matplotlib's font list (a temporary folder when None), `datasets` is the folder
    `seaborn.load_dataset` reads, `readable` are more folders to read; `preload` names packages that are imported
    once, before any cell. `jail` is by default what this machine gives; `command` replaces the child's program,
    without a jail (tests put rogues there: `{fd}` is filled). `packages` of others (name and folder) can be imported by
    children, and `modules` of them, with what each is told, give cells more names. `services` answer calls of all cells.

    At most `max_cells` cells compute at once (0: as many as there are processors). A child without a cell for
    `idle_seconds` is ended; when the machine is short of memory (`min_free_bytes`), idle ones are, the
    oldest first.

    With `nodes`, a process starts at the one with the fewest children, and here only if none of them has room.
    """

    def __init__(
        self,
        *,
        max_children: int = 16,
        cell_seconds: float = 60,
        grace_seconds: float = 2,
        cache_dir: Path | None = None,
        datasets: Path | None = None,
        preload: Sequence[str] = PRELOAD,
        limits: Limits | None = None,
        max_cells: int = 0,
        idle_seconds: float = 1800,
        min_free_bytes: int = 512 * MIB,
        jail: Jail | None = None,
        command: Sequence[str] | None = None,
        packages: Mapping[str, str] | None = None,
        readable: Sequence[Path] = (),
        modules: Mapping[str, Mapping[str, Any]] | None = None,
        nodes: Nodes | None = None,
        services: Services | None = None,
    ) -> None:
        self._cell_seconds = cell_seconds
        self._grace_seconds = grace_seconds
        self._temporary_cache = None if cache_dir else tempfile.TemporaryDirectory(prefix="smoldesk-cache-")
        cache = cache_dir or Path(
            self._temporary_cache.name if self._temporary_cache else tempfile.gettempdir()
        )
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._limits = limits or Limits()
        self._here = LocalSite(
            CellSetup(preload, packages or {}, modules or {}, datasets, readable),
            cache.resolve(),
            jail or jail_here(cache.resolve().parent),
            self._limits,
            Slots(min(max_cells or processors(), max_children)),
            max_children,
            min_free_bytes,
            command,
        )
        self.nodes = nodes
        self._services = services or {}
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._chats: dict[str, Child] = {}
        self._lost: dict[str, str] = {}
        self._spare: ChildProcess | None = None
        self._spare_tries = 0
        self._keep_spare = False
        self._closed = False
        self._supervisor = Supervisor(self._supervise)

    def child(self, chat_id: str, folder: Path, part: str = "", only_here: bool | None = None) -> Child:
        """Return a chat's child, started ahead of its first cell if there is room for its process.

        Each `part` of a chat has a child with variables of its own. With `only_here` its process runs on this machine; one
        at a node is ended. None: as before. Raises DeskError if none can be started, or after
        `close`.
        """
        chat_id = f"{chat_id}{PART}{part}" if part else chat_id
        with self._lock:
            child = self._chats.get(chat_id)
            if child is None:
                child = Child(
                    chat_id,
                    folder.resolve(),
                    take=self._take_for,
                    gone=self._note_gone,
                    cell_seconds=self._cell_seconds,
                    grace_seconds=self._grace_seconds,
                    limits=self._limits,
                    site=self._here,
                    services=self._services,
                )
                self._chats[chat_id] = child
            if only_here is not None:
                child.only_here = only_here
                if only_here and child.process is not None and child.site is not self._here:
                    self._end(child, loss("desk"), only_idle=True)
            # Started before the first cell needs it: the model thinks for a second or more, as long as a start takes.
            if child.process is None and child.busy.acquire(blocking=False):
                try:
                    if self._make_room(child):
                        child.process = self._process(child)
                finally:
                    child.busy.release()
            return child

    def warm(self) -> None:
        """Keep one child started and preloaded for the next chat that needs one; returns at once."""
        with self._lock:
            self._keep_spare = True
        self._supervisor.soon(0)

    def drop(self, chat_id: str, reason: str) -> None:
        """End a chat's child and those of its parts, also under a running cell, and forget the chat."""
        with self._lock:
            parts = [key for key in self._chats if key.startswith(f"{chat_id}{PART}")]
            for key in (chat_id, *parts):
                self._drop(key, reason)

    def drop_part(self, chat_id: str, part: str, reason: str) -> None:
        """Drop the child of one part of a chat."""
        with self._lock:
            self._drop(f"{chat_id}{PART}{part}", reason)

    def lost(self, chat_id: str) -> str | None:
        """Return once why the variables of earlier cells are gone; None if none were lost."""
        with self._lock:
            child = self._chats.get(chat_id)
        if child is not None and child.busy.acquire(timeout=BUSY_SECONDS):  # the supervisor may be looking
            try:
                child.check()
            finally:
                child.busy.release()
        with self._lock:
            return self._lost.pop(chat_id, None)

    def is_intact(self, chat_id: str) -> bool:
        """Return at once whether the chat has a process, with the variables of earlier cells; False if it never had one.

        Raises BlockingIOError if another thread uses it, or if it is to be ended or its loss to be reported.
        """
        if not self._lock.acquire(blocking=False):
            raise BlockingIOError
        try:
            child = self._chats.get(chat_id)
            if chat_id in self._lost:
                raise BlockingIOError
        finally:
            self._lock.release()
        if child is None:
            return False
        if not child.busy.acquire(blocking=False):
            raise BlockingIOError
        try:
            process = child.process
            if process is not None and process.ready and not process.is_silent():
                raise BlockingIOError
            return child.is_alive
        finally:
            child.busy.release()

    @property
    def cells_waiting(self) -> int:
        """The number of cells that wait for a processor."""
        return sum(site.slots.waiting for site in self._sites())

    def alive(self, chat_id: str) -> bool:
        """Return whether the chat has a process: after a restart of the server it has none, and nothing was noticed."""
        with self._lock:
            child = self._chats.get(chat_id)
            return child is not None and child.is_alive

    def holds(self, chat_id: str) -> bool:
        """Return whether the chat or a part of it has a process."""
        with self._lock:
            children = [child for key, child in self._chats.items() if key.partition(PART)[0] == chat_id]
        return any(child.is_alive for child in children)

    def site(self, chat_id: str) -> CodeSite:
        """Return where the chat's process runs, or ran last."""
        with self._lock:
            child = self._chats.get(chat_id)
            return child.site if child is not None else self._here

    def nodes_in_use(self) -> list[tuple[CodeSite, int]]:
        """Return the connected nodes with the number of their processes."""
        with self._lock:
            counts = Counter(id(child.site) for child in self._chats.values() if child.process is not None)
            return [(site, counts[id(site)]) for site in self._sites() if site is not self._here]

    def report(self) -> Isolation:
        """Return how far code is isolated from this machine, layer by layer."""
        return self._here.report()

    def close(self) -> None:
        """End every process and the supervisor."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for child in self._chats.values():
                self._end(child, "the server is closing")
            self._chats.clear()
            self._drop_spare()
        if self.nodes is not None:
            self.nodes.close()
        self._supervisor.call(self._here.close)
        self._supervisor.close()
        if self._temporary_cache is not None:
            self._temporary_cache.cleanup()

    # --- with the lock held ---------------------------------------------------------------------------------

    def _sites(self) -> list[CodeSite]:
        return [*(self.nodes.sites() if self.nodes is not None else ()), self._here]

    def _process(self, child: Child) -> ChildProcess:
        """Give the spare process, or a new one, to the chat."""
        if self._closed or child.dropped:
            raise DeskError("The sandbox is closed.", code="sandbox_closed")
        if child.site is self._here:
            # The spare is preloaded, so a chat's first cell does not wait for the import of pandas.
            process, self._spare = self._spare, None
            if process is not None:
                self._supervisor.soon(
                    REWARM_SECONDS
                )  # not at once: the chat's first cell has the right of way
                if self._entered(process, child):
                    self._spare_tries = 0
                    return process
        fault = "it ended at once"
        try:
            # On the supervisor's thread: the parent-death signal is bound to the thread that starts a process (prctl(2)),
            # and a run's thread ends before its chat's child does.
            process = self._supervisor.call(child.site.start)
            if self._entered(process, child):
                return process
        except OSError as error:  # no memory, or too many processes, or a node that was lost just now
            fault = str(error)
        # A lost node takes no further process; another one, or this machine, does.
        is_lost = child.site is not self._here and child.site not in self._sites()
        if is_lost and self._make_room(child):
            return self._process(child)
        raise DeskError(f"No Python process could be started: {fault}.", code="sandbox_failed")

    def _entered(self, process: ChildProcess, child: Child) -> bool:
        try:
            process.enter(child.folder)
        except ChildGone:
            process.kill()
            return False
        return True

    def _make_room(self, newcomer: Child) -> bool:
        """Choose the newcomer's site. If all places are taken, end the process that was idle longest, those within a run
        last. Return False if all are busy.

        A child that waits for a person's answer takes no place; otherwise a few open questions would block everyone.
        """
        alive = [
            child
            for child in self._chats.values()
            if child.process is not None and child is not newcomer and not child.waiting
        ]
        if self._settle(newcomer, alive):
            return True
        # A child within a run would lose variables that its next step needs, so it goes last.
        for child in sorted(alive, key=lambda child: (child.holders > 0, child.last_used)):
            if self._end(child, loss("place"), only_idle=True):
                alive.remove(child)
                if self._settle(newcomer, alive):
                    return True
        return False

    def _settle(self, newcomer: Child, alive: Sequence[Child]) -> bool:
        """Give the newcomer the node with the fewest children among those with a free place, else this machine."""
        counts = Counter(id(child.site) for child in alive)
        sites = [self._here] if newcomer.only_here else self._sites()
        free = [site for site in sites if counts[id(site)] < site.max_children]
        if free:
            newcomer.site = min(free, key=lambda site: (site is self._here, counts[id(site)]))
        return bool(free)

    def _end(self, child: Child, reason: str, only_idle: bool = False) -> bool:
        """End a child's process; under a running cell the cell's own thread sees it and cleans up."""
        if child.busy.acquire(blocking=False):
            try:
                child.end(reason)
            finally:
                child.busy.release()
            return True
        process = child.process  # read once: the cell's thread may forget it at any moment
        if not only_idle and process is not None:
            child.ending = reason
            # Without `busy`, which the cell's thread holds: that thread sees the end of the socket and cleans up.
            process.signal_kill()
        return False

    def _drop(self, key: str, reason: str) -> None:
        child = self._chats.pop(key, None)
        if child is not None:
            child.dropped = True
            self._end(child, reason)
        if PART in key:
            self._lost.pop(key, None)  # the chat is gone, and with it the report

    def _note_gone(self, child: Child, reason: str) -> None:
        """Note a lost process; one that never ran a cell had no variables to lose."""
        if child.process is not None and child.process.cells:
            self._lost[child.chat_id] = reason

    def _end_idle(self) -> None:
        """End children that were idle for long, and under memory pressure the one that was idle longest."""
        idle = [child for child in self._chats.values() if child.process is not None and not child.holders]
        idle.sort(key=lambda child: child.last_used)
        limit = time.monotonic() - self._idle_seconds
        for child in idle:
            if child.last_used < limit:
                minutes = self._idle_seconds / 60
                self._end(child, loss("idle", f" {minutes:g} minutes"), only_idle=True)
        waiting = [child for child in idle if child.process is not None and child.process.cells]
        for site in self._sites():
            first = next((child for child in waiting if child.site is site), None)
            if first is not None and site.is_short_of_memory():
                self._end(first, loss("memory"), only_idle=True)

    def _forget_old(self) -> None:
        """Keep no trace of chats that have had no process for long; of losses, the latest."""
        limit = time.monotonic() - FORGET_SECONDS
        for chat_id, child in list(self._chats.items()):
            gone = child.process is None and not child.holders and not child.busy.locked()
            if gone and child.last_used < limit:
                del self._chats[chat_id]
        while len(self._lost) > MAX_LOSSES:
            del self._lost[next(iter(self._lost))]

    def _drop_spare(self) -> None:
        if self._spare is not None:
            self._spare.kill()
            self._spare = None

    # --- from elsewhere -------------------------------------------------------------------------------------

    def _take_for(self, child: Child) -> ChildProcess:
        """Return a process for a cell that is to run now; its thread holds `child.busy`.

        The wait is short: no more cells than children compute at once, and all other children can give way.
        """
        deadline = time.monotonic() + ROOM_SECONDS
        while True:
            with self._lock:
                if self._closed or self._make_room(child):
                    return self._process(child)
            if time.monotonic() > deadline:
                raise DeskError(
                    f"All {sum(site.max_children for site in self._sites())} Python processes are busy.",
                    "Try again in a moment.",
                    "sandbox_full",
                )
            time.sleep(POLL_SECONDS)

    def _supervise(self) -> None:
        """Notice children that died between cells, and keep a spare: the supervisor's tick."""
        if not self._lock.acquire(blocking=False):
            self._supervisor.soon(0.2)  # its holder may be waiting for this very thread
            return
        try:
            for child in self._chats.values():
                if child.busy.acquire(blocking=False):
                    try:
                        child.check()
                    finally:
                        child.busy.release()
            self._end_idle()
            self._forget_old()
            self._here.check()
            if self._spare is not None and not self._spare.alive:
                self._drop_spare()
            if (
                self._keep_spare
                and not self._closed
                and self._spare is None
                and self._spare_tries < SPARE_TRIES
            ):
                self._spare_tries += 1
                self._spare = self._here.start()
        finally:
            self._lock.release()
