"""Code for rows by rank: those at one end of a column of figures or days, or all of them in its order."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.reading.asked_rows import row_label
from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.reading.row_ids import is_row_id
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.group_answers import at_place
from smoldesk.analyst.writing.row_tests import test
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save

_MOST_VALUES = 20


def write_top(sheet: Sheet) -> None:
    """The rows with the largest or smallest values of a column."""
    intent = sheet.intent
    column = intent.measures[0]
    call = "nsmallest" if intent.order == "asc" else "nlargest"
    place = f".iloc[{intent.place - 1} : {intent.place}]" if intent.place else ""
    keep = ', keep="all"' if intent.limit == 1 else ""
    shown_as = sheet.table.column(column)
    day = shown_as.kind == "date"
    form = SHOWN if not day else ":%Y-%m-%d %H:%M" if shown_as.has_hours else ":%Y-%m-%d"
    whole = day or intent.limit >= sheet.table.rows
    listed = f".dropna(subset=[{literal(column)}])" if whole else ""
    sheet.cell.add(
        f"top = {sheet.rows}{listed}.{call}({intent.limit}, {literal(column)}{keep}){place}",
        "display(top)",
    )
    if intent.place:
        at_place(sheet, "top")
    label = sheet.table.column(intent.measures[1]) if len(intent.measures) > 1 else row_label(sheet.table)
    if label is None or label.name == column:
        each, over = fstring(Value("value", form)), f"value in top[{literal(column)}]"
    else:
        each = fstring(Value("value", form), " (", Value("name"), ")")
        names = f"top[{literal(label.name)}]"
        shown = intent.measures[1:]
        if len(shown) > 1 or (shown and not _names_rows(sheet.table.column(shown[0]), sheet)):
            columns = ", ".join(map(literal, shown))
            sheet.cell.add(f"beside = top[[{columns}]].copy()")
            for number in (one for one in map(sheet.table.column, shown) if one.kind == "number"):
                one, form_of_one = literal(number.name), "{:.10g}" if is_year(number) else "{:,.10g}"
                sheet.cell.add(f'beside[{one}] = {one} + " " + beside[{one}].map("{form_of_one}".format)')
            sheet.cell.add('names = beside.astype(str).agg(", ".join, axis=1)')
            names = "names"
        over = f"value, name in zip(top[{literal(column)}], {names})"
    said = f"[{each} for {over}][:{_MOST_VALUES}]" if intent.limit > _MOST_VALUES else f"{each} for {over}"
    sheet.cell.add(f'values = ", ".join({said})')
    extra = [save(sheet, "top", f"top_{column}")] if intent.save else []
    sheet.answer(*_yes_or_no(sheet, column), _lead(sheet, column, day), *extra)


def _names_rows(column: ColumnInfo, sheet: Sheet) -> bool:
    return column.kind == "text" or is_row_id(column, sheet.table)


def _yes_or_no(sheet: Sheet, column: str) -> list[str]:
    """Whether the first of two rows is beyond the second, or one ranks first, where that was asked."""
    intent = sheet.intent
    if not intent.sides:
        return []
    yes, no = literal(sheet.say("Yes", "はい")), literal(sheet.say("No", "いいえ"))
    told = fstring(Value("said"), sheet.say(". ", "。"))
    if len(intent.sides) == 1:
        sheet.cell.add(f"said = {yes} if ({test('top', intent.sides[0], sheet.table)}).any() else {no}")
        return [told]
    first, second = (test("top", one, sheet.table) for one in intent.sides)
    sign = "<" if intent.order == "asc" else ">"
    values = sheet.column(column, "top")
    blank = sheet.say(f"{column} of one of them is blank.", f"{column}が空白の行があります。")
    sheet.cell.add(
        f"if {sheet.column(column)}.isna().any():",
        f"    final_answer({literal(blank)})",
        f"first, second = {values}[{first}].iloc[0], {values}[{second}].iloc[0]",
        f"said = {yes} if first {sign} second else {no}",
    )
    return [told]


def _lead(sheet: Sheet, column: str, day: bool) -> str:
    """What stands before the values, and these: one row by what it is, several by their number, all by their order."""
    intent, table = sheet.intent, sheet.table
    inside, first = where(intent.filters, sheet.language), intent.order == "asc"
    word = sheet.say("smallest" if first else "largest", "小さい" if first else "大きい")
    if day:
        word = sheet.say("earliest" if first else "latest", "早い" if first else "新しい")
    number, values = Value("len(top)", ":,"), Value("values")
    more = sheet.say(", ...", "、…") if table.rows > _MOST_VALUES and intent.limit > _MOST_VALUES else ""
    if sheet.language == "ja":
        if intent.limit == 1:
            return fstring(f"最も{word}{column}{inside}: ", values)
        rows = [f"{intent.place}番目の行"] if intent.place else [number, "行"]
        return fstring(f"{column}の{word}順に", *rows, f"{inside}: ", values, more)
    if intent.place:
        return fstring(f"Number {intent.place} by {column}{inside}, {word} first: ", values, ".")
    if intent.limit == 1:
        return fstring(f"{word.capitalize()} {column}{inside}: ", values, ".")
    if intent.limit >= table.rows:
        noun = row_noun(table, "en")
        return fstring(number, f" {noun}{inside} by {column}, {word} first: ", values, more or ".")
    return fstring("The ", number, f" {word} values of {column}{inside}: ", values, more or ".")
