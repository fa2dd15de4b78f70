"""What a program did since it was last looked at: the one thing a run sees of it."""

from dataclasses import dataclass


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
