"""Values that are a figure: by rounding, unit and scale, in the rows and columns that its sentence names. Pure.

A figure of few digits equals some value by chance, so a match counts only if few values could have matched: those that the
sentence names, or those of a small output.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.column_names import columns_of_statistic, named_columns, statistics_of
from smoldesk.evidence.equality import distance, is_equal
from smoldesk.evidence.number_words import SCALES
from smoldesk.evidence.row_names import Dimension, LabelIndex, fold, tokens_of
from smoldesk.evidence.run_values import PROVISIONAL, NumberCell, ValueRow, ValueSource
from smoldesk.evidence.text_figure import Figure

# Largest expected number of equal values by chance: of rows that the sentence names, of other values, and of other values
# while the rows it names have another value.
NAMED, UNNAMED, AGAINST = 0.35, 0.02, 0.002
# The same of the other columns of rows whose column a line above names.
UNDER = 0.01
# The same of all values, for figures that the run may have.
POSSIBLE = 0.5
MAX_CANDIDATES = 300

_EXTREME = re.compile(
    r"(?i)^(?!.*(?:second|third|next|次)).*(?:\b(?:highest|lowest|largest|smallest|longest|shortest|maximum|minimum)\b|最大|最小|最高|最低)"
)


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value of a source."""

    source: ValueSource
    row: ValueRow
    cell: NumberCell


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
        self.memos = [dict[tuple[str, int], list[tuple[int, NumberCell]]]() for _ in sources]
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
                rows = numbers if rows is None else rows & numbers or rows | numbers
        return rows

    def allowed(self, at: int, clause: Clause, index: int) -> set[str]:
        """Return the columns that the words around a figure name, else those that it stands under; empty for none."""
        return self._columns_near(at, clause, index) or self._columns_above(at, clause, index)

    def _columns_above(self, at: int, clause: Clause, index: int) -> set[str]:
        return named_columns(self._names_at(at, clause), clause.subject(index)) or named_columns(
            self._names_at(at, clause), clause.lead
        )

    def _names_at(self, at: int, clause: Clause) -> list[str]:
        keys = {column for naming in clause.namings for source, column in naming.rows if source == at}
        return [name for name in self._columns[at] if name not in keys]

    def _columns_near(self, at: int, clause: Clause, index: int) -> set[str]:
        before, after = clause.segment(index)
        header, columns = clause.headers[index], self._names_at(at, clause)
        aligned = {clause.aligned[index][at]} if at in clause.aligned[index] else set[str]()
        if header:
            return (
                {name for name in columns if fold(name) == fold(header)}
                or aligned
                or named_columns(columns, header)
            )
        return named_columns(columns, after) or named_columns(columns, before) or aligned

    def align(self, members: Sequence[tuple[Figure, Clause, int, dict[Dimension, frozenset[int]]]]) -> None:
        """Note the column of figures at the same place of parallel lines or phrases: the one that most of them are of."""
        votes = Counter(
            vote for figure, clause, _, owner in members for vote in self._equal_in(figure, clause, owner)
        )
        for (at, column), count in reversed(votes.most_common()):
            if count > 1 and count * 2 >= len(members):
                for _, clause, index, _ in members:
                    clause.aligned[index][at] = column

    def _equal_in(
        self, figure: Figure, clause: Clause, owner: dict[Dimension, frozenset[int]]
    ) -> set[tuple[int, str]]:
        """Return the sources and columns in which a figure's rows have its value."""
        return {
            (at, cell.column)
            for at in {source for source, _ in owner}
            for row in [*(self.rows_of(at, owner) or ())][:3]
            for cell in self.sources[at].rows[row].cells
            if is_equal(figure, cell, clause.sentence)
        }

    def match(
        self,
        figure: Figure,
        clause: Clause,
        index: int,
        owner: dict[Dimension, frozenset[int]],
        linked: set[int],
    ) -> tuple[ValueMatch | None, bool]:
        """Return the value that a figure is, or None; and whether its rows have others.

        `linked` are the sources of rows that its sentence names: no other row of theirs is it.
        """
        named, is_refused = self._named(figure, clause, index, owner)
        match = named or self._unnamed(figure, clause, index, linked, is_refused)
        if match is not None and self._is_superseded(match, figure, clause, owner):
            return None, True
        return match, is_refused and named is None

    def _is_superseded(
        self, match: ValueMatch, figure: Figure, clause: Clause, owner: dict[Dimension, frozenset[int]]
    ) -> bool:
        """Return whether a newer source has another value for the same, which the sentence does not call an earlier one."""
        if PROVISIONAL.search(clause.sentence):
            return False
        at = next(at for at, source in enumerate(self.sources) if source is match.source)
        labels = {label for _, label in match.row.labels}
        # Printed text may come before or after the tables of its step.
        first = 0 if match.row.is_provisional else at + 1
        for newer in range(first, len(self.sources)):
            source = self.sources[newer]
            rows = [source.rows[row] for row in [*(self.rows_of(newer, owner) or ())][:MAX_CANDIDATES]]
            if newer == at:
                rows = [row for row in rows if match.row.is_provisional and not row.is_provisional]
            cells = [cell for row in rows for cell in row.cells]
            if not cells or any(is_equal(figure, cell, clause.sentence) for cell in cells):
                continue
            same = any(labels & {label for _, label in row.labels} for row in rows) and any(
                cell.column == match.cell.column for cell in cells
            )
            is_named = {*tokens_of(match.source.name)} - {*tokens_of(source.name)} & {*tokens_of(clause.text)}
            if match.row.is_provisional or (same and not is_named):
                return True
        return False

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
            nearby = self._columns_near(at, clause, index)
            general = set[str]() if nearby else self._columns_above(at, clause, index)
            nearby = nearby and nearby | columns_of_statistic(self._columns[at], clause.segment(index)[0])
            source = self.sources[at]
            cells = [
                ValueMatch(source, source.rows[row], cell)
                for row in sorted(rows)[:MAX_CANDIDATES]
                for cell in source.rows[row].cells
                if not nearby or cell.column in nearby or not cell.column
            ]
            under = [
                match
                for match in cells
                if not general or match.cell.column in general or not match.cell.column
            ]
            count = len({match.cell.value for match in under})
            equal = [match for match in under if is_equal(figure, match.cell, sentence)]
            if not equal and general and len(cells) <= UNDER * 10**figure.digits:
                equal = [match for match in cells if is_equal(figure, match.cell, sentence)]
            if equal and count <= NAMED * 10**figure.digits + 1:
                if best is None or best.source.place.kind != "cell":
                    best = min(reversed(equal), key=lambda match: distance(figure, match.cell, sentence))
            elif cells:
                is_refused = True
        return best, is_refused

    def _unnamed(
        self,
        figure: Figure,
        clause: Clause,
        index: int,
        linked: set[int],
        is_refused: bool,
    ) -> ValueMatch | None:
        sentence = clause.sentence
        total = sum(size for at, size in enumerate(self._sizes) if at not in linked)
        spoken = {*tokens_of(sentence)}
        spoken |= set[str]() if is_refused else statistics_of(clause.segment(index)[0])
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
            if allowed and not self._is_extreme(at, cell, clause.segment(index)[0]):
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

    def scaled(
        self, figure: Figure, clause: Clause, index: int, owner: dict[Dimension, frozenset[int]]
    ) -> Iterator[tuple[int, int, ValueMatch]]:
        """Yield values without a unit, of the rows and columns that the sentence names, which are the figure in thousands,
        ten thousands, millions or hundred millions: their source and the power of ten."""
        for at in dict.fromkeys(source for source, _ in owner):
            allowed = self.allowed(at, clause, index)
            source = self.sources[at]
            for number in [*(self.rows_of(at, owner) or ())][:MAX_CANDIDATES]:
                for cell in source.rows[number].cells:
                    if cell.unit[0] or (allowed and cell.column and cell.column not in allowed):
                        continue
                    for power in (3, 4, 6, 8):
                        if abs(cell.value * 10**power - figure.value) <= figure.half * 1.0001:
                            yield at, power, ValueMatch(source, source.rows[number], cell)

    def anywhere(self, figure: Figure, sentence: str) -> ValueMatch | None:
        """Return the newest value of the run that a figure equals, whatever its row; None if that is likely by chance."""
        if sum(self._sizes) > POSSIBLE * 10**figure.digits:
            return None
        newest = max(self.equal(figure, sentence), default=None)
        if newest is None:
            return None
        at, row, cell = newest
        source = self.sources[at]
        return ValueMatch(source, source.rows[row], source.rows[row].cells[cell])

    def equal(self, figure: Figure, sentence: str) -> Iterator[tuple[int, int, int]]:
        """Yield source, row and cell of the values that a figure equals."""
        for at, row, cell in dict.fromkeys(self._candidates(figure)):
            if is_equal(figure, self.sources[at].rows[row].cells[cell], sentence):
                yield at, row, cell

    def _is_extreme(self, at: int, cell: NumberCell, before: str) -> bool:
        """Return whether a value is what `the lowest of all was` says; true for words that say no such thing."""
        if not _EXTREME.search(before) or not self.sources[at].is_complete:
            return True
        values = [other.value for other in self.grid_of(at)[cell.column].values()]
        return len(values) < 3 or cell.value in (min(values), max(values))

    def _candidates(self, figure: Figure) -> Iterator[tuple[int, int, int]]:
        """Yield the cells whose values are near one that the figure can stand for."""
        (_, factor), value, half = figure.unit, figure.value, figure.half
        factors = {1.0, factor, factor / 1000, factor * 1000, factor / 60, factor / 3600}
        factors |= {0.01} if figure.is_percent else set()
        if value and figure.face != value:
            factors |= {figure.face / value, 1e-3, 1e-4, 1e-6, 1e-8, 1e-9}
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
