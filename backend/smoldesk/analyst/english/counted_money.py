"""`number of fines`, of a table with a column `Fine £`: what is counted are rows, never the money in them."""

import re

from smoldesk.analyst.tables.column_names import core_words
from smoldesk.analyst.tables.lexicon import Lexicon

_PAID = frozenset(
    ("fine", "payment", "donation", "expense", "purchase", "charge", "invoice", "bill", "gift", "fare")
)
"""What each row is where a column of money is called so; a refund or a tip is none in most tables."""


def counted_money(text: str, lexicon: Lexicon) -> str:
    """The request with such a noun after a word for counting as `rows`; else as it is."""
    own = [table for table in lexicon.catalogue.tables if not table.bundled and not table.produced]
    for column in (column for table in own for column in table.columns if column.kind == "number"):
        words = core_words(column.name)
        if len(words) == 1 and words[0].removesuffix("s") in _PAID:
            noun = re.escape(words[0].removesuffix("s"))
            counted = r"\b(how many|number of|count of|percentage of|percent of|share of|proportion of) (?:the |all )?"
            text = re.sub(rf"{counted}{noun}s\b", r"\1 rows", text, flags=re.IGNORECASE)
    return text
