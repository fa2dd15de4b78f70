"""Dataset from code, as the text of a CSV file. Pure.

`save_data` gets JSON made from what a model wrote. The three shapes that pandas would take are accepted: columns of
lists, columns of {index: value} (the result of `df.to_dict()`) and a list of rows. Texts are written unchanged, also
those that a spreadsheet would compute: code reads the file again, and a changed cell would be a wrong figure.
"""

import csv
import io
import json
import math
from dataclasses import dataclass
from typing import Any, cast

from smoldesk.errors import BadInput

MAX_CELLS = 5_000_000
MAX_BYTES = 50_000_000


@dataclass(frozen=True)
class CsvText:
    """The file's content in UTF-8, with the number of rows and the names of the columns it has."""

    content: bytes
    rows: int
    columns: list[str]


def csv_text(dataset: object) -> CsvText:
    """Convert a dataset. Raises BadInput with the column that does not fit, or the expected shape."""
    columns = _columns(dataset)
    lengths = {name: len(values) for name, values in columns.items()}
    rows = max(lengths.values())
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} {length}" for name, length in list(lengths.items())[:8])
        raise BadInput(
            f"The columns have different lengths: {lengths_text}.", hint="Give every column as many values."
        )
    if rows * len(columns) > MAX_CELLS:
        raise BadInput(f"{rows * len(columns):,} cells are too many.", hint=f"At most {MAX_CELLS:,}.")
    out = io.StringIO()
    writer = csv.writer(_Lines(out), lineterminator="\r\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow([_cell(value) for value in row])
    content = out.getvalue().encode("utf-8", "replace")
    if len(content) > MAX_BYTES:
        raise BadInput(f"The file would have {len(content):,} bytes.", hint=f"At most {MAX_BYTES:,}.")
    return CsvText(content, rows, list(columns))


class _Lines:
    """Ends rows with a line feed alone: the csv module quotes a carriage return only if rows end with one, too."""

    def __init__(self, out: io.StringIO) -> None:
        self._out = out

    def write(self, row: str) -> int:
        return self._out.write(row.removesuffix("\r\n") + "\n")


def _columns(dataset: object) -> dict[str, list[Any]]:
    """Return the columns and their values from any of the shapes."""
    if isinstance(dataset, list):
        return _from_rows(cast(list[Any], dataset))
    if not isinstance(dataset, dict):
        raise BadInput(f"The dataset is of type {type(dataset).__name__}, not a dict.", hint=_SHAPE)
    named = {str(name): value for name, value in cast(dict[Any, Any], dataset).items()}
    if not named:
        raise BadInput("The dataset has no columns.", hint=_SHAPE)
    if all(isinstance(value, dict) for value in named.values()):
        return _from_indexed(named)
    return {name: _values(name, value, named) for name, value in named.items()}


def _values(name: str, value: Any, named: dict[str, Any]) -> list[Any]:
    kind = type(value).__name__
    if isinstance(value, list | tuple):
        return list(cast(list[Any], value))
    if not isinstance(value, dict) and not any(
        isinstance(other, list | tuple | dict) for other in named.values()
    ):
        return [value]
    raise BadInput(f"Column {name!r} is of type {kind}, not a list.", hint=_SHAPE)


def _from_indexed(named: dict[str, dict[Any, Any]]) -> dict[str, list[Any]]:
    """Aligned by index, in the order in which indexes are first met."""
    index = list(dict.fromkeys(key for column in named.values() for key in column))
    return {name: [column.get(key) for key in index] for name, column in named.items()}


def _from_rows(rows: list[Any]) -> dict[str, list[Any]]:
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise BadInput("The dataset is a list, but not of rows (dicts).", hint=_SHAPE)
    names = list(dict.fromkeys(key for row in rows for key in row))
    return {str(name): [row.get(name) for row in rows] for name in names}


def _cell(value: Any) -> Any:
    """Return a value as CSV text; None and NaN are blank, nested values JSON."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, dict | list):
        try:
            return json.dumps(cast(object, value), ensure_ascii=False)
        except (RecursionError, TypeError, ValueError) as fault:
            raise BadInput("A value is nested too deeply to be written as JSON.", hint=_SHAPE) from fault
    return value


_SHAPE = 'Give columns of equally many values: {"room": ["Room1", "Kitchen"], "mean": [21.2, 21.0]}.'
