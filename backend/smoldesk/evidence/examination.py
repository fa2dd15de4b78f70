"""Examination of an answer's texts: the status of each figure, and its places. Pure."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from smoldesk import messages as m
from smoldesk.evidence.answer_code import AnswerCode
from smoldesk.evidence.answer_lines import AnswerLines
from smoldesk.evidence.clauses import Clause, group_by_sentence
from smoldesk.evidence.contradictions import refuse_contradicted
from smoldesk.evidence.date_finder import find_dates
from smoldesk.evidence.derived import MAX_NAMED, MAX_PLACES, derive
from smoldesk.evidence.equality import is_equal
from smoldesk.evidence.figure_finder import find_figures
from smoldesk.evidence.learned_names import learned_names
from smoldesk.evidence.masking import plain
from smoldesk.evidence.matching import Matcher, ValueMatch
from smoldesk.evidence.operation_results import Result
from smoldesk.evidence.parallels import (
    LEAST_DIGITS,
    Owner,
    PlacedFigure,
    accept_common_rows,
    accept_common_scales,
    parallels,
    refuse_other_units,
)
from smoldesk.evidence.row_names import Naming, fold
from smoldesk.evidence.run_values import NumberCell, ValueSource, with_scale
from smoldesk.evidence.stated import of_difference, of_pair, of_stated
from smoldesk.evidence.text_figure import Figure

MAX_DATES = 20_000
# Largest expected number of results that equal a figure by chance, for a possible one.
POSSIBLE_RESULT = 0.1
# Operations whose results can be values of other operations.
_OPERANDS = ("sum", "difference", "mean", "maximum", "minimum")
# What stands between a figure and the percentage that it is.
_PAIRED = re.compile(
    r"(?:\s?[^\W\d]{1,10})?\W{0,3}(?:[(（]|, or |、|, i\.e\. )(?:[\W約]|about |nearly |roughly ){0,3}"
)
# Processor time for one answer. Usual ones take some milliseconds, a thousand figures beside large tables several seconds.
SECONDS = 2.0


@dataclass
class Examination:
    """Comparison of an answer's figures with values of the run, its question, and its code."""

    sources: Sequence[ValueSource]
    question: str = ""
    code: AnswerCode = field(default_factory=AnswerCode)
    refused: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Part and start of figures whose rows have other values in this run."""

    seconds: float = SECONDS
    """Processor time after which the other figures are left out."""
    is_cut: bool = False
    """Whether figures were left out for want of time."""

    _begun: float = field(default_factory=lambda: time.thread_time())
    _numbers: list[Figure] = field(default_factory=list[Figure])
    _results: dict[int, tuple[ValueSource, Result]] = field(
        default_factory=dict[int, tuple[ValueSource, Result]]
    )
    _stated: list[tuple[int, ValueMatch]] = field(default_factory=list[tuple[int, ValueMatch]])

    def __post_init__(self) -> None:
        """Read the scale that a text says of all values."""
        with_scale(self.sources, self.question)

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self.sources)

    @cached_property
    def _question_figures(self) -> list[Figure]:
        return [figure for figure in find_figures(self.question[:100_000]) if not figure.is_weak]

    @cached_property
    def _dates(self) -> list["_Date"]:
        return [*_dates_of(self.sources)][:MAX_DATES]

    def examine(self, text: str, part: int, limit: int) -> list[m.FigureEvidence]:
        """Return the figures of a text with what is known of them, at most `limit`."""
        readable = plain(text)
        matched = self._matched(text, readable, limit)
        if self._matcher.labels.learn(learned_names(matched, self._matcher)):
            matched = self._matched(text, readable, limit)
        numbers = {id(source): at for at, source in enumerate(self.sources)}
        for placed in matched:
            if (value := placed.outcome[0]) is not None:
                placed.clause.matched.add((numbers[id(value.source)], value.cell.column))
        self._numbers = [placed.figure for placed in matched if placed.figure.kind == "number"]
        self._stated = [(placed.figure.start, placed.outcome[0]) for placed in matched if placed.outcome[0]]
        results = [(placed, self._examine(placed, part)) for placed in self._in_time(matched, self.seconds)]
        return [result for placed, result in results if not placed.figure.is_weak or _has_values(result)]

    def _matched(self, text: str, readable: str, limit: int) -> list[PlacedFigure]:
        """Return the figures of a text with the values that they are."""
        namings = self._matcher.labels.namings(readable)
        lines = AnswerLines.of(readable)
        figures = self._without_labels([*find_figures(text)], namings, lines, readable)[:limit]
        spans = [(figure.start, figure.end) for figure in figures]
        places: list[PlacedFigure] = []
        for (start, end), indexes in group_by_sentence(readable, spans):
            inside = [naming for naming in namings if start <= naming.start < end]
            # A date is the name of a row more often than a figure that has one.
            numbers = [index for index in indexes if figures[index].kind not in ("date", "time")]
            headers = [lines.header_at(spans[index][0]) for index in numbers]
            lead = lines.leads[lines.line_at(start)]
            previous = _previous(namings, readable, start)
            number_spans = [spans[index] for index in numbers]
            clause = Clause(readable, start, end, number_spans, inside, headers, lead, previous)
            owners = dict(zip(numbers, clause.owners(), strict=True))
            for index in indexes:
                at = numbers.index(index) if index in owners else 0
                sentence_owner = self._with_context(owners[index], headers[at]) if index in owners else {}
                owner = self._with_context(sentence_owner, lead) if index in owners else {}
                places.append(
                    PlacedFigure(figures[index], clause, at, owner, {source for source, _ in sentence_owner})
                )
        for members in parallels(places, lines):
            self._matcher.align(
                [(placed.figure, placed.clause, placed.at, placed.owner) for placed in members]
            )
        matched: list[PlacedFigure] = []
        # Half of the time is for what derives from matched values.
        for placed in self._in_time(places, self.seconds / 2):
            matched.append(placed)
            if placed.figure.kind not in ("rank", "date", "time"):
                placed.outcome = self._matcher.match(
                    placed.figure, placed.clause, placed.at, placed.owner, placed.linked
                )
        refuse_other_units(matched)
        accept_common_scales(matched, self._matcher)
        accept_common_rows(matched, self._matcher)
        refuse_contradicted(matched)
        return matched

    def _in_time(self, places: Sequence[PlacedFigure], seconds: float) -> Iterator[PlacedFigure]:
        """Yield figures until so much processor time is used since the begin."""
        for placed in places:
            if time.thread_time() - self._begun > seconds:
                self.is_cut = True
                return
            yield placed

    def _without_labels(
        self, figures: list[Figure], namings: list[Naming], lines: AnswerLines, text: str
    ) -> list[Figure]:
        """Return the figures without names of rows and columns; a number that names its line becomes a name."""
        covered = [(naming.start, naming.end) for naming in namings] + [*self._column_spans(text)]
        remaining: list[Figure] = []
        for figure in figures:
            number = figure.text if figure.kind == "number" and figure.text.isdigit() else ""
            rows = (
                self._matcher.labels.numbered(number)
                if number and lines.is_key(figure.start, figure.end)
                else {}
            )
            if rows:
                namings.append(Naming(figure.start, figure.end, rows))
                continue
            is_covered = any(start <= figure.start and figure.end <= end for start, end in covered)
            is_dated = figure.kind == "date" or any(date.is_of(figure) for date in self._dates)
            if not is_covered or (figure.kind in ("date", "time") and is_dated):
                remaining.append(figure)
        namings.sort(key=lambda naming: naming.start)
        return remaining

    def _column_spans(self, text: str) -> Iterator[tuple[int, int]]:
        folded = fold(text)
        names = {fold(column) for at in range(len(self.sources)) for column in self._matcher.columns_of(at)}
        for name in sorted(name for name in names if re.search(r"\d", name) and re.search(r"[^\W\d]", name))[
            :200
        ]:
            yield from ((match.start(), match.end()) for match in re.finditer(re.escape(name), folded))

    def _with_context(self, owner: Owner, text: str) -> Owner:
        """Add the rows that a text names, which a figure stands under: the header of its column, the heading above."""
        added: Owner = {}
        for naming in self._matcher.labels.namings(text) if text else ():
            added |= naming.rows
        return {**added, **owner}

    def _examine(self, placed: PlacedFigure, part: int) -> m.FigureEvidence:
        figure, clause = placed.figure, placed.clause
        result = m.FigureEvidence(
            text=figure.text, part=part, start=figure.start, end=figure.end, status="unmatched"
        )
        if figure.kind in ("date", "time"):
            place = self._date_place(figure, clause)
            if place is not None and not self._is_contradicted(place, placed):
                return _with(result, "matched", [place])
            return self._question_or_code(result, placed)
        match, is_refused = placed.outcome
        if match is not None:
            return _with(result, "matched", [match.source.place_of(match.row, match.cell)])
        if any(_is_same(figure, given) for given in self._question_figures):
            return _with(result, "asked", [m.EvidencePlace(kind="question")])
        derived = self._derived(placed, is_refused) if not placed.is_ruled_out else None
        if derived is not None:
            source, outcome = derived
            places = [source.place_of(source.rows[row], cell) for row, cell in outcome.values[:MAX_PLACES]]
            if outcome.operation in _OPERANDS:
                at, cell = outcome.values[0]
                computed = replace(cell, value=abs(outcome.value), places=None)
                self._stated.append((figure.start, ValueMatch(source, source.rows[at], computed)))
                self._stated.sort(key=lambda stated: stated[0])
                self._results[figure.start] = source, outcome
            return _with(result, "derived", places or [source.place], outcome.operation)
        if is_refused:
            self.refused.add((part, figure.start))
        return self._question_or_code(result, placed)

    def _derived(self, placed: PlacedFigure, is_refused: bool) -> tuple[ValueSource, Result] | None:
        """Return the operation that gives a figure; for a percentage as in `212 (37.3%)` first that of the value before."""
        figure, clause, at = placed.figure, placed.clause, placed.at
        first, end = clause.spans[at - 1] if figure.is_percent and at else (0, 0)
        if end and _PAIRED.fullmatch(clause.text[end : figure.start]):
            if first in self._results and self._results[first][1].operation == "difference":
                return of_difference(figure, *self._results[first], clause.sentence)
            stated = next((value for start, value in self._stated if start == first), None)
            if stated is not None and (derived := of_pair(figure, stated, clause.sentence)):
                return derived
        rows = [
            self.sources[source].rows[row]
            for naming in clause.compared(at)
            for (source, _), numbers in naming.rows.items()
            for row in numbers
        ]
        stated = [entry for entry in self._stated if not rows or any(entry[1].row is row for row in rows)]
        return derive(figure, clause, at, placed.owner, self._matcher, is_refused) or of_stated(
            figure, clause, stated, is_refused
        )

    def _question_or_code(self, result: m.FigureEvidence, placed: PlacedFigure) -> m.FigureEvidence:
        figure, clause = placed.figure, placed.clause
        if any(_is_same(figure, given) for given in self._question_figures):
            return _with(result, "asked", [m.EvidencePlace(kind="question")])
        place = self.code.place(figure, clause.text)
        if place is not None:
            return _with(result, "matched", [place])
        places = self._possible_places(placed)
        return _with(result, "possible", places) if places else result

    def _possible_places(self, placed: PlacedFigure) -> list[m.EvidencePlace]:
        """Return where the run has a value, or values that give one, which is not clearly what the sentence names."""
        figure, clause = placed.figure, placed.clause
        if figure.kind in ("date", "time"):
            return [date.place for date in self._dates if date.is_of(figure)][:1]
        match = self._matcher.anywhere(figure, clause.sentence)
        if match is not None:
            return [match.source.place_of(match.row, match.cell)]
        derived = derive(figure, clause, placed.at, placed.owner, self._matcher, True, POSSIBLE_RESULT)
        if derived is None:
            return []
        source, outcome = derived
        return [source.place_of(source.rows[row], cell) for row, cell in outcome.values[:MAX_PLACES]]

    def _is_contradicted(self, place: m.EvidencePlace, placed: PlacedFigure) -> bool:
        """Return whether the figures beside a date are values of other rows of its table, and none is of the date's row."""
        shared = place.model_copy(update=dict.fromkeys(("row", "column", "line")))
        number = place.row if place.kind == "cell" else place.line
        same = [source for source in self.sources if source.place == shared]
        source = next((source for source in same if any(row.number == number for row in source.rows)), None)
        if source is None:
            return False
        clause = placed.clause
        equal = {
            row.number
            for figure in self._numbers
            if clause.start <= figure.start < clause.end and figure.digits >= LEAST_DIGITS
            for row in source.rows
            if any(is_equal(figure, cell, clause.sentence) for cell in row.cells)
        }
        return bool(equal) and number not in equal

    def _date_place(self, figure: Figure, clause: Clause) -> m.EvidencePlace | None:
        same = [date for date in self._dates if date.is_of(figure)]
        dimensions = {(date.source, date.dimension) for date in self._dates}
        namings = [
            naming
            for naming in clause.namings
            if not (naming.start < figure.end and figure.start < naming.end)
        ] or clause.previous[-2:]
        rows = {
            (dimension[0], row)
            for naming in namings
            for dimension, numbers in naming.rows.items()
            if dimension not in dimensions and len(numbers) <= MAX_NAMED
            for row in numbers
        }
        own_rows = [date for date in same if (date.source, date.row) in rows]
        if own_rows or any(
            (date.source, date.row) in rows for date in self._dates
        ):  # its row has another date
            return own_rows[0].place if own_rows else None
        if same:
            return same[0].place
        year = float(figure.date[0]) if figure.kind == "date" and figure.date[1:] == (0, 0) else 0.0
        for source in self.sources if year else ():
            for row in source.rows:
                if any(label == str(figure.date[0]) for _, label in row.labels):
                    return source.place_of(row, NumberCell(year, row.labels[0][0]))
                for cell in row.cells:
                    if cell.value == year:
                        return source.place_of(row, cell)
        return None


def _has_values(result: m.FigureEvidence) -> bool:
    return result.status in ("matched", "derived") and any(place.kind != "code" for place in result.places)


def _previous(namings: list[Naming], text: str, start: int) -> list[Naming]:
    """Return the names of the paragraph before a sentence, the last four."""
    paragraph = text.rfind("\n\n", 0, start) + 1
    return [naming for naming in namings if paragraph <= naming.start and naming.end <= start][-4:]


def _with(
    result: m.FigureEvidence,
    status: m.EvidenceStatus,
    places: list[m.EvidencePlace],
    operation: m.Operation | None = None,
) -> m.FigureEvidence:
    return result.model_copy(update={"status": status, "places": places, "operation": operation})


def _is_same(figure: Figure, given: Figure) -> bool:
    """Return whether the question has this figure."""
    if figure.kind in ("date", "time") or given.kind in ("date", "time"):
        return figure.kind == given.kind and all(
            mine in (0, theirs) for mine, theirs in zip(figure.date, given.date, strict=True)
        )
    return is_equal(figure, NumberCell(given.value, "", None, given.unit), "")


@dataclass(frozen=True)
class _Date:
    """Date or time that a source holds: in a row's label of a dimension, or in a printed line (row -1)."""

    date: tuple[int, int, int]
    kind: str
    place: m.EvidencePlace
    source: int
    row: int = -1
    dimension: str = ""

    def is_of(self, figure: Figure) -> bool:
        """Return whether a figure is this date, or the year or month of it."""
        parts = zip(figure.date, self.date, strict=True)
        return self.kind == figure.kind and all(mine in (0, theirs) for mine, theirs in parts)


def _dates_of(sources: Sequence[ValueSource]) -> Iterator[_Date]:
    """Yield dates and times that sources hold, the newest first."""
    for at, source in reversed([*enumerate(sources)]):
        empty = NumberCell(0.0)
        for number, row in enumerate(source.rows):
            for dimension, label in row.labels:
                for date in find_dates(label):
                    place = source.place_of(row, replace(empty, column=dimension))
                    yield _Date(date.date, date.kind, place, at, number, dimension)
        for number, line in enumerate(source.text.split("\n"), 1) if source.text else ():
            for date in find_dates(line[:2_000]):
                yield _Date(date.date, date.kind, source.place.model_copy(update={"line": number}), at)
