"""Code for the summary of a table: statistics as a table, key figures as text, distributions as small charts."""

from smoldesk.analyst.cell import chart_lines, inside, literal
from smoldesk.analyst.language import Language, localize, render
from smoldesk.analyst.plot_code import HEADERS, Drawn
from smoldesk.analyst.query import Query
from smoldesk.analyst.schema import TableSchema
from smoldesk.charts.inside import chart_forms as forms

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
        lines += chart_lines(
            "pd.concat(bins)", render("distributions", language, table=schema.info.name), spec
        )
    return lines, "".join(sentences)
