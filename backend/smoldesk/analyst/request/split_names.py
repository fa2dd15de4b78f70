"""Names of columns that are said in several words: the `E. coli` of a column `ecoli_cfu`, `note book` of Notebook."""

import re
from collections.abc import Sequence

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    Skip,
    Unknown,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import level

_JOINT = re.compile(r"(?:\. ?| |-)")
_LEAST = 4


def split_names(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, with two neighbours, one of them unknown, read as the column that both together name."""
    found: list[Mention] = []
    for mention in mentions:
        before = found[-1] if found else None
        if before and (joined := _joined(before, mention, text, lexicon)):
            found[-1] = joined
        else:
            found.append(mention)
    return found


def _joined(before: Mention, mention: Mention, text: str, lexicon: Lexicon) -> Mention | None:
    unknown = (before.first(Unknown), mention.first(Unknown))
    skipped = (before.first(Skip), mention.first(Skip))
    if not any(unknown) or not all(one or other for one, other in zip(unknown, skipped, strict=True)):
        return None
    said = level(before.text + mention.text)
    if not (said.isascii() and said.isalpha()) or len(said) < _LEAST:
        return None
    if not _JOINT.fullmatch(text[before.end : mention.start]):
        return None
    columns = tuple(
        one for one in lexicon.terms.get(said, ()) if isinstance(one, ColumnRef) and one.strength >= 1.0
    )
    whole = text[before.start : mention.end]
    return Mention(before.start, mention.end, whole, columns) if columns else None
