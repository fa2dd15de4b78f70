"""Comparison of the figures and words of two answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from smoldesk.evidence import Figure, find_figures
from smoldesk.exams.expected_parts import MAX_FIGURES, ExpectedFigure, PartResult
from smoldesk.exams.produced import Produced
from smoldesk.exams.tolerances import LONGEST, Tolerance, part_result
from smoldesk.messages import EvidencePlace, TableContent

MAX_CHARACTERS = 100_000


@dataclass(frozen=True)
class WrittenFigure:
    """Figure of an answer, and the row and column of the table it came from."""

    figure: Figure
    part: int
    row: str = ""
    column: str = ""

    def expected(self) -> ExpectedFigure:
        """Return the figure as a test stores it."""
        value = None if self.figure.kind in ("date", "time") else self.figure.value
        return ExpectedFigure(text=self.figure.text[:200], value=value, row=self.row, column=self.column)


def written_figures(produced: Produced) -> list[WrittenFigure]:
    """Return the figures of an answer in their order, without those that repeat the question."""
    by_place: dict[tuple[int, int], Figure] = {}
    for part, text in enumerate(produced.answer_texts):
        by_place |= {
            (part, figure.start): figure for figure in find_figures(text[:MAX_CHARACTERS], MAX_FIGURES)
        }
    if not produced.evidence:
        return [WrittenFigure(figure, part) for (part, _), figure in by_place.items() if not figure.is_weak]
    tables = {table.table_id: table for table in produced.shown_tables}
    figures: list[WrittenFigure] = []
    for evidence in produced.evidence:
        figure = by_place.get((evidence.part, evidence.start))
        if figure is not None and evidence.status != "asked" and evidence.container is None:
            place = next(iter(evidence.places), None)
            figures.append(WrittenFigure(figure, evidence.part, *_labels(place, tables)))
    return figures[:MAX_FIGURES]


def _labels(place: EvidencePlace | None, tables: dict[str, TableContent]) -> tuple[str, str]:
    """Return the name of a place's row, which is its first text, and its column."""
    table = tables.get(place.table_id or "") if place else None
    if place is None or table is None or place.row is None or place.row >= len(table.rows):
        return "", (place.column or "") if place else ""
    texts = [cell for cell in table.rows[place.row] if isinstance(cell, str)]
    return (texts[0] if texts else "")[:LONGEST], (place.column or "")[:LONGEST]


def compare_figures(
    expected: Sequence[ExpectedFigure], produced: Produced, tolerance: Tolerance, exact: bool
) -> Iterator[PartResult]:
    """Yield the comparison of each figure."""
    got = written_figures(produced)
    if exact and len(got) == len(expected):
        for figure, written in zip(expected, got, strict=True):
            holds = _is_figure(figure, written, tolerance)
            yield part_result("figure", _name_of(figure), figure.text, written.figure.text, holds)
        return
    unused = [*got]
    cells = [] if exact else [*_cells(produced)]
    for figure in expected:
        match = next((written for written in unused if _is_figure(figure, written, tolerance)), None)
        if match is not None:
            unused.remove(match)
        in_table = match is None and any(_is_cell(figure, cell, tolerance) for cell in cells)
        near = match or _nearest(figure, unused)
        got_text = near.figure.text if near else ""
        yield part_result(
            "figure",
            _name_of(figure),
            figure.text,
            figure.text if in_table else got_text,
            bool(match) or in_table,
        )
    if exact:
        for written in unused:
            yield part_result("figure", written.row, "", written.figure.text, False)


def _is_figure(expected: ExpectedFigure, written: WrittenFigure, tolerance: Tolerance) -> bool:
    target = next(iter(find_figures(expected.text)), None)
    figure = written.figure
    if target is None or target.kind in ("date", "time") or figure.kind in ("date", "time"):
        is_same = target is not None and target.kind == figure.kind and target.date == figure.date
        return is_same or expected.text == figure.text
    if target.unit[0] != figure.unit[0] and ((target.unit[0] and figure.unit[0]) or not tolerance.rounds):
        return False
    if (
        tolerance.rounds
        and expected.row
        and written.row
        and expected.row.casefold() != written.row.casefold()
    ):
        return False
    value = target.value if expected.value is None else expected.value
    return tolerance.allows(value, figure.value, max(target.half, figure.half))


def _is_cell(expected: ExpectedFigure, cell: float, tolerance: Tolerance) -> bool:
    target = next(iter(find_figures(expected.text)), None)
    value = expected.value if expected.value is not None else target.value if target else None
    return value is not None and tolerance.allows(value, cell, target.half if target else 0.0)


def _cells(produced: Produced) -> Iterator[float]:
    for table in produced.shown_tables:
        for row in table.rows:
            yield from (
                float(cell) for cell in row if isinstance(cell, int | float) and not isinstance(cell, bool)
            )


def _nearest(expected: ExpectedFigure, written: Sequence[WrittenFigure]) -> WrittenFigure | None:
    """Return the figure of the same row, else the nearest one."""
    same = [figure for figure in written if expected.row and figure.row.casefold() == expected.row.casefold()]
    return min(
        same or written, key=lambda each: abs(each.figure.value - (expected.value or 0.0)), default=None
    )


def _name_of(figure: ExpectedFigure) -> str:
    return " · ".join(part for part in (figure.row, figure.column) if part)


def compare_text(expected: str, produced: Produced) -> PartResult:
    """Compare the words of an answer, without its figures."""
    got = "\n\n".join(produced.answer_texts)
    first, second = _skeleton(expected), _skeleton(got)
    at = next((n for n, pair in enumerate(zip_longest(first, second)) if pair[0] != pair[1]), None)
    begin = max(0, (at or 0) - 5)
    texts = [" ".join(pieces[begin:])[:LONGEST] for pieces in (first, second)]
    return part_result("text", "", texts[0], texts[1], at is None)


def _skeleton(text: str) -> list[str]:
    text = text[:MAX_CHARACTERS]
    pieces: list[str] = []
    end = 0
    for figure in sorted(find_figures(text), key=lambda each: each.start):
        if figure.start >= end and not figure.is_weak:
            pieces += [text[end : figure.start], "#"]
            end = figure.end
    return re.split(r"\s+", "".join([*pieces, text[end:]]).strip())
