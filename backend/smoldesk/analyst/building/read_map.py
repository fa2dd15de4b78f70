"""Requests for the map: what to highlight, where arrows, icons and words go, which floor, what to clear."""

from dataclasses import replace
from itertools import pairwise

from smoldesk.analyst.intents import (
    At,
    Language,
    MapIntent,
    Refusal,
)
from smoldesk.analyst.meanings import (
    ColumnRef,
    FloorRef,
    IconRef,
    Mention,
    NoPlace,
    Number,
    Point,
    Quoted,
    RoomRef,
    Unknown,
    cues,
    found,
)
from smoldesk.analyst.tables.catalogue import Catalogue

_THINGS = ("highlight", "arrow", "icon", "text", "colour")


def is_map_request(mentions: tuple[Mention, ...]) -> bool:
    """True when a request speaks of the drawing itself, and not of figures only."""
    said = {mention.cue("map") for mention in mentions} - {None, "rooms", "text", "points", "random", "floor"}
    rooms = bool(found(mentions, RoomRef))
    numbers = any(mention.says("agg", "op") for mention in mentions)
    if found(mentions, Point) or ("where" in said and rooms):
        return not numbers
    said -= {"where"}
    if said - {"map", "clear"}:
        return True
    if said == {"clear"} and len(mentions) == 1:
        return True
    if "clear" in said and ("map" in said or rooms):
        return True
    if "map" in said and not numbers:
        return True
    if (
        found(mentions, IconRef)
        and rooms
        and not numbers
        and not any(mention.says("per") for mention in mentions)
    ):
        return True
    if (rooms or any(mention.cue("map") == "rooms" for mention in mentions)) and cues(mentions, "colour"):
        return True
    if (rooms and cues(mentions, "dir")) or (rooms and found(mentions, Quoted) and not numbers):
        return True
    if any(mention.cue("map") == "points" for mention in mentions) and "random" in cues(mentions, "map"):
        return True
    floors = found(mentions, FloorRef) or [
        place for place in found(mentions, NoPlace) if place.kind == "floor"
    ]
    return bool(floors) and not numbers and not any(mention.says("per", "plot") for mention in mentions)


def read_map(mentions: tuple[Mention, ...], catalogue: Catalogue, language: Language) -> MapIntent | Refusal:
    """The drawing a request asks for; rooms and colours are paired in the order they were said."""
    mentions = _label_words(mentions)
    if problem := _missing_places(mentions, catalogue):
        return problem
    if strays := _strays(mentions):
        return Refusal("too_much", tuple(strays))
    things = set(cues(mentions, "map"))
    floor = _floor(mentions, catalogue)
    if "clear" in things:
        if found(mentions, RoomRef):
            return Refusal("too_much", words=tuple(m.text for m in mentions if m.first(RoomRef)))
        only_arrows = "arrow" in things and "map" not in things
        return MapIntent(clear="arrows" if only_arrows else "map")
    if "random" in things and ("points" in things or "icon" in things or found(mentions, IconRef)):
        number = next((int(number.value) for number in found(mentions, Number)), 5)
        icon = next((icon.bitmap for icon in found(mentions, IconRef)), "")
        return MapIntent(floor=floor, random_points=min(max(number, 1), 200), random_icon=icon)
    return _drawing(mentions, catalogue, floor, language)


def _missing_places(mentions: tuple[Mention, ...], catalogue: Catalogue) -> Refusal | None:
    for mention in mentions:
        if (place := mention.first(NoPlace)) and len(mention.meanings) == 1:
            if place.kind == "floor":
                return Refusal("no_floor", (mention.text,), tuple(catalogue.rooms))
            return Refusal("no_room", (mention.text,), catalogue.room_names)
    if unknown := [mention.text for mention in mentions if mention.first(Unknown)]:
        if "icon" in cues(mentions, "map"):
            return Refusal(
                "no_icon", tuple(unknown), tuple(b for b in catalogue.bitmaps if not b.startswith("arrow_"))
            )
        return Refusal("no_room", tuple(unknown), catalogue.room_names)
    return None


def _label_words(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """`with the text Exit`, `Exitという文字`: the word beside is what to write, also without quotes."""
    if found(mentions, Quoted):
        return mentions
    labelled = list(mentions)
    for index, (mention, after) in enumerate(pairwise(mentions)):
        if mention.cue("map") == "text" and (after.first(Unknown) or after.first(IconRef)):
            labelled[index + 1] = replace(after, meanings=(Quoted(after.text),))
        elif (
            after.text.startswith(("と", "という")) and after.cue("map") == "text" and mention.first(Unknown)
        ):
            labelled[index] = replace(mention, meanings=(Quoted(mention.text),))
    return tuple(labelled)


def _strays(mentions: tuple[Mention, ...]) -> list[str]:
    """Words of a data question, which a drawing cannot honour: the warmest, above 22."""
    spared = (RoomRef, FloorRef, IconRef, Quoted, Point)
    numbers_fit = "random" in cues(mentions, "map")
    return [
        mention.text
        for mention in mentions
        if not any(mention.all(kind) for kind in spared)
        and not mention.says("map", "dir", "colour")
        and (
            mention.says("agg", "cmp", "top", "high", "low", "sort", "time")
            or bool(mention.all(ColumnRef))
            or (bool(mention.all(Number)) and not numbers_fit)
        )
    ]


def _floor(mentions: tuple[Mention, ...], catalogue: Catalogue) -> str:
    """The floor that was named, else the one on show if it has the rooms, else the first that has them."""
    if named := found(mentions, FloorRef):
        return named[0].floor
    rooms = [mention.all(RoomRef) for mention in mentions if mention.first(RoomRef)]
    if not rooms:
        return catalogue.current_floor
    floors = [ref.floor for ref in rooms[0]]
    return catalogue.current_floor if catalogue.current_floor in floors else floors[0]


def _drawing(
    mentions: tuple[Mention, ...], catalogue: Catalogue, floor: str, language: Language
) -> MapIntent | Refusal:
    here = set(catalogue.rooms.get(floor, []))
    placed: list[tuple[int, At]] = []
    for index, mention in enumerate(mentions):
        if (point := mention.first(Point)) is not None:
            placed.append((index, At(x=point.x, y=point.y)))
        elif (refs := mention.all(RoomRef)) and not (mention.first(Quoted) and len(_rooms(mentions)) > 1):
            room = refs[0].room
            if room not in here:
                return Refusal("no_room", (room,), tuple(sorted(here)), floor)
            placed.append((index, At(room=room)))
    things = [(index, thing) for index, mention in enumerate(mentions) if (thing := _thing(mention))]
    owner = {index: _owner(index, things, language) for index, _ in placed}

    def places(*kinds: str) -> list[tuple[int, At]]:
        """Places of these kinds of thing; a thing without a place of its own shares the others'."""
        own = [(index, at) for index, at in placed if owner[index] in kinds]
        return own or placed

    said = {thing for _, thing in things}
    colours = [(index, colour) for index, mention in enumerate(mentions) if (colour := mention.cue("colour"))]
    directions = [(index, way) for index, mention in enumerate(mentions) if (way := mention.cue("dir"))]
    texts = [quoted.text for quoted in found(mentions, Quoted)]
    text_colour = ""
    if texts and "highlight" not in said and placed and all(kind == "text" for kind in owner.values()):
        text_colour, colours = (colours[0][1] if colours else ""), []  # write 'Exit' in Room1 in red
    rooms = [(index, at) for index, at in places("highlight", "colour") if at.room]
    icons = [
        (index, icon.bitmap)
        for index, mention in enumerate(mentions)
        if (icon := mention.first(IconRef)) and not mention.first(Quoted)
    ]
    if not placed and (colours or directions or texts or icons or said - {"colour"}):
        if not ("highlight" in said or colours) or not any(map(_means_all_rooms, mentions)):
            return Refusal("which_rooms", choices=tuple(catalogue.rooms.get(floor, [])), table=floor)
        rooms = [(0, At(room=room)) for room in catalogue.rooms.get(floor, [])]
    plain = bool(placed) and not (directions or texts or icons or said & {"arrow", "icon", "text"})
    if ("icon" in said and not icons) or ("text" in said and not texts):
        return Refusal("nothing")
    if "arrow" in said and not directions:
        return Refusal("which_way", choices=("up", "down", "left", "right"))
    lit = rooms if "highlight" in said or colours or plain else []
    icon_places, arrow_places, text_places = places("icon"), places("arrow"), places("text")
    return MapIntent(
        floor=floor,
        highlights=tuple(
            (at.room, colour)
            for at, colour in zip((at for _, at in lit), _paired(lit, colours, ""), strict=True)
        ),
        arrows=_pair_up(arrow_places, directions),
        icons=tuple(
            (bitmap, at)
            for (_, at), bitmap in zip(icon_places, _paired(icon_places, icons, ""), strict=True)
            if bitmap
        ),
        texts=_texts(text_places, texts) or (_marked(placed) if plain else ()),
        text_colour=text_colour,
    )


def _marked(placed: list[tuple[int, At]]) -> tuple[tuple[str, At], ...]:
    """Points that were only named are marked with their coordinates."""
    return tuple((at.spelled(), at) for _, at in placed if not at.room)


def _means_all_rooms(mention: Mention) -> bool:
    """rooms, every room, すべての部屋; not `room` alone."""
    return mention.cue("map") == "rooms" and mention.text.lower() != "room"


def _rooms(mentions: tuple[Mention, ...]) -> list[RoomRef]:
    return found(mentions, RoomRef)


def _thing(mention: Mention) -> str:
    """What kind of drawing a mention speaks of."""
    if mention.first(Quoted):
        return "text"
    if mention.first(IconRef) or mention.cue("map") == "icon":
        return "icon"
    if (thing := mention.cue("map")) in _THINGS:
        return str(thing)
    return "arrow" if mention.says("dir") else "colour" if mention.says("colour") else ""


def _owner(index: int, things: list[tuple[int, str]], language: Language) -> str:
    """Which thing a place belongs to: the last one before it, in Japanese the first one after it."""
    before = [thing for at, thing in things if at < index]
    after = [thing for at, thing in things if at > index]
    if language == "ja":
        return after[0] if after else before[-1] if before else ""
    return before[-1] if before else after[0] if after else ""


def _paired(places: list[tuple[int, At]], given: list[tuple[int, str]], missing: str) -> list[str]:
    """One of `given` for each place: in order, one for all, else the nearest said after it."""
    if not given:
        return [missing] * len(places)
    if len(given) == len(places):
        return [value for _, value in given]
    return [next((value for at, value in given if at > index), given[-1][1]) for index, _ in places]


def _pair_up(places: list[tuple[int, At]], directions: list[tuple[int, str]]) -> tuple[tuple[str, At], ...]:
    return tuple(
        (way, at) for (_, at), way in zip(places, _paired(places, directions, ""), strict=True) if way
    )


def _texts(places: list[tuple[int, At]], texts: list[str]) -> tuple[tuple[str, At], ...]:
    if not texts:
        return ()
    each: list[tuple[int, str]] = [(0, text) for text in texts]
    return tuple((text, at) for (_, at), text in zip(places, _paired(places, each, ""), strict=True))
