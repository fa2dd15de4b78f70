"""`who directed The Salt Road`: a verb that asks for those who made something, which no column of a table may tell."""

import re
from collections.abc import Iterable

from smoldesk.analyst.words.text import name_words

_VERBS = (
    "write writes wrote written make makes made direct directs directed create creates created design "
    "designs designed build builds built compose composed paint painted draw drew drawn invent invented "
    "publish published produce produced found founded film filmed shoot shot sing sang sung edit edited "
    "brew brewed cook cooked bake baked perform performed plant planted grow grew grown raise raised "
    "give gave bring brought pick picked catch caught teach taught hire hired book booked send sent "
    "lose lost leave left forget forgot steal stole drop dropped donate donated "
    "record recorded own owns owned sponsor sponsored discover discovered approve approved"
)
MAKING = frozenset(_VERBS.split())
"""Verbs of one who did something to what is named behind them."""
_WHO = re.compile(
    r"^(?:and |so )?(?:who|by whom|whom)(?:'s| has| have| had| was| were| is| are)? (\w+)\b(?! (?:the )?(?:most|least|fewest))",
    re.I,
)
_RANKED = re.compile(
    r"\b(?:most|least|fewest|\w{3,}est|first|last|than|over|under|before|after|at least|at most|both)\b", re.I
)


_ROLES = {
    "direct": {"director"}, "wrote": {"writer", "author"}, "write": {"writer", "author"},
    "paint": {"painter", "artist"}, "compose": {"composer", "artist", "band"}, "sang": {"singer", "artist", "band"},
    "design": {"designer", "architect"}, "publish": {"publisher"}, "produce": {"producer", "maker"},
    "edit": {"editor"}, "invent": {"inventor"}, "sponsor": {"sponsor"},
}  # fmt: skip


def no_such_maker(text: str, columns: Iterable[str], person: str) -> str:
    """The verb that asks for a maker whom no column tells: none is called after the role, or no `person` is known."""
    maker = asks_maker(text)
    roles = next((said for verb, said in _ROLES.items() if maker.lower().startswith(verb)), set[str]())
    told = any(roles & set(name_words(name)) for name in columns) if roles else bool(person)
    return "" if told else maker


def asks_maker(text: str) -> str:
    """The verb of a request that asks who made what it names, with nothing else that picks them out; else empty."""
    said = _WHO.match(text)
    return said[1] if said and said[1].lower() in MAKING and not _RANKED.search(text) else ""
