"""Changes from one period to the next, moving averages, quantiles and rules for outliers, as far as words say them."""

from typing import cast

from smoldesk.analyst.intents import Grain
from smoldesk.analyst.meanings import ColumnRef, RowNoun
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.ordered_periods import periods
from smoldesk.analyst.reading.resolve import Item

_SPANS = ("hour", "day", "week", "month", "year")


def read_changes(draft: Draft) -> None:
    """Takes the numbers that belong to these words before anyone compares with them."""
    for index, item in enumerate(draft.items):
        if (said := item.cue("change")) is not None:
            _change(draft, said)
        elif item.cue("op") == "rolling":
            _window(draft, index)
        elif item.cue("op") == "outliers" or item.is_cue("rule"):
            _limit(draft, index)


def _change(draft: Draft, said: str) -> None:
    kind, _, grain = said.partition(" ")
    if kind in _SPANS:
        kind, grain = "", kind
    draft.change = kind or draft.change or "diff"
    if any(item.cue("agg") == "share" or item.cue("unit") == "percent" for item in draft.items):
        draft.change = "pct"
        draft.aggregates = [one for one in draft.aggregates if one != "share"]
    dated = any(column.kind == "date" for column in draft.table.columns)
    said_grain = grain or next(
        (value for item in draft.items if (value := item.cue("grain")) and not _measures(item)), ""
    )
    years = periods(draft.table, said_grain)
    if said_grain and years and not dated:
        draft.groups = draft.groups or years[:1]
    elif not draft.groups and (not draft.grain or (grain and draft.grain == "day")):  # by issue date
        draft.grain = cast(Grain, said_grain)
    if not draft.grain and not any(name in years for name in draft.groups):
        draft.change = ""


def _measures(item: Item) -> bool:
    """`how many weeks longer`, of a column `Weeks to ripen`: the figure itself, no step of time."""
    return item.mention.text.lower().endswith("s") and item.mention.first(ColumnRef) is not None


def _window(draft: Draft, index: int) -> None:
    for at in (index - 1, index - 2, index + 1, index + 2):
        near = draft.at(at)
        if near and near.number is not None and near.number >= 2 and at not in draft.used:
            draft.window = int(near.number)
            draft.used.update(range(at, index) if _counts_rows(draft, at + 1, index) else (at,))
            break
    beside = next(
        (
            value
            for at in (index - 1, index - 2, index + 1)
            if (near := draft.at(at)) and (value := near.cue("grain"))
        ),
        "day",
    )
    for near in draft.items:
        if near.unit in _SPANS:
            beside = near.unit
    draft.grain = draft.grain or cast(Grain, beside)
    draft.used.update(at for at, near in enumerate(draft.items) if near.unit in _SPANS)
    if not draft.aggregates:
        draft.aggregates = ["mean"]


def _counts_rows(draft: Draft, at: int, index: int) -> bool:
    """`5 game moving average`, where a column numbers the games: a noun of rows between the number and the words."""
    between = draft.at(at)
    if at + 1 != index or between is None:
        return False
    said = between.mention.text.lower()
    return bool(between.mention.first(RowNoun)) or said in _STEPS or _names_each_row(draft, between)


_STEPS = (
    "point",
    "points",
    "row",
    "rows",
    "period",
    "periods",
    "value",
    "values",
    "entry",
    "entries",
    "reading",
    "readings",
)


def _names_each_row(draft: Draft, item: Item) -> bool:
    """`3-episode moving average`, of a column that names each episode."""
    column = item.column
    return (
        column is not None
        and column.kind == "text"
        and item.value is None
        and names_each(column, draft.table)
    )


def _limit(draft: Draft, index: int) -> None:
    """`zスコアが1.5を超える`, `z score above 3`: the number is the rule's own."""
    if not any(item.cue("rule") == "z" for item in draft.items):
        return
    for at, near in enumerate(draft.items):
        if (
            near.number is not None
            and at not in draft.used
            and any(
                (one := draft.at(at + step)) is not None and (one.is_cue("cmp") or one.is_cue("rule"))
                for step in (-1, 1)
            )
        ):
            draft.rule_limit = near.number
            draft.used.add(at)
            draft.used.update(
                at + step
                for step in (-1, 1)
                if (one := draft.at(at + step)) is not None and one.is_cue("cmp")
            )
