"""An unknown English name is named whole: `minibar spend`, `advertising income`, `car make`, `vet bills`."""

import re
from collections.abc import Sequence

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    ValueRef,
)
from smoldesk.analyst.words.english_lists import HEADS

_NEXT = re.compile(
    r" ([a-z]+)(?! ?\d| (?:than|over|under|above|below|at least|at most)\b)(?![a-z])", re.IGNORECASE
)


def whole_phrases(words: Sequence[str], mentions: Sequence[Mention], text: str) -> tuple[str, ...]:
    """The unknown words, each with those beside it that it is one name with."""
    named: list[str] = []
    last: Mention | None = None
    for at, mention in enumerate(mentions):
        if mention.text not in words:
            continue
        before = mentions[at - 1] if at else None
        if last is not None and mention.start == last.end + 1:
            named[-1] += f" {mention.text}"
        elif before is not None and mention.text.lower() in HEADS and _qualifies(before, mention):
            named.append(f"{before.text} {mention.text}")
        else:
            named.append(mention.text)
        head = _NEXT.match(text, mention.end)
        known = {one.text for one in mentions if one.start == mention.end + 1}
        if head and head[1].lower() in HEADS and not known & set(words):
            named[-1] += f" {head[1]}"
        last = mention
    return tuple(named) if named else tuple(words)


def _qualifies(before: Mention, mention: Mention) -> bool:
    """Whether the word right before the head of a name is a part of it, and neither a name of its own nor grammar."""
    if mention.start - before.end != 1 or not before.text.isalpha() or before.all(ValueRef):
        return False
    if any(ref.strength >= 2.5 for ref in before.all(ColumnRef)):
        return False
    return all(one.kind in ("pad", "deed") for one in before.all(Cue))
