"""What the two sides of a difference are called: by their value, their month or their part of the week or the day."""

from smoldesk.analyst.intents import Filter, Language
from smoldesk.analyst.reading.weeks_of import stretch_name
from smoldesk.analyst.tables.figures import condition, say

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
    if side.part == "all":
        ends = [str(one.values[0]) for one in side.options]
        return (len(ends) == 2 and stretch_name(ends[0], ends[1])) or condition(side)
    value = side.values[0] if side.values else None
    return value if isinstance(value, str) and not side.part else condition(side)
