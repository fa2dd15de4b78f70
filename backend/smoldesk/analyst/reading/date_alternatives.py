"""Several dates beside each other are either of them, as no row is of two: `march and april`, Q1とQ2, 土曜か日曜.

Months and weekdays become one condition, quarters that touch one stretch, all others any of them. Where the two halves of
the week or of the day are set against each other, rows are grouped by them.
"""

from dataclasses import replace
from itertools import pairwise

from smoldesk.analyst.intents import Filter, Grain, Refusal
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.weeks_of import is_week


def merge_alternatives(draft: Draft) -> None:
    """Puts the conditions on one date column together that no row could meet at once."""
    whens = [(index, item.when) for index, item in enumerate(draft.items) if item.when]
    said = {when.part for _, when in whens}
    if said >= {"weekend", "workday"}:
        _grouped(draft, "part of week", ("weekend", "workday"))
    elif len({when.ends for _, when in whens if when.part == "daytime"}) > 1:
        if any(when.ends[1] == 18 and len({one.ends for _, one in whens}) > 2 for _, when in whens):
            _declined(draft)
        else:
            _grouped(draft, "half of day", ("hour",))
    _either(draft, "month")
    _either(draft, "weekday")
    _stretches(draft)


def _grouped(draft: Draft, grain: Grain, parts: tuple[str, ...]) -> None:
    """Weekdays against weekends, mornings against afternoons: groups instead of conditions."""
    if draft.grain or any(item.is_cue("not") for item in draft.items):
        _declined(draft)
        return
    gone = [one for one in draft.filters if one.part in parts]
    draft.filters = [one for one in draft.filters if one not in gone]
    draft.grain = grain
    draft.used.update(index for index, item in enumerate(draft.items) if item.cue("grain") == "weekday")


def _declined(draft: Draft) -> None:
    said = tuple(item.mention.text for item in draft.items if item.when and item.when.part)
    draft.problem = draft.problem or Refusal("too_much", said, table=draft.table.name)


def _either(draft: Draft, part: str) -> None:
    """`on mondays and fridays`, 3月と4月: one condition with both."""
    same = [one for one in draft.filters if one.part == part and one.comparison in ("==", "!=")]
    if len(same) < 2 or len({(one.column, one.comparison) for one in same}) > 1:
        return
    values = tuple(dict.fromkeys(value for one in same for value in one.values))
    draft.swap(same, [replace(same[0], values=values)])
    apart = draft.change or any(item.cue("change") == "diff" for item in draft.items)
    if part == "month" and draft.says("vs") and not draft.grain and not draft.groups and not apart:
        draft.grain = "month"


def _stretches(draft: Draft) -> None:
    """Whole stretches of one column, each a first day and the first after it: one, where each begins
    with the other's end, else any of them."""
    days = [(low, high) for low, high in pairwise(draft.filters) if _is_span(low, high)]
    if len(days) < 2 or len({low.column for low, _ in days}) > 1:
        return
    if (
        len(days) == 2 and draft.says("change") and not draft.grain
    ):  # in the order they were said in: 1月と2月の差
        draft.swap([one for pair in days for one in pair], [_any_of(days)])
        return
    days.sort(key=lambda one: str(one[0].values[0]))
    touching = all(one[1].values == after[0].values for one, after in pairwise(days))
    joined = [days[0][0], days[-1][1]] if touching else [_any_of(days)]
    draft.swap([one for pair in days for one in pair], joined)
    weeks = all(is_week(str(low.values[0]), str(high.values[0])) for low, high in days)
    if weeks and draft.says("vs", "per") and not draft.grain and not draft.groups:
        draft.grain = "week"
        return
    grains: dict[str, Grain] = {"quarter": "quarter", "half": "half year", "": "month"}
    parts = {item.when.part for item in draft.items if item.when}
    months = all(
        item.when.month and not item.when.day for item in draft.items if item.when and not item.when.part
    )
    if len(parts) == 1 and draft.says("vs", "per") and not draft.grain and not draft.groups and months:
        draft.grain = grains.get(parts.pop(), "")


def _any_of(days: list[tuple[Filter, Filter]]) -> Filter:
    column = days[0][0].column
    return Filter(column, "==", (), "any", tuple(Filter(column, "==", (), "all", pair) for pair in days))


def _is_span(low: Filter, high: Filter) -> bool:
    texts = all(one.values and isinstance(one.values[0], str) for one in (low, high))
    return (
        texts
        and not low.part
        and low.column == high.column
        and low.comparison == ">="
        and high.comparison == "<"
    )
