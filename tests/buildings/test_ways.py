"""Routes against networkx on a graph the test builds itself; and that nothing closed is ever walked through."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from threading import Barrier
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.routing import (
    Closures,
    NoRoute,
    Route,
    RouteGraph,
    inside,
    overlay,
    route_to,
    routes_to,
    travel_times,
)
from smoldesk.buildings.routing import crossings as crossing_costs
from smoldesk.buildings.routing.graph import DOOR_SECONDS, WALKING
from smoldesk.buildings.routing.japanese import called_in_japanese, describe_in_japanese, link_in_japanese
from smoldesk.buildings.routing.routes import EXIT, Goal
from smoldesk.buildings.routing.steps import called
from smoldesk.messages import Link, MapDefinitionContent

SIDE = 10.0


@st.composite
def buildings(draw: st.DrawFn) -> MapDefinitionContent:
    """One to three floors of up to 20 rooms; not every room has a door, not every floor a link."""
    floors: list[dict[str, Any]] = []
    sizes = draw(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4)), min_size=1, max_size=3))
    for number, (across, down) in enumerate(sizes):
        rooms = [
            {
                "name": f"R{x}{y}",
                "topLeft": {"x": x * SIDE, "y": y * SIDE},
                "bottomRight": {"x": (x + 1) * SIDE, "y": (y + 1) * SIDE},
            }
            for x in range(across)
            for y in range(down)
        ]
        doors: list[dict[str, Any]] = []
        for x in range(across):
            for y in range(down):
                if x + 1 < across:
                    doors += draw(_doors(f"R{x}{y}", f"R{x + 1}{y}", (x + 1) * SIDE, y * SIDE, upright=True))
                if y + 1 < down:
                    doors += draw(_doors(f"R{x}{y}", f"R{x}{y + 1}", x * SIDE, (y + 1) * SIDE, upright=False))
        doors.append({"rooms": ["R00"], "at": {"x": 0, "y": 1}})  # so that none are assumed
        wide, high = across * SIDE, down * SIDE
        floors.append({
            "floorId": f"F{number}",
            "floorName": f"Floor {number}",
            "floorImage": "",
            "ordinal": number,
            "metresPerUnit": 0.5,
            "coordinateSystem": {
                "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
                "bottomRight": {"px": wide, "py": high, "x": wide, "y": high},
            },
            "rectangles": rooms,
            "doors": doors,
        })  # fmt: skip
    links = (
        [draw(_link(number, sizes)) for number in range(draw(st.integers(0, 3)))] if len(sizes) > 1 else []
    )
    return MapDefinitionContent.model_validate({"floors": floors, "bitmaps": [], "links": links})


@st.composite
def _doors(draw: st.DrawFn, one: str, other: str, x: float, y: float, upright: bool) -> list[dict[str, Any]]:
    """None, one or two doors in the wall that begins at (x, y)."""
    results: list[dict[str, Any]] = []
    for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2)))):
        along = draw(st.integers(1, 9))
        at = {"x": x, "y": y + along} if upright else {"x": x + along, "y": y}
        if any(door["at"] == at for door in results):
            continue
        name = f"{one}-{other}-{along}"
        results.append({"rooms": [one, other], "at": at, "doorId": name, "accessible": draw(st.booleans())})
    return results


@st.composite
def _link(draw: st.DrawFn, number: int, sizes: list[tuple[int, int]]) -> dict[str, Any]:
    floors = draw(st.lists(st.integers(0, len(sizes) - 1), min_size=2, max_size=3, unique=True))
    stops: list[dict[str, Any]] = []
    for floor in floors:
        across, down = sizes[floor]
        x, y = draw(st.integers(0, across - 1)), draw(st.integers(0, down - 1))
        at = {"x": x * SIDE + draw(st.integers(1, 9)), "y": y * SIDE + draw(st.integers(1, 9))}
        stops.append({"floorId": f"F{floor}", "room": f"R{x}{y}", "at": at})
    return {
        "linkId": f"L{number}",
        "kind": draw(st.sampled_from(("stairs", "lift", "escalator", "ramp"))),
        "name": f"Link {number}",
        "stops": stops,
        "waitSeconds": draw(st.integers(0, 40)),
    }


Spot = tuple[str, str]


def independent(building: MapDefinitionContent, start: Spot, goal: Spot, closures: Closures) -> float | None:
    """Seconds of the shortest way, by Bellman and Ford."""
    graph = joined_places(building, {start, goal}, closures)
    try:
        return float(nx.bellman_ford_path_length(graph, ("middle", *start), ("middle", *goal)))
    except (nx.NetworkXNoPath, nx.NodeNotFound):
        return None


def joined_places(building: MapDefinitionContent, middles: set[Spot], closures: Closures) -> Any:
    """All ways, by the definition alone: every two places of a room are joined by a straight line."""
    graph: Any = nx.Graph()
    places = RouteGraph(building).places
    shut_doors = {
        (at.floor_id, at.passage.name) for at in map(places.__getitem__, closures.doors) if at.passage
    }
    heights = {floor.floor_id: floor.ordinal or 0 for floor in building.floors}
    in_room: dict[Spot, list[tuple[Any, float, float, float]]] = {}
    for floor in building.floors:
        for room in floor.rectangles:
            middle = (
                (room.top_left.x + room.bottom_right.x) / 2,
                (room.top_left.y + room.bottom_right.y) / 2,
            )
            spot = (floor.floor_id, room.name)
            in_room[spot] = [(("middle", *spot), *middle, 0.0)] if spot in middles else []
        for number, door in enumerate(floor.doors or []):
            shut = (floor.floor_id, door.door_id or "") in shut_doors
            if len(door.rooms) == 1:
                place = (("exit", floor.floor_id, number), door.at.x, door.at.y, 0.0)
                in_room[floor.floor_id, door.rooms[0]].append(place)
            if len(door.rooms) == 2 and not shut and (door.accessible or not closures.stepless):
                for name in door.rooms:
                    place = (("door", floor.floor_id, number), door.at.x, door.at.y, DOOR_SECONDS / 2)
                    in_room[floor.floor_id, name].append(place)
    for number, link in enumerate(building.links or []):
        if number in closures.links or (closures.stepless and link.kind in ("stairs", "escalator")):
            continue
        for place, stop in enumerate(link.stops):
            in_room[stop.floor_id, stop.room].append((("stop", number, place), stop.at.x, stop.at.y, 0.0))
        for (a, one), (b, other) in combinations(enumerate(link.stops), 2):
            floors = max(1, abs(heights[one.floor_id] - heights[other.floor_id]))
            seconds = link.wait_seconds + floors * link.floor_seconds
            graph.add_edge(("stop", number, a), ("stop", number, b), weight=seconds)
    for spot, places in in_room.items():
        if spot in closures.rooms:
            continue
        for (one, ax, ay, a_door), (other, bx, by, b_door) in combinations(places, 2):
            seconds = 0.5 * ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 / WALKING + a_door + b_door
            edge_data = graph.get_edge_data(one, other)
            if edge_data is None or edge_data["weight"] > seconds:
                graph.add_edge(one, other, weight=seconds)
    return graph


def spots(building: MapDefinitionContent) -> list[Spot]:
    return [(floor.floor_id, room.name) for floor in building.floors for room in floor.rectangles]


def found(graph: RouteGraph, start: Spot, goal: Spot, closures: Closures) -> Route | None:
    try:
        return route_to(graph, start, goal, closures)
    except NoRoute:
        return None


@st.composite
def questions(draw: st.DrawFn) -> tuple[MapDefinitionContent, Spot, Spot, Closures]:
    """A building, two rooms of it, and what is closed (never one of the two)."""
    building = draw(buildings())
    places = spots(building)
    start, goal = draw(st.sampled_from(places)), draw(st.sampled_from(places))
    matching_places = [spot for spot in places if spot not in (start, goal)]
    rooms = draw(st.sets(st.sampled_from(matching_places), max_size=4)) if matching_places else set[Spot]()
    graph = RouteGraph(building)
    doors = [node for node, at in enumerate(graph.places) if at.passage and at.passage.name]
    shut = draw(st.sets(st.sampled_from(doors), max_size=3)) if doors else set[int]()
    links = list(range(len(building.links or [])))
    broken = draw(st.sets(st.sampled_from(links), max_size=1)) if links else set[int]()
    closures = Closures(frozenset(rooms), frozenset(broken), frozenset(shut), stepless=draw(st.booleans()))
    return building, start, goal, closures


Question = tuple[MapDefinitionContent, Spot, Spot, Closures]


@settings(max_examples=100, deadline=None)
@given(questions())
def test_a_route_is_as_short_as_bellman_and_ford_find(question: Question) -> None:
    is_shortest(question)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(questions())
def test_so_it_is_in_a_thousand_buildings(question: Question) -> None:
    is_shortest(question)


def is_shortest(question: Question) -> None:
    """As short as another method finds it, and all of it open; none where there is none. By both ways to search."""
    for sparse in (True, False):
        graph = RouteGraph(question[0])
        graph.crossings.is_sparse = sparse
        _is_shortest(graph, question)


def _is_shortest(graph: RouteGraph, question: Question) -> None:
    building, start, goal, closures = question
    route = found(graph, start, goal, closures)
    expected = 0.0 if start == goal else independent(building, start, goal, closures)
    time = travel_times(graph, start, closures).get(goal)
    assert time == (None if expected is None else pytest.approx(expected, abs=1e-6))  # pyright: ignore[reportUnknownMemberType]
    if route is None:
        assert expected is None
        return
    assert route.seconds == pytest.approx(expected, abs=1e-6)  # pyright: ignore[reportUnknownMemberType]
    holds(graph, route, closures)


def holds(graph: RouteGraph, route: Route, closures: Closures) -> None:
    """The route goes from its start to its goal, without a gap, through nothing that is closed."""
    for hop in route.hops:
        if hop.room is None:
            link = hop.start.link
            assert link is not None and link == hop.end.link and link not in closures.links
            assert not (closures.stepless and graph.links[link].kind in ("stairs", "escalator"))
        else:
            assert hop.room not in closures.rooms
        for place in (hop.start, hop.end):
            if place.passage:
                assert graph.places.index(place) not in closures.doors
                assert place.passage.accessible or not closures.stepless
    for one, other in zip(route.hops, route.hops[1:], strict=False):
        assert one.end == other.start
    length = sum(hop.length * graph.metres[hop.start.floor_id] for hop in route.hops)
    assert route.length == pytest.approx(length)  # pyright: ignore[reportUnknownMemberType]
    drawn = overlay(graph, route)
    assert len(drawn.legs) == len(drawn.changes) + 1
    assert (drawn.legs[0].floor_id, drawn.legs[-1].floor_id) == (route.start[0], route.goal[0])
    assert drawn.steps[0].action == "start" and drawn.steps[-1].action == "arrive"
    assert [step.leg for step in drawn.steps] == sorted(step.leg for step in drawn.steps)


def floor(rooms: list[dict[str, Any]], doors: list[dict[str, Any]] | None = None) -> MapDefinitionContent:
    return MapDefinitionContent.model_validate({
        "floors": [{
            "floorId": "1F", "floorName": "1F", "floorImage": "", "metresPerUnit": 1, "rectangles": rooms, "doors": doors,
            "coordinateSystem": {"topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
                                 "bottomRight": {"px": 100, "py": 100, "x": 100, "y": 100}},
        }],
        "bitmaps": [],
    })  # fmt: skip


def room(name: str, left: float, top: float, right: float, bottom: float) -> dict[str, Any]:
    return {"name": name, "topLeft": {"x": left, "y": top}, "bottomRight": {"x": right, "y": bottom}}


def test_on_a_large_floor_rooms_with_another_between_them_are_not_joined() -> None:
    row = [room(f"R{x}", x, 0, x + 1, 1) for x in range(90)]
    graph = RouteGraph(floor(row))

    spots = [graph.spot_at(item)[1] for item in graph.rooms_at(graph.nodes_of(("1F", "R0"))[0])]
    route = route_to(graph, ("1F", "R0"), ("1F", "R3"))

    assert len(graph.nodes_of(("1F", "R0"))) == 1
    assert sorted(spots) == ["R0", "R1"]
    assert route.length == pytest.approx(3)


def test_rooms_that_touch_are_joined_where_no_door_is_named() -> None:
    graph = RouteGraph(floor([room("A", 0, 0, 40, 40), room("B", 41, 10, 80, 40), room("C", 90, 90, 99, 99)]))
    route = route_to(graph, ("1F", "A"), ("1F", "B"))
    assert route.assumed
    assert (route.hops[0].end.x, route.hops[0].end.y) == (40.5, 25)
    with pytest.raises(NoRoute):
        route_to(graph, ("1F", "A"), ("1F", "C"))


def test_rooms_that_meet_at_a_corner_are_not_joined() -> None:
    graph = RouteGraph(floor([room("A", 0, 0, 40, 40), room("B", 40, 40, 80, 80)]))
    with pytest.raises(NoRoute):
        route_to(graph, ("1F", "A"), ("1F", "B"))


def test_a_bent_room_is_crossed_around_its_corner() -> None:
    """An L: from its top right arm to its bottom left one the straight line would leave the room."""
    bent = [(0, 0), (60, 0), (60, 20), (20, 20), (20, 60), (0, 60)]
    hall = room("Hall", 0, 0, 60, 60) | {"polygon": [{"x": x, "y": y} for x, y in bent]}
    doors = [
        {"rooms": ["Hall", "A"], "at": {"x": 60, "y": 19}},
        {"rooms": ["Hall", "B"], "at": {"x": 19, "y": 60}},
    ]
    rooms = [hall, room("A", 60, 10, 80, 28), room("B", 10, 60, 28, 80)]
    route = route_to(RouteGraph(floor(rooms, doors)), ("1F", "A"), ("1F", "B"))
    assert (20, 20) in [(hop.end.x, hop.end.y) for hop in route.hops]


def test_a_corridor_of_a_thousand_offices_is_crossed_in_a_straight_line() -> None:
    offices = [room(f"O{n}", n, 10, n + 1, 20) for n in range(1000)]
    doors = [{"rooms": ["Corridor", f"O{n}"], "at": {"x": n + 0.5, "y": 10}} for n in range(1000)]
    graph = RouteGraph(floor([room("Corridor", 0, 0, 1000, 10), *offices], doors))
    route = route_to(graph, ("1F", "O3"), ("1F", "O900"))
    assert [hop.room for hop in route.hops] == [("1F", "O3"), ("1F", "Corridor"), ("1F", "O900")]
    assert route.length == pytest.approx(5 + 897 + 5)  # pyright: ignore[reportUnknownMemberType]
    from_corridor = route_to(graph, ("1F", "Corridor"), ("1F", "O900"))
    assert from_corridor.length < 500


def test_a_hole_is_walked_around_and_one_search_serves_all_goals() -> None:
    hall = {"name": "Hall", "topLeft": {"x": 0, "y": 0}, "bottomRight": {"x": 30, "y": 30}}
    hole = [{"x": x, "y": y} for x, y in ((5, 5), (25, 5), (25, 25), (5, 25))]
    rooms = [("West", -10, 10, 0, 20), ("East", 30, 10, 40, 20), ("North", 10, -10, 20, 0)]
    doors = [("West", 0, 15), ("East", 30, 15), ("North", 15, 0)]
    corners = {"topLeft": {"px": 0, "py": 0, "x": -10, "y": -10},
               "bottomRight": {"px": 9, "py": 9, "x": 40, "y": 30}}  # fmt: skip
    floor = {
        "floorId": "1", "floorName": "1", "floorImage": "", "metresPerUnit": 1, "coordinateSystem": corners,
        "rectangles": [hall | {"holes": [hole]}, *(
            {"name": name, "topLeft": {"x": x1, "y": y1}, "bottomRight": {"x": x2, "y": y2}}
            for name, x1, y1, x2, y2 in rooms
        )],
        "doors": [{"rooms": [name, "Hall"], "at": {"x": x, "y": y}} for name, x, y in doors],
    }  # fmt: skip
    graph = RouteGraph(MapDefinitionContent.model_validate({"floors": [floor], "bitmaps": []}))
    route = route_to(graph, ("1", "West"), ("1", "East"))
    assert route.length == pytest.approx(5 + 2 * (5**2 + 10**2) ** 0.5 + 20 + 5)
    goals = [Goal(("1", name)) for name, *_ in rooms]
    assert [one.goal[1] for one in routes_to(graph, ("1", "West"), goals)] == ["West", "North", "East"]
    assert [one.goal[1] for one in routes_to(graph, ("1", "West"), goals, most=2)] == ["West", "North"]


@pytest.mark.parametrize("sparse", [True, False])
def test_links_that_take_no_time_lead_in_no_circle(sparse: bool) -> None:
    def one_floor(name: str) -> dict[str, Any]:
        rooms = [room("Hall", 0, 0, 10, 10), room("Office", 10, 0, 20, 10)]
        return floor(rooms, [{"rooms": ["Hall", "Office"], "at": {"x": 10, "y": 5}}]).floors[0].model_dump(
            by_alias=True
        ) | {"floorId": name, "floorName": name}

    stops = [{"floorId": name, "room": "Hall", "at": {"x": 2, "y": 5}} for name in ("1F", "2F")]
    links = [
        {"linkId": name, "kind": "ramp", "name": name, "stops": stops, "waitSeconds": 0, "floorSeconds": 0}
        for name in ("Ramp A", "Ramp B")
    ]
    floors = [one_floor("1F"), one_floor("2F")]
    graph = RouteGraph(MapDefinitionContent.model_validate({"floors": floors, "bitmaps": [], "links": links}))
    graph.crossings.is_sparse = sparse
    route = route_to(graph, ("1F", "Office"), ("2F", "Office"))
    assert [hop.room for hop in route.hops].count(None) == 1
    assert route.length == pytest.approx(5 + 8 + 8 + 5)


L_SHAPE = [(0, 0), (60, 0), (60, 20), (20, 20), (20, 60), (0, 60)]


def bent_floor(doors: Sequence[tuple[str, float, float]]) -> MapDefinitionContent:
    """A hall like an L, with one small room behind each of these doors."""
    hall = room("Hall", 0, 0, 60, 60) | {"polygon": [{"x": x, "y": y} for x, y in L_SHAPE]}
    rooms = [room(name, x - 1, y - 1, x + 1, y + 1) for name, x, y in doors]
    return floor([hall, *rooms], [{"rooms": ["Hall", name], "at": {"x": x, "y": y}} for name, x, y in doors])


def test_threads_may_enter_the_same_bent_room_first() -> None:
    doors = [("A", 60, 19), ("B", 19, 60), ("C", 0, 30)]
    for _ in range(5):
        crossings = RouteGraph(bent_floor(doors)).crossings
        states = crossings.states[crossings.entries_of(0)]
        barrier = Barrier(4)

        def leave(crossings: Any = crossings, states: Any = states, barrier: Barrier = barrier) -> Any:
            barrier.wait()
            return crossings.leave(states, crossings.sizes[states])[2]

        # The lock is held until all threads wait at it.
        with ThreadPoolExecutor(4) as pool:
            with crossings._lock:  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                answers = [pool.submit(leave) for _ in range(3)]
                barrier.wait()
            results = [answer.result().tolist() for answer in answers]
        assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("outside", [0, 0.2, 0.4, 1.5])
def test_doors_in_the_wall_beside_a_reflex_corner_have_a_route(outside: float) -> None:
    """The doors of an inner corner stand outside of the outline; the way leads straight through the wall to them."""
    doors = [("A", 40, 20 + outside), ("B", 20 + outside, 40), ("C", 22, 20 + outside)]
    graph = RouteGraph(bent_floor(doors))
    for start, goal in (("A", "B"), ("B", "A"), ("C", "B"), ("B", "C"), ("Hall", "B")):
        assert route_to(graph, ("1F", start), ("1F", goal)).seconds > 0
    length = route_to(graph, ("1F", "A"), ("1F", "B")).length
    assert length == pytest.approx(2 * (20 + outside), abs=0.1)


def test_a_way_goes_around_a_low_wall_of_a_wide_room() -> None:
    """A wall of 1.5 m in a room of 100 m is no thickness of its outline."""
    corners = [(0, 0), (100, 0), (100, 10), (60, 10), (60, 8.5), (40, 8.5), (40, 10), (0, 10)]
    hall = room("Hall", 0, 0, 100, 10) | {"polygon": [{"x": x, "y": y} for x, y in corners]}
    others = [room("A", 0, 10, 39, 20), room("B", 61, 10, 100, 20)]
    doors = [{"rooms": ["Hall", name], "at": {"x": x, "y": 10}} for name, x in (("A", 38), ("B", 62))]
    route = route_to(RouteGraph(floor([hall, *others], doors)), ("1F", "A"), ("1F", "B"))
    places = [(hop.end.x, hop.end.y) for hop in route.hops]
    assert places[:4] == [(38, 10), (40, 8.5), (60, 8.5), (62, 10)]


def test_rooms_are_looked_at_in_parts_of_a_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    doors = [("A", 40, 20), ("B", 20, 40), ("C", 0, 30)]
    halls = [(box := bent_floor(doors).floors[0].rectangles[0])] * 5
    points = [np.array([at for _, *at in doors], float)] * 5
    whole = inside.bends(halls, points)
    calls: list[int] = []
    visible = inside._visible  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counted(areas: Any, starts: Any, ends: Any) -> Any:
        calls.append(len(areas))
        return visible(areas, starts, ends)

    monkeypatch.setattr(inside, "_visible", counted)
    monkeypatch.setattr(inside, "MOST_LINES", 8)
    parts = inside.bends(halls, points)
    seen = list(inside.sights(parts, [(1, 1)] * 5, points))
    assert len(calls) > 5 and max(calls) <= 8
    assert [bend.reached.tolist() for bend in parts] == [bend.reached.tolist() for bend in whole]
    assert len(seen) == 5 and inside.is_bent(box)


def test_a_room_with_very_many_corners_to_turn_at_is_crossed_straight() -> None:
    teeth = [(x, 8 if x % 2 else 2) for x in range(620)]
    for count, is_bent in ((len(teeth), False), (130, True)):
        corners = [*teeth[:count], (teeth[count - 1][0], 0), (0, 0)]
        polygon = [{"x": x, "y": y} for x, y in corners]
        hall = floor([room("Hall", 0, 0, 620, 8) | {"polygon": polygon}]).floors[0].rectangles[0]
        assert inside.is_bent(hall) == is_bent


@pytest.mark.parametrize("sparse", [True, False])
def test_of_large_bent_rooms_only_the_last_rows_are_kept(
    monkeypatch: pytest.MonkeyPatch, sparse: bool
) -> None:
    building = bent_floor([("A", 40, 20), ("B", 20, 40), ("C", 0, 30), ("D", 60, 10)])
    pairs = [("A", "B"), ("B", "D"), ("C", "A"), ("Hall", "B"), ("D", "C"), ("A", "B")]
    expected = [route_to(RouteGraph(building), ("1F", a), ("1F", b)).hops for a, b in pairs]
    monkeypatch.setattr(crossing_costs, "MANY_BENT", 3)
    monkeypatch.setattr(crossing_costs, "MOST_RECENT", 9)
    graph = RouteGraph(building)
    graph.crossings.is_sparse = sparse
    assert [route_to(graph, ("1F", a), ("1F", b)).hops for a, b in pairs] == expected
    crossings: Any = graph.crossings
    assert crossings._recent.size == 8  # noqa: SLF001
    assert len(crossings._costs) == 0  # noqa: SLF001


@pytest.mark.parametrize(
    ("kind", "name", "english", "japanese"),
    [
        ("lift", "Lift", "the lift", "エレベーター"),
        ("lift", "Lift 2", "lift 2", "エレベーター2"),
        ("lift", "Aufzug 2", "the lift 'Aufzug 2'", "エレベーター「Aufzug 2」"),
        ("lift", "エレベータ (2)", "the lift 'エレベータ (2)'", "エレベータ (2)"),
    ],
)
def test_the_name_of_a_lift_tells_it_from_others(kind: str, name: str, english: str, japanese: str) -> None:
    stops = [{"floorId": floor_id, "room": "A", "at": {"x": 1, "y": 1}} for floor_id in ("1F", "2F")]
    link = Link.model_validate({"linkId": "l", "kind": kind, "name": name, "stops": stops})
    assert (called(link), link_in_japanese(kind, name)) == (english, japanese)
    assert called_in_japanese(english) == japanese


def test_a_step_names_the_exit_and_says_where_the_file_has_no_door() -> None:
    graph = RouteGraph(floor([room("A", 0, 0, 10, 10), room("B", 10, 0, 20, 10)]))
    route = routes_to(graph, ("1F", "A"), [Goal(("1F", "B"), label=EXIT)])[0]
    _, into, arrive = overlay(graph, route).steps
    assert (into.assumed, arrive.name) == (True, "the exit")
    assert describe_in_japanese(graph, route, str).splitlines()[2:4] == [
        "2. 5 m進み、Bに入ります。",
        "3. 5 m進み、Bの出口に到着します。",
    ]
