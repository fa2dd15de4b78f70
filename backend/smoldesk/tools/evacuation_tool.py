"""Tool about leaving the building: evacuation."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from smoldesk import folders
from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import find_closures
from smoldesk.buildings.evacuation.crowd_comparison import CrowdComparison
from smoldesk.buildings.evacuation.escape_routes import escape_routes
from smoldesk.buildings.evacuation.escape_texts import EscapeTexts
from smoldesk.buildings.evacuation.exits import exit_names, exits_of
from smoldesk.buildings.evacuation.flow import flow
from smoldesk.buildings.evacuation.occupancy import Occupancy, occupancy_of_floor, read_occupancy
from smoldesk.buildings.painted_rooms import FILL, main_floor, painted_rectangles
from smoldesk.buildings.palettes import scale_for
from smoldesk.buildings.places import Spot, UnknownPlace
from smoldesk.buildings.travel_profiles import TravelProfile, find_profile
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.messages import (
    AtCoordinate,
    BitmapOverlay,
    Closure,
    LegendOverlay,
    MapRectangle,
    Overlay,
    TextOverlay,
)
from smoldesk.tools.closure_store import ClosureStore
from smoldesk.tools.csv_text import csv_text
from smoldesk.tools.map import current_time
from smoldesk.tools.navigation import LANGUAGE, checked_text, failed
from smoldesk.tools.painting import MAX_PAINTED, frames_command
from smoldesk.tools.reach_tools import PROFILE, ReachTool

TABLE = "evacuation.csv"
SHOWS = ("time", "exits", "queues", "furthest", "cut_off", "longer", "frames", "jupedsim")
CUT_OFF = "#b3261e"
# Most frames of a playback, and the least people of a room that is painted in one.
FRAMES, LEAST_PEOPLE = 40, 0.5


class Evacuation(ReachTool):
    """`evacuation`: how long it takes until all are out, by which exits, and who cannot leave."""

    name = "evacuation"
    # Short, as each prompt has it. An unknown `show` is answered with the list.
    about = "Time until all are out. Example: evacuation()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "profile": {**PROFILE, "description": ""},
        "people": {"type": "any", "description": "", "nullable": True},
        "avoid": {"type": "string", "description": "", "nullable": True},
        "show": {"type": "string", "description": "", "nullable": True},
        "floor": {"type": "string", "description": "", "nullable": True},
        "language": LANGUAGE,
    }

    def __init__(
        self,
        building: Building,
        now: Callable[[], datetime] = current_time,
        closures: ClosureStore | None = None,
        folder: Path | None = None,
        crowds: CrowdComparison | None = None,
    ) -> None:
        """`folder` is the chat's, where the table is written; without one there is none. `crowds` runs JuPedSim."""
        self.folder, self.crowds = folder, crowds
        super().__init__(building, now, closures)

    def forward(
        self,
        profile: str | None = "walk",
        people: Any = None,
        avoid: str | None = "",
        show: str | None = "time",
        floor: str | None = "",
        language: str | None = "en",
    ) -> str:
        """Return the answer as text with `MAP_COMMAND: {json}`, or the frames, or "Error: ..."."""
        try:
            traveller, first = find_profile(profile), self._checked_show(show)
            floor_id = self._checked_floor(floor)
            occupancy = read_occupancy(self.building, people, floor_id)
            occupancy = occupancy_of_floor(self.building, occupancy, floor_id) if floor_id else occupancy
            present, avoided = self.closed_now(), self._avoided(avoid)
            closed = list(dict.fromkeys([*present, *avoided]))
            routes = escape_routes(self.building, traveller, closed)
            movement = flow(routes, occupancy.people)
            texts = EscapeTexts(self.building, routes, movement, language, floor_id)
            drawn = self._frames(texts) if first == "frames" else self._map(texts)
            is_complete = not routes.cut_off()
            by_lift = routes if is_complete else escape_routes(self.building, traveller, closed, lifts=True)
            compared = self._compared(texts, traveller, occupancy, closed) if first == "jupedsim" else ""
            saved = self._saved(texts, self.folder) if self.folder else ""
        except DeskError as fault:
            return failed(fault, language)
        lines = {
            "jupedsim": compared,
            "time": texts.time(traveller),
            "exits": texts.exits(),
            "queues": texts.queues(),
            "furthest": texts.furthest(),
            "cut_off": texts.cut_off(by_lift),
        }
        ordered = [lines.pop(first if first in lines else "time"), *lines.values()]
        ordered.append(texts.assumptions(occupancy))
        if first == "longer":
            walking = escape_routes(self.building, find_profile("walk"), closed)
            ordered.insert(1, texts.than_walking(flow(walking, occupancy.people)))
        if avoided:
            ordered.insert(1, self._difference(texts, traveller, occupancy, present))
        ordered.append(saved)
        text = "\n".join(line for line in ordered if line)
        return f"{text}{self.closed_line(closed, language)}\n{drawn}"

    def _checked_show(self, show: str | None) -> str:
        """Return what to say first. Raises BadInput; UnknownPlace if the plan has no exit at all."""
        name = (show or "time").strip().casefold()
        if name not in SHOWS:
            raise BadInput(f"There is no {show!r} to show.", f"Expected one of {', '.join(SHOWS)}.")
        if not exits_of(self.building.places):
            raise UnknownPlace(
                "The plan has no exit, so no way leads out.",
                "Expected a door of one room only (`rooms` with one name), or a room of the kind exit.",
                "この図面には出口がないため、避難経路を計算できません。片側だけが部屋のドア（出口）が必要です。",
            )
        return name

    def _checked_floor(self, floor: str | None) -> str:
        """Return the floor that is evacuated; empty for the whole building. Raises UnknownPlace."""
        name = checked_text(floor, "floor").strip() if floor else ""
        floors = self.building.places.floor_ids(name) if name else []
        if name and not floors:
            floor_list = ", ".join(self.building.places.floors)
            raise UnknownPlace(
                f"There is no floor {name}.",
                f"Floors: {floor_list}.",
                f"「{name}」という階はありません。階：{floor_list}。",
            )
        return floors[0] if floors else ""

    def _avoided(self, avoid: str | None) -> list[Closure]:
        """Return what is closed for this question only."""
        if avoid is None or not str(avoid).strip():
            return []
        try:
            return find_closures(self.building, checked_text(avoid, "avoid"))
        except NotFound as fault:
            names = [[*exit_names(self.building.places, spoken).values()][:12] for spoken in ("en", "ja")]
            english, japanese = "; ".join(names[0]), "、".join(names[1])
            raise UnknownPlace(
                fault.message,
                f"Exits: {english}. {fault.hint}",
                f"「{avoid}」は見つかりません。出口：{japanese}。",
            ) from fault

    def _difference(
        self, texts: EscapeTexts, profile: TravelProfile, occupancy: Occupancy, present: Sequence[Closure]
    ) -> str:
        """Return how it is without what is avoided, and the rooms that only this cuts off."""
        before = escape_routes(self.building, profile, present)
        cut_off = {*before.cut_off()}
        lost = [spot for spot in texts.without_way() if spot not in cut_off]
        return texts.without_closure(flow(before, occupancy.people), lost)

    def _compared(
        self, texts: EscapeTexts, profile: TravelProfile, occupancy: Occupancy, closed: list[Closure]
    ) -> str:
        """Return the times of the most used exit's floor by both models. Raises BadInput if there is no JuPedSim."""
        loads = texts.loads()
        if self.crowds is None or not loads:
            raise BadInput("There is nothing to compare.", "Expected a desk with JuPedSim, and an open exit.")
        floor = max(loads, key=lambda load: load[1])[0].goal.spot[0]
        return texts.comparison(self.crowds.compare(self.building, floor, occupancy.people, profile, closed))

    def _map(self, texts: EscapeTexts) -> str:
        """Return the rooms in the colours of their times to an exit, with exits and queues on the floor of the most used."""
        routes = texts.routes
        times = {
            spot: round(routes.seconds[room], 1)
            for spot, room in routes.graph.spots.items()
            if routes.exit_of[room] >= 0 and texts.is_of_floor(spot)
        }
        loads = texts.loads()
        most_used = max(loads, key=lambda load: load[1], default=None)
        floor = texts.floor or (most_used[0].goal.spot[0] if most_used else main_floor(self.building, {}))
        cut_off = [
            MapRectangle(
                name=name,
                color=CUT_OFF,
                stroke_opacity=1.0,
                fill_opacity=FILL,
                floor_id=None if floor_id == floor else floor_id,
            )
            for floor_id, name in texts.without_way()
        ]
        if not times:
            return self.command(floor, cut_off)
        scale = scale_for(times.values(), "viridis")
        title = "出口までの時間" if texts.is_japanese else "Time to an exit"
        legend = LegendOverlay(
            title=title, unit="秒" if texts.is_japanese else "s", stops=scale.stops(), missing=len(cut_off)
        )
        rooms = [*painted_rectangles(times, scale, floor), *cut_off]
        return self.command(floor, rooms, [legend, *self._signs(texts, floor)])

    def _signs(self, texts: EscapeTexts, floor: str) -> list[Overlay]:
        """Return the exits and the longest queues of a floor."""
        signs: list[Overlay] = []
        for exit_, people, _ in texts.loads():
            if exit_.goal.spot[0] != floor or not exit_.goal.at:
                continue
            position = AtCoordinate(x=exit_.goal.at.x, y=exit_.goal.at.y)
            if "exit" in self.building.bitmap_ids:
                signs.append(BitmapOverlay(bitmap_id="exit", position=position))
            else:
                label = f"出口 {people}人" if texts.is_japanese else f"Exit: {people}"
                signs.append(TextOverlay(text=label, position=position, background_color="#ffffff"))
        nodes = texts.routes.graph.places
        for queue in texts.longest_queues():
            if queue.place < len(nodes) and nodes[queue.place].floor_id == floor:
                position = AtCoordinate(x=nodes[queue.place].x, y=nodes[queue.place].y)
                label = (
                    f"待ち{texts.duration(queue.wait)}"
                    if texts.is_japanese
                    else f"queue {texts.duration(queue.wait)}"
                )
                signs.append(
                    TextOverlay(text=label, position=position, color=CUT_OFF, background_color="#ffffff")
                )
        return signs

    def _frames(self, texts: EscapeTexts) -> str:
        """Return the people in the rooms over time. Raises BadInput if no one moves."""
        movement, graph = texts.flow, texts.routes.graph
        if not movement.saved:
            raise BadInput("No one gets out, so there is nothing to play.", "Open an exit.")
        step = max(1, -(-movement.clearance // (FRAMES - 1)))
        times = [step * number for number in range(int(-(-movement.clearance // step)) + 1)]
        counts = movement.at(times, len(graph.spots) + len(graph.links))
        while (counts[:-1] >= LEAST_PEOPLE).sum() > MAX_PAINTED and len(times) > 2:
            times, counts = times[::2], counts[:, ::2]
        total = sum(movement.people.values())
        painted: dict[str, dict[Spot, float]] = {}
        for number, time in enumerate(times):
            outside = round(float(counts[-1, number]))
            minutes = f"{int(time) // 60}:{int(time) % 60:02}"
            label = f"{minutes}　外{outside}人・中{total - outside}人" if texts.is_japanese else ""
            rooms = {
                spot: round(float(counts[room, number]), 1)
                for spot, room in graph.spots.items()
                if counts[room, number] >= LEAST_PEOPLE
            }
            painted[label or f"{minutes} · {outside} out, {total - outside} in"] = rooms
        scale = scale_for([0.0, *(count for rooms in painted.values() for count in rooms.values())], "blues")
        title, unit = ("部屋にいる人数", "人") if texts.is_japanese else ("People in the room", "")
        return frames_command(
            self.building, painted, scale, LegendOverlay(title=title, unit=unit, stops=scale.stops())
        )

    def _saved(self, texts: EscapeTexts, folder: Path) -> str:
        """Write the table of all rooms into the chat's folder, beside any file of its name; return the line about it.

        Raises Conflict if the folder has too many of them.
        """
        routes = texts.routes
        rows: list[dict[str, Any]] = []
        for spot, room in routes.graph.spots.items():
            is_reachable = routes.exit_of[room] >= 0
            rows.append({
                "room": spot[1],
                "floor": spot[0],
                "people": texts.flow.people.get(room, 0),
                "exit": texts.exit(routes.exits[routes.exit_of[room]]) if is_reachable else None,
                "distance_m": round(routes.metres[room], 1) if is_reachable and routes.graph.scaled else None,
                "seconds": round(routes.seconds[room], 1) if is_reachable else None,
            })  # fmt: skip
        return texts.table(folders.add(folder, TABLE, csv_text(rows).content))
