"""Drawings of a chat on its building: rooms, highlights, arrows, routes, texts, legend; and their pictures, as SVG."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from smoldesk import messages as m
from smoldesk.buildings.building import Building
from smoldesk.export.page_map import DrawnMap, FloorPicture, draw_ahead, page_pictures
from smoldesk.export.turns import Drawn

# Names of the bundled pictures of arrows.
_PICTURED = re.compile("arrow_(right|down|left|up)")
# Left, top, width and height of the visible part of a floor's image, in its pixels.
View = tuple[float, float, float, float]


@dataclass(frozen=True)
class Command:
    """Message that drew something, with its place among all, its agent, and the floor that the page showed before."""

    number: int
    message: Drawn
    agent: str
    floor_id: str

    @property
    def rooms(self) -> list[str]:
        """Names of rooms that the page looks for on all floors."""
        match self.message:
            case m.Arrow(content=content):
                return [content.room]
            case m.HighlightRoom(content=content):
                return content.rooms
            case _:
                return []


@dataclass
class MapLayer:
    """Drawings of one agent; only its own commands change them. `number` identifies it among the layers."""

    number: int
    rooms: list[m.MapRectangle] = field(default_factory=list[m.MapRectangle])
    overlays: list[m.Overlay] = field(default_factory=list[m.Overlay])
    arrows: list[m.ArrowContent] = field(default_factory=list[m.ArrowContent])
    points: list[m.PlanPoint] = field(default_factory=list[m.PlanPoint])
    commands: list[Command] = field(default_factory=list[Command])
    """What is still drawn, for the page's renderer."""

    is_on_earth: bool = False
    """Whether it has points by latitude and longitude, which are on no floor."""

    @property
    def is_empty(self) -> bool:
        return not (self.rooms or self.overlays or self.arrows or self.points or self.is_on_earth)

    def replace_map(self, rooms: Sequence[m.MapRectangle], overlays: Sequence[m.Overlay]) -> None:
        """Replace what one map command drew; arrows have their own commands."""
        self.rooms, self.overlays, self.points, self.is_on_earth = list(rooms), list(overlays), [], False
        self.commands = [command for command in self.commands if isinstance(command.message, m.Arrow)]

    def copied(self) -> "MapLayer":
        return replace(
            self,
            rooms=list(self.rooms),
            overlays=list(self.overlays),
            arrows=list(self.arrows),
            points=list(self.points),
            commands=list(self.commands),
        )


@dataclass
class MapState:
    """Drawings on one building; `take` applies messages in order.

    Each agent draws in its own layer; the last to draw is on top. `rooms`, `overlays`, `arrows` and `points` join all
    layers. With `images`, the floors' images by name, pictures have them; without, floors have walls.
    """

    building: Building
    images: Mapping[str, Path] = field(default_factory=dict[str, Path])
    floor_id: str = ""
    layers: dict[str, MapLayer] = field(default_factory=dict[str, MapLayer])
    view: View | None = None
    closures: tuple[m.Closure, ...] = ()
    count: int = 0
    """Number of messages so far."""

    @property
    def rooms(self) -> list[m.MapRectangle]:
        return [room for layer in self.layers.values() for room in layer.rooms]

    @property
    def overlays(self) -> list[m.Overlay]:
        return [overlay for layer in self.layers.values() for overlay in layer.overlays]

    @property
    def arrows(self) -> list[m.ArrowContent]:
        return [arrow for layer in self.layers.values() for arrow in layer.arrows]

    @property
    def points(self) -> list[m.PlanPoint]:
        return [point for layer in self.layers.values() for point in layer.points]

    def take(self, message: Drawn, agent: str = "") -> None:
        """Apply an agent's message; clearing clears only the agent's own layer."""
        # Removed and added again: the order of the dict is the order of drawing, and the last layer is on top.
        layer = self.layers.pop(agent, None) or MapLayer(self._free_number())
        self.count += 1
        command = Command(self.count, message, agent, self.floor.floor_id)
        match message:
            case m.Map(content=content):
                self._take_map(layer, content)
            case m.MapFrames(content=content):
                # An animation ends at its last frame.
                layer.replace_map(content.frames[-1].rectangles, [content.legend] if content.legend else [])
                self.floor_id = content.floor_id
            case m.HighlightRoom(content=content):
                layer.rooms += [
                    m.MapRectangle(name=name, stroke_opacity=1, fill_opacity=0.3) for name in content.rooms
                ]
            case m.Arrow(content=content):
                layer.arrows.append(content)
            case m.ClearArrows():
                layer.arrows = []
                layer.commands = [old for old in layer.commands if not isinstance(old.message, m.Arrow)]
            case m.ClearMap():
                layer = MapLayer(layer.number)
        if not isinstance(message, m.ClearArrows | m.ClearMap):
            layer.commands.append(command)
        if not layer.is_empty:
            self.layers[agent] = layer

    def _free_number(self) -> int:
        used_numbers = {layer.number for layer in self.layers.values()}
        return next(number for number in range(1, len(used_numbers) + 2) if number not in used_numbers)

    def take_any(self, message: m.Message, agent: str = "") -> None:
        """Apply a message, if it is about the map."""
        if isinstance(message, Drawn):
            self.take(message, agent)

    def on_floor(self, floor_id: str | None, view: View | None = None) -> "MapState":
        """Return a copy that shows a floor, by default the one drawn on, or only the part `view` of it."""
        layers = {agent: layer.copied() for agent, layer in self.layers.items()}
        return replace(self, floor_id=floor_id or self.floor.floor_id, layers=layers, view=view)

    def _take_map(self, layer: MapLayer, content: m.MapContent | m.PointsContent) -> None:
        if isinstance(content, m.PointsContent):
            layer.replace_map([], [])
            layer.points = [point for point in content.points if isinstance(point, m.PlanPoint)]
            layer.is_on_earth = len(layer.points) < len(content.points)
            return
        layer.replace_map(content.rectangles, content.overlays)
        self.floor_id = content.floor_id

    @property
    def floor(self) -> m.Floor:
        """Floor on show: the one drawn on, else the first."""
        floors = self.building.definition.floors
        return next((floor for floor in floors if floor.floor_id == self.floor_id), floors[0])

    @property
    def routes(self) -> list[m.RouteOverlay]:
        return [overlay for overlay in self.overlays if isinstance(overlay, m.RouteOverlay)]

    def svg(self) -> str:
        """Return the picture of the floor on show. Starts a process. Raises NoPicture."""
        return page_pictures(self._drawn(all_floors=False))[0].svg

    def pictures(self) -> list[FloorPicture]:
        """Return the pictures of all floors with drawings, the one on show first; of a `view` alone if there is one.

        Starts a process. Raises NoPicture.
        """
        return page_pictures(self._drawn(all_floors=self.view is None))

    @staticmethod
    def draw_ahead(map_states: "Iterable[MapState]", all_floors: bool) -> None:
        """Draw several maps in few processes, before `svg` (or with `all_floors` before `pictures`) of each."""
        draw_ahead(state._drawn(all_floors and state.view is None) for state in map_states)

    def _drawn(self, all_floors: bool) -> DrawnMap:
        commands = sorted(
            (command for layer in self.layers.values() for command in layer.commands),
            key=lambda command: command.number,
        )
        drawn = {
            "building": m.as_json(self.building.definition),
            "commands": [
                {"message": m.as_json(each.message), "agent": each.agent, "floorId": each.floor_id}
                for each in commands
            ],
            "floorId": self.floor_id or None,
            "closures": [m.as_json(part) for part in self.closures],
            "all": all_floors,
            "view": self.view,
            "missing": "No data: {n}",
            "unnamed": "unnamed",
        }
        images = tuple(sorted(self._images(commands, all_floors).items()))
        return DrawnMap(json.dumps(drawn), images, self._bitmap_files())

    def _images(self, commands: Sequence[Command], all_floors: bool) -> dict[str, Path]:
        """Return the images of the floors that may be drawn."""
        floors = {self.floor.floor_id}
        if all_floors and self.images:
            for command in commands:
                floors |= {command.floor_id, *_floor_ids(m.as_json(command.message))}
                floors |= {floor for name in command.rooms for floor in self._floors_with(name)}
        names = [floor.floor_image for floor in self.building.floors if floor.floor_id in floors]
        return {name: self.images[name] for name in names if name in self.images}

    def _floors_with(self, name: str) -> list[str]:
        return self.building.floors_with(self.building.find_room(name) or name)

    def _bitmap_files(self) -> frozenset[str]:
        ids = {overlay.bitmap_id for overlay in self.overlays if isinstance(overlay, m.BitmapOverlay)}
        ids |= {f"arrow_{arrow.direction}" for arrow in self.arrows}
        # The names of an imported building are no paths.
        files = {bitmap.bitmap_file for bitmap in self.building.definition.bitmaps if bitmap.bitmap_id in ids}
        return frozenset(name for name in files if Path(name).name == name)


def _floor_ids(message: Any) -> Iterator[str]:
    """Yield the floors that a message names."""
    if isinstance(message, dict):
        for key, value in cast("dict[str, Any]", message).items():
            if key.lower().endswith("floorid") and isinstance(value, str):
                yield value
            else:
                yield from _floor_ids(value)
    elif isinstance(message, list):
        for value in cast("list[Any]", message):
            yield from _floor_ids(value)


def pictured_arrow(overlay: m.Overlay) -> m.ArrowContent | None:
    """Return the arrow of a bundled arrow picture in a room; None for other overlays."""
    if not isinstance(overlay, m.BitmapOverlay) or not isinstance(overlay.position, m.AtRectangle):
        return None
    match = _PICTURED.fullmatch(overlay.bitmap_id)
    return (
        m.ArrowContent.model_validate({"room": overlay.position.name, "direction": match[1]})
        if match
        else None
    )
