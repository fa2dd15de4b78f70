"""一番重い動物の名前と体重: columns of the one row that a superlative picks, by a word for the rows behind it."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts

_ONE = re.compile(
    "(?:大き|小さ|重|軽|長|短|高|安|古|新し|若|低|遠|近|広|狭|速|遅|早)(?:い|かった)$|年[上下長少]$|高齢$"
)


def columns_of_one(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The row with those columns; None where nothing is asked so, a refusal where what ranks the rows is not known."""
    if (
        draft.language != "ja"
        or intent.groups
        or intent.date
        or draft.plot
        or draft.operations
        or draft.change
    ):
        return None
    if set(draft.aggregates) - {"max", "min"} or draft.limit > 1:
        return None
    for at, item in enumerate(draft.items):
        noun = draft.at(at + 1)
        if noun is None or not item.is_cue("top", "high", "low"):
            continue
        told = _told_of_one(draft, at)
        asked = (_asked(draft, at + 1) if _ONE.search(item.mention.text) else None) or told
        if asked is None or not (told or any(column.kind == "number" for column in asked)):
            continue
        column = _ranking(draft, at, asked)
        if column is None:
            return Refusal("which_column", (item.mention.text,), _numbers(draft), draft.table.name)
        low = item.is_cue("low") or item.cue("top") == "asc"
        draft.used.update(index for index, _ in draft.free())
        names = dict.fromkeys((column.name, *(one.name for one in asked)))
        order = draft.order or ("asc" if low else "desc")
        return replace(intent, operation="top", measures=tuple(names), aggregates=(), limit=1, order=order)
    return None


def _asked(draft: Draft, at: int) -> list[ColumnInfo] | None:
    """The columns that close the request, behind 動物の or 商品と; None where other things stand there."""
    noun, rest = draft.items[at], draft.items[at + 1 :]
    if not rest or any(not (one.is_column or one.is_cue("and", "which", "map")) for one in rest):
        return None
    between = draft.text[noun.mention.end : rest[0].mention.start].strip("その ") if rest[0].mention else ""
    columns = [one.column for one in rest if one.column is not None]
    if noun.rows and draft.text[noun.mention.end : noun.mention.end + 1] == "の" and len(columns) > 1:
        return columns
    named = noun.column if noun.is_column else None
    joined = between == "と" or rest[0].is_cue("and")
    if named is not None and named.kind == "text" and names_each(named, draft.table) and joined and columns:
        return [named, *columns]
    return None


def _told_of_one(draft: Draft, at: int) -> list[ColumnInfo] | None:
    """残業時間が一番長い人の部署: the one column of that row, where each row is another one of those; None elsewhere."""
    before, noun, last = draft.at(at - 1), draft.items[at + 1], draft.at(at + 2)
    behind = [one for one in draft.items[at + 3 :] if not one.is_cue("which", "map")]
    if before is None or last is None or behind or not last.is_column or last.column is None:
        return None
    measured = before.is_column and before.column is not None and before.column.kind == "number"
    tied = noun.rows and draft.text[noun.mention.end : noun.mention.end + 1] == "の"
    names = [one for one in draft.table.columns if "name" in concepts(one.name)[:1] and not one.is_id]
    apart = all(names_each(one, draft.table) for one in names)
    return [last.column] if measured and tied and apart and last.column.kind != "number" else None


def _ranking(draft: Draft, at: int, asked: list[ColumnInfo]) -> ColumnInfo | None:
    """What is said right before the superlative, else what it measures, else the only number that is asked for."""
    before = draft.at(at - 1)
    if before is not None and before.is_column and before.column and before.column.kind == "number":
        return before.column
    item = draft.items[at]
    concept = item.cue("high") or item.cue("low")
    if concept:
        column = concept_column(concept, draft.table)
        if column is not None and column.kind == "number":
            return column
    numbers = [one for one in asked if one.kind == "number" and not one.is_id]
    return numbers[0] if len(numbers) == 1 else None


def _numbers(draft: Draft) -> tuple[str, ...]:
    return tuple(one.name for one in draft.table.columns if one.kind == "number" and not one.is_id)
