"""Code for the values that occur most often, of all rows or for each group."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.sheet import Sheet, rows_used
from smoldesk.analyst.writing.write_files import save


def write_mode(sheet: Sheet) -> None:
    """The value that occurs most often, with all others that occur as often; for each group when there are any."""
    column = sheet.intent.measures[0]
    count = sheet.say(f"number of {row_noun(sheet.table, 'en')}", "件数")
    if sheet.groups:
        _modes_by_group(sheet, column, count)
        return
    sheet.cell.add(
        f"counts = {sheet.column(column)}.value_counts()",
        f"display(counts.reset_index(name={literal(count)}).head(20))",
    )
    none = sheet.say(f"There are no values of {column} here.", f"{column}に値がありません。")
    sheet.cell.add(
        "if counts.empty:",
        f"    final_answer({literal(none)})",
        "modes = counts[counts == counts.max()].index",
        'named = ", ".join(map(str, modes[:5]))',
    )
    rows_used(sheet, column)
    inside = where(sheet.intent.filters, sheet.language)
    times = Value("counts.max()", ":,")
    more = Value("len(modes) - 5", ":,")
    if sheet.language == "ja":
        sheet.note("同じ回数の値がほかに", more, "個あります。", when="len(modes) > 5")
        sentence = fstring(f"{column}{inside}の最頻値: ", Value("named"), "（", times, "回）。")
    else:
        sheet.note(more, " more values occur as often.", when="len(modes) > 5")
        sentence = fstring(f"Most frequent {column}{inside}: ", Value("named"), " (", times, " times).")
    extra = (
        [save(sheet, f"counts.reset_index(name={literal(count)})", f"{column}_values")]
        if sheet.intent.save
        else []
    )
    sheet.answer(sentence, *extra)


def _modes_by_group(sheet: Sheet, column: str, count: str) -> None:
    keys = ", ".join(map(literal, sheet.groups))
    sheet.cell.add(
        f"counts = {sheet.rows}.groupby([{keys}, {literal(column)}]).size().reset_index(name={literal(count)})",
        f"result = counts.sort_values({literal(count)}, ascending=False).drop_duplicates([{keys}]).sort_values([{keys}])",
        "display(result)",
    )
    rows_used(sheet, column, *sheet.groups)
    parts = ["- "] + [
        piece for at, _ in enumerate(sheet.groups) for piece in ([", "] if at else []) + [Value(f"row[{at}]")]
    ]
    last = len(sheet.groups)
    bullet = fstring(*parts, ": ", Value(f"row[{last}]"), " (", Value(f"row[{last + 1}]", ":,"), ")")
    sheet.cell.add(f"lines = [{bullet} for row in result.head(20).itertuples(index=False)]")
    by = sheet.say(" and ", "・").join(sheet.groups)
    heading = sheet.say(f"Most frequent {column} by {by}", f"{by}別の{column}の最頻値")
    extra = (
        [f'+ "\\n" + {save(sheet, "result", f"{column}_by_{sheet.groups[0]}")}'] if sheet.intent.save else []
    )
    sheet.answer(literal(f"{heading}:\n"), '+ "\\n".join(lines)', *extra)
