"""Drawings on the map: as calls of the map tools, which either kind of agent can make, and as code."""

from collections.abc import Mapping
from dataclasses import dataclass

from smoldesk.analyst.cell import (
    Cell,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.intents import (
    At,
    ColourRooms,
    Language,
    MapIntent,
    Scalar,
)
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.figures import figure_name, form_of, say
from smoldesk.analyst.words.cues import COLOURS
from smoldesk.analyst.writing.sheet import (
    Sheet,
    computed,
    grouped,
    open_sheet,
)
from smoldesk.buildings.overlay_words import quoted

_DIRECTIONS = {"up": "上", "down": "下", "left": "左", "right": "右"}


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, by keyword."""

    tool: str
    arguments: Mapping[str, Scalar]

    def code(self) -> str:
        inside = ", ".join(f"{name}={literal(value)}" for name, value in self.arguments.items())
        line = f"{self.tool}({inside})"
        if len(line) <= 110:
            return line
        body = "\n".join(f"    {name}={literal(value)}," for name, value in self.arguments.items())
        return f"{self.tool}(\n{body}\n)"


def map_calls(intent: MapIntent) -> list[ToolCall]:
    """The tool calls that draw an intent. One show_map holds it all, as the next would replace it."""
    if intent.clear:
        return [ToolCall("clear_arrows" if intent.clear == "arrows" else "clear_map", {})]
    alone = intent.arrows and not (intent.highlights or intent.icons or intent.texts)
    if alone and all(at.room for _, at in intent.arrows):
        return [ToolCall("draw_arrow", {"room_name": at.room, "direction": way}) for way, at in intent.arrows]
    arguments = {"floor_id": intent.floor}
    if intent.highlights:
        arguments["highlight_rooms"] = ",".join(room for room, _ in intent.highlights)
    if any(colour for _, colour in intent.highlights):
        arguments["room_colors"] = ",".join(colour or "#0066FF" for _, colour in intent.highlights)
    bitmaps = [(f"arrow_{way}", at) for way, at in intent.arrows] + list(intent.icons)
    if bitmaps:
        arguments["bitmap_overlays"] = ";".join(f"{bitmap}:{at.spelled()}" for bitmap, at in bitmaps)
    if intent.texts:
        shade = f"|color={intent.text_colour}" if intent.text_colour else ""
        arguments["text_overlays"] = ";".join(
            f"{quoted(text)}:{at.spelled()}{shade}" for text, at in intent.texts
        )
    return [ToolCall("show_map", arguments)]


def write_map(intent: MapIntent, catalogue: Catalogue, language: Language) -> Cell:
    """The code of a drawing and its answer."""
    cell = Cell()
    calls = [line for call in map_calls(intent) for line in call.code().splitlines()]
    if _may_miss(intent):
        cell.add(f"shown = {calls[0]}", *calls[1:])
        cell.add('if shown.startswith("Error"):  # a point outside the floor', "    final_answer(shown)")
    else:
        cell.add(*calls)
    cell.answer(literal(describe_map(intent, catalogue, language)))
    return cell


def _may_miss(intent: MapIntent) -> bool:
    """Only a point that somebody typed can be wrong: rooms and icons come from the building."""
    return any(not at.room for _, at in (*intent.arrows, *intent.icons, *intent.texts))


def describe_map(intent: MapIntent, catalogue: Catalogue, language: Language) -> str:
    """What was drawn, in words."""
    if intent.clear == "arrows":
        return say(language, "All arrows are cleared.", "矢印をすべて消しました。")
    if intent.clear:
        return say(language, "The map is cleared.", "マップをクリアしました。")
    floor = catalogue.floor_names.get(intent.floor, intent.floor)
    parts = [_highlighted(intent, language)] if intent.highlights else []
    parts += [_arrow(way, at, language) for way, at in intent.arrows]
    parts += [_icon(bitmap, at, language) for bitmap, at in intent.icons]
    parts += [_text(text, at, intent.text_colour, language) for text, at in intent.texts]
    if not parts:
        return say(language, f"The map shows floor {intent.floor}.", f"{floor}を表示しました。")
    if language == "ja":
        return f"{floor}に、{'、'.join(parts)}を表示しました。"
    return f"On floor {intent.floor}: {', '.join(parts)}."


def colour_name(colour: str, language: Language) -> str:
    """What a colour is called: red, 赤."""
    words = COLOURS.get(colour, colour).split(", ")
    if language == "ja":
        return next((word for word in words if not word.isascii()), colour).removesuffix("色")
    return words[0]


def _highlighted(intent: MapIntent, language: Language) -> str:
    lit: dict[str, list[str]] = {}
    for room, colour in intent.highlights:
        lit.setdefault(colour_name(colour, language) if colour else "", []).append(room)
    if language == "ja":
        return "と".join(
            f"{'、'.join(rooms)}{f'（{colour}）' if colour else ''}のハイライト"
            for colour, rooms in lit.items()
        )
    return ", ".join(
        f"{', '.join(rooms)} highlighted{f' in {colour}' if colour else ''}" for colour, rooms in lit.items()
    )


def _where(at: At, language: Language) -> str:
    return say(
        language,
        f"in {at.room}" if at.room else f"at ({at.spelled()})",
        at.room or f"座標({at.spelled()})",
    )


def _arrow(way: str, at: At, language: Language) -> str:
    article = "an" if way == "up" else "a"
    return say(
        language,
        f"{article} {way} arrow {_where(at, 'en')}",
        f"{_where(at, 'ja')}の{_DIRECTIONS[way]}矢印",
    )


def _icon(bitmap: str, at: At, language: Language) -> str:
    return say(language, f"the {bitmap} icon {_where(at, 'en')}", f"{_where(at, 'ja')}のアイコン（{bitmap}）")


def _text(text: str, at: At, colour: str, language: Language) -> str:
    shade = colour_name(colour, language)
    return say(
        language,
        f"the text '{text}' {_where(at, 'en')}{f' in {shade}' if shade else ''}",
        f"{_where(at, 'ja')}の{f'{shade}の' if shade else ''}文字「{text}」",
    )


def write_coloured_rooms(intent: ColourRooms, catalogue: Catalogue, language: Language) -> Cell:
    """Rooms filled from blue (lowest) to red (highest) by a figure, which stands in each of them."""
    sheet = open_sheet(intent.data, catalogue, language)
    cell, data = sheet.cell, intent.data
    aggregate = data.aggregates[0]
    measure = data.measures[0] if data.measures else ""
    name = figure_name(data, sheet.table, language, aggregate, measure)
    if aggregate == "count":
        cell.add(f"result = {grouped(sheet)}.size()")
    else:
        cell.add(f"result = {grouped(sheet)}[{literal(measure)}]{computed(aggregate)}")
    floor_rooms = ", ".join(map(literal, intent.rooms))
    cell.add(
        f"rooms = [room for room in [{floor_rooms}] if room in result.index]",
        f"display(result.loc[rooms].round(2).reset_index(name={literal(name)}))",
    )
    cell.gap()
    if intent.only:
        _one_room(sheet, intent, name, language)
        return cell
    if "color_rooms" in catalogue.tools:
        _coloured_by_tool(sheet, name, language)
        return cell
    cell.use("plt")
    label = fstring(Value("result[room]", ":.1f"), ":", Value("room"))
    cell.add(
        "lowest, highest = result[rooms].min(), result[rooms].max()",
        "shades = [(result[room] - lowest) / ((highest - lowest) or 1) for room in rooms]",
        'colours = ["#%02x%02x%02x" % plt.cm.coolwarm(float(shade), bytes=True)[:3] for shade in shades]',
        "show_map(",
        f"    floor_id={literal(intent.floor)},",
        '    highlight_rooms=",".join(rooms),',
        '    room_colors=",".join(colours),',
        f'    text_overlays=";".join({label} for room in rooms),',
        ")",
    )
    cell.gap()
    form = form_of(aggregate)
    cell.add("low, high = result[rooms].idxmin(), result[rooms].idxmax()")
    sheet.answer(
        fstring(
            f"{name}で部屋を色分けしました。",
            "最も高いのは",
            Value("high"),
            "（",
            Value("result[high]", form),
            "）、最も低いのは",
            Value("low"),
            "（",
            Value("result[low]", form),
            "）です。",
        )
        if language == "ja"
        else fstring(
            f"Rooms coloured by {name}, blue low and red high. Highest: ",
            Value("high"),
            " (",
            Value("result[high]", form),
            "), lowest: ",
            Value("low"),
            " (",
            Value("result[low]", form),
            ").",
        )
    )
    return cell


def _coloured_by_tool(sheet: Sheet, name: str, language: Language) -> None:
    """The rooms in the colours of a legend, which the tool makes; figures first in the answer."""
    cell = sheet.cell
    form = form_of(sheet.intent.aggregates[0])
    paint = f"color_rooms(result.loc[rooms], title={literal(name)})"
    cell.add(f"painted = {paint}", 'if painted.startswith("Error"):', "    final_answer(painted)")
    cell.add("low, high = result[rooms].idxmin(), result[rooms].idxmax()")
    highest, lowest = Value("result[high]", form), Value("result[low]", form)
    if language == "ja":
        head = (
            f"{name}が最も高いのは",
            Value("high"),
            "（",
            highest,
            "）、最も低いのは",
            Value("low"),
            "（",
            lowest,
            "）です。",
        )
        sheet.answer(fstring(*head, "値で部屋を色分けし、凡例を付けました。"))
    else:
        head = ("Highest: ", Value("high"), " (", highest, "), lowest: ", Value("low"), " (", lowest, "). ")
        sheet.answer(
            fstring(*head, f"The rooms are coloured by {name}; the legend says which colour is which.")
        )


def _one_room(sheet: Sheet, intent: ColourRooms, name: str, language: Language) -> None:
    """Only the room that a superlative asks for: the warmest, the one with the lowest humidity."""
    lowest = intent.only == "asc"
    cell = sheet.cell
    form = form_of(intent.data.aggregates[0])
    cell.add(f"best = result[rooms].idx{'min' if lowest else 'max'}()")
    cell.add(f"show_map(floor_id={literal(intent.floor)}, highlight_rooms=best)")
    room, figure = Value("best"), Value("result[best]", form)
    if language == "ja":
        sheet.answer(
            fstring(f"{name}が最も{'低い' if lowest else '高い'}のは", room, "（", figure, "）です。")
        )
    else:
        sheet.answer(
            fstring(f"{'Lowest' if lowest else 'Highest'} {name}: ", room, " (", figure, "), highlighted.")
        )
