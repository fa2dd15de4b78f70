"""Pool of running programs: one per chat and agent, limited in number; also collects their output between runs.

`LateOutputBuffer` joins and limits that output; it is pure: the caller passes the time.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from smoldesk.agents.terminal.program import Program
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import Conflict, DeskError

# Seconds of quiet after which buffered output is delivered.
QUIET_SECONDS = 0.5
# Buffered characters that are delivered without waiting for quiet.
PIECE_CHARACTERS = 4096
# Characters delivered between two runs; further ones are only counted, for a note before the next run.
GAP_CHARACTERS = 64 * 1024


class LateOutputBuffer:
    """Output of one program between two runs."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = self._emitted = self._omitted_characters = 0
        self._last = 0.0

    def add(self, text: str, now: float) -> None:
        """Add complete lines."""
        room = GAP_CHARACTERS - self._emitted - self._size
        if len(text) > room:
            cut = text.rfind("\n", 0, max(0, room)) + 1  # complete lines only
            self._omitted_characters += len(text) - cut
            text = text[:cut]
        if text:
            self._pieces.append(text)
            self._size += len(text)
        self._last = now

    @property
    def pending(self) -> bool:
        """Whether output waits for delivery."""
        return self._size > 0

    def poll(self, now: float) -> str:
        """Return output that is due for delivery, or ""."""
        if self._size and (self._size >= PIECE_CHARACTERS or now - self._last >= QUIET_SECONDS):
            return self._drain()
        return ""

    def end(self) -> str:
        """Return the remaining output and a note on left-out characters, before a run starts."""
        text = self._drain()
        if self._omitted_characters:
            text += f"… {self._omitted_characters} characters left out\n"
        self._emitted = self._omitted_characters = 0
        return text

    def _drain(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._emitted += self._size
        self._size = 0
        return text


log = logging.getLogger(__name__)

# Seconds between two rounds of the watcher while output is pending; otherwise it sleeps until it is woken.
_POLL_SECONDS = 0.25

Late = Callable[[str, str, str], None]


@dataclass(eq=False)
class _PooledProgram:
    """A program with its chat and agent."""

    chat_id: str
    agent_name: str
    program: Program
    in_run: bool = True
    since: float = field(default_factory=time.monotonic)  # when its last run was over
    late: LateOutputBuffer = field(default_factory=LateOutputBuffer)
    # keeps deliveries of late output in order
    delivery_lock: threading.Lock = field(default_factory=threading.Lock)


class Programs:
    """Programs of all chats, kept between runs; all methods may be called from any thread.

    `late(chat_id, agent_name, text)` gets output written between runs. It is called on the pool's own thread, or on that of a
    run that starts, for one program at a time, and never after `close` has returned.
    """

    def __init__(self, max_programs: int = 8, idle_seconds: float = 1800, late: Late | None = None) -> None:
        self._max, self._idle = max_programs, idle_seconds
        self._on_late_output: Late = late or (lambda chat_id, agent_name, text: None)
        self._entries: dict[tuple[str, str], _PooledProgram] = {}
        self._lock = threading.RLock()
        self._starting = 0
        self._closed = False
        self._over = threading.Event()
        self._news = threading.Event()
        self._watcher: threading.Thread | None = None

    def take(self, chat_id: str, agent_name: str, profile: Profile, folder: Path) -> Program:
        """Return the chat's program for a run; starts one if there is none, it has ended, or its profile has changed.

        Raises DeskError too_many_programs, program_missing or program_failed; Conflict while another run has the program.
        """
        key = (chat_id, agent_name)
        with self._lock:
            if self._closed:
                raise Conflict("The desk is shutting down and starts no programs.")
            entry = self._entries.get(key)
            if entry is not None and entry.in_run:
                raise Conflict(f"The program of {agent_name} is in use by another run.")
            fits = entry is not None and entry.program.exit_code is None and entry.program.profile == profile
            over = self._make_room(None if entry is None or fits else entry, 0 if fits else 1)
            if entry is not None and fits:
                entry.in_run = True
        if entry is not None and fits:
            self._emit_late_output(entry, last=True)
            return entry.program
        self._end(over)
        return self._start(key, profile, folder)

    def _start(self, key: tuple[str, str], profile: Profile, folder: Path) -> Program:
        """Start a program outside of the lock, because that may take a while."""
        try:
            program = Program(profile, folder)
        finally:
            with self._lock:
                self._starting -= 1
        with self._lock:
            # `close` may have run while the program started: it could not end this one, which was not in the table yet.
            late = self._closed
            if not late:
                entry = self._entries[key] = _PooledProgram(*key, program)
                program.on_output = lambda: None if entry.in_run else self._news.set()
                self._watch()
        if late:
            program.close()
            raise Conflict("The desk is shutting down and starts no programs.")
        return program

    def _make_room(self, replaced: _PooledProgram | None, size_needed: int) -> list[_PooledProgram]:
        """Forget the longest unused program. Raises DeskError, without any change, when all programs are in runs."""
        over = [] if replaced is None else [replaced]
        free = [entry for entry in self._entries.values() if not entry.in_run and entry not in over]
        free.sort(key=lambda entry: entry.since)
        # Programs that are just starting count, too: they are not in the table yet, but have passed this check.
        while size_needed and len(self._entries) - len(over) + self._starting >= self._max:
            if not free:
                raise DeskError(
                    f"{self._max} programs are running, which is the limit.",
                    hint="Try again when a run has ended.",
                    code="too_many_programs",
                )
            over.append(free.pop(0))
        self._starting += size_needed
        return [self._forget(entry) for entry in over]

    def release(self, program: Program) -> None:
        """Return a program after a run; one that has ended or was closed is removed."""
        over: list[_PooledProgram] = []
        with self._lock:
            entry = next((entry for entry in self._entries.values() if entry.program is program), None)
            if entry is not None:
                entry.in_run, entry.since = False, time.monotonic()
                if program.closed or program.exit_code is not None:
                    over.append(self._forget(entry))
        self._news.set()
        self._end(over)

    def holds(self, chat_id: str) -> bool:
        """Return whether a program of a chat is kept."""
        with self._lock:
            return any(entry.chat_id == chat_id for entry in self._entries.values())

    def drop(self, chat_id: str, reason: str) -> None:
        """End the programs of a chat, also in a run."""
        with self._lock:
            over = [self._forget(entry) for entry in list(self._entries.values()) if entry.chat_id == chat_id]
        if over:
            log.info("%d programs of chat %s are ended: %s", len(over), chat_id, reason)
        self._end(over)

    def close(self) -> None:
        """End all programs and refuse new ones."""
        with self._lock:
            self._closed = True
            over = [self._forget(entry) for entry in list(self._entries.values())]
            watcher = self._watcher
        self._over.set()
        self._news.set()
        self._end(over)
        if watcher is not None and watcher is not threading.current_thread():
            watcher.join()

    def __len__(self) -> int:
        return len(self._entries)

    # --- ending ---

    def _forget(self, entry: _PooledProgram) -> _PooledProgram:
        """Remove a program from the pool; the caller ends it outside of the lock."""
        del self._entries[entry.chat_id, entry.agent_name]
        return entry

    def _end(self, over: Iterable[_PooledProgram]) -> None:
        """End programs in parallel, since each may take its grace period, and deliver their last output."""

        def end(entry: _PooledProgram) -> None:
            entry.program.close()
            if not entry.in_run:
                self._emit_late_output(entry, last=True)

        threads = [threading.Thread(target=end, args=(entry,), daemon=True) for entry in over]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # --- between runs ---

    def _watch(self) -> None:
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch_loop, name="terminal-watcher", daemon=True)
            self._watcher.start()

    def _watch_loop(self) -> None:
        """Run the watcher: deliver late output, and end programs that are idle for long or have ended."""
        while not self._over.is_set():
            self._news.wait(min(self._idle / 4, 60))
            self._news.clear()
            for entry in list(self._entries.values()):
                self._emit_late_output(entry)
            with self._lock:
                now = time.monotonic()
                old = [
                    entry
                    for entry in self._entries.values()
                    if not entry.in_run and self._is_over(entry, now)
                ]
                over = [self._forget(entry) for entry in old]
                if any(entry.late.pending for entry in self._entries.values()):
                    self._news.set()
            self._end(over)
            self._over.wait(_POLL_SECONDS)

    def _is_over(self, entry: _PooledProgram, now: float) -> bool:
        return entry.program.exit_code is not None or now - entry.since > self._idle

    def _emit_late_output(self, entry: _PooledProgram, last: bool = False) -> None:
        """Deliver late output, outside of the lock: a listener may take a while. `last`: before a run or after the end."""
        with entry.delivery_lock:
            if entry.in_run and not last:
                return
            now = time.monotonic()
            if text := entry.program.take_late():
                entry.late.add(text, now)
            if output := entry.late.end() if last else entry.late.poll(now):
                with contextlib.suppress(DeskError):  # the chat may be gone by now
                    self._on_late_output(entry.chat_id, entry.agent_name, output)
