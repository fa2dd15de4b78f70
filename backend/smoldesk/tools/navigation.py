"""Tools that find ways: find_route and nearest.

Both follow the chat's closures. Results are text, followed by a command that draws them. A wrong name returns "Error:
..." with the existing names, so that a model can try again, and a command that takes the former route off the map.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar, cast

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import (
    LONGEST_TEXT,
    describe_closures,
    find_closures,
    match_closure,
    route_closures,
)
from smoldesk.buildings.kinds import kind_of_name, kinds_in
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import PlaceIndex, Spot, UnknownPlace, middle_of
from smoldesk.buildings.routing import (
    Closures,
    Route,
    RouteGraph,
    describe_in_japanese,
    describe_route,
    overlay,
    route_via,
    routes_to,
)
from smoldesk.buildings.routing.japanese import duration_in_japanese
from smoldesk.buildings.routing.routes import EXIT, Goal
from smoldesk.buildings.routing.steps import called, duration
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.messages import Closure, MapRectangle
from smoldesk.tools.closure_store import ClosureStore, LocalClosures
from smoldesk.tools.drawing import BLUE, FILL
from smoldesk.tools.map import MapTool, current_time

CLEARED = "CLEAR_MAP_COMMAND"
LANGUAGE: dict[str, Any] = {"type": "string", "description": "", "nullable": True}


def goals_of(graph: RouteGraph, places: PlaceIndex, text: str) -> list[Goal]:
    """Return every place of a kind: rooms, stops of links, doors that lead out; else the rooms of a name.

    Raises BadInput naming the kinds there are.
    """
    for floors, words in places.readings(text):
        kind = places.kind(words)
        goals = [Goal(spot) for spot in places.by_kind.get(kind or "", ()) if spot[0] in floors]
        rooms = {goal.spot for goal in goals}
        goals += [
            Goal((stop.floor_id, stop.room), stop.at, called(link))
            for link in graph.links
            if link.kind == kind or fold(link.name) == words
            for stop in link.stops
            if stop.floor_id in floors and (stop.floor_id, stop.room) not in rooms
        ]
        if kind == "exit":
            goals += [
                Goal((floor.floor_id, door.rooms[0]), door.at, EXIT, door.accessible)
                for floor in graph.building.floors
                for door in floor.doors or []
                if len(door.rooms) == 1 and floor.floor_id in floors
            ]
        if goals:
            return goals
    try:
        spots, unknown = places.find_each(text)
        return [Goal(spot) for spot in (places.find(unknown[0]) if unknown else spots)]
    except UnknownPlace as fault:
        if places.kind(text) == "exit":
            raise UnknownPlace("The plan has no exit.", "", "この図面には建物の出口がありません。") from None
        kinds = ", ".join(kinds_in(graph.building))
        raise UnknownPlace(
            f"There is no {clip(text)} in this building.", f"Kinds: {kinds}.", fault.japanese
        ) from None


# Targets in an answer of `nearest`; it draws the route to the first.
MAX_NEAR = 3


class RouteTool(MapTool):
    """A tool that knows the ways through the building; its graph is made once for each building."""

    def __init__(
        self,
        building: Building,
        now: Callable[[], datetime] = current_time,
        closures: ClosureStore | None = None,
    ) -> None:
        self.closures = closures or LocalClosures()
        super().__init__(building, now)

    def closed_now(self) -> list[Closure]:
        """Return the present closures, as far as the building has these parts."""
        return [part for part in self.closures.read().closures if match_closure(self.building, part)]

    def closed_with(self, avoid: Any) -> list[Closure]:
        """Return the present closures and the parts that a call avoids. Raises UnknownPlace."""
        named = [part for name in _list(avoid) for part in find_closures(self.building, name)]
        return list(dict.fromkeys((*self.closed_now(), *named)))

    def closed_line(self, closed: Sequence[Closure], language: str | None) -> str:
        """Return the line that says which closures were in force; empty for none."""
        if not closed:
            return ""
        names = describe_closures(self.building, closed, language)
        return f"\n\n通行止め：{names}。" if language == "ja" else f"\n\nClosed: {names}."

    @property
    def graph(self) -> RouteGraph:
        return self.building.route_graph

    def draw(self, route: Route, accessible: bool) -> str:
        """`MAP_COMMAND: {json}` with the route, its start and its goal."""
        ends = dict.fromkeys([route.start, route.goal])
        return self.command(
            route.start[0], in_colour(ends, route.start[0]), [overlay(self.graph, route, accessible)]
        )

    def described(self, route: Route, language: str | None) -> str:
        """Return the route in words."""
        if language != "ja":
            return describe_route(self.graph, route)
        return describe_in_japanese(self.graph, route, lambda floor: self.building.places.label(floor, "ja"))

    def find_goals(self, text: str) -> list[Goal]:
        """Return the rooms of a name; else the stops of a lift or stairs, and the exits. Raises UnknownPlace."""
        try:
            return [Goal(spot) for spot in self.building.places.find(text)]
        except NotFound:
            if goals := _places_of_links(self.graph, self.building.places, text):
                return goals
            raise

    def entrance(self) -> Spot | None:
        """Return the room of the first door that leads out, on the first floor of the file that has one."""
        doors = ((floor.floor_id, door) for floor in self.building.floors for door in floor.doors or [])
        return next(((floor_id, door.rooms[0]) for floor_id, door in doors if len(door.rooms) == 1), None)

    def start(self, text: Any) -> Spot:
        """Return the room where a route starts, for an entrance that of the first exit.

        Raises UnknownPlace if several have the name.
        """
        name, index = checked_text(text, "start"), self.building.places
        if kind_of_name(name) == "exit" and not index.named(name) and (first := self.entrance()):
            return first
        places = index.find(name)
        exact = [
            spot for spot in places if fold(str(text)) in (fold(spot[1]), fold(f"{spot[1]} ({spot[0]})"))
        ]
        if len(exact) == 1:
            return exact[0]
        if len(places) > 1:
            named = ", ".join(f"{name} ({floor})" for floor, name in places)
            raise UnknownPlace(
                f"{clip(str(text))} is in several places.",
                f"Say which: {named}.",
                f"「{text}」は複数あります。どれか指定してください：{named}。",
            )
        return places[0]


class FindRoute(RouteTool):
    """`find_route`: the shortest way from room to room, over any floors and through stops on the way."""

    only_draws = True
    name = "find_route"
    about = (
        "The shortest way between rooms, step by step, drawn.\n"
        'Example: find_route(start="Room1", goal="Library", avoid="lift")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "start": {"type": "string", "description": '"Toilet (2F)" if several have the name'},
        "goal": {"type": "string", "description": ""},
        "accessible": {
            "type": "boolean",
            "description": "no stairs or escalators",
            "nullable": True,
        },
        "avoid": {
            "type": "string",
            "description": "",
            "nullable": True,
        },
        "via": {"type": "string", "description": "", "nullable": True},
        "language": LANGUAGE,
    }

    def forward(
        self,
        start: str,
        goal: str,
        accessible: bool | None = False,
        avoid: str | None = "",
        via: str | None = "",
        language: str | None = "en",
    ) -> str:
        """Return the steps as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        stepless = bool(accessible)
        try:
            begin = self.start(start)
            stops = [self.find_goals(name) for name in [*_list(via), checked_text(goal, "goal")]]
            closed = self.closed_with(avoid)
            closures = route_closures(self.graph, closed, stepless)
            for goals in stops:
                _not_closed(closures, begin, [goal.spot for goal in goals])
            route = route_via(self.graph, begin, stops, closures)
        except DeskError as fault:
            return failed(fault, language)
        if route is None:
            goals = [goal.spot for goal in stops[-1]]
            message = _describe_no_route(self.graph, begin, stops, closures)
            names = "、".join(dict.fromkeys(name for _, name in goals))
            joined = closures != Closures() and route_via(self.graph, begin, stops)
            why = (
                "この条件では見つかりません"
                if joined
                else "図面にありません（ドア、階段、エレベーターでつながっていません）"
            )
            japanese = f"{begin[1]}から{names}への経路は、{why}。"
            message += self.closed_line(closed, "en")
            japanese += self.closed_line(closed, "ja")
            return failed(UnknownPlace(message, "", japanese), language)
        text = self.described(route, language) + self.closed_line(closed, language)
        if stepless:
            head, *steps = text.splitlines()
            head += "段差のない経路です。" if language == "ja" else " This way has no steps."
            text = "\n".join((head, *steps))
        return f"{text}\n{self.draw(route, stepless)}"


class Nearest(RouteTool):
    """`nearest`: the nearest room of a kind, with the next ones to choose from."""

    name = "nearest"
    about = 'The nearest rooms of a kind; the way drawn.\nExample: nearest(kind="toilet", start="Room1")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "kind": {"type": "string", "description": "toilet, lift, exit, ..."},
        "start": {"type": "string", "description": ""},
        "avoid": {"type": "string", "description": "", "nullable": True},
        "language": LANGUAGE,
    }

    def forward(self, kind: str, start: str, avoid: str | None = "", language: str | None = "en") -> str:
        """Return the nearest rooms as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            begin = self.start(start)
            goals = goals_of(self.graph, self.building.places, checked_text(kind, "kind"))
            closed = self.closed_with(avoid)
            closures = route_closures(self.graph, closed)
            _not_closed(closures, begin, [goal.spot for goal in goals])
        except DeskError as fault:
            return failed(fault, language)
        goals = [goal for goal in goals if goal.spot not in closures.rooms]
        routes = routes_to(self.graph, begin, goals, closures, MAX_NEAR)
        if not routes and (near := self._as_the_crow_flies(begin, goals)):
            (_, name), metres = near
            text = f"The plan has no way there from {begin[1]}, but {name} is the nearest in a straight line: {metres:.0f} m."
            if language == "ja":
                text = f"図面に{begin[1]}からの経路はありませんが、直線で最も近いのは{name}です（{metres:.0f}m）。"
            return f"{text}\n{self.command(begin[0], in_colour([begin, near[0]], begin[0]))}"
        if not routes:
            message = f"No way leads from {begin[1]} ({begin[0]}) to any {kind}."
            message += self.closed_line(closed, "en")
            japanese = f"{begin[1]}から{kind}への経路は見つかりません。{self.closed_line(closed, 'ja')}"
            return failed(UnknownPlace(message, "", japanese), language)
        also = self._further(routes[1:MAX_NEAR], language) + self.closed_line(closed, language)
        return f"{self.described(routes[0], language)}{also}\n{self.draw(routes[0], False)}"

    def _further(self, routes: Sequence[Route], language: str | None) -> str:
        """Return the line about the next ones; with their times, since the order is that of times."""
        if not routes:
            return ""
        japanese, scaled = language == "ja", self.graph.scaled
        places = [
            f"{route.goal[1]} ({route.goal[0]}), {route.length:.0f} {'m' if scaled else 'units'}"
            + (f", about {duration(route.seconds)}" if scaled else "")
            for route in routes
        ]
        if not japanese:
            return f"\nFurther away: {'; '.join(places)}."
        places = [
            f"{route.goal[1]}（{self.building.places.label(route.goal[0], 'ja')}、{route.length:.0f}{'m' if scaled else ''}"
            + (f"、約{duration_in_japanese(route.seconds)}）" if scaled else "）")
            for route in routes
        ]
        return f"\n次に近い場所：{'、'.join(places)}。"

    def _as_the_crow_flies(self, start: Spot, goals: Sequence[Goal]) -> tuple[Spot, float] | None:
        """Return the nearest room in a straight line on the floor of the start, and the metres; None without a scale.

        Only rooms: plans leave out the lifts and stairs that they cannot place.
        """
        definition = self.building.definition
        floor = next(floor for floor in definition.floors if floor.floor_id == start[0])
        scale = floor.metres_per_unit
        here = [
            goal.spot for goal in goals if goal.spot[0] == start[0] and goal.spot != start and not goal.label
        ]
        if not here or scale is None:
            return None
        x, y = middle_of(definition, start)
        middles = ((spot, middle_of(definition, spot)) for spot in here)
        return min(((spot, math.dist((x, y), at) * scale) for spot, at in middles), key=lambda pair: pair[1])


def failed(fault: DeskError, language: str | None) -> str:
    """Return the error, and the command that takes the former drawing off the map."""
    text = fault.japanese if language == "ja" and fault.japanese else str(fault)
    return f"Error: {text}\n{CLEARED}"


def in_colour(spots: Iterable[Spot], current_floor: str, colour: str = BLUE) -> list[MapRectangle]:
    """Return the highlights of rooms; those of other floors than the one that is shown say theirs."""
    return [
        MapRectangle(
            name=room,
            color=colour,
            stroke_opacity=1.0,
            fill_opacity=FILL,
            floor_id=None if floor == current_floor else floor,
        )
        for floor, room in spots
    ]


def checked_text(value: Any, name: str) -> str:
    """Return a text with content, of at most LONGEST_TEXT characters. Raises BadInput for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # a room number
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} is {clip(repr(value))}.", f"Expected {name} as a text with a name in it.")
    if len(value) > LONGEST_TEXT:
        raise BadInput(
            f"{name} is too long ({len(value)} characters).", f"At most {LONGEST_TEXT} characters."
        )
    return value


def _places_of_links(graph: RouteGraph, places: PlaceIndex, text: str) -> list[Goal]:
    """Return the stops of a lift or stairs, and the doors out: they are goals, too."""
    try:
        return [goal for goal in goals_of(graph, places, text) if goal.label]
    except DeskError:
        return []


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
    if len(goals) > 1 and start not in closures.rooms and all(goal in closures.rooms for goal in goals):
        raise BadInput(
            f"All {len(goals)} of these places are closed.",
            "Reopen one of them.",
            japanese=f"該当する{len(goals)}か所はすべて通行止めです。通るには解除してください。",
        )
    for spot in (start, *goals):
        if spot in closures.rooms and (spot == start or all(goal in closures.rooms for goal in goals)):
            raise BadInput(
                f"{spot[1]} ({spot[0]}) is closed itself.",
                "Reopen it, or go elsewhere.",
                japanese=f"{spot[1]}（{spot[0]}）は通行止めです。解除するか、別の場所を指定してください。",
            )


def _describe_no_route(
    graph: RouteGraph, start: Spot, stops: Sequence[Sequence[Goal]], closures: Closures
) -> str:
    names = " or ".join(f"{goal.spot[1]} ({goal.spot[0]})" for goal in stops[-1])
    message = f"No way leads from {start[1]} ({start[0]}) to {names}"
    if closures != Closures() and route_via(graph, start, stops):
        why = [
            *(["without steps"] if closures.stepless else []),
            *(["with what is closed"] if closures.closed else []),
        ]
        return f"{message} {' and '.join(why)}. There is one otherwise."
    return f"{message}. The plan joins them by no door, stairs or lift."
