"""Panels: tables with a row for each thing at each time, or one series. Which measures last from one time to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .traits import can_group

# Least and most rows that are searched, most columns that may tell things apart, and rows whose steps are compared.
LEAST_ROWS, MAX_ROWS, MAX_KEYS, MAX_STEPS = 8, 200_000, 8, 20_000
# Least rows of a thing on average, most rows that repeat a thing and a time, and the least share of all pairs of a thing
# and a time that have a row: events have few.
LEAST_TIMES, REPEATED, FILLED = 1.5, 0.01, 0.25
# The latest time has at least this share of the rows of a usual one.
COMPLETE = 0.5
# Median change from one time to the next, as a share, of a measure that lasts, and least steps to say so.
SMOOTH, LEAST_STEPS = 0.06, 8
# Least share of steps that do not fall of a measure that counts what has happened so far, least share that rise, least
# steps of a thing on average, and those from which that is no chance, whatever its header says.
NEVER_FALLS, RISES, SHORT_RUN, LONG_RUN = 0.99, 0.1, 10, 40
# Most columns of a time.
MAX_TIMES = 3
# Ratio of the largest to the smallest mean of the things of a rate, and least things to say so.
ALIKE, LEAST_THINGS = 3, 5
# First rows of a table that may show by themselves that it is no panel.
FIRST_ROWS = 20_000
# Least rows of a number that stands for a thing.
LEAST_RUN = 3
# Roles of columns that tell things apart, the likeliest first.
NAMES = ("category", "name", "id", "text")


@dataclass(frozen=True)
class Panel:
    """Columns of the times of a panel, the columns that tell its things apart, and the last time that is complete.

    Several columns are one time: year, month and day. Then `latest` is empty.
    """

    times: tuple[str, ...]
    keys: tuple[str, ...]
    latest: str


def thing_numbers(frame: Any, described: Sequence[dict[str, Any]]) -> set[str]:
    """Return the measures that number the things of a panel: each in rows of its own, in which the times rise."""
    if not _may_be_panel(frame):
        return set()
    roles = {item["name"]: item["role"] for item in described if item["name"] in frame.columns}
    times = [name for name, role in roles.items() if role == "time"][:2]
    measures = [name for name, role in roles.items() if role == "measure"]
    integers = [name for name in measures if frame[name].dtype.kind in "iu"][:MAX_KEYS]
    return {name for name in integers if any(_are_things(frame[name], frame[time]) for time in times)}


def _are_things(numbers: Any, times: Any) -> bool:
    is_next = numbers == numbers.shift()
    runs = int((~is_next).sum())
    if runs != numbers.nunique() or LEAST_RUN * runs > len(numbers) or runs < LEAST_RUN:
        return False
    try:
        return bool((times > times.shift())[is_next].all())
    except TypeError:  # texts and blanks
        return False


def panel_of(frame: Any, described: Sequence[dict[str, Any]]) -> Panel | None:
    """Return the panel that a table is; None if things and times repeat, or if things have one time each."""
    if not _may_be_panel(frame):
        return None
    roles = {item["name"]: item["role"] for item in described if item["name"] in frame.columns}
    measures = [name for name, role in roles.items() if role == "measure"]
    times = [name for name, role in roles.items() if role == "time"]
    if "name" in roles.values():  # the rows are things themselves
        return None
    named = [name for kind in NAMES for name, role in roles.items() if role == kind]
    keys = [name for name in named[:MAX_KEYS] if can_group(frame[name])]
    codes = {name: frame[name].factorize()[0] for name in [*times[:MAX_TIMES], *keys]}
    if _repeats(codes):
        return None
    choices = dict.fromkeys([*((time,) for time in times[:2]), tuple(times[:MAX_TIMES])]) if measures else ()
    keyed = [
        (chosen, things) for chosen in choices if chosen and (things := _key(codes, chosen, keys)) is not None
    ]
    if not keyed:
        return None
    chosen, things = min(keyed, key=lambda pair: len(pair[1]))
    counts = frame.loc[frame[measures[0]].notna(), chosen[0]].value_counts().sort_index()
    complete = counts[counts >= COMPLETE * counts.median()]
    has_latest = len(chosen) == 1 and len(complete) > 1 and bool(things)
    return Panel(chosen, things, _text(complete.index) if has_latest else "")


def _may_be_panel(frame: Any) -> bool:
    return bool(frame.columns.is_unique) and LEAST_ROWS <= len(frame) <= MAX_ROWS


def _repeats(codes: dict[str, Any]) -> bool:
    """Check whether the first rows alone repeat more times and names than a whole panel may."""
    if not codes:
        return False
    every = [*codes.values()]
    first = [column[:FIRST_ROWS] for column in every]
    return len(first[0]) - _distinct(first) > REPEATED * len(every[0])


def _key(codes: dict[str, Any], times: tuple[str, ...], names: Sequence[str]) -> tuple[str, ...] | None:
    """Return the fewest columns that tell the rows of each time apart; None if none do or if things have one row each."""
    chosen: list[str] = []
    rows = len(codes[times[0]])
    moments = best = _distinct([codes[time] for time in times])
    for name in names:
        if best >= (1 - REPEATED) * rows:
            break
        count = _distinct([codes[key] for key in (*times, *chosen, name)])
        if count > best:
            chosen.append(name)
            best = count
    if best < (1 - REPEATED) * rows:
        return None
    for name in chosen[:-1]:  # a later column may tell apart what this one does
        fewer = [key for key in chosen if key != name]
        if _distinct([codes[key] for key in (*times, *fewer)]) >= (1 - REPEATED) * rows:
            chosen = fewer
    things = _distinct([codes[key] for key in chosen]) if chosen else 1
    if chosen and (LEAST_TIMES * things > rows or FILLED * things * moments > rows):
        return None
    return tuple(chosen)


def _distinct(codes: Sequence[Any]) -> int:
    import pandas as pd

    combined: Any = codes[0].astype("int64")
    for other in codes[1:]:
        width = int(other.max()) + 2
        if int(combined.max()) >= 2**62 // width:  # the product would not fit
            combined = pd.Series(combined).factorize()[0]
        combined = combined * width + other + 1
    return pd.Series(combined).nunique()  # by hashes: np.unique sorts, which takes five times as long


def _text(times: Any) -> str:
    """Return the last of sorted times; empty for texts that may have another order."""
    last = times[-1]
    if isinstance(last, str) and len({*map(len, times)}) > 1:
        return ""
    return str(int(last)) if isinstance(last, float) and last.is_integer() else str(last)


def lasting(frame: Any, panel: Panel, measures: Sequence[str]) -> dict[str, set[str]]:
    """Return traits of measures: `lasting` if they hardly change from one time of a thing to the next, `running` if they
    never fall, as counts of what has happened so far, and then `steady` if their decimals are alike in all things.
    """
    import pandas as pd

    numbers = [name for name in measures if frame[name].dtype.kind in "iuf"]
    frame = frame.reset_index(drop=True)
    things = pd.Series(0, index=frame.index)
    if panel.keys:
        things = frame.groupby([*panel.keys], dropna=False, sort=False).ngroup()
        things = things[things < max(1, MAX_STEPS * (things.max() + 1) // len(frame))]
    rows = frame.loc[things.index]
    moments = {f"time {at}": rows[time].factorize(sort=True)[0] for at, time in enumerate(panel.times)}
    order = pd.DataFrame({"thing": things, **moments}).sort_values(["thing", *moments])
    is_next = order["thing"].eq(order["thing"].shift())
    traits: dict[str, set[str]] = {}
    for name in numbers:
        if trait := _trait(rows.loc[order.index, name].astype(float), is_next):
            means = rows[name].groupby(things).mean()
            is_narrow = len(means) >= LEAST_THINGS and 0 < means.max() < ALIKE * means.min()
            traits[name] = {trait, "steady"} if is_narrow and (rows[name] % 1 != 0).mean() > 0.5 else {trait}
    return traits


def _trait(values: Any, is_next: Any) -> str:
    steps, before = values.diff()[is_next], values.shift()[is_next].abs()
    steps, before = steps[steps.notna()], before[steps.notna()]
    if len(steps) < LEAST_STEPS:
        return ""
    length = len(steps) / (~is_next).sum()
    if length >= SHORT_RUN and (steps >= 0).mean() >= NEVER_FALLS and (steps > 0).mean() >= RISES:
        return "running" if length >= LONG_RUN else "lasting"
    changes = (steps.abs() / before.where(before > 0)).dropna()
    is_smooth = len(changes) > len(steps) / 2 and changes.median() <= SMOOTH and bool((steps != 0).any())
    return "lasting" if is_smooth else ""
