"""Comparison of an answer with a saved one: words, figures, tables and drawings, part by part.

An exact comparison is for a run that is played again: parts are compared in order, and the words of the answer count. Else
the answer may have other words, order and tables: each saved figure, row and drawing must be in it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pydantic import JsonValue

from smoldesk.exams.expected_parts import ExpectedDrawing, ExpectedTable, PartResult
from smoldesk.exams.figure_comparison import compare_figures, compare_text
from smoldesk.exams.produced import Produced
from smoldesk.exams.questions import Expected
from smoldesk.exams.tolerances import LONGEST, Tolerance, cell_text, part_result
from smoldesk.messages import TableContent

# Cells of a table that are listed when they differ.
MAX_CELLS = 20
# Facts of drawings that another model may choose.
LOOK = frozenset({"color", "mark", "look_hash", "values_hash", "seconds"})


def compare_parts(expected: Expected, produced: Produced, exact: bool) -> Iterator[PartResult]:
    """Yield the comparison of each part of a saved answer."""
    tolerance = Tolerance(expected.tolerance_percent, rounds=not exact)
    is_alone = not (expected.figures or expected.tables or expected.drawings)
    if expected.answer is not None and (exact or is_alone):
        yield compare_text(expected.answer, produced)
    if expected.figures is not None:
        yield from compare_figures(expected.figures, produced, tolerance, exact)
    if expected.tables is not None:
        yield from compare_tables(expected.tables, produced, tolerance, exact)
    if expected.drawings is not None:
        yield from compare_drawings(expected.drawings, produced.drawings, tolerance, exact)


def compare_tables(
    expected: Sequence[ExpectedTable], produced: Produced, tolerance: Tolerance, exact: bool
) -> Iterator[PartResult]:
    """Yield the comparison of each table: its shape, and cells that differ."""
    got = produced.shown_tables
    if not exact:
        yield from (_some_table(table, got, tolerance) for table in expected)
        return
    for table, displayed in zip_longest(expected, got):
        if table is None or displayed is None:
            name = table.name if table else displayed.name if displayed else ""
            yield part_result("table", name, _shape(table), _shape(displayed), False)
            continue
        yield from _table(table, displayed, tolerance)


def _table(expected: ExpectedTable, got: TableContent, tolerance: Tolerance) -> Iterator[PartResult]:
    columns = [column.name[:1_000] for column in got.columns][: len(expected.columns)]
    rows = got.rows[: len(expected.rows)]
    is_same_shape = columns == expected.columns and got.row_count == expected.row_count
    cells = [
        (row, column)
        for row, values in enumerate(expected.rows[: len(rows)])
        for column, value in enumerate(values)
        if column >= len(rows[row]) or not tolerance.same(value, stored_cell(rows[row][column]))
    ]
    holds = is_same_shape and len(rows) == len(expected.rows)
    if not holds:
        yield part_result("table", expected.name, _shape(expected), _shape(got), False)
    elif not cells:
        yield part_result("table", expected.name, _shape(expected), _shape(got), True)
    for row, column in cells[:MAX_CELLS]:
        values = expected.rows[row]
        label = next((value for value in values if isinstance(value, str)), str(row + 1))
        name = f"{expected.name} · {label} · {expected.columns[column] if column < len(expected.columns) else ''}"
        value = rows[row][column] if column < len(rows[row]) else None
        yield part_result("table", name, cell_text(values[column]), cell_text(value), False)
    if len(cells) > MAX_CELLS:
        yield part_result("table", expected.name, "", f"{len(cells)} cells differ", False)


def _some_table(expected: ExpectedTable, got: Sequence[TableContent], tolerance: Tolerance) -> PartResult:
    """Look for the rows of a table in one of the displayed tables; names of columns do not count."""
    counts = [
        sum(any(_has_row(row, other, tolerance) for other in table.rows) for row in expected.rows)
        for table in got
    ]
    most = max(counts, default=0)
    total = len(expected.rows)
    return part_result(
        "table", expected.name, f"{total} rows", f"{most} of {total} rows", most == total and bool(got)
    )


def _has_row(expected: Sequence[JsonValue], got: Sequence[JsonValue], tolerance: Tolerance) -> bool:
    return all(any(_is_like(value, other, tolerance) for other in got) for value in expected)


def _is_like(value: JsonValue, other: JsonValue, tolerance: Tolerance) -> bool:
    if isinstance(value, str) and isinstance(other, str):
        return value.strip().casefold() == other.strip().casefold()
    if isinstance(value, float) and isinstance(other, float | int) and not isinstance(other, bool):
        return any(tolerance.allows(value, float(other), half) for half in (0.0, _half(value), _half(other)))
    return tolerance.same(value, other)


def _half(number: float) -> float:
    """Return half a unit of the last written place."""
    return 0.5 * 10 ** -len(str(number).partition(".")[2]) if "e" not in str(number) else 0.0


def compare_drawings(
    expected: Sequence[ExpectedDrawing], got: Sequence[ExpectedDrawing], tolerance: Tolerance, exact: bool
) -> Iterator[PartResult]:
    """Yield the comparison of each drawing with those of its kind and name."""
    remaining: dict[tuple[str, str], list[ExpectedDrawing]] = defaultdict(list)
    for drawing in got:
        remaining[_key(drawing, exact)].append(drawing)
    for drawing in expected:
        candidates = remaining[_key(drawing, exact)]
        facts = _facts(drawing, exact)
        match = next((other for other in candidates if tolerance.same(facts, _facts(other, exact))), None)
        counterpart = match or next(iter(candidates), None)
        if counterpart is not None:
            candidates.remove(counterpart)
        yield _difference(drawing, counterpart, tolerance, exact)
    for (kind, _), candidates in remaining.items():
        if exact or kind == "room":
            yield from (
                part_result("drawing", f"{kind} {other.name}", "", cell_text(other.facts), False)
                for other in candidates
            )


def _difference(
    drawing: ExpectedDrawing, counterpart: ExpectedDrawing | None, tolerance: Tolerance, exact: bool
) -> PartResult:
    name = f"{drawing.kind} {drawing.name}"
    if counterpart is None:
        return part_result("drawing", name, cell_text(drawing.facts), "", False)
    facts, new_facts = _facts(drawing, exact), _facts(counterpart, exact)
    differing = [
        key
        for key in (*facts, *(key for key in new_facts if key not in facts))
        if not tolerance.same(facts.get(key), new_facts.get(key))
    ]
    if tolerance.percent and "values" in facts and "values" not in differing:
        differing = [key for key in differing if key != "values_hash"]
    if not differing:
        return part_result("drawing", name, "", "", True)
    texts = [cell_text(_varying(each, [facts, new_facts], differing)) for each in (facts, new_facts)]
    return part_result("drawing", name, texts[0], texts[1], False)


def _varying(
    facts: dict[str, JsonValue], both: Sequence[dict[str, JsonValue]], keys: Sequence[str]
) -> JsonValue:
    """Return the facts that differ; of lists of rows the first differing one."""
    varying: dict[str, JsonValue] = {}
    for key in keys:
        before, after = both[0].get(key), both[1].get(key)
        value = facts.get(key)
        if isinstance(before, list) and isinstance(after, list) and isinstance(value, list):
            at = next((n for n, (a, b) in enumerate(zip_longest(before, after)) if a != b), 0)
            value = value[at] if at < len(value) else None
        varying[key] = value
    return varying


def _key(drawing: ExpectedDrawing, exact: bool) -> tuple[str, str]:
    return drawing.kind, drawing.name if exact or drawing.kind not in ("chart", "floor") else ""


def _facts(drawing: ExpectedDrawing, exact: bool) -> dict[str, JsonValue]:
    if exact:
        return drawing.facts
    return {key: value for key, value in drawing.facts.items() if key not in LOOK}


def stored_cell(value: JsonValue) -> JsonValue:
    """Return a cell as a test stores it: a long text is cut."""
    return value[:1_000] if isinstance(value, str) else value


def _shape(table: ExpectedTable | TableContent | None) -> str:
    if table is None:
        return ""
    names = [column if isinstance(column, str) else column.name for column in table.columns]
    return f"{table.row_count} rows: {', '.join(names)}"[:LONGEST]
