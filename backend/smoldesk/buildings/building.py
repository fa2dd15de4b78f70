"""A building: its floors with rooms and doors, the links between them, and the small pictures that may be laid over.

Made from a `MapDefinitionContent` (the bundled one is a JSON file), checked by `checks.py`, never changed. People and models
name rooms loosely, so look-ups forgive case, spaces at the ends and full-width letters; what comes back is
always the canonical name. Drawing commands are made in `tools/map.py`; the floor images are files of `backend/data/floors/`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from smoldesk.assets import DATA
from smoldesk.buildings.bounds import Bounds
from smoldesk.buildings.checks import faults
from smoldesk.buildings.places import PlaceIndex
from smoldesk.errors import DeskError, NotFound
from smoldesk.messages import (
    Floor,
    Link,
    MapDefinitionContent,
    Rectangle,
)

if TYPE_CHECKING:
    from smoldesk.buildings.routing import RouteGraph

BUNDLED = DATA / "building.json"


class BadBuilding(DeskError):
    """The building file cannot be read, or contradicts itself."""

    code = "bad_building"


@dataclass(frozen=True)
class Building:
    """Floors, rooms and bitmaps, checked against each other; cheap to ask, safe to share between threads."""

    definition: MapDefinitionContent
    _floors_of: dict[str, list[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.definition)
        floors_of: dict[str, list[str]] = {}
        for floor in self.definition.floors:
            for room in floor.rectangles:
                floors_of.setdefault(room.name, []).append(floor.floor_id)
        object.__setattr__(self, "_floors_of", floors_of)

    @classmethod
    def load(cls, path: Path = BUNDLED) -> "Building":
        """Read and check a building file; raises BadBuilding, naming the file and the first fault."""
        try:
            return cls(MapDefinitionContent.model_validate_json(path.read_bytes()))
        except OSError as fault:
            raise BadBuilding(f"The building file {path.name} cannot be read: {fault.strerror}.") from fault
        except ValidationError as fault:
            first = fault.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the top level"
            raise BadBuilding(
                f"The building file {path.name} is not a map definition: at {where}: {first['msg']}.",
                hint="It needs `floors` and `bitmaps` as the four-pane protocol describes them.",
            ) from fault
        except BadBuilding as fault:
            raise BadBuilding(
                f"The building file {path.name} is at odds with itself: {fault.message}"
            ) from fault

    @property
    def floors(self) -> list[Floor]:
        """The floors in the order of the file; the page shows the first one first."""
        return self.definition.floors

    def floor(self, floor_id: str) -> Floor:
        """Return the floor of exactly this id. Raises NotFound with the existing ids."""
        for floor in self.floors:
            if floor.floor_id == floor_id:
                return floor
        raise NotFound(f"There is no floor {floor_id!r}.", hint=f"Floors: {_join_names(self.floor_ids())}.")

    def floor_ids(self) -> list[str]:
        """Return the ids of the floors, in their order."""
        return [floor.floor_id for floor in self.floors]

    def find_floor(self, text: str) -> str | None:
        """Return the id of the floor that an id or a name means ("1f", "１Ｆ", 1階, "the second floor"), or None."""
        return text if text in self.floor_ids() else next(iter(self.places.floor_ids(text)), None)

    def rooms(self) -> list[str]:
        """Return every room's name once, in the order of the file."""
        return list(self._floors_of)

    def floors_with(self, room: str) -> list[str]:
        """Return the ids of the floors that have a room of exactly this name; empty when there is none."""
        return list(self._floors_of.get(room, []))

    def find_room(self, text: str) -> str | None:
        """Return the name in the file of the room that a name or alias means ("kitchen", "ＲＯＯＭ１"), or None."""
        return text if text in self._floors_of else next((name for _, name in self.places.named(text)), None)

    @cached_property
    def places(self) -> PlaceIndex:
        """Its rooms and floors by all their names, made when first asked for."""
        return PlaceIndex(self.definition)

    def bounds(self, floor_id: str) -> Bounds:
        """Return the virtual coordinates that the floor image covers."""
        return Bounds.of(self.floor(floor_id).coordinate_system)

    @property
    def links(self) -> list[Link]:
        """Stairs, lifts and what else joins floors; empty when nothing does."""
        return self.definition.links or []

    def room(self, floor_id: str, name: str) -> Rectangle:
        """Return the room of exactly this name on this floor. Raises NotFound with the existing names."""
        floor = self.floor(floor_id)
        for room in floor.rectangles:
            if room.name == name:
                return room
        room_names = _join_names(room.name for room in floor.rectangles)
        raise NotFound(f"Floor {floor_id} has no room {name!r}.", hint=f"Rooms: {room_names}.")

    def kinds(self) -> list[str]:
        """Return every kind of room there is, once, in the order of the file."""
        return list(
            dict.fromkeys(room.kind for floor in self.floors for room in floor.rectangles if room.kind)
        )

    @cached_property
    def bitmap_ids(self) -> list[str]:
        """The ids of the bitmaps that can be drawn."""
        return [bitmap.bitmap_id for bitmap in self.definition.bitmaps]

    @cached_property
    def route_graph(self) -> "RouteGraph":
        """The ways through it, found when first asked for."""
        from smoldesk.buildings.routing import RouteGraph

        return RouteGraph(self.definition)

    @cached_property
    def profile_graphs(self) -> "dict[float, RouteGraph]":
        """Its ways at other speeds than walking, as travel_profiles.py makes them."""
        return {}


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names)


def definition_of(data: Mapping[str, Any]) -> MapDefinitionContent:
    """Return the definition in JSON data. Raises ValidationError.

    Floors are validated one by one: pydantic holds the GIL, and 100,000 rooms would stop the event loop for seconds.
    """
    floors = data.get("floors")
    if not isinstance(floors, list):
        return MapDefinitionContent.model_validate(data)
    validated = [Floor.model_validate(floor) for floor in cast("list[Any]", floors)]
    return MapDefinitionContent.model_validate({**data, "floors": validated})


def _check(definition: MapDefinitionContent) -> None:
    """Raise BadBuilding with the first error, if there is one."""
    for finding in faults(definition):
        if finding.severity == "error":
            raise BadBuilding(f"{finding.message} (at {finding.where})")
