"""Conditions as pandas expressions and as text."""

import calendar

from smoldesk.analyst.cell import literal
from smoldesk.analyst.query import Condition, OtherColumn, Where
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.times import When

_SIGNS = {"==": "=", "!=": "≠", ">": ">", ">=": "≥", "<": "<", "<=": "≤"}


def expression(where: Where, schema: TableSchema) -> str:
    """Return a boolean Series as source: all conditions of `where`, each with its alternatives."""
    return " & ".join(_either(group, schema, len(where) > 1) for group in where)


def _either(group: tuple[Condition, ...], schema: TableSchema, several: bool) -> str:
    if len(group) > 1 and all(
        condition.op == "==" and condition.column == group[0].column for condition in group
    ):
        values = ", ".join(_cell(condition.values[0], condition.column, schema) for condition in group)
        return f"data[{literal(group[0].column)}].isin([{values}])"
    parts = [_condition_code(condition, schema, several or len(group) > 1) for condition in group]
    return parts[0] if len(parts) == 1 else "(" + " | ".join(parts) + ")"


def _cell(value: object, name: str, schema: TableSchema) -> str:
    if isinstance(value, OtherColumn):
        return f"data[{literal(value.column)}]"
    kind = schema.column(name).info.kind
    if kind == "bool":
        return str(value)
    return literal(float(str(value)) if kind == "number" else str(value))


def _condition_code(condition: Condition, schema: TableSchema, several: bool) -> str:
    name, values = f"data[{literal(condition.column)}]", condition.values
    whens = [value for value in values if isinstance(value, When)]
    match condition.op:
        case "missing" | "present":
            return f"{name}.{'isna' if condition.op == 'missing' else 'notna'}()"
        case "between":
            low, high = (_cell(value, condition.column, schema) for value in values)
            return f"{name}.between({low}, {high})"
        case "from to":
            first = _span(name, ">=", whens[0], schema, condition.column)
            last = _span(name, "<=", whens[1], schema, condition.column)
            return f"({first} & {last})"
        case "when" | "not when":
            return f"{'~' if condition.op == 'not when' else ''}{_when(name, whens[0])}"
        case op if whens:
            return _span(name, op.removeprefix("when "), whens[0], schema, condition.column)
        case op:
            comparison = f"{name} {op} {_cell(values[0], condition.column, schema)}"
            return f"({comparison})" if several else comparison


def _when(name: str, when: When) -> str:
    parts: list[str] = []
    if when.weekdays:
        days = list(when.weekdays)
        equals = f"({name}.dt.dayofweek == {days[0]})"
        parts.append(equals if len(days) == 1 else f"{name}.dt.dayofweek.isin({days})")
    for part in ("year", "quarter", "month", "day"):
        if getattr(when, part) is not None:
            parts.append(f"({name}.dt.{part} == {getattr(when, part)})")
    return parts[0] if len(parts) == 1 else "(" + " & ".join(parts) + ")"


def _span(name: str, op: str, when: When, schema: TableSchema, column: str) -> str:
    """Compare with a period of the calendar; a month without a year takes the column's year, if it has only one."""
    years = {int(day[:4]) for day in schema.column(column).info.span if day[:4].isdigit()}
    year = when.year if when.year is not None else years.pop() if len(years) == 1 else None
    if year is None or when.weekdays:
        part = "month" if when.month else "quarter"
        return f"({name}.dt.{part} {op} {when.month or when.quarter or 1})"
    if op in (">=", "<"):
        month = when.month or (3 * when.quarter - 2 if when.quarter else 1)
        return f'({name} {op} "{year}-{month:02d}-{when.day or 1:02d}")'
    month = when.month or (3 * when.quarter if when.quarter else 12)
    day = when.day or calendar.monthrange(year, month)[1]
    return f'({name}.dt.normalize() {op} "{year}-{month:02d}-{day:02d}")'


def describe_conditions(where: Where, japanese: bool) -> str:
    """Return the conditions as text in brackets; empty without conditions."""
    conditions = conditions_text(where, japanese)
    if not conditions:
        return ""
    return f"（{conditions}）" if japanese else f" ({conditions})"


def conditions_text(where: Where, japanese: bool) -> str:
    """Return the conditions as text."""
    any_of, all_of = (" または ", "、") if japanese else (" or ", ", ")
    groups = ([_condition_text(condition, japanese) for condition in group] for group in where)
    return all_of.join(map(any_of.join, groups))


def _condition_text(condition: Condition, japanese: bool) -> str:
    if condition.op in ("missing", "present"):
        english, word = ("blank", "空欄") if condition.op == "missing" else ("not blank", "あり")
        return f"{condition.column}：{word}" if japanese else f"{condition.column}: {english}"
    values = [_value(value) for value in condition.values]
    if condition.op == "between":
        return f"{values[0]} ≤ {condition.column} ≤ {values[1]}"
    if condition.op == "from to":
        return f"{condition.column}: {values[0]} – {values[1]}"
    sign = "≠" if condition.op == "not when" else _SIGNS.get(condition.op.removeprefix("when "), "=")
    return f"{condition.column} {sign} {values[0]}"


def _value(value: object) -> str:
    if isinstance(value, OtherColumn):
        return value.column
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"
    if not isinstance(value, When):
        return str(value)
    if value.weekdays:
        return "/".join(calendar.day_abbr[day] for day in value.weekdays)
    month = value.month and (f"{value.month:02d}" if value.year else calendar.month_abbr[value.month])
    quarter, day = value.quarter and f"Q{value.quarter}", value.day and f"{value.day:02d}"
    return "-".join(str(part) for part in (value.year, quarter, month, day) if part)
