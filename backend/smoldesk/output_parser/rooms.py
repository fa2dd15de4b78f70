"""Rooms of the building that a text names, in the order of their first mention.

Case, width (Ｋｉｔｃｈｅｎ) and the kind of space between words do not matter. A name in letters that are written with
spaces between words counts only as a whole word ("Kitchenette" is no kitchen), where Japanese particles are no part
of the word ("Kitchenに" is one); a name in Japanese may stand anywhere, save that katakana goes on as one word. Of
names that overlap the longest wins.
"""

import re
import unicodedata
from collections.abc import Iterable

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_UNSPACED = (  # scripts that put no space between words, or none before a particle
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SPACED = re.compile(rf"[^\W{_UNSPACED}]")
_OF_KATAKANA = re.compile(f"[{_KATAKANA}]")


class RoomFinder:
    """Knows the names of a building; a text costs its length times the different lengths of names, not their number."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self._rooms: dict[str, str] = {}
        for room in rooms:
            if name := _folded(room).strip():
                self._rooms.setdefault(name, room)
        lengths: dict[str, set[int]] = {}
        for name in self._rooms:
            lengths.setdefault(name[0], set()).add(len(name))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}
        firsts = "".join(map(re.escape, sorted(self._lengths)))
        self._first = re.compile(f"[{firsts}]" if firsts else r"(?!)")

    def __len__(self) -> int:
        return len(self._rooms)

    def named_in(self, text: str) -> list[str]:
        """The rooms named, as the building writes them, each once."""
        folded = _folded(text)
        found: dict[str, None] = {}
        at = 0
        while (first := self._first.search(folded, at)) is not None:
            at = first.start()
            end = self._end_of_name(folded, at)
            if end:
                found[self._rooms[folded[at:end]]] = None
            at = end or at + 1
        return list(found)

    def _end_of_name(self, text: str, at: int) -> int:
        """Where the longest name that begins here ends; 0 when none does."""
        if _is_inside_word(text, at):
            return 0
        for length in self._lengths[text[at]]:
            end = at + length
            if text[at:end] in self._rooms and not _is_inside_word(text, end):
                return end
        return 0


def _folded(text: str) -> str:
    """The text without what does not matter: one form of each sign, no case, single spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold())


def _is_inside_word(text: str, border: int) -> bool:
    """Whether the signs before and after this border belong to one word."""
    pair = text[max(border - 1, 0) : border + 1]
    if border == 0 or len(pair) < 2:
        return False
    return all(map(_SPACED.match, pair)) or all(map(_OF_KATAKANA.match, pair))
