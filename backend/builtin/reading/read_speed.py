"""`fastest`, 速い: the highest speed, but the lowest time."""

import re

from backend.builtin.intents import Comparison
from backend.builtin.reading.draft import Draft
from backend.builtin.tables.catalogue import ColumnInfo, TableInfo
from backend.builtin.tables.column_names import concepts, unit_of, units
from backend.builtin.words.text import name_words

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
_SPEEDS = frozenset(("speed",))
_TIME_UNITS = frozenset(("second", "minute", "hour", "day"))


def order_of_speed(draft: Draft, unnamed: ColumnInfo | None = None) -> str:
    """Which way a word of speed looks in the measure that was named, or in the `unnamed` one that it is about.

    Returns asc, desc, or empty where none was said.
    """
    said = [item.mention.text for item in draft.items if item.column is None]
    quick = any(_QUICK.search(text) for text in said)
    slow = any(_SLOW.search(text) for text in said)
    if quick == slow:
        return ""
    measures = [column for _, column in draft.free() if column.kind == "number"]
    measures = [unnamed] if unnamed else measures
    if not measures:
        return ""
    timed = is_time(measures[0])
    return "asc" if quick == timed else "desc"


def sign_of_speed(draft: Draft, index: int) -> Comparison | None:
    """`the final was slower than the heat`: how two times compare; None where the word does not compare."""
    text = draft.items[index].mention.text.lower()
    end = draft.items[index].mention.end
    if not draft.text[end:].lower().startswith(" than ") and not text.endswith(" than"):
        return None
    word = text.removesuffix(" than")
    return ">" if word in ("slower", "longer") else "<" if word in ("faster", "quicker", "shorter") else None


def speed_columns(table: TableInfo) -> list[ColumnInfo]:
    """The columns that say how fast a row was: by a speed, else by a time."""
    numbers = [column for column in table.columns if column.kind == "number" and not column.is_id]
    speeds = [column for column in numbers if set(concepts(column.name)[:1]) & _SPEEDS]
    return speeds or [column for column in numbers if is_time(column)]


def is_time(column: ColumnInfo) -> bool:
    """Whether a column holds how long something took: a unit of time in its name, or before it, as in `Hours to close`."""
    first = next(iter(name_words(column.name)), "")
    timed = unit_of(first) in _TIME_UNITS and column.kind == "number"
    return bool(timed or units(column.name) & _TIME_UNITS or set(concepts(column.name)[:1]) & _TIMES)


_RACED = frozenset(("finish", "lap", "split", "race", "heat", "sprint", "swim", "bike"))


def is_race_time(column: ColumnInfo) -> bool:
    """Whether the lowest figure of a column is the best one: a finish, a lap or a split, taken in a unit of time."""
    return is_time(column) and bool(_RACED & {word.removesuffix("s") for word in name_words(column.name)})
