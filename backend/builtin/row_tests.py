"""The expression that is true for the rows a condition keeps."""

from dataclasses import replace

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.cell import literal
from backend.builtin.intents import Filter


def test(frame: str, one: Filter, column: ColumnInfo) -> str:
    """The expression that is true for the rows a filter keeps."""
    if one.others:
        tests = [test(frame, replace(one, others=()), column)]
        tests += [test(frame, other, ColumnInfo(other.column, "text")) for other in one.others]
        return " | ".join(f"({each})" for each in tests)
    left = f"{frame}[{literal(one.column)}]"
    value = one.values[0] if one.values else None
    if one.part:
        return _date_test(left, one)
    if column.kind == "bool" and len(one.values) == 1:
        keep = value == (one.comparison == "==")
        return left if keep else f"~{left}"
    if len(one.values) > 1:
        found = f"{left}.isin([{', '.join(map(literal, one.values))}])"
        return found if one.comparison == "==" else f"~{found}"
    return f"{left} {one.comparison} {literal(value)}"


def _date_test(left: str, one: Filter) -> str:
    """The test of a part of a date: its month, hour or day of the week."""
    match one.part:
        case "blank":
            return f"{left}.{'isna' if one.comparison == '==' else 'notna'}()"
        case "weekend":
            return f"{left}.dt.dayofweek {'>=' if one.comparison == '==' else '<'} 5"
        case "workday":
            return f"{left}.dt.dayofweek {'<' if one.comparison == '==' else '>='} 5"
        case "weekday" | "month" if len(one.values) > 1:
            values = ", ".join(f"{value:g}" for value in one.values if isinstance(value, float))
            found = f"{left}.dt.{'dayofweek' if one.part == 'weekday' else 'month'}.isin([{values}])"
            return found if one.comparison == "==" else f"~{found}"
        case "weekday":
            return f"{left}.dt.dayofweek {one.comparison} {literal(one.values[0])}"
        case "days left":
            return f"{left}.dt.days_in_month - {left}.dt.day < {literal(one.values[0])}"
        case "hour" if float(one.values[0]) % 1:
            return f"{left}.dt.hour + {left}.dt.minute / 60 {one.comparison} {literal(one.values[0])}"
        case _:
            return f"{left}.dt.{one.part} {one.comparison} {literal(one.values[0])}"
