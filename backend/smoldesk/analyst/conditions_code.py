"""Conditions as expressions over the frame, and in words."""

import calendar

from smoldesk.analyst.cell import literal
from smoldesk.analyst.query import Condition, Other
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.times import When

_SIGNS = {"==": "=", "!=": "≠", ">": ">", ">=": "≥", "<": "<", "<=": "≤"}


def expression(where: tuple[tuple[Condition, ...], ...], schema: TableSchema) -> str:
    """A boolean Series: all of `where`, each with its alternatives."""
    return " & ".join(_either(group, schema, len(where) > 1) for group in where)


def _either(group: tuple[Condition, ...], schema: TableSchema, several: bool) -> str:
    if len(group) > 1 and all(one.op == "==" and one.column == group[0].column for one in group):
        listed = ", ".join(_cell(one.values[0], one.column, schema) for one in group)
        return f"data[{literal(group[0].column)}].isin([{listed}])"
    parts = [_one(one, schema, several or len(group) > 1) for one in group]
    return parts[0] if len(parts) == 1 else "(" + " | ".join(parts) + ")"


def _cell(value: object, name: str, schema: TableSchema) -> str:
    if isinstance(value, Other):
        return f"data[{literal(value.column)}]"
    info = schema.column(name).info
    if info.kind == "bool":
        return str(value)
    if info.kind == "number":
        return literal(float(value))  # type: ignore[arg-type]
    return literal(str(value))


def _one(one: Condition, schema: TableSchema, several: bool) -> str:
    name = f"data[{literal(one.column)}]"
    if one.op == "missing":
        return f"{name}.isna()"
    if one.op == "present":
        return f"{name}.notna()"
    if one.op == "between":
        low, high = (literal(float(value)) for value in one.values)  # type: ignore[arg-type]
        return f"{name}.between({low}, {high})"
    if one.op == "from to":
        first, last = one.values
        assert isinstance(first, When) and isinstance(last, When)
        made = (
            _span(name, ">=", first, schema, one.column) + " & " + _span(name, "<=", last, schema, one.column)
        )
        return f"({made})"
    if one.op in ("when", "not when"):
        made = _when(name, one.values[0], one.column, schema)  # type: ignore[arg-type]
        return f"~{made}" if one.op == "not when" else made
    if one.op.startswith("when "):
        made = _span(name, one.op.removeprefix("when "), one.values[0], schema, one.column)  # type: ignore[arg-type]
        return made if made.startswith("(") else f"({made})"
    value = _cell(one.values[0], one.column, schema)
    made = f"{name} {one.op} {value}"
    return f"({made})" if several else made


def _known_year(column: str, schema: TableSchema) -> int | None:
    span = schema.column(column).info.span
    years = {int(day[:4]) for day in span if day[:4].isdigit()}
    return years.pop() if len(years) == 1 else None


def _when(name: str, when: When, column: str, schema: TableSchema) -> str:
    parts: list[str] = []
    if when.weekdays:
        days = list(when.weekdays)
        parts.append(
            f"({name}.dt.dayofweek == {days[0]})" if len(days) == 1 else f"{name}.dt.dayofweek.isin({days})"
        )
    for part, value in (
        ("year", when.year),
        ("quarter", when.quarter),
        ("month", when.month),
        ("day", when.day),
    ):
        if value is not None:
            parts.append(f"({name}.dt.{part} == {value})")
    return parts[0] if len(parts) == 1 else "(" + " & ".join(parts) + ")"


def _span(name: str, op: str, when: When, schema: TableSchema, column: str) -> str:
    """Before, after, since, until a stretch of the calendar; a month without a year is one of the only year there is."""
    year = when.year if when.year is not None else _known_year(column, schema)
    if year is None or when.weekdays:
        part = "month" if when.month else "quarter"
        return f"({name}.dt.{part} {op} {when.month or when.quarter or 1})"
    month = when.month or (3 * when.quarter - 2 if when.quarter else 1)
    last_month = when.month or (3 * when.quarter if when.quarter else 12)
    first = f"{year}-{month:02d}-{when.day or 1:02d}"
    last_day = when.day or calendar.monthrange(year, last_month)[1]
    last = f"{year}-{last_month:02d}-{last_day:02d}"
    if op in (">=", "<"):
        return f'({name} {op} "{first}")'
    return f'({name}.dt.normalize() {op} "{last}")'


def in_words(where: tuple[tuple[Condition, ...], ...], japanese: bool) -> str:
    """Conditions as people read them, in brackets; empty without any."""
    told = [
        (" または " if japanese else " or ").join(_told(one, japanese) for one in group) for group in where
    ]
    return f" ({', '.join(told)})" if told else ""


def _told(one: Condition, japanese: bool) -> str:
    if one.op == "missing":
        return f"{one.column}: {'空欄' if japanese else 'blank'}"
    if one.op == "present":
        return f"{one.column}: {'あり' if japanese else 'not blank'}"
    if one.op in ("between", "from to"):
        low, high = (_value(value) for value in one.values)
        return f"{low} ≤ {one.column} ≤ {high}" if one.op == "between" else f"{one.column}: {low} – {high}"
    sign = _SIGNS.get(one.op.removeprefix("when "), "=") if one.op != "not when" else "≠"
    return f"{one.column} {sign} {_value(one.values[0])}"


def _value(value: object) -> str:
    if isinstance(value, Other):
        return value.column
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"
    if isinstance(value, When):
        if value.weekdays:
            return "/".join(calendar.day_abbr[day] for day in value.weekdays)
        parts = [str(value.year)] if value.year else []
        parts += [f"Q{value.quarter}"] if value.quarter else []
        parts += (
            [f"{value.month:02d}"]
            if value.month and value.year
            else [calendar.month_abbr[value.month]]
            if value.month
            else []
        )
        parts += [f"{value.day:02d}"] if value.day else []
        return "-".join(parts)
    return str(value)
