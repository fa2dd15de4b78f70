"""Sentences about figures of groups: the highest or lowest one, a line for each, and a time line's extremes."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.intents import Filter
from smoldesk.analyst.tables.figures import row_noun, where
from smoldesk.analyst.words.text import is_japanese
from smoldesk.analyst.writing.sheet import (
    Sheet,
    bullets,
    lines_of,
    loop_names,
)
from smoldesk.analyst.writing.write_files import own_line

MOST_LINES = 20
_ALL_NAMED = 5
"""Of so few that were asked for, the first sentence names all."""


def answer_lines(sheet: Sheet, name: str, heading: str, form: str, unit: str, extra: list[str]) -> None:
    """The highest or lowest group, then a line for each, 20 at most."""
    _, names = loop_names(sheet)
    labels: list[str | Value] = []
    for place, loop in enumerate(names):
        labels += [", " if place else "- ", Value(loop)]
    bullet = fstring(*labels, ": ", Value("value", form), unit)
    valued = ".dropna()" if sheet.intent.measures else ""
    lines_of(sheet, bullet, "value", f"result{valued}.head({MOST_LINES}).items()")
    lead = _lead(sheet, name, first_group(sheet), form, unit)
    note_rest(sheet)
    shown = fstring(f"\n\n{heading}:\n")
    sheet.answer(lead, shown, f"+ {bullets()}", *map(own_line, extra))


def at_place(sheet: Sheet, ranked: str) -> None:
    """Says that a ranking is not as long as that, instead of answering with its last one."""
    place = sheet.intent.place
    short = sheet.say(f"the ranking has no place {place}", f"順位は{place}番目までありません")
    sheet.cell.add(f"if len({ranked}) == 0:", f"    raise ValueError({short!r})")


def note_rest(sheet: Sheet) -> None:
    """Says how many groups there are beyond those that are listed."""
    more = Value(f"len(result) - {MOST_LINES}", ":,")
    if sheet.language == "ja":
        sheet.note("ほかの", more, "組は上の表にあります。", when=f"len(result) > {MOST_LINES}")
    else:
        sheet.note(more, " more groups are in the table above.", when=f"len(result) > {MOST_LINES}")


def answer_points(sheet: Sheet, name: str, form: str, unit: str, extra: list[str]) -> None:
    """Groups over time: the highest or lowest point; all of them are in the table."""
    lead = _lead(sheet, name, first_group(sheet), form, unit)
    points = sheet.say(" groups in all; they are in the table above.", "組の値を上の表に示しました。")
    sheet.answer(lead, fstring(" ", Value("len(result)", ":,"), points), *extra)


def first_group(sheet: Sheet) -> str:
    """The variable that holds the name of the highest group, or of the lowest when that is asked for."""
    sheet.cell.add(f"first = result.idx{'min' if _looks_down(sheet) else 'max'}()")
    if len(sheet.groups) > 1:
        timed = sheet.intent.date and not sheet.intent.grain
        said = 'str(part).removesuffix(" 00:00:00") for part in first' if timed else "map(str, first)"
        sheet.cell.add(f'first_name = ", ".join({said})')
        return "first_name"
    return "first"


def _looks_down(sheet: Sheet) -> bool:
    return sheet.intent.order == "asc" or (sheet.intent.aggregates == ("min",) and not sheet.intent.order)


def _lead(sheet: Sheet, name: str, first: str, form: str, unit: str) -> str:
    lowest = _looks_down(sheet)
    figure = Value("result[first]", form)
    if both := _several_cells(sheet):
        return _all_of_them(sheet, both)
    if sheet.language == "ja" and sheet.intent.place:
        added = sheet.intent.aggregates[0] in ("count", "sum", "nunique")
        most = ("少ない" if added else "低い") if lowest else ("多い" if added else "高い")
        return fstring(
            f"{name}が{sheet.intent.place}番目に{most}のは", Value(first), "（", figure, f"{unit}）です。"
        )
    if sheet.language == "ja":
        most = "最も低い" if lowest else "最も高い"
        if sheet.intent.aggregates[0] in ("count", "sum", "nunique"):
            most = "最も少ない" if lowest else "最も多い"
        if sheet.intent.sides:
            all_named = _all_named(sheet, form, unit)
            return fstring(f"{name}が{most.removeprefix('最も')}順に: ", all_named, "。")
        return fstring(f"{name}が{most}のは", Value(first), "（", figure, f"{unit}）です。")
    if is_japanese(name):
        name = f"{name} of all groups"
    lead = f"{'Lowest' if lowest else 'Highest'} {name.removeprefix('minimum ').removeprefix('maximum ')}"
    stepped = sheet.intent.change or sheet.intent.running or sheet.intent.window
    if sheet.intent.aggregates == ("count",) and not stepped:
        lead = f"{'Fewest' if lowest else 'Most'} {row_noun(sheet.table, 'en')}"
    if sheet.intent.order and 2 <= sheet.intent.limit <= _ALL_NAMED and first == "first":
        return fstring(f"{lead}: ", _all_named(sheet, form, unit), ".")
    return fstring(f"{lead}: ", Value(first), " (", figure, f"{unit}).")


def _all_named(sheet: Sheet, form: str, unit: str) -> Value:
    """The variable that holds all groups with their figures."""
    each = fstring(Value("group"), " (", Value("value", form), f"{unit})")
    sheet.cell.add(f'all_named = ", ".join({each} for group, value in result.dropna().items())')
    return Value("all_named")


def _several_cells(sheet: Sheet) -> Filter | None:
    """The condition of `how many Hardware and Billing tickets`: several cells of the column that it is cut by."""
    intent = sheet.intent
    plain = intent.aggregates == ("count",) and not (
        intent.date or intent.order or intent.change or intent.running
    )
    if not plain or len(intent.groups) != 1:
        return None
    of_it = [one for one in intent.filters if intent.groups[0] in one.columns]
    return next(
        (
            one
            for one in of_it
            if one.comparison == "==" and 1 < len(one.values) <= _ALL_NAMED and not one.part
        ),
        None,
    )


def _all_of_them(sheet: Sheet, both: Filter) -> str:
    """How many rows they are together, then each."""
    each = fstring(Value("group"), " ", Value("value", ":,"))
    values = "[" + ", ".join(map(literal, both.values)) + "]"
    sheet.cell.add(
        f'each = ", ".join({each} for group, value in result.reindex({values}, fill_value=0).items())'
    )
    inside = where(sheet.intent.filters, sheet.language)
    total, noun = Value("result.sum()", ":,"), row_noun(sheet.table, sheet.language)
    if sheet.language == "ja":
        return fstring(f"{sheet.table.name}の{noun}の数{inside}: ", total, "（", Value("each"), "）。")
    return fstring(total, f" {noun} in {sheet.table.name}{inside}: ", Value("each"), ".")


def span(sheet: Sheet, heading: str, form: str, unit: str, extra: list[str]) -> None:
    """A time line's answer: its highest and lowest points, or where a running total ends."""
    points = Value("len(result)", ":,")
    if sheet.intent.running:
        last = (Value("result.iloc[-1]", form), unit, sheet.say(" (", "（"), Value("result.index[-1]"))
        closing = sheet.say((" points)."), "点）。")
        sheet.answer(fstring(f"{heading}: ", *last, sheet.say(", ", "、全"), points, closing), *extra)
        return
    sheet.cell.add("highest, lowest = result.idxmax(), result.idxmin()")
    high = (Value("result[highest]", form), unit)
    low = (Value("result[lowest]", form), unit)
    highest, lowest = Value("highest"), Value("lowest")
    if sheet.intent.limit == 1 and sheet.language == "ja":
        most = "最も低い" if sheet.intent.order == "asc" else "最も高い"
        sheet.answer(fstring(f"{heading}が{most}のは", highest, "の", *high, "です。"), *extra)
        return
    if sheet.intent.limit == 1:
        most = "lowest" if sheet.intent.order == "asc" else "highest"
        sheet.answer(fstring(f"{heading}: {most} ", *high, " (", highest, ")."), *extra)
        return
    if sheet.intent.window:
        final = (Value("result.iloc[-1]", form), unit)
        ends = ("、最後は", *final) if sheet.language == "ja" else ("last ", *final, ", ")
    else:
        ends = ()
    if sheet.language == "ja":
        extremes = ("最高は", highest, "の", *high, "、最低は", lowest, "の", *low, *ends)
        first = ("平均", Value("result.mean()", form), unit, "、") if sheet.intent.averaged else ()
        sentence = fstring(f"{heading}: ", *first, *extremes, "です（全", points, "点）。")
    else:
        extremes = ("highest ", *high, " (", highest, "), lowest ", *low, " (", lowest, "), ", *ends)
        first = ("average ", Value("result.mean()", form), f"{unit}; ") if sheet.intent.averaged else ()
        sentence = fstring(f"{heading}: ", *first, *extremes, points, " points.")
    sheet.answer(sentence, *extra)
