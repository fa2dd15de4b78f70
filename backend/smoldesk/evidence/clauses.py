"""Sentences of an answer, and which of the names in one a figure belongs to. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from smoldesk.evidence.row_names import Dimension, Naming

_WORDS_BETWEEN = re.compile(
    r"(?i)^\s*(?:[(（]$|(?!(?:and|versus|vs|than|while|but|compared|against|with|or|to)\b)[\w%'’°/-]+\.?\s+){0,5}(?:the\s+)?$"
)
_JOINED = re.compile(r"^(?:(?:\s+[A-Za-z]+)?\s*[(:=（：]|'s|は|が|の|で)?\s*[$€£¥*]*$")
_REFERENCE = re.compile(
    r"(?i)(?:\bthan|\bversus|\bvs\.?|\bcompared (?:to|with)|\bahead of|\bbehind|\bbeats?)\s+(?:the\s+)?$"
)
_REFERENCE_AFTER = re.compile(r"^(?:より|に対して|に比べ|と比べ|と比較)")


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

    @property
    def sentence(self) -> str:
        return self.text[self.start : self.end]

    def owners(self) -> list[dict[Dimension, frozenset[int]]]:
        """Return for each figure the rows that it belongs to, by dimension."""
        used: set[int] = set()
        owners = [self._owner(index, used) for index in range(len(self.spans))]
        self._distribute(owners)
        return owners

    def _between(self, index: int) -> tuple[list[Naming], list[Naming]]:
        start, end = self.spans[index]
        before = self.spans[index - 1][1] if index else self.start
        after = self.spans[index + 1][0] if index + 1 < len(self.spans) else self.end
        return (
            [naming for naming in self.namings if before <= naming.start and naming.end <= start],
            [naming for naming in self.namings if end <= naming.start < after],
        )

    def _owner(self, index: int, used: set[int]) -> dict[Dimension, frozenset[int]]:
        before, after = self._between(index)
        end = self.spans[index][1]
        near_after = [naming for naming in after if _WORDS_BETWEEN.match(self.text[end : naming.start])]
        if index + 1 < len(self.spans):  # "1.5 times that of Friday (43)": Friday is of 43
            following = self.spans[index + 1][0]
            near_after = [
                naming for naming in near_after if not _JOINED.match(self.text[naming.end : following])
            ]
        fresh = [naming for naming in before if naming.start not in used and not self._is_reference(naming)]
        earlier = [naming for naming in self.namings if naming.end <= self.spans[index][0]]
        rows: dict[Dimension, frozenset[int]] = {}
        ahead = after if not earlier and (len(after) > 1 or index + 1 == len(self.spans)) else []
        for group in (fresh, near_after[:2], ahead):
            for naming in group:
                for dimension, numbers in naming.rows.items():
                    if dimension not in rows:
                        same = [other.rows[dimension] for other in group if dimension in other.rows]
                        rows[dimension] = same[-1] if group is fresh else numbers
                        if group is near_after[:2] or group is not fresh:
                            used.add(naming.start)
        for naming in reversed(earlier):
            if self._is_reference(naming) or naming.start in used:
                continue
            for dimension, numbers in naming.rows.items():
                rows.setdefault(dimension, numbers)
        return rows

    def _is_reference(self, naming: Naming) -> bool:
        before = self.text[max(self.start, naming.start - 24) : naming.start]
        return bool(
            _REFERENCE.search(before) or _REFERENCE_AFTER.match(self.text[naming.end : naming.end + 6])
        )

    def _distribute(self, owners: list[dict[Dimension, frozenset[int]]]) -> None:
        """Pair `A, B and C were 1, 2 and 3` in order."""
        for first in range(len(self.spans)):
            before, _ = self._between(first)
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
        start, end = self.spans[index]
        before = self.spans[index - 1][1] if index else self.start
        after = self.spans[index + 1][0] if index + 1 < len(self.spans) else self.end
        follows = re.split(
            r"(?i)[,;:.()、。；（）|]|\b(?:and|versus|vs|than|while|but|compared|with)\b",
            self.text[end:after],
            maxsplit=1,
        )[0]
        return self.text[before:start], follows


MAX_SENTENCE = 1_000
_SENTENCE = re.compile(r"\n+|(?<=[.!?])\s+(?=[^\s])|(?<=[。！？])")


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
