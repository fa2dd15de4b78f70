"""Sayings whose words an intent could seem to answer: `by who paid`, and `best selling` read as best liked."""

import re
from collections.abc import Iterator

from smoldesk.analyst.intents import DataIntent, Filter
from smoldesk.analyst.meanings import Quoted
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import name_words

_BEST_SELLING = re.compile(r"\b(?:best|top|worst)[- ]selling\b", re.IGNORECASE)
_BY_WHOM = re.compile(
    r"\b(?:by|per|for each) (?:who \w+|\w+(?: \w+)? and who \w+(?=[?.! ]*$))", re.IGNORECASE
)
_SALES = frozenset(("quantity", "tickets sold", "sales"))


def said_but_lost(draft: Draft, intent: DataIntent) -> str:
    """The saying that the intent does not answer; empty where there is none."""
    if quoted := _quoted(draft, intent):
        return quoted
    if draft.language != "en":
        return ""
    if (sold := _BEST_SELLING.search(draft.text)) and _tells_no_sales(draft, intent):
        return sold[0]
    whom = _BY_WHOM.search(draft.text)  # a group that only the name of a column can tell
    return whom[0] if whom else ""


def _quoted(draft: Draft, intent: DataIntent) -> str:
    """A quoted text that names nothing and that no condition looks for: 「月」か「海」か「記念」, of which one was read."""
    sought = {value for one in intent.filters for value in _sought(one)}
    for item in draft.items:
        meanings = item.mention.meanings
        only = bool(meanings) and all(isinstance(one, Quoted) for one in meanings)
        if only and not draft.save and item.mention.text not in sought:
            return item.mention.text
    return ""


def _sought(kept: Filter) -> Iterator[str]:
    yield from map(str, kept.values)
    for one in kept.options:
        yield from _sought(one)


def _tells_no_sales(draft: Draft, intent: DataIntent) -> bool:
    """Whether best selling was read as best liked, or as most rows where a column tells how many were sold."""
    if any("rating" in concepts(name) for name in intent.measures):
        return True
    counted = intent.aggregates == ("count",) and bool(intent.groups)
    numbers = [one.name for one in draft.table.columns if one.kind == "number"]
    return counted and any(_SALES & set(concepts(one)[:1]) or "sold" in name_words(one) for one in numbers)
