"""Whether words of a request name a place of the building: a room, or what rooms are for, with its floor if need be."""

import re

from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.buildings.kinds import find_kind
from smoldesk.buildings.names import fold

_FLOOR = (
    r"(?:b?\d+f|floor \d+|basement(?: \d+)?|(?:ground|\d+(?:st|nd|rd|th)|first|second|third|fourth) floor|地下\d*階?|\d+階|"
    r"[一二三四五六七八九]階)"
)
_AFTER = re.compile(rf"\s*(?:[(,@]\s*|(?:on|at|in|of) (?:the )?){_FLOOR}\)?$")
_BEFORE = re.compile(rf"^{_FLOOR}(?:の|\s)")
_ARTICLE = re.compile(r"^(?:(?:the|a|an|my|our|any|some) )+")
_NEAREST = re.compile(
    r"^(?:the )?(?:nearest|closest)\s+|^(?:一番近い|最も近い|もっとも近い|最寄り?の|近くの|いちばん近い)"
)
_ORDINALS = {"first": "1f", "ground": "1f", "second": "2f", "third": "3f", "fourth": "4f"}


def is_place(text: str, catalogue: Catalogue) -> bool:
    """True for words that the tools will find, or that at least one room is for."""
    words = bare(text)
    rooms = {fold(room) for rooms in catalogue.rooms.values() for room in rooms}
    return words in rooms or fold(text) in rooms or find_kind(words) is not None


def bare(text: str) -> str:
    """The name without its floor, articles, and what is said of its distance."""
    words = _ARTICLE.sub("", fold(text))
    words = _NEAREST.sub("", words)
    return _BEFORE.sub("", _AFTER.sub("", words)).strip()


def is_nearest(text: str) -> bool:
    """`the nearest toilet`, 一番近いトイレ."""
    return bool(_NEAREST.search(_ARTICLE.sub("", fold(text))))


def spelled(text: str) -> str:
    """The words as the tools take them: floors by number, quotes and articles gone."""
    words = _NEAREST.sub("", _ARTICLE.sub("", text.strip(" ,、。.!?！？「」'\""))).strip()
    return re.sub(
        r"\b(first|ground|second|third|fourth) floor\b",
        lambda found: _ORDINALS[found[1].lower()],
        words,
        flags=re.I,
    )


def floor_of(text: str, catalogue: Catalogue) -> str | None:
    """The id of the floor that words name, or None."""
    words = _ARTICLE.sub("", fold(text))
    words = re.sub(r"^(first|ground|second|third|fourth) floor$", lambda found: _ORDINALS[found[1]], words)
    number = re.fullmatch(r"(?:floor |level )?(\d+)(?:f|階|st floor|nd floor|rd floor|th floor)?", words)
    kanji = re.fullmatch(r"([一二三四五六七八九])階", words)
    wanted = {words}
    if number:
        wanted |= {f"{number[1]}f", number[1]}
    if kanji:
        wanted.add(f"{'一二三四五六七八九'.index(kanji[1]) + 1}f")
    if words in ("basement", "地下", "地階"):
        wanted |= {"b1", "b1f"}
    for floor in catalogue.rooms:
        if fold(floor) in wanted or fold(catalogue.floor_names.get(floor, floor)) in wanted:
            return floor
    return None
