"""`ticket 1004`, `order #55`, `A102`, 注文1003, 12番の社員: a row by its number, as a cell of its column of numbers."""

import re
from dataclasses import replace

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    Number,
    Skip,
    Unit,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.resolve import unit_column
from smoldesk.analyst.request.called_rows import Named
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.request.row_codes import row_codes
from smoldesk.analyst.request.row_numbers import row_numbers
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.tables.durations import is_duration

_SIZES = ("larger", "bigger", "smaller", "greater")


def numbered_rows(request: Request, catalogue: Catalogue) -> Request:
    """The request with such numbers and codes as cells."""
    tables = [one for one in catalogue.tables if not one.produced]
    own = [one for one in tables if not one.bundled]
    named = [
        _with_details(request, one) for one in (*row_codes(request, own), *row_numbers(request, tables, own))
    ]
    mentions = list(request.mentions)
    for one in sorted(named, key=lambda one: one.start):
        near = [mention for mention in mentions if mention.start < one.end and one.start < mention.end]
        if any(_goes_on(mention, one, request.text) for mention in near):
            continue  # a word that goes on says more
        said = request.text[one.start : one.end]
        lead = request.text.lower()[max(0, one.start - 24) : one.start]
        mentions = [m for m in mentions if m.end <= one.start or m.start >= one.end]
        mentions.append(Mention(one.start, one.end, said, one.refs, lead=lead))
    mentions.sort(key=lambda one: one.start)
    mentions = _with_details_of_names(replace(request, mentions=tuple(mentions)), tables)
    if named:
        mentions = [_as_column(one, mentions[at - 1] if at else None, own) for at, one in enumerate(mentions)]
    return replace(request, mentions=tuple(mentions))


def _goes_on(mention: Mention, one: Named, text: str) -> bool:
    """Whether more of a word stands outside of where the row is named than a particle."""
    outside = text[mention.start : one.start] + text[max(one.end, mention.start) : mention.end]
    return bool(outside) and not mention.first(Skip) and not _PARTICLE.fullmatch(outside)


_PARTICLE = re.compile("[のはがをにでと.]")


def _as_column(mention: Mention, before: Mention | None, own: list[TableInfo]) -> Mention:
    """`hours for ticket 5`: beside a row that is named, a unit is the one column that is measured in it."""
    if mention.first(Unknown) and mention.text.lower() in _SIZES:
        return replace(mention, meanings=(Cue("more"),))  # which invoice is larger, 17 or 20
    unit = mention.first(Unit)
    if unit is None or (before is not None and before.first(Number)):
        return mention
    refs = [
        ColumnRef(table.name, column.name, 2.9)
        for table in own
        for column in [unit_column(unit.name, table)]
        if column is not None and not is_duration(column)
    ]
    return replace(mention, meanings=tuple(refs)) if refs else mention


def _with_details(request: Request, one: Named) -> Named:
    """`details of ticket 5`, 注文5の詳細: all that is known of the row, where no column is called so."""
    before = _DETAILS.search(request.text[: one.start])
    start = one.start if before is None or _is_known(request, before.start("word")) else before.start()
    after = _DETAILS_BEHIND.match(request.text, one.end)
    place = after.start("word" if after["word"] else "english") if after else 0
    end = one.end if after is None or _is_known(request, place) else after.end()
    return replace(one, start=start, end=end)


def _with_details_of_names(request: Request, tables: list[TableInfo]) -> list[Mention]:
    """The same beside a name that stands in one row: `details of Dina Fox`."""
    known = {
        (table.name, column.name) for table in tables for column in table.columns if names_each(column, table)
    }
    mentions = list(request.mentions)
    for one in request.mentions:
        refs = tuple(ref for ref in one.all(ValueRef) if (ref.table, ref.column) in known)
        wide = _with_details(request, Named(one.start, one.end, refs)) if refs else None
        if wide is None or (wide.start, wide.end) == (one.start, one.end):
            continue
        mentions = [m for m in mentions if m is not one and (m.end <= wide.start or m.start >= wide.end)]
        said = request.text[wide.start : wide.end]
        mentions.append(replace(one, start=wide.start, end=wide.end, text=said))
    return sorted(mentions, key=lambda one: one.start)


def _is_known(request: Request, start: int) -> bool:
    """Whether the word there is a column or a cell."""
    return any(one.start == start and (one.all(ColumnRef) or one.all(ValueRef)) for one in request.mentions)


_DETAILS = re.compile(
    r"\b(?:(?:all|the|full|more|complete|whole|entire) )*"
    r"(?P<word>details?|info|information|record|row|data|everything|entry|particulars)"
    r"(?: (?:we have|there is|you know|you have))?(?: (?:of|for|on|about|from))?(?: the)? $",
    re.IGNORECASE,
)
_DETAILS_BEHIND = re.compile(
    r"(?:の|について(?:の)?)(?P<word>詳細|くわしい情報|詳しい情報|情報|全情報|明細|全項目|データ|詳しい内容)(?:全部|すべて)?"
    r"| (?:full |all )?(?P<english>details|info|information|record)(?=[ ?.!]*$)",
    re.IGNORECASE,
)
