"""Navigation tools: find_route, nearest, where_is, list_rooms.

Results are text, followed by a command that draws them. A wrong name returns "Error: ..." with the existing names, so
that a model can try again. buildings/routing finds the routes.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from smoldesk.buildings.checks import area
from smoldesk.buildings.kinds import find_kind, kind_of, kinds_in
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import Spot, find_floor, find_places
from smoldesk.buildings.routing import (
    Closures,
    Route,
    RouteGraph,
    describe_route,
    overlay,
    routes_to,
)
from smoldesk.buildings.routing.routes import Goal
from smoldesk.buildings.routing.steps import called
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.messages import MapRectangle
from smoldesk.tools.drawing import BLUE, FILL
from smoldesk.tools.map import MapTool


def read_closures(graph: RouteGraph, names: Iterable[str], stepless: bool = False) -> Closures:
    """Return the closures that these names mean. Raises BadInput for an unknown one, with the links and doors."""
    rooms: set[Spot] = set()
    links: set[int] = set()
    doors: set[tuple[str, str]] = set()
    for name in names:
        name_ = fold(name).removeprefix("the ")
        kind = find_kind(name_)
        named = {
            number
            for number, link in enumerate(graph.links)
            if name_ in (fold(link.name), fold(link.link_id))
        }
        of_kind = {number for number, link in enumerate(graph.links) if link.kind == kind}
        passages = {
            (place.floor_id, place.passage.name)
            for place in graph.places
            if place.passage and place.passage.name and fold(place.passage.name) == name_
        }
        if named or of_kind or passages:
            links |= named or of_kind
            doors |= passages
            continue
        try:
            rooms |= set(find_places(graph.building, name))
        except NotFound as fault:
            link_names = [f"{link.name or link.link_id} ({link.kind})" for link in graph.links]
            raise BadInput(
                f"Nothing here is called {clip(name)}.",
                f"Lifts and stairs: {', '.join(link_names) or 'none'}. {fault.hint}",
            ) from fault
    return Closures(frozenset(rooms), frozenset(links), frozenset(doors), stepless)


# Targets in an answer of `nearest`; it draws the route to the first.
MAX_NEAR = 3


class RouteTool(MapTool):
    """A tool that knows the ways through the building; its graph is made once for each building."""

    @property
    def graph(self) -> RouteGraph:
        return self.building.route_graph

    def draw(self, route: Route, accessible: bool) -> str:
        """`MAP_COMMAND: {json}` with the route, its start and its goal."""
        ends = dict.fromkeys([route.start, route.goal])
        return self.command(
            route.start[0], _blue(ends, route.start[0]), [overlay(self.graph, route, accessible)]
        )

    def start(self, text: Any) -> Spot:
        """Return the room where a route starts. Raises BadInput if several have the name."""
        places = find_places(self.building.definition, _text(text, "start"))
        if len(places) > 1:
            named = ", ".join(f"{name} ({floor})" for floor, name in places)
            raise BadInput(f"{clip(str(text))} is in several places.", f"Say which: {named}.")
        return places[0]


class FindRoute(RouteTool):
    """`find_route`: the shortest way from room to room, over any floors."""

    name = "find_route"
    about = (
        "The shortest way between rooms, over any floors, step by step and drawn; of several goals of a name to the nearest.\n"
        'Example: find_route(start="Room1", goal="Meeting Room (2F)", avoid="lift, Kitchen")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "start": {"type": "string", "description": '"Toilet (2F)" if several have the name'},
        "goal": {"type": "string", "description": ""},
        "accessible": {
            "type": "boolean",
            "description": "True: no stairs or escalators",
            "nullable": True,
        },
        "avoid": {
            "type": "string",
            "description": "what is closed: rooms, doors, lifts or stairs, by name or kind",
            "nullable": True,
        },
    }

    def forward(self, start: str, goal: str, accessible: bool | None = False, avoid: str | None = "") -> str:
        """Return the steps as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            begin = self.start(start)
            goals = find_places(self.building.definition, _text(goal, "goal"))
            closures = read_closures(self.graph, _list(avoid), stepless=bool(accessible))
            _not_closed(closures, begin, goals)
            routes = routes_to(self.graph, begin, [Goal(spot) for spot in goals], closures, 1)
        except DeskError as fault:
            return f"Error: {fault}"
        if not routes:
            return f"Error: {_describe_no_route(self.graph, begin, goals, closures)}"
        return f"{describe_route(self.graph, routes[0])}\n{self.draw(routes[0], bool(accessible))}"


class Nearest(RouteTool):
    """`nearest`: the nearest room of a kind, with the next ones to choose from."""

    name = "nearest"
    about = (
        "The nearest rooms of a kind with distances, and the way to the first, drawn.\n"
        'Example: nearest(kind="toilet", start="Room1")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "kind": {"type": "string", "description": "toilet, lift, stairs, exit, kitchen, meeting room, ..."},
        "start": {"type": "string", "description": ""},
    }

    def forward(self, kind: str, start: str) -> str:
        """Return the nearest rooms as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            begin = self.start(start)
            goals = self._goals(_text(kind, "kind"))
        except DeskError as fault:
            return f"Error: {fault}"
        routes = routes_to(self.graph, begin, goals, most=MAX_NEAR)
        if not routes:
            return f"Error: No way leads from {begin[1]} ({begin[0]}) to any {kind}."
        unit = "m" if self.graph.scaled else "units"
        alternatives = [
            f"{route.goal[1]} ({route.goal[0]}), {route.length:.0f} {unit}" for route in routes[1:MAX_NEAR]
        ]
        also = f"\nFurther away: {'; '.join(alternatives)}." if alternatives else ""
        return f"{describe_route(self.graph, routes[0])}{also}\n{self.draw(routes[0], False)}"

    def _goals(self, text: str) -> list[Goal]:
        """Every place of a kind: rooms, stops of links, doors that lead out; raises BadInput naming the kinds there are."""
        building = self.building.definition
        kind = find_kind(text) or text.casefold().strip()
        goals = [
            Goal((floor.floor_id, room.name))
            for floor in building.floors
            for room in floor.rectangles
            if kind_of(room) == kind
        ]
        goals += [
            Goal((stop.floor_id, stop.room), stop.at, called(link))
            for link in building.links or []
            if link.kind == kind
            for stop in link.stops
        ]
        if kind == "exit":
            goals += [
                Goal((floor.floor_id, door.rooms[0]), door.at, "the exit")
                for floor in building.floors
                for door in floor.doors or []
                if len(door.rooms) == 1
            ]
        if goals:
            return goals
        try:
            return [Goal(spot) for spot in find_places(building, text)]
        except DeskError:
            raise BadInput(
                f"There is no {clip(text)} in this building.", f"Kinds: {', '.join(kinds_in(building))}."
            ) from None


class WhereIs(RouteTool):
    """`where_is`: the floor of a room, its neighbours and its area."""

    name = "where_is"
    about = 'The floor, neighbours and area of a room or a kind of room; drawn.\nExample: where_is(name="Kitchen")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {"name": {"type": "string", "description": ""}}

    def forward(self, name: str) -> str:
        """Return a line for each room of that name and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            places = find_places(self.building.definition, _text(name, "name"))
        except DeskError as fault:
            return f"Error: {fault}"
        lines = [self._line(spot) for spot in places]
        floor = places[0][0]
        rooms = [
            room.model_copy(update={"value": self._area((room.floor_id or floor, room.name))[0]})
            for room in _blue(places, floor)
        ]
        return "\n".join([*lines, self.command(floor, rooms)])

    def _area(self, spot: Spot) -> tuple[float, str]:
        """Return the area of a room and its unit: square metres if the plan has a scale, else units of the plan."""
        floor = next(floor for floor in self.building.definition.floors if floor.floor_id == spot[0])
        room = next(room for room in floor.rectangles if room.name == spot[1])
        first, last = room.top_left, room.bottom_right
        corners = [(first.x, first.y), (last.x, first.y), (last.x, last.y), (first.x, last.y)]
        outline = [(point.x, point.y) for point in room.polygon] if room.polygon else corners
        scale = floor.metres_per_unit
        return round(area(outline) * (scale or 1) ** 2, 1), "m²" if scale else "square units of the plan"

    def _line(self, spot: Spot) -> str:
        floor_id, name = spot
        graph = self.graph
        joined = [
            graph.spot_at(room)[1]
            for node in graph.nodes_of(spot)
            if graph.places[node].passage
            for room in graph.rooms_at(node)
            if graph.spot_at(room) != spot
        ]
        links = [
            graph.links[place.link]
            for node in graph.nodes_of(spot)
            if (place := graph.places[node]).link is not None
        ]
        line = f"{name} is on floor {floor_id}"
        if joined:
            line += f", next to {_and(list(dict.fromkeys(joined)))}"
        if links:
            line += f", with {_and([called(link) for link in links])}"
        size, unit = self._area(spot)
        return f"{line}. Its area is {size:,.10g} {unit}."


class ListRooms(RouteTool):
    """`list_rooms`: the rooms of one floor, or of all."""

    name = "list_rooms"
    about = 'Rooms of a floor with their kinds; of all floors without one. Example: list_rooms(floor="2F")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "floor": {"type": "string", "description": "", "nullable": True}
    }

    def forward(self, floor: str | None = "") -> str:
        """Return a line for each floor, or "Error: ..."."""
        building = self.building.definition
        try:
            floors = [find_floor(building, str(floor))] if floor and str(floor).strip() else building.floors
        except DeskError as fault:
            return f"Error: {fault}"
        return "\n".join(
            f"{floor.floor_id} ({floor.floor_name}): "
            + ", ".join(_with_kind(room.name, kind_of(room)) for room in floor.rectangles)
            for floor in floors
        )


def _blue(spots: Iterable[Spot], current_floor: str) -> list[MapRectangle]:
    """Return the highlights of rooms; those of other floors than the one that is shown say theirs."""
    return [
        MapRectangle(
            name=room,
            color=BLUE,
            stroke_opacity=1.0,
            fill_opacity=FILL,
            floor_id=None if floor == current_floor else floor,
        )
        for floor, room in spots
    ]


def _with_kind(name: str, kind: str | None) -> str:
    return f"{name} [{kind}]" if kind and kind not in name.casefold() else name


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} is {clip(repr(value))}.", f"Expected {name} as a text with a name in it.")
    return value


def _list(value: Any) -> list[str]:
    """`avoid` as names: a text with commas, or a list, as models sometimes pass."""
    if value is None:
        return []
    if isinstance(value, list | tuple):
        items = [str(item) for item in cast(Sequence[Any], value)]
    else:
        items = str(value).replace("、", ",").replace(";", ",").split(",")
    return [item.strip() for item in items if item.strip()]


def _not_closed(closures: Closures, start: Spot, goals: Sequence[Spot]) -> None:
    for spot in (start, *goals):
        if spot in closures.rooms and (spot == start or all(goal in closures.rooms for goal in goals)):
            raise BadInput(
                f"{spot[1]} ({spot[0]}) is closed itself.", "Leave it out of avoid, or go elsewhere."
            )


def _describe_no_route(graph: RouteGraph, start: Spot, goals: Sequence[Spot], closures: Closures) -> str:
    names = " or ".join(f"{name} ({floor})" for floor, name in goals)
    message = f"No way leads from {start[1]} ({start[0]}) to {names}"
    if closures != Closures() and routes_to(graph, start, [Goal(goal) for goal in goals], most=1):
        why = [
            *(["without steps"] if closures.stepless else []),
            *(["with what is closed"] if closures.closed else []),
        ]
        return f"{message} {' and '.join(why)}. There is one otherwise."
    return f"{message}. The plan joins them by no door, stairs or lift."
