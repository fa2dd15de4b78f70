"""Tools that draw on the floor map: they check the words they get and answer with a command in words.

The command strings are the whole interface: a model reads them as a result, the OutputParser turns them
into messages. A wrong room, floor, colour, bitmap or direction is answered with "Error: ..." naming the
valid ones, so that a model can try again. Nothing is drawn here.
"""

import json
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, cast, get_args

from smoldesk.buildings.building import Building
from smoldesk.buildings.overlay_text import clip
from smoldesk.errors import BadInput
from smoldesk.messages import Direction, MapContent, MapRectangle, Overlay
from smoldesk.tools.drawing import DrawingArguments
from smoldesk.tools.policy import DeskTool

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def _now() -> datetime:
    return datetime.now(UTC)


class MapTool(DeskTool):
    """A tool that knows the building; its description lists the floors and rooms."""

    output_type = "string"
    about: ClassVar[str]

    def __init__(self, building: Building, now: Callable[[], datetime] = _now) -> None:
        self.building = building
        self.now = now
        self.description = self.about.format(
            outline=building.outline(), bitmaps=", ".join(building.bitmap_ids())
        )
        super().__init__()

    def command(self, floor: str, rectangles: list[MapRectangle], overlays: Sequence[Overlay] = ()) -> str:
        """`MAP_COMMAND: {json of MapContent}`."""
        content = MapContent(
            floor_id=floor,
            timestamp=self.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            rectangles=rectangles,
            overlays=[*overlays],
        )
        data = content.model_dump(mode="json", exclude_none=True)
        return f"MAP_COMMAND: {json.dumps(data, ensure_ascii=False)}"


class ShowMap(MapTool):
    """`show_map`: one floor with highlighted rooms, bitmaps and texts; replaces the drawing before it."""

    name = "show_map"
    about = (
        "Shows a floor of the building on the map pane, with rooms highlighted and icons or texts laid over "
        "it. It replaces what an earlier call drew, so put everything for one picture into one call. Only "
        'floor_id is needed; left out: highlight_rooms="", room_colors="" (blue), show_names=True, '
        'bitmap_overlays="", '
        'text_overlays="".\n'
        "Floors and rooms:\n{outline}\n"
        "Bitmaps: {bitmaps}\n"
        'Example: show_map(floor_id="1F", highlight_rooms="Room1,Kitchen", room_colors="#FF0000,#00A651", '
        'bitmap_overlays="person:Room1;exit:480,150", text_overlays="Meet here:Room1")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "floor_id": {"type": "string", "description": 'Floor to show, such as "1F".'},
        "highlight_rooms": {
            "type": "string",
            "description": "Optional: rooms of that floor to highlight, with commas between them; "
            '"Room1|fill=0.6|stroke=0.5" sets opacities (0 to 1).',
            "nullable": True,
        },
        "room_colors": {
            "type": "string",
            "description": "Optional: a colour (#RRGGBB, #RRGGBBAA or a name) for each of these rooms, with "
            "commas between them; the last one also serves the rooms after it.",
            "nullable": True,
        },
        "show_names": {
            "type": "boolean",
            "description": "Optional: write the names of the highlighted rooms (default True).",
            "nullable": True,
        },
        "bitmap_overlays": {
            "type": "string",
            "description": 'Optional: "bitmap:room" or "bitmap:x,y", with semicolons between them; '
            '"|offset=dx,dy" after the place shifts it.',
            "nullable": True,
        },
        "text_overlays": {
            "type": "string",
            "description": 'Optional: "text:room" or "text:x,y", with semicolons between them; quote a text '
            'that has a semicolon. Options follow the place: "Exit:Room1|size=18|color=red|background=#fff".',
            "nullable": True,
        },
    }

    def forward(
        self,
        floor_id: str,
        highlight_rooms: str | None = "",
        room_colors: str | None = "",
        show_names: bool | None = True,
        bitmap_overlays: str | None = "",
        text_overlays: str | None = "",
    ) -> str:
        """`MAP_COMMAND: {json of MapContent}`, or "Error: ..."."""
        try:
            floor = self._floor(_text(str(floor_id), ","))
            drawing = DrawingArguments(self.building, floor)
            rectangles = drawing.rectangles(
                _text(highlight_rooms, ","), _text(room_colors, ","), show_names is not False
            )
            overlays = drawing.overlays(_text(bitmap_overlays, ";"), _text(text_overlays, ";"))
        except BadInput as fault:
            return f"Error: {fault}"
        return self.command(floor, rectangles, overlays)

    def _floor(self, text: str) -> str:
        floor = self.building.find_floor(text)
        if floor is None:
            raise BadInput(
                f"There is no floor {clip(text)}.", f"Floors: {', '.join(self.building.floor_ids())}."
            )
        return floor


class ClearMap(MapTool):
    """`clear_map`: takes highlights, overlays and arrows away."""

    name = "clear_map"
    about = (
        "Takes every highlight, icon, text and arrow off the map; the floor plan stays. Takes no arguments. "
        "Example: clear_map()"
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}

    def forward(self) -> str:
        return "CLEAR_MAP_COMMAND"


class DrawArrow(MapTool):
    """`draw_arrow`: one arrow in the middle of a room, beside those already there."""

    name = "draw_arrow"
    about = (
        "Draws an arrow in the middle of a room on the map; earlier arrows and highlights stay. Both "
        "arguments are needed.\n"
        "Floors and rooms:\n{outline}\n"
        'Example: draw_arrow(room_name="Kitchen", direction="left")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "room_name": {"type": "string", "description": "Room that gets the arrow."},
        "direction": {"type": "string", "description": 'Where it points: "up", "down", "left" or "right".'},
    }

    def forward(self, room_name: str, direction: str) -> str:
        """`ARROW_COMMAND: room=R, direction=d`, or "Error: ..."."""
        room = self.building.find_room(str(room_name))
        if room is None:
            return (
                f"Error: There is no room {clip(str(room_name))}. Rooms: {', '.join(self.building.rooms())}."
            )
        direction_ = unicodedata.normalize("NFKC", str(direction)).strip().lower()
        if direction_ not in DIRECTIONS:
            return f"Error: {clip(str(direction))} is not a direction. Directions: {', '.join(DIRECTIONS)}."
        return f"ARROW_COMMAND: room={room}, direction={direction_}"


class ClearArrows(MapTool):
    """`clear_arrows`: takes the arrows away, leaves the rest."""

    name = "clear_arrows"
    about = "Takes every arrow off the map; the rest stays. Takes no arguments. Example: clear_arrows()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}

    def forward(self) -> str:
        return "CLEAR_ARROWS_COMMAND"


def _text(value: Any, separator: str) -> str:
    """Return an optional list argument as one text; models sometimes pass a real list."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # half surrogates cannot be sent
    if isinstance(value, list | tuple):
        return _text(separator.join(str(item) for item in cast(list[Any], value)), separator)
    raise BadInput(
        f"{clip(repr(value))} is not a text.", "Write names with commas, overlays with semicolons."
    )
