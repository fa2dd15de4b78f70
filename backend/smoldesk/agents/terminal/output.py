"""What a program says to the one who drives it: its transcript without the echo of what was typed, secrets blanked.

Not thread-safe: its owner locks.
"""

import re
from dataclasses import dataclass

from smoldesk.agents.terminal.blanks import SecretRedactor
from smoldesk.agents.terminal.transcript import Transcript

# Most signs that may stand around an echo: "... ", "│ > … │".
_FRAME = 12
_BLANK = re.compile(r"\s+")


class Echo:
    """Told of what is typed, then shown each line in turn: what was typed and comes back is no answer of the program.

    What stood on the line when something was typed (a prompt) was there before it, so both are taken off the line that is
    completed next; the lines of a longer message are taken off those that follow. Blank space is not compared, for
    terminals wrap; a frame around the text, or a short prompt before it, belongs to the echo.
    """

    def __init__(self) -> None:
        self._before = ""
        self._expected: list[str] = []
        self.answered = False
        """Whether the program wrote anything of its own since something was last typed."""

    def typed(self, before: str, text: str) -> None:
        """`before`: the unfinished line as it was; `text`: what will come back, "" where nothing but the line break does."""
        self._before = before
        self._expected = [_BLANK.sub("", line) for line in text.split("\n")]
        self.answered = False

    def line(self, line: str) -> str | None:
        """The program's own part of a complete line; None when it has none."""
        if not self._expected:
            program_text: str | None = line
        else:
            after_prompt = self._behind_prompt(line)
            after_echo = self._behind_typed(after_prompt)
            self._before = ""
            if after_echo is None:
                self._expected.clear()  # something else came: from here on all is the program's
            else:
                self._expected.pop(0)
            program_text = after_prompt if after_echo is None else after_echo
            program_text = program_text if program_text.strip() else None
        if program_text is not None and program_text.strip():
            self.answered = True
        return program_text

    def partial(self, line: str) -> str:
        """The program's own part of the unfinished line."""
        if not self._expected:
            return line
        after_prompt = self._behind_prompt(line)
        after_echo = self._behind_typed(after_prompt)
        if after_echo is None:
            return "" if self._expected[0].startswith(_BLANK.sub("", after_prompt)) else after_prompt
        return after_echo

    def update_answered(self, partial: str) -> None:
        """See whether the unfinished line is an answer already."""
        self.answered = self.answered or bool(self.partial(partial).strip())

    def _behind_prompt(self, line: str) -> str:
        if line.startswith(self._before):
            return line[len(self._before) :]
        bare = self._before.rstrip()
        return line[len(bare) :] if bare and line.startswith(bare) else line

    def _behind_typed(self, line: str) -> str | None:
        """What follows the echo; None when the line is none."""
        expected, at = self._expected[0], 0
        for sign in expected:
            while at < len(line) and line[at].isspace():
                at += 1
            if at == len(line) or line[at] != sign:
                return "" if self._is_framed(_BLANK.sub("", line), expected) else None
            at += 1
        return line[at:]

    def _is_framed(self, line: str, expected: str) -> bool:
        before, echo, after = line.partition(expected)
        frame = before + after
        return bool(echo) and len(frame) <= _FRAME and not any(sign.isalnum() for sign in frame)


@dataclass(frozen=True)
class Progress:
    """Everything new, and how the program stands now.

    Secrets that were typed are blanked in all of it. `text` holds whole lines, each with its line break (and pieces of
    lines too long to wait for): what was typed and came back is removed, escapes too, carriage returns are folded.
    `partial` is the unfinished last line, which may still change: give it to nobody as text.
    """

    text: str = ""
    partial: str = ""
    last_line: str = ""  # as rendered: the row with the cursor, with the blanks before the cursor ("demo> ")
    wrapped: str = ""  # the full row above it, which it may go on from
    lines: tuple[str, ...] = ()  # the screen, without blank rows at its end
    cursor_at_end: bool = False  # nothing stands behind the cursor, nor below it
    quiet_for: float = 0.0  # seconds since the last byte
    sent_since: bool = False  # output beyond the echo since something was last typed
    exit_code: int | None = None  # negative: the signal that ended it; None: it runs
    alternate: bool = False  # a full-screen program draws: its text is on the screen, not in `text`
    hidden: bool = False  # the program itself turned the echo off: what is typed now is meant to be secret
    overwritten: bool = False  # a whole line in `text` begins with the prompt: something else wrote behind it
    changed: bool = False  # bytes came since the last look, visible or not
    behind: int = 0  # characters not rendered yet: 0 means that `last_line` and `lines` are as new as `text`

    def before(self, prompt: str) -> str:
        """What stands on the unfinished line before this prompt: a last line to which nobody wrote an end."""
        return self.partial.removesuffix(prompt) if prompt.strip() and self.partial.endswith(prompt) else ""


class TerminalOutput:
    """Fed by the reader, taken by the listener."""

    def __init__(self, columns: int, rows: int) -> None:
        self.blanks = SecretRedactor()
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
        self._echo.update_answered(self._transcript.partial)
        return self._echo.answered

    def end(self) -> None:
        """The program is over: its last line is complete."""
        self._transcript.end()

    def _collect(self) -> None:
        if not self._transcript.waiting:
            return
        *lines, unfinished = self._transcript.take().split("\n")
        for line in lines:
            program_text = self._echo.line(line)
            if program_text is not None:
                self._unread.append(program_text + "\n")
        if unfinished:
            self._unread.append(unfinished)
