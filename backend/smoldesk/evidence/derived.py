"""Derivation of figures: operations on values of one table, only those that the sentence of a figure names. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from smoldesk import messages as m
from smoldesk.evidence.clauses import MAX_SENTENCE, Clause
from smoldesk.evidence.column_names import named_columns
from smoldesk.evidence.equality import targets
from smoldesk.evidence.matching import NAMED, UNNAMED, Matcher
from smoldesk.evidence.operation_results import Result, RowGrid
from smoldesk.evidence.operations import results_of
from smoldesk.evidence.row_names import Dimension, fold
from smoldesk.evidence.run_values import NumberCell, ValueSource
from smoldesk.evidence.text_figure import Figure

MAX_ROWS = 2_000
# Results of operations that are compared with one figure.
MAX_RESULTS = 2_000
MAX_PLACES = 20
# Rows that one name of several may stand for, as "weekend" does.
MAX_NAMED = 2

_PATTERNS: tuple[tuple[m.Operation, str], ...] = (
    (
        "sum",
        r"\b(?:totals?|sum|combined|together|altogether|overall|in all|all|grand|of the|there (?:were|are))\b"
        r"|合計|総|合わせ|あわせ|(?<![安完])全|計",
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
        r"|decrease\w*|rose|fell|up|down|gain\w*|drop\w*|grew|lead|margin|(?<!followed )by"
        r"|over\w*|surplus|shortfall|deficit|faster|slower|longer|shorter|cheaper|warmer|cooler|colder"
        r"|hotter|older|younger|larger|smaller|greater|leaving|leaves|remaining|under|outperform\w*)\b|残り|差|上回|下回|増|減|伸び|上昇|下落|低下|(?<!最も)(?<!最)(?:多|少な|[高低長短早遅][いく])|超過|不足|あと",
    ),
    (
        "change",
        r"\b(?:increase\w*|decrease\w*|rose|fell|up|down|grew|growth|gain\w*|drop\w*|declin\w*|change\w*|higher|lower|more"
        r"|less|fewer|above|below|ahead|behind|jump\w*|yoy|mom)\b|増|減|伸び|前年|前月|前期|上昇|下落|上回|下回|(?<!最も)(?<!最)(?:高[いく]|低[いく]|多[いく]|少な[いく])|変化",
    ),
    (
        "ratio",
        r"\b(?:times|ratio|twice|double|triple|fold|per|half)\b|\dx\b|倍|分の|半分|比率|レシオ|÷|当たり|あたり|につき",
    ),
    (
        "share",
        r"\b(?:share|account\w*|represent\w*|mak\w+ up|made up|proportion|portion|contribut\w*|of (?:the |all )?total)\b"
        r"|(?:%|\bpercent) of\b|\d of (?:the |all )?[$€£¥]?\d|占め|割合|構成比|比率|シェア|うち|全体の"
        r"|[人件個円a-z]の約?\d[\d.]*[%割]",
    ),
    ("rank", r"\b(?:rank\w*|place\w?|largest|highest|best|lowest|smallest|most|position)\b|位|番目"),
    ("count", r"\w"),
)
OPERATION_WORDS: dict[m.Operation, re.Pattern[str]] = {
    operation: re.compile(pattern, re.IGNORECASE) for operation, pattern in _PATTERNS
}
_PER = re.compile(r"(?i)\bper\b|あたり|当たり|につき")
_UP = re.compile(
    r"(?i)\b(?:increase\w*|rose|up|grew|growth|gain\w*|jump\w*|higher|more|above)\b|増|伸び|上昇|上回|(?<!最も)(?<!最)[高多][いく]"
)
_DOWN = re.compile(
    r"(?i)\b(?:decrease\w*|fell|down|drop\w*|declin\w*|lower|less|fewer|below)\b|減|下落|低下|下回|(?<!最も)(?<!最)(?:低|少な)[いく]"
)
_COMPARED = ("difference", "change")
_EXTREMES = ("maximum", "minimum", "mean", "count")


def derive(
    figure: Figure,
    clause: Clause,
    index: int,
    owner: dict[Dimension, frozenset[int]],
    matcher: Matcher,
    is_refused: bool = False,
    least: float = 0.0,
) -> tuple[ValueSource, Result] | None:
    """Return the operation that gives a figure, or None. With `is_refused` its row has other values: no extreme is it.

    Chance may explain as many results as are `least`, also of rows that the sentence does not name.
    """
    sentence = f"{clause.headers[index]} {clause.sentence}"
    operations: list[m.Operation] = [
        operation for operation, pattern in OPERATION_WORDS.items() if pattern.search(sentence)
    ]
    if is_refused:
        is_word = figure.kind == "word"
        operations = [o for o in operations if o not in _EXTREMES or (o == "count" and is_word)]
        # Words before another figure say nothing of one whose row has another value.
        start, end = clause.spans[index - 1][1] if index else clause.start, clause.spans[index][1]
        after = re.split(r", |; |、", clause.text[end : clause.end])[0]
        near = f"{clause.headers[index]} {clause.text[start:end]}{after}"
        operations = [o for o in operations if o not in _COMPARED or OPERATION_WORDS[o].search(near)]
        if not figure.is_percent and _is_named_directly(clause.segment(index)[0], matcher):
            operations = [o for o in operations if o not in _COMPARED]
        if not OPERATION_WORDS["share"].search(_without_columns(sentence, matcher)):
            operations = [operation for operation in operations if operation != "share"]
    elif figure.is_percent and "share" not in operations:
        operations.append("share")
    best: tuple[tuple[float, float], ValueSource, Result] | None = None
    for at in range(len(matcher.sources) - 1, -1, -1):
        for grid in _grids(at, figure, clause, index, owner, matcher):
            results = [*islice(results_of(grid, operations, figure, clause, index), MAX_RESULTS)]
            for result in results:
                if not gives(result, figure, sentence):
                    continue
                chance = len({*_similar(result, results)}) / 10**figure.digits
                limit = max(least, NAMED if result.is_named else UNNAMED)
                order = (chance, result.error)
                if chance <= limit and (best is None or order < best[0]):
                    best = (order, grid.source, result)
    return best[1:] if best else None


def _similar(result: Result, results: Sequence[Result]) -> Iterator[float]:
    """Yield the values of results that a figure could equal by chance as well as that of this one."""
    for other in results:
        is_named = other.is_named and other.operation == result.operation
        if is_named if result.is_named else other.is_percent == result.is_percent:
            yield round(abs(other.value), 9)


def _is_named_directly(before: str, matcher: Matcher) -> bool:
    """Return whether a column's name stands directly before a figure, which is then a value of it."""
    text = fold(before).rstrip(" :：=はがの")
    names = {fold(column) for at in range(len(matcher.sources)) for column in matcher.columns_of(at)}
    return any(text.endswith(name) for name in names if len(name) > 1)


def _without_columns(sentence: str, matcher: Matcher) -> str:
    """Return a sentence without the names of columns, which name no operation."""
    names = {column for at in range(len(matcher.sources)) for column in matcher.columns_of(at)}
    for name in names:
        sentence = re.sub(re.escape(name.replace("_", " ")), " ", sentence, flags=re.IGNORECASE)
    return sentence


def _grids(
    at: int,
    figure: Figure,
    clause: Clause,
    index: int,
    owner: dict[Dimension, frozenset[int]],
    matcher: Matcher,
) -> Iterator[RowGrid]:
    """Yield a source's values in the columns that a figure's words, unit, sentence or paragraph name, and in all."""
    source = matcher.sources[at]
    if not source.rows or len(source.rows) > MAX_ROWS:
        return
    columns = matcher.grid_of(at)
    if source.place.kind != "cell" and all(
        len(row.cells) == 1 for row in source.rows
    ):  # lines such as "width: 12"
        columns = {"": {row: cell for cells in columns.values() for row, cell in cells.items()}}
    allowed = matcher.allowed(at, clause, index) & {*columns}
    spoken = named_columns([*columns], clause.sentence)
    paragraph = clause.text[max(0, clause.start - MAX_SENTENCE) : clause.start].rpartition("\n\n")[2]
    same_unit = {
        name
        for name, cells in columns.items()
        for cell in [*cells.values()][:1]
        if cell.unit[0] == figure.unit[0] not in ("", "percent")
    }
    matched = {column for source_at, column in clause.matched if source_at == at and column in columns}
    chosen = allowed or same_unit or spoken or matched or named_columns([*columns], paragraph)
    rows = tuple(sorted(matcher.rows_of(at, owner) or ()))
    named = _named_rows(source, at, clause, owner, index)
    for names in [chosen, set(columns)] if chosen and not allowed else [chosen or set(columns)]:
        used = {name: cells for name, cells in columns.items() if name in names}
        yield RowGrid(
            source,
            used,
            rows,
            named,
            names is chosen or len(columns) == 1,
            columns,
            frozenset(spoken | allowed),
            at,
            matcher.memos[at],
        )


def _named_rows(
    source: ValueSource, at: int, clause: Clause, owner: dict[Dimension, frozenset[int]], index: int
) -> tuple[int, ...]:
    """Return the rows that a sentence names: alone, with the figure's other names, or as a range."""
    rows: list[int] = []
    for naming in clause.compared(index) or clause.namings or clause.previous:
        for dimension, numbers in naming.rows.items():
            if dimension[0] != at:
                continue
            for other, other_rows in owner.items():
                if other[0] == at and other[1] != dimension[1]:
                    numbers = numbers & other_rows or numbers
            if len(numbers) <= MAX_NAMED:
                rows += sorted(numbers)
    for first, last in clause.ranges():
        for dimension in first.rows.keys() & last.rows.keys():
            if dimension[0] == at:
                rows += range(min(first.rows[dimension]), max(last.rows[dimension]) + 1)
    return tuple(dict.fromkeys(rows))


def gives(result: Result, figure: Figure, sentence: str) -> bool:
    """Return whether an operation's result is the figure, rounded, in its unit and direction."""
    value, half = abs(figure.value), figure.half + result.error
    if result.operation in ("rank", "count"):
        return value == result.value and figure.unit[0] in ("", "time")
    is_up, is_down = bool(_UP.search(sentence)), bool(_DOWN.search(sentence))
    is_against = (is_up and result.value < 0) or (
        is_down and result.value > 0 and result.operation == "change"
    )
    if result.operation in ("change", "difference") and is_up != is_down and is_against:
        return False
    if result.operation == "ratio" and is_up and not is_down and result.value < 1:
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
        scale = 100.0 if figure.kind == "part" else 1.0
        above = result.values[0][1].unit
        is_per = bool(figure.unit[0]) and figure.unit[0] == above[0] and bool(_PER.search(sentence))
        scale = figure.unit[1] / above[1] if is_per else scale
        is_ratio = figure.kind == "part" or figure.unit[0] in ("", "times") or is_per
        result_value = result.value / scale if is_per else result.value * scale
        return is_ratio and abs(result_value - value) <= half * 1.0001 + 1e-9
    cell = result.values[0][1]
    computed = NumberCell(
        abs(result.value), cell.column, None, cell.unit, is_integral=cell.is_integral or abs(cell.value) > 1.5
    )
    return any(
        abs(computed.value - abs(target)) <= (tolerance + result.error) * 1.0001 + 1e-9
        for target, tolerance in targets(figure, computed, sentence)
    )
