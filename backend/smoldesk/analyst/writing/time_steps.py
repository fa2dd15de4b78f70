"""Figures that depend on the points before them: running totals, moving averages, changes; each group by itself."""

from smoldesk.analyst.cell import literal
from smoldesk.analyst.writing.sheet import Sheet


def stepped(sheet: Sheet, name: str) -> str:
    """Adds the lines that turn `result` into steps over its first key; what the figure is called now."""
    intent = sheet.intent
    if intent.running:
        sheet.cell.add(f"result = result{_each(sheet)}.cumsum()")
        bare = sheet.say(name.removeprefix("total "), name.removesuffix("の合計"))
        name = sheet.say(f"running total of {bare}", f"{bare}の累計")
    if intent.window:
        size = intent.window
        if len(sheet.groups) == 1:
            sheet.cell.add(f"result = result.rolling({size}).mean().dropna()")
        else:
            moving = f"lambda values: values.rolling({size}).mean()"
            sheet.cell.add(f"result = result{_each(sheet)}.transform({moving}).dropna()")
        name = sheet.say(f"{name}, moving average of {size}", f"{name}の{size}点移動平均")
        sheet.note(
            sheet.say(
                f"The first {size - 1} points of a line have no full window and are left out.",
                f"最初の{size - 1}点は期間が足りないため除いています。",
            )
        )
    if intent.change:
        percent = intent.change == "pct"
        call = f"100 * result{_each(sheet)}.pct_change()" if percent else f"result{_each(sheet)}.diff()"
        sheet.cell.add(f"result = ({call}).dropna()")
        name = sheet.say(f"change in {name}", f"{name}の変化")
        sheet.note(
            sheet.say(
                "Each point is compared with the one before it; the first has none.",
                "各点を1つ前の点と比べています（最初の点は除きます）。",
            )
        )
    return name


def _each(sheet: Sheet) -> str:
    """Every group goes its own way through time."""
    others = sheet.groups[1:]
    if not others:
        return ""
    keys = ", ".join(map(literal, others))
    return f".groupby(level={keys if len(others) == 1 else '[' + keys + ']'})"
