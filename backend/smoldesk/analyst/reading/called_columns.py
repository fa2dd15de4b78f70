"""`summarise the hours column`, `describe hours`, 時間の列: a word that is said to be a column is read as nothing else.

Also the fares of `fares as a share of the total`, where rows may be called fares: rows have no total.
"""

from collections.abc import Sequence
from dataclasses import replace

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    Number,
    RowNoun,
    Skip,
    Unit,
)
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.words.text import name_words

_SURE = 2.9
_LEAST = 1.0
_COLUMN = ("column", "field", "variable", "列", "カラム", "項目")


def called_columns(mentions: tuple[Mention, ...], catalogue: Catalogue) -> tuple[Mention, ...]:
    """The mentions, with a word before `column`, or alone after a word of describing, as the column it may name."""
    said = {value for mention in mentions if (value := mention.cue("agg"))}
    if {"share", "sum"} <= said:
        mentions = tuple(_totalled(mention, catalogue) or mention for mention in mentions)
    kept: list[Mention] = []
    for at, mention in enumerate(mentions):
        before = kept[-1] if kept else None
        if before and mention.text.lower() in _COLUMN and (column := _named(before)):
            kept[-1] = column
            continue
        if hours := _begun_by(mention, before, mentions[at + 1 :], catalogue):
            kept.append(hours)
            continue
        alone = at + 1 == len(mentions) and before is not None and before.cue("op") == "describe"
        kept.append((_named(mention) if alone else None) or mention)
    return tuple(kept)


def _begun_by(
    mention: Mention, before: Mention | None, after: Sequence[Mention], catalogue: Catalogue
) -> Mention | None:
    """`histogram of hours`, `sorted by days`: the one column of numbers that begins with the unit, `Hours to Resolve`.

    Not of an amount (`over 3 hours`), a step (`per hour`) or the time between two days.
    """
    word = mention.text.lower()
    if not mention.all(Unit) or not word.endswith("s") or len(word) < 4:
        return None
    if before and (before.all(Number) or before.says("per", "last", "first", "window")):
        return None
    if after and after[0].says("range") and any(_dated(one, catalogue) for one in after):
        return None
    refs = [
        one
        for one in mention.all(ColumnRef)
        if not catalogue.table(one.table).bundled
        and catalogue.table(one.table).column(one.column).kind == "number"
        and name_words(one.column)[:1] == [word]
    ]
    return replace(mention, meanings=(replace(refs[0], strength=_SURE),)) if len(refs) == 1 else None


def _dated(mention: Mention, catalogue: Catalogue) -> bool:
    return any(catalogue.table(one.table).column(one.column).kind == "date" for one in mention.all(ColumnRef))


def _totalled(mention: Mention, catalogue: Catalogue) -> Mention | None:
    """A noun of rows that is a column of numbers, too, as that column."""
    if not mention.all(RowNoun) or mention.says("agg"):
        return None
    refs = [
        one
        for one in mention.all(ColumnRef)
        if one.strength >= _LEAST and catalogue.table(one.table).column(one.column).kind == "number"
    ]
    return replace(mention, meanings=(replace(refs[0], strength=_SURE),)) if len(refs) == 1 else None


def _named(mention: Mention) -> Mention | None:
    """The mention as the one column of each table whose name it is a weak part of; None where it is surely one already."""
    refs = [one for one in mention.all(ColumnRef) if one.strength >= _LEAST]
    if not refs or any(one.strength >= _SURE for one in refs):
        return None
    others = [one for one in mention.meanings if not isinstance(one, ColumnRef | Skip)]
    if not all(isinstance(one, Cue | RowNoun | Unit) for one in others):
        return None
    best = max(one.strength for one in refs)
    return replace(
        mention, meanings=tuple(replace(one, strength=_SURE) for one in refs if one.strength == best)
    )
