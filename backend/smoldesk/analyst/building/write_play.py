"""Figures of rooms over time as code: grouped by time and room, handed to play_rooms, highest and lowest said."""

from smoldesk.analyst.cell import (
    Cell,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.intents import Language, PlayRooms
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.figures import figure_name, form_of
from smoldesk.analyst.writing.sheet import (
    Sheet,
    computed,
    grouped,
    open_sheet,
)


def write_play(intent: PlayRooms, catalogue: Catalogue, language: Language) -> Cell:
    """Colours the rooms first where that was asked for, then plays them."""
    sheet = open_sheet(intent.data, catalogue, language)
    cell, data = sheet.cell, intent.data
    aggregate = data.aggregates[0]
    measure = data.measures[0] if data.measures else ""
    name = figure_name(data, sheet.table, language, aggregate, measure)
    figures = ".size()" if aggregate == "count" else f"[{literal(measure)}]{computed(aggregate)}"
    room = data.groups[0]
    if intent.colours:
        cell.add(
            f"result = {sheet.rows}.groupby({literal(room)}){figures}",
            f"display(result.round(2).reset_index(name={literal(name)}))",
            f"painted = color_rooms(result, title={literal(name)})",
            'if painted.startswith("Error"):',
            "    final_answer(painted)",
        )
        cell.gap()
    if intent.last:
        cell.use("pd")
        date = sheet.column(data.date)
        cell.add(
            f"first = {date}.max().normalize() - pd.Timedelta(days={intent.last - 1})",
            f"recent = {sheet.rows}[{date} >= first]",
        )
        sheet.rows = "recent"
    cell.add(
        f"frames = {grouped(sheet)}{figures}",
        f"played = play_rooms(frames, title={literal(name)})",
        'if played.startswith("Error"):',
        "    final_answer(played)",
    )
    cell.gap()
    _answer(sheet, intent, name)
    return cell


def _answer(sheet: Sheet, intent: PlayRooms, name: str) -> None:
    """Figures first; which days they are of is said, since `last week` is the table's, not today's."""
    form = form_of(intent.data.aggregates[0])
    sheet.cell.add("times = frames.index.get_level_values(0)", "low, high = frames.idxmin(), frames.idxmax()")
    highest, lowest = Value("frames[high]", form), Value("frames[low]", form)
    count, begin, end = Value("times.nunique()", ":,"), Value("times.min()"), Value("times.max()")
    if sheet.language == "ja":
        span = f"（表の最後の{intent.last}日間）" if intent.last else ""
        sheet.answer(
            fstring(
                f"{name}が最も高いのは", Value("high[0]"), "の", Value("high[1]"), "（", highest, "）、最も低いのは",
                Value("low[0]"), "の", Value("low[1]"), "（", lowest, "）です。",
            ),
            fstring(begin, "から", end, f"まで{span}の", count, "コマをマップで再生できます。"),
        )  # fmt: skip
        return
    span = f" (the last {intent.last} days of {intent.data.table})" if intent.last else ""
    sheet.answer(
        fstring(
            "Highest: ", Value("high[1]"), " on ", Value("high[0]"), " (", highest, "), lowest: ",
            Value("low[1]"), " on ", Value("low[0]"), " (", lowest, "). ",
        ),
        fstring(f"The map plays {name} in ", count, " frames, ", begin, " to ", end, f"{span}."),
    )  # fmt: skip
