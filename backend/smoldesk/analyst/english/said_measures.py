"""`an hour and a half`, `half a kilo`, `over a week`, `a couple of days`: amounts in words, in a number and its unit."""

import re
from collections.abc import Callable

Rewritten = tuple[str, str | Callable[[re.Match[str]], str]]

_TIMES = r"(?:second|sec|minute|min|hour|hr|day|week|month|year)"
_OTHERS = (
    r"(?:kilo|kilogram|kg|gram|tonne|ton|pound|lb|ounce|km|kilometre|kilometer|mile|metre|meter|foot|inch|yard"
    r"|cm|centimetre|centimeter|litre|liter|gb|gigabyte|tb|terabyte|mb|megabyte)"
)
_ONE = rf"(?:{_TIMES}|{_OTHERS})"
_THAN = (
    r"(?:more than|less than|fewer than|longer than|shorter than|older than|younger than|heavier than|lighter than|bigger than"
    r"|larger than|smaller than|further than|farther than|closer than|nearer than|faster than|quicker than|slower than"
    r"|sooner than|higher than|lower than|taller than|no more than|not more than|greater than|over|under|above|below|beyond"
    r"|at least|at most|within|up to|exceeding|exceeds|exceed|exceeded)"
)
_NUMBER = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_COUNT = rf"(?P<n>\d+(?:\.\d+)?|an?|{'|'.join(_NUMBER)})"
_FINER = {"hour": (60, "minutes"), "hr": (60, "minutes"), "minute": (60, "seconds"), "min": (60, "seconds"),
          "day": (24, "hours"), "year": (12, "months")}  # fmt: skip
"""Half of these is a whole number of the next smaller unit, which is compared with a column of no unit, too."""
_PLURAL = {
    "foot": "feet",
    "inch": "inches",
    "lb": "lb",
    "kg": "kg",
    "km": "km",
    "cm": "cm",
    "gb": "gb",
    "tb": "tb",
    "mb": "mb",
}
_NOT_PAST = r"(?! ?(?:ago|before|after|later|earlier|from now|and a half|old\b|in a row|period|span))"


def _number(said: str) -> float:
    return 1.0 if said.lower() in ("a", "an") else float(_NUMBER.get(said.lower(), 0) or said)


def _in(number: float, unit: str) -> str:
    """The amount in a unit in which it is whole, where there is one: 90 minutes, 0.5 kg."""
    unit = unit.lower()
    factor, finer = _FINER.get(unit, (1, _PLURAL.get(unit, f"{unit}s")))
    if number == int(number):
        factor, finer = 1, _PLURAL.get(unit, f"{unit}s")
    return f"{number * factor:g} {finer}"


def _half_of(said: re.Match[str]) -> str:
    return _in(0.5, said["unit"])


def _and_a_half(said: re.Match[str]) -> str:
    return _in(_number(said["n"]) + 0.5, said["unit"])


def _two_parts(said: re.Match[str]) -> str:
    first, second = (float(said[part]) for part in ("n", "m"))
    if said["unit"].lower().startswith("d"):
        return f"{first * 24 + second:g} hours"
    return f"{first * 60 + second:g} minutes"


def _one(said: re.Match[str]) -> str:
    return f"{said['than']}{_in(1, said['unit'])}"


def _one_or_more(said: re.Match[str]) -> str:
    return f"{_in(1, said['unit'])} or {said['way']}"


SAID_MEASURES: tuple[Rewritten, ...] = (
    (r"\bthree[- ]quarters of an hour\b", "45 minutes"),
    (r"\b(?:a )?quarter of an hour\b", "15 minutes"),
    (rf"\b{_COUNT} and a half (?P<unit>{_ONE})s?\b", _and_a_half),
    (rf"\b(?P<n>an?|one) (?P<unit>{_ONE}) and a half\b", _and_a_half),
    (rf"\bhalf (?:of )?(?:an? )(?P<unit>{_ONE})\b", _half_of),
    (rf"\ba half[- ](?P<unit>(?!year){_ONE})\b", _half_of),
    (r"\bhalf[- ]hour\b", "30 minutes"),
    (r"\b(?P<n>\d+) ?(?P<unit>h(?:ours?|rs?)?) ?(?:and )?(?P<m>\d+) ?(?:m|mins?|minutes?)\b", _two_parts),
    (r"\b(?P<n>\d+) ?(?P<unit>d(?:ays?)?) ?(?:and )?(?P<m>\d+) ?(?:h|hrs?|hours?)\b", _two_parts),
    (rf"\ba couple of (?P<unit>{_TIMES})s\b", r"2 \g<unit>s"),
    (r"\b(?:an?|one) fortnight\b", "2 weeks"),
    (rf"(?P<than>\b{_THAN} )(?:an?|one|1) (?P<unit>{_ONE})\b{_NOT_PAST}", _one),
    (rf"\b(?:an?|one|1) (?P<unit>{_ONE}) or (?P<way>more|longer|less|over|under|above|shorter)\b", _one_or_more),
    (r"(\d+\.\d+) thousand\b", lambda said: f"{float(said[1]) * 1000:g}"),
    (r"\bhalf a million\b", "500000"),
)  # fmt: skip
"""Patterns and what is written in their place, before any other short form."""
