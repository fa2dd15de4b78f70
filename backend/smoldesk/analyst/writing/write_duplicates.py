"""Code for what comes again in a table: rows that are alike, values that occur more than once, and the rows without them."""

from smoldesk.analyst.cell import (
    Value,
    file_stem,
    fstring,
    literal,
)
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save

_MOST_VALUES = 20


def write_duplicates(sheet: Sheet) -> None:
    """Values of the named columns that occur more than once, or rows of which another is the same."""
    if sheet.intent.measures:
        _values(sheet)
    else:
        _rows(sheet)


def _rows(sheet: Sheet) -> None:
    rows, inside = sheet.rows, where(sheet.intent.filters, sheet.language)
    sheet.cell.add(
        f"repeats = {rows}[{rows}.duplicated(keep=False)]",
        f"again = int({rows}.duplicated().sum())",
        "if again:",
        "    display(repeats.sort_values(list(repeats.columns), key=lambda one: one.astype(str)))",
    )
    name, noun = sheet.table.name, row_noun(sheet.table, sheet.language)
    none = sheet.say(
        f"No duplicate rows: each of the {noun} of {name}{inside} is there once.",
        f"{name}{inside}に重複した行はありません。",
    )
    again, alike = Value("again", ":,"), Value("len(repeats)", ":,")
    if sheet.language == "ja":
        first = f"{name}{inside}で重複している行は", again, "行です（最初の1回は数えません）。"
        some = fstring(*first, "同じ行がほかにもある行は全部で", alike, "行です。")
    else:
        first = f"Duplicate rows in {name}{inside}: ", again, ", not counting the first of each; "
        some = fstring(*first, alike, " rows have another just like them.")
    _without_ids(sheet)
    extra = ["+ " + save(sheet, "repeats", f"{file_stem(name)}_duplicates")] if sheet.intent.save else []
    sheet.answer(f"({some} if again else {literal(none)})", *extra)


def _without_ids(sheet: Sheet) -> None:
    """Where each row has a number of its own, none can come again: the other columns are compared, too."""
    ids = [one.name for one in sheet.table.columns if one.is_id]
    others = [one for one in sheet.table.columns if not one.is_id and not is_duration(one)]
    if not ids or len(others) < 2:
        return
    sheet.cell.add(
        f"whole = int({sheet.rows}.drop(columns=[{', '.join(map(literal, ids))}]).duplicated().sum())"
    )
    number, named = Value("whole", ":,"), sheet.say(", ", "、").join(ids)
    sheet.note(
        *((f"{named}を除いて比べると", number, "行が重複しています。") if sheet.language == "ja"
          else (f"Compared without {named}: ", number, " repeat another row.")),
        when="not again",
    )  # fmt: skip


def _values(sheet: Sheet) -> None:
    names = sheet.intent.measures
    inside, comma = where(sheet.intent.filters, sheet.language), sheet.say(", ", "、")
    said = sheet.say(" and ", "と").join(names)
    keys = f"[{', '.join(map(literal, names))}]"
    first = names[0]
    by = keys if len(names) > 1 else literal(first)
    count = sheet.say(f"number of {row_noun(sheet.table, 'en')}", "件数")
    sheet.cell.add(
        f'counts = {sheet.rows}.dropna(subset={keys}).groupby({by}).size().sort_values(ascending=False, kind="stable")',
        "counts = counts[counts > 1]",
        f"table = counts.reset_index(name={literal(count)})",
        "if len(counts):",
        "    display(table)",
    )
    name = fstring(Value("name", _form(sheet, first))) if len(names) == 1 else '" / ".join(map(str, name))'
    each = f"{name} + {fstring(' (', Value('number', ':,'), ')')}"
    sheet.cell.add(
        f"named = {literal(comma)}.join(",
        f"    {each} for name, number in counts.head({_MOST_VALUES}).items()",
        ")",
        f"blank = int({sheet.rows}[{keys}].isna().any(axis=1).sum())",
    )
    none = sheet.say(f"No: no {said} occurs more than once{inside}.", f"{said}{inside}に重複はありません。")
    number = Value("len(counts)", ":,")
    rows = Value("counts.sum()", ":,")
    some = (
        fstring(f"2回以上出てくる{said}{inside}は", number, "種類（", rows, "行）です: ", Value("named"))
        if sheet.language == "ja"
        else fstring(f"{said}{inside}: ", number, " occur more than once, in ", rows, " rows: ", Value("named"), ".")
    )  # fmt: skip
    blank = Value("blank", ":,")
    counted = ("Blank cells were not counted: ", blank, ".")
    sheet.note(
        *(("空白の", blank, "行は数えていません。") if sheet.language == "ja" else counted), when="blank"
    )
    extra = (
        ["+ " + save(sheet, "table", f"{file_stem(sheet.table.name)}_duplicates")]
        if sheet.intent.save
        else []
    )
    sheet.answer(f"({some} if len(counts) else {literal(none)})", *extra)


def _form(sheet: Sheet, name: str) -> str:
    column = sheet.table.column(name)
    return "" if column.kind != "date" else ":%Y-%m-%d %H:%M" if column.has_hours else ":%Y-%m-%d"


def write_deduplicated(sheet: Sheet) -> None:
    """The rows without those that repeat an earlier one, in all columns or in the named ones; no file is changed."""
    rows, names = sheet.rows, sheet.intent.measures
    inside = where(sheet.intent.filters, sheet.language)
    keys = f"subset=[{', '.join(map(literal, names))}]" if names else ""
    sheet.cell.add(f"kept = {rows}.drop_duplicates({keys})", "display(kept.head(10_000))")
    left, all_of, less = (
        Value("len(kept)", ":,"),
        Value(f"len({rows})", ":,"),
        Value(f"len({rows}) - len(kept)", ":,"),
    )
    by = sheet.say(" and ", "と").join(names)
    if sheet.language == "ja":
        by = f"{by}の" if by else ""
        sentence = fstring(
            f"{sheet.table.name}{inside}から{by}重複を除くと",
            left,
            "行です（",
            all_of,
            "行のうち",
            less,
            "行を除きました）。",
        )
        sheet.note("それぞれ最初の行を残しました。元の表は変えていません。")
    else:
        by = f" by {by}" if by else ""
        sentence = fstring(
            f"{sheet.table.name}{inside} without duplicates{by}: ",
            left,
            " of ",
            all_of,
            " rows; ",
            less,
            " left out.",
        )
        sheet.note("The first row of each is kept; the table itself is as it was.")
    extra = [save(sheet, "kept", f"{file_stem(sheet.table.name)}_unique")] if sheet.intent.save else []
    sheet.answer(sentence, *extra)
