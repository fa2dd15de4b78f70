"""Code for figures: a count, one number, several; groups, shares and files have files of their own."""

from smoldesk.analyst.cell import (
    Value,
    fstring,
    literal,
    variable,
)
from smoldesk.analyst.tables.figures import (
    figure_name,
    form_of,
    row_noun,
    titled,
    where,
)
from smoldesk.analyst.writing.sheet import Sheet, figure_of
from smoldesk.analyst.writing.usual import usual_note
from smoldesk.analyst.writing.write_cells import answer_one_row
from smoldesk.analyst.writing.write_files import save
from smoldesk.analyst.writing.write_group_tables import write_group_table
from smoldesk.analyst.writing.write_groups import write_groups
from smoldesk.analyst.writing.write_numbers import write_numbers
from smoldesk.analyst.writing.write_plots import plot_distribution
from smoldesk.analyst.writing.write_shares import write_share
from smoldesk.analyst.writing.write_span_of_days import write_span_of_days

_USUAL = (("sum", "mean", "min", "max"), ("mean", "median", "min", "max"))
"""What is computed where no figure was named."""


def write_figures(sheet: Sheet) -> None:
    """The code of an `aggregate` intent."""
    several = len(sheet.intent.measures) > 1 or len(sheet.intent.aggregates) > 1
    if sheet.intent.per_thing:
        write_numbers(sheet)
    elif sheet.groups and several:
        write_group_table(sheet)
    elif sheet.groups:
        write_groups(sheet)
    elif sheet.intent.aggregates == ("count",):
        _count(sheet)
    elif sheet.intent.aggregates == ("share",):
        write_share(sheet)
    elif sheet.intent.aggregates == ("min", "max") and _of_days(sheet):
        write_span_of_days(sheet)
    else:
        _numbers(sheet)


def _of_days(sheet: Sheet) -> bool:
    return [sheet.table.column(name).kind for name in sheet.intent.measures] == ["date"]


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
    sheet.answer(sentence, *extra)


def _numbers(sheet: Sheet) -> None:
    """One or several figures of the whole selection, each named in the answer."""
    intent = sheet.intent
    inside = where(intent.filters, sheet.language)
    sentences: list[str] = []
    shown: list[tuple[str, str]] = []
    if intent.unnamed and intent.aggregates in _USUAL:
        answer_one_row(sheet)
    if intent.measures:
        _refuse_empty(sheet)
    for measure in intent.measures:
        base = variable(measure, "figure")
        for aggregate in intent.aggregates:
            name = f"{aggregate}_{base}"
            while name in (taken for _, taken in shown):
                name += "_"
            label = figure_name(intent, sheet.table, sheet.language, aggregate, measure)
            counted = aggregate == "count"
            value = f"len({sheet.rows})" if counted else figure_of(sheet.column(measure), aggregate)
            sheet.cell.add(f"{name} = {value}")
            if counted and label in (one for one, _ in shown):
                continue
            shown.append((label, name))
            lead = f"{titled(label) if sheet.language == 'en' else label}{'' if sentences else inside}"
            gap = sheet.say(" ", "") if sentences else ""
            sentences.append(fstring(f"{gap}{lead}: ", Value(name, form_of(aggregate)), sheet.say(".", "。")))
            if aggregate == "mean" and (ratio := _ratio_of_totals(sheet, measure, base)):
                sentences.append(ratio)
        _values_used(sheet, measure, f"used_{base}")
    if intent.order and len(intent.measures) > 1 and len(intent.aggregates) == 1:
        sentences = [_ranked(sheet, [name for _, name in shown]), *sentences]
    extra: list[str] = []
    if len(shown) > 1 or intent.save:
        sheet.cell.use("pd")
        sheet.cell.gap()
        pairs = ", ".join(f"{literal(label)}: [{name}]" for label, name in shown)
        sheet.cell.add(f"result = pd.DataFrame({{{pairs}}})", "display(result.round(2))")
    if intent.save:
        extra = [save(sheet, "result", "_".join([*intent.aggregates, *intent.measures]))]
    if intent.plot and len(intent.measures) == 1:
        plot_distribution(sheet)
    usual_note(sheet)
    sheet.answer(*sentences, *extra)


def _ranked(sheet: Sheet, names: list[str]) -> str:
    """Which of several columns has the highest figure, or the lowest; `names` are the variables that hold them."""
    intent = sheet.intent
    pairs = ", ".join(f"{literal(one)}: {name}" for one, name in zip(intent.measures, names, strict=True))
    most = "max" if intent.order == "desc" else "min"
    sheet.cell.add(f"figures = {{{pairs}}}", f"first = {most}(figures, key=figures.get)")
    lead = sheet.say(
        "Highest: " if most == "max" else "Lowest: ",
        "最も高いのは" if most == "max" else "最も低いのは",
    )
    return fstring(lead, Value("first", ""), sheet.say(". ", "です。"))


def _ratio_of_totals(sheet: Sheet, measure: str, base: str) -> str:
    """Beside the average of the rows' own ratios that of their totals, which is another figure; empty for other columns."""
    made = next((one for one in sheet.intent.derived if one.name == measure and one.sign == "÷"), None)
    if made is None:
        return ""
    both = f"both_{base}"
    upper, lower = (sheet.column(name, both) for name in made.columns)
    sheet.cell.add(
        f"{both} = {sheet.rows}.dropna(subset=[{literal(measure)}])",
        f"overall_{base} = {upper}.sum() / {lower}.sum()",
    )
    value = Value(f"overall_{base}", form_of("mean"))
    if sheet.language == "ja":
        return fstring(f"合計同士の比（{made.columns[0]} ÷ {made.columns[1]}）: ", value, "。")
    return fstring(f" Total {made.columns[0]} ÷ total {made.columns[1]}: ", value, ".")


def _refuse_empty(sheet: Sheet) -> None:
    """Ends the cell where a column has no value at all in these rows: there is no figure of nothing."""
    for measure in sheet.intent.measures:
        none = sheet.say(f"There are no values of {measure} here.", f"{measure}に値がありません。")
        sheet.cell.add(f"if {sheet.column(measure)}.isna().all():", f"    final_answer({literal(none)})")


def _values_used(sheet: Sheet, measure: str, name: str) -> None:
    sheet.cell.add(f"{name} = {sheet.column(measure)}.count()")
    rows, used = Value(f"len({sheet.rows})", ":,"), Value(name, ":,")
    several = len(sheet.intent.measures) > 1
    if sheet.language == "ja":
        sheet.note(f"{measure}: " if several else "", rows, "行中、値のある", used, "行から計算。")
    else:
        sheet.note(f"{measure}: from " if several else "From ", used, " values in ", rows, " rows.")
