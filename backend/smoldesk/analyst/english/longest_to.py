"""`dishes that take longest to cook`, of columns Prep time and Cook time: the time that is called by the verb.

So are amounts: `took at least 2 weeks to ship`, of Shipping days beside a Handling time (hrs).
"""

import re

from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.tables.measured_in import columns_measuring
from smoldesk.analyst.words.text import (
    key,
    name_words,
    plain_name,
    stem,
)

_TO = re.compile(
    r"\b(?:(?:that|which|who) )?(?:takes?|took|needs?|needed|requires?|required) (?:the )?"
    r"(longest|shortest|most time|least time)(?: time)? to (?:be )?(\w+)",
    re.I,
)


_AMOUNT_TO = re.compile(
    r"\b(?:(?:that|which|who) )?(?:takes?|took|taking|needs?|needed) "
    r"((?:more than|less than|over|under|at least|at most|up to|longer than|within|no more than) \d[\d.,]* [a-z]+)"
    r" to (?:be )?([a-z]{3,})\b",
    re.I,
)


def longest_to(text: str, lexicon: Lexicon) -> str:
    """The request with such words as `with the longest cook time`, where a table has a column called so; else as it is."""

    def written(match: re.Match[str]) -> str:
        name = f"{match[2]} time"
        known = lexicon.terms.get(key(name), ())
        if not any(isinstance(one, ColumnRef) and one.strength >= 2.5 for one in known):
            return match[0]
        end = "lowest" if match[1].lower() in ("shortest", "least time") else "highest"
        return f"with the {end} {name}"

    def bounded(match: re.Match[str]) -> str:
        times = [
            one.name
            for table in lexicon.catalogue.tables
            for one in columns_measuring(frozenset(("time",)), table)
            if stem(match[2].lower()) in {stem(word) for word in name_words(one.name)}
        ]
        return f"with {plain_name(times[0])} {match[1]}" if len(times) == 1 else match[0]

    return _AMOUNT_TO.sub(bounded, _TO.sub(written, text))
