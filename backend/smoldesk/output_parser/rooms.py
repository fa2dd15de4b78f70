"""Search for the building's room names in a text, in the order of their first mention.

Case, width (Ｋｉｔｃｈｅｎ) and the kind of space between words are ignored. A name in a script with spaces between words
matches only complete words ("Kitchenette" does not name the kitchen), and a Japanese particle ends the word ("Kitchenに"
matches). A name in Japanese matches anywhere, except inside a katakana word. Among overlapping names the longest wins.
A name that is a number matches only beside a word for rooms: other numbers are quantities (224.6 m², 107 m).
"""

import re
import unicodedata
from collections.abc import Iterable

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_UNSPACED = (  # scripts without spaces between words, or before a particle
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SPACED = re.compile(rf"[^\W{_UNSPACED}]")
_OF_KATAKANA = re.compile(f"[{_KATAKANA}]")
# At most one other name between them, without repetition: the time stays linear.
_BEFORE_NUMBER = re.compile(r"(?:\brooms? |部屋)(?:[0-9a-z-]{1,12}(?: and |と))?$")
_LOOK_BACK = 60
_AFTER_NUMBER = re.compile(r"号室| ?\([^()]+\)")


class RoomFinder:
    """Index of a building's room names; a search costs the text's length times the distinct name lengths."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self._rooms: dict[str, str] = {}
        for room in rooms:
            if name := _folded(room).strip():
                self._rooms.setdefault(name, room)
        lengths: dict[str, set[int]] = {}
        for name in self._rooms:
            lengths.setdefault(name[0], set()).add(len(name))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        firsts = "".join(map(re.escape, sorted(self._lengths)))
        # `(?!)` never matches: a building without rooms has no matches.
        self._first = re.compile(f"[{firsts}]" if firsts else r"(?!)")

    def __len__(self) -> int:
        return len(self._rooms)

    def named_in(self, text: str) -> list[str]:
        """Return the rooms that `text` names, spelled as in the building, without duplicates."""
        folded = _folded(text)
        rooms: dict[str, None] = {}
        at = 0
        while (first := self._first.search(folded, at)) is not None:
            at = first.start()
            end = self._end_of_name(folded, at)
            if end:
                rooms[self._rooms[folded[at:end]]] = None
            at = end or at + 1
        return list(rooms)

    def _end_of_name(self, text: str, at: int) -> int:
        """Return the end of the longest name at `at`; 0 if none starts there."""
        if _is_inside_word(text, at):
            return 0
        for length in self._lengths[text[at]]:
            end = at + length
            if text[at:end] in self._rooms and not _is_inside_word(text, end) and _is_room(text, at, end):
                return end
        return 0


def _folded(text: str) -> str:
    """Normalise width (NFKC), case and spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold())


def _is_room(text: str, at: int, end: int) -> bool:
    """Return whether a name is meant as a room: a number only with a word beside it (room 224, 224号室, 224 (2F))."""
    return not text[at:end].isdecimal() or bool(
        _BEFORE_NUMBER.search(text, max(0, at - _LOOK_BACK), at) or _AFTER_NUMBER.match(text, end)
    )


def _is_inside_word(text: str, border: int) -> bool:
    """Return whether the characters around `border` belong to one word."""
    pair = text[max(border - 1, 0) : border + 1]
    if border == 0 or len(pair) < 2:
        return False
    return all(map(_SPACED.match, pair)) or all(map(_OF_KATAKANA.match, pair))
