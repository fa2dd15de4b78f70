"""A figure of a text. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "word", "part", "rank", "date", "time"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text. `half` is half a unit of its last written place; `digits` those that a value must share.

    `unit` is a dimension and a factor to its base unit, or empty. A date is `(year, month, day)`, 0 where it names none; a
    time of day the same of hour, minute and second. `face` is the value without its scale word.
    """

    start: int
    end: int
    text: str
    kind: Kind
    value: float = 0.0
    half: float = 0.0
    digits: int = 0
    unit: tuple[str, float] = ("", 1.0)
    face: float = 0.0
    date: tuple[int, int, int] = (0, 0, 0)
    is_weak: bool = False
    """It may be no figure, as `one`: it counts only with evidence."""

    @property
    def is_percent(self) -> bool:
        return self.unit[0] == "percent"


def span_of(match: re.Match[str], original: str) -> tuple[int, int, str]:
    """Return start, end and text of a match, or of its group `word`."""
    start, end = match.span("word") if "word" in match.re.groupindex else match.span()
    return start, end, original[start:end]
