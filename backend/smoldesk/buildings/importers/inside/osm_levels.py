"""Levels of OpenStreetMap's tags: `level=0;1`, `level=-1-3`, `repeat_on=...`, and what a building says of its levels."""

import re
from collections.abc import Mapping

MOST_LEVELS = 400
_NUMBER = r"[+-]?\d{1,3}(?:[.,]\d{1,2})?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|to)\s*({_NUMBER})")
_SINGLE = re.compile(_NUMBER)
_SEPARATOR = re.compile(r"[;|]|,(?!\d)")


def levels_of(tags: Mapping[str, str], missing: frozenset[str] = frozenset()) -> list[str]:
    """Return the levels of an element, each once, in the order of its tags. Words such as "EG" stay as they are.

    A range contains each full level between its ends; `missing` are the building's levels that do not exist.
    """
    levels: dict[str, None] = {}
    for value in filter(
        None, map(tags.get, ("level", "repeat_on", "buildingpart:verticalpassage:floorrange"))
    ):
        for part in _SEPARATOR.split(value):
            levels.update(dict.fromkeys(_expand(part.strip(), missing)))
            if len(levels) > MOST_LEVELS:
                return list(levels)
    return list(levels)


def missing_levels(tags: Mapping[str, str]) -> frozenset[str]:
    """Return the levels that a building does not have although ranges contain them: no level 13."""
    return frozenset(levels_of({"level": tags.get("non_existent_levels", "")}))


def ordinal_of(level: str) -> float | None:
    """Return the height of a level, or None if it is a word."""
    return float(level) if _SINGLE.fullmatch(level) else None


def is_landing(level: str) -> bool:
    """Check whether a level lies between two full ones."""
    ordinal = ordinal_of(level)
    return ordinal is not None and ordinal != int(ordinal)


def _expand(part: str, missing: frozenset[str]) -> list[str]:
    if _SINGLE.fullmatch(part):
        return [_text(_value(part))]
    ends = _RANGE.fullmatch(part)
    if not ends:
        return [part[:40]] if part else []
    low, high = sorted((_value(ends[1]), _value(ends[2])))
    if high - low > MOST_LEVELS:
        return []
    between = [float(level) for level in range(int(low) - 1, int(high) + 2) if low < level < high]
    return [_text(level) for level in (low, *between, high) if _text(level) not in missing]


def _value(number: str) -> float:
    return float(number.replace(",", "."))


def _text(level: float) -> str:
    return f"{level + 0.0:g}"
