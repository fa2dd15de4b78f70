"""Ways out against networkx and against routes, and what holds for every crowd that leaves."""

from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import find_closures, room_closure
from smoldesk.buildings.evacuation.escape_routes import escape_routes, routes_to_exits
from smoldesk.buildings.evacuation.exits import exit_names, exits_of, find_exits
from smoldesk.buildings.evacuation.flow import capacity_of, flow
from smoldesk.buildings.evacuation.occupancy import read_occupancy
from smoldesk.buildings.places import PlaceIndex
from smoldesk.buildings.routing import RouteGraph, routes_to
from smoldesk.buildings.routing.graph import WALKING
from smoldesk.buildings.travel_profiles import PROFILES
from smoldesk.errors import BadInput
from tests.buildings.test_ways import Question, floor, joined_places, questions, room, spots

INFINITE = float("inf")


def seconds_by_networkx(question: Question) -> dict[Any, float]:
    building, _, _, closures = question
    graph = joined_places(building, {*spots(building)}, closures)
    exits = [node for node in graph if node[0] == "exit"]
    times = nx.multi_source_dijkstra_path_length(graph, exits) if exits else {}
    return {node[1:]: time for node, time in times.items() if node[0] == "middle"}


def is_nearest(question: Question) -> None:
    """Each room is as far from the nearest exit as networkx finds it, by both ways to search."""
    building, _, _, closures = question
    expected = seconds_by_networkx(question)
    for sparse in (True, False):
        graph = RouteGraph(building)
        graph.crossings.is_sparse = sparse
        routes = routes_to_exits(graph, exits_of(PlaceIndex(building)), closures, WALKING)
        for spot, number in graph.spots.items():
            time = INFINITE if spot in closures.rooms else expected.get(spot, INFINITE)
            assert routes.seconds[number] == pytest.approx(time, abs=1e-6)  # pyright: ignore[reportUnknownMemberType]
            assert (routes.exit_of[number] < 0) == (time == INFINITE)


@settings(max_examples=12, deadline=None)
@given(questions())
def test_each_room_is_as_far_from_an_exit_as_networkx_finds(question: Question) -> None:
    is_nearest(question)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(questions())
def test_so_are_thousands_of_rooms(question: Question) -> None:
    is_nearest(question)


@settings(max_examples=25, deadline=None)
@given(questions(), st.integers(1, 300), st.data())
def test_people_are_conserved_and_no_closure_makes_a_way_shorter(
    question: Question, people: int, data: st.DataObject
) -> None:
    definition, _, _, closures = question
    graph, exits = RouteGraph(definition), exits_of(PlaceIndex(definition))
    routes = routes_to_exits(graph, exits, closures, WALKING)
    fewer = routes_to_exits(graph, [exit_ for exit_ in exits if data.draw(st.booleans())], closures, WALKING)
    assert all(after >= before for before, after in zip(routes.seconds, fewer.seconds, strict=True))
    crowd = read_occupancy(Building(definition), people).people
    movement = flow(routes, crowd)
    inside = sum(movement.people.values())
    assert movement.clearance >= movement.longest
    counts = movement.at(
        [movement.clearance * share / 9 for share in range(10)], len(graph.spots) + len(graph.links)
    )
    assert counts.min() >= -1e-6
    assert counts.sum(axis=0) == pytest.approx(inside)  # pyright: ignore[reportUnknownMemberType]
    assert counts[-1, -1] == pytest.approx(movement.saved)  # pyright: ignore[reportUnknownMemberType]
    leaving = sum(count for spot, count in crowd.items() if routes.exit_of[graph.spots[spot]] >= 0)
    assert movement.saved == leaving
    for queue in movement.queues:  # nothing passes more than its capacity
        first = min(move.start for move in movement.moves if move.area == routes.areas[queue.place])
        assert queue.people <= queue.capacity * (queue.last - first) + 1e-6


def test_the_lengths_are_those_of_routes() -> None:
    building = Building.load()
    routes = escape_routes(building, PROFILES["walk"], [])
    for spot, number in routes.graph.spots.items():
        route = routes_to(
            routes.graph, spot, [exit_.goal for exit_ in routes.exits], routes.closures, most=1
        )[0]
        figures = (routes.seconds[number], routes.metres[number], routes.exits[routes.exit_of[number]].goal)
        assert figures == (pytest.approx(route.seconds), pytest.approx(route.length), route.end)  # pyright: ignore[reportUnknownMemberType]


def test_a_crowd_queues_at_a_door_as_the_hydraulic_model_says() -> None:
    """60 people and a door of 1.1 m: 0.8 m of it are effective, so 1.04 people a second pass, in 57.7 s."""
    doors: list[dict[str, Any]] = [{"rooms": ["Hall"], "at": {"x": 0, "y": 5}, "width": 1.1}]
    definition = floor([room("Hall", 0, 0, 10, 10)], doors)
    routes = escape_routes(Building(definition), PROFILES["walk"], [])
    movement = flow(routes, {("1F", "Hall"): 60})
    assert capacity_of(routes, 0) == pytest.approx(1.04)  # pyright: ignore[reportUnknownMemberType]
    walk = 5 / WALKING
    assert movement.clearance == pytest.approx(walk + 60 / 1.04)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    ("people", "count"),
    [
        (None, 10), ("2 per room", 4), ("1部屋に3人", 6), ("1 person per 5 m2", 20), ("5m²に1人", 20), ("0.2 per m²", 20),
        (7, 7), ("1,000 people", 1000), ({"Hall": 5}, 5),
    ],
)  # fmt: skip
def test_people_are_read_from_what_a_person_says(people: object, count: int) -> None:
    building = Building(
        floor([room("Big", 0, 0, 9, 10), room("Hall", 9, 0, 20, 0.5), room("Small", 9, 1, 10, 11)])
    )
    assert read_occupancy(building, people).total == count


@pytest.mark.parametrize(
    "people",
    [
        0, -1, 10**30, "many", True, float("nan"), [3], "3 per 0 m2", "1e9", {"Nowhere": 3}, {"Hall": -2}, {},
        {"Hall": 10**400}, 10**4000, {10**5000: 1}, [10**5000], "0 per m2", "1" * 400 + " per m2",
        f"1 per {'9' * 400} m2",
    ],
)  # fmt: skip
def test_people_who_cannot_be_are_refused(people: object) -> None:
    building = Building(floor([room("Big", 0, 0, 9, 10), room("Hall", 9, 0, 20, 5)]))
    with pytest.raises(BadInput, match=r"people|room"):
        read_occupancy(building, people)


def test_a_plan_whose_scale_cannot_be_has_too_many_people() -> None:
    plan = floor([room("Big", 0, 0, 9, 10)])
    floors = [plan.floors[0].model_copy(update={"metres_per_unit": 1e200})]
    with pytest.raises(BadInput, match="too many"):
        read_occupancy(Building(plan.model_copy(update={"floors": floors})), None)


def test_a_chain_of_rooms_costs_no_batch_for_each_pair_of_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """At each door batches are joined: nobody is lost or earlier than they can, and the last is out as late as exactly."""
    rooms = [room(f"R{x}", x / 2, 0, (x + 1) / 2, 1) for x in range(200)]
    doors: list[dict[str, Any]] = [
        {"rooms": [f"R{x}", f"R{x - 1}"] if x else ["R0"], "at": {"x": x / 2, "y": 0.5}, "width": 2.0}
        for x in range(200)
    ]
    building = Building(floor(rooms, doors))
    routes = escape_routes(building, PROFILES["walk"], [])
    crowd = {("1F", f"R{x}"): 1 + x % 2 for x in range(200)}
    joined = flow(routes, crowd)
    assert len(joined.moves) <= 64 * 200
    assert joined.saved == sum(crowd.values())
    counts = joined.at([joined.clearance * share / 50 for share in range(51)], 200)
    assert counts.min() >= -1e-6
    assert counts.sum(axis=0) == pytest.approx(joined.saved)  # pyright: ignore[reportUnknownMemberType]
    monkeypatch.setattr("smoldesk.buildings.evacuation.flow.MAX_BATCHES", 10**6)
    exact = flow(routes, crowd)
    assert len(exact.moves) > 64 * 200
    assert joined.clearance == pytest.approx(exact.clearance)  # pyright: ignore[reportUnknownMemberType]


def test_an_exit_is_found_by_its_room_or_as_the_main_one() -> None:
    places = Building.load().places
    for text, name in (
        ("the main entrance", "1f-entrance"), ("exit in the Garage", "b1-gate"), ("Garageの出口", "b1-gate"),
        ("exit b1-gate", "b1-gate"), ("正面玄関", "1f-entrance"),
    ):  # fmt: skip
        assert [exit_.name for exit_ in find_exits(places, text)] == [name]
    assert find_exits(places, "exit Z") == []


def test_an_exit_of_that_name_or_a_room_comes_before_the_first_exit() -> None:
    rooms = [room("Hall", 0, 0, 10, 10), room("Front Entrance", 10, 0, 20, 10)]
    doors: list[dict[str, Any]] = [
        {"rooms": ["Hall"], "at": {"x": 0, "y": 5}, "doorId": "Back door"},
        {"rooms": ["Hall"], "at": {"x": 5, "y": 0}, "doorId": "Main entrance"},
    ]
    building = Building(floor(rooms, doors))
    assert [exit_.name for exit_ in find_exits(building.places, "the main entrance")] == ["Main entrance"]
    assert find_exits(building.places, "front entrance") == []
    assert find_closures(building, "front entrance") == [room_closure(("1F", "Front Entrance"))]


def test_the_names_that_exits_are_told_by_are_read_again() -> None:
    doors: list[dict[str, Any]] = [
        {"rooms": ["East"], "at": {"x": 0, "y": 5}},
        {"rooms": ["East"], "at": {"x": 5, "y": 0}, "doorId": "1"},
        {"rooms": ["East"], "at": {"x": 5, "y": 10}},
        {"rooms": ["West"], "at": {"x": 20, "y": 5}, "doorId": "1f-west"},
        {"rooms": ["East"], "at": {"x": 2, "y": 0}, "doorId": "side-door"},
        {"rooms": ["East"], "at": {"x": 2, "y": 10}, "doorId": "33333333-3333-3333-3333-333333333333"},
    ]
    building = Building(floor([room("East", 0, 0, 10, 10), room("West", 10, 0, 20, 10)], doors))
    for places in (building.places, Building.load().places):
        for language in ("en", "ja"):
            for exit_, name in exit_names(places, language).items():
                assert find_exits(places, name) == [exit_], name
    assert [*exit_names(building.places, "en").values()] == [
        "exit 2 in East (1F)", "exit 1 in East (1F)", "exit 3 in East (1F)", "the exit in West (1F)",
        "exit side-door in East (1F)", "exit 4 in East (1F)",
    ]  # fmt: skip
    assert len(find_exits(building.places, "the exits of East (1F)")) == 5
    assert len(find_closures(building, "exit 2 in East (1F), 1FのWestの出口")) == 2
