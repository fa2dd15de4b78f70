"""`or above 40` after a condition is an `or` and a comparison; only after a number is it the end of one: `40 or above`."""

import re
from collections.abc import Sequence

from smoldesk.analyst.meanings import (
    Cue,
    Mention,
    Number,
    Unit,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import level

_JOINED = re.compile(r"(and|or) (\w+)$", re.IGNORECASE)


def bounds_apart(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, with such phrases in two where no number stands before them and one does after, or `than` does."""
    said: list[Mention] = []
    for index, mention in enumerate(mentions):
        match = _JOINED.fullmatch(mention.text) if mention.says("cmp") else None
        before = said[-1] if said else None
        after = mentions[index + 1] if index + 1 < len(mentions) else None
        touching = after is not None and after.first(Number) and after.start == mention.end + 1
        ends = before is not None and (before.first(Number) or (before.first(Unit) and not touching))
        if match and text[mention.end :].lower().startswith(" than "):  # over 3 nights and more than 1 adult
            ends, said_more = False, f"{match.group(2)} than"
            after = next((one for one in mentions[index + 1 :] if one.text.lower() != "than"), None)
        else:
            said_more = match.group(2) if match else ""
        rest = lexicon.terms.get(level(said_more), ()) if match else ()
        if match is None or ends or after is None or not after.first(Number) or not rest:
            said.append(mention)
            continue
        cut = mention.start + len(match.group(1))
        said.append(Mention(mention.start, cut, match.group(1), (Cue(match.group(1).lower()),)))
        said.append(Mention(cut + 1, mention.end, match.group(2), tuple(rest)))
    return said
