"""What a look at a building finds: how bad it is, where in the file, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing about a building file. An error keeps the building out; a warning means that something will not
    work; a note says what was made of the file. `where` is a path into it: `floors[0].rectangles[3].topLeft`."""

    severity: Severity
    where: str
    message: str


def error(where: str, message: str) -> Finding:
    """A finding because of which the file is not taken."""
    return Finding("error", where, message)


def warning(where: str, message: str) -> Finding:
    """A finding that people should know; the file is taken."""
    return Finding("warning", where, message)


def listed(names: list[str], most: int = 12) -> str:
    """Names for a sentence: the first of them, and how many more there are; long ones are cut."""
    shown = ", ".join(clipped(name) for name in names[:most])
    rest = len(names) - most
    return (f"{shown} and {rest} more" if rest > 0 else shown) or "none"


def clipped(text: str, longest: int = 60) -> str:
    """A text that somebody else wrote, short enough for a sentence; half surrogates are made harmless."""
    plain = text.encode("utf-8", "replace").decode()
    return plain if len(plain) <= longest else f"{plain[:longest]}…"
