"""`fastest`, 速い: the highest speed, but the lowest time."""

import re

from smoldesk.analyst.intents import Comparison
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import (
    concepts,
    graded_concepts,
    unit_of,
    units,
)
from smoldesk.analyst.tables.measured_in import unit_of_column
from smoldesk.analyst.words.measures import kinds_of
from smoldesk.analyst.words.text import name_words, tidy

_QUICK = re.compile(r"^(?:fast|quick|swift)|速い|早い|速く|早く|最速", re.IGNORECASE)
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
_LIVED = frozenset(
    ("age", "tenure", "experience", "building age", "shelf life", "loan period", "notice period")
)
"""Times that tell how old a thing is or how long it may last, and never how fast anything was."""
_SURE = 0.7
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
    speeds = [
        column
        for column in numbers
        if is_pace(column)
        or set(concepts(column.name)[:1]) & _SPEEDS
        or "speed" in kinds_of(unit_of_column(column))
    ]
    return speeds or [column for column in numbers if is_time(column)]


def is_word_of_speed(text: str) -> bool:
    """fastest, slowest, 速い; 早い and 遅い may be about the time of the day as well."""
    return bool(_QUICK.search(text) or _SLOW.search(text))


def speed_measure(table: TableInfo, of_rows: bool, quick: bool = False) -> ColumnInfo | None:
    """What fastest ranks where no measure is named; None where there is none, or nothing tells which of several.

    Beside a speed, the `quick` rows are those that took least time, and the fast ones may be either; the speed is that of
    whoever comes again in them.
    """
    found = speed_columns(table)
    times = [one for one in table.columns if is_time(one) and not one.is_id and not _is_lived(one)]
    found = times if of_rows and quick and times else [*found, *times] if of_rows else found
    found = [one for place, one in enumerate(found) if one not in found[:place]]
    found = [one for one in found if not _is_lived(one)]
    if len(found) < 2:
        return found[0] if found else None
    if of_rows and any(one not in times for one in found):
        return None
    sure = [one for one in found if graded_concepts(one.name).get("duration", 0.0) >= _SURE]
    return sure[0] if len(sure) == 1 else None


_NOT_SPED = re.compile(
    r"\b(?:stay|uptime|lesson|sleep|slept|study|studied|overtime|working|worked|sunshine|shelf|notice|warranty|opening|open|left"
    r"|overdue|late|used|listened|watched|played|practice|call)\b|滞在|睡眠|学習|勤務|労働|残業|日照|上映|再生|営業|保証|在籍|利用|通話"
)


def _is_lived(column: ColumnInfo) -> bool:
    said = " ".join(name_words(column.name))
    return bool(set(concepts(column.name)[:1]) & _LIVED or _NOT_SPED.search(said))


_PACE = re.compile(
    r"\bpace\b|ペース|\b(?:min|mins|minutes|sec|secs|seconds|s) ?(?:/|per) ?(?:km|mile|mi|lap|100 ?m|m)\b|分/km"
)


def is_pace(column: ColumnInfo) -> bool:
    """Minutes per kilometre: the less, the faster."""
    return column.kind == "number" and bool(_PACE.search(tidy(column.name).lower()))


def is_time(column: ColumnInfo) -> bool:
    """Whether a column holds how long something took: a unit of time in its name, or before it, as in `Hours to close`."""
    first = next(iter(name_words(column.name)), "")
    if is_pace(column):
        return True
    own = unit_of_column(column)
    if own and "time" not in kinds_of(own):
        return False  # Length (mm)
    timed = unit_of(first) in _TIME_UNITS and column.kind == "number"
    return bool(timed or units(column.name) & _TIME_UNITS or set(concepts(column.name)[:1]) & _TIMES)


_RACED = frozenset(("finish", "lap", "split", "race", "heat", "sprint", "swim", "bike"))


def is_race_time(column: ColumnInfo) -> bool:
    """Whether the lowest figure of a column is the best one: a finish, a lap or a split, taken in a unit of time."""
    return is_time(column) and bool(_RACED & {word.removesuffix("s") for word in name_words(column.name)})
