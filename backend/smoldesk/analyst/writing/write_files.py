"""Code that saves a result as CSV or Excel."""

from smoldesk.analyst.cell import (
    Value,
    file_stem,
    fstring,
    literal,
)
from smoldesk.analyst.writing.sheet import Sheet


def save(sheet: Sheet, frame: str, stem: str) -> str:
    """Adds the lines that save a frame as CSV; the sentence that says so."""
    name = file_stem(sheet.intent.file_name or stem)
    keys = [name for name in sheet.groups[:1] if sheet.intent.date]
    keys += [c.name for c in sheet.table.columns if c.kind == "date"] if frame in (sheet.rows, "top") else []
    sheet.cell.gap()
    sheet.cell.add(f"table = {frame}")
    for key in keys:
        column = f"table[{literal(key)}]"
        sheet.cell.add(f"{column} = {column}.astype(str)")
    if sheet.intent.file_kind == "xlsx":
        sheet.cell.add(f"table.to_excel({literal(name + '.xlsx')}, index=False)")
        said = say_saved(sheet.language, f"{name}.xlsx")
        return fstring(said[0], Value("len(table)", ":,"), said[1])
    sheet.cell.add(
        "table = table.astype(object).where(table.notna(), None)",
        f'save_data(table.to_dict(orient="list"), {literal(name)})',
    )
    said = (
        (" Saved {} rows to ", f"{name}.csv", ".")
        if sheet.language == "en"
        else (" ", f"{name}.csv", "に{}行を保存しました。")
    )
    before, _, after = "".join(said).partition("{}")
    return fstring(before, Value("len(table)", ":,"), after)


def own_line(saved: str) -> str:
    """The sentence of `save` on a line of its own."""
    return f"+ {literal(chr(10))} + {saved}".replace('f" ', 'f"', 1)


def say_saved(language: str, name: str) -> tuple[str, str]:
    """What is said before and after the number of rows that were saved."""
    return (" Saved ", f" rows to {name}.") if language == "en" else (f" {name}に", "行を保存しました。")
