"""Changes of the names that a building shows and understands: of itself, its floors and its rooms. Pure.

The canonical names and ids of floors and rooms never change, because maps, routes and questions of earlier answers refer to
them; they stay valid spellings. `names` has what is shown by language, `aliases` what is also understood.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput
from smoldesk.messages.building import clipped, join_names

Json = dict[str, Any]
MAX_ALIASES = 20
LONGEST_NAME = 200
_FLOOR_NAMES = ("floorId", "floorName")


@dataclass(frozen=True)
class NewNames:
    """Names of a floor, or with `room` of one of its rooms. None leaves them; an empty name removes that language."""

    floor_id: str
    room: str | None = None
    names: Mapping[str, str] | None = None
    aliases: Sequence[str] | None = None


@dataclass(frozen=True)
class BuildingChange:
    """Change of a building; `ground_floor` and `name` stay if they are None."""

    name: str | None = None
    ground_floor: int | None = None
    names: Sequence[NewNames] = ()


def renamed(definition: Json, change: BuildingChange) -> Json:
    """Return a definition, as plain JSON, with other names. Raises BadInput that names the place of the first fault."""
    floors = {floor["floorId"]: dict(floor) for floor in definition["floors"]}
    rooms = {floor_id: _rooms(floor) for floor_id, floor in floors.items()}
    for number, new in enumerate(change.names):
        _apply(new, floors, rooms, f"names[{number}]")
    for floor_id, floor in floors.items():
        floor["rectangles"] = list(rooms[floor_id].values())
    for new in change.names:
        _check_distinct(new, floors)
    changed = definition | {"floors": list(floors.values())}
    if change.ground_floor is not None:
        changed["groundFloor"] = change.ground_floor
    if change.name is not None:
        changed["buildingName"] = _name(change.name, "name")
    return changed


def _rooms(floor: Json) -> dict[str, Json]:
    return {room["name"]: room for room in floor["rectangles"]}


def _apply(new: NewNames, floors: dict[str, Json], rooms: dict[str, dict[str, Json]], place: str) -> None:
    floor = floors.get(new.floor_id)
    if floor is None:
        raise BadInput(
            f"`{place}`: there is no floor {clipped(new.floor_id)!r}.", f"Floors: {join_names(list(floors))}."
        )
    if new.room is None:
        floors[new.floor_id] = _with_names(floor, new, place)
        return
    floor_rooms = rooms[new.floor_id]
    if new.room not in floor_rooms:
        raise BadInput(
            f"`{place}`: floor {new.floor_id} has no room {clipped(new.room)!r}.",
            f"Rooms: {join_names(list(floor_rooms))}.",
        )
    floor_rooms[new.room] = _with_names(floor_rooms[new.room], new, place)


def _with_names(thing: Json, new: NewNames, place: str) -> Json:
    changed = dict(thing)
    if new.names is not None:
        names = dict(thing.get("names") or {})
        for language, text in new.names.items():
            names.pop(language, None)
            if text.strip():
                names[language] = _name(text, f"{place}.names.{language}")
        changed["names"] = names
    if new.aliases is not None:
        texts = [_name(alias, f"{place}.aliases") for alias in new.aliases if alias.strip()]
        aliases = list({fold(alias): alias for alias in texts}.values())
        if len(aliases) > MAX_ALIASES:
            raise BadInput(
                f"`{place}.aliases` has {len(aliases)} names.", f"At most {MAX_ALIASES} are accepted."
            )
        changed["aliases"] = aliases
    return {key: value for key, value in changed.items() if key not in ("names", "aliases") or value}


def _name(text: str, place: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME:
        raise BadInput(
            f"`{place}` has {len(name)} characters.", f"Expected a name of 1 to {LONGEST_NAME} characters."
        )
    return name


def _check_distinct(new: NewNames, floors: Mapping[str, Json]) -> None:
    """Raise BadInput if a new name is the canonical name of another room of the floor, or of another floor."""
    floor = floors[new.floor_id]
    if new.room is None:
        target = new.floor_id
        canonical = {fold(other[key]): other["floorId"] for other in floors.values() for key in _FLOOR_NAMES}
    else:
        target = new.room
        canonical = {fold(room["name"]): room["name"] for room in floor["rectangles"]}
    for text in [*(new.names or {}).values(), *(new.aliases or ())]:
        other = canonical.get(fold(text), target)
        if other != target:
            raise BadInput(
                f"{clipped(text)!r} is the name of another {'floor' if new.room is None else 'room'}.",
                f"Give {clipped(target)!r} a name that no other has.",
                code="name_taken",
            )
