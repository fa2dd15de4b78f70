"""Whether an answer gives every expected name its number: in one of its tables, or in its lines."""

import re
from collections.abc import Mapping, Sequence

from tests.exams.answer import Answer, Grid
from tests.exams.figures import close, numbers, plain
from tests.exams.naming import cell_is, end_in, place_in

SPARE_ROWS = 1
"""Rows beyond the expected ones that may be there: a total, or the blanks."""


def pairs_fault(answer: Answer, pairs: Mapping[str, float], spare: int | None, in_order: bool) -> str:
    """Why the answer does not give these pairs; empty when it does."""
    room = SPARE_ROWS if spare is None else spare
    grids = [*answer.tables, *(grid for _, grid in answer.files if grid is not None)]
    faults = [_grid_fault(grid, pairs, room, in_order) for grid in grids]
    faults.append(_text_fault(answer.text, pairs, room, in_order))
    return "" if "" in faults else faults[0]


def _grid_fault(grid: Grid, pairs: Mapping[str, float], spare: int, in_order: bool) -> str:
    places: list[int] = []
    for name, value in pairs.items():
        place = _row_of(grid, name.split(", "), value)
        if place is None:
            return f"the table does not give {name} as {value}"
        places.append(place)
    if in_order and places != sorted(places):
        return "the rows are in another order"
    if len(grid.rows) > len(set(places)) + spare:
        return f"the table has {len(grid.rows)} rows, expected {len(set(places))}"
    return ""


def _row_of(grid: Grid, parts: Sequence[str], value: float) -> int | None:
    """The first row that gives the value to these keys: all in cells, or the last of them as a column's name."""
    for place, row in enumerate(grid.rows):
        keys = _key_cells(row, parts)
        if keys is not None:
            other_items = [cell for at, cell in enumerate(row) if at not in keys]
            if any(_is_value(cell, value) for cell in other_items):
                return place
        if len(parts) == 2:
            for first, second in (parts, parts[::-1]):
                keys = _key_cells(row, [first])
                wide = [
                    cell for column, cell in zip(grid.columns, row, strict=False) if cell_is(column, second)
                ]
                if keys is not None and any(_is_value(cell, value) for cell in wide):
                    return place
    return None


def _key_cells(row: Sequence[object], parts: Sequence[str]) -> set[int] | None:
    """Which cells hold the keys; a whole number is looked for in the first columns only, where it is no value."""
    results: set[int] = set()
    for part in parts:
        reach = len(parts) + 1 if part.isdigit() else len(row)
        place = next(
            (at for at, cell in enumerate(row[:reach]) if at not in results and cell_is(cell, part)), None
        )
        if place is None:
            return None
        results.add(place)
    return results


def _is_value(cell: object, value: float) -> bool:
    if isinstance(cell, bool) or cell is None:
        return False
    if isinstance(cell, int | float):
        return close(repr(cell) if isinstance(cell, float) else cell, value)
    written = numbers(str(cell))
    return len(written) == 1 and close(written[0], value)


def _text_fault(text: str, pairs: Mapping[str, float], spare: int, in_order: bool) -> str:
    lines = [line for line in plain(text).splitlines() if line.strip()]
    bullets = [line for line in lines if re.match(r"\s*[-*•・]\s", line)]
    pieces = [piece for line in lines for piece in (line, *re.split(r", (?=\D)|、|,(?=\D)|; ?|。", line))]
    places: list[int] = []
    for name, value in pairs.items():
        parts = name.split(", ")
        place = next((at for at, piece in enumerate(pieces) if _gives(piece, parts, value)), None)
        if place is None:
            return f"the text does not give {name} as {value}"
        places.append(place)
    if in_order and places != sorted(places):
        return "the names are in another order"
    if len(bullets) > len(pairs) + spare:
        return f"{len(bullets)} lines are listed, expected {len(pairs)}"
    return ""


def _gives(piece: str, parts: Sequence[str], value: float) -> bool:
    """Whether the first number after all of these keys is the value."""
    if any(place_in(piece, part) < 0 for part in parts):
        return False
    after = numbers(piece[max(end_in(piece, part) for part in parts) :])
    return bool(after) and close(after[0], value)
