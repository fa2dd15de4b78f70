"""What is told of the rows that a share is taken of: the failing of `what percent of the upstream samples failed`.

The words before the noun say which rows are the whole; the verb behind it, or a `not`, says what is counted among them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from smoldesk.analyst.intents import Filter
from smoldesk.analyst.meanings import TableRef
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.words.text import key

_GAP = re.compile(
    r" (?:(?:have|has|had|were|was|are|is|get|gets|got|did|do|does|actually|already|ever|still|also|eventually|then|been|being"
    r"|n't|not|never)\b ?)*"
)
"""What may stand between a noun and what is told of it; no word that ties a condition to the noun."""
_IS = re.compile(r"\b(?:are|is|were|was|have|has|had|come|comes|came|go|goes|went)\b")
_DONE = re.compile(
    r"\w{2,}ed|won|lost|sold|paid|left|went|came|got|made|kept|ran|broke|caught|drew|beat|fell|sank|died|late"
)


_PLACED = re.compile(r"\b(?:in|at|from|on|by|for|of) (?:the )?$")


def told_of(draft: Draft, whole: Sequence[int] = ()) -> Filter | None:
    """The condition that a verb or a `not` behind the noun of the rows tells; None where no noun parts it from others.

    `whole` are places of yes/no columns: with them only what `are` tells behind a noun that they stand before counts.
    """
    placed = [(at, one) for one, at in draft.placed if one in draft.filters]
    conditions = sorted(placed, key=lambda entry: entry[0])
    if whole:
        return _told_behind(draft, whole)
    for at, one in conditions:
        if _rated(draft, at):
            return one
    for (first, _), (last, told) in pairwise(conditions):
        if _had(draft, first, last) and told == conditions[-1][1]:
            return told
        noun = _noun_between(draft, first, last)
        if noun is None:
            continue
        here = draft.items[last]
        gap = draft.text[noun.mention.end : here.mention.start]
        if not _GAP.fullmatch(gap):
            continue
        if _DONE.fullmatch(key(here.mention.text)) or re.search(r"\b(?:not|never)\b|n't", gap):
            return told
    return None


def _is_noun(item: Item) -> bool:
    """A word for the rows: what they are called, a column that names them, or the table's own name."""
    return item.rows or item.is_column or bool(item.mention.all(TableRef))


_ASKED = re.compile(
    r"^(?:what|which|how) (?:share|%|percent(?:age)?|proportion|fraction|part|many percent) of ",
    re.IGNORECASE,
)
_BOUNDS = (">", "<", ">=", "<=")


def is_told_last(draft: Draft, first: int, last: Filter) -> bool:
    """`what % of engineering staff earn over 90000`: the question has a verb, and what is compared stands behind it."""
    noun = draft.at(first + 1)
    return (
        bool(_ASKED.match(draft.text))
        and last.comparison in _BOUNDS
        and draft.items[first].value is not None
        and noun is not None
        and _is_noun(noun)
    )


def told_together(draft: Draft) -> tuple[Filter, ...]:
    """`what % of passengers are women over 60`: two conditions behind the verb that are counted together."""
    asked = next((item for item in draft.items if item.cue("agg") == "share"), None)
    conditions = sorted(
        ((at, one) for one, at in draft.placed if one in draft.filters), key=lambda entry: entry[0]
    )
    both = tuple(dict.fromkeys(one for _, one in conditions))
    if draft.language != "en" or asked is None or len(both) != 2 or len(draft.filters) != 2:
        return ()
    (first, _), (last, second) = conditions[0], next(entry for entry in conditions if entry[1] == both[1])
    lead = draft.text[asked.mention.end : draft.items[first].mention.start]
    if asked.mention.start > draft.items[first].mention.start or not _IS.search(lead):
        return ()
    beside = draft.items[last].mention.start - draft.items[first].mention.end == 1
    kinds = draft.items[last].value is not None and key(draft.items[last].mention.text).endswith("s")
    return both if beside and (second.comparison in _BOUNDS or kinds) else ()


def flag_told_with(draft: Draft, flag: int) -> Filter | None:
    """`what % of listings are furnished flats`: the one condition that follows a yes/no column behind the verb."""
    asked = next((item for item in draft.items if item.cue("agg") == "share"), None)
    here, after = draft.items[flag], draft.at(flag + 1)
    if asked is None or after is None or after.value is None or len(draft.filters) != 1:
        return None
    lead = draft.text[asked.mention.end : here.mention.start]
    beside = after.mention.start - here.mention.end == 1 and key(after.mention.text).endswith("s")
    ends = all(item.mention.start <= after.mention.start for item in draft.items)
    return draft.filters[0] if beside and ends and _IS.search(lead) else None


_HAVING = re.compile(r" (?:with|having|(?:who|that|which) (?:have|has|had)) ")


def _had(draft: Draft, first: int, last: int) -> bool:
    """`share of the Leeds customers with a score over 3`: what those before the noun have; a bare noun has no whole."""
    noun = draft.at(first + 1)
    if noun is None or first + 1 >= last or not _is_noun(noun) or draft.items[first].value is None:
        return False
    if draft.items[first].mention.end + 1 != noun.mention.start:
        return False
    return _HAVING.match(draft.text, noun.mention.end) is not None


def _rated(draft: Draft, at: int) -> bool:
    """`pass rate of the new drivers`: what stands right before the word."""
    here, after = draft.items[at], draft.at(at + 1)
    if after is None or after.cue("agg") != "share" or after.mention.start - here.mention.end != 1:
        return False
    return key(after.mention.text) in ("rate", "rates", "share", "percentage", "ratio")


def _noun_between(draft: Draft, first: int, last: int) -> Item | None:
    """`upstream samples failed`, `flats not furnished`: the noun before what is told, which may be the first condition."""
    at = last - 1
    while at > first and draft.items[at].is_cue("not", "with", "light", "verb", "without"):
        at -= 1
    near = draft.items[at]
    many = key(near.mention.text).endswith("s") and not near.mention.text.isupper()
    verb = _DONE.fullmatch(key(draft.items[last].mention.text)) is not None
    behind = draft.at(first - 1)
    if at == first and verb and behind and _is_noun(behind) and _PLACED.search(near.mention.lead):
        return near  # samples from Lowe failed
    if at > first:
        return near if _is_noun(near) and at - first == 1 else None
    return near if near.value is not None and many else None


def _told_behind(draft: Draft, whole: Sequence[int]) -> Filter | None:
    """`share of the insured cars are in Leeds`: the yes/no column stands right before its noun, `are` after it."""
    asked = next((at for at, item in enumerate(draft.items) if item.cue("agg") == "share"), -1)
    behind = sorted(
        ((at, one) for one, at in draft.placed if one in draft.filters), key=lambda entry: entry[0]
    )
    last = max(whole)
    if asked < 0 or asked > min(whole) or not behind or behind[-1][0] <= last:
        return None
    at, told = behind[-1]
    noun = draft.at(last + 1)
    if noun is None or noun.mention.start - draft.items[last].mention.end != 1:
        return None
    if not (_is_noun(noun) or noun.value is not None) or at <= last + 1:
        return None
    return told if _IS.search(draft.text[noun.mention.end : draft.items[at].mention.start]) else None
