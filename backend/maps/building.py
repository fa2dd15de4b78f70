"""The building a desk shows: its floors, its rooms and the small pictures that may be laid over them.

Loaded once from a JSON file in the shape of `MapDefinitionContent` and never changed. People and models
name rooms loosely, so look-ups forgive case, spaces at the ends and full-width letters; what comes back is
always the canonical name. Drawing commands are made in `tools/map.py`; the floor images come from
`scripts/draw_assets.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from backend.errors import DeskError, NotFound
from backend.maps.names import fold
from backend.messages import Floor, MapDefinitionContent, Rectangle

BUNDLED = Path(__file__).parents[1] / "data" / "building.json"


class BadBuilding(DeskError):
    """The building file cannot be read, or contradicts itself."""

    code = "bad_building"


@dataclass(frozen=True)
class Bounds:
    """The virtual coordinates a floor covers; y may grow in either direction."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """True when the point lies on the floor, edges included."""
        return min(self.left, self.right) <= x <= max(self.left, self.right) and min(
            self.top, self.bottom
        ) <= y <= max(self.top, self.bottom)

    def __str__(self) -> str:
        return f"x {self.left:g}..{self.right:g}, y {self.top:g}..{self.bottom:g}"


@dataclass(frozen=True)
class Building:
    """Floors, rooms and bitmaps, checked against each other; cheap to ask, safe to share between threads."""

    definition: MapDefinitionContent
    _names: dict[str, str] = field(init=False, repr=False, compare=False)
    _floors_of: dict[str, list[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.definition)
        floors_of: dict[str, list[str]] = {}
        for floor in self.definition.floors:
            for room in floor.rectangles:
                floors_of.setdefault(room.name, []).append(floor.floor_id)
        names = {fold(name): name for name in reversed(floors_of)}
        object.__setattr__(self, "_floors_of", floors_of)
        object.__setattr__(self, "_names", names)

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
        """The floor of exactly this id; raises NotFound naming the ids there are."""
        for floor in self.floors:
            if floor.floor_id == floor_id:
                return floor
        raise NotFound(f"There is no floor {floor_id!r}.", hint=f"Floors: {_listed(self.floor_ids())}.")

    def floor_ids(self) -> list[str]:
        return [floor.floor_id for floor in self.floors]

    def find_floor(self, text: str) -> str | None:
        """The id of the floor a loose id or name means ("1f", "１Ｆ", "1階"), or None."""
        wanted = fold(text)
        for floor in self.floors:
            if wanted in (fold(floor.floor_id), fold(floor.floor_name)):
                return floor.floor_id
        return None

    def rooms(self) -> list[str]:
        """Every room's name once, in the order of the file."""
        return list(self._floors_of)

    def floors_with(self, room: str) -> list[str]:
        """Ids of the floors that have a room of exactly this name; empty when there is none."""
        return list(self._floors_of.get(room, []))

    def find_room(self, text: str) -> str | None:
        """The canonical name of the room meant by a loose spelling ("kitchen", "ＲＯＯＭ１"), or None."""
        return text if text in self._floors_of else self._names.get(fold(text))

    def bounds(self, floor_id: str) -> Bounds:
        """The virtual coordinates the floor image covers."""
        system = self.floor(floor_id).coordinate_system
        return Bounds(system.top_left.x, system.top_left.y, system.bottom_right.x, system.bottom_right.y)

    def bitmap_ids(self) -> list[str]:
        return [bitmap.bitmap_id for bitmap in self.definition.bitmaps]

    def outline(self) -> str:
        """Floors and their rooms on one line each, for prompts: `1F (1階): Room1, Room2`."""
        return "\n".join(
            f"{floor.floor_id} ({floor.floor_name}): {_listed(room.name for room in floor.rectangles)}"
            for floor in self.floors
        )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _check(definition: MapDefinitionContent) -> None:
    """Raise BadBuilding when a name repeats, a file lies elsewhere, or a room is empty or off its floor."""
    if not definition.floors:
        raise BadBuilding("there is no floor.")
    _once("floor", [floor.floor_id for floor in definition.floors])
    _once("bitmap", [bitmap.bitmap_id for bitmap in definition.bitmaps])
    files = [floor.floor_image for floor in definition.floors]
    for name in [*files, *(bitmap.bitmap_file for bitmap in definition.bitmaps)]:
        if name in ("", ".", "..") or any(sign in name for sign in "/\\\0"):
            raise BadBuilding(f"{name!r} is not a plain file name.")
    for floor in definition.floors:
        _once(f"room of floor {floor.floor_id}", [fold(room.name) for room in floor.rectangles])
        for room in floor.rectangles:
            _check_room(floor, room)


def _check_room(floor: Floor, room: Rectangle) -> None:
    system = floor.coordinate_system
    bounds = Bounds(system.top_left.x, system.top_left.y, system.bottom_right.x, system.bottom_right.y)
    one, other = room.top_left, room.bottom_right
    if not fold(room.name):
        raise BadBuilding(f"a room of floor {floor.floor_id} has no name.")
    if one.x == other.x or one.y == other.y:
        raise BadBuilding(f"room {room.name} of floor {floor.floor_id} has no area.")
    if not (bounds.holds(one.x, one.y) and bounds.holds(other.x, other.y)):
        raise BadBuilding(f"room {room.name} lies outside floor {floor.floor_id}.")


def _once(what: str, names: list[str]) -> None:
    if len(set(names)) == len(names):
        return
    twice = next(name for name in names if names.count(name) > 1)
    raise BadBuilding(f"{what} {twice!r} is there twice.")
