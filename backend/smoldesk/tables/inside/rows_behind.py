"""`_rows_behind(...)` in a chat's process: the rows from which a cell of a shown table was computed.

The host calls it when a person clicks on a figure. It reads no code: of each table among the variables that has the
columns which name the cell's row, it takes the rows with the same values. They count only if their number, or the sum,
mean, ... of one column, is the value of the cell.
"""

import builtins
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from smoldesk.sandbox.inside.other_tables import is_a

MAX_ROWS = 1_000
# Columns that are tried for a cell whose column has another name.
MAX_COLUMNS = 20
HOW = ("sum", "mean", "min", "max", "median", "std", "nunique")
# Labels of rows that `describe` and `agg` make.
STATISTICS = {
    **{name: name for name in HOW},
    "count": "count",
    "50%": "median",
    "中央値": "median",
    "合計": "sum",
}
PERIODS = ("year", "month", "day", "hour", "quarter")


@dataclass(frozen=True)
class ShownCell:
    """Value of a shown table: its column, the values that name its row, and the table's number of rows."""

    value: float
    column: str
    labels: Mapping[str, Any]
    row_count: int

    def equals(self, result: Any) -> bool:
        """Check whether a result, rounded as the value is, is the value."""
        try:
            number = float(result)
        except (TypeError, ValueError):
            return False
        decimals = len(repr(self.value).partition(".")[2]) if not float(self.value).is_integer() else 0
        is_rounded = 0 < decimals < 7 or (not decimals and abs(self.value) >= 1_000)
        tolerance = 0.5 * 10.0**-decimals if is_rounded else 0.0
        return abs(number - self.value) <= tolerance * 1.0001 + 1e-9 * max(1.0, abs(self.value))


@dataclass(frozen=True)
class MatchingRows:
    """Rows of a table, by their places, and the operation on them that gives the value."""

    frame: Any
    places: Any
    how: str
    column: str


def rows_behind(request: str) -> None:
    """Show the rows behind a cell, at most MAX_ROWS, and print what they are as JSON; print `null` if none are."""
    facts = json.loads(request)
    cell = ShownCell(facts["value"], facts["column"], facts["labels"], facts["row_count"])
    variables = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
    match = next(_matches(variables, cell), None)
    if match is None:
        sys.stdout.write("null")
        return
    builtins.display(match.frame.iloc[match.places[:MAX_ROWS]])  # type: ignore[attr-defined]
    sys.stdout.write(json.dumps({"how": match.how, "column": match.column, "count": len(match.places)}))


def _matches(variables: Mapping[str, Any], cell: ShownCell) -> Iterator[MatchingRows]:
    frames = {
        id(value): value
        for name, value in [*variables.items()]
        if not name.startswith("_") and is_a(value, "pandas", "DataFrame")
    }
    # The smallest one first: of a table and of its selection, the selection is what was computed with.
    for frame in sorted(frames.values(), key=len):
        if len(frame) != cell.row_count or cell.column not in map(str, frame.columns):
            yield from _of_frame(frame, cell)


def _of_frame(frame: Any, cell: ShownCell) -> Iterator[MatchingRows]:
    import numpy

    labels = dict(cell.labels)
    how = next((STATISTICS[str(label)] for label in labels.values() if str(label) in STATISTICS), "")
    if how:  # a row of `describe`
        labels = {name: label for name, label in labels.items() if str(label) not in STATISTICS}
    masks = [_mask(frame, name, label) for name, label in labels.items()]
    if any(mask is None for mask in masks):
        return
    mask = numpy.logical_and.reduce(masks) if masks else numpy.ones(len(frame), bool)
    places = numpy.flatnonzero(mask)
    if not len(places):
        return
    selections = [(places, how)]
    if cell.column not in map(str, frame.columns):
        selections += [(part, how) for part in _pivoted(frame, places, cell.column)]
    for rows, named in selections:
        if (result := _operation(frame, rows, cell, named)) is not None:
            yield MatchingRows(frame, rows, *result)


def _mask(frame: Any, name: str, label: Any) -> Any:
    """Return which rows have a label in a column, or in the period of its only column of dates; None without it."""
    columns = {str(column): place for place, column in enumerate(frame.columns)}
    if name not in columns:
        dates = frame.select_dtypes("datetime")
        if name.lower() in PERIODS and dates.shape[1] == 1:
            return (getattr(dates.iloc[:, 0].dt, name.lower()) == int(float(label))).to_numpy()
        return None
    series = frame.iloc[:, columns[name]]
    if series.dtype.kind == "M":
        import pandas

        return (series == pandas.Timestamp(str(label))).to_numpy()
    mask = (series == label).to_numpy(dtype=bool, na_value=False)
    return mask if mask.any() or isinstance(label, str) is False else (series.astype(str) == label).to_numpy()


def _pivoted(frame: Any, places: Any, heading: str) -> Iterator[Any]:
    """Yield the rows in which another column has the heading of a pivot's column as its value."""
    for place in range(min(frame.shape[1], MAX_COLUMNS)):
        series = frame.iloc[places, place]
        label: Any = float(heading) if series.dtype.kind in "iuf" and heading.isdecimal() else heading
        part = places[(series == label).to_numpy(dtype=bool, na_value=False)]
        if len(part):
            yield part


def _operation(frame: Any, places: Any, cell: ShownCell, how: str) -> tuple[str, str] | None:
    """Return the operation and the column that give the value of a cell."""
    folded = cell.column.casefold()
    numeric = [place for place in range(frame.shape[1]) if frame.dtypes.iloc[place].kind in "iuf"][
        :MAX_COLUMNS
    ]
    names = {place: str(frame.columns[place]) for place in range(frame.shape[1])}
    alike = [place for place in numeric if names[place].casefold() in folded]
    # A number of few digits is a sum or mean of some column by chance.
    is_distinct = len(repr(abs(cell.value)).replace(".", "").strip("0")) >= 4
    for place in alike or (numeric if is_distinct else []):
        series = frame.iloc[places, place]
        for operation in [how] if how in HOW else HOW if alike else HOW[:2]:
            if cell.equals(getattr(series, operation)()):
                return operation, names[place]
    if not alike and how in ("", "count") and cell.labels and cell.value == len(places):
        return "count", ""
    return None
