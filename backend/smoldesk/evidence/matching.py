"""Values that are a figure: by rounding, unit and scale, in the rows and columns that its sentence names. Pure.

A figure of few digits equals some value by chance, so a match counts only if few values could have matched: those that the
sentence names, or those of a small output.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.figure_finder import Figure
from smoldesk.evidence.number_words import SCALES
from smoldesk.evidence.row_names import Dimension, LabelIndex, fold, tokens_of
from smoldesk.evidence.run_values import NumberCell, ValueRow, ValueSource

# Largest expected number of equal values by chance: of rows that the sentence names, of other values, and of other values
# while the rows it names have another value.
NAMED, UNNAMED, AGAINST = 0.35, 0.02, 0.002
MAX_CANDIDATES = 300

SHARE = re.compile(r"%|percent|pct|per cent|rate|share|ratio|humidity|率|割合|比|構成|湿度", re.IGNORECASE)
_SCALED = re.compile(r"thousand|million|billion|千|万|億|\bk\b|\bm\b|\bbn\b", re.IGNORECASE)
_DOWN = re.compile(
    r"(?i)\b(?:fell|fall|drop|down|decreas|declin|lower|less|fewer|loss|lost|below|minus|shrank)|減|下が|下落|低下|損|マイナス|下回"
)


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value of a source."""

    source: ValueSource
    row: ValueRow
    cell: NumberCell


def targets(figure: Figure, cell: NumberCell, sentence: str) -> Iterator[tuple[float, float]]:
    """Yield the values that the cell must have to be the figure, each with its tolerance."""
    (dimension, factor), (cell_unit, cell_factor) = figure.unit, cell.unit
    value, half = figure.value, figure.half
    if dimension == "percent":
        if cell_unit == "percent" or SHARE.search(cell.column) or (not cell_unit and not cell.is_integral):
            yield value, half
        if cell_unit in ("", "percent") and abs(cell.value) <= 1.5 and not cell.is_integral:
            yield value / 100, half / 100
    elif (
        not dimension
        or not cell_unit
        or dimension == cell_unit
        or (dimension == "points" and cell_unit == "percent")
    ):
        scale = factor / cell_factor if dimension and cell_unit == dimension else 1.0
        yield value * scale, half * scale
        if figure.face != figure.value and _SCALED.search(cell.column):
            yield figure.face, half * abs(figure.face / value) if value else half
    if cell.value < 0 < value and _DOWN.search(sentence):
        yield -value, half


def is_equal(figure: Figure, cell: NumberCell, sentence: str) -> bool:
    """Return whether the figure is the cell's value, rounded."""
    return any(
        abs(cell.value - target) <= half * 1.0001 + 1e-12 for target, half in targets(figure, cell, sentence)
    )


def named_columns(columns: Sequence[str], text: str) -> set[str]:
    """Return the columns that a text names with all their words, without those that a longer name includes."""
    folded, present = fold(text), {*tokens_of(text)}
    named: dict[str, set[str]] = {}
    for column in columns:
        tokens = {*tokens_of(re.sub(r"[(\[（].*", "", column))} or {*tokens_of(column)}
        if not tokens:
            continue
        is_japanese = any(ord(char) > 0x3040 for char in column)
        if fold(column) in folded if is_japanese else tokens <= present:
            named[column] = tokens
    return {name for name, tokens in named.items() if not any(tokens < longer for longer in named.values())}


class Matcher:
    """Values of a run's sources, by value and by the names of their rows."""

    def __init__(self, sources: Sequence[ValueSource]) -> None:
        self.sources = sources
        self.labels = LabelIndex.of(sources)
        self._columns = [
            [*dict.fromkeys(cell.column for row in source.rows[:200] for cell in row.cells if cell.column)][
                :80
            ]
            for source in sources
        ]
        entries = sorted(
            (cell.value, at, row_at, cell_at)
            for at, source in enumerate(sources)
            for row_at, row in enumerate(source.rows)
            for cell_at, cell in enumerate(row.cells)
        )
        self._grids: dict[int, dict[str, dict[int, NumberCell]]] = {}
        self._values = [entry[0] for entry in entries]
        self._cells = [entry[1:] for entry in entries]
        self._sizes = [len({cell.value for row in source.rows for cell in row.cells}) for source in sources]

    def columns_of(self, at: int) -> list[str]:
        """Return the names of a source's columns that hold numbers."""
        return self._columns[at]

    def grid_of(self, at: int) -> dict[str, dict[int, NumberCell]]:
        """Return the values of a source by column and row."""
        if at not in self._grids:
            grid: dict[str, dict[int, NumberCell]] = {}
            for row_at, row in enumerate(self.sources[at].rows):
                for cell in row.cells:
                    grid.setdefault(cell.column, {})[row_at] = cell
            self._grids[at] = grid
        return self._grids[at]

    def rows_of(self, at: int, owner: dict[Dimension, frozenset[int]]) -> frozenset[int] | None:
        """Return the rows of a source that have all names of an owner; None if it names none of them."""
        rows: frozenset[int] | None = None
        for (source, _), numbers in owner.items():
            if source == at:
                rows = numbers if rows is None else rows & numbers or rows
        return rows

    def allowed(self, at: int, clause: Clause, index: int) -> set[str]:
        """Return the columns that the words around a figure name; empty if they name none."""
        before, after = clause.segment(index)
        texts = filter(None, (clause.headers[index], after, before, clause.lead))
        return next(filter(None, (named_columns(self._columns[at], text) for text in texts)), set[str]())

    def match(
        self, figure: Figure, clause: Clause, index: int, owner: dict[Dimension, frozenset[int]]
    ) -> tuple[ValueMatch | None, bool]:
        """Return the value that a figure is, or None; and whether the rows that its sentence names have others."""
        named, is_refused = self._named(figure, clause, index, owner)
        if named is not None:
            return named, False
        return self._unnamed(figure, clause, index, owner, is_refused), is_refused

    def _named(
        self,
        figure: Figure,
        clause: Clause,
        index: int,
        owner: dict[Dimension, frozenset[int]],
    ) -> tuple[ValueMatch | None, bool]:
        sentence = clause.sentence
        best: ValueMatch | None = None
        is_refused = False
        for at in dict.fromkeys(source for source, _ in owner):
            rows = self.rows_of(at, owner) or frozenset()
            allowed = self.allowed(at, clause, index)
            source = self.sources[at]
            cells = [
                ValueMatch(source, source.rows[row], cell)
                for row in sorted(rows)[:MAX_CANDIDATES]
                for cell in source.rows[row].cells
                if not allowed or cell.column in allowed or not cell.column
            ]
            count = len({match.cell.value for match in cells})
            equal = [match for match in cells if is_equal(figure, match.cell, sentence)]
            if equal and count <= NAMED * 10**figure.digits + 1:
                if best is None or best.source.place.kind != "cell":
                    best = equal[-1]
            elif cells:
                is_refused = True
        return best, is_refused

    def _unnamed(
        self,
        figure: Figure,
        clause: Clause,
        index: int,
        owner: dict[Dimension, frozenset[int]],
        is_refused: bool,
    ) -> ValueMatch | None:
        sentence = clause.sentence
        linked = {source for source, _ in owner}
        total = sum(size for at, size in enumerate(self._sizes) if at not in linked)
        spoken = {*tokens_of(sentence)}
        best: tuple[float, ValueMatch] | None = None
        for at, row_at, cell_at in self._candidates(figure):
            source = self.sources[at]
            row = source.rows[row_at]
            cell = row.cells[cell_at]
            if at in linked or not is_equal(figure, cell, sentence):
                continue
            allowed = self.allowed(at, clause, index)
            if allowed and cell.column and cell.column not in allowed:
                continue
            label_tokens = {word for _, label in row.labels for word in tokens_of(label)} | {
                *tokens_of(cell.column)
            }
            shared = len(label_tokens & spoken - COMMON)
            count = len(row.cells) if shared else min(len(source.rows), total) if allowed else total
            chance = count / 10**figure.digits
            if chance <= (AGAINST if is_refused else UNNAMED) * (5 if shared else 1):
                score = shared + (1.5 if source.place.kind == "cell" else 0)
                if best is None or score > best[0]:
                    best = (score, ValueMatch(source, row, cell))
        return best[1] if best else None

    def _candidates(self, figure: Figure) -> Iterator[tuple[int, int, int]]:
        """Yield the cells whose values are near one that the figure can stand for."""
        (_, factor), value, half = figure.unit, figure.value, figure.half
        factors = {1.0, factor, factor / 1000, factor * 1000, factor / 60, factor / 3600}
        factors |= {0.01} if figure.is_percent else set()
        if value and figure.face != value:
            factors.add(figure.face / value)
        for scale in sorted(factors):
            for sign in (1, -1):
                low, high = sorted(((value - half) * scale * sign, (value + half) * scale * sign))
                first = bisect_left(self._values, low - abs(low) * 1e-6 - 1e-12)
                last = bisect_right(self._values, high + abs(high) * 1e-6 + 1e-12)
                yield from self._cells[first : min(last, first + MAX_CANDIDATES)]


COMMON = frozenset(
    re.findall(
        r"\w+",
        """the a an of in is was are were and for to by at on with from all row total count number value 0 1 2 3 の は が を に
        と で 数 件 人 日 年 月""",
    )
) | frozenset(SCALES)
