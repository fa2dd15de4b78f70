"""Code for the first and the last day of a column: `what period does the data cover`, いつからいつまで."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.tables.figures import where
from smoldesk.analyst.writing.sheet import Sheet


def write_span_of_days(sheet: Sheet) -> None:
    """The code of an `aggregate` intent of both ends of a column of days."""
    column = sheet.intent.measures[0]
    inside = where(sheet.intent.filters, sheet.language)
    none = sheet.say(f"There are no days in {column} here.", f"{column}に日付がありません。")
    sheet.cell.add(
        f"days = {sheet.column(column)}.dropna()", "if days.empty:", f"    final_answer({literal(none)})"
    )
    form = ":%Y-%m-%d %H:%M" if sheet.table.column(column).has_hours else ":%Y-%m-%d"
    first, last = Value("days.min()", form), Value("days.max()", form)
    sheet.answer(
        fstring(f"{column}{inside}: ", first, "から", last, "まで。")
        if sheet.language == "ja"
        else fstring(f"{column}{inside} runs from ", first, " to ", last, ".")
    )
    rows, used = Value(f"len({sheet.rows})", ":,"), Value("len(days)", ":,")
    if sheet.language == "ja":
        sheet.note(rows, "行中、値のある", used, "行から計算。")
    else:
        sheet.note("From ", used, " values in ", rows, " rows.")
