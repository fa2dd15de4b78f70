"""Arguments of show_map on one floor: rooms with their paint, bitmaps and texts with their places. Pure.

Every method raises BadInput with the alternatives. The lists are parsed by `buildings/overlay_text.py`.
"""

import math
from typing import NoReturn

from smoldesk.buildings.building import Building
from smoldesk.buildings.colours import colour, paint
from smoldesk.buildings.overlay_text import (
    Entry,
    Name,
    clip,
    read_entries,
    read_names,
    read_point,
)
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages import (
    XY,
    AtCoordinate,
    AtRectangle,
    BitmapOverlay,
    MapRectangle,
    Overlay,
    Position,
    TextOverlay,
)

# Default colour of a highlight.
BLUE = "#0066FF"
FILL = 0.3
MAX_OVERLAYS = 200
LONGEST_TEXT = 200
# Minimum and maximum in pixels, as the page shows them.
FONT_SIZES = (8, 72)


class DrawingArguments:
    """Reads the words of one call for one floor (its exact id)."""

    def __init__(self, building: Building, floor: str) -> None:
        self._building = building
        self._floor = floor
        self.unknown: list[str] = []
        """Names of a list that no room has; the others are highlighted."""

    def rectangles(self, rooms: str, colours: str, show_names: bool) -> list[MapRectangle]:
        """Highlighted rooms, each once; `rooms` may say `Room1|fill=0.6|stroke=0.5`, and kinds: `toilets`.

        Rooms of other floors state theirs. Raises BadInput if no name is a room.
        """
        names = read_names(rooms)
        shades = read_names(colours)
        for shade in shades:
            _only(shade.options)
        paints = [paint(shade.text) for shade in shades]
        if len(paints) > max(len(names), 1):
            raise BadInput(
                f"There are {len(paints)} colours for {len(names)} rooms.",
                "Give one for each room, or one for all.",
            )
        paints += (paints[-1:] or [(BLUE, None)]) * (len(names) - len(paints))
        painted = [
            room
            for name, (shade, alpha) in zip(names, paints, strict=False)
            for room in self._highlights(name, shade, alpha, show_names, len(names) > 1)
        ]
        if names and not painted:
            self._refuse(names[0].text)
        return list({(room.floor_id, room.name): room for room in painted}.values())

    def overlays(self, bitmaps: str, texts: str) -> list[Overlay]:
        overlays: list[Overlay] = [self._bitmap(entry) for entry in read_entries(bitmaps)]
        overlays += [self._writing(entry) for entry in read_entries(texts)]
        if len(overlays) > MAX_OVERLAYS:
            raise BadInput(f"{len(overlays)} overlays are too many.", f"At most {MAX_OVERLAYS} fit one map.")
        return overlays

    def _highlights(
        self, name: Name, shade: str, alpha: float | None, show_name: bool, is_listed: bool
    ) -> list[MapRectangle]:
        """Return the rooms that a name means; none for an unknown name of a list."""
        options = _only(name.options, "fill", "stroke")
        stroke = _opacity("stroke", options.get("stroke"), 1.0)
        fill = _opacity("fill", options.get("fill"), FILL if alpha is None else alpha)
        try:
            spots = self._building.places.find(name.text)
        except NotFound:
            if not is_listed:
                self._refuse(name.text)
            self.unknown.append(name.text)
            return []
        return [
            MapRectangle(
                name=room,
                color=shade,
                stroke_opacity=stroke,
                fill_opacity=fill,
                show_name=show_name,
                floor_id=None if floor == self._floor else floor,
            )
            for floor, room in [spot for spot in spots if spot[0] == self._floor] or spots
        ]

    def _bitmap(self, entry: Entry) -> BitmapOverlay:
        name = entry.thing.strip().lower()
        if name not in self._building.bitmap_ids:
            raise BadInput(
                f"There is no bitmap {clip(entry.thing)}.",
                f"Bitmaps: {', '.join(self._building.bitmap_ids)}.",
            )
        options = _only(entry.options, "offset")
        return BitmapOverlay(
            bitmap_id=name, position=self._position(entry.place), offset=_offset(options.get("offset"))
        )

    def _writing(self, entry: Entry) -> TextOverlay:
        if len(entry.thing) > LONGEST_TEXT:
            raise BadInput(
                f"The text {clip(entry.thing)} is too long.", f"At most {LONGEST_TEXT} characters fit."
            )
        options = _only(entry.options, "size", "color", "background", "offset")
        ground = options.get("background")
        return TextOverlay(
            text=entry.thing,
            font_size=_size(options.get("size")),
            color=colour(options.get("color", "#000000")),
            background_color=None if ground is None else colour(ground),
            position=self._position(entry.place),
            offset=_offset(options.get("offset")),
        )

    def _position(self, place: str) -> Position:
        point = read_point(place)
        if point is None:
            return AtRectangle(name=self._room(place))
        bounds = self._building.bounds(self._floor)
        if not bounds.holds(*point):
            raise BadInput(
                f"The point {clip(place)} lies outside floor {self._floor}.", f"It spans {bounds}."
            )
        return AtCoordinate(x=point[0], y=point[1])

    def _room(self, text: str) -> str:
        """Return the canonical name of a room of this floor."""
        here = [name for floor, name in self._building.places.named(text) if floor == self._floor]
        return here[0] if here else self._refuse(text)

    def _refuse(self, text: str) -> NoReturn:
        """Raise BadInput with the rooms of this floor, and the floor that has the room."""
        floor, name = self._floor, self._building.find_room(text)
        rooms = [room.name for room in self._building.floor(floor).rectangles]
        listing = f"Rooms of floor {floor}: {', '.join(rooms)}."
        if name is None:
            raise BadInput(f"There is no room {clip(text)}.", listing)
        floors = ", ".join(self._building.floors_with(name))
        raise BadInput(f"{name} is on floor {floors}, not on {floor}.", listing)


def _only(options: dict[str, str], *allowed: str) -> dict[str, str]:
    """Return the options if all are allowed ("colour" is "color")."""
    plain = {"color" if name == "colour" else name: value for name, value in options.items()}
    for name in plain:
        if name not in allowed:
            options_text = f"Options here: {', '.join(allowed)}." if allowed else "None are taken here."
            raise BadInput(f"There is no option {clip(name)}.", options_text)
    return plain


def _number(name: str, text: str, lowest: float, highest: float) -> float:
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = math.nan
    if not lowest <= number <= highest:
        raise BadInput(f"{name}={clip(text)} is out of range.", f"A number from {lowest:g} to {highest:g}.")
    return number


def _opacity(name: str, text: str | None, usual: float) -> float:
    return usual if text is None else _number(name, text, 0, 1)


def _size(text: str | None) -> float:
    return 14 if text is None else _number("size", text.lower().removesuffix("px"), *FONT_SIZES)


def _offset(text: str | None) -> XY | None:
    if text is None:
        return None
    point = read_point(text)
    if point is None or max(map(abs, point)) > 1e6:
        raise BadInput(f"offset={clip(text)} is not an offset.", 'Write "offset=x,y", such as "offset=5,-3".')
    return XY(x=point[0], y=point[1])
