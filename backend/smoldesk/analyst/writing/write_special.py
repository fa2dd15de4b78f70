"""Code for outliers and quantiles, with the rule in the answer."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.tables.figures import where
from smoldesk.analyst.writing.sheet import Sheet, grouped, rows_used


def write_outliers(sheet: Sheet) -> None:
    """Counts and shows the rows outside 1.5 IQR, or beyond a z-score."""
    cell, intent = sheet.cell, sheet.intent
    name = intent.measures[0]
    cell.add(f"values = {sheet.column(name)}")
    if intent.rule == "z":
        limit = intent.rule_limit or 3.0
        cell.add("z = (values - values.mean()) / values.std()", f"hits = {sheet.rows}[z.abs() > {limit:g}]")
        rule = sheet.say(f"z-score beyond ±{limit:g}", f"zスコアの絶対値が{limit:g}を超えるもの")
        edges: tuple[str | Value, ...] = (rule,)
    else:
        cell.add(
            "low, high = values.quantile([0.25, 0.75])",
            "spread = 1.5 * (high - low)",
            f"hits = {sheet.rows}[(values < low - spread) | (values > high + spread)]",
            "lowest, highest = low - spread, high + spread",
        )
        rule = sheet.say("outside 1.5 IQR: below ", "四分位範囲の1.5倍の外: ")
        edges = (
            rule,
            Value("lowest", SHOWN),
            sheet.say(" or above ", "未満または"),
            Value("highest", SHOWN),
        )
        edges += (sheet.say("", "超"),)
    cell.add("display(hits)")
    rows_used(sheet, name)
    inside, count = where(intent.filters, sheet.language), Value("len(hits)", ":,")
    if sheet.language == "ja":
        sheet.answer(fstring(f"{name}の外れ値{inside}は", count, "件です。"), fstring("規則: ", *edges, "。"))
    else:
        sheet.answer(fstring(count, f" outliers of {name}{inside}. "), fstring("\n\nRule: ", *edges, "."))


def write_quantiles(sheet: Sheet) -> None:
    """One quantile or several of a number column, or of each group of it."""
    cell, name = sheet.cell, sheet.intent.measures[0]
    if sheet.groups:
        _quantiles_by_group(sheet, name)
        return
    rows_used(sheet, name)
    sentences: list[str] = []
    inside = where(sheet.intent.filters, sheet.language)
    for place, share in enumerate(sheet.intent.quantiles, start=1):
        cell.add(f"value{place} = {sheet.column(name)}.quantile({share:g})")
        value = Value(f"value{place}", SHOWN)
        sentences.append(
            fstring(f"{name}{inside}の{100 * share:g}パーセンタイル: ", value, "。")
            if sheet.language == "ja"
            else fstring(f"{100 * share:g} % quantile of {name}{inside}: ", value, ". ")
        )
    sheet.answer(*sentences)


def _quantiles_by_group(sheet: Sheet, name: str) -> None:
    shares = sheet.intent.quantiles
    heads = [sheet.say(f"{100 * share:g} %", f"{100 * share:g}パーセンタイル") for share in shares]
    sheet.cell.add(
        f"result = {grouped(sheet)}[{literal(name)}].quantile([{', '.join(f'{share:g}' for share in shares)}]).unstack()",
        f"result.columns = [{', '.join(map(literal, heads))}]",
        "display(result.round(2).reset_index())",
    )
    rows_used(sheet, name, *sheet.groups)
    values = [f"value{place}" for place, _ in enumerate(shares, start=1)]
    parts: list[str | Value] = ["- ", Value("name")]
    for place, (value, head) in enumerate(zip(values, heads, strict=True)):
        parts += [", " if place else ": ", f"{head} " if len(heads) > 1 else "", Value(value, SHOWN)]
    names = "result.index" if len(sheet.groups) == 1 else "names"
    if len(sheet.groups) > 1:
        sheet.cell.add('names = [", ".join(map(str, key)) for key in result.index]')
    each = f"    for name, ({', '.join(values)},) in zip({names}, result.to_numpy())"
    sheet.cell.add("lines = [", f"    {fstring(*parts)}", each, "]")
    by = sheet.say(" and ", "・").join(sheet.groups)
    inside = where(sheet.intent.filters, sheet.language)
    said = sheet.say(", ", "、").join(heads)
    heading = sheet.say(f"{said} quantile of {name} by {by}{inside}", f"{by}別の{name}の{said}{inside}")
    sheet.answer(literal(f"{heading}:\n"), '+ "\\n".join(lines[:20])')
