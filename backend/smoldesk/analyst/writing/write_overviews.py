"""Code for the summary of a table: statistics, key figures, distributions."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
    variable,
)
from smoldesk.analyst.intents import DataIntent, Filter
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.tables.figures import (
    row_noun,
    share_name,
    titled,
    where,
)
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save

_MOST_PLOTS = 4


def _key_columns(sheet: Sheet) -> tuple[list[ColumnInfo], list[ColumnInfo]]:
    """The 0/1 columns with a known rate, and the number columns worth a figure."""
    chosen = sheet.intent.measures
    columns = [column for column in sheet.table.columns if not chosen or column.name in chosen]
    flags = [column for column in columns if column.kind == "number" and column.is_flag]
    numbers = [
        column
        for column in columns
        if column.kind == "number"
        and not column.is_flag
        and (chosen or not column.is_id)
        and not (column.values and "class" in concepts(column.name))
    ]
    return flags, numbers


def write_describe(sheet: Sheet) -> None:
    """Statistics as a table, the key figures as a sentence, the distributions as a plot."""
    cell, intent, rows = sheet.cell, sheet.intent, sheet.rows
    flags, numbers = _key_columns(sheet)
    chosen = f"[[{', '.join(map(literal, intent.measures))}]]" if intent.measures else ""
    everything = "" if flags or numbers else 'include="all"'
    cell.add(f"summary = {rows}{chosen}.describe({everything})", "display(summary.round(2).reset_index())")
    noun = row_noun(sheet.table, sheet.language)
    inside = where(intent.filters, sheet.language)
    size = (Value(f"len({rows})", ":,"), Value(f"{rows}.shape[1]"))
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        sentences = [fstring(f"{sheet.table.name}{inside}の{label}: ", size[0], "、列数: ", size[1], "。")]
    else:
        sentences = [
            fstring(f"{sheet.table.name}{inside} has ", size[0], f" {noun} and ", size[1], " columns.")
        ]
    cell.gap()
    for column in flags[:2]:
        name = f"{variable(column.name, 'flag')}_rate"
        label = share_name(
            DataIntent(sheet.table.name, target=Filter(column.name, "==", (1.0,))),
            sheet.table,
            sheet.language,
        )
        cell.add(f"{name} = 100 * {sheet.column(column.name)}.mean()")
        sentences.append(_figure(sheet, label, Value(name, ":.1f"), " %"))
    for place, column in enumerate(numbers[:_MOST_PLOTS], start=1):
        name = f"mean_{variable(column.name, f'figure{place}')}"
        cell.add(f"{name} = {sheet.column(column.name)}.mean()")
        label = sheet.say(f"average {column.name}", f"{column.name}の平均")
        sentences.append(_figure(sheet, label, Value(name, SHOWN), ""))
    if numbers:
        _distributions(sheet, numbers[:_MOST_PLOTS])
    extra = [save(sheet, "summary.reset_index()", f"{sheet.table.name}_statistics")] if intent.save else []
    sheet.answer(*sentences, *extra)


def _figure(sheet: Sheet, label: str, value: Value, unit: str) -> str:
    if sheet.language == "ja":
        return fstring(f"{label}: ", value, f"{unit}。")
    return fstring(f" {titled(label)}: ", value, f"{unit}.")


def _distributions(sheet: Sheet, numbers: list[ColumnInfo]) -> None:
    cell = sheet.cell
    cell.use("plt")
    cell.gap()
    names = ", ".join(literal(column.name) for column in numbers)
    count = literal(sheet.say(row_noun(sheet.table, "en"), "度数"))
    heading = literal(sheet.say(f"Distributions in {sheet.table.name}", f"{sheet.table.name}の分布"))
    down, across = (2, 2) if len(numbers) == 4 else (1, len(numbers))
    cell.add(
        f"columns = [{names}]",
        f"fig, axes = plt.subplots({down}, {across}, figsize=({4.5 * across}, {3.2 * down}), squeeze=False)",
        "for ax, column in zip(axes.flat, columns):",
        f"    ax.hist({sheet.rows}[column].dropna(), bins=20)",
        f"    ax.set(title=column, xlabel=column, ylabel={count})",
        f"fig.suptitle({heading})",
        "fig.tight_layout()",
    )
