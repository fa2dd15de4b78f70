"""`reduceMap` with colours, routes and rooms over time, as a table; what cannot be read leaves the last good map."""

from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from answers_on_the_plan import SOURCE, coloured, legend, played, room, route, routed, warmth
from pane_host import BUILDING
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

Json = dict[str, Any]
DEFINITION = {"type": "map_definition", "content": BUILDING}


def show(floor: str, *rooms: str) -> Json:
    return {"type": "map", "content": {"floorId": floor, "rectangles": [{"name": name} for name in rooms]}}


def with_leg(**fields: Any) -> Json:
    bad = deepcopy(route())
    bad["legs"][0] |= fields
    return bad


def frames_of(*frames: Any, **more: Any) -> Json:
    return {"type": "map_frames", "content": {"floorId": "1F", "frames": list(frames), **more}}


LAST = {"floorId": "2F", "highlights": ["2F Library null"]}
TABLE: dict[str, tuple[list[Json], Json]] = {
    "rooms have their value and their own floor": (
        [warmth()],
        {
            "highlights": ["1F Room1 18", "1F Kitchen 24", "2F Library 20.5"],
            "legend": "Temperature 3",
            "notes": [],
        },
    ),
    "a legend is told on every floor that has a coloured room": (
        [warmth(), {"show": "2F"}],
        {"floorId": "2F", "legend": "Temperature 3"},
    ),
    "a legend is not told on a floor without one": (
        [warmth(), {"show": "B1"}],
        {"floorId": "B1", "legend": ""},
    ),
    "a legend goes with its map": ([warmth(), show("1F", "Room1")], {"legend": ""}),
    "clear_map takes the legend, the route and the playback": (
        [warmth(), routed(), played(), {"type": "clear_map", "content": {}}],
        {"legend": "", "routes": [], "frames": 0, "highlights": []},
    ),
    "a value that is no number is none": (
        [coloured(room("Room1") | {"value": "warm"}, room("Kitchen") | {"value": None})],
        {"highlights": ["1F Room1 null", "1F Kitchen null"]},
    ),
    "a room on a floor that is not there is noted": (
        [coloured(room("Room1", 1), room("Kitchen", 2, floorId="9F"))],
        {"highlights": ["1F Room1 1"], "notes": ["map.no_floor"]},
    ),
    "a legend with one colour is noted, the rooms are drawn": (
        [
            coloured(
                room("Room1", 1),
                overlays=[legend(stops=[*legend()["stops"][:1], {"value": 2, "color": "red"}])],
            )
        ],
        {"highlights": ["1F Room1 1"], "legend": "", "notes": ["map.no_legend"]},
    ),
    "drawings know the code that made them": ([warmth()], {"source": SOURCE}),
    "a source without a step is none": ([warmth(source={"step": "x", "line": 2})], {"source": None}),
    "a route lies on its floors": (
        [routed()],
        {"routes": ["Room1 Library 1F,2F 6"], "floorId": "1F", "notes": [], "drawn": ["1F", "2F"]},
    ),
    "a later map takes the route": ([routed(), show("1F", "Room1")], {"routes": []}),
    "a route that cannot be read leaves the last good map": (
        [show("2F", "Library"), routed(with_leg(points=[{"x": 1, "y": None}]))],
        {**LAST, "routes": [], "notes": ["map.no_route"]},
    ),
    "a route without points leaves the last good map": (
        [show("2F", "Library"), routed(with_leg(points=[]))],
        {**LAST, "notes": ["map.no_route"]},
    ),
    "a route with a change too few leaves the last good map": (
        [show("2F", "Library"), routed(route(changes=[]))],
        {**LAST, "notes": ["map.no_route"]},
    ),
    "a route over an unknown floor leaves the last good map": (
        [show("2F", "Library"), routed(with_leg(floorId="9F"))],
        {**LAST, "notes": ["map.no_floor"]},
    ),
    "of two routes the good one is drawn": (
        [routed(route(legs="far"), route())],
        {"routes": ["Room1 Library 1F,2F 6"], "notes": ["map.no_route"]},
    ),
    "steps that name no leg are left out": (
        [routed(route(steps=[{"action": "walk", "text": "", "leg": 7}, {"action": "fly", "leg": 0}, 3]))],
        {"routes": ["Room1 Library 1F,2F 0"]},
    ),
    "a map of which nothing can be drawn leaves the last good map": (
        [show("2F", "Library"), show("1F", "Atrium", "Lobby")],
        {**LAST, "notes": ["map.no_room", "map.no_room"]},
    ),
    "a playback shows its first frame": (
        [show("2F", "Library"), played()],
        {
            "floorId": "1F",
            "frames": 3,
            "at": 0,
            "highlights": ["1F Room1 0", "2F Library 7"],
            "legend": "Temperature 3",
        },
    ),
    "another frame has its own rooms": (
        [played(), {"frame": 1}],
        {"at": 1, "highlights": ["1F Room1 1"], "floorId": "1F"},
    ),
    "past the last frame is the last frame": ([played(), {"frame": 99}], {"at": 2}),
    "before the first frame is the first frame": ([played(), {"frame": -1}], {"at": 0}),
    "a map takes the playback": (
        [played(), show("1F", "Kitchen")],
        {"frames": 0, "highlights": ["1F Kitchen null"]},
    ),
    "a playback of two thousand frames is read whole": (
        [played(2000), {"frame": 1999}],
        {"frames": 2000, "at": 1999},
    ),
    "frames past two thousand are noted": ([played(2003)], {"frames": 2000, "notes": ["map.no_frames"]}),
    "a playback without frames leaves the last good map": (
        [show("2F", "Library"), frames_of()],
        {**LAST, "frames": 0, "notes": ["map.no_format"]},
    ),
    "a playback of nonsense leaves the last good map": (
        [show("2F", "Library"), frames_of(None, {"time": "x"}, 5)],
        {**LAST, "frames": 0, "notes": ["map.no_frames"]},
    ),
    "a playback on an unknown floor leaves the last good map": (
        [
            show("2F", "Library"),
            frames_of({"time": "", "rectangles": []}, floorId="9F"),
        ],
        {**LAST, "notes": ["map.no_floor"]},
    ),
    "a room missing in every frame is noted once": (
        [
            frames_of(
                *({"time": str(n), "rectangles": [{"name": "Atrium"}, room("Room1", n)]} for n in range(50))
            )
        ],
        {"frames": 50, "notes": ["map.no_room"], "highlights": ["1F Room1 0"]},
    ),
    "the building again keeps route and playback": (
        [routed(), DEFINITION],
        {"routes": ["Room1 Library 1F,2F 6"]},
    ),
    "another building takes the route whose floor is gone": (
        [routed(), {"type": "map_definition", "content": {"floors": BUILDING["floors"][:1]}}],
        {"routes": []},
    ),
    "another building takes the rooms of a frame whose floor is gone": (
        [played(), {"type": "map_definition", "content": {"floors": BUILDING["floors"][:1]}}],
        {"frames": 3, "highlights": ["1F Room1 0"]},
    ),
}


def replay(modules: Page, messages: list[Json]) -> Json:
    """The picture after these messages (`show` a floor, a `frame`), in few words."""
    script = """async (messages) => {
        const { emptyMap, highlightsOf, reduceMap, showFloor, showFrame, drawnOn } = await import("/static/js/map/state.js");
        const { legendOf } = await import("/static/js/map/picture.js");
        const step = (picture, one) => {
            if ("show" in one) return showFloor(picture, one.show);
            if ("frame" in one) return showFrame(picture, one.frame);
            return reduceMap(picture, one);
        };
        const picture = messages.reduce(step, emptyMap);
        const legend = legendOf(picture);
        return {
            floorId: picture.floorId,
            highlights: highlightsOf(picture).map((one) => `${one.floorId} ${one.room} ${one.value}`),
            source: highlightsOf(picture)[0]?.origin.source ?? null,
            legend: legend ? `${legend.title} ${legend.stops.length}` : "",
            routes: picture.routes.map(({ start, goal, legs, steps }) =>
                `${start} ${goal} ${legs.map((leg) => leg.floorId)} ${steps.length}`),
            drawn: drawnOn(picture).map((one) => one.floorId),
            frames: picture.playback?.frames.length ?? 0,
            at: picture.playback?.at ?? null,
            notes: picture.notes.map((one) => one.key),
        };
    }"""
    return modules.evaluate(script, messages)


def test_each_answer_leads_to_the_picture_it_should(modules: Page) -> None:
    wrong: Json = {}
    for name, (messages, expected) in TABLE.items():
        picture = replay(modules, [DEFINITION, *messages])
        if {key: picture[key] for key in expected} != expected:
            wrong[name] = picture

    assert wrong == {}


def test_numbers_that_json_cannot_spell_are_no_numbers(modules: Page) -> None:
    script = """async () => {
        const { routeOf } = await import("/static/js/map/route-reading.js");
        const { readLegend, ticksOf } = await import("/static/js/map/legend.js");
        const leg = (x) => ({ floorId: "1F", points: [{ x, y: 0 }] });
        const way = (x, more) => routeOf({ start: "a", goal: "b", legs: [leg(x)], length: 1, ...more }, 0, {});
        const stops = [1, NaN, Infinity, 2].map((value) => ({ value, color: "#ffffff" }));
        return [way(NaN), way(Infinity), way(1, { length: NaN }).length, way(1, { seconds: -Infinity }).seconds,
            readLegend({ stops }, []).stops.length, ticksOf(readLegend({ stops }, [])).map(({ value }) => value)];
    }"""

    assert modules.evaluate(script) == [None, None, 0, None, 2, [1, 2]]


def test_the_numbers_of_a_legend_never_touch(modules: Page) -> None:
    script = """async (values) => {
        const { readLegend, ticksOf, gradientOf } = await import("/static/js/map/legend.js");
        const legend = readLegend({ stops: values.map((value) => ({ value, color: "#ffffff" })) }, []);
        return [ticksOf(legend).map(({ value, at }) => [value, at]), gradientOf(legend)];
    }"""
    for values in ([1, 2], [5, 5], [0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 0.01, 100], [-2, 0, 2], [3, 1, 2]):
        ticks, gradient = modules.evaluate(script, values)
        places = [at for _, at in ticks]
        assert all(0 <= at <= 1 for at in places)
        assert all(after - before >= 0.2 - 1e-9 for before, after in pairwise(places)), values
        assert [ticks[0][0], ticks[-1][0]] == [min(values), max(values)]
        assert "NaN" not in gradient
