"""Words that mean something else beside their neighbours, by the kinds of a table's columns.

The total of `avg total`, of a column `Total paid`; the count of `ticket count`; the pets of `different pets`, of a column
`Pet name`.
"""

from dataclasses import replace

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RowNoun,
    Skip,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo
from smoldesk.analyst.words.text import inflections, key, name_words

_FIGURES = ("mean", "median", "min", "max", "std")
_NAMES = ("name", "names", "title", "id")
_NOT_YET = ("not ", "never ", "been ", "without ", "no ", "last ", "were ", "was ", "n't ")


def near_words(mentions: tuple[Mention, ...], catalogue: Catalogue) -> tuple[Mention, ...]:
    """The mentions with such words read as their neighbours ask."""
    kept: list[Mention] = []
    for at, mention in enumerate(mentions):
        before = kept[-1] if kept else None
        after = mentions[at + 1] if at + 1 < len(mentions) else None
        if (
            _is_article(mention, before, after)
            or _is_number_of(mention, before, after)
            or _is_condition(mention, before, after)
            or _is_head_count(mention, before, after, catalogue)
        ):
            continue
        mention = _total_column(mention, before, after, catalogue) or mention
        mention = _named_rows(mention, before, catalogue) or mention
        mention = _ranked_deed(mention, before, after, catalogue) or mention
        mention = _deed(mention, catalogue) or _capitals(mention, catalogue) or mention
        mention = (
            _listed_column(mentions, at, catalogue) or _plain_deed(mention, before, catalogue) or mention
        )
        kept.append(mention)
    return tuple(kept)


def _columns(catalogue: Catalogue) -> list[tuple[str, ColumnInfo]]:
    return [(table.name, column) for table in catalogue.tables for column in table.columns]


def _number_column(mention: Mention, catalogue: Catalogue) -> bool:
    refs = [ref for ref in mention.all(ColumnRef) if ref.strength >= 1.0]
    best = max(refs, key=lambda ref: ref.strength, default=None)
    if best is None:
        return False
    known = next(
        (one for name, one in _columns(catalogue) if name == best.table and one.name == best.column), None
    )
    return known is not None and known.kind == "number" and not known.is_id and not known.is_flag


def _is_article(mention: Mention, before: Mention | None, after: Mention | None) -> bool:
    """`not a member`, where some table has a deck called A: an article, unless its column stands beside it."""
    values = mention.all(ValueRef)
    if mention.text != "a" or not mention.all(Skip) or not all(one.needs_column for one in values):
        return False
    near = [ref for one in (before, after) if one is not None for ref in one.all(ColumnRef)]
    return not any(ref.table == one.table and ref.column == one.column for ref in near for one in values)


def _is_number_of(mention: Mention, before: Mention | None, after: Mention | None) -> bool:
    """`by no. of bedrooms`: by the bedrooms themselves."""
    if mention.cue("agg") != "count" or before is None or not before.says("per"):
        return False
    said = mention.text.lower()
    return said.endswith(("of", "no.", "nr", "number")) and after is not None and any(
        ref.strength >= 1.5 for ref in after.all(ColumnRef)
    ) and not after.all(RowNoun)  # fmt: skip


def _is_head_count(
    mention: Mention, before: Mention | None, after: Mention | None, catalogue: Catalogue
) -> bool:
    """`highest ticket count`, of a column of numbers: the tickets."""
    if (
        mention.text.lower() not in ("count", "counts")
        or before is None
        or not _number_column(before, catalogue)
    ):
        return False
    return mention.start - before.end == 1 and not (after is not None and after.text.lower() == "of")


def _is_condition(mention: Mention, before: Mention | None, after: Mention | None) -> bool:
    """`items where claimed is no`, of a column `Found at`: the word asks for no place there."""
    if mention.text.lower() != "where" or before is None or after is None or not mention.all(ColumnRef):
        return False
    return after.start - mention.end == 1 and any(ref.strength >= 2.5 for ref in after.all(ColumnRef))


def _total_column(
    mention: Mention, before: Mention | None, after: Mention | None, catalogue: Catalogue
) -> Mention | None:
    """`avg total for valentine orders`: the column that holds a total of each row; without one the word is unknown."""
    if mention.text.lower() not in ("total", "totals") or before is None or before.cue("agg") not in _FIGURES:
        return None
    if (
        before.all(ColumnRef)
        or mention.start - before.end != 1
        or any(ref.strength >= 1.5 for ref in mention.all(ColumnRef))
    ):
        return None
    if (
        after is not None
        and (after.all(ColumnRef) or after.says("and", "agg", "worth") or after.all(RowNoun))
        and after.start - mention.end <= 4
    ):
        return None
    found = [
        ColumnRef(name, column.name, 2.9)
        for name, column in _columns(catalogue)
        if column.kind == "number" and "total" in name_words(column.name) and not column.is_id
    ]
    tables = [ref.table for ref in found]
    found = [ref for ref in found if tables.count(ref.table) == 1]
    return replace(mention, meanings=tuple(found)) if found else None


def _named_rows(mention: Mention, before: Mention | None, catalogue: Catalogue) -> Mention | None:
    """`different pets`, of a column `Pet name`: their names."""
    if before is None or before.cue("op") != "distinct" or not mention.all(RowNoun):
        return None
    if any(ref.strength >= 1.5 for ref in mention.all(ColumnRef)):
        return None
    said = set(inflections(key(mention.text)))
    found = [
        ColumnRef(name, column.name, 2.9)
        for name, column in _columns(catalogue)
        if column.kind == "text"
        and (words := name_words(column.name))[0] in said
        and (len(words) == 1 or words[-1] in _NAMES)
    ]
    return replace(mention, meanings=(found[0],)) if len(found) == 1 else None


def _ranked_deed(
    mention: Mention, before: Mention | None, after: Mention | None, catalogue: Catalogue
) -> Mention | None:
    """`the least downloaded episodes`, `which is downloaded the most`, of a column Downloads: how many of them there are."""
    said = mention.text.lower()
    ranks = [one for one in (before, after) if one and one.text.lower().split()[-1:] in (["most"], ["least"])]
    if not ranks or not said.endswith("ed"):
        return None
    if any(ref.strength >= 1.5 for ref in mention.all(ColumnRef)) or mention.all(ValueRef):
        return None
    stems = {said.removesuffix("ed"), said.removesuffix("d"), said}
    found = [
        ColumnRef(name, one.name, 2.9)
        for name, one in _columns(catalogue)
        if one.kind == "number"
        and not one.is_id
        and stems & {form for word in name_words(one.name) for form in inflections(word)}
    ]
    return replace(mention, meanings=(found[0],)) if len(found) == 1 else None


def _deed(mention: Mention, catalogue: Catalogue) -> Mention | None:
    """`have never been counted`, of a column `Last counted`: a participle, not the word for counting."""
    said = mention.text.lower()
    if not said.endswith("ed") or not mention.lead.endswith(_NOT_YET):
        return None
    dated = [(name, column) for name, column in _columns(catalogue) if column.kind == "date"]
    own = [
        ColumnRef(name, one.name, 2.9)
        for name, one in dated
        if name_words(one.name) in (["last", said], ["date", said])
    ]
    own = own or (mention.all(ColumnRef) if said == "counted" else [])
    return replace(mention, meanings=tuple(own)) if own else None


def _capitals(mention: Mention, catalogue: Catalogue) -> Mention | None:
    """`pb`, of a column `New PB`: two capitals that only one column's name has."""
    said = mention.text.upper()
    if not mention.first(Unknown) or not (len(said) == 2 and said.isalpha() and said.isascii()):
        return None
    found = [
        ColumnRef(name, column.name, 2.0)
        for name, column in _columns(catalogue)
        if said in column.name.split()
    ]
    return replace(mention, meanings=(found[0],), read_as="") if len(found) == 1 else None


def _listed_column(mentions: tuple[Mention, ...], at: int, catalogue: Catalogue) -> Mention | None:
    """The reading of `listening, reading and speaking`: a column of numbers by its own word in a list of such columns."""
    mention = mentions[at]
    if not mention.all(RowNoun) or not _number_column(mention, catalogue):
        return None
    own = [ref for ref in mention.all(ColumnRef) if ref.strength >= 2.75]
    near = [
        ref.table
        for step in (-1, 1)
        if 0 <= at + 2 * step < len(mentions) and mentions[at + step].says("and")
        for ref in mentions[at + 2 * step].all(ColumnRef)
        if ref.strength >= 2.75 and _number_column(mentions[at + 2 * step], catalogue)
    ]
    own = [ref for ref in own if ref.table in near]
    return replace(mention, meanings=tuple(own)) if own else None


def _plain_deed(mention: Mention, before: Mention | None, catalogue: Catalogue) -> Mention | None:
    """`how many copies were ordered`, of the day Ordered that every row has: only the verb."""
    said = key(mention.text)
    if (
        not said.endswith("ed")
        or not mention.says("verb", "deed")
        or not mention.lead.endswith(("were ", "was "))
    ):
        return None
    if before is None or before.says("per", "which", "not"):
        return None
    refs = [ref for ref in mention.all(ColumnRef) if ref.strength >= 2.5]
    days = {
        (table.name, next((one.name for one in table.columns if one.kind == "date"), ""))
        for table in catalogue.tables
    }
    if not refs or not all(
        (ref.table, ref.column) in days and name_words(ref.column) == [said] for ref in refs
    ):
        return None
    return replace(mention, meanings=tuple(one for one in mention.meanings if not isinstance(one, ColumnRef)))
