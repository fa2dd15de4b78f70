"""Names that an answer has for rows of a run, as `喫煙者` for the row `Yes`: learned from the values beside them. Pure."""

import re
from collections.abc import Sequence

from smoldesk.evidence.matching import UNNAMED, Matcher
from smoldesk.evidence.parallels import PlacedFigure
from smoldesk.evidence.row_names import Dimension

# Name at the start of an item, a table's row or a sentence, up to what separates it from its values.
_NAME = re.compile(
    r"[\W\d]*(?P<name>[^\W\d][^\d|:：–—,、。;；()（）\n]{0,40}?)[*_」』\s]*(?:[|:：–—,、(（は]|- )"
)
Rows = dict[Dimension, set[int]]


def learned_names(places: Sequence[PlacedFigure], matcher: Matcher) -> dict[str, Rows]:
    """Return names without a row of their own, with the one row that several figures behind each are values of."""
    clauses: dict[int, list[PlacedFigure]] = {}
    for placed in places:
        if placed.figure.kind == "number":
            clauses.setdefault(id(placed.clause), []).append(placed)
    names: dict[str, Rows | None] = {}
    for members in clauses.values():
        clause = members[0].clause
        name = _NAME.match(clause.sentence)
        end = clause.start + name.end("name") if name else 0
        if name and end <= clause.spans[0][0]:
            rows = _common_row(members, matcher)
            named = {at for naming in clause.namings for at, _ in naming.rows}
            if rows is not None and not named & {at for at, _ in rows}:
                names[name["name"]] = rows if names.get(name["name"], rows) == rows else None
    return {name: rows for name, rows in names.items() if rows}


def _common_row(members: Sequence[PlacedFigure], matcher: Matcher) -> Rows | None:
    """Return the row that most figures of a sentence are different values of, if chance does not explain it."""
    rows: dict[tuple[int, int], dict[int, PlacedFigure]] = {}
    for placed in members:
        for at, row, cell in matcher.equal(placed.figure, placed.clause.sentence):
            rows.setdefault((at, row), {}).setdefault(cell, placed)
    likely: dict[tuple[str, ...], Rows] = {}
    for (at, row), cells in rows.items():
        source = matcher.sources[at]
        labels = source.rows[row].labels
        figures = {id(placed): placed.figure for placed in cells.values()}
        chance = len(source.rows) * len(source.rows[row].cells) ** len(figures)
        digits = sum(figure.digits for figure in figures.values())
        if labels and 1 < len(figures) >= len(members) / 2 and chance / 10**digits <= UNNAMED:
            likely.setdefault(tuple(label for _, label in labels[:1]), {})[at, labels[0][0]] = {row}
    return next(iter(likely.values())) if len(likely) == 1 else None
