"""Code for several figures for each group: one column each."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.intents import Aggregate
from smoldesk.analyst.tables.figures import figure_name, title
from smoldesk.analyst.writing.group_answers import MOST_LINES, note_rest
from smoldesk.analyst.writing.plot_groups import plot_groups
from smoldesk.analyst.writing.sheet import (
    Sheet,
    bullets,
    computed,
    grouped,
    lines_of,
    loop_names,
    rows_used,
)
from smoldesk.analyst.writing.write_files import own_line, save


def write_group_table(sheet: Sheet) -> None:
    """Several figures of one column, or of several columns, for each group."""
    intent = sheet.intent
    figures = _figures(sheet)
    labels = [label for label, _ in figures]
    plain = all(one in ("mean", "median", "sum", "min", "max", "std", "var") for one in intent.aggregates)
    if len(intent.measures) == 1 and plain:
        calls = ", ".join(map(literal, intent.aggregates))
        sheet.cell.add(
            f"result = {grouped(sheet)}[{literal(intent.measures[0])}].agg([{calls}])",
            f"result.columns = [{', '.join(map(literal, labels))}]",
        )
    elif len(intent.aggregates) == 1:
        chosen = ", ".join(map(literal, intent.measures))
        sheet.cell.add(f"result = {grouped(sheet)}[[{chosen}]]{computed(intent.aggregates[0])}")
    else:
        sheet.cell.use("pd")
        lines = [f"    {literal(label)}: {expression}," for label, expression in figures]
        sheet.cell.add("result = pd.DataFrame({", *lines, "})")
    limited = f".head({intent.limit})" if intent.limit else ""
    if intent.order:
        by = f"result.columns[0], ascending={intent.order == 'asc'}"
        sheet.cell.add(f"result = result.sort_values({by}){limited}")
    sheet.cell.add("display(result.round(2).reset_index())")
    several = len(intent.measures) > 1
    label = " / ".join(intent.measures) if several else labels[0]
    if intent.plot or intent.over_time:
        plot_groups(sheet, label, wide=True)
    stem = "_".join([*intent.aggregates, *intent.measures, "by", *sheet.groups])
    extra = [save(sheet, "result.reset_index()", stem)] if intent.save else []
    rows_used(sheet, *(intent.measures if not several else ()), *sheet.groups)
    _answer(sheet, labels, extra)


def _figures(sheet: Sheet) -> list[tuple[str, str]]:
    """What each figure is called, with its expression."""
    intent = sheet.intent
    found: dict[str, str] = {}
    for measure in intent.measures:
        for one in intent.aggregates:
            call = ".size()" if one == "count" else f"[{literal(measure)}]{computed(one)}"
            found[_label(sheet, one, measure)] = f"{grouped(sheet)}{call}"
    return list(found.items())


def _label(sheet: Sheet, aggregate: Aggregate, measure: str) -> str:
    return figure_name(sheet.intent, sheet.table, sheet.language, aggregate, measure)


def _answer(sheet: Sheet, labels: list[str], extra: list[str]) -> None:
    names = [f"value{place}" for place, _ in enumerate(labels, start=1)]
    _, loops = loop_names(sheet)
    parts: list[str | Value] = []
    for place, loop in enumerate(loops):
        parts += [", " if place else "- ", Value(loop)]
    for place, (name, one) in enumerate(zip(names, labels, strict=True)):
        parts += [", " if place else ": ", f"{one} ", Value(name, SHOWN)]
    sheet.cell.gap()
    lines_of(
        sheet,
        fstring(*parts),
        f"({', '.join(names)})",
        f"zip(result.index[:{MOST_LINES}], result.to_numpy())",
    )
    note_rest(sheet)
    heading = title(sheet.intent, sheet.language, sheet.say(" and ", "と").join(labels))
    sheet.answer(fstring(f"{heading}:\n"), f"+ {bullets()}", *map(own_line, extra))
