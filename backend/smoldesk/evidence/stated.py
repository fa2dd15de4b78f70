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
from smoldesk.evidence.run_values import ValueSource
from smoldesk.evidence.text_figure import Figure

_OF_TWO = ("sum", "difference", "change", "ratio")
# Words of a sentence that refer to the values before it.
_REFERS = re.compile(
    r"(?i)\b(?:difference|gap|together|between (?:them|the two)|combined|both|i\.e\.)\b|差|両|合わせ|その|あと"
)
# Largest expected number of results that equal a figure by chance, for values that its sentence states.
STATED = 0.06


def of_stated(
    figure: Figure, clause: Clause, inside: Sequence[ValueMatch], near: Sequence[ValueMatch]
) -> tuple[ValueSource, Result] | None:
    """Return the operation on values that the text states: those `inside` the figure's sentence, or `near` before it."""
    operations: list[m.Operation] = [
        operation
        for operation, pattern in OPERATION_WORDS.items()
        if operation in _OF_TWO and pattern.search(clause.sentence)
    ]
    before = clause.text[max(clause.start, figure.start - 2) : figure.start]
    if figure.is_percent and (figure.text[0] in "+-" or before.endswith("(")):  # "from 40 to 50 (+25%)"
        operations.append("change")
    refers = operations if _REFERS.search(clause.sentence) else []
    groups: list[tuple[Sequence[ValueMatch], Sequence[m.Operation]]] = [
        (inside, operations),
        (near[-2:], refers),
        (near[-4:], ()),
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


def _are_comparable(first: ValueMatch, second: ValueMatch) -> bool:
    if first.source is not second.source or first.cell is second.cell:
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
