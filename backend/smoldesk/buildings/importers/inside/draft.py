"""Result of reading a building file: an unchecked definition, the findings, and the origin of each part."""

from dataclasses import dataclass, field
from typing import Any

PLAN = "plan"
# Names of files in the child's folder: its input and its answer.
ANSWER = "answer.json"
MAX_ANSWER = 32 * 1024**2
MAX_FLOORS = 200
MAX_ROOMS = 20_000
MAX_DOORS = 50_000
MAX_LINKS = 2_000
# Maximum corners of one room's polygon.
MAX_CORNERS = 1_000
# Maximum corners of all polygons together.
MAX_POINTS = 200_000
LONGEST_NAME = 200
# Maximum findings in a report; the rest is a count.
MAX_FINDINGS = 100

Json = dict[str, Any]


class Unreadable(Exception):
    """File that is not a building; `where` is a path into it, or empty."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where


class Findings:
    """Errors, warnings and notes in order; the first of each kind are listed, the others counted."""

    def __init__(self) -> None:
        self._entries: list[Json] = []
        self._counts = {"error": 0, "warning": 0, "note": 0}

    def add(self, severity: str, where: str, message: str) -> None:
        """Note a finding, up to the most that a report has."""
        self._counts[severity] += 1
        if self._counts[severity] <= MAX_FINDINGS:
            self._entries.append({"severity": severity, "where": where[:500], "message": message[:900]})

    def error(self, where: str, message: str) -> None:
        self.add("error", where, message)

    def warning(self, where: str, message: str) -> None:
        self.add("warning", where, message)

    def note(self, where: str, message: str) -> None:
        self.add("note", where, message)

    @property
    def has_errors(self) -> bool:
        return self._counts["error"] > 0

    def entries(self) -> list[Json]:
        """Return the worst first, each kind in the order of the file."""
        omitted = [
            {"severity": kind, "where": "", "message": f"There are {count - MAX_FINDINGS:,} more like these."}
            for kind, count in self._counts.items()
            if count > MAX_FINDINGS
        ]
        order = list(self._counts)
        return sorted([*self._entries, *omitted], key=lambda entry: order.index(entry["severity"]))


@dataclass
class Draft:
    """A building as JSON in the four-pane form, not yet checked as a whole.

    `origins` says where a part stood in the file, where that is not its path in the definition. With `takes_image`,
    a floor that names no image takes the only one that was sent.
    """

    format: str
    name: str = ""
    floors: list[Json] = field(default_factory=list[Json])
    links: list[Json] = field(default_factory=list[Json])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    takes_image: bool = False


def clipped(text: object, longest: int = 60) -> str:
    """Return a value of the file, shortened for a sentence."""
    text_ = str(text)
    return text_ if len(text_) <= longest else f"{text_[:longest]}…"


def join_names(names: list[str], most: int = 12) -> str:
    """Return the names for a sentence: the first of them, and how many more there are."""
    text_ = ", ".join(clipped(name) for name in names[:most])
    return (f"{text_} and {len(names) - most} more" if len(names) > most else text_) or "none"


def too_many(what: str, count: int, most: int, where: str) -> Unreadable:
    """Return the error for a list that is longer than its limit."""
    return Unreadable(f"There are {count:,} {what}; at most {most:,} are taken.", where)
