"""A follow-up put into the data intent before it: what it names takes the place of what was, all else stays."""

import re
from dataclasses import replace
from typing import cast

from smoldesk.analyst.intents import (
    Aggregate,
    Comparison,
    DataIntent,
    Filter,
    Order,
    Refusal,
)
from smoldesk.analyst.questions.ask_figures import said_in_name
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.ordered_periods import called_by, periods
from smoldesk.analyst.reading.read_speed import order_of_speed
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.talk.merge_filters import merged_filters
from smoldesk.analyst.talk.merge_ranked import ranked_among
from smoldesk.analyst.talk.merge_whole import without_limits
from smoldesk.analyst.talk.shown_beside import shown_beside

_USUAL: tuple[Aggregate, ...] = ("mean", "min", "max")
_SIGNS = (">", ">=", "<", "<=")
_EXTREMES = {"min": "asc", "max": "desc"}
_LOOKS = ("head", "tail", "rows", "sample", "duplicates", "deduplicate", "types", "memory")
"""What shows rows, or tells of columns, as they stand."""
_ROWS = (*_LOOKS, "top", "distinct", "describe")


def merge_data(draft: Draft, new: DataIntent, previous: DataIntent) -> DataIntent | Refusal:
    """The intent before with what the draft says put in its place, or why that cannot be."""
    if draft.problem:
        return draft.problem
    if one := _of_one(draft, new):
        return Refusal("too_much", words=(one,), table=draft.table.name)
    if ranking := ranked_among(draft, new, previous):
        return ranking
    if listed := shown_beside(draft, new, previous):
        return listed
    again = _compared_again(draft, previous)
    limit = _bare_limit(draft, previous)
    ranked = previous.operation == "top" or previous.limit
    if ranked and _all_numbers(draft, new.groups):  # and by bonus
        previous, new = replace(previous, measures=new.groups), replace(new, groups=())
    previous, whole = without_limits(draft, replace(previous, place=0))
    free = draft.free()
    numbers = tuple(column.name for _, column in free if column.kind == "number" and not column.is_flag)
    flags = [column for _, column in free if column.yes_no]
    others = tuple(column.name for _, column in free if column.kind == "text" and not column.yes_no)
    dates = tuple(column.name for _, column in free if column.kind == "date")
    draft.used.update(index for index, _ in free)
    if over := draft.left_over():
        return Refusal("too_much", words=tuple(over), table=draft.table.name)
    if again_of := _other_columns(
        draft, tuple(column.name for _, column in free) or new.groups, new, previous
    ):
        return again_of
    drawn = previous.operation in ("sample", "deduplicate", "duplicates") or (
        previous.operation in ("head", "tail") and previous.limit
    )
    if drawn and draft.says("back") and (draft.aggregates or numbers or new.groups or new.grain):
        back = tuple(item.mention.text for item in draft.items if item.is_cue("back"))
        return Refusal("too_much", words=back, table=draft.table.name)  # of those three
    narrowed = draft.says("back", "follow") or "count" in draft.aggregates or "share" in draft.aggregates
    added = tuple(new.filters) + again + (tuple(map(_yes, flags)) if narrowed else ())
    percent = draft.aggregates == ["share"] or any(item.cue("unit") == "percent" for item in draft.items)
    if percent and (previous.groups or previous.date) and all(one in previous.filters for one in added):
        added = ()  # as percent of all delivered, after only the delivered ones
    groups = new.groups + (() if narrowed else tuple(column.name for column in flags)) + others
    merged = replace(previous, save=new.save, file_name=new.file_name, file_kind=new.file_kind)
    target, filters = _shared(draft, added, merged)
    merged = replace(merged, target=target, filters=filters)
    merged = _measured(merged, numbers, said_in_name(draft, numbers))
    merged = _figures(draft, merged, bool(numbers))
    if groups or new.grain or draft.over_time or dates:
        cut = _cut(draft, merged, groups, dates)
        if isinstance(cut, Refusal):
            return cut
        merged = cut
    if percent and not added:
        shares = _as_share(draft, merged, previous)
        if isinstance(shares, Refusal):
            return shares
        merged = shares
    if new.change:
        merged = replace(merged, change=new.change)
    extreme = _EXTREMES.get(merged.aggregates[0]) if len(merged.aggregates) == 1 else None
    sped = _order_of_speed(draft, merged) if new.order else ""
    if sped:
        new = replace(new, order=sped)
    if new.order and extreme and not sped and not new.limit and merged.groups and not draft.aggregates:
        way: Aggregate = "max" if new.order == "desc" else "min"  # lowest of each group, and the highest?
        merged = replace(merged, aggregates=(way,))
    if new.order or new.limit or limit:
        most = new.limit or limit or merged.limit
        merged = replace(merged, order=new.order or merged.order or "desc", limit=most)
    merged = _plotted(merged, new) if new.plot else merged
    if merged.operation == "aggregate" and not merged.aggregates:
        merged = replace(merged, aggregates=("mean",) if merged.measures else ("count",))
    if merged.target and merged.target.column in previous.groups and not new.groups:  # what share are good
        merged = replace(merged, groups=tuple(name for name in merged.groups if name != merged.target.column))
    return _nothing_changed(draft, _same_numbers(draft, merged, previous), previous, whole)


def _order_of_speed(draft: Draft, merged: DataIntent) -> Order:
    """`速い順に`, `fastest first` of the figure before: the lowest times are the fastest; empty where no speed is said."""
    column = draft.table.column(merged.measures[0]) if len(merged.measures) == 1 else None
    return cast(Order, order_of_speed(draft, column)) if column else ""


def _same_numbers(draft: Draft, merged: DataIntent, previous: DataIntent) -> DataIntent:
    """`and in May?` after the customers with more than two orders asks the same of other rows; another figure does not."""
    same = (merged.operation, merged.aggregates, merged.measures, merged.order) == (
        previous.operation, previous.aggregates, previous.measures, previous.order,
    )  # fmt: skip
    drawn = merged.plot and merged.per_thing and merged.per_thing.figure
    same = same and not drawn and not draft.says("per")
    if not merged.per_thing or (same and len(merged.groups) + bool(merged.date) == 1):
        return merged
    return replace(merged, per_thing=None)


def _other_columns(
    draft: Draft, named: tuple[str, ...], new: DataIntent, previous: DataIntent
) -> DataIntent | None:
    """`and customers?` after what comes again among the emails, or the types of some columns."""
    more = draft.aggregates or new.grain or new.plot or new.order or new.limit or draft.over_time
    if (
        previous.operation not in ("duplicates", "deduplicate", "types")
        or not named
        or more
        or draft.says("per")
    ):
        return None
    filters = merged_filters(previous.filters, new.filters, draft.says("back"))
    return replace(previous, measures=tuple(dict.fromkeys(named)), filters=filters, save=new.save, sort="")


def _of_one(draft: Draft, new: DataIntent) -> str:
    """その人の部署は: of the one row or person just named, which no group and no condition can say; empty for others."""
    if len(draft.items) < 3 or draft.aggregates or new.filters:
        return ""
    first, noun = draft.items[0], draft.items[1]
    pointing = first.is_cue("follow") and first.mention.text in ("その", "この") and noun.rows
    return first.mention.text + noun.mention.text if pointing else ""


def _compared_again(draft: Draft, previous: DataIntent) -> tuple[Filter, ...]:
    """`and under 50?`: a bare comparison is about the column that was compared before."""
    compared = [one for one in previous.filters if one.comparison in _SIGNS and not one.part]
    compared = [one for one in compared if isinstance(one.values[0], float)]
    found: list[Filter] = []
    for index, item in enumerate(draft.items):
        if not compared or index in draft.used or (sign := item.cue("cmp")) is None:
            continue
        for at in (index - 1, index + 1):
            near = draft.at(at)
            if near and near.number is not None and at not in draft.used:
                draft.used.update((index, at))
                found.append(Filter(compared[-1].column, cast(Comparison, sign), (near.number,)))
                break
    return tuple(found)


def _bare_limit(draft: Draft, previous: DataIntent) -> int:
    """`only 5`, 5人だけ, after a ranking: so many of it."""
    bare = [at for at, item in enumerate(draft.items) if item.number is not None and at not in draft.used]
    if not previous.limit or len(bare) != 1 or draft.says("cmp"):
        return 0
    draft.used.add(bare[0])
    return int(draft.items[bare[0]].number or 0)


def _all_numbers(draft: Draft, names: tuple[str, ...]) -> bool:
    return bool(names) and all(draft.table.column(name).kind == "number" for name in names)


def _yes(column: ColumnInfo) -> Filter:
    return Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))


def _shared(
    draft: Draft, added: tuple[Filter, ...], merged: DataIntent
) -> tuple[Filter | None, tuple[Filter, ...]]:
    """The condition that a share counts, and the conditions on the rows."""
    target, within = merged.target, draft.says("back")
    if draft.aggregates == ["share"] and added:
        kept = merged.filters + ((target,) if target else ())
        return added[-1], merged_filters(kept, added[:-1], within)
    if target and any(one.column == target.column for one in added) and not within:
        same = next(one for one in added if one.column == target.column)
        rest = tuple(one for one in added if one is not same)
        return same, merged_filters(merged.filters, rest, within)
    if target and draft.aggregates and draft.aggregates[0] != "share":  # of those, how many ...
        return None, merged_filters((*merged.filters, target), added, within)
    return target, merged_filters(merged.filters, added, within)


def _measured(merged: DataIntent, numbers: tuple[str, ...], figures: tuple[Aggregate, ...]) -> DataIntent:
    """Other measures in the place of what was; `figures` are those that a measure's own words name: the total amount."""
    if not numbers:
        return merged
    if merged.operation in ("scatter", "correlation") and len(numbers) == 1 and len(merged.measures) == 2:
        return replace(merged, measures=(merged.measures[0], *numbers))
    if merged.operation == "aggregate" and (not merged.measures or "nunique" in merged.aggregates):
        return replace(merged, measures=numbers, aggregates=figures or ("mean",), target=None)
    if merged.operation in (*_LOOKS, "describe", "distinct"):
        return replace(merged, operation="aggregate", measures=numbers, aggregates=figures or ("mean",))
    if figures and merged.operation == "aggregate":
        return replace(merged, measures=numbers, aggregates=figures, unnamed=False)
    return replace(merged, measures=numbers)


def _figures(draft: Draft, merged: DataIntent, measured: bool) -> DataIntent:
    """Another figure of the same column, or rows counted instead."""
    ranked = merged.unnamed and merged.order and merged.groups and not measured
    if (
        draft.language == "ja" and ranked and draft.aggregates in (["min"], ["max"])
    ):  # 売上が一番多い作品は, then 最小は
        return replace(merged, order="asc" if draft.aggregates == ["min"] else "desc")
    named: tuple[Aggregate, ...] = tuple(one for one in draft.aggregates if one != "share")
    if named == ("count",):
        return replace(
            merged, operation="aggregate", measures=(), aggregates=("count",), target=None, unnamed=False
        )
    figures = tuple(one for one in named if one != "count")
    if figures:
        return replace(merged, operation="aggregate", aggregates=figures, target=None, unnamed=False)
    if draft.aggregates == ["share"] and (merged.target or measured):
        return replace(merged, operation="aggregate", aggregates=("share",), measures=())
    return merged


def _cut(
    draft: Draft, merged: DataIntent, groups: tuple[str, ...], dates: tuple[str, ...]
) -> DataIntent | Refusal:
    """Cut by other columns or another span of time; `also` and さらに add to what it was cut by."""
    if draft.grain or draft.over_time or dates:
        known = dates or tuple(column.name for column in draft.table.columns if column.kind == "date")
        called = called_by(draft.table, draft.grain)
        years = periods(draft.table, draft.grain) or ([called] if called else [])
        if not known and not years:
            return Refusal("no_date", table=draft.table.name)
        if known:
            merged = replace(
                merged,
                date=known[0],
                grain=draft.grain,
                over_time=draft.over_time or not draft.grain,
                groups=groups,
            )
        else:
            merged = replace(merged, date="", grain="", over_time=False, groups=(*groups, years[0]))
    elif draft.says("adds") or _splits(draft, merged):
        merged = replace(merged, groups=merged.groups + groups)
    else:
        merged = replace(merged, groups=groups, grain="", date="", over_time=False, change="")
    if merged.operation == "head" and merged.measures:  # names and ages, then by plan
        numbers = tuple(one for one in merged.measures if draft.table.column(one).kind == "number")
        merged = replace(merged, measures=numbers, aggregates=("mean",) if numbers else ("count",))
    if merged.operation in _ROWS:
        merged = replace(merged, operation="aggregate", order="", limit=0)
    return replace(merged, aggregates=("mean",)) if merged.aggregates == _USUAL else merged


_SPLIT = re.compile(
    r"^(?:and |now |then |ok |also )*(?:split|break|broken) (?:(?:it|them|that|those|these|this|each)(?: \w+)? )?"
    r"(?:(?:down|up|out|further) )?by\b",
    re.IGNORECASE,
)


def _splits(draft: Draft, merged: DataIntent) -> bool:
    """`split by member`, `by member as a stacked bar chart`: what was cut before is cut once more."""
    cut_once = len(merged.groups) == 1 and merged.operation == "aggregate" and not merged.date
    return cut_once and (draft.plot == "stacked" or bool(_SPLIT.search(draft.text)))


def _as_share(draft: Draft, merged: DataIntent, previous: DataIntent) -> DataIntent | Refusal:
    """The same in percent: counts and totals become parts of the whole, a change one in percent."""
    if merged.change:
        return replace(merged, change="pct")
    if "share" in merged.aggregates:
        return merged
    cut = bool(merged.groups or merged.date)
    if merged.aggregates == ("count",) and cut:
        return replace(merged, aggregates=("share",))
    if merged.aggregates == ("count",) and merged.filters:
        return replace(merged, aggregates=("share",), target=merged.filters[-1], filters=merged.filters[:-1])
    if merged.aggregates == ("sum",) and merged.groups and len(merged.measures) == 1:
        return replace(merged, aggregates=("share",))
    said = tuple(item.mention.text for item in draft.items if item.is_cue("agg", "unit"))
    return Refusal("too_much", words=said, table=previous.table)


def _plotted(merged: DataIntent, new: DataIntent) -> DataIntent:
    """The same figures as another plot; a histogram shows the values themselves."""
    if new.plot == "hist" and merged.measures:
        return replace(merged, operation="hist", aggregates=(), plot="hist")
    if new.plot == "scatter" and len(merged.measures) == 2:
        return replace(merged, operation="scatter", aggregates=(), plot="scatter")
    if new.plot in ("box", "violin") and merged.measures:
        return replace(merged, operation="aggregate", aggregates=("median",), plot=new.plot)
    operation = (
        "aggregate" if merged.aggregates or merged.operation in ("hist", "scatter") else merged.operation
    )
    return replace(merged, plot=new.plot, operation=operation, trend_line=new.trend_line)


_BOTH = re.compile(r"\bboth\b(?! (?:of (?:them|those) )?(?:to|as) (?:csv|excel))", re.IGNORECASE)


def _wants_both(draft: Draft, merged: DataIntent) -> bool:
    """`show both as bars` where there is one figure: the other one stood before a follow-up and is gone."""
    several = len(merged.measures) > 1 or len(merged.aggregates) > 1 or len(merged.groups) > 1
    return bool(merged.plot and _BOTH.search(draft.text)) and not several


def _nothing_changed(
    draft: Draft, merged: DataIntent, previous: DataIntent, whole: bool
) -> DataIntent | Refusal:
    """A follow-up whose words changed nothing was not understood, unless it only repeats."""
    if _wants_both(draft, merged):
        return Refusal("too_much", words=("both",), table=previous.table)
    if merged != previous or draft.says("back") or draft.save:
        return merged
    said = tuple(
        item.mention.text for item in draft.items if item.is_cue("agg", "plot", "top", "sort", "change")
    )
    if whole:
        return merged
    same = any((draft.filters, draft.groups, draft.plot, draft.order, draft.aggregates))
    return merged if same else Refusal("too_much", words=said, table=previous.table)
