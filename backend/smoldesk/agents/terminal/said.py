"""What a program says to the one who drives it: its transcript without the echo of what was typed, secrets blanked.

Not thread-safe: its owner locks.
"""

from smoldesk.agents.terminal.blanks import Blanks
from smoldesk.agents.terminal.echo import Echo
from smoldesk.agents.terminal.transcript import Transcript


class Said:
    """Fed by the reader, taken by the listener."""

    def __init__(self, columns: int, rows: int) -> None:
        self.blanks = Blanks()
        self._transcript = Transcript(columns, rows)
        self._echo = Echo()
        self._unread: list[str] = []
        self.feed = self._transcript.feed

    def typed(self, echo: str) -> None:
        """Something is about to be typed; `echo` is what comes back of it, "" where nothing does."""
        self._collect()  # what was there before is no echo
        self._echo.typed(self._transcript.partial, echo)

    def take(self, quiet: bool) -> str:
        """Everything new that is complete; when the program is quiet, lines it may redraw count as complete, too."""
        if quiet:
            self._transcript.settle()
        self._collect()
        text, self._unread = "".join(self._unread), []
        return self.blanks.stream(text)

    @property
    def partial(self) -> str:
        """The program's own part of the unfinished line."""
        return self.blanks.partial(self._echo.partial(self._transcript.partial))

    @property
    def answered(self) -> bool:
        """Whether anything of the program's own came since something was typed; as of what was taken."""
        self._echo.look(self._transcript.partial)
        return self._echo.answered

    def end(self) -> None:
        """The program is over: its last line is complete."""
        self._transcript.end()

    def _collect(self) -> None:
        if not self._transcript.waiting:
            return
        *lines, rest = self._transcript.take().split("\n")
        for line in lines:
            own = self._echo.line(line)
            if own is not None:
                self._unread.append(own + "\n")
        if rest:
            self._unread.append(rest)
