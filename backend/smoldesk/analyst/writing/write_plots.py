"""Code for distributions and scatter plots. Each has a title and labelled axes; styles and fonts are the child's business."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.tables.figures import row_noun, titled, where
from smoldesk.analyst.writing.plot_groups import may_be_many
from smoldesk.analyst.writing.sheet import Sheet

_MOST_COLOURS = 10
"""Colours that can be told apart in one histogram; with more groups it would also take seconds for each ten of them."""


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
        drawn = _most_frequent(sheet)
        said = f", bins={sheet.intent.bins}" if sheet.intent.bins else ""
        cell.add(f"sns.histplot(data={drawn}, x={literal(measure)}, hue={group}{said}, ax=ax)")
    else:
        bins = sheet.intent.bins or '"auto"'
        cell.add(f"ax.hist({sheet.column(measure)}.dropna(), bins={bins})")
    cell.add(f"ax.set(title={literal(heading)}, xlabel={literal(measure)}, ylabel={literal(count)})")


def _most_frequent(sheet: Sheet) -> str:
    """The rows to colour by group: where there may be many groups, those of the most frequent ones; a note says so."""
    if not may_be_many(sheet, _MOST_COLOURS):
        return sheet.rows
    group = sheet.column(sheet.intent.groups[0])
    sheet.cell.add(f"sizes = {group}.value_counts()")
    total, when = Value("len(sizes)", ":,"), f"len(sizes) > {_MOST_COLOURS}"
    if sheet.language == "ja":
        sheet.note("グラフは全", total, f"組のうち行の多い{_MOST_COLOURS}組です。", when=when)
    else:
        sheet.note(f"The plot shows the {_MOST_COLOURS} most frequent of ", total, " groups.", when=when)
    return f"{sheet.rows}[{group}.isin(sizes.index[:{_MOST_COLOURS}])]"


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
