"""The values of a table's columns of text, looked up by a request's own words: exactly, in part, and with a typo.

Built from at most some 100,000 values in one pass, so that nothing per request depends on how many there are but a few
searches through one string. Who fills it decides when; the lexicon only asks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from smoldesk.analyst.tables.short_names import common_ending, distinctive
from smoldesk.analyst.words.slips import LEAST, one_slip_from, plainest
from smoldesk.analyst.words.text import fits_edge, is_japanese, keys

LONGEST_NAME = 60
MOST_HITS = 500
"""A word that stands in more values than this tells none of them apart."""
MOST_COMPARED = 5_000
LEAST_ALIKE = 90.0
_SHORTEST_TYPO = 5
_WORDS_OF_A_NAME, _SIGNS_OF_A_NAME = 5, 40
_NUMERIC = re.compile(r"[-+]?[\d.,:/ ]*")
_SYLLABLES = re.compile(r"[\u3040-\u309f]+")
_KATAKANA = re.compile(r"[ァ-ヶー]{3,}")
_LETTERS = re.compile(r"[^\W\d]")
_DIGITS = re.compile(r"\d")
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[a-z0-9]+")
_END = ".,;!?。、"
_GAP = re.compile(r"(?<=[\u3040-\u9fff々]) (?=[\u3040-\u9fff])")


@dataclass(frozen=True)
class IndexedColumn:
    """The distinct texts of a column, most frequent first, with how often each occurs; `cut` when some are left out.

    `whole` for ids, which are known by their whole name only.
    """

    name: str
    values: Sequence[str]
    counts: Sequence[int]
    cut: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Found:
    """A value of a column, the key it is known by (in its plainest spelling), and how many rows hold it; `ending` is what all
    values of the column end in."""

    column: str
    value: str
    key: str
    count: int
    ending: str = ""

    def covered_by(self, words: str) -> bool:
        """Whether these words are at least half of what tells the name; in Japanese its beginning, for 京都 is no 東京都."""
        name = distinctive(self.key, self.ending)
        if is_japanese(name):
            if words in name.split(" ") or (_KATAKANA.fullmatch(words) and name.endswith(words)):
                return True  # マウス of ワイヤレスマウス
            return 2 * len(words) >= len(name) and name.startswith(words)
        return 2 * len(_WORD.findall(words)) >= len(_WORD.findall(name))


class ValueIndex:
    """The values of one table. `size` is how many; `cut` names the columns of which some are left out."""

    def __init__(self, columns: Sequence[IndexedColumn]) -> None:
        self._columns = columns
        self._firsts = list(accumulate((len(column.values) for column in columns), initial=0))
        self._keys: list[str] = []
        self._exact: dict[str, list[int]] = {}
        texts: list[tuple[list[str], int]] = []
        for column, first in zip(columns, self._firsts, strict=False):
            known = [plainest(key) for key in keys(column.values)]
            self._keys += known
            for number, key in enumerate(known, start=first):
                if usable(key):
                    self._exact.setdefault(key, []).append(number)
                if " " in key and (joined := in_one(key)) != key and usable(joined):
                    self._exact.setdefault(joined, []).append(number)
            if _of_names(column, known):
                texts.append((known, first))
        for number, key in enumerate(self._keys):
            if key and key[-1] in _END and usable(short := bare(key)):
                self._exact.setdefault(short, []).append(number)
        self._texts = [_Text(parts, first) for parts, first in texts]
        self._alike: dict[tuple[str, str, int], list[int]] | None = None
        self._begun: dict[tuple[str, int], list[str]] | None = None
        self._endings: dict[int, str] = {}
        self._names = [number for parts, first in texts for number in range(first, first + len(parts))]
        self.size = len(self._keys)
        self.cut = [column.name for column in columns if column.cut]

    def exactly(self, key: str) -> list[Found]:
        """The values of exactly this key, one for each column that holds it."""
        return [self._found(number) for number in self._exact.get(plainest(key), ())]

    def values_of(self, column: str) -> list[str]:
        """The values of a column that are known, most frequent first; none of a column that is not indexed."""
        return [value for one in self._columns if one.name == column for value in one.values]

    def holding(self, words: str) -> list[Found] | None:
        """The names that hold these words side by side, most frequent first; None when there are too many to tell apart.

        One or two signs are held by none.
        """
        hits: dict[int, None] = {}
        if len(words) <= 2 - is_japanese(words):
            return []
        for text in self._texts:
            for number in text.holding(words):
                hits[number] = None
                if len(hits) > MOST_HITS:
                    return None
        return sorted(map(self._found, hits), key=lambda one: -one.count)

    def nearly(self, words: str) -> list[Found]:
        """The names that these words miss by a typo, the nearest ones only; digits must agree."""
        if len(words) < _SHORTEST_TYPO:
            return []
        from rapidfuzz import fuzz, process

        near = self._near(words)
        scored = process.extract(
            words,
            [self._keys[number] for number in near],
            scorer=fuzz.ratio,
            score_cutoff=LEAST_ALIKE,
            limit=8,
        )
        agreeing = [one for one in scored if _DIGITS.findall(one[0]) == _DIGITS.findall(words)]
        best = max((score for _, score, _ in agreeing), default=0.0)
        return [self._found(near[place]) for _, score, place in agreeing if score == best]

    def misspelt(self, word: str) -> list[Found]:
        """The names that hold a word which this one misses by a single slip: Brown Trout for `troute`."""
        if self._begun is None:
            self._begun = {}
            for known in {known for text in self._texts for known in text.words() if len(known) >= LEAST}:
                self._begun.setdefault((known[0], len(known)), []).append(known)
        near = {
            known
            for length in range(len(word) - 1, len(word) + 2)
            for known in one_slip_from(word, self._begun.get((word[:1], length), ())[:MOST_COMPARED])
        }
        found = [one for known in sorted(near) for one in self.holding(known) or ()]
        return found if len(near) == 1 or len({one.value for one in found}) == 1 else []

    def _near(self, words: str) -> list[int]:
        """Names of about that length that begin or end alike: what a typo can have come from."""
        if self._alike is None:
            self._alike = {}
            for number in self._names:
                key = self._keys[number]
                self._alike.setdefault((key[:2], "", len(key)), []).append(number)
                self._alike.setdefault(("", key[-2:], len(key)), []).append(number)
        slack = max(1, len(words) // 5)
        near: dict[int, None] = {}
        for length in range(len(words) - slack, len(words) + slack + 1):
            for ends in ((words[:2], ""), ("", words[-2:])):
                near.update(dict.fromkeys(self._alike.get((*ends, length), [])[:MOST_COMPARED]))
        return list(near)

    def _found(self, number: int) -> Found:
        place = bisect_right(self._firsts, number) - 1
        column, row = self._columns[place], number - self._firsts[place]
        return Found(
            column.name, column.values[row], self._keys[number], column.counts[row], self._ending(place)
        )

    def _ending(self, place: int) -> str:
        """What all values of a column end in, worked out when one of them is first found."""
        if place not in self._endings:
            self._endings[place] = common_ending(self._keys[self._firsts[place] : self._firsts[place + 1]])
        return self._endings[place]


class _Text:
    """The names of a column one below the other; `first` is the number of the first one."""

    def __init__(self, names: Sequence[str], first: int) -> None:
        self.text = "\n".join(names)
        self._first = first
        self._starts = list(accumulate((len(name) + 1 for name in names), initial=0))
        self._words: frozenset[str] | None = None

    def holding(self, words: str) -> Iterator[int]:
        """The numbers of the names that hold these words, cutting none in two."""
        if words.isascii() and not all(map(self._may_hold, _LATIN.findall(words))):
            return
        at = self.text.find(words)
        while at >= 0:
            if fits_edge(self.text, at, at + len(words)):
                yield self._first + bisect_right(self._starts, at) - 1
            at = self.text.find(words, at + 1)

    def _may_hold(self, word: str) -> bool:
        """Whether this is a whole Latin word of a name: most unknown words are none, and cost no search."""
        return word in self.words()

    def words(self) -> frozenset[str]:
        """The Latin words of all the names."""
        if self._words is None:
            self._words = frozenset(_LATIN.findall(self.text))
        return self._words


def holds(key: str, words: str) -> bool:
    """Whether a key has these words side by side, cutting none in two."""
    at = key.find(words)
    while at >= 0 and not fits_edge(key, at, at + len(words)):
        at = key.find(words, at + 1)
    return at >= 0


def bare(key: str) -> str:
    """A key without the marks it ends in: `blue lagoon ltd.` is said without the dot."""
    return key.rstrip(_END)


def in_one(key: str) -> str:
    """A Japanese name without the space between its parts, as people type it: 佐藤彩 for 佐藤 彩."""
    return _GAP.sub("", key)


def usable(key: str) -> bool:
    """Whether a value may be named by this key at all: no number, not too long, no one or two signs that any sentence has."""
    if not key or len(key) > LONGEST_NAME:
        return False
    if key.isascii():
        return key[0].isalpha() or not _NUMERIC.fullmatch(key)
    return len(key) > (2 if _SYLLABLES.fullmatch(key) else 1)


def _of_names(column: IndexedColumn, known: Sequence[str]) -> bool:
    """Whether parts of a column's values may stand for them: not for ids, codes, and sentences."""
    if column.whole or not known:
        return False
    some = known[:1_000]
    coded = sum(1 for key in some if 2 * len(_DIGITS.findall(key)) > len(_LETTERS.findall(key)))
    words, signs = sum(key.count(" ") + 1 for key in some), sum(map(len, some))
    named = words <= _WORDS_OF_A_NAME * len(some) and signs <= _SIGNS_OF_A_NAME * len(some)
    return named and coded * 2 < len(some)
