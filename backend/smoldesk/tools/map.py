"""Tools that draw on the floor map: they check the words they get and answer with a command in words.

The command strings are the whole interface: a model reads them as a result, the OutputParser turns them
into messages. A wrong room, floor, colour, bitmap or direction is answered with "Error: ..." naming the
valid ones, so that a model can try again. Nothing is drawn here.
"""

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, cast, get_args

from pydantic import JsonValue

from smoldesk.buildings.building import Building
from smoldesk.buildings.overlay_text import clip
from smoldesk.errors import BadInput
from smoldesk.messages import Direction, MapContent, MapRectangle, Overlay
from smoldesk.tools.drawing import DrawingArguments
from smoldesk.tools.policy import DeskTool

ERROR = "Error: "
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def current_time() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


class MapTool(DeskTool):
    """A tool that knows the building; the message to a model lists floors and rooms."""

    output_type = "string"
    plays_live: ClassVar[bool] = True
    about: ClassVar[str]
    only_draws: ClassVar[bool] = False
    """Whether a call changes nothing but its result, and so may be made to see if it would fail."""

    def __init__(self, building: Building, now: Callable[[], datetime] = current_time) -> None:
        self.building = building
        self.now = now
        self.description = self.about.format(bitmaps=", ".join(building.bitmap_ids))
        super().__init__()

    def check_edited(self, arguments: Mapping[str, JsonValue]) -> None:
        super().check_edited(arguments)
        result = str(self.run_call("", dict(arguments))) if self.only_draws else ""
        if result.startswith(ERROR):
            raise BadInput(result.removeprefix(ERROR).splitlines()[0], "Nothing is drawn.")

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

    only_draws = True
    name = "show_map"
    about = (
        "Shows a floor on the map with highlighted rooms, icons and texts; replaces the last drawing. "
        "Bitmaps: {bitmaps}.\n"
        'Example: show_map("1F", highlight_rooms="Room1,Kitchen|fill=0.6", room_colors="#FF0000,green", '
        'bitmap_overlays="person:Room1;exit:480,150", text_overlays="Meet here:Room1|size=18|color=red")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "floor_id": {"type": "string", "description": ""},
        "highlight_rooms": {
            "type": "string",
            "description": "rooms of that floor; |fill=, |stroke= set opacities (0 to 1)",
            "nullable": True,
        },
        "room_colors": {
            "type": "string",
            "description": "a color for each, #RRGGBB[AA] or a name; the last serves the rest",
            "nullable": True,
        },
        "show_names": {"type": "boolean", "description": "", "nullable": True},
        "bitmap_overlays": {
            "type": "string",
            "description": "bitmap:room or bitmap:x,y, then |offset=dx,dy; between them a semicolon",
            "nullable": True,
        },
        "text_overlays": {
            "type": "string",
            "description": "text:room or text:x,y, then |size= |color= |background= |offset=; a text with ; in quotes",
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
        """`MAP_COMMAND: {json of MapContent}`, after a line with the unknown rooms of a list; or "Error: ..."."""
        try:
            floor = self._floor(_text(str(floor_id), ","))
            drawing = DrawingArguments(self.building, floor)
            rectangles = drawing.rectangles(
                _text(highlight_rooms, ","), _text(room_colors, ","), show_names is not False
            )
            overlays = drawing.overlays(_text(bitmap_overlays, ";"), _text(text_overlays, ";"))
        except BadInput as fault:
            return f"Error: {fault}"
        names = ", ".join(drawing.unknown)
        remark = f"No such room, not highlighted: {names}.\n" if drawing.unknown else ""
        return f"{remark}{self.command(floor, rectangles, overlays)}"

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
    about = "Takes all drawings off the map. Example: clear_map()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}

    def forward(self) -> str:
        return "CLEAR_MAP_COMMAND"


class DrawArrow(MapTool):
    """`draw_arrow`: one arrow in the middle of a room, beside those already there."""

    only_draws = True
    name = "draw_arrow"
    about = 'Draws an arrow in a room.\nExample: draw_arrow(room_name="Kitchen", direction="left")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "room_name": {"type": "string", "description": ""},
        "direction": {"type": "string", "description": "up, down, left or right"},
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
    about = "Takes the arrows alone off the map. Example: clear_arrows()"
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
