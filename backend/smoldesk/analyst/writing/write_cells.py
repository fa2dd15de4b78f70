"""Code for cells: chosen columns of chosen rows, and the value of one row in the place of figures about it."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    file_stem,
    fstring,
    literal,
)
from smoldesk.analyst.intents import Filter
from smoldesk.analyst.reading.asked_rows import names_each, row_label
from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.reading.row_ids import is_row_id
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.row_tests import test
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save

_MOST_VALUES = 20


def write_chosen(sheet: Sheet) -> None:
    """The columns that were asked for, beside what names each row; few rows stand in the answer, too."""
    intent, cell = sheet.intent, sheet.cell
    label = row_label(sheet.table)
    named = label is not None and any(_tells(sheet, name) for name in intent.measures)
    names = list(intent.measures) if label is None or named else [label.name, *intent.measures]
    limit = f".head({intent.limit})" if intent.limit else ""
    cell.add(f"cells = {sheet.rows}[[{', '.join(map(literal, names))}]]{limit}", "display(cells)")
    extra = [save(sheet, "cells", f"{file_stem(sheet.table.name)}_rows")] if intent.save else []
    if intent.filters and not intent.save and not _names_several(sheet):
        _answer_when_alike(sheet, intent.measures, "cells")
    cell.add(f"listed = cells.head({_MOST_VALUES}).copy()")
    for name in names:
        _write_out(sheet, sheet.table.column(name), "listed")
    blank = literal(sheet.say("blank", "空白"))
    cell.add(f"listed = listed.astype(object).where(listed.notna(), {blank}).astype(str).to_numpy()")
    if len(names) > 1:
        cell.add('said = [row[0] + " (" + ", ".join(row[1:]) + ")" for row in listed]')
    else:
        cell.add("said = [row[0] for row in listed]")
    cell.add(
        f'values = {literal(sheet.say(", ", "、"))}.join(said) + (", ..." if len(cells) > {_MOST_VALUES} else "")'
    )
    inside, number, values = where(intent.filters, sheet.language), Value("len(cells)", ":,"), Value("values")
    heads = names[0] + (f" ({', '.join(names[1:])})" if len(names) > 1 else "")
    if sheet.language == "ja":
        sheet.answer(fstring(f"{sheet.table.name}{inside}の", number, f"行、{heads}: ", values), *extra)
        return
    noun = row_noun(sheet.table, "en")
    sheet.answer(fstring(f"{heads} of ", number, f" {noun}{inside}: ", values, "."), *extra)


def answer_one_row(sheet: Sheet) -> None:
    """Ends the cell with the value itself, where the rows are one, or all alike and no total is meant."""
    intent = sheet.intent
    if not intent.filters or intent.plot or intent.save or intent.order or not intent.measures:
        return
    names = ", ".join(map(literal, intent.measures))
    sheet.cell.add(f"cells = {sheet.rows}[[{names}]]")
    _answer_when_alike(sheet, intent.measures, "cells", total="sum" in intent.aggregates, display=True)


def answer_one_value(sheet: Sheet, column: str) -> None:
    """Ends the cell with the only value of a column of names that the rows hold, and says how many rows those are."""
    if sheet.intent.filters and not (sheet.intent.save or sheet.intent.plot):
        sheet.cell.add(f"cells = {sheet.rows}[[{literal(column)}]]")
        _answer_when_alike(sheet, (column,), "cells", display=True, counted=not _pins(sheet))


def answer_yes_or_no(sheet: Sheet) -> None:
    """Ends the cell with yes or no and the cell, where a question of one row asks for it."""
    target = sheet.intent.target
    if target is None or not sheet.intent.unnamed or target.column not in _columns(sheet):
        return
    cell, column = sheet.cell, sheet.table.column(target.column)
    cell.add(f"cells = {sheet.rows}[[{literal(column.name)}]].copy()")
    yes, no = literal(sheet.say("Yes", "はい")), literal(sheet.say("No", "いいえ"))
    cell.add(
        f"if len({sheet.rows}) == 1:",
        "    display(cells)",
        f"    said = {yes} if ({test(sheet.rows, target, sheet.table)}).all() else {no}",
    )
    value = _value_of(sheet, column, "cells", "    ")
    end = sheet.say(".", "。")
    cell.add(
        f"    final_answer({fstring(Value('said'), end, sheet.say(' ', ''), _whose(sheet, (column.name,)), value, end)})"
    )


def _columns(sheet: Sheet) -> set[str]:
    return {column.name for column in sheet.table.columns}


def _tells(sheet: Sheet, name: str) -> bool:
    column = sheet.table.column(name)
    names = column.kind == "text" or column.is_id
    return column == row_label(sheet.table) or (names and len(column.values) >= sheet.table.rows > 0)


def _answer_when_alike(
    sheet: Sheet,
    names: tuple[str, ...],
    frame: str,
    total: bool = False,
    display: bool = False,
    counted: bool = False,
) -> None:
    """The value of each column, where the rows hold one each; with `total`, only of a single row."""
    cell = sheet.cell
    one = f"len({frame}) == 1"
    listed = ", ".join(map(literal, names))
    alike = one if total else f"{frame}[[{listed}]].nunique(dropna=False).max() == 1"
    cell.add(f"if {alike}:", *(["    display(cells)"] if display else []))
    parts: list[str | Value] = []
    for place, name in enumerate(names):
        parts += [sheet.say(", ", "、")] if place else []
        if len(names) > 1:
            parts.append(f"{name} ")
        parts.append(_value_of(sheet, sheet.table.column(name), frame, "    ", place))
    rows = Value(f"len({frame})", ":,")
    several = fstring(*((" (", rows, " rows)") if sheet.language == "en" else ("（", rows, "行とも）")))
    only = fstring(sheet.say(" (1 row)", "（1行）")) if counted else literal("")
    cell.add(f"    rows = {only} if {one} else {several}")
    end = sheet.say(".", "。")
    cell.add(f"    final_answer({fstring(_whose(sheet, names), *parts, Value('rows'), end)})")


def _value_of(sheet: Sheet, column: ColumnInfo, frame: str, indent: str, place: int = 0) -> Value:
    """A variable that holds the first cell of a column, as it is written in an answer."""
    name = f"value{place}" if place else "value"
    blank = literal(sheet.say("blank", "空白"))
    form = Value(name, _form(column))
    sheet.cell.add(
        f"{indent}{name} = {frame}[{literal(column.name)}].iloc[0]",
        f"{indent}{name} = {fstring(form)} if {name} == {name} else {blank}  # a blank equals nothing",
    )
    return Value(name)


def _form(column: ColumnInfo) -> str:
    if column.kind == "date":
        return ":%Y-%m-%d %H:%M" if column.has_hours else ":%Y-%m-%d"
    if column.kind != "number":
        return ""
    return ":.10g" if _is_plain(column) else SHOWN


def _is_plain(column: ColumnInfo) -> bool:
    """Years and running numbers, which are written without commas."""
    years = bool(column.values) and all(value.removesuffix(".0").isdigit() for value in column.values)
    years = years and all(1500 <= float(value) <= 2100 for value in column.values)
    return years or is_year(column) or column.is_id


def _write_out(sheet: Sheet, column: ColumnInfo, frame: str) -> None:
    name = f"{frame}[{literal(column.name)}]"
    if column.kind == "date":
        form = "%Y-%m-%d %H:%M" if column.has_hours else "%Y-%m-%d"
        sheet.cell.add(f'{name} = {name}.dt.strftime("{form}")')
    elif column.kind == "number":
        form = "{:.10g}" if _is_plain(column) else "{:,.10g}"
        sheet.cell.add(f'{name} = {name}.map("{form}".format, na_action="ignore")')


def _whose(sheet: Sheet, names: tuple[str, ...]) -> str:
    """`Age (yrs) of Dina Fox: `; of other conditions these in brackets."""
    filters = sheet.intent.filters
    heads = ", ".join(names) if len(names) == 1 else ""
    if len(filters) == 1 and _is_name(sheet, 0):
        who = _called(sheet, filters[0])
        if sheet.language == "ja":
            return f"{who}の{heads}: " if heads else f"{who}: "
        return f"{heads} of {who}: " if heads else f"{who}: "
    heads = ", ".join(names) if len(names) == 1 else sheet.table.name
    return f"{heads}{where(filters, sheet.language)}: "


def _pins(sheet: Sheet) -> bool:
    """Whether a condition names one row."""
    return any(_is_name(sheet, place) and names_each(sheet.table.column(one.column), sheet.table)
               for place, one in enumerate(sheet.intent.filters))  # fmt: skip


def _names_several(sheet: Sheet) -> bool:
    """Whether several rows are named one by one: each is told of, also where they are alike."""
    return any(
        len(one.values) > 1
        and one.comparison == "=="
        and not one.part
        and one.column in sheet.intent.measures
        for one in sheet.intent.filters
    )


def _is_name(sheet: Sheet, place: int) -> bool:
    one = sheet.intent.filters[place]
    plain = not one.part and not one.options and one.comparison == "==" and len(one.values) == 1
    column = sheet.table.column(one.column)
    named = isinstance(one.values[0], str) and column.kind == "text" if plain else False
    return named or (plain and is_row_id(column, sheet.table))


def _called(sheet: Sheet, one: Filter) -> str:
    """Dina Fox; of a number with what it is the number of: ticket_id 1004."""
    value = one.values[0]
    gap = sheet.say(" ", "")
    return f"{one.column}{gap}{value:.15g}" if isinstance(value, float) else str(value)
