"""Days of Japanese eras: 令和6年6月22日 is 2024-06-22, R6.6.22 the same."""

import re
from typing import Any

WAREKI = re.compile(
    r"(?:令和|平成|昭和)(?:\d{1,2}|元)年\d{1,2}月\d{1,2}日|[RHS]\.?\d{1,2}([./-])\d{1,2}\1\d{1,2}"
)
ERA_PARTS = r"(令和|平成|昭和|R|H|S)\.?(\d+)[年./-](\d+)[月./-](\d+)"
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "R": 2018, "H": 1988, "S": 1925}
"""The year before the first of each era."""


def western(texts: Any) -> Any:
    """The texts with the years of eras as those of the calendar, 2024-6-22; others as they are."""
    said = texts.str.replace("元年", "1年")
    return said.str.replace(f"^{ERA_PARTS}日?$", _western, regex=True)


def _western(found: re.Match[str]) -> str:
    return f"{ERAS[found[1]] + int(found[2])}-{found[3]}-{found[4]}"
