"""Code for plots. Each has a title and labelled axes; styles and fonts are the child's business."""

from backend.builtin.cell import SHOWN, Value, fstring, literal
from backend.builtin.figures import axis, row_noun, title, titled, where
from backend.builtin.sheet import Sheet

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
        cell.add(f'result.unstack{rest or "()"}{_cut(sheet)}.plot(kind="{kind}"{stacked}, ax=ax)')
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


def _many(sheet: Sheet) -> bool:
    """True when there may be more groups than bars that can be read: few values are known by name."""
    if sheet.intent.date:
        return False
    column = sheet.table.column(sheet.groups[0])
    return column.kind != "bool" and not 0 < len(column.values) <= _MOST_BARS


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


def plot_distribution(sheet: Sheet) -> None:
    """A histogram of the first measure (a box plot when asked for), cut by the first group."""
    measure, cell = sheet.intent.measures[0], sheet.cell
    count = sheet.say(row_noun(sheet.table, "en"), "度数")
    heading = sheet.say(f"Distribution of {measure}", f"{measure}の分布") + where(
        sheet.intent.filters, sheet.language
    )
    cell.use("plt")
    cell.gap()
    cell.add("fig, ax = plt.subplots()")
    if sheet.intent.plot in ("box", "violin"):
        cell.add(
            f"ax.{sheet.intent.plot}plot({sheet.column(measure)}.dropna())",
            f"ax.set(title={literal(heading)}, ylabel={literal(measure)})",
        )
        return
    if sheet.intent.groups:
        cell.use("sns")
        group = literal(sheet.intent.groups[0])
        cell.add(f"sns.histplot(data={sheet.rows}, x={literal(measure)}, hue={group}, ax=ax)")
    else:
        cell.add(f"ax.hist({sheet.column(measure)}.dropna(), bins=20)")
    cell.add(f"ax.set(title={literal(heading)}, xlabel={literal(measure)}, ylabel={literal(count)})")


def write_histogram(sheet: Sheet) -> None:
    """The code of a `hist` intent: the distribution of a number column and its key figures."""
    measure = sheet.intent.measures[0]
    values = sheet.column(measure)
    sheet.cell.add(f"values = {values}.dropna()", "display(values.describe().round(2).reset_index())")
    plot_distribution(sheet)
    inside = where(sheet.intent.filters, sheet.language)
    number = Value("len(values)", ":,")
    if sheet.language == "ja":
        sentence = fstring(
            f"{measure}{inside}: 中央値 ",
            Value("values.median()", SHOWN),
            "、平均 ",
            Value("values.mean()", SHOWN),
            "、範囲 ",
            Value("values.min()", SHOWN),
            "〜",
            Value("values.max()", SHOWN),
            "（",
            number,
            "件）。",
        )
    else:
        sentence = fstring(
            f"{titled(measure)}{inside}: median ",
            Value("values.median()", SHOWN),
            ", average ",
            Value("values.mean()", SHOWN),
            ", from ",
            Value("values.min()", SHOWN),
            " to ",
            Value("values.max()", SHOWN),
            " (",
            number,
            " values).",
        )
    sheet.answer(sentence)


def write_scatter(sheet: Sheet) -> None:
    """The code of a `scatter` intent: two number columns against each other, with their correlation."""
    x, y = sheet.intent.measures
    cell = sheet.cell
    cell.use("plt")
    cell.add(f"pairs = {sheet.rows}[[{literal(x)}, {literal(y)}]].dropna()")
    cell.add(f"correlation = pairs[{literal(x)}].corr(pairs[{literal(y)}])")
    cell.gap()
    cell.add("fig, ax = plt.subplots()")
    heading = sheet.say(f"{titled(y)} against {x}", f"{x}と{y}の散布図") + where(
        sheet.intent.filters, sheet.language
    )
    if sheet.intent.groups:
        cell.use("sns")
        hue = literal(sheet.intent.groups[0])
        cell.add(f"sns.scatterplot(data={sheet.rows}, x={literal(x)}, y={literal(y)}, hue={hue}, ax=ax)")
    else:
        cell.add(f"ax.scatter(pairs[{literal(x)}], pairs[{literal(y)}], alpha=0.5)")
    if sheet.intent.trend_line:
        cell.use("np")
        cell.add(
            f"slope, start = np.polyfit(pairs[{literal(x)}], pairs[{literal(y)}], 1)",
            f'ends = pairs[{literal(x)}].agg(["min", "max"])',
            'ax.plot(ends, start + slope * ends, color="tab:red")',
        )
        slope, start = Value("slope", SHOWN), Value("start", SHOWN)
        fit = Value("correlation ** 2", ":.3f")
        if sheet.language == "ja":
            sheet.note(f"回帰直線: {y} = 傾き ", slope, f" × {x}、切片 ", start, "、R² ", fit, "。")
        else:
            sheet.note(f"Trend line of {y}: slope ", slope, ", intercept ", start, ", R² ", fit, ".")
    cell.add(f"ax.set(title={literal(heading)}, xlabel={literal(x)}, ylabel={literal(y)})")
    number = Value("len(pairs)", ":,")
    if sheet.language == "ja":
        sentence = fstring(f"{x}と{y}の相関係数: ", Value("correlation", ":.3f"), "（", number, "行）。")
    else:
        sentence = fstring(
            f"Correlation of {x} and {y}: ", Value("correlation", ":.3f"), " (", number, " rows)."
        )
    sheet.answer(sentence)
