"""Words that add nothing to their neighbours, taken out before a table is chosen.

They are the `show` that a request begins with, the time of `first reply time`, of a column `first_reply_min`, and the
number of `average number of nights`; and numbers that happen to be cell values are numbers beside a comparison.
"""

import re
from dataclasses import replace

from smoldesk.analyst.japanese.column_heads import without_heads
from smoldesk.analyst.meanings import (
    ROW_NAMED,
    ColumnRef,
    Cue,
    Mention,
    Number,
    RoomRef,
    RowNoun,
    Skip,
    TableRef,
    Unit,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.tables.column_names import core_words

_HEAD = re.compile(
    "(?:time|value|amount|level|reading|mark|score|figure|type|kind|categor)(?:s|y|ies)?", re.IGNORECASE
)
"""What may follow the name of a column of numbers and says only that it holds some."""
_GRADE = re.compile("(?:mark|score)s?", re.IGNORECASE)
"""The speaking mark: no row of a table of marks, but the column's own figure."""
_LETTERS = re.compile(r"[A-Z][A-Z0-9&]{1,4}(?=_| |$)")
_JUDGED = (
    "rating",
    "ratings",
    "grade",
    "grades",
    "band",
    "bands",
    "result",
    "results",
    "class",
    "code",
    "index",
)
_VAGUE = ("map", "light", "pad", "grain")
_FIGURES = ("mean", "median", "min", "max", "std")
_NUMBER = re.compile(r"[^\d\s]?\s?(-?\d[\d,]*(?:\.\d+)?)\s?(%?)")


def plain_mentions(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions without such words."""
    mentions = without_heads(mentions)
    kept: list[Mention] = []
    for at, mention in enumerate(mentions):
        before = kept[-1] if kept else None
        after = mentions[at + 1] if at + 1 < len(mentions) else None
        if _opens(mention):
            kept.append(replace(mention, meanings=(Skip(),)))
            continue
        if before and (_is_head(mention, before, after) or _is_called_column(mention, before)):
            continue
        if before and _is_head_of_letters(mention, before):
            continue
        if before and _is_explained(mention, before):
            continue
        if _names_a_column(mention, before, after):
            continue
        if _counts_measure(mention, before, after):
            continue
        if _is_colouring(mention, mentions):
            continue
        kept.append(_as_number(mention, before, after))
    return tuple(kept)


def _opens(mention: Mention) -> bool:
    """`show me the first 3 rows`: at the very beginning the word asks, also where a column holds shows."""
    return not mention.start and mention.text.lower() == "show" and mention.first(Skip) is not None


def _is_head(mention: Mention, before: Mention, after: Mention | None) -> bool:
    """`time` of first reply time; a word that is a column or a cell value of its own stays."""
    if not _HEAD.fullmatch(mention.text) or before.end + 1 < mention.start:
        return False
    if mention.all(ValueRef):
        return False
    named = {(ref.table, ref.column) for ref in before.all(ColumnRef) if ref.strength >= 2.75}
    if any(ref.strength >= 2 and (ref.table, ref.column) not in named for ref in mention.all(ColumnRef)):
        return False
    held = any(ref.strength >= 1 for ref in before.all(ColumnRef)) and not before.all(ValueRef)
    if not named and all(_has_other_head(ref.column, mention.text) for ref in before.all(ColumnRef)):
        return False  # the roasting time, of a column roast level
    multiplied = after is not None and bool(after.all(ColumnRef) or after.first(Number))
    vague = _VAGUE if multiplied else (*_VAGUE, "calc")  # the finish times, not price times quantity
    return held and all(
        isinstance(one, Unknown | Skip | ColumnRef)
        or (isinstance(one, Cue) and one.kind in vague)
        or (isinstance(one, RowNoun) and _GRADE.fullmatch(mention.text) is not None)
        for one in mention.meanings
    )


def _has_other_head(column: str, said: str) -> bool:
    """Whether a column's own last word says already what it holds, and says another thing."""
    last = next(iter(core_words(column)[-1:]), "")
    other = last == "date" or _HEAD.fullmatch(last) is not None
    return other and last.rstrip("s")[:4] != said.lower().rstrip("s")[:4]


def _is_head_of_letters(mention: Mention, before: Mention) -> bool:
    """`EPC rating`, `PHQ score`: what a column called by some capitals holds, where no column is called so."""
    if not mention.first(Unknown) or mention.text.lower() not in _JUDGED or before.end + 1 != mention.start:
        return False
    refs = [ref for ref in before.all(ColumnRef) if ref.strength >= 2.8]
    return bool(refs) and all(_LETTERS.match(ref.column) for ref in refs)


def _is_explained(mention: Mention, before: Mention) -> bool:
    """`disqualified (dq)`: the same column once more, in brackets."""
    if not mention.lead.endswith("("):
        return False
    columns = {(ref.table, ref.column) for ref in before.all(ColumnRef) if ref.strength >= 1.5}
    return any((ref.table, ref.column) in columns for ref in mention.all(ColumnRef) if ref.strength >= 2.5)


def _is_called_column(mention: Mention, before: Mention) -> bool:
    """`the age column`: the column's name said it already."""
    return mention.text.lower() in ("column", "field", "列", "カラム") and any(
        ref.strength >= 2 for ref in before.all(ColumnRef)
    )


def _names_a_column(mention: Mention, before: Mention | None, after: Mention | None) -> bool:
    """`by payment method`, of a column Method: payments are no rows there."""
    if before is None or after is None or not before.says("per") or not mention.all(RowNoun):
        return False
    beside = after.start == mention.end + 1 and any(ref.strength >= 2.5 for ref in after.all(ColumnRef))
    return beside and not mention.all(ColumnRef) and not mention.all(ValueRef)


def _counts_measure(mention: Mention, before: Mention | None, after: Mention | None) -> bool:
    """`average number of nights`: the nights themselves."""
    if mention.cue("agg") != "count" or not mention.text.lower().endswith(" of"):
        return False
    figure = before is not None and before.cue("agg") in _FIGURES
    if not figure or after is None or after.all(ValueRef):
        return False
    least = 2.0 if after.all(RowNoun) else 1.0  # number of bidders, of a column `# bidders`
    return any(ref.strength >= least for ref in after.all(ColumnRef))


def _is_colouring(mention: Mention, mentions: tuple[Mention, ...]) -> bool:
    """`coloured by fuel` beside a plot is about its dots, not about rooms."""
    if mention.cue("map") != "highlight" or any(one.all(RoomRef) for one in mentions):
        return False
    return mention.text.lower().startswith(("colour", "color")) and any(one.says("plot") for one in mentions)


def _as_number(mention: Mention, before: Mention | None, after: Mention | None) -> Mention:
    """`80% or more` is a number, though 80% is a cell value, too."""
    compared = any(one is not None and one.says("cmp", "range") for one in (before, after))
    if not compared or not mention.all(ValueRef) or mention.first(Number) or mention.all(TableRef):
        return mention
    if any(ref.strength == ROW_NAMED for ref in mention.all(ValueRef)):
        return mention
    said = _NUMBER.fullmatch(mention.text)
    if said is None:
        return mention
    return replace(mention, meanings=(Number(float(said[1].replace(",", ""))), *mention.all(Unit)))
