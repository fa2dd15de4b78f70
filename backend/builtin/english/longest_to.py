"""`dishes that take longest to cook`, of columns Prep time and Cook time: the time that is called by the verb."""

import re

from backend.builtin.meanings import ColumnRef
from backend.builtin.tables.lexicon import Lexicon
from backend.builtin.words.text import key

_TO = re.compile(
    r"\b(?:(?:that|which|who) )?(?:takes?|took|needs?|needed|requires?|required) (?:the )?"
    r"(longest|shortest|most time|least time)(?: time)? to (?:be )?(\w+)",
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

    return _TO.sub(written, text)
