"""Whether a piece of text or a cell is a name that was expected: spellings, months, weekdays, hours, whole numbers."""

import re
from typing import Any

from tests.exams.figures import plain

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def fold(text: object) -> str:
    """Text for comparing: plain characters, lower case, no space around."""
    return plain(str(text)).casefold().strip()


def spellings(name: str) -> list[str]:
    """All ways to write a name: those given with " | ", and those of a month or a day."""
    methods = [direction.strip() for direction in name.split(" | ")]
    if match := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", name):
        year, month, day = match[1], int(match[2]), match[3]
        named = _MONTHS[month - 1]
        if day:
            methods += [
                f"{year}/{month}/{int(day)}",
                f"{year}/{match[2]}/{day}",
                f"{year}年{month}月{int(day)}日",
            ]
        else:
            methods += [f"{year}/{match[2]}", f"{year}年{month}月", f"{named} {year}", f"{named[:3]} {year}"]
    return [fold(direction) for direction in methods]


def cell_is(cell: Any, name: str) -> bool:
    """Whether a table's cell holds this name. A day stands for its month, a date for its year, 8.0 for 8."""
    if cell is None:
        return False
    text = fold(cell)
    for spelling in spellings(name):
        if text == spelling or (re.fullmatch(r"\d{4}-\d\d(-\d\d)?", spelling) and text.startswith(spelling)):
            return True
        if re.fullmatch(r"\d+", spelling):
            number = re.fullmatch(r"0*(\d+)(?:\.0|:00|時|年)?", text)
            if (number and number[1] == str(int(spelling))) or (
                len(spelling) == 4 and text.startswith(f"{spelling}-")
            ):
                return True
    return False


def place_in(text: str, name: str) -> int:
    """Where a text first names this, or -1; an ASCII word only as a whole word."""
    places = [match.start() for spelling in spellings(name) if (match := _word(spelling).search(fold(text)))]
    return min(places, default=-1)


def is_begun_in(text: str, name: str) -> bool:
    """Whether a word of the text begins with this: "hamsters" does with hamster, "average" names no age."""
    start = r"(?<![a-z0-9])" if name[:1].isascii() else ""
    return re.search(start + re.escape(fold(name)), fold(text)) is not None


def end_in(text: str, name: str) -> int:
    """Where the first naming in a text ends, or -1."""
    matching_spellings = [
        match for spelling in spellings(name) if (match := _word(spelling).search(fold(text)))
    ]
    return min(matching_spellings, key=lambda match: match.start()).end() if matching_spellings else -1


def _word(direction: str) -> re.Pattern[str]:
    before = r"(?<![a-z0-9])" if direction[:1].isascii() and direction[:1].isalnum() else ""
    after = r"(?![a-z0-9])" if direction[-1:].isascii() and direction[-1:].isalnum() else ""
    return re.compile(before + re.escape(direction) + after)
