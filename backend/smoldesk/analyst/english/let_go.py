"""English words that no table and no word of the grammar knows: let go where they say nothing, written out where short.

`dollars` beside a number, `currently`, `inclusive`, `in the collection`: harmless.toml lists them by what they are. Any other
word stays unknown and is named in the answer.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    Number,
    Skip,
    Unknown,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import key, level

_DATA: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("harmless.toml").read_text(encoding="utf-8")
)
_LET_GO = {name: frozenset(words.split()) for name, words in _DATA["let_go"].items()}
_SHORT = {word: long.split(", ") for word, long in _DATA["short"].items()}
_AFTER_TO = re.compile(r"(?:^|\b(?:to|me|us|you|i|we|pls|please|can|could|just|and|id|i'd) )$")
_WHOLE_LEAD = re.compile(
    r"\b(?:in|of|from|across|on|for|over|throughout|within) (?:the|our|my|this|that|your)(?: (?:whole|entire|full|current))? $"
)
_BRACKETS = re.compile(r"\(([^()]+)\)")


def let_go(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions with such words skipped and short forms written out, before typos are mended."""
    said = level(text)
    found: list[Mention] = []
    for mention in mentions:
        if mention.first(Unknown) and mention.text.isascii():
            before = next((one for one in reversed(found) if not one.all(Skip)), None)
            mention = _read(mention, before, said, lexicon)
        found.append(mention)
    return found


def named_whole(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, after typos are mended, with unknown names of figures whole, and those explained in brackets let go."""
    found: list[Mention] = []
    for at, mention in enumerate(mentions):
        if found and _is_head_of(mention, found[-1], mentions[at + 1 : at + 2]):
            first = found.pop()
            mention = Mention(first.start, mention.end, text[first.start : mention.end], (Unknown(),))
        found.append(mention)
    return _explained(found, text, lexicon)


def _read(mention: Mention, before: Mention | None, said: str, lexicon: Lexicon) -> Mention:
    word, lead = level(mention.text), said[: mention.start]
    gone = (
        word in _LET_GO["adverbs"]
        or (word in _LET_GO["asking"] and _AFTER_TO.search(lead))
        or (word in _LET_GO["whole"] and _WHOLE_LEAD.search(lead))
        or (word in _LET_GO["currencies"] and _follows_number(mention, before))
        or (word == "coefficient" and "correl" in said)
    )
    if gone:
        return replace(mention, meanings=(Skip(),))
    for long in _SHORT.get(word, ()):
        if meanings := lexicon.terms.get(long):
            return replace(mention, meanings=tuple(meanings), read_as=long)
    return _short_slip(mention, word, lexicon) or mention


def _follows_number(mention: Mention, before: Mention | None) -> bool:
    return before is not None and before.first(Number) is not None and mention.start - before.end <= 1


def _short_slip(mention: Mention, word: str, lexicon: Lexicon) -> Mention | None:
    """`puls`, `scor`: the name of a column without its last letter; longer words are mended as typos elsewhere."""
    if len(word) != 4 or not word.isalpha():
        return None
    near = [
        known
        for known in lexicon.guesses
        if len(known) == 5
        and known[:4] == word
        and not known.endswith("s")
        and any(isinstance(one, ColumnRef) and one.strength >= 1.5 for one in lexicon.terms[known])
    ]
    return (
        replace(mention, meanings=tuple(lexicon.terms[near[0]]), read_as=near[0]) if len(near) == 1 else None
    )


def _is_head_of(mention: Mention, before: Mention, after: Sequence[Mention]) -> bool:
    """`respiratory rate`, `stroke count`: a figure that nobody knows is named whole, not by its first half."""
    if not before.first(Unknown) or mention.start - before.end != 1 or not before.text.isascii():
        return False
    own = any(one.strength >= 1.5 for one in mention.all(ColumnRef))
    return key(mention.text) in _LET_GO["heads"] and not own and not any(one.first(Number) for one in after)


def _explained(mentions: list[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """`lowest sats (SpO2)`: one unknown word, and behind it in brackets the column that is meant."""
    unknown = [mention for mention in mentions if mention.first(Unknown)]
    if len(unknown) != 1:
        return mentions
    for match in _BRACKETS.finditer(text, unknown[0].end):
        known = lexicon.terms.get(key(match[1]), ())
        if any(isinstance(one, ColumnRef) and one.strength >= 2.8 for one in known):
            return [replace(one, meanings=(Skip(),)) if one == unknown[0] else one for one in mentions]
    return mentions
