"""Plots of the values of columns as code: histograms, boxes, scatter plots and heatmaps; each says its key figure."""

from collections.abc import Sequence

from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.language import Language, say, told
from smoldesk.analyst.query import Query
from smoldesk.analyst.schema import TableSchema

Drawn = tuple[list[str], str]


def values_lines(query: Query, schema: TableSchema, keys: Sequence[str], language: Language) -> Drawn:
    """Lines that draw the values of columns of `data`, cut by `keys`, and the inside of an f-string that tells what is seen."""
    names = list(query.columns) or [column.name for column in schema.numbers]
    numbers = [name for name in names if schema.column(name).is_number]
    match query.plot:
        case "hist":
            return _histogram(names[0], keys, language)
        case "box" | "violin" if names:
            return _boxes(query.plot, names[0], keys, language)
        case "scatter" if len(numbers) >= 2:
            return _scatter(numbers[0], numbers[1], keys, language)
        case "pair":
            grid = f"grid = sns.pairplot(data[[{', '.join(map(literal, numbers))}]])"
            title = f"grid.figure.suptitle({literal(', '.join(numbers))})"
            return [grid, title], told("pairs", language)
        case _:
            return _heatmap([name for name in query.columns if name in numbers], schema, language)


def _histogram(name: str, keys: Sequence[str], language: Language) -> Drawn:
    title = told("distribution", language, name=name)
    by = f"sns.histplot(data=data, x={literal(name)}, hue={literal(keys[0])}, ax=ax)" if keys else ""
    axes = f"xlabel={literal(name)}, ylabel={literal(say(language, 'rows', '件数'))}"
    lines = [f"values = data[{literal(name)}].dropna()", "fig, ax = plt.subplots()"]
    lines += [by or "ax.hist(values, bins=20)", f"ax.set(title={literal(title)}, {axes})"]
    return lines, told("histogram", language, title=inside(title))


def _boxes(plot: str, name: str, keys: Sequence[str], language: Language) -> Drawn:
    by = f", x={literal(keys[0])}" if keys else ""
    lines = ["fig, ax = plt.subplots()", f"sns.{plot}plot(data=data, y={literal(name)}{by}, ax=ax)"]
    lines.append(f"ax.set(title={literal(f'{name} / {keys[0]}' if keys else name)})")
    if not keys:
        lines.append(f"middle = data[{literal(name)}].median()")
        return lines, told("box", language, label=inside(name))
    lines.append(f"medians = data.groupby({literal(keys[0])})[{literal(name)}].median()")
    lines.append("highest, lowest = medians.idxmax(), medians.idxmin()")
    return lines, told("boxes", language, label=inside(name))


def _scatter(one: str, other: str, keys: Sequence[str], language: Language) -> Drawn:
    hue = f", hue={literal(keys[0])}" if keys else ""
    title = f"{other} / {one}"
    drawn = f"sns.scatterplot(data=data, x={literal(one)}, y={literal(other)}{hue}, ax=ax)"
    lines = ["fig, ax = plt.subplots()", drawn, f"ax.set(title={literal(title)})"]
    lines.append(f"value = data[{literal(one)}].corr(data[{literal(other)}])")
    return lines, told("scatter", language, title=inside(title))


def _heatmap(numbers: Sequence[str], schema: TableSchema, language: Language) -> Drawn:
    some = f"data[[{', '.join(map(literal, numbers))}]]"
    chosen = some if len(numbers) > 1 else "data.select_dtypes(['number', 'bool'])"
    title = told("correlations_in", language, table=schema.info.name)
    lines = [f"matrix = {chosen}.corr()", "display(matrix.round(3).reset_index(names='column'))"]
    lines += ["fig, ax = plt.subplots()", 'sns.heatmap(matrix, annot=True, fmt=".2f", ax=ax)']
    lines.append(f"ax.set(title={literal(title)})")
    lines.append(
        "pairs = [(one, other) for at, one in enumerate(matrix) for other in matrix.columns[at + 1 :]]"
    )
    lines.append("one, other = max(pairs, key=lambda pair: abs(matrix.loc[pair]))")
    return lines, told("heatmap", language, told="{one} / {other} ({matrix.loc[one, other]:.3f})")
