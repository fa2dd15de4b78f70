"""Code that shows whole rows: all of them, or some that are drawn at random and can be drawn again."""

from smoldesk.analyst.cell import (
    Part,
    Value,
    file_stem,
    fstring,
)
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save

MOST_ROWS = 10_000
"""How many rows are shown at most; a file that is saved holds all of them."""


def write_rows(sheet: Sheet) -> None:
    """All rows, and how many there are."""
    rows, limit = sheet.rows, sheet.intent.limit or MOST_ROWS
    sheet.cell.add(f"display({rows}.head({limit}))")
    if sheet.intent.limit:
        sheet.cell.add(f"shown_rows = {rows}.head({limit})")
    shown = Value(f"min({limit}, len({rows}))", ":,")
    sheet.note(
        *(("先頭の", shown, "行だけを表示しました。") if sheet.language == "ja" else ("Only the first ", shown, " are shown.")),
        when=f"len({rows}) > {limit}",
    )  # fmt: skip
    saved = "shown_rows" if sheet.intent.limit else rows
    extra = [save(sheet, saved, f"{file_stem(sheet.table.name)}_rows")] if sheet.intent.save else []
    told = ("。すべて表示しました。",) if sheet.language == "ja" else ("; here they are.",)
    sheet.answer(fstring(*size_of(sheet), *told), *extra)


def write_sample(sheet: Sheet) -> None:
    """Rows drawn at random; the answer says with which seed, so that the same ones can be had again."""
    rows, limit, seed = sheet.rows, sheet.intent.limit or 5, sheet.intent.seed or 1
    sheet.cell.add(
        f"sample = {rows}.sample(n=min({limit}, len({rows})), random_state={seed})", "display(sample)"
    )
    drawn = Value("len(sample)", ":,")
    if sheet.language == "ja":
        sheet.note(f"乱数の種は{seed}です。「種{seed}」と言えば同じ行になります。")
        sentence = fstring(*size_of(sheet), "。無作為に", drawn, "行を選んで表示しました。")
    else:
        sheet.note(f"Drawn with seed {seed}: the same seed draws the same rows.")
        sentence = fstring(*size_of(sheet), "; drawn at random: ", drawn, ".")
    extra = [save(sheet, "sample", f"{file_stem(sheet.table.name)}_sample")] if sheet.intent.save else []
    sheet.answer(sentence, *extra)


def size_of(sheet: Sheet) -> tuple[Part, ...]:
    """`members (Plan = Gold) has 4 rows and 9 columns`, without an end."""
    inside, noun = where(sheet.intent.filters, sheet.language), row_noun(sheet.table, sheet.language)
    rows, columns = Value(f"len({sheet.rows})", ":,"), Value(f"{sheet.rows}.shape[1]")
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        return f"{sheet.table.name}{inside}の{label}: ", rows, "、列数: ", columns
    return f"{sheet.table.name}{inside} has ", rows, f" {noun} and ", columns, " columns"
