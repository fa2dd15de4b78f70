"""`fastest`, 速い: the highest speed, but the lowest time."""

import re

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.column_names import concepts, units
from backend.builtin.draft import Draft

_QUICK = re.compile(r"^(?:fast|quick|swift)|速い|早い|速く|早く", re.IGNORECASE)
_SLOW = re.compile(r"^slow|遅い|遅く", re.IGNORECASE)
_TIMES = frozenset(
    (
        "duration",
        "finish time",
        "wait time",
        "response time",
        "resolution time",
        "delivery time",
        "cycle time",
    )
)
_TIME_UNITS = frozenset(("second", "minute", "hour", "day"))


def order_of_speed(draft: Draft) -> str:
    """Which way a word of speed looks in the measure that was named: asc, desc, or empty where none was said."""
    said = [item.mention.text for item in draft.items if item.column is None]
    quick = any(_QUICK.search(text) for text in said)
    slow = any(_SLOW.search(text) for text in said)
    if quick == slow:
        return ""
    measures = [column for _, column in draft.free() if column.kind == "number"]
    if not measures:
        return ""
    timed = _is_time(measures[0])
    return "asc" if quick == timed else "desc"


def _is_time(column: ColumnInfo) -> bool:
    return bool(units(column.name) & _TIME_UNITS or set(concepts(column.name)[:1]) & _TIMES)
