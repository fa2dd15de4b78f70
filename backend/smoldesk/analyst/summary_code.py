"""The summary of a table as code: its statistics as a table, key figures in words, the distributions as small plots."""

from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.language import Language, say, told
from smoldesk.analyst.query import Query
from smoldesk.analyst.schema import TableSchema

MOST_FLAGS, MOST_PLOTS = 2, 4


def summary_lines(
    query: Query, schema: TableSchema, conditions: str, language: Language
) -> tuple[list[str], str, bool]:
    """Lines from `data`, the inside of an f-string that answers, and whether anything is plotted."""
    chosen = [schema.column(name) for name in query.columns] or schema.columns
    flags = [column for column in chosen if column.is_number and column.info.is_flag][:MOST_FLAGS]
    numbers = [column for column in chosen if column in schema.numbers and not column.info.is_flag]
    plotted = [one.name for one in numbers if len(one.info.values) != 3 or query.columns][:MOST_PLOTS]
    everything = "" if flags or numbers else 'include="all"'
    of = f"[[{', '.join(literal(column.name) for column in chosen)}]]" if query.columns else ""
    lines = [f"summary = data{of}.describe({everything}).round(2)", "display(summary.reset_index())"]
    sentences = [told("summary", language, table=inside(schema.info.name), told=conditions)]
    for number, column in enumerate(flags, start=1):
        lines.append(f"share{number} = 100 * data[{literal(column.name)}].mean()")
        share = f"{{share{number}:.1f}} %"
        sentences.append(told("share_with", language, name=inside(column.name), figure=share))
    for number, name in enumerate(plotted, start=1):
        lines.append(f"mean{number} = data[{literal(name)}].mean()")
        sentences.append(told("average_of", language, name=inside(name), figure=f"{{mean{number}:,.2f}}"))
    if plotted:
        down, across = (2, 2) if len(plotted) == MOST_PLOTS else (1, len(plotted))
        size = f"figsize=({4.5 * across}, {3.2 * down})"
        title = literal(told("distributions", language, table=schema.info.name))
        lines += ["", f"columns = [{', '.join(map(literal, plotted))}]"]
        lines.append(f"fig, axes = plt.subplots({down}, {across}, {size}, squeeze=False)")
        lines += ["for ax, column in zip(axes.flat, columns):", "    ax.hist(data[column].dropna(), bins=20)"]
        lines.append(
            f"    ax.set(title=column, xlabel=column, ylabel={literal(say(language, 'rows', '度数'))})"
        )
        lines += [f"fig.suptitle({title})", "fig.tight_layout()"]
    return lines, "".join(sentences), bool(plotted)
