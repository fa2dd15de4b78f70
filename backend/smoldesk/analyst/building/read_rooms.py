"""Rooms coloured by a figure: the data part of such a request is read as a question per room."""

from dataclasses import replace

from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Intent,
    Language,
    Refusal,
)
from smoldesk.analyst.meanings import (
    ColumnRef,
    FloorRef,
    Mention,
    cues,
    found,
)
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.talk.read_data import read_data, room_column


def colours_by_figure(mentions: tuple[Mention, ...]) -> bool:
    """True when rooms are to be drawn by a figure: a measure or `warmest`, and no colour of their own."""
    measured = any(
        mention.says("high", "low")
        or (mention.all(ColumnRef) and mention.cue("map") not in ("rooms", "floor"))
        for mention in mentions
    )
    rooms = any(mention.cue("map") == "rooms" for mention in mentions)
    return measured and (rooms or "map" in cues(mentions, "map")) and not cues(mentions, "colour")


def colour_rooms(request: Request, language: Language, catalogue: Catalogue) -> Intent:
    """Rooms of a floor coloured by a figure: the data part is read as a question per room."""
    kept = tuple(
        mention
        for mention in request.mentions
        if not mention.all(FloorRef)
        and mention.cue("map") not in ("highlight", "map", "floor", "icon", "text")
        and not mention.says("per")
    )
    intent = read_data(Request(request.text, kept), language, catalogue, None)
    if not isinstance(intent, DataIntent):
        return intent
    if intent.date:
        return Refusal("too_much", (intent.grain or intent.date,))
    floors = found(request.mentions, FloorRef)
    table = catalogue.table(intent.table)
    for floor in [floors[0].floor] if floors else [catalogue.current_floor, *catalogue.rooms]:
        rooms = catalogue.rooms.get(floor, [])
        if column := room_column(table, rooms):
            order = intent.order or ("asc" if "min" in intent.aggregates else "desc")
            if intent.operation == "aggregate" and "share" not in intent.aggregates:
                aggregates = intent.aggregates[:1]
                data = replace(intent, groups=(column,), aggregates=aggregates, plot="", order="", limit=0)
                said_top = any(mention.says("top") for mention in request.mentions)
                return ColourRooms(floor, tuple(rooms), data, order if said_top else "")
            return Refusal("which_column", choices=_numbers(table), table=table.name)
    return Refusal("no_column", ("room",), tuple(column.name for column in table.columns), table.name)


def _numbers(table: TableInfo) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns if column.kind == "number")
