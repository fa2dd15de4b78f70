"""`or above 40` after a condition is an `or` and a comparison; only after a number is it the end of one: `40 or above`."""

import re
from collections.abc import Sequence

from backend.builtin.lexicon import Lexicon
from backend.builtin.meanings import Cue, Mention, Number, Unit
from backend.builtin.words import level

_JOINED = re.compile(r"(and|or) (\w+)$", re.IGNORECASE)


def bounds_apart(mentions: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The mentions, with such phrases in two where no number stands before them and one does after."""
    said: list[Mention] = []
    for index, mention in enumerate(mentions):
        match = _JOINED.fullmatch(mention.text) if mention.says("cmp") else None
        before = said[-1] if said else None
        after = mentions[index + 1] if index + 1 < len(mentions) else None
        ends = before is not None and (before.first(Number) or before.first(Unit))
        rest = lexicon.terms.get(level(match.group(2)), ()) if match else ()
        if match is None or ends or after is None or not after.first(Number) or not rest:
            said.append(mention)
            continue
        cut = mention.start + len(match.group(1))
        said.append(Mention(mention.start, cut, match.group(1), (Cue(match.group(1).lower()),)))
        said.append(Mention(cut + 1, mention.end, match.group(2), tuple(rest)))
    return said
