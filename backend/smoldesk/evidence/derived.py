"""Derivation of figures: operations on values of one table, only those that the sentence of a figure names. Pure."""

import re
from collections.abc import Sequence
from itertools import islice, permutations

from smoldesk import messages as m
from smoldesk.evidence.clauses import MAX_SENTENCE, Clause
from smoldesk.evidence.figure_finder import Figure
from smoldesk.evidence.matching import NAMED, UNNAMED, Matcher, ValueMatch, named_columns, targets
from smoldesk.evidence.operations import Result, RowGrid, results_of
from smoldesk.evidence.row_names import Dimension
from smoldesk.evidence.run_values import NumberCell, ValueSource

MAX_ROWS = 2_000
# Results of operations that are compared with one figure.
MAX_RESULTS = 2_000
MAX_PLACES = 20

_PATTERNS: tuple[tuple[m.Operation, str], ...] = (
    (
        "sum",
        r"\b(?:totals?|sum|combined|together|altogether|overall|in all|all|grand)\b|合計|総|合わせ|あわせ|全体|計",
    ),
    ("mean", r"\b(?:average|mean|averag\w+|typical)\b|平均"),
    (
        "maximum",
        r"\b(?:max\w*|highest|largest|most|top|biggest|peak|best)\b|最大|最高|最も|最多|トップ",
    ),
    ("minimum", r"\b(?:min\w*|lowest|smallest|fewest|least|bottom|worst)\b|最小|最低|最少"),
    (
        "difference",
        r"\b(?:difference|gap|spread|range|more|less|fewer|higher|lower|above|below|ahead|behind|exceed\w*|increase\w*"
        r"|decrease\w*|rose|fell|up|down|gain\w*|drop\w*|grew|lead|margin|by)\b|差|多|少な|上回|下回|増|減|高い|低い|伸び",
    ),
    (
        "change",
        r"\b(?:increase\w*|decrease\w*|rose|fell|up|down|grew|growth|gain\w*|drop\w*|declin\w*|change\w*|higher|lower|more"
        r"|less|fewer|above|below|ahead|behind|jump\w*|yoy|mom)\b|増|減|伸び|前年|前月|前期|上昇|下落|上回|下回|高い|低い|多い|少ない|変化",
    ),
    ("ratio", r"\b(?:times|ratio|twice|double|triple|fold|per)\b|\dx\b|倍|比率|当たり|あたり|につき"),
    (
        "share",
        r"\b(?:share|account\w*|represent\w*|mak\w+ up|made up|proportion|portion|contribut\w*|of (?:the |all )?total)\b"
        r"|(?:%|\bpercent) of\b|占め|割合|構成比|比率|シェア|うち|全体の",
    ),
    ("rank", r"\b(?:rank\w*|place\w?|largest|highest|best|lowest|smallest|most|position)\b|位|番目"),
    ("count", r"\w"),
)
_WORDS: dict[m.Operation, re.Pattern[str]] = {
    operation: re.compile(pattern, re.IGNORECASE) for operation, pattern in _PATTERNS
}
_UP = re.compile(
    r"(?i)\b(?:increase\w*|rose|up|grew|growth|gain\w*|jump\w*|higher|more|above)\b|増|伸び|上昇|上回|高い|多い"
)
_DOWN = re.compile(
    r"(?i)\b(?:decrease\w*|fell|down|drop\w*|declin\w*|lower|less|fewer|below)\b|減|下落|低下|下回|低い|少ない"
)
_EXTREMES = ("maximum", "minimum", "mean", "count")


def derive(
    figure: Figure,
    clause: Clause,
    index: int,
    owner: dict[Dimension, frozenset[int]],
    matcher: Matcher,
    is_refused: bool = False,
) -> tuple[ValueSource, Result] | None:
    """Return the operation that gives a figure, or None. With `is_refused` its row has other values: no extreme is it."""
    sentence = f"{clause.headers[index]} {clause.sentence}"
    operations: list[m.Operation] = [
        operation for operation, pattern in _WORDS.items() if pattern.search(sentence)
    ]
    if is_refused:
        operations = [operation for operation in operations if operation not in _EXTREMES]
        if not _WORDS["share"].search(_without_columns(clause.sentence, matcher)):
            operations = [operation for operation in operations if operation != "share"]
    elif figure.is_percent and "share" not in operations:
        operations.append("share")
    best: tuple[float, ValueSource, Result] | None = None
    for at in range(len(matcher.sources) - 1, -1, -1):
        grid = _grid(at, clause, index, owner, matcher)
        if grid is None:
            continue
        results = [*islice(results_of(grid, operations, figure, clause, index), MAX_RESULTS)]
        for result in results:
            if not _gives(result, figure, sentence):
                continue
            similar = [other for other in results if other.operation == result.operation]
            count = sum(other.is_named for other in similar) if result.is_named else len(results)
            chance = count / 10**figure.digits
            limit = NAMED if result.is_named else UNNAMED
            if chance <= limit and (best is None or chance < best[0]):
                best = (chance, grid.source, result)
    return best[1:] if best else None


def share_of_stated(figure: Figure, stated: Sequence[ValueMatch]) -> tuple[ValueSource, Result] | None:
    """Return the share that one figure of a sentence is of another one, both values of one source, or None."""
    pairs = [
        Result("share", 100 * part.cell.value / base.cell.value, (_value(part), _value(base)), True, True)
        for part, base in permutations(stated[-4:], 2)
        if part.source is base.source and 0 < part.cell.value < base.cell.value
    ]
    if not figure.is_percent or len(pairs) / 10**figure.digits > UNNAMED:
        return None
    result = next((pair for pair in pairs if _gives(pair, figure, "")), None)
    if result is None:
        return None
    cells = {id(cell) for _, cell in result.values}
    return next(match.source for match in stated if id(match.cell) in cells), result


def _value(match: ValueMatch) -> tuple[int, NumberCell]:
    rows = match.source.rows
    return next(at for at, row in enumerate(rows) if row is match.row), match.cell


def _without_columns(sentence: str, matcher: Matcher) -> str:
    """Return a sentence without the names of columns, which name no operation."""
    names = {column for at in range(len(matcher.sources)) for column in matcher.columns_of(at)}
    for name in names:
        sentence = re.sub(re.escape(name.replace("_", " ")), " ", sentence, flags=re.IGNORECASE)
    return sentence


def _grid(
    at: int, clause: Clause, index: int, owner: dict[Dimension, frozenset[int]], matcher: Matcher
) -> RowGrid | None:
    source = matcher.sources[at]
    if not source.rows or len(source.rows) > MAX_ROWS:
        return None
    columns = matcher.grid_of(at)
    allowed = matcher.allowed(at, clause, index)
    if not allowed:
        paragraph = clause.text[max(0, clause.start - MAX_SENTENCE) : clause.start].rpartition("\n\n")[2]
        allowed = named_columns([*columns], clause.sentence) or named_columns([*columns], paragraph)
    used = {name: cells for name, cells in columns.items() if not allowed or name in allowed}
    rows = matcher.rows_of(at, owner) or frozenset()
    return RowGrid(
        source,
        used,
        tuple(sorted(rows)),
        _named_rows(at, clause, owner),
        bool(allowed) or len(columns) == 1,
        columns,
    )


def _named_rows(at: int, clause: Clause, owner: dict[Dimension, frozenset[int]]) -> tuple[int, ...]:
    """Return the single rows that a sentence names: alone, or with the figure's other names."""
    rows: list[int] = []
    for naming in clause.namings or clause.previous:
        for dimension, numbers in naming.rows.items():
            if dimension[0] != at:
                continue
            for other, other_rows in owner.items():
                if other[0] == at and other[1] != dimension[1]:
                    numbers = numbers & other_rows or numbers
            if len(numbers) == 1:
                rows += numbers
    return tuple(dict.fromkeys(rows))


def _gives(result: Result, figure: Figure, sentence: str) -> bool:
    """Return whether an operation's result is the figure, rounded, in its unit and direction."""
    value, half = abs(figure.value), figure.half + result.error
    if result.operation in ("rank", "count"):
        return value == result.value and figure.unit[0] in ("", "time")
    if result.operation == "change":
        is_up, is_down = bool(_UP.search(sentence)), bool(_DOWN.search(sentence))
        if (is_up and not is_down and result.value < 0) or (is_down and not is_up and result.value > 0):
            return False
    if result.is_percent:
        is_share = (
            not figure.unit[0] and figure.value <= 1 and result.operation == "share" and result.is_named
        )
        if not (figure.is_percent or is_share):
            return False
        scale = 100.0 if is_share else 1.0
        return abs(abs(result.value) - value * scale) <= half * scale * 1.0001 + 1e-9
    if result.operation == "ratio":
        return figure.unit[0] in ("", "times") and abs(result.value - value) <= half * 1.0001 + 1e-9
    cell = result.values[0][1]
    computed = NumberCell(abs(result.value), cell.column, None, cell.unit)
    return any(
        abs(computed.value - abs(target)) <= (tolerance + result.error) * 1.0001 + 1e-9
        for target, tolerance in targets(figure, computed, sentence)
    )
