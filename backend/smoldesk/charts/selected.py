"""Rows of a chart's spec within the ranges that a person brushed. Pure."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from smoldesk.messages import ChartRange

MAX_COLUMNS = 100
Row = dict[str, Any]


def selected_rows(spec: str, ranges: Sequence[ChartRange]) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and rows within all ranges; no rows for an invalid spec."""
    try:
        tables = list(_tables(json.loads(spec)))
    except (ValueError, RecursionError):
        return [], []
    fields = {range_.field for range_ in ranges}
    rows: list[Row] = next((table for table in tables if table and fields <= table[0].keys()), list[Row]())
    columns = list(dict.fromkeys(name for row in rows for name in row))[:MAX_COLUMNS]
    selected = [row for row in rows if all(_within(row.get(range_.field), range_) for range_ in ranges)]
    return columns, [[_plain(row.get(name)) for name in columns] for row in selected]


def _tables(spec: Any) -> Iterator[list[Row]]:
    """Yield each table of a spec: its datasets, and rows written into its views."""
    if not isinstance(spec, dict):
        return
    spec_object = cast(Row, spec)
    sets, data, layers = spec_object.get("datasets"), spec_object.get("data"), spec_object.get("layer")
    tables: list[Any] = [*cast(Row, sets).values()] if isinstance(sets, dict) else []
    if isinstance(data, dict):
        tables.append(cast(Row, data).get("values"))
    for table in tables:
        if isinstance(table, list):
            yield [cast(Row, row) for row in cast("list[Any]", table) if isinstance(row, dict)]
    for part in cast("list[Any]", layers) if isinstance(layers, list) else ():
        yield from _tables(part)


def _within(value: Any, chart_range: ChartRange) -> bool:
    if chart_range.values is not None:
        return _name(value) in chart_range.values
    if isinstance(chart_range.from_, str) or isinstance(chart_range.to, str):
        ends, moment = (_moment(chart_range.from_), _moment(chart_range.to)), _moment(value)
        return (
            moment is not None
            and ends[0] is not None
            and ends[1] is not None
            and ends[0] <= moment <= ends[1]
        )
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        is_number
        and chart_range.from_ is not None
        and chart_range.to is not None
        and chart_range.from_ <= value <= chart_range.to
    )


def _moment(value: Any) -> datetime | None:
    """Parse a moment as it is drawn: one with a time zone in the machine's local time."""
    try:
        moment = datetime.fromisoformat(str(value))
        return moment.astimezone().replace(tzinfo=None) if moment.tzinfo is not None else moment
    except (ValueError, OverflowError):
        return None


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else json.dumps(value)
