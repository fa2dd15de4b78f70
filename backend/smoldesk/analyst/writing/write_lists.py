"""Code for looking at a table: its first rows, size, columns, blanks, different values, and top rows."""

from smoldesk.analyst.cell import (
    Value,
    file_stem,
    fstring,
    literal,
)
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_cells import answer_one_value, write_chosen
from smoldesk.analyst.writing.write_files import save

_MOST_VALUES = 20


def write_head(sheet: Sheet) -> None:
    """The first rows; the answer says how many there are. With measures, those columns of the rows."""
    if sheet.intent.measures:
        write_chosen(sheet)
        return
    _write_some(sheet, "head", "first", "先頭")


def write_tail(sheet: Sheet) -> None:
    """The last rows as the file holds them; the answer says how many there are."""
    _write_some(sheet, "tail", "last", "最後")


def _write_some(sheet: Sheet, call: str, ends: str, ends_ja: str) -> None:
    cell, rows = sheet.cell, sheet.rows
    limit = sheet.intent.limit or 5
    cell.add(f"display({rows}.{call}({limit}))")
    inside = where(sheet.intent.filters, sheet.language)
    size = (Value(f"len({rows})", ":,"), Value(f"{rows}.shape[1]"))
    noun = row_noun(sheet.table, sheet.language)
    shown = Value(f"min({limit}, len({rows}))")
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        sentence = fstring(
            f"{sheet.table.name}{inside}の{label}: ",
            size[0],
            "、列数: ",
            size[1],
            f"。{ends_ja}の",
            shown,
            "行を表示しました。",
        )
    else:
        sentence = fstring(
            f"{sheet.table.name}{inside} has ",
            size[0],
            f" {noun} and ",
            size[1],
            *(
                [f" columns; here is the {ends} one."]
                if limit == 1
                else [f" columns; here are the {ends} ", shown, "."]
            ),
        )
    saved = f"{rows}.{call}({limit})" if sheet.intent.limit else rows
    extra = [save(sheet, saved, f"{file_stem(sheet.table.name)}_rows")] if sheet.intent.save else []
    sheet.answer(sentence, *extra)


def write_shape(sheet: Sheet) -> None:
    """How many rows and columns."""
    sheet.cell.add(f"rows, columns = {sheet.rows}.shape")
    name = sheet.table.name
    rows, columns = Value("rows", ":,"), Value("columns", ":,")
    sheet.answer(
        fstring(f"{name}は", rows, "行、", columns, "列です。")
        if sheet.language == "ja"
        else fstring(f"{name} has ", rows, " rows and ", columns, " columns.")
    )


def write_columns(sheet: Sheet) -> None:
    """The names of the columns with their types, and the number of rows where that is asked for, too."""
    cell, rows = sheet.cell, sheet.rows
    cell.add(
        f'display({rows}.dtypes.astype(str).rename_axis("column").reset_index(name="type"))',
        f'names = ", ".join(map(str, {rows}.columns))',
    )
    number = Value(f"{rows}.shape[1]")
    name = sheet.table.name
    counted = "count" in sheet.intent.aggregates
    size = Value(f"len({rows})", ":,")
    if sheet.language == "ja":
        first = [fstring(f"{name}は", size, "行です。")] if counted else []
        sheet.answer(*first, fstring(f"{name}には", number, "列あります: ", Value("names")))
        return
    first = [fstring(f"{name} has ", size, " rows. ")] if counted else []
    sheet.answer(*first, fstring(f"{name} has ", number, " columns: ", Value("names"), "."))


def write_missing(sheet: Sheet) -> None:
    """Blank cells by column."""
    cell = sheet.cell
    chosen = f"[[{', '.join(map(literal, sheet.intent.measures))}]]" if sheet.intent.measures else ""
    names = literal(sheet.say("column", "列")), literal(sheet.say("blank cells", "空白の数"))
    cell.add(
        f"blanks = {sheet.rows}{chosen}.isna().sum()",
        "blanks = blanks[blanks > 0].sort_values(ascending=False)",
        f"display(blanks.rename_axis({names[0]}).reset_index(name={names[1]}))",
    )
    none = sheet.say(
        f"There are no blank cells in {', '.join(sheet.intent.measures) or sheet.table.name}.",
        f"{'、'.join(sheet.intent.measures) or sheet.table.name}に空白はありません。",
    )
    cell.add("if blanks.empty:", f"    final_answer({literal(none)})")
    cell.gap()
    comma = literal(sheet.say(", ", "、"))
    each = fstring(Value("name"), " (", Value("number", ":,"), ")")
    cell.add(f"named = {comma}.join({each} for name, number in blanks.items())")
    total, number = Value("blanks.sum()", ":,"), Value("len(blanks)")
    sheet.answer(
        fstring(f"{sheet.table.name}には", number, "列に合計", total, "個の空白があります: ", Value("named"))
        if sheet.language == "ja"
        else fstring(f"Blank cells in {sheet.table.name}: ", total, ". By column: ", Value("named"), ".")
    )


def write_distinct(sheet: Sheet) -> None:
    """The different values of a column, and how often each occurs."""
    column = sheet.intent.measures[0]
    inside = where(sheet.intent.filters, sheet.language)
    answer_one_value(sheet, column)
    count = literal(sheet.say(f"number of {row_noun(sheet.table, 'en')}", "件数"))
    sheet.cell.add(
        f"counts = {sheet.column(column)}.value_counts()",
        f"display(counts.reset_index(name={count}))",
        f'values = ", ".join(sorted(map(str, counts.index))[:{_MOST_VALUES}])',
    )
    number = Value("len(counts)", ":,")
    extra = (
        [save(sheet, f"counts.reset_index(name={count})", f"{column}_values")] if sheet.intent.save else []
    )
    sheet.answer(
        fstring(f"{column}{inside}は", number, "種類です: ", Value("values"))
        if sheet.language == "ja"
        else fstring(number, f" different values of {column}{inside}: ", Value("values"), "."),
        *extra,
    )
