"""What was typed and came back: a terminal's echo is no answer of the program. Pure.

What stood on the line when something was typed (a prompt) was there before it, so both are taken off the line that is
completed next; the lines of a longer message are taken off those that follow. Blank space is not compared, for terminals
wrap; a frame around the text, or a short prompt before it, belongs to the echo.
"""

import re

_FRAME = 12
"""Most signs that may stand around an echo: "... ", "│ > … │"."""
_BLANK = re.compile(r"\s+")


class Echo:
    """Told of what is typed, then shown each line in turn."""

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
            own: str | None = line
        else:
            rest = self._behind_prompt(line)
            left = self._behind_typed(rest)
            self._before = ""
            if left is None:
                self._expected.clear()  # something else came: from here on all is the program's
            else:
                self._expected.pop(0)
            own = rest if left is None else left
            own = own if own.strip() else None
        if own is not None and own.strip():
            self.answered = True
        return own

    def partial(self, line: str) -> str:
        """The program's own part of the unfinished line."""
        if not self._expected:
            return line
        rest = self._behind_prompt(line)
        left = self._behind_typed(rest)
        if left is None:
            return "" if self._expected[0].startswith(_BLANK.sub("", rest)) else rest
        return left

    def look(self, partial: str) -> None:
        """See whether the unfinished line is an answer already."""
        self.answered = self.answered or bool(self.partial(partial).strip())

    def _behind_prompt(self, line: str) -> str:
        if line.startswith(self._before):
            return line[len(self._before) :]
        bare = self._before.rstrip()
        return line[len(bare) :] if bare and line.startswith(bare) else line

    def _behind_typed(self, line: str) -> str | None:
        """What follows the echo; None when the line is none."""
        wanted, at = self._expected[0], 0
        for sign in wanted:
            while at < len(line) and line[at].isspace():
                at += 1
            if at == len(line) or line[at] != sign:
                return "" if self._is_framed(_BLANK.sub("", line), wanted) else None
            at += 1
        return line[at:]

    def _is_framed(self, line: str, wanted: str) -> bool:
        before, found, after = line.partition(wanted)
        frame = before + after
        return bool(found) and len(frame) <= _FRAME and not any(sign.isalnum() for sign in frame)
