"""Words that matched nothing, looked for among the names a table's columns hold: a part of one, or one with a typo, each
together with the words around it. One name is read as that one; several, or one of which little was said, are asked about.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    FloorRef,
    Fragment,
    Mention,
    RoomRef,
    Skip,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.tables.domain_data import vocabulary
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.tables.value_index import Found, ValueIndex, holds
from smoldesk.analyst.words.slips import plainest
from smoldesk.analyst.words.text import inflections

MOST_LOOKED_UP = 6
"""A request with more unknown words than this is not about names."""
MOST_CHOICES = 8
_REACH = 3
_PART, _TYPO = 2.6, 2.5
_SLIPS = 2
"""How many letters a whole name may have more than what was said of it with a typo."""
_GRAMMAR = (
    "agg", "op", "change", "rule", "noun", "per", "grain", "time", "and", "or", "vs", "not", "without", "with", "which",
    "cmp", "range", "top", "sort", "plot", "follow", "light", "verb",
)  # fmt: skip
_WORD = re.compile(r"\w+")

Look = Callable[[str], Sequence[Found] | None]
"""Finds names for the words of a stretch."""


def parts_of_names(mentions: Sequence[Mention], levelled: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, with unknown words and their neighbours read as the names they are a part of."""
    return _read(mentions, levelled, lexicon, _parts, _PART)


def misspelt_names(mentions: Sequence[Mention], levelled: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, with unknown words and their neighbours read as the names they miss by a typo."""
    return _read(mentions, levelled, lexicon, _typos, _TYPO)


def _typos(index: ValueIndex, word: str) -> Look:
    """Names nearly as a stretch has them, whole, or one of their words; an English word is no other one misspelt."""

    def look(words: str) -> Sequence[Found] | None:
        found = index.nearly(words)
        return found or (index.misspelt(word) if words == word and word not in vocabulary() else found)

    return look


def _read(
    mentions: Sequence[Mention],
    levelled: str,
    lexicon: Lexicon,
    looking: Callable[[ValueIndex, str], Look],
    strength: float,
) -> list[Mention]:
    """`looking` gives what finds names for the stretches around an unknown word."""
    unknown = [mention for mention in mentions if mention.first(Unknown) or _may_be_name(mention, mentions)]
    said = list(mentions)
    if not unknown or len(unknown) > MOST_LOOKED_UP:
        return said
    for table, index in lexicon.indexes():
        for mention in unknown:
            if mention not in said:
                continue  # it went into the name before it, or means something in another table
            place = said.index(mention)
            look = looking(index, _words(said, place, place + 1, levelled))
            for start, end in _spans(said, place, levelled):
                words = _words(said, start, end, levelled)
                if found := look(words):
                    said[start:end] = [_named(table, said[start:end], words, found, strength)]
                    break
    return said


def _may_be_name(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """`the orders of Green`, みどり: colours and directions, where nothing else speaks of the map."""
    if not mention.says("dir", "colour") or not all(
        isinstance(one, Cue) and one.kind in ("dir", "colour") for one in mention.meanings
    ):
        return False
    return not any(one.all(RoomRef) or one.all(FloorRef) or one.says("map") for one in mentions)


def _parts(index: ValueIndex, word: str) -> Look:
    """Names of which the words of a stretch are a part; those of no more words, if there are any."""
    known = index.holding(word)
    if known == [] and (singular := _singular(word)) and (several := index.holding(singular)):
        return lambda words: several if words == word else []  # guitars

    def look(words: str) -> Sequence[Found] | None:
        found = index.holding(words) if known is None else [one for one in known if holds(one.key, words)]
        people = [one for one in found or () if "@" not in one.value]  # Leo is Leo Park, not leo@x.org
        found = people or found
        return [one for one in found or () if _WORD.findall(one.key) == _WORD.findall(words)] or found

    return look


def _singular(word: str) -> str:
    return next((form for form in inflections(word)[1:] if word.endswith("s") and len(form) < len(word)), "")


def _named(
    table: str, said: Sequence[Mention], words: str, found: Sequence[Found], strength: float
) -> Mention:
    """One mention of the names found; a guess unless they are one value of which enough was said."""
    text = " ".join(mention.text for mention in said)
    if kinds := _kinds(table, words, found):
        return Mention(said[0].start, said[-1].end, text, (kinds,))
    guess = len({one.value for one in found}) > 1 or not found[0].covered_by(words)
    guess |= (
        strength == _TYPO and len(found[0].key) - len(words) > _SLIPS
    )  # a part, and that misspelt: Paris is no Parisa
    refs = tuple(
        ValueRef(table, one.column, one.value, strength, guess=guess) for one in found[:MOST_CHOICES]
    )
    read_as = "" if guess or found[0].key == words else found[0].key
    return Mention(said[0].start, said[-1].end, text, refs, read_as)


def _kinds(table: str, words: str, found: Sequence[Found]) -> Fragment | None:
    """`guitars`, where cells are acoustic guitar and bass guitar: all that end in the noun, which is no name of anybody's."""
    columns = {one.column for one in found}
    if len({one.value for one in found}) < 2 or len(columns) > 1 or " " in words or not words.isalpha():
        return None
    for noun in inflections(words):
        ends = [one for one in found if one.key.endswith(f" {noun}")]
        named = any(one.value.split()[-1][:1].isupper() for one in ends) and noun == words
        if len(ends) == len(found) and not named:
            return Fragment("ends", noun, False, (ColumnRef(table, found[0].column, 3.0),), True)
    return None


def _spans(said: Sequence[Mention], place: int, levelled: str) -> Iterator[tuple[int, int]]:
    """Stretches of mentions around this one that stand side by side, the longest first, none that ends in grammar."""
    first, last = place, place + 1
    while first and place - first < _REACH and _beside(said[first - 1], said[first], levelled):
        first -= 1
    while last < len(said) and last - place <= _REACH and _beside(said[last - 1], said[last], levelled):
        last += 1
    spans = [(start, end) for start in range(first, place + 1) for end in range(place + 1, last + 1)]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if not (_is_grammar(said[start]) or _is_grammar(said[end - 1])):
            yield start, end


def _is_grammar(mention: Mention) -> bool:
    return mention.says(*_GRAMMAR) or bool(mention.all(Skip))


def _beside(left: Mention, right: Mention, levelled: str) -> bool:
    return not levelled[left.end : right.start].strip()


def _words(said: Sequence[Mention], start: int, end: int, levelled: str) -> str:
    return plainest(re.sub(r" +", " ", levelled[said[start].start : said[end - 1].end]).strip())
