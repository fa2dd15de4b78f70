"""Headers in short and requests at length, and the other way round: `monthly recurring revenue` of `MRR (USD)`, whose capitals
are its initials, and `annual sal` of a column Annual salary.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.tables.header_words import short_words
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.text import level

_WORD = re.compile(r"(?<![\w'-])[A-Za-z]{3,6}(?![\w'-])")
_CAPITALS = re.compile(r"(?<![A-Za-z])[A-Z]{3,5}(?![A-Za-z])")


def with_initials(text: str, lexicon: Lexicon) -> str:
    """A text with such words as the header has them; words that are all known stay as they are."""
    for short, form in dict.fromkeys(_headers(lexicon)):
        text = re.sub(
            form, lambda said, short=short: _shortened(said, short, lexicon), text, flags=re.IGNORECASE
        )
    return text


def _headers(lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    for table in lexicon.catalogue.tables:
        if table.bundled or table.produced:
            continue
        for column in table.columns:
            if found := _CAPITALS.search(column.name):
                letters = r"(?: of| and| the| to|-)? ?".join(rf"\b{letter}[a-z]+" for letter in found.group())
                yield found.group(), letters


def _shortened(said: re.Match[str], short: str, lexicon: Lexicon) -> str:
    whole = level(said.group())
    known = whole in lexicon.terms or all(word in lexicon.terms for word in whole.split())
    return said.group() if known else short


def with_long_words(text: str, lexicon: Lexicon) -> str:
    """A text with unknown words that headers shorten so written out, where a column is called by the whole word."""
    return _WORD.sub(lambda said: _written_out(said.group(), lexicon), text)


def _written_out(word: str, lexicon: Lexicon) -> str:
    said = word.lower()
    longs = (*glossary.ABBREVIATIONS.get(said, ()), short_words().get(said, ""))
    if not any(longs) or lexicon.meant(said):
        return word
    return next((long for long in longs if _is_column(long, lexicon)), word)


def _is_column(long: str, lexicon: Lexicon) -> bool:
    return any(isinstance(one, ColumnRef) and one.strength >= 1.5 for one in lexicon.terms.get(long, ()))
