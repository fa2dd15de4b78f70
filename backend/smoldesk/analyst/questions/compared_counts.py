"""`did Maya or Tom handle more tickets`, `are there more trout or carp`: the rows of two or more cells of one column."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter, Order
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import key, name_words, stem

_COUNTED = re.compile(
    r"\b(?:more|fewer|most|fewest|less) ?(?P<of>of |common\b|often\b|frequent\b)?", re.IGNORECASE
)


def compared_counts(draft: Draft, intent: DataIntent, order: Order) -> DataIntent | None:
    """`are there more trout or carp`: the rows of two or more cells of one column."""
    sides = [
        one
        for one in draft.filters
        if one.comparison == "==" and not (one.part or one.options) and len(one.values) > 1
    ]
    said = {one.column for one in sides}
    flags = {column.name: column for _, column in draft.free() if column.name not in said}
    if (
        len(sides) != 1
        or (draft.says("cmp") and draft.language == "ja")
        or any(not one.yes_no for one in flags.values())
    ):
        return None
    if draft.language == "en":
        counted = _COUNTED.search(draft.text)
        behind = draft.text[counted.end() :] if counted else ""
        nouns = any(
            item.rows and item.mention.text.lower() in behind.lower()[: len(item.mention.text) + 12]
            for item in draft.items
        )
        there = bool(re.match(r"(?:are|were|is|was|do|did) (?:there|we have)\b", draft.text, re.IGNORECASE))
        if counted is None or not (
            nouns or there or (counted["of"] or "").strip() in ("common", "often", "frequent")
        ):
            return None
    else:
        if not re.search(r"件数|[がはも、]多い|多かった|少な", draft.text):
            return None
    if draft.language == "en":
        deeds = _deeds(draft, said | {name for one in draft.filters for name in one.columns})
        if deeds is None:
            return None
        flags |= deeds
    kept = tuple(
        Filter(one.name, "==", (cell_value(one, yes[0]),)) for one in flags.values() if (yes := one.yes_no)
    )
    by_order(draft)
    return replace(
        intent, operation="aggregate", groups=(sides[0].column,), aggregates=("count",), measures=(),
        filters=(*intent.filters, *kept), order=order, limit=min(5, len(sides[0].values)),
        sides=tuple(Filter(sides[0].column, "==", (value,)) for value in sides[0].values),
    )  # fmt: skip


_DONE = {
    "sell": "sold",
    "pay": "paid",
    "win": "won",
    "send": "sent",
    "lose": "lost",
    "give": "given",
    "buy": "bought",
}


def _deeds(draft: Draft, taken: set[str]) -> dict[str, ColumnInfo] | None:
    """The yes/no columns that the verb is about: sold of `did Jake or Nora sell more cars`; None where a cell may say it."""
    words: list[str] = re.findall("[a-z]+", draft.text.lower())
    forms = {stem(one) for word in words for one in (word, _DONE.get(word, word))}
    found: dict[str, ColumnInfo] = {}
    for column in draft.table.columns:
        if column.name in taken:
            continue
        if column.yes_no and forms & {stem(word.strip("?")) for word in name_words(column.name)}:
            found[column.name] = column
        elif column.kind == "text" and forms & {stem(key(value)) for value in column.values}:
            return None
    return found


def by_order(draft: Draft) -> None:
    """The words of the comparison are honoured by the order."""
    draft.used.update(at for at, _ in draft.free())
    draft.used.update(
        at
        for at, item in enumerate(draft.items)
        if item.is_cue("more", "cmp", "top", "high", "low", "sort", "or", "vs", "agg")
    )
