"""Operations on values that a text states before or beside a figure. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from smoldesk import messages as m
from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.derived import OPERATION_WORDS, gives
from smoldesk.evidence.matching import UNNAMED, ValueMatch
from smoldesk.evidence.operation_results import Result, Value
from smoldesk.evidence.operations import compared_values
from smoldesk.evidence.run_values import NumberCell, ValueSource
from smoldesk.evidence.text_figure import Figure

_OF_TWO = ("sum", "difference", "change", "ratio")
# Words of a sentence that refer to the values before it.
_REFERS = re.compile(
    r"(?i)\b(?:difference|gap|together|between (?:them|the two)|combined|both|i\.e\.)\b|差|両|合わせ|その|あと"
)
_TIMES = re.compile(r"\s*-?(?:times|fold|x)\b")
# Largest expected number of results that equal a figure by chance, for values that its sentence states.
STATED = 0.06
# Characters before a percentage in which it can be the share of one figure of another.
NEAR = 240


def of_stated(
    figure: Figure, clause: Clause, stated: Sequence[tuple[int, ValueMatch]], is_refused: bool
) -> tuple[ValueSource, Result] | None:
    """Return the operation on values that the text states: those in the figure's sentence, or near before it.

    `stated` has the values and the starts of their figures. With `is_refused` the figure's row has another value.
    """
    inside = [value for start, value in stated if clause.start <= start < clause.end]
    nearest = [value for start, value in stated if clause.start <= start < figure.start]
    near = [value for start, value in stated if -NEAR < start - figure.start < 0]
    operations: list[m.Operation] = [
        operation
        for operation, pattern in OPERATION_WORDS.items()
        if operation in _OF_TWO and pattern.search(clause.sentence)
    ]
    before = clause.text[max(clause.start, figure.start - 2) : figure.start]
    if figure.is_percent and (figure.text[0] in "+-" or before.endswith("(")):  # "from 40 to 50 (+25%)"
        operations.append("change")
    refers = operations if _REFERS.search(clause.sentence) else []
    following = [value for start, value in stated if figure.start < start < clause.end]
    is_ratio = figure.unit[0] == "times" or _TIMES.match(clause.text[figure.end : clause.end])
    neighbours = [*nearest[-1:], *following[:1]] if is_ratio else []
    if derived := _of_neighbours(figure, neighbours, clause.sentence):
        return derived
    groups: list[tuple[Sequence[ValueMatch], Sequence[m.Operation]]] = [
        (nearest[-2:], operations),
        (inside, operations),
        (near[-2:], refers),
        ([] if is_refused else near[-4:], ()),
    ]
    for values, possible in groups:
        pairs = [pair for pair in permutations(values, 2) if _are_comparable(*pair)]
        results = [
            (first.source, result)
            for first, second in pairs
            for result in _of_two(possible, (_value(first), _value(second)), figure)
        ]
        equal = [(source, result) for source, result in results if gives(result, figure, clause.sentence)]
        distinct = {round(abs(result.value), 9) for _, result in results}
        limit = STATED if possible else UNNAMED
        if equal and len(distinct) / 10**figure.digits <= limit:
            return equal[0]
    return None


def _of_neighbours(
    figure: Figure, values: Sequence[ValueMatch], sentence: str
) -> tuple[ValueSource, Result] | None:
    """Return the ratio of the values before and after a figure, as in `24.2, about five times the mean of 4.9`."""
    if len(values) < 2 or min(abs(value.cell.value) for value in values) == 0:
        return None
    larger, smaller = sorted(values, key=lambda value: -abs(value.cell.value))
    operands = (_value(larger), _value(smaller))
    result = Result("ratio", larger.cell.value / smaller.cell.value, operands, True)
    return (larger.source, result) if gives(result, figure, sentence) else None


def of_difference(
    figure: Figure, source: ValueSource, difference: Result, sentence: str
) -> tuple[ValueSource, Result] | None:
    """Return the change in percent that a difference directly before a percentage is, as in `5 more (2.1%)`."""
    values = (difference.values[0], difference.values[-1])
    for result in compared_values(("change",), values, True):
        if gives(result, figure, "") or gives(result, figure, sentence):
            return source, result
    return None


def of_pair(figure: Figure, stated: ValueMatch, sentence: str) -> tuple[ValueSource, Result] | None:
    """Return the share that a percentage states of the value directly before it, as in `212 (37.3%)`.

    Of the difference of two values of its row it is the change.
    """
    row, cell = _value(stated)
    changes = [
        Result("change", 100 * cell.value / abs(base.value), ((row, cell), (row, base)), True, True)
        for base, later in permutations(stated.row.cells, 2)
        if base.value and abs(later.value - base.value - cell.value) <= 1e-9 * abs(base.value)
    ]
    results = changes or [*_shares_of(stated, row, cell)]
    return next(((stated.source, result) for result in results if gives(result, figure, sentence)), None)


def _shares_of(stated: ValueMatch, row: int, cell: NumberCell) -> Iterator[Result]:
    """Yield shares of a value: of its printed table's column, of totals in it, and of other values of its row."""
    source = stated.source
    column = [
        (at, item)
        for at, other in enumerate(source.rows)
        for item in other.cells
        if item.column == cell.column
    ]
    bases = [tuple(value for value in column if value[0] not in source.total_rows)]
    bases += [(value,) for value in column if value[0] in source.total_rows]
    bases += [((row, other),) for other in stated.row.cells if other is not cell]
    for base in bases:
        total = sum(item.value for _, item in base)
        if 0 < cell.value < total:
            yield Result("share", 100 * cell.value / total, ((row, cell), *base), True, True)


def _are_comparable(first: ValueMatch, second: ValueMatch) -> bool:
    if first.source is not second.source:
        return first.cell.unit == second.cell.unit and first.cell.column == second.cell.column
    if first.cell is second.cell:
        return False
    is_table = first.source.place.kind == "cell"
    return not is_table or first.cell.column == second.cell.column or first.row is second.row


def _of_two(
    operations: Sequence[m.Operation], values: tuple[Value, Value], figure: Figure
) -> Iterator[Result]:
    """Yield the results for two values; without operations a percentage is a share."""
    first, second = values[0][1].value, values[1][1].value
    if figure.is_percent and 0 < first < second:
        yield Result("share", 100 * first / second, values, True, True)
    if "sum" in operations and first >= second:
        yield Result("sum", first + second, values, True)
    compared = compared_values(operations, values, True)
    yield from (
        result for result in compared if result.is_percent == figure.is_percent or "points" in figure.unit
    )


def _value(match: ValueMatch) -> Value:
    rows = match.source.rows
    return next(at for at, row in enumerate(rows) if row is match.row), match.cell
