"""Levels as files name them: 0, -1, "2", "B1", "3F", "0;1", [0, 1]; and the heights that follow from the names."""

import re
import unicodedata
from typing import Any, cast

from .draft import clipped
from .findings import Findings

_NUMBER = re.compile(r"[+-]?\d{1,4}")
_NAMED = re.compile(r"(b|basement|地下)?\s*(\d{1,4})\s*(f|階)?", re.IGNORECASE)


def levels_of(value: Any, where: str, findings: Findings) -> list[str]:
    """Return the floor ids that a `level` means, each once, none for an empty one; an invalid level is a finding."""
    if value is None:
        return []
    parts = cast("list[Any]", value) if isinstance(value, list) else [value]
    if isinstance(value, str):
        parts = [part for part in value.split(";") if part.strip()]
    levels: list[str] = []
    for part in parts:
        level = _level(part)
        if level is None:
            findings.add("expected", where, expected='0 / -1 / "B1"', value=clipped(part, 30))
        elif level not in levels:
            levels.append(level)
    return levels


def _level(value: Any) -> str | None:
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return None
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) <= 1000 else None  # also when it is no number at all
    text = unicodedata.normalize("NFKC", str(value)).strip()
    if re.fullmatch(r"[+-]?\d{1,4}(\.\d+)?", text):
        return f"{float(text):g}"
    return text if 0 < len(text) <= 40 else None


def ordinal_of(level: str) -> int | None:
    """Return the height of a level if known: "2" is 2, "B1" -1; "3F" is 2, since 1F is the ground floor."""
    if _NUMBER.fullmatch(level):
        return int(level)
    named = _NAMED.fullmatch(level)
    if not named:
        return None
    number = int(named[2])
    return -number if named[1] else number - 1
