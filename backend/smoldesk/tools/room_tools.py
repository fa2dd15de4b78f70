"""Tools that answer questions about rooms: where_is and list_rooms.

Results are text, followed by a command that shows the rooms. Both know the same names and kinds as the tools of ways.
"""

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from smoldesk.buildings.colours import colour
from smoldesk.buildings.evacuation.exits import exit_names
from smoldesk.buildings.floor_comparisons import (
    MAX_RANKED,
    average_size,
    between,
    compare_areas,
    compare_floors,
    kinds_of_rooms,
    passed_over,
    ranked,
)
from smoldesk.buildings.kinds import CIRCULATION, kind_name, kind_of
from smoldesk.buildings.painted_rooms import main_floor, painted_rectangles
from smoldesk.buildings.palettes import scale_for
from smoldesk.buildings.places import Spot, UnknownPlace
from smoldesk.buildings.room_facts import room_at, size_of
from smoldesk.buildings.room_texts import NAMED, SHAFTS, RoomTexts
from smoldesk.buildings.routing.routes import Goal
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.messages import AtCoordinate, BitmapOverlay, Floor, LegendOverlay
from smoldesk.tools.drawing import BLUE
from smoldesk.tools.navigation import LANGUAGE, RouteTool, checked_text, failed, goals_of, in_colour

# Maximum rooms that an answer highlights.
MAX_SHOWN = 500
# Area that a list is limited to.
_LIMIT = re.compile(r"(over|under|at least|at most) (\d+(?:\.\d+)?)")
_COMPARED = {"over": operator.gt, "under": operator.lt, "at least": operator.ge, "at most": operator.le}
# Ranks: `3 largest` are three rooms, `2nd smallest` is one; `from largest` are all in this order.
_RANK = re.compile(r"(?:(\d+)(st|nd|rd|th)? |from )(largest|smallest)")
_BY_FLOOR = re.compile(r"(?:(most|fewest|none|largest|smallest) )?by floor")
SHOWS = (
    "names",
    "count",
    "area",
    "largest",
    "smallest",
    "average",
    "by floor",
    "between",
    "kinds",
    "sizes",
    "floors",
    "doors",
)


class RoomTool(RouteTool):
    """A tool that shows rooms, lifts, stairs and exits."""

    def drawn(self, goals: Sequence[Goal]) -> str:
        """Return the map: rooms highlighted with their area, lifts and exits as icons on the floor that is shown."""
        floor = goals[0].spot[0]
        definition = self.building.definition
        spots = list(dict.fromkeys(goal.spot for goal in goals if not goal.label))[:MAX_SHOWN]
        rooms = [
            room.model_copy(
                update={
                    "value": round(
                        size_of(*room_at(definition, (room.floor_id or floor, room.name))).value, 1
                    )
                }
            )
            for room in in_colour(spots, floor)
        ]
        icons = [
            BitmapOverlay(bitmap_id=icon, position=AtCoordinate(x=goal.at.x, y=goal.at.y))
            for goal in goals
            if goal.at and goal.spot[0] == floor and (icon := self._icon(goal))
        ]
        return self.command(floor, rooms, icons)

    def _icon(self, goal: Goal) -> str:
        """Return the bitmap for a lift, stairs or an exit, as far as the building has it."""
        parts = goal.label.split(" ")
        return next((bitmap for bitmap in self.building.bitmap_ids if bitmap in parts), "")


class WhereIs(RoomTool):
    """`where_is`: the floor of a room, its neighbours and its area; the places of a kind."""

    name = "where_is"
    about = 'Floor, neighbours and area of a room or kind; drawn.\nExample: where_is(name="Kitchen")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "name": {"type": "string", "description": ""},
        "language": LANGUAGE,
    }

    def forward(self, name: str, language: str | None = "en") -> str:
        """Return a line for each room of that name and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            goals, unknown = self._goals(checked_text(name, "name"))
        except DeskError as fault:
            return failed(fault, language)
        texts = RoomTexts(self.graph, self.building.places, language or "en")
        return "\n".join([*texts.places_of(goals), *map(texts.unknown, unknown), self.drawn(goals)])

    def _goals(self, text: str) -> tuple[list[Goal], list[str]]:
        """Return the rooms of a name, else all places of a kind, lifts and exits included; and the unknown names of a list."""
        places = self.building.places
        if places.kind(text) and not places.named(text):
            return goals_of(self.graph, places, text), []
        try:
            spots, unknown = places.find_each(text)
        except UnknownPlace as fault:
            try:
                return goals_of(self.graph, places, text), []
            except DeskError:
                raise fault from None
        return [Goal(spot) for spot in spots], unknown


class ListRooms(RoomTool):
    """`list_rooms`: the rooms of a floor or a kind: names, number, total area, the largest."""

    name = "list_rooms"
    about = 'Rooms of a floor or kind; their number or area. Example: list_rooms(show="count")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "floor": {"type": "string", "description": "", "nullable": True},
        "kind": {"type": "string", "description": "", "nullable": True},
        "show": {"type": "string", "description": f"{', '.join(SHOWS[:-4])}", "nullable": True},
        "color": {"type": "string", "description": "", "nullable": True},
        "language": LANGUAGE,
    }

    def forward(
        self,
        floor: str | None = "",
        kind: str | None = "",
        show: str | None = "names",
        color: str | None = "",
        language: str | None = "en",
    ) -> str:
        """Return the answer as text, with `MAP_COMMAND: {json}` for rooms of a kind, or "Error: ...".

        `show` may also be a limit of the area (`over 50`, `at least 50`), and `kind` name what is left out
        (`office except S-1`). `3 largest` and `2nd largest` are ranks, `most by floor` compares floors, `between` is
        about two rooms by name. `color` is that of the rooms on the map.
        """
        show = (show or "names").strip().casefold()
        limit, compares = _LIMIT.fullmatch(show), _BY_FLOOR.fullmatch(show) or _RANK.fullmatch(show)
        kind, _, without = (part.strip() for part in f" {kind or ''}".partition(" except "))
        texts = RoomTexts(self.graph, self.building.places, language or "en", show if limit else "", without)
        try:
            paint = colour(color) if color else BLUE
            if show not in SHOWS and not limit and not compares:
                raise BadInput(f"There is no {show!r} to show.", f"Expected one of {', '.join(SHOWS)}.")
            floors = self._floors(floor)
            if show == "floors":
                return texts.floors()
            if show == "names" and not kind:
                return self._names(floors) if language != "ja" else texts.names(floors)
            meant = self.building.places.kind(kind) if kind else ""
            if meant in SHAFTS and show in ("names", "count") and not self.building.places.named(kind):
                goals, ids = (
                    goals_of(self.graph, self.building.places, meant),
                    [each.floor_id for each in floors],
                )
                here = [goal for goal in goals if goal.spot[0] in ids]
                return texts.shafts(meant, goals, ids) + (f"\n{self.drawn(here)}" if here else "")
            if meant == "exit" and show in ("names", "count") and not self.building.places.named(kind):
                return self._exits(texts, floors, paint)
            out = self._of_kind(without, floors) if without else []
            spots = [spot for spot in self._of_kind(kind, floors) if spot not in out]
            if show in ("average", "between", "kinds") or compares:
                return self._compared(texts, show, kind, spots, floors, paint)
            if limit:
                spots = [spot for spot in spots if self._is_within(spot, limit[1], float(limit[2]))]
        except DeskError as fault:
            return failed(fault, language)
        return self._answer(texts, show, NAMED if meant is None else meant, spots, floors, paint)

    def _exits(self, texts: RoomTexts, floors: Sequence[Floor], paint: str) -> str:
        """Return the exits of some floors, each door that leads out as one."""
        ids = [floor.floor_id for floor in floors]
        names = [
            (exit_.goal.spot, name)
            for exit_, name in exit_names(self.building.places, texts.language).items()
            if exit_.goal.spot[0] in ids
        ]
        if not names:
            return texts.answer("count", "exit", [], ids)[0]
        spots = list(dict.fromkeys(spot for spot, _ in names))
        rooms = in_colour(spots[:MAX_SHOWN], spots[0][0], paint)
        return f"{texts.exits([name for _, name in names], ids)}\n{self.command(spots[0][0], rooms)}"

    def _is_within(self, spot: Spot, side: str, metres: float) -> bool:
        """Return whether the area of a room is within a limit. Raises BadInput for a plan without a scale."""
        size = size_of(*room_at(self.building.definition, spot))
        if not size.in_metres:
            raise BadInput(
                "The plan has no scale, so no room can be compared with m².",
                "Ask for the largest or the smallest.",
                japanese="図面に縮尺がないため、m²で絞り込めません。最も広い部屋や最も狭い部屋は答えられます。",
            )
        # A size is told to a tenth.
        return _COMPARED[side](round(size.value, 1), metres)

    def _floors(self, floor: str | None) -> list[Floor]:
        names = [name.strip() for name in str(floor or "").split(",") if name.strip()]
        return [self.building.places.find_floor(name) for name in names] or self.building.floors

    def _of_kind(self, text: str, floors: Sequence[Floor]) -> list[Spot]:
        """Return the rooms of a kind on some floors, or all; links and exits count where the file draws no room for them."""
        places, ids = self.building.places, {floor.floor_id for floor in floors}
        if not text:
            return [(floor.floor_id, room.name) for floor in floors for room in floor.rectangles]
        try:
            spots_found = [goal.spot for goal in goals_of(self.graph, places, text)]
        except NotFound:
            if places.kind(text) is None and "," not in text:
                raise
            spots_found, unknown = ([], []) if places.kind(text) else places.find_each(text)
            if unknown:
                places.find(unknown[0])  # a figure of the others alone would be another answer
        return [spot for spot in dict.fromkeys(spots_found) if spot[0] in ids]

    def _answer(
        self,
        texts: RoomTexts,
        show: str,
        kind: str,
        spots: Sequence[Spot],
        floors: Sequence[Floor],
        paint: str,
    ) -> str:
        if show == "sizes":
            return self._sized(texts, spots)
        if show == "doors" and spots:
            rooms = in_colour(spots[:MAX_SHOWN], spots[0][0], paint)
            return "\n".join([*map(texts.doors, spots), self.command(spots[0][0], rooms)])
        text, shown_spots = texts.answer(show, kind, spots, [floor.floor_id for floor in floors])
        if not shown_spots:
            return text
        rooms = in_colour(shown_spots[:MAX_SHOWN], shown_spots[0][0], paint)
        return f"{text}\n{self.command(shown_spots[0][0], rooms)}"

    def _compared(
        self,
        texts: RoomTexts,
        show: str,
        kind: str,
        spots: Sequence[Spot],
        floors: Sequence[Floor],
        paint: str,
    ) -> str:
        """Return floors, kinds or ranks compared. Raises BadInput for `between` without two rooms."""
        shown: list[Spot] = []
        meant = self.building.places.kind(kind) or kind
        if match := _BY_FLOOR.fullmatch(show):
            text = (
                compare_areas(texts, match[1], spots)
                if match[1] in ("largest", "smallest")
                else compare_floors(texts, match[1] or "", meant, [floor.floor_id for floor in floors], spots)
            )
        elif show == "kinds":
            text, painted = kinds_of_rooms(texts, spots)
            return f"{text}\n{self._in_colours(painted)}" if painted else text
        elif show == "between":
            if len(spots) != 2:
                raise BadInput("Expected two rooms.", "Name both.", japanese="部屋を2つ指定してください。")
            text, shown = between(texts, *spots)
        elif not spots or (rank := _RANK.fullmatch(show)) is None:
            if not spots:
                return texts.answer("count", meant, spots, [floor.floor_id for floor in floors])[0]
            text = average_size(texts, kind_name(meant or "room", texts.language, len(spots)), spots)
        else:
            inner = [
                spot
                for spot in spots
                if kind
                or not rank[1]  # the rooms of a floor in order are all that it has
                or kind_of(room_at(texts.definition, spot)[1]) not in CIRCULATION
            ]
            number = int(rank[1] or MAX_RANKED)
            first, count = (number, 1) if rank[2] else (1, min(number, MAX_RANKED))
            text, shown = ranked(texts, rank[3] == "largest", first, count, inner or spots)
            if inner and len(inner) < len(spots):
                text += passed_over(texts, rank[3] == "largest", first - 1 + count, inner, spots)
        return f"{text}\n{self.command(shown[0][0], in_colour(shown, shown[0][0], paint))}" if shown else text

    def _in_colours(self, painted: Mapping[str, Sequence[Spot]]) -> str:
        """Return the map with rooms by colour, on the floor of the first one."""
        floor = next(iter(painted.values()))[0][0]
        rooms = [
            rectangle
            for name, spots in painted.items()
            for rectangle in in_colour(spots[:MAX_SHOWN], floor, colour(name))
        ]
        return self.command(floor, rooms)

    def _sized(self, texts: RoomTexts, spots: Sequence[Spot]) -> str:
        """Return the rooms in the colours of their areas, with a legend."""
        definition = self.building.definition
        sizes = {spot: size_of(*room_at(definition, spot)) for spot in spots}
        painted = {spot: round(size.value, 1) for spot, size in sizes.items()}
        floor = main_floor(self.building, painted)
        scale = scale_for(painted.values(), "viridis")
        unit = "m²" if all(size.in_metres for size in sizes.values()) else ""
        legend = LegendOverlay(title=texts.area, unit=unit, stops=scale.stops())
        command = self.command(floor, painted_rectangles(painted, scale, floor), [legend])
        return f"{texts.sizes(sizes)}\n{command}"

    def _names(self, floors: Sequence[Floor]) -> str:
        return "\n".join(
            f"{floor.floor_id} ({floor.floor_name}): "
            + ", ".join(_with_kind(room.name, kind_of(room)) for room in floor.rectangles)
            for floor in floors
        )


def _with_kind(name: str, kind: str | None) -> str:
    return (
        f"{name} [{kind}]"
        if kind and kind_name(kind) not in name.casefold() and kind not in name.casefold()
        else name
    )
