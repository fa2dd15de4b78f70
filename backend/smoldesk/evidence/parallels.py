"""Figures at the same place of parallel lines or phrases, and in the same column. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.evidence.answer_lines import AnswerLines
from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.matching import UNNAMED, Matcher, ValueMatch
from smoldesk.evidence.row_names import Dimension
from smoldesk.evidence.run_values import ValueSource
from smoldesk.evidence.text_figure import Figure

# Digits of figures that show the scale of a column.
LEAST_DIGITS = 3

Owner = dict[Dimension, frozenset[int]]


@dataclass(slots=True)
class PlacedFigure:
    """A figure, its place in its sentence, the rows that it belongs to, and what `Matcher.match` returned for it."""

    figure: Figure
    clause: Clause
    at: int
    owner: Owner
    """Rows that its sentence names, and those that the lines it stands under name."""
    linked: set[int]
    """Sources of the rows that its sentence names."""
    outcome: tuple[ValueMatch | None, bool] = (None, False)
    is_ruled_out: bool = False
    """Whether its words rule out the value that it equals."""

    def rule_out(self) -> None:
        """Take its value, which its words rule out."""
        self.outcome, self.is_ruled_out = (None, True), True


def refuse_other_units(places: Sequence[PlacedFigure]) -> None:
    """Take the values of a column without a unit from figures that write it in another unit than most do."""
    columns: dict[tuple[int, str], list[PlacedFigure]] = {}
    for placed in places:
        match = placed.outcome[0]
        if match and placed.figure.unit[0] and not match.cell.unit[0]:
            columns.setdefault((id(match.source), match.cell.column), []).append(placed)
    for members in columns.values():
        usual, _ = Counter(placed.figure.unit for placed in members).most_common(1)[0]
        for placed in members:
            if placed.figure.unit[0] == usual[0] and placed.figure.unit != usual:
                placed.outcome = None, True


def accept_common_scales(places: Sequence[PlacedFigure], matcher: Matcher) -> None:
    """Match figures with a table without units that all of them write in the same larger scale, as 5,502 in 5,502万円."""
    scales: dict[tuple[int, int], list[tuple[PlacedFigure, ValueMatch]]] = {}
    plain = {(id(value.source), value.cell.column) for placed in places if (value := placed.outcome[0])}
    for placed in places:
        has_scale = bool(placed.figure.unit[0]) or placed.figure.face != placed.figure.value
        if placed.outcome[0] is None and has_scale and placed.figure.digits >= LEAST_DIGITS:
            for at, power, match in matcher.scaled(placed.figure, placed.clause, placed.at, placed.owner):
                if (id(match.source), match.cell.column) not in plain:
                    scales.setdefault((at, power), []).append((placed, match))
    for members in sorted(scales.values(), key=len):
        if len({match.cell.value for _, match in members}) > 1:
            for placed, match in members:
                placed.outcome = match, False


def accept_common_rows(places: Sequence[PlacedFigure], matcher: Matcher) -> None:
    """Match a sentence's figures that all are values of one row in its order, though nothing names the row."""
    groups: dict[int, list[PlacedFigure]] = {}
    for placed in places:
        is_free = placed.outcome == (None, False) and placed.figure.kind == "number" and not placed.linked
        groups.setdefault(id(placed.clause) if is_free else 0, []).append(placed)
    for members in (members for key, members in groups.items() if key and len(members) > 1):
        rows: dict[tuple[int, int], list[tuple[PlacedFigure, int]]] = {}
        for placed in members:
            for at, row, cell in matcher.equal(placed.figure, placed.clause.sentence):
                rows.setdefault((at, row), []).append((placed, cell))
        likely = [
            (row, entries)
            for row, entries in rows.items()
            if len(entries) == len(members) and _is_row(entries, matcher.sources[row[0]], row[1])
        ]
        for (at, row), entries in likely if len(likely) == 1 else ():
            source = matcher.sources[at]
            for placed, cell in entries:
                placed.outcome = ValueMatch(source, source.rows[row], source.rows[row].cells[cell]), False


def _is_row(entries: Sequence[tuple[PlacedFigure, int]], source: ValueSource, row: int) -> bool:
    """Return whether figures are different cells of a row in its order, which chance does not explain."""
    cells = [cell for _, cell in entries]
    digits = sum(placed.figure.digits for placed, _ in entries)
    chance = len(source.rows) * len(source.rows[row].cells) ** len(cells) / 10**digits
    return len(cells) > 1 and cells == sorted({*cells}) and chance <= UNNAMED


def parallels(places: Sequence[PlacedFigure], lines: AnswerLines) -> Iterator[list[PlacedFigure]]:
    """Yield the figures at the same place of a table's or list's lines, or of a sentence's parallel phrases."""
    groups: dict[object, list[PlacedFigure]] = {}
    key: object = None
    for placed in places:
        start, clause, at = placed.figure.start, placed.clause, placed.at
        if clause.headers and clause.headers[at]:
            key = (
                id(lines.headers[lines.line_at(start)]),
                clause.headers[at],
                clause.headers[:at].count(clause.headers[at]),
            )
        elif lines.is_item(start):
            key = (clause.lead, len(clause.spans), at, placed.figure.unit[0])
        elif not clause.spans or not clause.is_parallel(at):
            key = start
        groups.setdefault(key, []).append(placed)
    yield from (members for members in groups.values() if len(members) > 1)
