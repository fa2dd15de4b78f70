"""Code for figures: one number, several, or one for each group; as a table, a sentence, a plot, a file."""

from backend.builtin.cell import Value, file_stem, fstring, literal, variable
from backend.builtin.figures import FORMATS, condition, figure_name, row_noun, title, titled, where
from backend.builtin.intents import Aggregate
from backend.builtin.sheet import Sheet, bullets, computed, grouped, lines_of, loop_names, test
from backend.builtin.words import is_japanese
from backend.builtin.write_plots import plot_distribution, plot_groups

_MOST_LINES = 20
_WEEK_JA = '["月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"]'
_WEEK = '["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]'


def write_figures(sheet: Sheet) -> None:
    """The code of an `aggregate` intent."""
    several = len(sheet.intent.measures) > 1 or len(sheet.intent.aggregates) > 1
    if sheet.groups and several:
        _group_table(sheet)
    elif sheet.groups:
        _groups(sheet)
    elif sheet.intent.aggregates == ("count",):
        _count(sheet)
    elif sheet.intent.aggregates == ("share",):
        _share(sheet)
    else:
        _numbers(sheet)


def save(sheet: Sheet, frame: str, stem: str) -> str:
    """Adds the lines that save a frame as CSV; the sentence that says so."""
    name = file_stem(sheet.intent.file_name or stem)
    keys = [name for name in sheet.groups[:1] if sheet.intent.date]
    keys += [c.name for c in sheet.table.columns if c.kind == "date"] if frame in (sheet.rows, "top") else []
    sheet.cell.gap()
    sheet.cell.add(f"table = {frame}")
    for key in keys:
        column = f"table[{literal(key)}]"
        sheet.cell.add(f"{column} = {column}.astype(str)")
    if sheet.intent.file_kind == "xlsx":
        sheet.cell.add(f"table.to_excel({literal(name + '.xlsx')}, index=False)")
        said = say_saved(sheet.language, f"{name}.xlsx")
        return fstring(said[0], Value("len(table)", ":,"), said[1])
    sheet.cell.add(
        "table = table.astype(object).where(table.notna(), None)",
        f'save_data(table.to_dict(orient="list"), {literal(name)})',
    )
    said = (
        (" Saved {} rows to ", f"{name}.csv", ".")
        if sheet.language == "en"
        else (" ", f"{name}.csv", "に{}行を保存しました。")
    )
    before, _, after = "".join(said).partition("{}")
    return fstring(before, Value("len(table)", ":,"), after)


def say_saved(language: str, name: str) -> tuple[str, str]:
    """What is said before and after the number of rows that were saved."""
    return (" Saved ", f" rows to {name}.") if language == "en" else (f" {name}に", "行を保存しました。")


def _count(sheet: Sheet) -> None:
    noun = row_noun(sheet.table, sheet.language)
    sheet.cell.add(f"count = len({sheet.rows})")
    inside = where(sheet.intent.filters, sheet.language)
    if sheet.language == "ja":
        label = "行数" if noun == "行" else f"{noun}の数"
        sentence = fstring(f"{sheet.table.name}の{label}: ", Value("count", ":,"), f"{inside}")
    else:
        sentence = fstring(Value("count", ":,"), f" {noun} in {sheet.table.name}{inside}.")
    extra = [save(sheet, sheet.rows, f"{sheet.table.name}_rows")] if sheet.intent.save else []
    sheet.cell.answer(sentence, *extra)


def _share(sheet: Sheet) -> None:
    target = sheet.intent.target
    if target is None:
        raise ValueError("a share without groups needs a condition")
    column = sheet.table.column(target.column)
    sheet.cell.add(
        f"hits = ({test(sheet.rows, target, column)}).sum()",
        f"blanks = {sheet.column(target.column)}.isna().sum()",
        f"share = 100 * hits / len({sheet.rows})",
    )
    name = figure_name(sheet.intent, sheet.table, sheet.language, "share")
    inside = where(sheet.intent.filters, sheet.language)
    total = Value(f"len({sheet.rows})", ":,")
    if sheet.language == "ja":
        sentence = fstring(
            f"{name}{inside}: ", Value("share", ":.1f"), " %（", total, "行中", Value("hits", ":,"), "行）"
        )
        note = fstring(Value("blanks", ":,"), "行の空白は全体に含めています。")
        plain = '""'
    else:
        sentence = fstring(
            f"{titled(name)}{inside}: ",
            Value("share", ":.1f"),
            " % (",
            Value("hits", ":,"),
            " of ",
            total,
            " rows).",
        )
        note = fstring(" ", Value("blanks", ":,"), " blank cells are counted in the total.")
        plain = '""'
    if sheet.intent.plot:
        sheet.cell.use("plt")
        labels = literal(sheet.say("the others", "その他"))
        sheet.cell.gap()
        sheet.cell.add(
            "fig, ax = plt.subplots()",
            f"parts, labels = [hits, len({sheet.rows}) - hits], [{literal(condition(target))}, {labels}]",
            'ax.pie(parts, labels=labels, autopct="%.1f%%")',
            f"ax.set_title({literal(titled(name) + inside)})",
        )
    sheet.cell.answer(sentence, f"+ ({note} if blanks else {plain})")


def _numbers(sheet: Sheet) -> None:
    """One or several figures of the whole selection, each named in the answer."""
    inside = where(sheet.intent.filters, sheet.language)
    sentences: list[str] = []
    shown: list[tuple[str, str]] = []
    for measure in sheet.intent.measures:
        base = variable(measure, "figure")
        for aggregate in sheet.intent.aggregates:
            name = f"{aggregate}_{base}"
            while name in (taken for _, taken in shown):
                name += "_"
            label = figure_name(sheet.intent, sheet.table, sheet.language, aggregate, measure)
            sheet.cell.add(f"{name} = {sheet.column(measure)}{computed(aggregate)}")
            shown.append((label, name))
            lead = f"{titled(label) if sheet.language == 'en' else label}{'' if sentences else inside}"
            sentences.append(fstring(f"{lead}: ", Value(name, FORMATS[aggregate]), sheet.say(". ", "。")))
        used = f"{sheet.column(measure)}.count()"
        sheet.cell.add(f"used_{base} = {used}")
        rows = Value(f"len({sheet.rows})", ":,")
        counted = Value(f"used_{base}", ":,")
        sentences.append(
            fstring("（", rows, "行中、値のある", counted, "行から計算。）")
            if sheet.language == "ja"
            else fstring("(From ", counted, " values in ", rows, " rows.) ")
        )
    extra: list[str] = []
    if len(shown) > 1 or sheet.intent.save:
        sheet.cell.use("pd")
        sheet.cell.gap()
        pairs = ", ".join(f"{literal(label)}: [{name}]" for label, name in shown)
        sheet.cell.add(f"result = pd.DataFrame({{{pairs}}})", "display(result.round(2))")
    if sheet.intent.save:
        extra = [save(sheet, "result", "_".join([*sheet.intent.aggregates, *sheet.intent.measures]))]
    if sheet.intent.plot and len(sheet.intent.measures) == 1:
        plot_distribution(sheet)
    sheet.cell.answer(*sentences, *extra)


def _series(sheet: Sheet) -> str:
    """The expression of one figure for each group."""
    intent = sheet.intent
    aggregate = intent.aggregates[0]
    if aggregate == "count":
        return f"{grouped(sheet)}.size()"
    if aggregate != "share":
        return f"{grouped(sheet)}[{literal(intent.measures[0])}]{computed(aggregate)}"
    if intent.target is None and intent.measures:
        measure = literal(intent.measures[0])
        return f"100 * {grouped(sheet)}[{measure}].sum() / {sheet.column(intent.measures[0])}.sum()"
    if intent.target is None:
        return f"100 * {grouped(sheet)}.size() / len({sheet.rows})"
    column = sheet.table.column(intent.target.column)
    if column.is_flag and intent.target.values in ((1.0,), (True,)) and intent.target.comparison == "==":
        return f"100 * {grouped(sheet)}[{literal(column.name)}].mean()"
    sheet.cell.add(f"hit = {test(sheet.rows, intent.target, column)}")
    keys = ", ".join(sheet.column(group) for group in sheet.groups)
    return f"100 * hit.groupby({keys if len(sheet.groups) == 1 else '[' + keys + ']'}).mean()"


def _order(sheet: Sheet) -> str:
    """How groups are ordered: as asked, time as it runs, else the largest first."""
    intent = sheet.intent
    if intent.order:
        return f".sort_values(ascending={intent.order == 'asc'})"
    if intent.grain == "weekday" and len(sheet.groups) == 1:
        return f".reindex({_WEEK_JA if sheet.language == 'ja' else _WEEK}).dropna()"
    if intent.date or len(sheet.groups) > 1 or sheet.table.column(sheet.groups[0]).kind == "number":
        return ""
    return ".sort_values(ascending=False)"


def _groups(sheet: Sheet) -> None:
    intent = sheet.intent
    aggregate: Aggregate = intent.aggregates[0]
    measure = intent.measures[0] if intent.measures else ""
    name = figure_name(intent, sheet.table, sheet.language, aggregate, measure)
    limit = f".head({intent.limit})" if intent.limit else ""
    expression = _series(sheet)
    ordered = _order(sheet) + limit
    scaled = expression.startswith("100 *")
    sheet.cell.add(
        f"result = ({expression}){ordered}" if ordered and scaled else f"result = {expression}{ordered}"
    )
    if intent.window:
        sheet.cell.add(f"result = result.rolling({intent.window}).mean().dropna()")
        name = sheet.say(f"{name}, moving average of {intent.window}", f"{name}の{intent.window}点移動平均")
    if intent.change:
        call = "100 * result.pct_change()" if intent.change == "pct" else "result.diff()"
        sheet.cell.add(f"result = ({call}).dropna()")
        name = sheet.say(f"change in {name}", f"{name}の変化")
    column = name + (" (%)" if aggregate == "share" or intent.change == "pct" else "")
    rounded = "" if aggregate in ("count", "nunique") else ".round(2)"
    if intent.wide and len(sheet.groups) == 2:
        filled = "fill_value=0" if aggregate == "count" else ""
        sheet.cell.add(f"display(result{rounded}.unstack({filled}).reset_index())")
    else:
        sheet.cell.add(f"display(result{rounded}.reset_index(name={literal(column)}))")
    if intent.plot or intent.over_time:
        plot_groups(sheet, column)
    unit = " %" if aggregate == "share" or intent.change == "pct" else ""
    extra = [save(sheet, f"result.reset_index(name={literal(column)})", _stem(sheet))] if intent.save else []
    heading = title(intent, sheet.language, name)
    sheet.cell.gap()
    if intent.date and len(sheet.groups) == 1:
        _span(sheet, heading, FORMATS[aggregate], unit, extra)
        return
    if intent.date:
        first = _first_group(sheet)
        points = sheet.say(" groups in all; they are in the table above.", "組の値を上の表に示しました。")
        lead = _lead(sheet, name, first, FORMATS[aggregate], unit)
        sheet.cell.answer(lead, fstring(" ", Value("len(result)", ":,"), points), *extra)
        return
    _, names = loop_names(sheet)
    labels: list[str | Value] = []
    for place, loop in enumerate(names):
        labels += [", " if place else "- ", Value(loop)]
    bullet = fstring(*labels, ": ", Value("value", FORMATS[aggregate]), unit)
    lines_of(sheet, bullet, "value", f"result.head({_MOST_LINES}).items()")
    first = _first_group(sheet)
    lead = _lead(sheet, name, first, FORMATS[aggregate], unit)
    shown = fstring(f"\n\n{heading}:\n")
    sheet.cell.answer(lead, shown, f"+ {bullets()}", *[f"+ {literal(chr(10))} + {one}" for one in extra])


def _stem(sheet: Sheet) -> str:
    """The usual file name of grouped figures: mean_Temperature_by_roomname."""
    intent = sheet.intent
    target = (intent.target.column,) if intent.target else ()
    return "_".join([*intent.aggregates, *intent.measures, *target, "by", *sheet.groups])


def _first_group(sheet: Sheet) -> str:
    ascending = _looks_down(sheet)
    sheet.cell.add(f"first = result.idx{'min' if ascending else 'max'}()")
    if len(sheet.groups) > 1:
        sheet.cell.add('first_name = ", ".join(map(str, first))')
        return "first_name"
    return "first"


def _looks_down(sheet: Sheet) -> bool:
    return sheet.intent.order == "asc" or (sheet.intent.aggregates == ("min",) and not sheet.intent.order)


def _lead(sheet: Sheet, name: str, first: str, form: str, unit: str) -> str:
    lowest = _looks_down(sheet)
    if sheet.language == "ja":
        most = "最も低い" if lowest else "最も高い"
        if sheet.intent.aggregates[0] in ("count", "sum", "nunique"):
            most = "最も少ない" if lowest else "最も多い"
        return fstring(
            f"{name}が{most}のは", Value(first), "（", Value("result[first]", form), f"{unit}）です。"
        )
    if is_japanese(name):
        name = f"{name} of all groups"
    lead = f"{'Lowest' if lowest else 'Highest'} {name.removeprefix('minimum ').removeprefix('maximum ')}"
    if sheet.intent.aggregates == ("count",):
        lead = f"{'Fewest' if lowest else 'Most'} {row_noun(sheet.table, 'en')}"
    return fstring(
        f"{lead}: ",
        Value(first),
        " (",
        Value("result[first]", form),
        f"{unit}).",
    )


def _span(sheet: Sheet, heading: str, form: str, unit: str, extra: list[str]) -> None:
    """A time line's answer: its highest and lowest points."""
    sheet.cell.add("highest, lowest = result.idxmax(), result.idxmin()")
    high = (Value("result[highest]", form), unit)
    low = (Value("result[lowest]", form), unit)
    if sheet.language == "ja":
        sentence = fstring(
            f"{heading}: 最高は",
            Value("highest"),
            "の",
            *high,
            "、最低は",
            Value("lowest"),
            "の",
            *low,
            "です（全",
            Value("len(result)", ":,"),
            "点）。",
        )
    else:
        sentence = fstring(
            f"{heading}: highest ",
            *high,
            " (",
            Value("highest"),
            "), lowest ",
            *low,
            " (",
            Value("lowest"),
            "), ",
            Value("len(result)", ":,"),
            " points.",
        )
    sheet.cell.answer(sentence, *extra)


def _group_table(sheet: Sheet) -> None:
    """Several figures for each group: one column each."""
    intent = sheet.intent
    measures = ", ".join(map(literal, intent.measures))
    several = len(intent.measures) > 1
    if len(intent.aggregates) > 1:
        chosen = f"[{literal(intent.measures[0])}]" if intent.measures else f"[{literal(sheet.groups[0])}]"
        calls = ", ".join(literal(one) for one in intent.aggregates if one != "share")
        sheet.cell.add(f"result = {grouped(sheet)}{chosen}.agg([{calls}])")
        labels = [
            figure_name(
                intent, sheet.table, sheet.language, one, intent.measures[0] if intent.measures else ""
            )
            for one in intent.aggregates
            if one != "share"
        ]
    else:
        aggregate: Aggregate = "mean"
        for one in intent.aggregates:
            aggregate = one if one not in ("count", "share") else aggregate
        sheet.cell.add(f"result = {grouped(sheet)}[[{measures}]]{computed(aggregate)}")
        labels = [figure_name(intent, sheet.table, sheet.language, aggregate, one) for one in intent.measures]
    sheet.cell.add("display(result.round(2).reset_index())")
    label = " / ".join(intent.measures) if several else labels[0]
    if intent.plot or intent.over_time:
        plot_groups(sheet, label, wide=True)
    extra = (
        [
            save(
                sheet,
                "result.reset_index()",
                "_".join([*intent.aggregates, *intent.measures, "by", *sheet.groups]),
            )
        ]
        if intent.save
        else []
    )
    names = [f"value{place}" for place, _ in enumerate(labels, start=1)]
    _, loops = loop_names(sheet)
    parts: list[str | Value] = []
    for place, loop in enumerate(loops):
        parts += [", " if place else "- ", Value(loop)]
    for place, (name, one) in enumerate(zip(names, labels, strict=True)):
        parts += [", " if place else ": ", f"{one} ", Value(name, ":,.2f")]
    sheet.cell.gap()
    lines_of(
        sheet,
        fstring(*parts),
        f"({', '.join(names)})",
        f"zip(result.index[:{_MOST_LINES}], result.to_numpy())",
    )
    heading = title(intent, sheet.language, sheet.say(" and ", "と").join(labels))
    sheet.cell.answer(
        fstring(f"{heading}:\n"), f"+ {bullets()}", *[f"+ {literal(chr(10))} + {one}" for one in extra]
    )
