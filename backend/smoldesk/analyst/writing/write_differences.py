"""Code for a difference: of one figure between two groups, within each group of another column, or of two columns."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.intents import Aggregate
from smoldesk.analyst.questions.side_names import side_name
from smoldesk.analyst.tables.figures import (
    condition,
    figure_name,
    form_of,
    titled,
    where,
)
from smoldesk.analyst.writing.plot_groups import label_bars
from smoldesk.analyst.writing.row_tests import test
from smoldesk.analyst.writing.sheet import Sheet, computed, figure_of
from smoldesk.analyst.writing.usual import usual_note


def write_difference(sheet: Sheet) -> None:
    """The first side's figure minus the second's, with both figures."""
    intent = sheet.intent
    aggregate = intent.aggregates[0]
    if not intent.sides:
        _columns(sheet, aggregate)
        return
    names = [side_name(one, sheet.language) for one in intent.sides]
    for variable, side in zip(("first", "second"), intent.sides, strict=True):
        sheet.cell.add(f"{variable} = {sheet.rows}[{test(sheet.rows, side, sheet.table)}]")
    either = sheet.say(
        f"There are no rows for {condition(intent.sides[0])} or for {condition(intent.sides[1])}.",
        f"{condition(intent.sides[0])} または {condition(intent.sides[1])} の行がありません。",
    )
    sheet.cell.add("if first.empty or second.empty:", f"    final_answer({literal(either)})")
    measure = intent.measures[0] if intent.measures else ""
    figure = figure_name(intent, sheet.table, sheet.language, aggregate, measure)
    counted = (Value("len(first)", ":,"), Value("len(second)", ":,"))
    if sheet.language == "ja":
        sheet.note(f"行数は{names[0]}が", counted[0], f"、{names[1]}が", counted[1], "。")
    else:
        sheet.note(f"{names[0]}: ", counted[0], f" rows; {names[1]}: ", counted[1], " rows.")
    usual_note(sheet, beside=False)
    if sheet.groups:
        _by_group(sheet, aggregate, figure, names)
        return
    sheet.cell.add(
        f"one, other = {_figure(sheet, 'first', aggregate)}, {_figure(sheet, 'second', aggregate)}",
        "difference = one - other",
    )
    _table(sheet, names, figure)
    _tell(sheet, figure, names, form_of(aggregate), " %" if aggregate == "share" else "")


def _figure(sheet: Sheet, rows: str, aggregate: Aggregate) -> str:
    intent = sheet.intent
    if aggregate == "count":
        return f"len({rows})"
    if aggregate == "share" and intent.target:
        return f"100 * ({test(rows, intent.target, sheet.table)}).mean()"
    return figure_of(sheet.column(intent.measures[0], rows), aggregate)


def _columns(sheet: Sheet, aggregate: Aggregate) -> None:
    """Two columns: their figures, over the rows that have both values."""
    one, other = sheet.intent.measures
    sheet.cell.add(
        f"both = {sheet.rows}.dropna(subset=[{literal(one)}, {literal(other)}])",
        f"one, other = {figure_of(sheet.column(one, 'both'), aggregate)}, "
        f"{figure_of(sheet.column(other, 'both'), aggregate)}",
        "difference = one - other",
    )
    rows, used = Value(f"len({sheet.rows})", ":,"), Value("len(both)", ":,")
    if sheet.language == "ja":
        sheet.note("全", rows, "行のうち、両方の値がある", used, "行から計算しました。")
    else:
        sheet.note("From the ", used, " of ", rows, " rows that have both values.")
    usual_note(sheet, beside=False)
    figure = figure_name(sheet.intent, sheet.table, sheet.language, aggregate, sheet.say("value", "値"))
    _table(sheet, [one, other], figure)
    _tell(sheet, figure, [one, other], form_of(aggregate), "")


def _table(sheet: Sheet, names: list[str], figure: str) -> None:
    cell = sheet.cell
    cell.use("pd")
    heads = literal(sheet.say("group", "グループ")), literal(figure)
    cell.add(
        f"result = pd.DataFrame({{{heads[0]}: [{', '.join(map(literal, names))}], {heads[1]}: [one, other]}})",
        "display(result.round(2))",
    )
    if sheet.intent.plot:
        cell.use("plt")
        cell.gap()
        heading = titled(figure) + where(sheet.intent.filters, sheet.language)
        cell.add(
            "fig, ax = plt.subplots()",
            f"ax.bar(result[{heads[0]}], result[{heads[1]}])",
            f"ax.set(title={literal(heading)}, ylabel={literal(figure)})",
        )


def _tell(sheet: Sheet, figure: str, names: list[str], form: str, unit: str) -> None:
    inside = where(sheet.intent.filters, sheet.language)
    one, other = (Value("one", form), unit), (Value("other", form), unit)
    points = (" percentage points" if sheet.language == "en" else "ポイント") if unit else ""
    if sheet.intent.change == "pct" and not unit:
        _tell_percent(sheet, figure, names, one, other)
        return
    apart, away = Value("difference", form), Value("abs(difference)", form)
    ways = sheet.say('"lower" if difference < 0 else "higher"', '"低い" if difference < 0 else "高い"')
    sheet.cell.add(f"way = {ways}")
    if sheet.language == "ja":
        sheet.answer(
            fstring(f"{figure}の差{inside}（{names[0]} − {names[1]}）: ", apart, f"{points}。"),
            fstring(f"{names[0]}のほうが", away, points, Value("way"), "（", *one, " 対 ", *other, "）。"),
        )
        return
    sheet.answer(
        fstring(f"Difference in {figure}{inside}, {names[0]} − {names[1]}: ", apart, f"{points}. "),
        fstring(
            f"{titled(names[0])} is ", away, f"{points} ", Value("way"), " (", *one, " against ", *other, ")."
        ),
    )


def _tell_percent(
    sheet: Sheet, figure: str, names: list[str], one: tuple[Value, str], other: tuple[Value, str]
) -> None:
    """How many percent of the second side's figure the first one's is above or below it."""
    inside = where(sheet.intent.filters, sheet.language)
    none = sheet.say(
        f"The {figure} of {names[1]} is 0, so there is no change in percent.",
        f"{names[1]}の{figure}は0のため、割合では表せません。",
    )
    sheet.cell.add(
        "if not other:", f"    final_answer({literal(none)})", "percent = 100 * difference / abs(other)"
    )
    apart = Value("percent", ":+.2f")
    if sheet.language == "ja":
        sheet.answer(
            fstring(
                f"{figure}{inside}の{names[1]}に対する{names[0]}: ",
                apart,
                " %（",
                *one,
                " 対 ",
                *other,
                "）。",
            )
        )
        return
    sheet.answer(
        fstring(
            f"{titled(figure)}{inside}, {names[0]} against {names[1]}: ",
            apart,
            " % (",
            *one,
            " against ",
            *other,
            ").",
        )
    )


def _by_group(sheet: Sheet, aggregate: Aggregate, figure: str, names: list[str]) -> None:
    """The difference within each group of the other columns."""
    keys = ", ".join(map(literal, sheet.groups))
    by = keys if len(sheet.groups) == 1 else f"[{keys}]"
    cell, intent = sheet.cell, sheet.intent
    cell.use("pd")
    if aggregate == "share" and intent.target:
        target = intent.target
        for rows in ("first", "second"):
            hit = test(rows, target, sheet.table)
            cell.add(f"{rows} = {rows}.assign(hit=100 * ({hit}))")
        calls = ['.groupby({})["hit"].mean()'] * 2
    elif aggregate == "count":
        calls = [".groupby({}).size()"] * 2
    else:
        calls = [f".groupby({{}})[{literal(intent.measures[0])}]{computed(aggregate)}"] * 2
    one, other = (f"{rows}{call.format(by)}" for rows, call in zip(("first", "second"), calls, strict=True))
    heads = [literal(name) for name in names]
    apart = literal(sheet.say("difference", "差"))
    cell.add(
        f"result = pd.DataFrame({{{heads[0]}: {one}, {heads[1]}: {other}}})",
        f"result[{apart}] = result[{heads[0]}] - result[{heads[1]}]",
        "display(result.round(2).reset_index())",
    )
    cell.gap()
    cell.add(
        f"gaps = result[{apart}].dropna()",
        "if gaps.empty:",
        f"    final_answer({literal(sheet.say('No group has rows on both sides.', '両方の行があるグループがありません。'))})",
        "widest = gaps.abs().idxmax()",
        f"widest_name = {'widest' if len(sheet.groups) == 1 else chr(34) + ', ' + chr(34) + '.join(map(str, widest))'}",
    )
    if intent.plot:
        cell.use("plt")
        cell.gap()
        cell.add("fig, ax = plt.subplots()", f'result[[{heads[0]}, {heads[1]}]].plot(kind="bar", ax=ax)')
        label_bars(sheet, titled(figure), figure)
    bullet = fstring("- ", Value("name"), ": ", Value("gap", form_of(aggregate)))
    each = (
        "name" if len(sheet.groups) == 1 else 'name if isinstance(name, str) else ", ".join(map(str, name))'
    )
    cell.add(
        f"named = [({each}, gap) for name, gap in gaps.items()]", f"lines = [{bullet} for name, gap in named]"
    )
    inside = where(intent.filters, sheet.language)
    gap = Value("gaps[widest]", form_of(aggregate))
    lead = (
        fstring(
            f"{figure}の差{inside}（{names[0]} − {names[1]}）が最も大きいのは",
            Value("widest_name"),
            "（",
            gap,
            "）です。",
        )
        if sheet.language == "ja"
        else fstring(
            f"Widest difference in {figure}{inside}, {names[0]} − {names[1]}: ",
            Value("widest_name"),
            " (",
            gap,
            ").",
        )
    )
    sheet.answer(lead, '"\\n\\n"', '+ "\\n".join(lines[:20])')
