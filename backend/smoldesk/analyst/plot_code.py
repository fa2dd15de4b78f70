"""Plots of the values of columns as code: histograms, boxes, scatter plots and heatmaps; each says its key figure."""

from collections.abc import Sequence

from smoldesk.analyst.cell import literal
from smoldesk.analyst.language import Language, say
from smoldesk.analyst.query import Query
from smoldesk.analyst.schema import TableSchema


def values_lines(
    query: Query, schema: TableSchema, keys: Sequence[str], language: Language
) -> tuple[list[str], str]:
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
            listed = ", ".join(map(literal, numbers))
            drawn = [
                f"grid = sns.pairplot(data[[{listed}]])",
                f"grid.figure.suptitle({literal(', '.join(numbers))})",
            ]
            return drawn, say(
                language, "Pairs of columns, from {len(data):,} rows.", "列の組み合わせ({len(data):,}行)。"
            )
        case _:
            chosen = [name for name in query.columns if name in numbers]
            return _heatmap(chosen, schema, language)


def _text(text: str) -> str:
    """Text for the inside of an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")


def _histogram(name: str, keys: Sequence[str], language: Language) -> tuple[list[str], str]:
    title = say(language, f"Distribution of {name}", f"{name}の分布")
    drawn = (
        f"sns.histplot(data=data, x={literal(name)}, hue={literal(keys[0])}, ax=ax)"
        if keys
        else f"ax.hist(values, bins={20})"
    )
    lines = [
        f"values = data[{literal(name)}].dropna()",
        "fig, ax = plt.subplots()",
        drawn,
        f"ax.set(title={literal(title)}, xlabel={literal(name)}, ylabel={literal(say(language, 'rows', '件数'))})",
    ]
    english = (
        f"{_text(title)}: median {{values.median():,g}}, average {{values.mean():,.2f}},"
        f" from {{values.min():,g}} to {{values.max():,g}} ({{len(values):,}} values)."
    )
    japanese = (
        f"{_text(title)}: 中央値 {{values.median():,g}}、平均 {{values.mean():,.2f}}、"
        f"範囲 {{values.min():,g}}〜{{values.max():,g}}({{len(values):,}}件)。"
    )
    return lines, say(language, english, japanese)


def _boxes(plot: str, name: str, keys: Sequence[str], language: Language) -> tuple[list[str], str]:
    title = f"{name} / {keys[0]}" if keys else name
    by = f", x={literal(keys[0])}" if keys else ""
    lines = [
        "fig, ax = plt.subplots()",
        f"sns.{plot}plot(data=data, y={literal(name)}{by}, ax=ax)",
        f"ax.set(title={literal(title)})",
    ]
    label = _text(name)
    if not keys:
        lines.append(f"middle = data[{literal(name)}].median()")
        return lines, say(
            language,
            f"Median {label}: {{middle:,g}}, from {{len(data):,}} rows.",
            f"{label}の中央値: {{middle:,g}}({{len(data):,}}行)。",
        )
    lines += [
        f"medians = data.groupby({literal(keys[0])})[{literal(name)}].median()",
        "highest, lowest = medians.idxmax(), medians.idxmin()",
    ]
    english = f"Highest median {label}: {{highest}} ({{medians.max():,g}}), lowest: {{lowest}} ({{medians.min():,g}})."
    japanese = (
        f"{label}の中央値が最も大きいのは{{highest}} ({{medians.max():,"
        f"g}})、最も小さいのは{{lowest}} ({{medians.min():,g}})。"
    )
    return lines, say(language, english, japanese)


def _scatter(one: str, other: str, keys: Sequence[str], language: Language) -> tuple[list[str], str]:
    first, second = literal(one), literal(other)
    hue = f", hue={literal(keys[0])}" if keys else ""
    title = f"{other} / {one}"
    lines = [
        "fig, ax = plt.subplots()",
        f"sns.scatterplot(data=data, x={first}, y={second}{hue}, ax=ax)",
        f"ax.set(title={literal(title)})",
        f"value = data[{first}].corr(data[{second}])",
    ]
    english = f"{_text(title)}: correlation {{value:.3f}}, from {{len(data):,}} rows."
    return lines, say(language, english, f"{_text(title)}: 相関係数 {{value:.3f}}({{len(data):,}}行)。")


def _heatmap(numbers: Sequence[str], schema: TableSchema, language: Language) -> tuple[list[str], str]:
    chosen = (
        f"data[[{', '.join(map(literal, numbers))}]]"
        if len(numbers) > 1
        else "data.select_dtypes(['number', 'bool'])"
    )
    title = say(language, f"Correlations in {schema.info.name}", f"{schema.info.name}の相関")
    lines = [
        f"matrix = {chosen}.corr()",
        "display(matrix.round(3).reset_index(names='column'))",
        "fig, ax = plt.subplots()",
        'sns.heatmap(matrix, annot=True, fmt=".2f", ax=ax)',
        f"ax.set(title={literal(title)})",
        "pairs = [(one, other) for at, one in enumerate(matrix) for other in matrix.columns[at + 1 :]]",
        "one, other = max(pairs, key=lambda pair: abs(matrix.loc[pair]))",
    ]
    told = "{one} / {other} ({matrix.loc[one, other]:.3f})"
    return lines, say(
        language,
        f"Strongest correlation: {told}, from {{len(data):,}} rows.",
        f"最も強い相関: {told}({{len(data):,}}行)。",
    )
