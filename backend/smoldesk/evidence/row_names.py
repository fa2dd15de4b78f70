"""Names of rows and columns in a text, and which of them a figure belongs to. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from smoldesk.evidence.date_finder import find_dates
from smoldesk.evidence.run_values import ValueSource
from smoldesk.evidence.spellings import spellings

MAX_LABELS = 30_000
MAX_TOKENS = 24
# Rows that one name stands for.
MAX_SHARED = 500
# A dimension of a source: its rows are named in it. Columns have none: they are compared by `column_tokens`.
Dimension = tuple[int, str]

_END = re.compile(
    r"(?i)\b(?:(?P<first>first)|last|final|latest|most recent)\s+(?:year|quarter|month|week|day)\b"
    r"|(?:最終|最後の|直近の?)[年月週日]"
)
_TOKEN = re.compile(r"[A-Za-z0-9À-ɏ%°]+|[ぁ-ヿ一-鿿々ー]")
_WEAK = frozenset(
    re.findall(
        r"\w+",
        """a an and at by for from i in is it no none not of on or other the to total true false yes all data row name dtype
        int64 float64 object value count nan""",
    )
)
_SAME = {
    "avg": "average",
    "pct": "percent",
    "max": "maximum",
    "std": "deviation",
    "mean": "average",
    "median": "50%",
    "woman": "female",
    "women": "female",
    "females": "female",
    "man": "male",
    "men": "male",
    "males": "male",
}


def fold(text: str) -> str:
    """Return the text for comparing."""
    return unicodedata.normalize("NFKC", text).casefold().replace("_", " ")


@lru_cache(maxsize=8_192)  # sentences and columns repeat their words
def token(word: str) -> str:
    """Return a word without a plural's end."""
    word = _SAME.get(word, word)
    if word[:1].isdigit():
        return re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
    if re.search(r"..ies$|(?:ss|sh|ch|x)es$", word):
        return re.sub(r"i?es$", "", word) + ("y" if word.endswith("ies") else "")
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return _SAME.get(word[:-1], word[:-1])
    return word


def tokens_of(text: str) -> list[str]:
    """Return the words of a text, and its Japanese characters one by one."""
    return [token(match[0]) for match in _TOKEN.finditer(fold(text))]


@dataclass(frozen=True, slots=True)
class Naming:
    """A name of rows in a text. `rows` are their indexes by the dimension that the name is of."""

    start: int
    end: int
    rows: dict[Dimension, frozenset[int]]


@dataclass
class LabelIndex:
    """Names of all rows of a run's sources."""

    _rows: dict[tuple[str, ...], dict[Dimension, set[int]]] = field(
        default_factory=dict[tuple[str, ...], dict[Dimension, set[int]]]
    )
    _numbers: dict[str, dict[Dimension, set[int]]] = field(
        default_factory=dict[str, dict[Dimension, set[int]]]
    )
    _longest: int = 1
    _ends: dict[Dimension, tuple[int, int]] = field(default_factory=dict[Dimension, tuple[int, int]])
    """First and last row of sources whose rows are of successive dates."""

    def numbered(self, label: str) -> dict[Dimension, frozenset[int]]:
        """Return the rows that a whole number names."""
        return {dimension: frozenset(rows) for dimension, rows in self._numbers.get(label, {}).items()}

    @classmethod
    def of(cls, sources: Sequence[ValueSource]) -> "LabelIndex":
        """Index the labels of rows, at most MAX_LABELS."""
        index = cls()
        for at, source in enumerate(sources):
            index._add_unique_tokens(at, source)
            index._add_ends(at, source)
            for number, row in enumerate(source.rows):
                for dimension, label in row.labels:
                    if len(index._rows) < MAX_LABELS:
                        index._add(label, (at, dimension), number)
        return index

    def learn(self, names: Mapping[str, Mapping[Dimension, set[int]]]) -> bool:
        """Index names that an answer has for rows, without those that are names already; return whether there are any."""
        is_new = False
        for name, rows in names.items():
            key = tuple(tokens_of(name))
            if key and key not in self._rows:
                for dimension, numbers in rows.items():
                    for row in numbers:
                        self._add_tokens(key, dimension, row)
                is_new |= key in self._rows
        return is_new

    def _add(self, label: str, dimension: Dimension, row: int) -> None:
        if re.fullmatch(r"[A-Z]", label):
            self._add_tokens((label,), dimension, row)
            return
        for spelling in spellings(label, dimension[1]):
            self._add_tokens(tuple(tokens_of(spelling)), dimension, row)
        if re.fullmatch(r"\d{1,4}", label):  # "class 3" of a column pclass
            self._numbers.setdefault(label, {}).setdefault(dimension, set()).add(row)
            for word in [word for word in tokens_of(dimension[1])[-1:] if word.isascii()]:
                for name in {word, word.removeprefix("p")}:
                    self._add_tokens((name, label), dimension, row)
            if len(label) == 4:
                self._add_tokens((label,), dimension, row)

    def _add_unique_tokens(self, at: int, source: ValueSource) -> None:
        """Index the words of labels that no other label has: `Delta` of `Delta Airlines`."""
        unique: dict[tuple[str, str], set[tuple[int, str]]] = {}
        for number, row in enumerate(source.rows[:MAX_SHARED]):
            for dimension, label in row.labels:
                for match in re.finditer(r"(?<!\S)[A-Z][a-zà-ÿ]{3,}(?= |$)", label if " " in label else ""):
                    unique.setdefault((dimension, match[0]), set()).add((number, label))
        columns = {word for column in source.columns for word in tokens_of(column)}
        for (dimension, word), labels in unique.items():
            if token(word.casefold()) not in columns and len({label for _, label in labels}) == 1:
                for number, _ in labels:
                    self._add_tokens(tuple(tokens_of(word)), (at, dimension), number)

    def _add_ends(self, at: int, source: ValueSource) -> None:
        """Note the first and last row of a source whose rows are of successive dates."""
        columns: dict[str, list[tuple[int, int, int]]] = {}
        for row in source.rows if source.is_complete else ():
            for dimension, label in row.labels:
                columns.setdefault(dimension, []).extend(date.date for date in [*find_dates(label)][:1])
        for dimension, dates in columns.items():
            last = len(source.rows) - 1
            if len(dates) > last > 0 and len({*dates}) == len(dates):
                if dates == sorted(dates):
                    self._ends[at, dimension] = (0, last)
                elif dates == sorted(dates, reverse=True):
                    self._ends[at, dimension] = (last, 0)

    def _add_tokens(self, key: tuple[str, ...], dimension: Dimension, row: int) -> None:
        is_digit = len(key) == 1 and key[0].isdigit() and len(key[0]) < 4
        if not key or len(key) > MAX_TOKENS or is_digit or all(word in _WEAK for word in key):
            return
        rows = self._rows.setdefault(key, {}).setdefault(dimension, set())
        if len(rows) < MAX_SHARED:
            rows.add(row)
        self._longest = max(self._longest, len(key))

    def namings(self, text: str) -> list[Naming]:
        """Return the names in a text, the longest at each place."""
        matches = [*_TOKEN.finditer(_aligned(text))]
        tokens = [token(match[0]) for match in matches]
        for at, match in enumerate(matches):  # "an A", but not "A total"
            if (
                re.match(r"(?<![.!?\n] )(?<![\n.])[A-Z]\b(?!-\d)", text[match.start() : match.end() + 2])
                and match.start()
            ):
                tokens[at] = text[match.start()]
        namings: list[Naming] = []
        at = 0
        while at < len(tokens):
            for length in range(min(self._longest, len(tokens) - at), 0, -1):
                rows = self._rows.get(tuple(tokens[at : at + length]))
                if rows is not None:
                    frozen = {dimension: frozenset(numbers) for dimension, numbers in rows.items()}
                    namings.append(Naming(matches[at].start(), matches[at + length - 1].end(), frozen))
                    at += length - 1
                    break
            at += 1
        return sorted([*namings, *self._end_namings(text)], key=lambda naming: naming.start)

    def _end_namings(self, text: str) -> Iterator[Naming]:
        """Yield names such as `the last week`."""
        for match in _END.finditer(text) if self._ends else ():
            rows = {
                dimension: frozenset((ends[0 if match["first"] else 1],))
                for dimension, ends in self._ends.items()
            }
            yield Naming(match.start(), match.end(), rows)


def _aligned(text: str) -> str:
    """Return folded text of the same length."""
    folded = fold(text)
    return folded if len(folded) == len(text) else text.lower().replace("_", " ")
