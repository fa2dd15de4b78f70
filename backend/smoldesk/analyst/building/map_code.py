"""Drawings on the map: as calls of the map tools, which either kind of agent can make, and as code."""

from smoldesk.analyst.building.intents import At, Drawing, ToolCall
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, call_code, literal
from smoldesk.analyst.language import Language, say
from smoldesk.analyst.lexicon import lexicon
from smoldesk.buildings.overlay_words import quoted

_DIRECTIONS = {"up": "上", "down": "下", "left": "左", "right": "右"}


def map_calls(intent: Drawing) -> list[ToolCall]:
    """The tool calls that draw an intent. One show_map holds it all, as the next would replace it."""
    if intent.clear:
        return [ToolCall("clear_arrows" if intent.clear == "arrows" else "clear_map")]
    alone = intent.arrows and not (intent.highlights or intent.icons or intent.texts)
    if alone and all(at.room for _, at in intent.arrows):
        return [
            ToolCall("draw_arrow", (("room_name", at.room), ("direction", way))) for way, at in intent.arrows
        ]
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
    return [ToolCall("show_map", tuple(arguments.items()))]


def write_map(intent: Drawing, catalogue: Catalogue, language: Language) -> Cell:
    """The code of a drawing and its answer."""
    cell = Cell()
    calls = [line for call in map_calls(intent) for line in call_code(call).splitlines()]
    if _may_miss(intent):
        cell.add(f"shown = {calls[0]}", *calls[1:])
        cell.add('if shown.startswith("Error"):  # a point outside the floor', "    final_answer(shown)")
    else:
        cell.add(*calls)
    cell.answer(literal(describe_map(intent, catalogue, language)))
    return cell


def _may_miss(intent: Drawing) -> bool:
    """Only a point that somebody typed can be wrong: rooms and icons come from the building."""
    return any(not at.room for _, at in (*intent.arrows, *intent.icons, *intent.texts))


def describe_map(intent: Drawing, catalogue: Catalogue, language: Language) -> str:
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
    words = lexicon().colours.get(colour, [colour])
    if language == "ja":
        return next((word for word in words if not word.isascii()), colour).removesuffix("色")
    return words[0]


def _highlighted(intent: Drawing, language: Language) -> str:
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
