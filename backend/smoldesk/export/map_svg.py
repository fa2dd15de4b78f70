"""SVG of a floor with a chat's drawings: rooms, highlights, arrows, routes, texts, legend. Pure.

Coordinates are pixels of the floor's image, in which text keeps its shape. All text of files and models is escaped;
the SVG has no script, link or picture.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape

from smoldesk import messages as m
from smoldesk.buildings.building import Building
from smoldesk.export.turns import Drawn

# Only these are colours here: any other text could end the attribute or contain a URL.
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,20}")
# Clockwise degrees from an arrow to the right; SVG's y axis points down.
_TURN = {"right": 0, "down": 90, "left": 180, "up": 270}
MAX_POINTS = 2_000
_PICTURED = re.compile("arrow_(right|down|left|up)")
# Left, top, width and height of the visible part of a floor's image, in its pixels.
View = tuple[float, float, float, float]


@dataclass
class MapLayer:
    """Drawings of one agent; only its own commands change them. `number` identifies it among the layers."""

    number: int
    rooms: list[m.MapRectangle] = field(default_factory=list[m.MapRectangle])
    overlays: list[m.Overlay] = field(default_factory=list[m.Overlay])
    arrows: list[m.ArrowContent] = field(default_factory=list[m.ArrowContent])
    points: list[m.PlanPoint] = field(default_factory=list[m.PlanPoint])

    @property
    def is_empty(self) -> bool:
        return not (self.rooms or self.overlays or self.arrows or self.points)

    def copied(self) -> "MapLayer":
        return replace(
            self,
            rooms=list(self.rooms),
            overlays=list(self.overlays),
            arrows=list(self.arrows),
            points=list(self.points),
        )


@dataclass
class MapState:
    """Drawings on one building; `take` applies messages in order.

    Each agent draws in its own layer; the last to draw is on top. `rooms`, `overlays`, `arrows` and `points` join all
    layers.
    """

    building: Building
    floor_id: str = ""
    layers: dict[str, MapLayer] = field(default_factory=dict[str, MapLayer])
    view: View | None = None

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
        match message:
            case m.Map(content=content):
                self._take_map(layer, content)
            case m.MapFrames(content=content):
                # An animation ends at its last frame.
                self.floor_id, layer.rooms = content.floor_id, list(content.frames[-1].rectangles)
                layer.overlays = [content.legend] if content.legend else []
            case m.HighlightRoom(content=content):
                layer.rooms += [
                    m.MapRectangle(name=name, stroke_opacity=1, fill_opacity=0.3) for name in content.rooms
                ]
            case m.Arrow(content=content):
                layer.arrows.append(content)
            case m.ClearArrows():
                layer.arrows = []
            case m.ClearMap():
                layer = MapLayer(layer.number)
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
        """Return a copy that shows a floor, by default the one drawn on, or only the part `view` of it.

        Rooms without a floor belong to the floor drawn on.
        """
        floor = floor_id or self.floor.floor_id
        layers = {agent: layer.copied() for agent, layer in self.layers.items()}
        if floor != self.floor.floor_id:
            for layer in layers.values():
                layer.rooms = [room for room in layer.rooms if room.floor_id == floor]
        return replace(self, floor_id=floor, layers=layers, view=view)

    def _take_map(self, layer: MapLayer, content: m.MapContent | m.PointsContent) -> None:
        if isinstance(content, m.PointsContent):
            layer.points = [point for point in content.points if isinstance(point, m.PlanPoint)]
            return
        self.floor_id, layer.points = content.floor_id, []
        layer.rooms, layer.overlays = list(content.rectangles), list(content.overlays)

    @property
    def floor(self) -> m.Floor:
        """Floor on show: the one drawn on, else the first."""
        floors = self.building.definition.floors
        return next((floor for floor in floors if floor.floor_id == self.floor_id), floors[0])

    @property
    def caption(self) -> str:
        """Caption in English; the id of the floor, since its name may be in another language."""
        return f"Map of {self.floor.floor_id}"

    def svg(self) -> str:
        """Return the picture."""
        floor = self.floor
        plan = _Plan(floor, self.view)
        x, top, width, height = plan.box
        highlighted = {room.name: room for room in self.rooms if room.floor_id in (None, floor.floor_id)}
        parts = [plan.room(rectangle, highlighted.get(rectangle.name)) for rectangle in floor.rectangles]
        for overlay in self.overlays:
            parts.append(plan.overlay(overlay))
        parts += [plan.arrow(arrow) for arrow in self.arrows]
        parts += [plan.dot(point) for point in self.points[:MAX_POINTS]]
        if len(self.layers) > 1:
            parts += [plan.badges(room, numbers) for room, numbers in self._numbers(floor)]
            parts.append(plan.agents({layer.number: agent for agent, layer in self.layers.items()}))
        name = _escape_text(floor.floor_id)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x:g} {top:g} {width:g} {height:g}" role="img" '
            f'width="{min(plan.width, 900):g}" font-family="system-ui, sans-serif"><title>{name}</title>'
            f'<rect x="{x:g}" y="{top:g}" width="100%" height="100%" fill="#fbfaf7"/>{"".join(parts)}</svg>'
        )

    def _numbers(self, floor: m.Floor) -> Iterator[tuple[m.Rectangle, list[int]]]:
        """Yield each room that a layer may have drawn in, with the numbers of those layers."""
        drawn = [
            (
                layer.number,
                {room.name for room in layer.rooms if room.floor_id in (None, floor.floor_id)}
                | {arrow.room for arrow in layer.arrows},
            )
            for layer in self.layers.values()
        ]
        for room in floor.rectangles:
            if numbers := [number for number, names in drawn if room.name in names]:
                yield room, numbers


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


class _Plan:
    """Conversion of one floor's coordinates to pixels of the picture; either axis may be reversed."""

    def __init__(self, floor: m.Floor, view: View | None = None) -> None:
        first, last = floor.coordinate_system.top_left, floor.coordinate_system.bottom_right
        min_x, top = min(first.px, last.px), min(first.py, last.py)
        # `or 1.0`: a floor without extent must not divide by zero.
        self.width, self.height = abs(last.px - first.px) or 1.0, abs(last.py - first.py) or 1.0
        self._first, self._place_of_first = first, (first.px - min_x, first.py - top)
        self._across = (last.px - first.px) / ((last.x - first.x) or 1.0)
        self._down = (last.py - first.py) / ((last.y - first.y) or 1.0)
        self._rooms = {rectangle.name: rectangle for rectangle in floor.rectangles}
        self._floor_id = floor.floor_id
        self.box = self._visible_part(min_x, top, view) if view else (0.0, 0.0, self.width, self.height)
        self._size = max(9.0 * self.box[2] / self.width, min(self.box[2:]) / 32)

    def _visible_part(self, from_left: float, from_top: float, view: View) -> View:
        """Return the part of the picture that a view shows; all of it if the view lies outside."""
        min_x, top = max(0.0, view[0] - from_left), max(0.0, view[1] - from_top)
        right = min(self.width, view[0] + view[2] - from_left)
        bottom = min(self.height, view[1] + view[3] - from_top)
        if right - min_x < 1 or bottom - top < 1:
            return 0.0, 0.0, self.width, self.height
        return round(min_x, 1), round(top, 1), round(right - min_x, 1), round(bottom - top, 1)

    def at(self, x: float, y: float) -> tuple[float, float]:
        from_left, from_top = self._place_of_first
        across, down = (x - self._first.x) * self._across, (y - self._first.y) * self._down
        return round(from_left + across, 1), round(from_top + down, 1)

    def middle(self, room: m.Rectangle) -> tuple[float, float]:
        return self.at(
            (room.top_left.x + room.bottom_right.x) / 2, (room.top_left.y + room.bottom_right.y) / 2
        )

    def room(self, room: m.Rectangle, highlight: m.MapRectangle | None) -> str:
        corners = room.polygon or [
            room.top_left,
            m.XY(x=room.bottom_right.x, y=room.top_left.y),
            room.bottom_right,
            m.XY(x=room.top_left.x, y=room.bottom_right.y),
        ]
        points = self._line(corners)
        if highlight is None:
            style = 'fill="none" stroke="#ff0000"'
        else:
            colour = _colour(highlight.color)
            style = f'fill="{colour}" fill-opacity="{highlight.fill_opacity:g}" stroke="{colour}" stroke-width="2"'
        label = (
            room.name if highlight is None or highlight.value is None else f"{room.name} {highlight.value:g}"
        )
        weight = ' font-weight="600"' if highlight is not None else ""
        return f'<polygon points="{points}" {style}/>{self._text(self.middle(room), label, weight)}'

    def overlay(self, overlay: m.Overlay) -> str:
        match overlay:
            case m.BitmapOverlay() if (arrow := pictured_arrow(overlay)) is not None:
                return self.arrow(arrow)
            case m.TextOverlay() | m.BitmapOverlay():
                place = self._place(overlay.position)
                if place is None:
                    return ""
                label = overlay.text if isinstance(overlay, m.TextOverlay) else f"[{overlay.bitmap_id}]"
                return self._text((place[0], place[1] + 1.4 * self._size), label, "")
            case m.RouteOverlay():
                legs = [leg for leg in overlay.legs if leg.floor_id == self._floor_id]
                style = 'fill="none" stroke="#3b6fe0" stroke-width="4" stroke-linejoin="round"'
                return "".join(f'<polyline points="{self._line(leg.points)}" {style}/>' for leg in legs)
            case m.LegendOverlay():
                return self._legend(overlay)

    def arrow(self, arrow: m.ArrowContent) -> str:
        room = self._rooms.get(arrow.room)
        if room is None:
            return ""
        x, y = self.middle(room)
        size = self._size
        shape = f"M{-size:g},0H{size:g}M{size / 3:g},{-size / 2:g}L{size:g},0L{size / 3:g},{size / 2:g}"
        move = f"translate({x:g} {y + 1.2 * size:g}) rotate({_TURN[arrow.direction]})"
        return f'<path d="{shape}" transform="{move}" fill="none" stroke="#0066ff" stroke-width="3"/>'

    def dot(self, point: m.PlanPoint) -> str:
        x, y = self.at(point.x, point.y)
        name = f"<title>{_escape_text(point.name)}</title>" if point.name else ""
        return f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="#0066ff">{name}</circle>'

    def badges(self, room: m.Rectangle, numbers: list[int]) -> str:
        """Draw the numbers of the layers that drew in a room, so that colour is not the only difference."""
        corners = [self.at(corner.x, corner.y) for corner in (room.top_left, room.bottom_right)]
        x, y = min(x for x, _ in corners), min(y for _, y in corners)
        return "".join(
            self._badge(x + (1.8 * at + 1.2) * self._size, y + 1.2 * self._size, number)
            for at, number in enumerate(numbers)
        )

    def agents(self, names: Mapping[int, str]) -> str:
        """Draw the list of numbers with their agents."""
        lines: list[str] = []
        for at, (number, name) in enumerate(sorted(names.items()), 1):
            y = self.height - 1.9 * self._size * (len(names) - at) - 1.2 * self._size
            lines.append(self._badge(1.2 * self._size, y, number))
            label, x = _escape_text(name[:60] or "unnamed"), 2.4 * self._size
            lines.append(
                f'<text x="{x:g}" y="{y + 0.35 * self._size:g}" font-size="{self._size:g}" fill="#333">{label}</text>'
            )
        return f"<g>{''.join(lines)}</g>"

    def _badge(self, x: float, y: float, number: int) -> str:
        size = self._size
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{0.8 * size:g}" fill="#fff" stroke="#333"/>'
            f'<text x="{x:g}" y="{y + 0.35 * size:g}" font-size="{size:g}" text-anchor="middle" fill="#333">{number}</text>'
        )

    def _legend(self, legend: m.LegendOverlay) -> str:
        size = self._size
        rows = [(f"{stop.value:g} {legend.unit}".strip(), _colour(stop.color)) for stop in legend.stops]
        lines = [
            f'<text font-size="{size:g}" y="{-size * 0.6:g}" fill="#333">{_escape_text(legend.title)}</text>'
        ]
        for at, (label, colour) in enumerate(rows):
            text = _escape_text(label)
            y = at * 1.4 * size
            lines.append(f'<rect y="{y:g}" width="{size:g}" height="{size:g}" fill="{colour}"/>')
            lines.append(
                f'<text x="{1.5 * size:g}" y="{y + 0.85 * size:g}" font-size="{size:g}" fill="#333">{text}</text>'
            )
        x, top, width, height = self.box
        move = f"translate({x + width - 10 * size:g} {top + height - 1.6 * size * (len(rows) + 1):g})"
        return f'<g transform="{move}">{"".join(lines)}</g>'

    def _place(self, position: m.AtRectangle | m.AtCoordinate) -> tuple[float, float] | None:
        if isinstance(position, m.AtCoordinate):
            return self.at(position.x, position.y)
        room = self._rooms.get(position.name)
        return self.middle(room) if room else None

    def _line(self, points: Iterable[m.XY]) -> str:
        return " ".join("{:g},{:g}".format(*self.at(point.x, point.y)) for point in points)

    def _text(self, place: tuple[float, float], text: str, more: str) -> str:
        return (
            f'<text x="{place[0]:g}" y="{place[1]:g}" font-size="{self._size:g}" text-anchor="middle" fill="#333"'
            f"{more}>{_escape_text(text[:80])}</text>"
        )


def _escape_text(text: str) -> str:
    """Return text for XML, without control characters and lone surrogates, which XML does not allow."""
    return escape("".join(sign if sign.isprintable() else " " for sign in text))


def _colour(text: str) -> str:
    return text if _COLOUR.fullmatch(text) else "#0066ff"
