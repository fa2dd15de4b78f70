"""The summary of a table as code: its statistics as a table, key figures in words, the distributions as small plots."""

from smoldesk.analyst.cell import literal
from smoldesk.analyst.language import Language, say
from smoldesk.analyst.query import Query
from smoldesk.analyst.schema import TableSchema

MOST_FLAGS, MOST_PLOTS = 2, 4


def summary_lines(
    query: Query, schema: TableSchema, told: str, language: Language
) -> tuple[list[str], str, bool]:
    """Lines from `data`, the inside of an f-string that answers, and whether anything is plotted; `told` are its conditions."""
    chosen = [schema.column(name) for name in query.columns] or schema.columns
    flags = [column for column in chosen if column.is_number and column.info.is_flag][:MOST_FLAGS]
    numbers = [column for column in chosen if column in schema.numbers and not column.info.is_flag]
    plotted = [column.name for column in numbers if len(column.info.values) != 3 or query.columns][
        :MOST_PLOTS
    ]
    everything = "" if flags or numbers else 'include="all"'
    of = f"[[{', '.join(literal(column.name) for column in chosen)}]]" if query.columns else ""
    lines = [f"summary = data{of}.describe({everything}).round(2)", "display(summary.reset_index())"]
    table = _text(schema.info.name)
    sentences = [
        say(
            language,
            f"{table}{told} has {{len(data):,}} rows and {{data.shape[1]}} columns.",
            f"{table}{told}: {{len(data):,}}行、{{data.shape[1]}}列。",
        )
    ]
    for number, column in enumerate(flags, start=1):
        lines.append(f"share{number} = 100 * data[{literal(column.name)}].mean()")
        share = f"{{share{number}:.1f}} %"
        sentences.append(
            say(
                language,
                f" Share with {_text(column.name)}: {share}.",
                f"{_text(column.name)}の割合: {share}。",
            )
        )
    for number, name in enumerate(plotted, start=1):
        lines.append(f"mean{number} = data[{literal(name)}].mean()")
        mean = f"{{mean{number}:,.2f}}"
        sentences.append(say(language, f" Average {_text(name)}: {mean}.", f"{_text(name)}の平均: {mean}。"))
    if plotted:
        down, across = (2, 2) if len(plotted) == MOST_PLOTS else (1, len(plotted))
        lines += [
            "",
            f"columns = [{', '.join(map(literal, plotted))}]",
            f"fig, axes = plt.subplots({down}, {across}, figsize=({4.5 * across}, {3.2 * down}), squeeze=False)",
            "for ax, column in zip(axes.flat, columns):",
            "    ax.hist(data[column].dropna(), bins=20)",
            f"    ax.set(title=column, xlabel=column, ylabel={literal(say(language, 'rows', '度数'))})",
            f"fig.suptitle({literal(say(language, f'Distributions in {schema.info.name}', f'{schema.info.name}の分布'))})",
            "fig.tight_layout()",
        ]
    return lines, "".join(sentences), bool(plotted)


def _text(text: str) -> str:
    """Text for the inside of an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")
