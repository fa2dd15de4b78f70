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
    ways = [way.strip() for way in name.split(" | ")]
    if match := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", name):
        year, month, day = match[1], int(match[2]), match[3]
        named = _MONTHS[month - 1]
        if day:
            ways += [
                f"{year}/{month}/{int(day)}",
                f"{year}/{match[2]}/{day}",
                f"{year}年{month}月{int(day)}日",
            ]
        else:
            ways += [f"{year}/{match[2]}", f"{year}年{month}月", f"{named} {year}", f"{named[:3]} {year}"]
    return [fold(way) for way in ways]


def cell_is(cell: Any, name: str) -> bool:
    """Whether a table's cell holds this name. A day stands for its month, a date for its year, 8.0 for 8."""
    if cell is None:
        return False
    text = fold(cell)
    for way in spellings(name):
        if text == way or (re.fullmatch(r"\d{4}-\d\d(-\d\d)?", way) and text.startswith(way)):
            return True
        if re.fullmatch(r"\d+", way):
            number = re.fullmatch(r"0*(\d+)(?:\.0|:00|時|年)?", text)
            if (number and number[1] == str(int(way))) or (len(way) == 4 and text.startswith(f"{way}-")):
                return True
    return False


def place_in(text: str, name: str) -> int:
    """Where a text first names this, or -1; an ASCII word only as a whole word."""
    places = [match.start() for way in spellings(name) if (match := _word(way).search(fold(text)))]
    return min(places, default=-1)


def is_begun_in(text: str, name: str) -> bool:
    """Whether a word of the text begins with this: "hamsters" does with hamster, "average" names no age."""
    start = r"(?<![a-z0-9])" if name[:1].isascii() else ""
    return re.search(start + re.escape(fold(name)), fold(text)) is not None


def end_in(text: str, name: str) -> int:
    """Where the first naming in a text ends, or -1."""
    found = [match for way in spellings(name) if (match := _word(way).search(fold(text)))]
    return min(found, key=lambda match: match.start()).end() if found else -1


def _word(way: str) -> re.Pattern[str]:
    before = r"(?<![a-z0-9])" if way[:1].isascii() and way[:1].isalnum() else ""
    after = r"(?![a-z0-9])" if way[-1:].isascii() and way[-1:].isalnum() else ""
    return re.compile(before + re.escape(way) + after)
