"""`months with a higher than average bill`: rows on one side of a column's own average, or of its median."""

from typing import cast

from smoldesk.analyst.intents import Aggregate, Comparison, Filter
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.glossary import ADJECTIVES
from smoldesk.analyst.words.text import key

_BETWEEN = ("", "the", "than", "than the", "-", "its", "their", "を", "より", "よりも")
_TYING = ("light", "verb", "deed", "pad", "not")


def read_average_bound(draft: Draft) -> None:
    """Adds a condition for each comparison right before a word for the average, beside one column of numbers.

    Where kinds of rows are asked for (`which towns have above average sales`) it may be their totals that are compared:
    nothing is added, and the words are named in a refusal.
    """
    if _of_kinds(draft):
        return
    for index, item in enumerate(draft.items):
        sign = item.cue("cmp")
        if sign is None or index in draft.used:
            continue
        at = _figure(draft, index)
        if at is None or any(draft.items[near].is_cue("not") for near in range(max(0, index - 2), index)):
            continue
        if draft.language == "ja":
            meant = _column(draft, at - 1, 0)
        else:
            meant = _column(draft, at + 1, 0) or _by_adjective(draft, index) or _column(draft, index - 1, -1)
        if meant:
            _keep(draft, cast(Comparison, sign), index, at, meant)


def _keep(draft: Draft, sign: Comparison, index: int, figure: int, meant: tuple[int, ColumnInfo]) -> None:
    at, column = meant
    bound = cast(Aggregate, draft.items[figure].cue("agg"))
    draft.keep(Filter(column.name, sign, (bound,), "average"), index, at)
    draft.used.update((index, figure, at))  # heavier than average: the comparison is the place of its column
    others = [one.cue("agg") for place, one in enumerate(draft.items) if place != figure]
    if bound not in others and bound in draft.aggregates:
        draft.aggregates.remove(bound)


def _figure(draft: Draft, index: int) -> int | None:
    """Where the word for the average stands: behind an English comparison, before a Japanese one (平均を上回る)."""
    at = index + (1 if draft.language == "en" else -1)
    figure = draft.at(at)
    if figure is None or figure.cue("agg") not in ("mean", "median"):
        return None
    first, last = sorted((draft.items[index].mention, figure.mention), key=lambda one: one.start)
    beyond = draft.at(at + 1) if draft.language == "en" else None
    close = draft.text[first.end : last.start].strip().lower() in _BETWEEN
    return at if close and not (beyond and beyond.number is not None) else None


def _column(draft: Draft, at: int, step: int) -> tuple[int, ColumnInfo] | None:
    """The column of numbers that stands there, over verbs that only tie it."""
    while step and (near := draft.at(at)) and near.is_cue(*_TYING):
        at += step
    near = draft.at(at)
    if near is None or not near.is_column or near.column is None or at in draft.used:
        return None
    measure = near.column.kind == "number" and not near.column.is_id and not near.column.is_flag
    return (at, near.column) if measure else None


def _by_adjective(draft: Draft, index: int) -> tuple[int, ColumnInfo] | None:
    """`heavier than average`: the column that the adjective is about."""
    words = set(key(draft.items[index].mention.text).split())
    said = next((concept for concept, adjectives in ADJECTIVES.items() if words & set(adjectives)), "")
    column = concept_column(said, draft.table) if said else None
    return (index, column) if column and column.kind == "number" else None


def _of_kinds(draft: Draft) -> bool:
    """Whether a column is asked for whose cells come again: the towns of sales."""
    asked = draft.says("which", "per") or bool(draft.groups)
    return asked and any(
        item.is_column
        and item.column
        and item.column.kind == "text"
        and 0 < len(item.column.values) < draft.table.rows
        for item in draft.items
    )
