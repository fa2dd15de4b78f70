"""Closed parts of a building: what a text means by them, and what they mean for routes.

A text names a door by its rooms ("the door between Room1 and Level1", "the doors of the Kitchen") or by its own name, an
exit ("the exit in Level1", "main entrance"), a lift, stairs, a room, a kind of rooms, or a floor; several with commas.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from smoldesk.buildings.building import Building
from smoldesk.buildings.evacuation.exits import exit_closure, find_exits
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import PlaceIndex, Spot, UnknownPlace
from smoldesk.buildings.routing import Closures, RouteGraph
from smoldesk.buildings.routing.japanese import link_in_japanese
from smoldesk.buildings.routing.steps import called
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages import XY, Closure, Door, Floor, Link
from smoldesk.messages.building import join_names

_DOOR = r"(?:doors?|doorways?|passages?|entrances?)"
_BETWEEN = re.compile(
    rf"(?:all )?{_DOOR} (?:between|from|joining) (.+?) (?:and|to|with) (.+)"
    r"|(?:(?:ways?|paths?|connections?|openings?) )?between (.+?) and (.+)"
    rf"|(.+)'s {_DOOR} (?:to|into|from) (.+)"
    r"|(.+?)(?:と|から)(.+?)(?:の間|へ|まで|を(?:つなぐ|結ぶ))の?(?:ドア|扉|戸|通路|出入口)"
    r"|(.+?)と(.+?)の間(?:の(?:行き来|通行|往来))?"
)
_PART_BETWEEN = re.compile(r"(.+?) (?:between|joining) .+ and .+|.+と.+の間の(.+)")
_OF_ROOM = re.compile(
    rf"(?:all )?{_DOOR} (?:of|to|into|in) (.+)|(.+?)の(?:すべての|全ての|全)?(?:ドア|扉|戸)|(.+?)(?:'s)? {_DOOR}"
)
_STARTS = re.compile(rf"(?:all )?{_DOOR}\b")
_OUTSIDE = frozenset(("outside", "outdoors", "the outside", "street", "外", "屋外", "建物の外"))
_SEPARATORS = re.compile(r"[,;、]| and (?=the )")
# Longest text that names parts, in characters: the patterns cost its square, and nothing else runs meanwhile.
LONGEST_TEXT = 500
# Maximum doors that an error lists.
MAX_LISTED_DOORS = 12


def find_closures(building: Building, text: str) -> list[Closure]:
    """Return the parts that a text means, as closures. Raises UnknownPlace naming what exists, BadInput beyond LONGEST_TEXT."""
    if len(text) > LONGEST_TEXT:
        raise BadInput(
            f"{clip(text)} is too long ({len(text)} characters).", f"At most {LONGEST_TEXT} characters."
        )
    try:
        return _find_part(building, text)
    except NotFound:
        names = [name.strip() for name in _SEPARATORS.split(text) if name.strip()]
        if len(names) < 2:
            raise
        return list(dict.fromkeys(part for name in names for part in _find_listed(building, name)))


def _find_listed(building: Building, text: str) -> list[Closure]:
    """Return the parts of an item of a list, whose last one may be two: A, B and C."""
    try:
        return _find_part(building, text)
    except NotFound:
        names = text.split(" and ")
        if len(names) != 2:
            raise
        return [part for name in names for part in _find_part(building, name.strip())]


def _find_part(building: Building, text: str) -> list[Closure]:
    places, name = building.places, fold(text).removeprefix("the ")
    if exits := find_exits(places, name):
        return [exit_closure(exit_) for exit_ in exits]
    if match := _BETWEEN.fullmatch(name):
        return _doors_between(building, *(part for part in match.groups() if part))
    if (match := _OF_ROOM.fullmatch(name)) and not places.named(name):
        room = next(part for part in match.groups() if part)
        doors = [door for spot in places.find(room) for door in doors_of(building, spot)]
        return doors or _refuse_doors(building, f"{clip(room)} has no door.", places.find(room))
    name = _part_name(name)
    kind = places.kind(name)
    links = [link for link in building.links if name in (fold(link.name), fold(link.link_id))]
    links = links or [link for link in building.links if link.kind == kind]
    is_word = not (links or places.named(name) or places.by_kind.get(kind or "") or places.floor_ids(name))
    doors = _doors_where(building, lambda _, door: _is_called(door, name, is_word))
    if kind == "exit" and not doors and not places.named(name):
        doors = _doors_where(building, lambda _, door: len(door.rooms) == 1)
    if links or doors:
        return [*(Closure(kind="link", link_id=link.link_id) for link in links), *doors]
    if not places.named(name) and (floor_ids := places.floor_ids(name)):
        return [Closure(kind="floor", floor_id=floor_id) for floor_id in floor_ids]
    try:
        return [room_closure(spot) for spot in places.find(text)]
    except UnknownPlace as fault:
        names = join_names([f"{link.name or link.link_id} ({link.kind})" for link in building.links])
        raise UnknownPlace(
            f"Nothing here is called {clip(text)}.",
            f"Lifts and stairs: {names}. {fault.hint}",
            fault.japanese,
        ) from fault


def is_closable(places: PlaceIndex, text: str) -> bool:
    """Return whether a text, or one of a list, is a door by its rooms, or a name of something that can be closed."""
    if len(text) > LONGEST_TEXT:
        return False
    links = {fold(name) for link in places.definition.links or [] for name in (link.name, link.link_id)}
    doors = [door for floor in places.definition.floors for door in floor.doors or []]

    link_kinds = {link.kind for link in places.definition.links or []}

    def is_kind(text: str) -> bool:
        kind = places.kind(text)
        has_exit = kind == "exit" and any(len(door.rooms) == 1 for door in doors)
        return kind is not None and (kind in link_kinds or bool(places.by_kind.get(kind)) or has_exit)

    def is_room(text: str) -> bool:
        return is_kind(text) or any(places.named(room) for _, room in places.readings(text))

    def is_known(part: str) -> bool:
        name = fold(part).removeprefix("the ")
        match = _BETWEEN.fullmatch(name) or _OF_ROOM.fullmatch(name)
        # A text that begins with the door is one, and the tool says which room is unknown.
        is_door = match and (_STARTS.match(name) or all(map(is_room, filter(None, match.groups()))))
        part_name = _part_name(name)
        is_named = name in links or any(_is_called(door, part_name, True) for door in doors)
        is_named = is_named or is_kind(name) or places.floor_ids(name)
        is_named = is_named or find_exits(places, name)
        return bool(name and (is_door or is_named or is_room(name)))

    return any(is_known(part) for part in (text, *_SEPARATORS.split(text)))


def _is_called(door: Door, name: str, is_word: bool) -> bool:
    """Return whether a folded name is a door's, or with `is_word` the last words of it: the "ramp" for "1f-ramp"."""
    door_id = fold(door.door_id or "")
    return bool(name) and (
        door_id == name or (is_word and door_id.endswith((f"-{name}", f"_{name}", f" {name}")))
    )


def _part_name(name: str) -> str:
    """Return the name of a part that a text says with its rooms: the ramp between A and B."""
    match = _PART_BETWEEN.fullmatch(name)
    return next(filter(None, match.groups())) if match else name


def room_closure(spot: Spot) -> Closure:
    """Return the closure of a room."""
    return Closure(kind="room", floor_id=spot[0], rooms=(spot[1],))


def doors_of(building: Building, spot: Spot) -> list[Closure]:
    """Return all doors of a room as closures, those that lead out included."""
    graph, (floor_id, room) = building.route_graph, spot
    inner = [
        _door(floor_id, place.passage.rooms, place.x, place.y)
        for place in (graph.places[node] for node in graph.nodes_of(spot))
        if place.passage
    ]
    doors = building.floor(floor_id).doors or []
    return [
        *inner,
        *(_door(floor_id, door.rooms, door.at.x, door.at.y) for door in doors if door.rooms == [room]),
    ]


def match_closure(building: Building, closure: Closure) -> Closure | None:
    """Return the building's own closure of the part that a foreign one means; None if it has no such part.

    So a chat keeps no part that does not exist, and each once: fields that the kind of a closure has no use for are gone.
    """
    floor_id, rooms = closure.floor_id or "", closure.rooms
    spots = [(floor_id, name) for name in rooms]
    if closure.kind == "link":
        exists = any(link.link_id == closure.link_id for link in building.links)
        return Closure(kind="link", link_id=closure.link_id) if exists else None
    if closure.kind == "floor":
        return Closure(kind="floor", floor_id=floor_id) if floor_id in building.floor_ids() else None
    if not spots or any(spot not in building.route_graph.spots for spot in spots):
        return None
    if closure.kind == "room":
        return room_closure(spots[0]) if len(spots) == 1 else None
    doors = doors_of(building, spots[0])
    return next((door for door in doors if door.at == closure.at and {*door.rooms} == {*rooms}), None)


def _doors_between(building: Building, first: str, other: str) -> list[Closure]:
    places = building.places
    if fold(first) in _OUTSIDE:
        first, other = other, first
    spots = places.find(first)
    is_outside = fold(other) in _OUTSIDE
    goal_spots = [] if is_outside else places.find(other)

    def is_meant(spot: Spot, door: Closure) -> bool:
        if is_outside:
            return len(door.rooms) == 1
        return any((spot[0], name) in goal_spots for name in door.rooms if name != spot[1])

    doors = [door for spot in spots for door in doors_of(building, spot) if is_meant(spot, door)]
    return list(dict.fromkeys(doors)) or _refuse_doors(
        building, f"No door joins {clip(first)} and {clip(other)}.", spots
    )


def _refuse_doors(building: Building, message: str, spots: Sequence[Spot]) -> list[Closure]:
    """Raise UnknownPlace with the rooms behind the doors of these rooms."""
    doors = [(spot, door) for spot in spots for door in doors_of(building, spot)]
    behind = list(dict.fromkeys(name for spot, door in doors for name in door.rooms if name != spot[1]))
    raise UnknownPlace(
        message,
        f"Doors of {join_names([name for _, name in spots])} lead to: {join_names(behind, MAX_LISTED_DOORS)}.",
        f"そのようなドアはありません。{'、'.join(name for _, name in spots)}のドアの行き先："
        f"{'、'.join(behind[:MAX_LISTED_DOORS]) or 'なし'}。",
    )


def _door(floor_id: str, rooms: Iterable[str], x: float, y: float) -> Closure:
    return Closure(kind="door", floor_id=floor_id, rooms=tuple(rooms), at=XY(x=x, y=y))


def _doors_where(building: Building, is_meant: Callable[[Floor, Door], bool]) -> list[Closure]:
    return [
        _door(floor.floor_id, door.rooms, door.at.x, door.at.y)
        for floor in building.floors
        for door in floor.doors or []
        if is_meant(floor, door)
    ]


def route_closures(graph: RouteGraph, closures: Iterable[Closure], stepless: bool = False) -> Closures:
    """Return closures as routes know them; parts that the building does not have are left out."""
    rooms: set[Spot] = set()
    links: set[int] = set()
    doors: set[int] = set()
    exits: set[tuple[str, float, float]] = set()
    for closure in closures:
        floor_id, at = closure.floor_id or "", closure.at
        spots = [(floor_id, name) for name in closure.rooms]
        if closure.kind == "floor":
            rooms |= {spot for spot in graph.spots if spot[0] == floor_id}
        elif closure.kind == "link":
            links |= {number for number, link in enumerate(graph.links) if link.link_id == closure.link_id}
        elif not spots or any(spot not in graph.spots for spot in spots):
            continue
        elif closure.kind == "room":
            rooms |= {*spots}
        elif at and len(spots) == 1:
            exits.add((floor_id, at.x, at.y))
        elif at:
            doors |= {node for node in graph.nodes_of(spots[0]) if _is_door(graph, node, closure)}
    return Closures(frozenset(rooms), frozenset(links), frozenset(doors), frozenset(exits), stepless)


def _is_door(graph: RouteGraph, node: int, closure: Closure) -> bool:
    place = graph.places[node]
    return (
        place.passage is not None
        and {*place.passage.rooms} == {*closure.rooms}
        and closure.at == XY(x=place.x, y=place.y)
    )


def describe_closures(building: Building, closures: Sequence[Closure], language: str | None = "en") -> str:
    """Return the names of closures for a sentence: the first of them, and how many more there are."""
    names = [
        describe_closure(building.places, building.links, closure, language or "en") for closure in closures
    ]
    if language != "ja":
        return join_names(names)
    more = f"、ほか{len(names) - MAX_LISTED_DOORS}件" if len(names) > MAX_LISTED_DOORS else ""
    return f"{'、'.join(names[:MAX_LISTED_DOORS])}{more}" or "なし"


def describe_closure(
    places: PlaceIndex, links: Sequence[Link], closure: Closure, language: str = "en"
) -> str:
    """Return the name of a closed part: "the door between Room1 and Level1 (1F)"."""
    is_japanese = language == "ja"
    floor_id = closure.floor_id or ""
    floor = places.label(floor_id, language) if places.floor_ids(floor_id) else floor_id
    match closure.kind:
        case "floor":
            return floor if is_japanese else f"floor {floor}"
        case "link":
            link = next((link for link in links if link.link_id == closure.link_id), None)
            if link is None:
                return closure.link_id or "?"
            return link_in_japanese(link.kind, link.name) if is_japanese else called(link)
        case "room":
            name = "".join(closure.rooms)
            return f"{floor}の{name}" if is_japanese else f"{name} ({floor})"
        case "door" if len(closure.rooms) == 2:
            first, other = closure.rooms
            if is_japanese:
                return f"{floor}の{first}と{other}の間のドア"
            return f"the door between {first} and {other} ({floor})"
        case "door":
            name = "".join(closure.rooms)
            return f"{floor}の{name}の出口" if is_japanese else f"the exit in {name} ({floor})"
