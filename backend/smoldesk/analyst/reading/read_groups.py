"""What a draft is cut by and how it is ranked: `by class and sex`, 月別, `top 5`."""

from typing import cast

from smoldesk.analyst.intents import Grain, Order, Refusal
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.ranked_by import ranked_by
from smoldesk.analyst.reading.read_speed import is_race_time, order_of_speed
from smoldesk.analyst.reading.resolve import Item, concept_column
from smoldesk.analyst.reading.rows_of_one import is_row_of_one
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.glossary import ADDITIVE, BETTER_WHEN_HIGH, WORSE_WHEN_HIGH
from smoldesk.analyst.words.text import key

_BEFORE_GROUP = ("各", "それぞれ")


def read_groups(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if not item.is_cue("per"):
            continue
        forward = item.mention.text.isascii() or item.mention.text in _BEFORE_GROUP
        step = 1 if forward else -1
        at = index + step
        while (near := draft.at(at)) and _take_group(draft, at, near):
            joined = draft.at(at + step)
            at += 2 * step if joined and joined.is_cue("and", "follow") else step
            if not joined or not joined.is_cue("and"):
                break
    if not draft.grain and (
        grain := next(
            (g for item in draft.items if (g := item.cue("grain")) and _adverb(item.mention.text)), ""
        )
    ):
        draft.grain = "" if is_row_of_one(draft, grain) else cast(Grain, grain)


def _adverb(text: str) -> bool:
    """daily, monthly, 毎日: a grain that needs no `per`."""
    return key(text).endswith("ly") or text.startswith("毎") or text.endswith("次") or key(text) == "annual"


def read_ranked_grain(draft: Draft) -> None:
    """`the hottest day`: days are ranked, each by its average."""
    grain = next((value for item in draft.items if (value := item.cue("grain"))), "")
    averaged = any(
        item.cue("grain")
        and item.mention.text in ("月", "日", "年", "週")
        and (near := draft.at(index + 1))
        and near.cue("agg")
        and near.mention.start == item.mention.end
        for index, item in enumerate(draft.items)
    )  # 月平均
    if (draft.order or averaged) and grain and not draft.grain and not draft.groups:
        draft.grain = cast(Grain, "hour of day" if grain == "hour" else grain)
    if draft.order and grain and not draft.limit and not draft.groups and _asks_for_one(draft):
        draft.limit = 1


def _asks_for_one(draft: Draft) -> bool:
    """`which month had the fewest visitors`, `the hottest day`, and no ranking of all months."""
    if draft.language != "en" or draft.plot or draft.change or draft.save or draft.says("per", "sort"):
        return False
    ranked = any(item.is_cue("top") or key(item.mention.text).endswith("est") for item in draft.items)
    return ranked and any(item.cue("grain") and item.mention.text.lower() in _ONE for item in draft.items)


_ONE = frozenset(("day", "week", "month", "quarter", "year", "hour"))


def _is_ratio(draft: Draft, at: int) -> bool:
    near = [
        one.mention.text.lower() for step in (-1, 1) if (one := draft.at(at + step)) and one.is_cue("per")
    ]
    return any(text in ("per", "for each", "あたり", "each") for text in near)


def _take_group(draft: Draft, at: int, near: Item) -> bool:
    if near.is_column and near.column and at not in draft.used:
        ranked = near.column.kind == "number" and any(
            item.is_cue("top", "sort")
            or (item.is_cue("high", "low") and key(item.mention.text).endswith("est"))
            for item in draft.items
        )
        texts = any(column.kind == "text" for _, column in draft.free())
        of_rows = draft.rows and not draft.aggregates and not draft.says("which")
        own = 2 * len(near.column.values) > draft.table.rows  # most rows have a figure of their own
        if ranked and (texts or of_rows or own or not near.column.values or len(near.column.values) > 10):
            return False  # the top five by fare: fare ranks, it does not group
        if (
            near.column.kind == "number"
            and set(concepts(near.column.name)[:1]) & ADDITIVE
            and _is_ratio(draft, at)
        ):
            return False  # revenue per session is a ratio
        if near.column.kind == "date":
            after = draft.at(at + 1)
            beside = after is not None and after.mention.start - near.mention.end <= 1
            grain = after.cue("grain") if after and beside else None  # per check-in month
            if grain:
                draft.used.add(at + 1)
            said = next(
                (value for item in draft.items if (value := item.cue("grain"))), ""
            )  # monthly, by due date
            draft.grain = cast(Grain, grain or draft.grain or said or near.column.span_of_one)
            draft.cut_by = near.column.name
        elif near.column.name not in draft.groups:
            draft.groups.append(near.column.name)
        draft.used.add(at)
        return True
    if grain := near.cue("grain"):
        if any(_is_per(grain, one.name.lower()) for _, one in draft.free() if one.kind == "number"):
            draft.used.update((at, at - 1))  # a monthly cost per month
            return True
        draft.grain = cast(Grain, grain)
        return True
    return False


_SHORT = {
    "month": ("month", "pcm", "p.m.", "/mo"),
    "year": ("annual", "per year", "yearly", "p.a."),
    "week": ("weekly", "per week", "p.w."),
}


def _is_per(grain: str, name: str) -> bool:
    """Whether a column says itself that it is of a month, a year or a week: monthly cost, rent pcm."""
    return any(word in name for word in _SHORT.get(grain, ()))


def _judged(draft: Draft, best: bool) -> str:
    """Which way best or worst looks: low delays are good, low scores are bad; empty where nobody can tell."""
    named = [column for _, column in draft.free() if column.kind == "number"] or [
        column
        for item in draft.items
        if item.is_column and (column := item.column) and column.kind == "number"
    ]
    if not named:  # best scoring lot
        spoken = [value for item in draft.items if (value := item.cue("light"))]
        named = [column for concept in spoken if (column := concept_column(concept, draft.table))]
    for column in named:
        said = set(concepts(column.name)[:1])
        if said & WORSE_WHEN_HIGH or is_race_time(column):
            return "asc" if best else "desc"
        if best or said & BETTER_WHEN_HIGH:
            return "desc" if best else "asc"
    return ""


def _said_way(draft: Draft) -> str:
    """多かった日ワースト3: the adjective beside worst says which way it looks; empty where none does, or both ways."""
    ways = {way for item in draft.items if (way := item.cue("top")) in ("asc", "desc")}
    return ways.pop() or "" if len(ways) == 1 else ""


def _read_limit(draft: Draft) -> None:
    """`the 2 channels with the lowest total`: a number right before what is ranked."""
    for index, item in enumerate(draft.items):
        near = draft.at(index + 1)
        if (
            draft.order
            and not draft.limit
            and draft.language == "en"
            and item.number is not None
            and index not in draft.used
            and 1 <= item.number == int(item.number)
            and near is not None
            and (near.rows or (near.is_column and near.column is not None and near.column.kind == "text"))
        ):
            draft.limit = int(item.number)
            draft.used.add(index)


def _read_superlative(draft: Draft) -> None:
    """`5 dearest items`: a number before an adjective that is no word of ranking by itself."""
    for index, item in enumerate(draft.items):
        said, before = key(item.mention.text), draft.at(index - 1)
        if draft.order or not said.endswith("est") or not item.is_cue("high", "low"):
            continue
        if before and before.number is not None and before.number >= 1 and index - 1 not in draft.used:
            draft.order = "desc" if item.is_cue("high") else "asc"
            draft.limit = int(before.number)
            draft.used.add(index - 1)


_FIRST_ONES = ("トップ", "上位", "ベスト")
"""The first of a ranking, from whichever end it begins."""


def read_order(draft: Draft) -> None:
    ranked = ranked_by(draft)
    for index, item in enumerate(draft.items):
        if (order := item.cue("top") or item.cue("sort")) is None:
            continue
        if order in ("worst", "best"):
            order = _said_way(draft) or (ranked.order if ranked else _judged(draft, order == "best"))
            if not order:
                draft.problem = Refusal("too_much", (item.mention.text,), table=draft.table.name)
                return
        if item.mention.text in _FIRST_ONES and (draft.order == "asc" or draft.says("low")):
            order = "asc"  # 少ない月トップ3, 軽い魚上位3件
        if not draft.order or item.is_cue("top") or order == "asc":
            draft.order = cast(Order, order)
        if item.mention.text in ("一番", "最も", "most", "least") and draft.says("low"):
            draft.order = "asc"
        for at in (index + 1, index - 1):
            near = draft.at(at)
            if near and near.number is not None and near.number >= 1 and at not in draft.used:
                draft.limit = int(near.number)
                draft.used.add(at)
                break
    _read_superlative(draft)
    if draft.order and (order := order_of_speed(draft)):
        draft.order = cast(Order, order)
    _read_limit(draft)
    for index, item in enumerate(draft.items):
        if item.cue("op") in ("head", "tail") or (item.rows and "head" in draft.operations):
            for at in (index + 1, index - 1):
                near = draft.at(at)
                if near and near.number is not None and near.number >= 1 and at not in draft.used:
                    draft.limit = int(near.number)
                    draft.used.add(at)
