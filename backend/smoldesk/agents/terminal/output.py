"""Output of a program: its transcript without the echo of the input, with secrets redacted.

Not thread-safe: the owner locks.
"""

import re
from dataclasses import dataclass

from smoldesk.agents.terminal.blanks import SecretRedactor
from smoldesk.agents.terminal.transcript import Transcript

# Maximum characters around an echo, such as "... " or "│ > … │".
_FRAME = 12
_BLANK = re.compile(r"\s+")


class Echo:
    """Remover of echoes: gets what is typed, then each output line, and removes the input that the terminal echoed.

    The text that was on the line when something was typed (a prompt) is removed with the echo from the next complete line;
    further lines of a message are removed from the lines that follow. Blanks are not compared, because terminals wrap; a frame
    around the text, or a short prompt before it, counts as part of the echo.
    """

    def __init__(self) -> None:
        self._before = ""
        self._expected: list[str] = []
        self.answered = False
        """Whether the program wrote anything beyond the echo since the last input."""

    def typed(self, before: str, text: str) -> None:
        """Expect the echo of an input. `before`: the unfinished line; `text`: the echo, "" for a line break alone."""
        self._before = before
        self._expected = [_BLANK.sub("", line) for line in text.split("\n")]
        self.answered = False

    def line(self, line: str) -> str | None:
        """Return a complete line without the echo; None when nothing remains."""
        if not self._expected:
            program_text: str | None = line
        else:
            after_prompt = self._behind_prompt(line)
            after_echo = self._behind_typed(after_prompt)
            self._before = ""
            if after_echo is None:
                self._expected.clear()  # another text came, so the program does not echo: keep everything from here on
            else:
                self._expected.pop(0)
            program_text = after_prompt if after_echo is None else after_echo
            program_text = program_text if program_text.strip() else None
        if program_text is not None and program_text.strip():
            self.answered = True
        return program_text

    def partial(self, line: str) -> str:
        """Return the unfinished line without the echo."""
        if not self._expected:
            return line
        after_prompt = self._behind_prompt(line)
        after_echo = self._behind_typed(after_prompt)
        if after_echo is None:
            return "" if self._expected[0].startswith(_BLANK.sub("", after_prompt)) else after_prompt
        return after_echo

    def update_answered(self, partial: str) -> None:
        """Set `answered` if the unfinished line is already output of the program."""
        self.answered = self.answered or bool(self.partial(partial).strip())

    def _behind_prompt(self, line: str) -> str:
        if line.startswith(self._before):
            return line[len(self._before) :]
        bare = self._before.rstrip()
        return line[len(bare) :] if bare and line.startswith(bare) else line

    def _behind_typed(self, line: str) -> str | None:
        """Return the text after the echo; None if the line is not the echo."""
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
    """New output and the present state of a program.

    Typed secrets are redacted everywhere. `text` has complete lines with their line breaks (and pieces of lines too long to
    wait for), without the echo and escape sequences, with carriage returns applied. `partial` is the unfinished last line,
    which may still change: do not show it as text.
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
    waits: bool | None = (
        None  # a foreground process waits for input; None: unknown, or there was output just now
    )
    raw: bool = False  # the program reads single keys
    changed: bool = False  # bytes came since the last look, visible or not
    behind: int = 0  # characters not rendered yet: 0 means that `last_line` and `lines` are as new as `text`

    def before(self, prompt: str) -> str:
        """Return the text before `prompt` on the unfinished line: a last line of output without a line break."""
        return self.partial.removesuffix(prompt) if prompt.strip() and self.partial.endswith(prompt) else ""


class TerminalOutput:
    """Output buffer: the reader feeds it, the run takes from it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.blanks = SecretRedactor()
        self._transcript = Transcript(columns, rows)
        self._echo = Echo()
        self._unread: list[str] = []
        self.feed = self._transcript.feed

    def typed(self, echo: str) -> None:
        """Note an input that is about to be typed; `echo` is what comes back of it, "" for nothing."""
        self._collect()  # output before the input cannot be its echo
        self._echo.typed(self._transcript.partial, echo)

    def take(self, quiet: bool) -> str:
        """Return new complete text; while the program is quiet, lines that it may redraw are included."""
        if quiet:
            self._transcript.settle()
        self._collect()
        text, self._unread = "".join(self._unread), []
        return self.blanks.stream(text)

    @property
    def partial(self) -> str:
        """Unfinished line, without the echo."""
        return self.blanks.partial(self._echo.partial(self._transcript.partial))

    @property
    def answered(self) -> bool:
        """Whether output beyond the echo came since the last input, as of the last `take`."""
        self._echo.update_answered(self._transcript.partial)
        return self._echo.answered

    def end(self) -> None:
        """Complete the last line: the program has ended."""
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
