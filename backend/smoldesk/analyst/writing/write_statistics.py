"""Code for a test of normality and a straight line through two columns."""

from smoldesk.analyst.cell import (
    SHOWN,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.tables.figures import titled, where
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_plots import plot_distribution

_MOST_FOR_SHAPIRO = 5000


def write_normality(sheet: Sheet) -> None:
    """Shapiro-Wilk up to 5000 values, D'Agostino's test above; the result in plain words, with p."""
    cell, name = sheet.cell, sheet.intent.measures[0]
    few = sheet.say(
        f"A test of normality needs at least 8 different values of {name}; there are fewer.",
        f"正規性の検定には{name}の異なる値が8個以上必要です。",
    )
    cell.use("stats")
    cell.add(
        f"values = {sheet.column(name)}.dropna()",
        "if values.nunique() < 8:",
        f"    final_answer({literal(few)})",
        f"if len(values) <= {_MOST_FOR_SHAPIRO}:",
        '    method, (statistic, p) = "Shapiro-Wilk", stats.shapiro(values)',
        "else:",
        '    method, (statistic, p) = "D\'Agostino-Pearson", stats.normaltest(values)',
        'p_value = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"',
    )
    verdict = sheet.say(
        '"is not normally distributed" if p < 0.05 else "may well be normally distributed"',
        '"正規分布に従うとは言えません" if p < 0.05 else "正規分布でないとは言えません"',
    )
    cell.add(f"verdict = {verdict}")
    if sheet.intent.plot:
        plot_distribution(sheet)
    inside = where(sheet.intent.filters, sheet.language)
    found = (Value("method"), sheet.say(" test: ", "検定: "), Value("p_value"))
    found += (sheet.say(", statistic ", "、統計量 "), Value("statistic", ":.3f"))
    count = Value("len(values)", ":,")
    shape = (Value("values.skew()", ":.2f"), Value("values.kurt()", ":.2f"))
    if sheet.language == "ja":
        sheet.note("有意水準は5 %です。歪度 ", shape[0], "、尖度 ", shape[1], "（正規分布ではどちらも0）。")
        sheet.answer(fstring(f"{name}{inside}は", Value("verdict"), "（", *found, "、", count, "件）。"))
    else:
        sheet.note(
            "The level is 5 %. Skewness ",
            shape[0],
            ", excess kurtosis ",
            shape[1],
            " (both 0 for a normal distribution).",
        )
        sheet.answer(
            fstring(f"{titled(name)}{inside} ", Value("verdict"), " (", *found, ", ", count, " values).")
        )


def write_regression(sheet: Sheet) -> None:
    """A straight line by least squares: slope, intercept, R² and the number of rows."""
    x, y = sheet.intent.measures
    cell = sheet.cell
    few = sheet.say(
        "A straight line needs at least 3 rows and two different values to explain by.",
        "回帰直線には3行以上と、説明変数の異なる値が2個以上必要です。",
    )
    cell.use("np")
    cell.add(
        f"pairs = {sheet.rows}[[{literal(x)}, {literal(y)}]].dropna()",
        f"if len(pairs) < 3 or pairs[{literal(x)}].nunique() < 2:",
        f"    final_answer({literal(few)})",
        f"slope, start = np.polyfit(pairs[{literal(x)}], pairs[{literal(y)}], 1)",
        f"explained = pairs[{literal(x)}].corr(pairs[{literal(y)}]) ** 2",
    )
    if sheet.intent.plot:
        cell.use("plt")
        cell.gap()
        heading = sheet.say(f"{titled(y)} by {x}", f"{x}による{y}の回帰") + where(
            sheet.intent.filters, sheet.language
        )
        cell.add(
            "fig, ax = plt.subplots()",
            f"ax.scatter(pairs[{literal(x)}], pairs[{literal(y)}], alpha=0.5)",
            f'ends = pairs[{literal(x)}].agg(["min", "max"])',
            'ax.plot(ends, start + slope * ends, color="tab:red")',
            f"ax.set(title={literal(heading)}, xlabel={literal(x)}, ylabel={literal(y)})",
        )
    inside = where(sheet.intent.filters, sheet.language)
    cell.add('sign = "+" if slope >= 0 else "−"', "steepness = abs(slope)")
    line = (f"{y} = ", Value("start", SHOWN), " ", Value("sign"), " ", Value("steepness", SHOWN), f" × {x}")
    count = Value("len(pairs)", ":,")
    percent, explained = Value("100 * explained", ":.1f"), Value("explained", ":.3f")
    slope, start = Value("slope", SHOWN), Value("start", SHOWN)
    rows = Value(f"len({sheet.rows})", ":,")
    if sheet.language == "ja":
        sheet.note(
            "全",
            rows,
            "行のうち、両方の値がある",
            count,
            "行から計算しました。因果関係を示すものではありません。",
        )
        sheet.answer(
            fstring(
                *line,
                f"{inside}。傾き ",
                slope,
                "、切片 ",
                start,
                "、R² ",
                explained,
                "（n = ",
                count,
                "）。",
            ),
            fstring(
                f"{x}が1増えると{y}は平均で",
                slope,
                f"変わり、この直線で{y}のばらつきの",
                percent,
                " %が説明できます。",
            ),
        )
    else:
        sheet.note(
            "From the ", count, " of ", rows, " rows that have both values. It does not say what causes what."
        )
        sheet.answer(
            fstring(
                *line,
                f"{inside}. Slope ",
                slope,
                ", intercept ",
                start,
                ", R² ",
                explained,
                " (n = ",
                count,
                "). ",
            ),
            fstring(
                f"With one more {x}, {y} changes by ",
                slope,
                " on average; the line explains ",
                percent,
                f" % of how {y} varies.",
            ),
        )
