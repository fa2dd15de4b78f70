"""One program under a terminal of its own.

A thread reads all output into memory of a fixed size, so no slow reader can block the program. The run's thread types and
polls.
"""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from smoldesk.agents.terminal.child import Child
from smoldesk.agents.terminal.keys import Keys, MessageFiles, answer_keys, message_keys
from smoldesk.agents.terminal.line import cells
from smoldesk.agents.terminal.output import Progress, TerminalOutput
from smoldesk.agents.terminal.screen import PendingText, Screen
from smoldesk.agents.terminal.stream import TerminalStream, replies
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import DeskError
from smoldesk.stopping import StopFlag, ended_by

# Seconds in which pieces that follow each other are joined into one report, up to this many bytes.
_JOIN_SECONDS = 0.01
_JOIN_BYTES = 65536
# Seconds of quiet after which lines that may be redrawn count as complete; a profile's shorter settle time wins.
_SETTLED_SECONDS = 0.15
# Seconds of quiet after which the screen is rendered at once.
_QUIET_SECONDS = 0.02
# While output flows, rendering takes at most a tenth of the time: the rest is for reading.
_RENDER_SHARE = 10
# Time in which a program that reads keys shows the first of them.
ECHO_SECONDS = 0.2
# Longest wait of one read, in seconds.
_READ_SECONDS = 0.25
# Seconds after the program's end in which its last output may still arrive from the kernel.
_LAST_OUTPUT_SECONDS = 0.1


class Program:
    """Running program. Raises DeskError program_missing or program_failed; does not wait until the program is ready.

    `send`, `answer`, `interrupt` and `wait` are for one thread at a time, the run's; other methods may be called from any.
    """

    def __init__(self, profile: Profile, folder: Path) -> None:
        self.profile = profile
        self.fresh = True  # nothing was typed yet: it may still be starting
        self.rests_at = ""  # the unfinished line at which the first message was typed: its prompt
        self._has_message = False
        self.closed = False
        self.on_output: Callable[[], None] = lambda: None  # called by the reader; must return at once
        self._child = Child(profile, folder)
        self._stream = TerminalStream()
        self._output = TerminalOutput(profile.columns, profile.rows)
        self._screen = Screen(profile.columns, profile.rows)
        self._view = self._screen.view()
        self._files = MessageFiles(folder)
        self._settled = min(_SETTLED_SECONDS, profile.input_detection.settle_ms / 1000)
        self.exit_code: int | None = None  # None while it runs; negative for the signal that ended it
        self._changed = threading.Condition()
        self._bytes = self._reported_bytes = self._bytes_sent = 0
        self._last_byte = time.monotonic()
        self._render_after = 0.0
        self._closing = threading.Lock()
        self._wake_out, self._wake_in = os.pipe()
        self._reader = threading.Thread(target=self._read_loop, name=f"terminal-{self.pid}", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def received(self) -> int:
        """Bytes of output so far, including unread ones."""
        return self._bytes

    # --- typing ---

    def send(self, text: str) -> None:
        """Type a message and submit it once, whatever it contains.

        Raises BadInput for an empty message; DeskError program_exited, or program_failed when the program does not read.
        """
        keys = message_keys(text, self.profile, self._stream.paste, self._files.write)
        if not self._has_message:
            self._has_message = True
            with self._changed:
                self.rests_at = self._output.partial
        self._type(keys)

    def answer(self, value: str, secret: bool = False) -> None:
        """Type one line and submit it; an empty line is Enter alone. A secret is redacted in all output.

        Raises BadInput when the line is too long, and DeskError as `send` does.
        """
        keys = answer_keys(value)
        if secret:
            with self._changed:
                self._output.blanks.add(keys.text)
        self._type(keys)

    def interrupt(self) -> None:
        """Type the profile's interrupt keys. Raises DeskError as `send` does."""
        for number in range(self.profile.interrupt.times):
            if number:
                time.sleep(0.1)
            self._child.write(self.profile.interrupt.keys.encode())

    def press(self, keys: str) -> None:
        """Press keys, such as an arrow, without Enter. Raises DeskError as `send` does."""
        # DECCKM, which curses turns on, changes what arrows send.
        self._child.write((keys.replace("\x1b[", "\x1bO") if self._stream.cursor_keys else keys).encode())

    def _type(self, keys: Keys) -> None:
        echoes, lines = self._child.modes()
        silent = lines and not echoes
        with self._changed:
            alternate = self._stream.alternate
            self._output.typed("" if silent or alternate else keys.echo)
            self._bytes_sent = self._bytes
            self.fresh = False
        if silent and not self.profile.echo and not alternate:
            self._break_line()
        if keys.text:
            self._child.write(keys.text.encode())
            # Some programs take text and Enter that arrive together for a paste, and do not submit it.
            time.sleep(self.profile.submit_delay_ms / 1000)
        if not lines and not self.profile.echo and not alternate and keys.text and not self._is_echoed():
            self._break_line()
        # A program that reads keys expects the key Enter, whatever its parent reads.
        self._child.write(
            b"\r" if not lines and self.profile.submit == "\n" else self.profile.submit.encode()
        )

    def _break_line(self) -> None:
        """End the line on the screen: without echo the terminal does not show the line break either."""
        with self._changed:
            self._output.feed("\n")
            self._screen.write("\r\n")

    def _is_echoed(self) -> bool:
        """Return whether a program that reads keys shows them. Line editors do not if the terminal does not (readline)."""
        with self._changed:
            self._changed.wait_for(lambda: self._bytes > self._bytes_sent, ECHO_SECONDS)
            return self._bytes > self._bytes_sent

    # --- looking ---

    def wait(self, seconds: float, stop: StopFlag | None = None) -> Progress:
        """Wait for output, the program's end, the stop flag, or at most `seconds`, then return the progress. Never raises."""
        deadline = time.monotonic() + seconds
        with ended_by(stop, self._notify), self._changed:
            while self._nothing_new(stop) and (remaining_seconds := deadline - time.monotonic()) > 0:
                self._changed.wait(remaining_seconds)
            # Programs write in many small pieces: a short wait turns them into one report.
            end = time.monotonic() + 5 * _JOIN_SECONDS
            while (
                0 < self._bytes - self._reported_bytes < _JOIN_BYTES
                and self.exit_code is None
                and time.monotonic() < end
            ):
                before = self._bytes
                self._changed.wait(_JOIN_SECONDS)
                if self._bytes == before:
                    break
        return self._progress()

    def _nothing_new(self, stop: StopFlag | None) -> bool:
        return (
            self._bytes == self._reported_bytes
            and self.exit_code is None
            and not (stop is not None and stop.is_set)
        )

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _progress(self) -> Progress:
        with self._changed:
            quiet, alternate = self._quiet, self._stream.alternate
            text = self._output.take(quiet >= self._settled)
            partial, answered = self._output.partial, self._output.answered
            changed, self._reported_bytes = self._bytes != self._reported_bytes, self._bytes
            answered = answered or (alternate and self._bytes > self._bytes_sent)
            queries, self._stream.queries = self._stream.queries, []
            exit_code = self.exit_code
            pending = self._screen.gather() if self._may_render(quiet) else None
            behind = self._screen.behind
        if pending is not None:
            self._render(pending, alternate)
        echoes, lines = self._child.modes()
        # In line mode an answer would be echoed and mixed with the next line of input.
        if queries and not lines:
            self._answer_queries(queries)
        view = self._view
        screen_rows = self._output.blanks.screen(view.lines, self.profile.columns)
        return Progress(
            text=text,
            partial=partial,
            last_line=screen_rows[view.row] if view.row < len(screen_rows) else "",
            wrapped=_full(screen_rows[view.row - 1], self.profile.columns)
            if 0 < view.row < len(screen_rows)
            else "",
            lines=screen_rows,
            cursor_at_end=view.at_end,
            quiet_for=quiet,
            sent_since=answered,
            exit_code=exit_code,
            alternate=alternate,
            hidden=self.profile.echo and lines and not echoes,
            waits=self._child.waits_for_input() if exit_code is None and quiet >= self._settled else None,
            raw=not lines,
            overwritten=bool(self.rests_at.strip())
            and any(line.startswith(self.rests_at) for line in text.splitlines()),
            changed=changed,
            behind=behind,
        )

    def _may_render(self, quiet: float) -> bool:
        """Return whether to render now: always when it is quiet, for a share of the time while output flows."""
        return self.exit_code is not None or quiet >= _QUIET_SECONDS or time.monotonic() >= self._render_after

    def _render(self, pending: PendingText, alternate: bool) -> None:
        started_at = time.monotonic()
        self._screen.render(pending)
        self._view = self._screen.view()
        now = time.monotonic()
        self._render_after = now + _RENDER_SHARE * (now - started_at)
        if pending.after_gap and alternate:
            self._child.redraw(self.profile.rows, self.profile.columns)

    def _answer_queries(self, queries: list[str]) -> None:
        try:
            self._child.write(replies(queries, self._view.row + 1, self._view.column + 1))
        except DeskError:
            return  # the program ended after its query

    def take_late(self) -> str:
        """Return complete lines that nothing has read yet."""
        with self._changed:
            return self._output.take(self._quiet >= self._settled)

    @property
    def _quiet(self) -> float:
        return time.monotonic() - self._last_byte

    # --- reading ---

    def _read_loop(self) -> None:
        """Run the reader until `close`: take in output and notice the program's end."""
        gone_at = 0.0
        while not self.closed:
            data = self._child.read(
                self._wake_out,
                _READ_SECONDS if not gone_at or self.exit_code is not None else _LAST_OUTPUT_SECONDS,
            )
            if data:
                self._on_data(data)
            if self.exit_code is None and (code := self._child.reap()) is not None:
                gone_at = gone_at or time.monotonic()
                spoken = self._child.hung_up or not data  # a child may hold the terminal and go on writing
                if spoken or time.monotonic() - gone_at > 10 * _LAST_OUTPUT_SECONDS:
                    self._on_end(code)
        self._child.release()

    def _on_data(self, data: bytes) -> None:
        with self._changed:
            text = self._stream.feed(data)
            self._output.feed(text)
            self._screen.write(text)
            self._bytes += len(data)
            self._last_byte = time.monotonic()
            self._changed.notify_all()
        self.on_output()

    def _on_end(self, code: int) -> None:
        with self._changed:
            text = self._stream.feed(b"", final=True)
            self._output.feed(text)
            self._output.end()
            self._screen.write(text)
            self.exit_code = code
            self._changed.notify_all()
        self.on_output()

    def close(self) -> None:
        """End the program and all its processes: hang up, terminate, kill. May be called twice, from any thread."""
        with self._closing:
            if self.closed:
                return
            self._child.family.end(self.profile.stop_grace_seconds)
            self.closed = True
            # Wakes the reader out of its poll; the descriptors are closed when it has ended.
            os.write(self._wake_in, b"!")
            self._reader.join()
            if self.exit_code is None and (code := self._child.reap()) is not None:
                self._on_end(code)
            self._files.clear()
            os.close(self._wake_in)
            os.close(self._wake_out)


def _full(row: str, columns: int) -> str:
    """Return a row that is filled up to its end, so that the next row continues it, else ""."""
    return row if cells(row) >= columns - 1 else ""  # a wide character leaves a cell
