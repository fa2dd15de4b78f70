"""Values that equal a figure, but that its words rule out: another statistic, side of a comparison, or time. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from smoldesk.evidence.column_names import statistics_of
from smoldesk.evidence.equality import is_equal
from smoldesk.evidence.matching import NAMED, ValueMatch
from smoldesk.evidence.parallels import PlacedFigure

_CENTRES = frozenset(("average", "50%", "deviation"))
_OTHERS = _CENTRES | {"maximum", "minimum"}
_AGAINST = re.compile(r"(?i)(?:\b(?:vs\.?|versus|against|compared (?:with|to))|に対し(?:て)?|対)[\s$€£¥]*")
_FROM = re.compile(r"(?i)(?:\bfrom[\s$€£¥]*|→\s*)$")
_TO = re.compile(r"(?i)\s*(?:[a-z]{1,6}\s)?(?:to|→|から)[\s$€£¥約]*")
_RESULT = re.compile(r"(?i)(?:\b(?:to|at)|[増減]の|[増減](?:え|っ)て)[\s$€£¥]*$")
_EARLIER = re.compile(r"(?i)last|prev|prior|before|old|budget|plan|昨|前")
_YEAR = re.compile(r"(?:19|20)\d\d")


def refuse_contradicted(places: Sequence[PlacedFigure]) -> None:
    """Take their values from figures whose words rule these out."""
    for placed in places:
        match = placed.outcome[0]
        if match and _is_another_statistic(placed, match):
            placed.outcome = None, False  # it may be a mean that the desk can compute
    for first, second in pairwise(places):
        if first.clause is second.clause and second.figure.kind not in ("date", "time"):
            _refuse_pair(first, second)


def _is_another_statistic(placed: PlacedFigure, match: ValueMatch) -> bool:
    """Return whether the words before a figure call it a mean, and its value is a median or that of an unnamed row."""
    clause = placed.clause
    spoken = statistics_of(clause.segment(placed.at)[0]) | statistics_of(clause.headers[placed.at])
    labels = " ".join(label for _, label in match.row.labels)
    stored = statistics_of(f"{match.cell.column} {labels} {match.source.name}")
    if not spoken & _CENTRES or spoken & stored:
        return False
    is_unnamed = match.source.place.kind == "cell" and not any(
        match.source.rows[row] is match.row
        for rows in placed.owner.values()
        for row in rows
        if row < len(match.source.rows)
    )
    return bool(stored & _OTHERS) or (is_unnamed and len(match.source.rows) > 2)


def _refuse_pair(first: PlacedFigure, second: PlacedFigure) -> None:
    """Refuse values of two successive figures on the wrong sides of a comparison or change; accept those on the right one."""
    text = second.clause.text
    between = text[first.figure.end : second.figure.start]
    earlier, later = first.outcome[0], second.outcome[0]
    if later is None:
        if earlier is not None and _AGAINST.fullmatch(between.strip()):
            candidates = [*_column_values(earlier, second)]
            if len(candidates) == 1 and len(earlier.source.rows) <= NAMED * 10**second.figure.digits:
                second.outcome = candidates[0], False
        return
    is_same_row = earlier is not None and earlier.row is later.row
    if _AGAINST.fullmatch(between.strip()) and earlier is None and any(_column_values(later, first)):
        second.rule_out()
    elif (
        _TO.fullmatch(between)
        and earlier is not None
        and (_FROM.search(text[: first.figure.start]) or "から" in between or "→" in between)
    ):
        if is_same_row and earlier.cell is not later.cell and _is_before(later, earlier):
            first.rule_out()
            second.rule_out()
    elif _RESULT.search(between) and any(
        _is_before(later, ValueMatch(later.source, later.row, cell))
        and abs(abs(cell.value - later.cell.value) - abs(first.figure.value)) < 1e-9
        for cell in later.row.cells
    ):
        second.rule_out()


def _column_values(match: ValueMatch, placed: PlacedFigure) -> Iterator[ValueMatch]:
    """Yield values that a figure is in the column of another one, and in other rows of its table."""
    for row in match.source.rows:
        for cell in row.cells if row is not match.row else ():
            if cell.column == match.cell.column and is_equal(placed.figure, cell, placed.clause.sentence):
                yield ValueMatch(match.source, row, cell)


def _is_before(match: ValueMatch, other: ValueMatch) -> bool:
    """Return whether a value is of an earlier time than another of its row, by the names or the order of their columns."""
    names = match.cell.column, other.cell.column
    years = [_YEAR.search(name) for name in names]
    if years[0] and years[1]:
        return years[0][0] < years[1][0]
    if any(map(_EARLIER.search, names)):
        return bool(_EARLIER.search(names[0])) and not _EARLIER.search(names[1])
    return False
