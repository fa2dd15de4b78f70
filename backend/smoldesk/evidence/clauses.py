"""Sentences of an answer, and which of the names in one a figure belongs to. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from smoldesk.evidence.row_names import Dimension, Naming

_WORDS_BETWEEN = re.compile(
    r"(?i)^[)）]?\s*(?:[(（]$|(?!(?:and|versus|vs|than|while|but|compared|against|with|or|to)\b)[\w%'’°/-]+\.?\s+){0,5}(?:the\s+)?$"
)
_JOINED = re.compile(r"^(?:(?:\s+[A-Za-z]+)?\s*[(:=（：]|'s|は|が|の|で)?\s*[$€£¥*]*$")
_REFERENCE = re.compile(
    r"(?i)(?:\bthan|\bversus|\bvs\.?|\bcompared (?:to|with)|\bahead of|\bbehind|\bbeats?)\s+(?:the\s+)?$"
)
# Ends of what is said of the figure before; and words that name the figure after them, as in `a cost of 12`.
_BREAK = re.compile(
    r"(?i)[,;:.()、。；（）|→]|\b(?:and|versus|vs|than|while|but|compared|with|from|to)\b|(?<=[ぁ-ん一-龠])(?:から|より|は|が|で|と|に)"
    r"|^(?:から|より|は|が|で|と|に)"
)
_ON = re.compile(r"(?i)^\s*(?:on|in|at)\s+(?:the\s+)?$")
_RANGE = re.compile(r"(?i)[台]?\s*(?:to|through|until|[-–—〜~～]|から)\s*")
_NEXT = re.compile(r"(?i)\S+(?:\s+(?:of|is|was|at|=))?\s*[$€£¥*]*$")
_REFERENCE_AFTER = re.compile(
    r"^(?:より|の(?:約|およそ)?[\d.]*(?:半分|倍|[0-9]+分の)|に対して|に比べ|と比べ|と比較|を[^、。]{0,12}(?:上回|下回|抜))"
)


@dataclass
class Clause:
    """Figures of one sentence, and the names in it, in their order; `text` is that of the answer's part."""

    text: str
    start: int
    end: int
    spans: list[tuple[int, int]]
    namings: list[Naming]
    headers: list[str]
    """Text of the column's header for each figure in a table, else empty."""
    lead: str = ""
    """Heading or line above that the sentence belongs to."""
    previous: list[Naming] = field(default_factory=list[Naming])
    """Names of the paragraph before the sentence, for one such as `The difference is 5`."""
    matched: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    """Sources and columns of the values that figures of the sentence are."""
    aligned: list[dict[int, str]] = field(init=False, default_factory=list[dict[int, str]])
    """Columns by source for each figure, that figures at its place of parallel lines or phrases are of."""

    def __post_init__(self) -> None:
        """Start without aligned columns."""
        self.aligned = [{} for _ in self.spans]

    @property
    def sentence(self) -> str:
        return self.text[self.start : self.end]

    def owners(self) -> list[dict[Dimension, frozenset[int]]]:
        """Return for each figure the rows that it belongs to, by dimension."""
        used: set[int] = set()
        owners = [self._owner(index, used) for index in range(len(self.spans))]
        self._distribute(owners, used)
        return owners

    def _between(self, index: int) -> tuple[list[Naming], list[Naming]]:
        start = self.spans[index][0]
        before = self.spans[index - 1][1] if index else self.start
        last = index + 1 if self._is_pair(index) else index
        if index and self._is_pair(index - 1):
            before = self.spans[index - 2][1] if index > 1 else self.start
        after = self.spans[last + 1][0] if last + 1 < len(self.spans) else self.end
        return (
            [naming for naming in self.namings if before <= naming.start and naming.end <= start],
            [naming for naming in self.namings if self.spans[last][1] <= naming.start < after],
        )

    def _is_pair(self, index: int) -> bool:
        """Return whether the next figure is of the same name, as in `38 (25.3%) were satisfied`."""
        return index + 1 < len(self.spans) and bool(
            re.fullmatch(r"\W{0,3}[(（]\W{0,3}", self.text[self.spans[index][1] : self.spans[index + 1][0]])
        )

    def _owner(self, index: int, used: set[int]) -> dict[Dimension, frozenset[int]]:
        before, after = self._between(index)
        is_pair = self._is_pair(index)
        end = self.spans[index + is_pair][1]
        near_after = [naming for naming in after if _WORDS_BETWEEN.match(self.text[end : naming.start])]
        if index + is_pair + 1 < len(self.spans):  # "1.5 times that of Friday (43)": Friday is of 43
            following = self.spans[index + is_pair + 1][0]
            near_after = [
                naming for naming in near_after if not _JOINED.match(self.text[naming.end : following])
            ]
        fresh = [naming for naming in before if naming.start not in used and not self._is_reference(naming)]
        earlier = [naming for naming in self.namings if naming.end <= self.spans[index][0]]
        rows: dict[Dimension, frozenset[int]] = {}
        ahead = after if not earlier and (len(after) > 1 or index + 1 == len(self.spans)) else []
        stated = [naming for naming in near_after[:1] if _ON.match(self.text[end : naming.start])]
        for group in (stated, fresh, near_after[:2], ahead):
            for naming in group:
                for dimension, numbers in naming.rows.items():
                    if dimension not in rows:
                        same = [other.rows[dimension] for other in group if dimension in other.rows]
                        rows[dimension] = same[-1] if group is fresh else numbers
                        if group is not fresh and not is_pair:
                            used.add(naming.start)
        for naming in reversed(earlier):
            if self._is_reference(naming) or naming.start in used:
                continue
            for dimension, numbers in naming.rows.items():
                rows.setdefault(dimension, numbers)
        for naming in earlier[-1:] if not rows else ():  # "5 high ones are open, 36 % of them"
            rows |= {} if self._is_reference(naming) else naming.rows
        return rows

    def _is_reference(self, naming: Naming) -> bool:
        before = self.text[max(self.start, naming.start - 24) : naming.start]
        if re.match(
            r"\s*[(（]\W*\d", self.text[naming.end : naming.end + 6]
        ):  # "ahead of the Hawks (45)": it has a figure
            return False
        return bool(
            _REFERENCE.search(before) or _REFERENCE_AFTER.match(self.text[naming.end : naming.end + 24])
        )

    def compared(self, index: int) -> list[Naming]:
        """Return the name that a figure's words compare with, as in `A is 4 days longer than B`, and the one before it."""
        before, after = self._between(index)
        references = [naming for naming in (*before, *after[:1]) if self._is_reference(naming)]
        subjects = [naming for naming in before if naming not in references]
        return [subjects[-1], references[-1]] if subjects and references else []

    def _distribute(self, owners: list[dict[Dimension, frozenset[int]]], used: set[int]) -> None:
        """Pair `A, B and C were 1, 2 and 3` in order."""
        for first in range(len(self.spans)):
            before = [naming for naming in self._between(first)[0] if naming.start not in used]
            for dimension in {dimension for naming in before for dimension in naming.rows}:
                names = [naming for naming in before if dimension in naming.rows]
                group = range(first, first + len(names))
                if len(names) < 2 or group.stop > len(self.spans):
                    continue
                if any(self._names_in(dimension, at) for at in [*group][1:]):
                    continue
                if group.stop < len(self.spans) and not self._names_in(dimension, group.stop):
                    continue
                for naming, at in zip(names, group, strict=True):
                    owners[at][dimension] = naming.rows[dimension]

    def _names_in(self, dimension: Dimension, index: int) -> bool:
        return any(dimension in naming.rows for naming in self._between(index)[0])

    def segment(self, index: int) -> tuple[str, str]:
        """Return the text before a figure, from the figure before it, and the words directly after it."""
        before = self.spans[index - 1][1] + len(self._follows(index - 1)) if index else self.start
        return self.text[before : self.spans[index][0]], re.sub(r"^/\w+", "", self._follows(index))

    def subject(self, index: int) -> str:
        """Return the words before a sentence's first figure, if this figure has but names of rows of its own."""
        before, after = self.segment(index)
        has_words = "=" in before or bool(re.search(r"[^\W\d]", after))
        is_of_subject = not has_words and (self._between(index)[0] or self.is_parallel(index))
        return self.text[self.start : self.spans[0][0]] if is_of_subject else ""

    def is_parallel(self, index: int) -> bool:
        """Return whether a figure has names and no other words of its own, as the second of `A had 1 and B 2`."""
        between = self.segment(index)[0] if index else "of"
        for naming in self._between(index)[0]:
            between = between.replace(self.text[naming.start : naming.end], "")
        return not re.sub(r"(?i)\b(?:and|with|for|in)\b|は|が|[^\w\s]", "", between).strip()

    def ranges(self) -> Iterator[tuple[Naming, Naming]]:
        """Yield the names that a sentence gives the first and last rows of a range by, as in `from May to July`."""
        for first, last in pairwise(self.namings):
            if _RANGE.fullmatch(self.text[first.end : last.start]):
                yield first, last

    def named_after(self, index: int, source: int) -> tuple[int, ...]:
        """Return the rows of a source that the words directly after a figure name, as in `1位は河村`."""
        end = self.spans[index][1]
        for naming in self._between(index)[1][:1]:
            if re.fullmatch(r"\s*(?:は|が|の|:|：|[-–(]|is|was)?\s*", self.text[end : naming.start]):
                return tuple(
                    row for (at, _), rows in naming.rows.items() if at == source for row in sorted(rows)
                )
        return ()

    def _follows(self, index: int) -> str:
        """Return the words that belong to the figure before them."""
        end = self.spans[index][1]
        is_last = index + 1 == len(self.spans)
        between = self.text[end : self.end if is_last else self.spans[index + 1][0]]
        follows = _BREAK.split(between, maxsplit=1)[0]
        return follows if is_last or follows != between else _NEXT.sub("", follows)


MAX_SENTENCE = 1_000
_SENTENCE = re.compile(
    r"\n+|(?<=[.!?])(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bvs\.)(?<!\bapprox\.)\s+(?=[^\s])|(?<=[。！？])"
)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text's sentences, at most MAX_SENTENCE characters each; a line of a list or table is one."""
    at = 0
    for start, end in [*(match.span() for match in _SENTENCE.finditer(text)), (len(text), len(text))]:
        while start - at > MAX_SENTENCE:
            cut = text.rfind(" ", at + 1, at + MAX_SENTENCE)
            cut = cut if cut > at else at + MAX_SENTENCE
            yield at, cut
            at = cut
        if start > at:
            yield at, start
        at = end


def group_by_sentence(
    text: str, spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """Yield the sentences that hold spans, with the indexes of these."""
    ends = [*sentences(text)]
    at = 0
    groups: dict[int, list[int]] = defaultdict(list)
    for index, (start, _) in enumerate(spans):
        while at < len(ends) - 1 and ends[at][1] <= start:
            at += 1
        groups[at].append(index)
    for at, indexes in groups.items():
        yield ends[at], indexes
