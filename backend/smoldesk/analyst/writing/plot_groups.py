"""Code for plots of figures by group: bars, lines, boxes, slices, colours. Styles and fonts are the child's business."""

from smoldesk.analyst.cell import Value, literal
from smoldesk.analyst.tables.figures import axis, title
from smoldesk.analyst.writing.sheet import Sheet, in_order

_MOST_BARS = 20
_MOST_SLICES = 8


def _across(sheet: Sheet) -> str:
    """The name of the axis of the first group, as a literal."""
    return literal(axis(sheet.intent, sheet.language, sheet.groups[0]))


def label_bars(sheet: Sheet, heading: str, label: str) -> None:
    """Title, axes and slanted names of a bar chart on `ax`."""
    cell = sheet.cell
    cell.add(f"ax.set(title={literal(heading)}, xlabel={_across(sheet)}, ylabel={literal(label)})")
    cell.add('ax.tick_params(axis="x", rotation=30)')


def plot_groups(sheet: Sheet, label: str, wide: bool = False) -> None:
    """A plot of `result`, one figure for each group; `wide` when it is a frame with several columns."""
    intent, cell = sheet.intent, sheet.cell
    plot = intent.plot
    if plot == "heatmap" and len(sheet.groups) == 2 and not wide:
        _heatmap(sheet, label)
        return
    if plot in ("", "auto", "heatmap"):
        plot = "line" if intent.date and intent.grain != "weekday" else "bar"
    cell.use("plt")
    cell.gap()
    cell.add("fig, ax = plt.subplots()")
    heading = title(intent, sheet.language, label.removesuffix(" (%)"))
    if plot in ("box", "violin") and intent.measures and intent.groups:
        cell.use("sns")
        x, y = intent.groups[0], intent.measures[0]
        hue = f", hue={literal(intent.groups[1])}" if len(intent.groups) > 1 else ""
        cell.add(f"sns.{plot}plot(data={sheet.rows}, x={literal(x)}, y={literal(y)}{hue}, ax=ax)")
        cell.add(f"ax.set(title={literal(heading)}, xlabel={literal(x)}, ylabel={literal(y)})")
        return
    if plot == "pie" and not wide and len(sheet.groups) == 1:
        _pie(sheet, heading)
        return
    kind = "line" if plot == "line" else "bar"
    stacked = ", stacked=True" if plot == "stacked" else ""
    if wide:
        cell.add(f'result{_cut(sheet)}.plot(kind="{kind}"{stacked}, ax=ax)')
    elif len(sheet.groups) > 1:
        rest = "" if len(sheet.groups) == 2 else f"(level={list(range(1, len(sheet.groups)))})"
        unstacked = "(sort=False)" if in_order(sheet) else "()"
        cell.add(f'result.unstack{rest or unstacked}{_cut(sheet)}.plot(kind="{kind}"{stacked}, ax=ax)')
    elif kind == "line":
        cell.add("ax.plot(result.index, result)")
    else:
        cell.add(*_bars(sheet))
    cell.add(f"ax.set(title={literal(heading)}, xlabel={_across(sheet)}, ylabel={literal(label)})")
    single = not wide and len(sheet.groups) == 1
    if (single and intent.grain in ("week", "month")) or (single and intent.date and kind == "bar"):
        cell.add("ax.xaxis.set_major_locator(plt.MaxNLocator(12, integer=True))  # names that can be read")
    if kind == "line" or intent.date or sheet.table.column(sheet.groups[0]).kind == "text":
        cell.add('ax.tick_params(axis="x", rotation=30)')


def may_be_many(sheet: Sheet, most: int) -> bool:
    """True when there may be more groups than can be told apart in a plot: few values are known by name."""
    if sheet.intent.date:
        return False
    column = sheet.table.column(sheet.groups[0])
    return column.kind != "bool" and not 0 < len(column.values) <= most


def _many(sheet: Sheet) -> bool:
    return may_be_many(sheet, _MOST_BARS)


def _cut(sheet: Sheet) -> str:
    """The first groups only, where there may be many; a note says so."""
    if not _many(sheet):
        return ""
    groups = "len(result.groupby(level=0))" if len(sheet.groups) > 1 else "len(result)"
    _note_cut(sheet, groups)
    return f".head({_MOST_BARS})"


def _note_cut(sheet: Sheet, groups: str) -> None:
    total, when = Value(groups, ":,"), f"{groups} > {_MOST_BARS}"
    if sheet.language == "ja":
        sheet.note("グラフは全", total, f"組のうち{_MOST_BARS}組です。", when=when)
    else:
        sheet.note(f"The plot shows {_MOST_BARS} of ", total, " groups.", when=when)


def _bars(sheet: Sheet) -> list[str]:
    if not _many(sheet):
        return ["ax.bar(result.index.astype(str), result)"]
    _note_cut(sheet, "len(result)")
    return [f"bars = result.head({_MOST_BARS})", "ax.bar(bars.index.astype(str), bars)"]


def _pie(sheet: Sheet, heading: str) -> None:
    """Slices; where there may be many, the smallest of them together."""
    cell = sheet.cell
    column = None if sheet.intent.date else sheet.table.column(sheet.groups[0])
    few = column is not None and (column.kind == "bool" or 0 < len(column.values) <= _MOST_SLICES)
    adds_up = sheet.intent.aggregates[0] in ("count", "sum", "share")
    if not few and adds_up:
        others = literal(sheet.say("others", "その他"))
        cell.use("pd")
        cell.add(
            "parts = result.rename(index=str).sort_values(ascending=False)",
            f"if len(parts) > {_MOST_SLICES}:",
            f"    rest = pd.Series({{{others}: parts.iloc[{_MOST_SLICES - 1}:].sum()}})",
            f"    parts = pd.concat([parts.head({_MOST_SLICES - 1}), rest])",
        )
        cell.add('ax.pie(parts, labels=parts.index, autopct="%.1f%%")', f"ax.set_title({literal(heading)})")
        return
    cell.add(
        'ax.pie(result, labels=result.index.astype(str), autopct="%.1f%%")',
        f"ax.set_title({literal(heading)})",
    )


def _heatmap(sheet: Sheet, label: str) -> None:
    """One figure by two keys as colours, with its number in each field."""
    cell = sheet.cell
    cell.use("plt", "sns")
    cell.gap()
    heading = title(sheet.intent, sheet.language, label.removesuffix(" (%)"))
    cell.add(
        "fig, ax = plt.subplots()",
        "grid = result.unstack()",
        'sns.heatmap(grid, annot=grid.map(shown), fmt="", cmap="viridis", '
        f'cbar_kws={{"label": {literal(label)}}}, ax=ax)',
        f"ax.set(title={literal(heading)}, ylabel={_across(sheet)}, xlabel={literal(sheet.groups[1])})",
    )
