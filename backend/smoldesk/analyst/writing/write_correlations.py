"""Code for correlations: of two columns, of one with all others, of all number columns, as a pair plot."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.tables.figures import titled, where
from smoldesk.analyst.writing.sheet import Sheet

_MOST_PAIRS = 5


def write_correlation(sheet: Sheet) -> None:
    """The correlation of two columns, of one with all others, or of all number columns."""
    measures = sheet.intent.measures
    if len(measures) == 2 and sheet.intent.plot != "heatmap":
        _pair(sheet)
        return
    cell, rows = sheet.cell, sheet.rows
    chosen = f"[[{', '.join(map(literal, measures))}]]" if len(measures) > 2 else ""
    ids = [column.name for column in sheet.table.columns if column.kind == "number" and column.is_id]
    if ids := [name for name in ids if name not in measures]:
        chosen = chosen or f".drop(columns=[{', '.join(map(literal, ids))}])"
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
        _strongest(sheet)
        return
    sheet.answer(
        fstring("相関が最も強いのは ", *pair, " で、相関係数は ", value, " です。")
        if sheet.language == "ja"
        else fstring("Strongest correlation: ", *pair, " (", value, ").")
    )


def write_pairs(sheet: Sheet) -> None:
    """A pair plot of the named number columns, or of the first five that measure something."""
    measures = sheet.intent.measures or tuple(
        column.name
        for column in sheet.table.columns
        if column.kind == "number" and not column.is_flag and not column.is_id
    )
    shown, left_out = measures[:_MOST_PAIRS], measures[_MOST_PAIRS:]
    cell = sheet.cell
    cell.use("sns")
    names = ", ".join(map(literal, shown))
    hue = f", hue={literal(sheet.groups[0])}" if sheet.groups else ""
    heading = sheet.say(f"Pairs of columns in {sheet.table.name}", f"{sheet.table.name}の列の組み合わせ")
    heading += where(sheet.intent.filters, sheet.language)
    cell.add(
        f"columns = [{names}]",
        f"grid = sns.pairplot({sheet.rows}, vars=columns{hue}, height=2.0)",
        f"grid.figure.suptitle({literal(heading)}, y=1.02)",
    )
    cell.gap()
    cell.add(f"matrix = {sheet.rows}[columns].corr()", "display(matrix.round(3).reset_index())")
    if left_out:
        rest = sheet.say(", ", "、").join(left_out)
        sheet.note(sheet.say(f"Left out of the plot: {rest}.", f"図に入れていない列: {rest}。"))
    _strongest(sheet)


def _strongest(sheet: Sheet) -> None:
    """The answer about `matrix`: its strongest pair."""
    cell = sheet.cell
    cell.use("np")
    cell.add(
        "pairs = matrix.where(np.triu(np.ones(matrix.shape, dtype=bool), k=1)).stack()",
        "first, second = pairs.abs().idxmax()",
    )
    value, pair = Value("pairs[first, second]", ":.3f"), (Value("first"), " / ", Value("second"))
    sheet.answer(
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
    sheet.answer(
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
