"""Code for charts of column values, each with a key figure; matplotlib draws violins and pair plots."""

from collections.abc import Sequence

from smoldesk.analyst.building.paint_code import unit_of
from smoldesk.analyst.cell import FORM, chart_lines, inside, literal
from smoldesk.analyst.language import Language, localize, names_of, render
from smoldesk.analyst.query import Measure, Query
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.sentence import AGGREGATES
from smoldesk.charts.inside import chart_forms as forms
from smoldesk.charts.inside.chart_rules import Spec

HEADERS = names_of("headers")
Drawn = tuple[list[str], str]
# Charts of one or two columns, which leave out rows with blank cells in these.
SINGLE = ("hist", "box", "violin", "scatter")


def number_of(name: str, schema: TableSchema, *measures: Measure) -> Spec:
    """Return the channel of measures or of a number column, with their common unit in its title."""
    figures = measures or [Measure("mean", name)]
    units = {unit_of(figure.column, figure.fn, name, schema.info.bundled) for figure in figures}
    unit = f" ({min(units)})" if len(units) == 1 and min(units) else ""
    return {"field": name, "title": name + unit}


def values_lines(
    query: Query, schema: TableSchema, keys: Sequence[str], language: Language, title_end: str
) -> Drawn:
    """Return lines that draw column values of `data`, grouped by `keys`, and the answer as the inside of an f-string.

    `title_end` is the filter as in a title.
    """
    names = list(query.columns) or [column.name for column in schema.numbers]
    numbers = [name for name in names if schema.column(name).is_number]
    title, cut = " / ".join([*names[:1], *keys[:1]]) + title_end, "".join(keys[:1])
    match query.plot:
        case "hist":
            title = render("distribution", language, name=names[0]) + title_end
            rows = localize(language, "rows", "件数")
            spec = forms.histogram(number_of(names[0], schema), rows, cut)
            lines = [
                f"values = data[{literal(names[0])}].dropna()",
                "figures = values.median(), values.mean(), values.min(), values.max()",
                # A histogram may be of dates.
                f"parts = [format(value, {FORM.format('value')}) if pd.api.types.is_number(value) else str(value)",
                "         for value in figures]",
                *chart_lines("data", title, spec),
            ]
            return lines, render("histogram", language, title=inside(title))
        case "violin" if names:
            by = f", x={literal(cut)}" if cut else ""
            drawn = f"sns.violinplot(data=data, y={literal(names[0])}{by}, ax=ax)"
            lines = ["", "fig, ax = plt.subplots()", drawn, f"ax.set(title={literal(title)})"]
            return _boxes(lines, names[0], cut, language)
        case "box" if names:
            lines = chart_lines("data", title, forms.boxes(number_of(names[0], schema), cut))
            return _boxes(lines, names[0], cut, language)
        case "scatter" if len(numbers) >= 2:
            x, y = numbers[:2]
            title = f"{y} / {x}{title_end}"
            spec = forms.points(number_of(x, schema), number_of(y, schema), cut)
            lines = [f"value = data[{literal(x)}].corr(data[{literal(y)}])"]
            return lines + chart_lines("data", title, spec), render("scatter", language, title=inside(title))
        case "pair":
            grid = f"grid = sns.pairplot(data[[{', '.join(map(literal, numbers))}]])"
            title = f"grid.figure.suptitle({literal(', '.join(numbers) + title_end)})"
            return ["", grid, title], render("pairs", language)
        case _:
            return _heatmap([name for name in query.columns if name in numbers], schema, language, title_end)


def period_lines(query: Query, values: Sequence[str], language: Language) -> list[str]:
    """Return lines that list and draw one figure of several columns; `values` are the variables that hold it."""
    period, label = localize(language, "period", "期間"), localize(language, *AGGREGATES[query.first.fn])
    names = [measure.column for measure in query.measures]
    cells = f"{literal(period)}: {literal(names)}, {literal(label)}: [{', '.join(values)}]"
    place = forms.in_order(period, title=period)
    spec = forms.groups(query.plot, place, {"field": label, "title": label}, "", False)
    title = render("periods", language, fn=label, first=names[0], last=names[-1])
    lines = ["", f"drawn = pd.DataFrame({{{cells}}})", "drawn = drawn.round(4)", "display(drawn.round(2))"]
    return [*lines, *chart_lines("drawn", title, spec)]


def _boxes(lines: list[str], name: str, key: str, language: Language) -> Drawn:
    if not key:
        text = render("box", language, label=inside(name), told="")
        return [f"middle = data[{literal(name)}].median()", *lines], text
    medians = f"medians = data.groupby({literal(key)})[{literal(name)}].median()"
    ends = "highest, lowest = medians.idxmax(), medians.idxmin()"
    return [medians, ends, *lines], render("boxes", language, label=inside(name))


def pair_count_lines(chosen: str) -> list[str]:
    """Return lines that count the rows with both values for the pairs of columns, as text: 177 to 891."""
    return [
        f"present = {chosen}.notna().astype(int)",
        "counts = present.T @ present",
        "low, high = counts.min().min(), counts.max().max()",
        'pairs = f"{low:,}–{high:,}" if low < high else f"{low:,}"',
    ]


def _heatmap(numbers: Sequence[str], schema: TableSchema, language: Language, title_end: str) -> Drawn:
    selection = f"data[[{', '.join(map(literal, numbers))}]]"
    chosen = selection if len(numbers) > 1 else "data.select_dtypes(['number', 'bool'])"
    column = literal(localize(language, *HEADERS["column"]))
    lines = [f"matrix = {chosen}.corr()", f"display(matrix.round(3).reset_index(names={column}))"]
    lines.append("pairs = [(one, two) for at, one in enumerate(matrix) for two in matrix.columns[at + 1 :]]")
    lines.append("one, two = max(pairs, key=lambda pair: abs(matrix.loc[pair]))")
    melted = "matrix.rename_axis('one').reset_index().melt('one', var_name='two', value_name='r')"
    lines.append(f"cells = {melted}")
    spec = forms.correlations("one", "two", "r", localize(language, "correlation", "相関係数"))
    title = render("correlations_in", language, table=schema.info.name) + title_end
    lines += [*chart_lines("cells", title, spec), *pair_count_lines(chosen)]
    strongest = "{one} / {two} ({matrix.loc[one, two]:.3f})"
    return lines, render("heatmap", language, told=strongest) + render("pair_counts", language)


_STATISTICS = ("count", "unique", "top", "freq", "mean", "std", "min", "50%", "max")
MAX_FLAGS, MAX_PLOTS = 2, 4


def summary_lines(query: Query, schema: TableSchema, conditions: str, language: Language) -> Drawn:
    """Return lines that summarise `data`, and the answer as the inside of an f-string."""
    chosen = [schema.column(name) for name in query.columns] or schema.columns
    flags = [column for column in chosen if column.is_number and column.info.is_flag][:MAX_FLAGS]
    numbers = [column for column in chosen if column in schema.numbers and not column.info.is_flag]
    plotted = [number.name for number in numbers if len(number.info.values) != 3 or query.columns][:MAX_PLOTS]
    everything = "" if flags or numbers else 'include="all"'
    selection = f"[[{', '.join(literal(column.name) for column in chosen)}]]" if query.columns else ""
    names = {name: localize(language, *pair) for name, pair in HEADERS.items() if name in _STATISTICS}
    lines = [f"summary = data{selection}.describe({everything}).round(2).rename({literal(names)})"]
    lines.append(f"display(summary.reset_index(names={literal(localize(language, *HEADERS['statistic']))}))")
    sentences = [render("summary", language, table=inside(schema.info.name), told=conditions)]
    for number, column in enumerate(flags, start=1):
        lines.append(f"share{number} = 100 * data[{literal(column.name)}].mean()")
        share = f"{{share{number}:.1f}}" + localize(language, " %", "%")
        sentences.append(render("share_with", language, name=inside(column.name), figure=share))
    for number, name in enumerate(plotted, start=1):
        lines.append(f"mean{number} = data[{literal(name)}].mean()")
        sentences.append(render("average_of", language, name=inside(name), figure=f"{{mean{number}:,.2f}}"))
    if plotted:
        lines += ["", "bins = []", f"for column in [{', '.join(map(literal, plotted))}]:"]
        lines.append("    counts, edges = np.histogram(data[column].dropna(), bins=20)")
        cells = '{"column": column, "from": edges[:-1], "to": edges[1:], "rows": counts}'
        lines.append(f"    bins.append(pd.DataFrame({cells}))")
        spec = forms.distributions("from", "to", "rows", "column", localize(language, "rows", "度数"))
        title = render("distributions", language, table=schema.info.name)
        lines += chart_lines("pd.concat(bins)", title, spec)
    return lines, "".join(sentences)
