"""What the two sides of a difference are called: by their value, their month or their part of the week or the day."""

from backend.builtin.figures import condition, say
from backend.builtin.intents import Filter, Language

_WEEK = {"weekend": ("weekends", "土日"), "workday": ("weekdays", "平日")}
_DAY = {"<": ("before noon", "午前"), ">=": ("from noon on", "午後")}


def side_name(side: Filter, language: Language) -> str:
    """A side by its value alone where that says enough: female, 東京都, 2024-11; True of a column by the condition."""
    if side.part in _WEEK and side.comparison == "==":
        return say(language, *_WEEK[side.part])
    if side.part == "hour" and side.values == (12.0,) and side.comparison in _DAY:
        return say(language, *_DAY[side.comparison])
    if side.part == "month" and language == "ja" and len(side.values) == 1:
        return f"{side.values[0]:g}月" if isinstance(side.values[0], float) else condition(side)
    if side.part == "all" and (month := _month(side)):
        return month
    value = side.values[0] if side.values else None
    return value if isinstance(value, str) and not side.part else condition(side)


def _month(side: Filter) -> str:
    """The month from whose first day to the next one's the side goes; empty for other stretches."""
    if len(side.options) != 2 or any(len(one.values) != 1 for one in side.options):
        return ""
    first, after = (str(one.values[0]) for one in side.options)
    if not (first[4:5] == after[4:5] == "-" and first[7:10] == after[7:10] == "-01"):
        return ""
    months = [int(one[:4]) * 12 + int(one[5:7]) for one in (first, after)]
    return first[:7] if months[1] - months[0] == 1 else ""
