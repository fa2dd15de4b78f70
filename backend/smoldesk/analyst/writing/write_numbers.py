"""Code for what is asked of the groups' counts: those with more than two rows, or the average count."""

from smoldesk.analyst.cell import Value, fstring, literal
from smoldesk.analyst.tables.figures import (
    axis,
    figure_name,
    form_of,
    where,
)
from smoldesk.analyst.writing.group_answers import MOST_LINES
from smoldesk.analyst.writing.plot_groups import plot_groups
from smoldesk.analyst.writing.sheet import Sheet
from smoldesk.analyst.writing.write_files import save
from smoldesk.analyst.writing.write_groups import figures_by_group

_SAID = {
    ">": ("more than {}", "{}より多い"),
    ">=": ("at least {}", "{}以上の"),
    "<": ("fewer than {}", "{}未満の"),
    "<=": ("at most {}", "{}以下の"),
    "==": ("exactly {}", "ちょうど{}の"),
    "!=": ("other than {}", "{}でない"),
}
_FIGURES = {
    "mean": ("Average", "平均"),
    "median": ("Median", "中央値"),
    "min": ("Minimum", "最小"),
    "max": ("Maximum", "最大"),
}


def write_numbers(sheet: Sheet) -> None:
    """The code of an `aggregate` intent that asks something of its groups' counts."""
    asked = sheet.intent.per_thing
    if asked is None:
        raise ValueError("the intent asks nothing of its groups' counts")
    sheet.cell.add(f"numbers = {figures_by_group(sheet)}")
    if asked.comparison in ("<", "<=") and sheet.intent.filters and not sheet.intent.date:
        every = f"{sheet.column(sheet.groups[0], sheet.frame)}.dropna().unique()"
        sheet.cell.add(f"numbers = numbers.reindex({every}, fill_value=0)  # none is fewer, too")
    if not sheet.intent.date:
        _blanks(sheet)
    if asked.figure:
        _figure(sheet, asked.figure)
    else:
        _those(sheet)


def _blanks(sheet: Sheet) -> None:
    """Rows without a thing belong to none, and the answer says how many there are."""
    thing, blank = sheet.groups[0], Value("blank", ":,")
    sheet.cell.add(f"blank = int({sheet.column(thing)}.isna().sum())")
    told = (f"{thing}が空白の", blank, "行は数えていません。")
    sheet.note(
        *(told if sheet.language == "ja" else (f"Rows without {thing} were not counted: ", blank, ".")),
        when="blank",
    )


def _called(sheet: Sheet) -> tuple[str, str]:
    """What the things and the number of one are called."""
    measure = sheet.intent.measures[0] if sheet.intent.measures else ""
    number = figure_name(sheet.intent, sheet.table, sheet.language, sheet.intent.aggregates[0], measure)
    return axis(sheet.intent, sheet.language, sheet.groups[0]), number


def _figure(sheet: Sheet, figure: str) -> None:
    thing, number = _called(sheet)
    ordered = "" if sheet.intent.date else ".sort_values(ascending=False)"
    sheet.cell.add(
        f"result = numbers{ordered}",
        f"display(result.reset_index(name={literal(number)}))",
        f"figure = numbers.{figure}()",
    )
    if sheet.intent.plot:
        plot_groups(sheet, number)
    english, japanese = _FIGURES[figure]
    inside = where(sheet.intent.filters, sheet.language)
    value, things = Value("figure", form_of("mean")), Value("len(numbers)", ":,")
    if sheet.language == "ja":
        sentence = fstring(
            f"{thing}ごとの{number}の{japanese}{inside}: ", value, "（", things, f"種類の{thing}から計算）。"
        )
        sheet.note("1件もないものは数えていません。")
    else:
        sentence = fstring(
            f"{english} {number} per {thing}{inside}: ", value, " (over ", things, f" values of {thing})."
        )
        sheet.note("Only those with at least one are counted.")
    sheet.answer(sentence, *_saved(sheet, number))


def _those(sheet: Sheet) -> None:
    asked = sheet.intent.per_thing
    if asked is None:
        raise ValueError("the intent asks nothing of its groups' counts")
    thing, number = _called(sheet)
    down = asked.comparison in ("<", "<=")
    ordered = "" if sheet.intent.date else f'.sort_values(ascending={down}, kind="stable")'
    sheet.cell.add(
        f"result = numbers[numbers {asked.comparison} {asked.number}]{ordered}",
        f"display(result.reset_index(name={literal(number)}))",
        "named = " + literal(sheet.say(", ", "、")) + ".join(",
        f"    {fstring(Value('name'), sheet.say(' (', '（'), Value('value', ':,'), sheet.say(')', '）'))}"
        f" for name, value in result.head({MOST_LINES}).items()",
        ")",
    )
    if sheet.intent.plot:
        plot_groups(sheet, number)
    found, every = Value("len(result)", ":,"), Value("len(numbers)", ":,")
    said = sheet.say(*_SAID[asked.comparison]).format(f"{asked.number:,}")
    inside = where(sheet.intent.filters, sheet.language)
    of_all = not sheet.intent.filters
    lead: list[str | Value] = []
    if asked.asked == "share":
        sheet.cell.add("part = 100 * len(result) / len(numbers)")
        lead = [Value("part", ":.1f"), sheet.say(" %: ", " %: ")]
    if sheet.language == "ja":
        whole = [every, f"種類の{thing}のうち"] if of_all else [f"{thing}のうち"]
        main = fstring(*lead, *whole, f"{number}が{said}ものは", found, f"種類です{inside}")
    else:
        noun = number.removeprefix("number of ")
        noun = noun[:-1] if asked.number == 1 and not sheet.intent.measures and noun.endswith("s") else noun
        whole = [" of ", every] if of_all else []
        main = fstring(*lead, found, *whole, f" values of {thing} with {said} {noun}{inside}")
    more = Value(f"len(result) - {MOST_LINES}", ":,")
    many = f"len(result) > {MOST_LINES}"
    if sheet.language == "ja":
        sheet.note("ほかの", more, "種類は上の表にあります。", when=many)
    else:
        sheet.note(more, " more are in the table above.", when=many)
    ends = sheet.say(".", "。")
    sheet.answer(
        main,
        f"+ ({fstring(': ', Value('named'), ends)} if named else {literal(ends)})",
        *_saved(sheet, number),
    )


def _saved(sheet: Sheet, number: str) -> list[str]:
    if not sheet.intent.save:
        return []
    stem = "_".join(["number", "by", *sheet.groups])
    return ["+ " + save(sheet, f"result.reset_index(name={literal(number)})", stem)]
