"""The expression that is true for the rows a condition keeps."""

from smoldesk.analyst.cell import literal
from smoldesk.analyst.intents import Filter
from smoldesk.analyst.tables.catalogue import TableInfo


def test(frame: str, one: Filter, table: TableInfo) -> str:
    """The expression that is true for the rows a filter keeps."""
    if one.options:
        sign = " | " if one.part == "any" else " & "
        return sign.join(f"({test(frame, option, table)})" for option in one.options)
    column = table.column(one.column)
    left = f"{frame}[{literal(one.column)}]"
    value = one.values[0] if one.values else None
    if is_word_of_numbers(one, table):
        left = f"{frame}[{literal(as_written(one.column))}]"
    if one.part == "column":
        return f"{left} {one.comparison} {frame}[{literal(value)}]"
    if one.part == "average":
        return f"{left} {one.comparison} {left}.{value}()"
    if one.part in _TEXT_TESTS:
        return _text_test(left, one)
    if one.part:
        return _date_test(left, one)
    if column.kind == "bool" and len(one.values) == 1:
        keep = value == (one.comparison == "==")
        return left if keep else f"~{left}"
    if len(one.values) > 1:
        found = f"{left}.isin([{', '.join(map(literal, one.values))}])"
        return found if one.comparison == "==" else f"~{found}"
    return f"{left} {one.comparison} {literal(value)}"


def is_word_of_numbers(one: Filter, table: TableInfo) -> bool:
    """Whether a condition asks for a word among the numbers of a column: DNF beside finish times."""
    words = bool(one.values) and not one.part and all(isinstance(value, str) for value in one.values)
    return words and table.column(one.column).kind == "number" and bool(table.column(one.column).form)


def as_written(name: str) -> str:
    """Where the code keeps the texts of a column that it has made numbers."""
    return f"{name} as written"


_TEXT_TESTS = {
    "holds": "str.contains({}, case=False, regex=False, na=False)",
    "begins": "str.lower().str.startswith({}, na=False)",
    "ends": "str.lower().str.endswith({}, na=False)",
}


def _text_test(left: str, one: Filter) -> str:
    """The test of a part of a text, whatever the case of its letters; an empty cell holds none."""
    text = str(one.values[0])
    part = literal(text if one.part == "holds" else text.lower())
    return f"{'' if one.comparison == '==' else '~'}{left}.{_TEXT_TESTS[one.part].format(part)}"


def _date_test(left: str, one: Filter) -> str:
    """The test of a part of a date: its month, hour or day of the week."""
    value = one.values[0] if one.values else 0.0
    match one.part:
        case "blank":
            return f"{left}.{'isna' if one.comparison == '==' else 'notna'}()"
        case "weekend":
            return f"{left}.dt.day_of_week {'>=' if one.comparison == '==' else '<'} 5"
        case "workday":
            return f"{left}.dt.day_of_week {'<' if one.comparison == '==' else '>='} 5"
        case "weekday" | "month" if len(one.values) > 1:
            values = ", ".join(f"{each:g}" for each in one.values if isinstance(each, float))
            found = f"{left}.dt.{'day_of_week' if one.part == 'weekday' else 'month'}.isin([{values}])"
            return found if one.comparison == "==" else f"~{found}"
        case "weekday":
            return f"{left}.dt.day_of_week {one.comparison} {literal(value)}"
        case "days left":
            return f"{left}.dt.days_in_month - {left}.dt.day < {literal(value)}"
        case "hour" if float(value) % 1 or one.comparison == "<=":
            return f"{left}.dt.hour + {left}.dt.minute / 60 {one.comparison} {literal(value)}"
        case _:
            return f"{left}.dt.{one.part} {one.comparison} {literal(value)}"
