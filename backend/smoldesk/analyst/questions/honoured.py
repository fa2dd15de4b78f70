"""The last look at a question's words: each one of the grammar must show in the intent, or it is named in a refusal.

`average number of orders per month` must not be answered by the number alone.
"""

import re

from smoldesk.analyst.english.spoken_comparisons import asks_how_many_more
from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.meanings import Cue
from smoldesk.analyst.questions.said_but_lost import said_but_lost
from smoldesk.analyst.reading.asked_person import asked_person
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.ordered_periods import span_of
from smoldesk.analyst.reading.resolve import Item, concept_column, units_of
from smoldesk.analyst.tables.column_names import unit_of
from smoldesk.analyst.tables.who_made import no_such_maker
from smoldesk.analyst.words.text import bracketed, key, name_words

_OPERATIONS = ("outliers", "missing", "correlation")
_ASKED = ("which", "who", "whose", "whom", "どの", "どれ", "どちら", "誰", "だれ")
_ALLOWS = ("可", "不可", "可能", "不可能", "可能な")
_THINGS = ("which", "どの", "どれ", "どちら")
_HOW_MUCH_MORE = re.compile(
    r"\b(how much (?:[a-z]{3,}er|more [a-z]+|more|less|worse))\b.*\bthan\b", re.IGNORECASE
)
"""Asks for a difference, not for the figures of both sides."""
_WEEK_OF = re.compile(
    r"\bweeks? (?:of|beginning|starting|commencing|from|ending) (?:the )?(?=\d|[a-z]{3,9}\.? \d)",
    re.IGNORECASE,
)
"""The seven days from a day on, which are no grouping by weeks."""


def unhonoured(draft: Draft, intent: DataIntent) -> list[str]:
    """Words of the grammar that the intent does not answer, in the order of the request."""
    if intent.grain == "week" and not _dated(intent) and (week := _WEEK_OF.search(draft.text)):
        return [week[0].strip()]
    if intent.operation != "difference" and (apart := _HOW_MUCH_MORE.search(draft.text)):
        return [apart[1]]
    if intent.operation != "difference" and (apart := asks_how_many_more(draft.text)):
        return [apart]
    if lost := said_but_lost(draft, intent):
        return [lost]
    if intent.operation == "head" and (maker := _no_such_maker(draft, intent)):
        return [maker]
    return [
        item.mention.text
        for index, item in enumerate(draft.items)
        if index not in draft.used and _lost(draft, intent, index, item)
    ]


def _dated(intent: DataIntent) -> bool:
    """Whether a condition of the intent is about its days."""
    return any(leaf.column == intent.date for one in intent.filters for leaf in one.leaves)


def _no_such_maker(draft: Draft, intent: DataIntent) -> str:
    """`who hired Ana`: the column that holds Ana does not tell."""
    named = {name for one in intent.filters for name in one.columns}
    person = asked_person(draft)
    others = [column.name for column in draft.table.columns if column.name not in named]
    return no_such_maker(draft.text, others, "" if person in named else person)


def _lost(draft: Draft, intent: DataIntent, index: int, item: Item) -> bool:
    if figure := item.cue("agg"):
        return not item.is_cue("top") and _lost_figure(draft, intent, figure)
    if item.is_cue("and") and item.mention.text in "×*":  # quantity × price is neither of both
        return len(intent.measures) > 1
    if operation := item.cue("op"):
        return _lost_operation(intent, operation)
    if item.cue("plot") == "pair":
        return intent.plot != "pair"
    if item.cue("plot"):
        return not intent.plot and intent.operation not in ("hist", "scatter", "correlation")
    if item.is_cue("time"):
        return not intent.date and not any(span_of(draft.table.column(name)) for name in intent.groups)
    if item.is_cue("per") and draft.language == "ja" and intent.date and not intent.groups:
        before = draft.at(index - 1)
        if before is not None and before.rows and before.mention.end == item.mention.start:
            return True  # 部屋ごとの推移
    if item.is_cue("per") and not ((after := draft.at(index + 1)) and after.is_cue("cmp")):
        return intent.operation == "aggregate" and not (
            intent.groups or intent.date or intent.change or intent.order or _beside_value(draft, index)
        )
    if concept := item.cue("high") or item.cue("low"):
        return _lost_adjective(draft, intent, index, concept)
    if (
        item.cue("unit") == "percent"
        and intent.operation == "difference"
        and "share" not in intent.aggregates
    ):
        return draft.language == "en" and intent.change != "pct"  # 5 dollars more are no percent
    if units := [cue.value for cue in item.mention.all(Cue) if cue.kind == "unit"]:
        return all(_other_unit(draft, intent, unit) for unit in units)  # キロ of a length or a weight
    if item.mention.text in _ALLOWS and (before := draft.at(index - 1)) and before.rows:
        return before.mention.end == item.mention.start  # ペット可の物件 where nothing says who allows pets
    if item.is_cue("without") and draft.language == "ja":
        return _denies_nothing(draft, intent, item)
    if item.is_cue("which") and (key(item.mention.text) in _ASKED or item.mention.text.startswith("どの")):
        if intent.order and len(intent.measures) > 1 and key(item.mention.text) in _THINGS:
            return len(intent.aggregates) > 1  # which of the columns it is
        return (
            not (intent.groups or intent.date or intent.filters or intent.target)
            and intent.operation == "aggregate"
        )
    return False


def _denies_nothing(draft: Draft, intent: DataIntent, item: Item) -> bool:
    """していない人は何人: a Japanese denial of which no condition came."""
    if (
        not item.mention.text.endswith(("ない", "なかった", "ません", "ず"))
        or intent.operation != "aggregate"
    ):
        return False
    conditions = [*intent.filters, *intent.sides, *([intent.target] if intent.target else [])]
    return not conditions and not intent.groups and not draft.said_no


def _lost_figure(draft: Draft, intent: DataIntent, figure: str) -> bool:
    if intent.operation == "quantile":
        return figure not in ("quantile", "count", "share")
    if intent.operation != "aggregate":
        return figure in ("median", "std", "sum", "quantile", "share", "mean") and intent.operation in (
            "describe", "distinct", "missing", "shape", "columns", "head", "tail",
        )  # fmt: skip
    if figure in intent.aggregates:
        return False
    if figure == "count":  # number of nights: the nights themselves
        return not intent.aggregates or intent.aggregates == ("share",)
    if figure == "share":  # average discount in percent, growth rate
        return not (intent.change == "pct" or intent.measures)
    if figure == "sum":  # total number of orders
        return not {"count", "nunique"} & set(intent.aggregates) and "share" not in intent.aggregates
    return True


def _lost_operation(intent: DataIntent, operation: str) -> bool:
    if operation in _OPERATIONS:
        conditions = (*intent.filters, *((intent.target,) if intent.target else ()))
        listed = any(leaf.part == "blank" for one in conditions for leaf in one.leaves)
        return (
            intent.operation != operation and not _blanks(intent) and not (operation == "missing" and listed)
        )
    if operation == "distinct":
        return (
            intent.operation not in ("distinct", "columns")
            and "nunique" not in intent.aggregates
            and not intent.groups
        )
    if operation == "rolling":
        return not intent.window
    if operation == "crosstab":
        return not intent.wide
    return False


def _blanks(intent: DataIntent) -> bool:
    return intent.operation == "aggregate" and bool(intent.measures)


def _beside_value(draft: Draft, index: int) -> bool:
    """`paid by card`: the word ties a cell value, it does not group."""
    return any((near := draft.at(at)) is not None and near.value is not None for at in (index - 1, index + 1))


def _lost_adjective(draft: Draft, intent: DataIntent, index: int, concept: str) -> bool:
    """`how old` asks for a figure; `old passengers` would be a condition nobody can know."""
    column = concept_column(concept, draft.table)
    measured = column is not None and column.name in (
        *intent.measures,
        *(one.column for one in intent.filters),
    )
    if concept == "duration" and _lasts(draft, intent):
        return False
    extremes = not intent.unnamed and {"min", "max"} & set(intent.aggregates)
    return not (measured or (intent.order and intent.measures) or (intent.measures and extremes))


_TIMES = frozenset(("second", "minute", "hour", "day", "week", "month", "night"))


def _lasts(draft: Draft, intent: DataIntent) -> bool:
    """`how long do they stay on average, in nights`: the measure is a time by its unit or its very name."""
    if "how long" not in draft.text.lower():
        return False
    return any(
        unit_of(word) in _TIMES for name in intent.measures for word in [*name_words(name), *bracketed(name)]
    )


def _other_unit(draft: Draft, intent: DataIntent, unit: str) -> bool:
    """True when an answer is wanted in a unit that is not the measure's own."""
    if unit == "percent":
        return False
    own = [said for name in intent.measures if (said := units_of(draft.table.column(name)))]
    return bool(own) and not any(unit in said for said in own)
