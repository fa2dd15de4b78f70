"""Numbers of rows that a sentence may count. Pure."""

import re
from collections.abc import Iterator

from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.column_names import statistics_of
from smoldesk.evidence.date_finder import find_dates
from smoldesk.evidence.number_words import UNITS
from smoldesk.evidence.operation_results import Result, RowGrid, data_cells
from smoldesk.evidence.row_names import tokens_of
from smoldesk.evidence.run_values import ValueSource
from smoldesk.evidence.text_figure import Figure

_ROWS = re.compile(
    r"(?i)^\W*(?:[a-z]+\s+){0,2}?(?:rows?|records?|entries|groups?|categories|items?|values?|observations?|lines?)\b"
    r"|^\s*(?:件|行|種類|グループ|個|つ|カテゴリ|区分|点|費目|週間|店舗|社|品目|銘柄|か国|名)"
)
# Words before a number that all rows have: `of the 10 runners`.
_OF_ALL = re.compile(r"(?i)\b(?:of|all|across)(?: the| all)? $")
_COUNT_ROWS = ("count", "n", "rows", "records", "件数", "人数")
# Columns whose total is the number of all that a table counts: `10 invoices`.
_COUNTS = re.compile(r"(?i)^(?:count|n|size|rows|records)$|.数$")
# Rows of a table whose rows below zero a sentence may count.
MAX_SIGNED = 100
_LOSSES = re.compile(r"(?i)\b(?:lost|fell|declin|decreas|negative|drop|shr[au]nk)|減|下落|マイナス|下回|赤字")
_GAINS = re.compile(r"(?i)\b(?:gain|rose|grew|increas|positive|exceed)|増|上昇|プラス|上回|超過|黒字")
_THRESHOLD = re.compile(
    r"(?i)\b(?:(?P<above>above|over|more than|at least|exceed\w*|greater than)"
    r"|(?P<below>below|under|less than|fewer than|at most))\b"
)


def counts_of(grid: RowGrid, figure: Figure, clause: Clause, index: int) -> Iterator[Result]:
    """Yield numbers of rows and of different names, if the words after the figure say what is counted."""
    start, end = clause.spans[index]
    after = clause.text[end : min(end + 60, clause.end)]
    if statistics_of(clause.segment(index)[0][-12:]):  # a median is no number of rows
        return
    is_of_all = bool(_OF_ALL.search(clause.text[max(clause.start, start - 24) : start])) and not grid.owner
    source = grid.source
    count = len(source.rows) if source.row_count is None else source.row_count
    is_table = figure.kind == "word" and source.place.kind == "cell" and not grid.owner
    for at, row in enumerate(source.rows):  # of summary statistics
        if len(row.labels) == 1 and row.labels[0][1] in _COUNT_ROWS and re.match(r"\s*[a-zぁ-龠]", after):
            yield from (Result("count", cell.value, ((at, cell),), True) for cell in row.cells[:1])
    is_days = figure.unit == UNITS["days"] and any(_has_dates(source))
    if (_ROWS.search(after) or is_table or is_of_all or is_days) and len(source.rows) > 1:
        yield Result("count", count, (), True)
    near = {*tokens_of(re.split(r"[,.;:、。(（]", after)[0])}
    labels: dict[str, set[str]] = {}
    for row in source.rows if source.is_complete else ():
        for dimension, label in row.labels:
            labels.setdefault(dimension, set()).add(label)
    for dimension, names in labels.items():
        if {*tokens_of(dimension)} & near:
            yield Result("count", len(names), (), True)
    if not grid.owner and source.is_complete:
        for name, cells in grid.complete.items():
            words = {word for word in tokens_of(name) if word.isascii()}
            values = tuple(data_cells(grid, cells))
            if (_COUNTS.search(name) or words & near) and len(values) > 1 and values[0][1].is_whole:
                yield Result("sum", sum(cell.value for _, cell in values), values, True)
    yield from _threshold_counts(grid, clause.sentence)
    yield from _signed_counts(grid, clause.sentence)


def _has_dates(source: ValueSource) -> Iterator[bool]:
    """Yield for the first rows of a table whether a date names them."""
    if source.place.kind == "cell":
        yield from (bool([*find_dates(label)]) for row in source.rows[:2] for _, label in row.labels)


def _signed_counts(grid: RowGrid, sentence: str) -> Iterator[Result]:
    """Yield the numbers of rows below and above zero, if the sentence speaks of losses or gains and one column has both."""
    signs = [sign for words, sign in ((_LOSSES, -1), (_GAINS, 1)) if words.search(sentence)]
    if not signs or not grid.source.is_complete or len(grid.source.rows) > MAX_SIGNED:
        return
    columns = [[*cells.items()] for cells in grid.complete.values()]
    signed = [values for values in columns if len({cell.value > 0 for _, cell in values if cell.value}) == 2]
    for sign in signs if len(signed) == 1 else ():
        chosen = tuple(value for value in signed[0] if value[1].value * sign > 0)
        yield Result("count", len(chosen), chosen, True)


def _threshold_counts(grid: RowGrid, sentence: str) -> Iterator[Result]:
    """Yield the numbers of rows above or below a value that the sentence names."""
    for match in _THRESHOLD.finditer(sentence):
        number = re.match(r"\s*[$€£¥]?(-?[\d,]+(?:\.\d+)?)", sentence[match.end() :])
        if number is None or not grid.source.is_complete:
            continue
        limit = float(number[1].replace(",", "") or 0)
        for cells in grid.columns.values():
            chosen = [
                (row, cell)
                for row, cell in cells.items()
                if (cell.value > limit if match["above"] else cell.value < limit)
            ]
            yield Result("count", len(chosen), tuple(chosen), grid.is_column_named)
