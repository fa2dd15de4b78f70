"""Code for looking at a table: summary, first rows, size, columns, blanks, values, correlations, top rows."""

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.cell import Value, file_stem, fstring, literal, variable
from backend.builtin.column_names import concepts
from backend.builtin.figures import row_noun, share_name, titled, where
from backend.builtin.intents import DataIntent, Filter
from backend.builtin.sheet import Sheet
from backend.builtin.write_figures import save

_MOST_VALUES = 20
_MOST_PLOTS = 4


def _key_columns(sheet: Sheet) -> tuple[list[ColumnInfo], list[ColumnInfo]]:
    """The 0/1 columns with a known rate, and the number columns worth a figure."""
    chosen = sheet.intent.measures
    columns = [column for column in sheet.table.columns if not chosen or column.name in chosen]
    flags = [column for column in columns if column.kind == "number" and column.is_flag]
    numbers = [
        column
        for column in columns
        if column.kind == "number"
        and not column.is_flag
        and not (column.values and "class" in concepts(column.name))
    ]
    return flags, numbers


def write_describe(sheet: Sheet) -> None:
    """Statistics as a table, the key figures as a sentence, the distributions as a plot."""
    cell, intent, rows = sheet.cell, sheet.intent, sheet.rows
    flags, numbers = _key_columns(sheet)
    chosen = f"[[{', '.join(map(literal, intent.measures))}]]" if intent.measures else ""
    everything = "" if flags or numbers else 'include="all"'
    cell.add(f"summary = {rows}{chosen}.describe({everything})", "display(summary.round(2).reset_index())")
    noun = row_noun(sheet.table, sheet.language)
    inside = where(intent.filters, sheet.language)
    size = (Value(f"len({rows})", ":,"), Value(f"{rows}.shape[1]"))
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        sentences = [fstring(f"{sheet.table.name}{inside}の{label}: ", size[0], "、列数: ", size[1], "。")]
    else:
        sentences = [
            fstring(f"{sheet.table.name}{inside} has ", size[0], f" {noun} and ", size[1], " columns.")
        ]
    cell.gap()
    for column in flags[:2]:
        name = f"{variable(column.name, 'flag')}_rate"
        label = share_name(
            DataIntent(sheet.table.name, target=Filter(column.name, "==", (1.0,))),
            sheet.table,
            sheet.language,
        )
        cell.add(f"{name} = 100 * {sheet.column(column.name)}.mean()")
        sentences.append(_figure(sheet, label, Value(name, ":.1f"), " %"))
    for place, column in enumerate(numbers[:_MOST_PLOTS], start=1):
        name = f"mean_{variable(column.name, f'figure{place}')}"
        cell.add(f"{name} = {sheet.column(column.name)}.mean()")
        label = sheet.say(f"average {column.name}", f"{column.name}の平均")
        sentences.append(_figure(sheet, label, Value(name, ":,.2f"), ""))
    if numbers:
        _distributions(sheet, numbers[:_MOST_PLOTS])
    extra = [save(sheet, "summary.reset_index()", f"{sheet.table.name}_statistics")] if intent.save else []
    cell.answer(*sentences, *extra)


def _figure(sheet: Sheet, label: str, value: Value, unit: str) -> str:
    if sheet.language == "ja":
        return fstring(f"{label}: ", value, f"{unit}。")
    return fstring(f" {titled(label)}: ", value, f"{unit}.")


def _distributions(sheet: Sheet, numbers: list[ColumnInfo]) -> None:
    cell = sheet.cell
    cell.use("plt")
    cell.gap()
    names = ", ".join(literal(column.name) for column in numbers)
    count = literal(sheet.say(row_noun(sheet.table, "en"), "度数"))
    heading = literal(sheet.say(f"Distributions in {sheet.table.name}", f"{sheet.table.name}の分布"))
    down, across = (2, 2) if len(numbers) == 4 else (1, len(numbers))
    cell.add(
        f"columns = [{names}]",
        f"fig, axes = plt.subplots({down}, {across}, figsize=({4.5 * across}, {3.2 * down}), squeeze=False)",
        "for ax, column in zip(axes.flat, columns):",
        f"    ax.hist({sheet.rows}[column].dropna(), bins=20)",
        f"    ax.set(title=column, xlabel=column, ylabel={count})",
        f"fig.suptitle({heading})",
        "fig.tight_layout()",
    )


def write_head(sheet: Sheet) -> None:
    """The first rows; the answer says how many there are."""
    cell, rows = sheet.cell, sheet.rows
    limit = sheet.intent.limit or 5
    cell.add(f"display({rows}.head({limit}))")
    inside = where(sheet.intent.filters, sheet.language)
    size = (Value(f"len({rows})", ":,"), Value(f"{rows}.shape[1]"))
    noun = row_noun(sheet.table, sheet.language)
    shown = Value(f"min({limit}, len({rows}))")
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        sentence = fstring(
            f"{sheet.table.name}{inside}の{label}: ",
            size[0],
            "、列数: ",
            size[1],
            "。先頭の",
            shown,
            "行を表示しました。",
        )
    else:
        sentence = fstring(
            f"{sheet.table.name}{inside} has ",
            size[0],
            f" {noun} and ",
            size[1],
            " columns; here are the first ",
            shown,
            ".",
        )
    extra = [save(sheet, rows, f"{file_stem(sheet.table.name)}_rows")] if sheet.intent.save else []
    cell.answer(sentence, *extra)


def write_shape(sheet: Sheet) -> None:
    """How many rows and columns."""
    sheet.cell.add(f"rows, columns = {sheet.rows}.shape")
    name = sheet.table.name
    rows, columns = Value("rows", ":,"), Value("columns", ":,")
    sheet.cell.answer(
        fstring(f"{name}は", rows, "行、", columns, "列です。")
        if sheet.language == "ja"
        else fstring(f"{name} has ", rows, " rows and ", columns, " columns.")
    )


def write_columns(sheet: Sheet) -> None:
    """The names of the columns with their types."""
    cell, rows = sheet.cell, sheet.rows
    cell.add(
        f'display({rows}.dtypes.astype(str).rename_axis("column").reset_index(name="type"))',
        f'names = ", ".join(map(str, {rows}.columns))',
    )
    number = Value(f"{rows}.shape[1]")
    name = sheet.table.name
    cell.answer(
        fstring(f"{name}には", number, "列あります: ", Value("names"))
        if sheet.language == "ja"
        else fstring(f"{name} has ", number, " columns: ", Value("names"), ".")
    )


def write_missing(sheet: Sheet) -> None:
    """Blank cells by column."""
    cell = sheet.cell
    chosen = f"[[{', '.join(map(literal, sheet.intent.measures))}]]" if sheet.intent.measures else ""
    names = literal(sheet.say("column", "列")), literal(sheet.say("blank cells", "空白の数"))
    cell.add(
        f"blanks = {sheet.rows}{chosen}.isna().sum()",
        "blanks = blanks[blanks > 0].sort_values(ascending=False)",
        f"display(blanks.rename_axis({names[0]}).reset_index(name={names[1]}))",
    )
    none = sheet.say(
        f"There are no blank cells in {', '.join(sheet.intent.measures) or sheet.table.name}.",
        f"{'、'.join(sheet.intent.measures) or sheet.table.name}に空白はありません。",
    )
    cell.add("if blanks.empty:", f"    final_answer({literal(none)})")
    cell.gap()
    comma = literal(sheet.say(", ", "、"))
    each = fstring(Value("name"), " (", Value("number", ":,"), ")")
    cell.add(f"named = {comma}.join({each} for name, number in blanks.items())")
    total, number = Value("blanks.sum()", ":,"), Value("len(blanks)")
    cell.answer(
        fstring(f"{sheet.table.name}には", number, "列に合計", total, "個の空白があります: ", Value("named"))
        if sheet.language == "ja"
        else fstring(f"Blank cells in {sheet.table.name}: ", total, ". By column: ", Value("named"), ".")
    )


def write_distinct(sheet: Sheet) -> None:
    """The different values of a column, and how often each occurs."""
    column = sheet.intent.measures[0]
    inside = where(sheet.intent.filters, sheet.language)
    count = literal(sheet.say(f"number of {row_noun(sheet.table, 'en')}", "件数"))
    sheet.cell.add(
        f"counts = {sheet.column(column)}.value_counts()",
        f"display(counts.reset_index(name={count}))",
        f'values = ", ".join(sorted(map(str, counts.index))[:{_MOST_VALUES}])',
    )
    number = Value("len(counts)", ":,")
    extra = (
        [save(sheet, f"counts.reset_index(name={count})", f"{column}_values")] if sheet.intent.save else []
    )
    sheet.cell.answer(
        fstring(f"{column}{inside}は", number, "種類です: ", Value("values"))
        if sheet.language == "ja"
        else fstring(number, f" different values of {column}{inside}: ", Value("values"), "."),
        *extra,
    )


def write_top(sheet: Sheet) -> None:
    """The rows with the largest or smallest values of a column."""
    intent = sheet.intent
    column = intent.measures[0]
    call = "nsmallest" if intent.order == "asc" else "nlargest"
    sheet.cell.add(f"top = {sheet.rows}.{call}({intent.limit}, {literal(column)})", "display(top)")
    sheet.cell.add(
        f'values = ", ".join({fstring(Value("value", ":,.10g"))} for value in top[{literal(column)}])'
    )
    inside = where(intent.filters, sheet.language)
    small, large = sheet.say("smallest", "小さい"), sheet.say("largest", "大きい")
    extra = [save(sheet, "top", f"top_{column}")] if intent.save else []
    sheet.cell.answer(
        fstring(
            f"{column}の{small if intent.order == 'asc' else large}順に",
            Value("len(top)"),
            f"行{inside}: ",
            Value("values"),
        )
        if sheet.language == "ja"
        else fstring(
            "The ",
            Value("len(top)"),
            f" {small if intent.order == 'asc' else large} values of {column}{inside}: ",
            Value("values"),
            ".",
        ),
        *extra,
    )


def write_correlation(sheet: Sheet) -> None:
    """The correlation of two columns, of one with all others, or of all number columns."""
    measures = sheet.intent.measures
    if len(measures) == 2 and sheet.intent.plot != "heatmap":
        _pair(sheet)
        return
    cell, rows = sheet.cell, sheet.rows
    chosen = f"[[{', '.join(map(literal, measures))}]]" if len(measures) > 2 else ""
    cell.add(f"matrix = {rows}{chosen}.corr(numeric_only=True)", "display(matrix.round(3).reset_index())")
    cell.use("plt", "sns")
    cell.gap()
    heading = sheet.say(f"Correlations in {sheet.table.name}", f"{sheet.table.name}の相関")
    cell.add(
        "fig, ax = plt.subplots()",
        'sns.heatmap(matrix, annot=True, fmt=".2f", vmin=-1, vmax=1, cmap="coolwarm", ax=ax)',
        f"ax.set_title({literal(heading)})",
    )
    cell.gap()
    if len(measures) == 1:
        cell.add(
            f"others = matrix[{literal(measures[0])}].drop({literal(measures[0])}).dropna()",
            "strongest = others.abs().idxmax()",
        )
        value, pair = Value("others[strongest]", ":.3f"), (f"{measures[0]}", " / ", Value("strongest"))
    else:
        cell.use("np")
        cell.add(
            "pairs = matrix.where(np.triu(np.ones(matrix.shape, dtype=bool), k=1)).stack()",
            "first, second = pairs.abs().idxmax()",
        )
        value, pair = Value("pairs[first, second]", ":.3f"), ("", Value("first"), " / ", Value("second"))
    cell.answer(
        fstring("相関が最も強いのは ", *pair, " で、相関係数は ", value, " です。")
        if sheet.language == "ja"
        else fstring("Strongest correlation: ", *pair, " (", value, ").")
    )


def _pair(sheet: Sheet) -> None:
    first, second = sheet.intent.measures
    cell = sheet.cell
    cell.add(
        f"pairs = {sheet.rows}[[{literal(first)}, {literal(second)}]].dropna()",
        f"correlation = pairs[{literal(first)}].corr(pairs[{literal(second)}])",
        "display(pairs.corr().round(3).reset_index())",
    )
    if sheet.intent.plot:
        cell.use("plt")
        cell.gap()
        heading = sheet.say(f"{titled(second)} against {first}", f"{first}と{second}")
        cell.add(
            "fig, ax = plt.subplots()",
            f"ax.scatter(pairs[{literal(first)}], pairs[{literal(second)}], alpha=0.4)",
            f"ax.set(title={literal(heading)}, xlabel={literal(first)}, ylabel={literal(second)})",
        )
    cell.gap()
    words = sheet.say(
        '["no", "a weak", "a moderate", "a strong"]',
        '["ほとんど相関なし", "弱い相関", "中程度の相関", "強い相関"]',
    )
    cell.add(f"strength = {words}[sum(abs(correlation) >= edge for edge in (0.1, 0.3, 0.6))]")
    number = Value("len(pairs)", ":,")
    inside = where(sheet.intent.filters, sheet.language)
    value = Value("correlation", ":.3f")
    cell.answer(
        fstring(
            f"{first}と{second}{inside}の相関係数: ",
            value,
            "（",
            Value("strength"),
            "、両方の値がある",
            number,
            "行）。",
        )
        if sheet.language == "ja"
        else fstring(
            f"Correlation of {first} and {second}{inside}: ",
            value,
            " (",
            Value("strength"),
            " correlation, from ",
            number,
            " rows that have both values).",
        )
    )
