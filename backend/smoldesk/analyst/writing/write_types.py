"""Code for the types of columns, and for the memory that a table takes."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.intents import ColumnSort
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.writing.sheet import Sheet

_SAID = {
    "number": ("numbers", "数値"),
    "text": ("text", "文字列"),
    "date": ("dates", "日付"),
    "yes or no": ("yes or no", "はい/いいえ"),
}


def sort_of(column: ColumnInfo) -> ColumnSort:
    """What a person would call the type of a column; 0 and 1 in a column of numbers stay numbers."""
    if column.kind == "bool" or (column.yes_no and column.kind == "text"):
        return "yes or no"
    return "number" if column.kind == "number" else "date" if column.kind == "date" else "text"


def write_types(sheet: Sheet) -> None:
    """The type of each column, as people say it and as pandas stores it; of the named ones, or those of one sort, only."""
    intent, said = sheet.intent, 0 if sheet.language == "en" else 1
    own = [one for one in sheet.table.columns if not is_duration(one)]
    chosen = [one for one in own if not intent.measures or one.name in intent.measures]
    kept = [one for one in chosen if _is(one, intent.sort)]
    heads = [sheet.say(*pair) for pair in (("column", "列"), ("type", "型"), ("stored as", "保存形式"))]
    sheet.cell.add("sorts = {")
    for one in kept:
        sheet.cell.add(f"    {literal(one.name)}: {literal(_SAID[sort_of(one)][said])},")
    sheet.cell.add(
        "}",
        f"stored = {sheet.rows}[list(sorts)].dtypes.astype(str)",
        f"table = stored.rename_axis({literal(heads[0])}).reset_index(name={literal(heads[2])})",
        f"table.insert(1, {literal(heads[1])}, list(sorts.values()))",
        "display(table)",
    )
    name, number, comma = sheet.table.name, Value("len(sorts)"), sheet.say(", ", "、")
    if intent.sort:
        kind = _SAID[intent.sort][said]
        sheet.cell.add(f"named = {literal(comma)}.join(sorts) or {literal(sheet.say('none', 'なし'))}")
        all_of = Value(f"{len(own)}")
        sheet.answer(
            fstring(f"{name}の", all_of, f"列のうち、{kind}の列は", number, "列です: ", Value("named"))
            if sheet.language == "ja"
            else fstring(number, " of the ", all_of, f" columns of {name} hold {kind}: ", Value("named"), ".")
        )
        return
    each = fstring(Value("column"), ": ", Value("sort"))
    sheet.cell.add(f"named = {literal(comma)}.join({each} for column, sort in sorts.items())")
    if intent.measures:
        sheet.answer(fstring(Value("named"), sheet.say(".", "")))
    elif sheet.language == "ja":
        sheet.answer(fstring(f"{name}の", number, "列の型: ", Value("named")))
    else:
        sheet.answer(fstring(f"{name} has ", number, " columns. ", Value("named"), "."))


def _is(column: ColumnInfo, wanted: ColumnSort) -> bool:
    if wanted == "text":  # a text of yes and no is still a text
        return column.kind == "text"
    if wanted == "yes or no":
        return column.yes_no is not None
    return not wanted or sort_of(column) == wanted


def write_memory(sheet: Sheet) -> None:
    """How much memory the table takes while it is computed with."""
    column, size_in = literal(sheet.say("column", "列")), literal(sheet.say("bytes", "バイト"))
    sheet.cell.add(
        f"used = {sheet.rows}.memory_usage(deep=True)",
        f"display(used.rename_axis({column}).reset_index(name={size_in}))",
    )
    total, size = Value("used.sum() / 1024", ":,.1f"), Value(f"len({sheet.rows})", ":,")
    sheet.answer(
        fstring(f"{sheet.table.name}（", size, "行）はメモリを", total, " KB使います。")
        if sheet.language == "ja"
        else fstring(f"{sheet.table.name} (", size, " rows) takes ", total, " KB of memory.")
    )
