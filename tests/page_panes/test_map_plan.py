"""The pure parts of the plan: the index of rooms, names, doors, floors in order, the scale, files, what cannot be drawn."""

from typing import Any
from xml.etree import ElementTree

import pytest
from floors import building, floor, grid_of, polygon, room
from playwright.sync_api import Page

Json = dict[str, Any]


def run(modules: Page, script: str, given: Any = None) -> Any:
    return modules.evaluate(f"async (given) => {{ {script} }}", given)


READ = """
    const { readBuilding, faultsOf } = await import("/static/js/map/building.js");
    const { planOf } = await import("/static/js/map/plan.js");
    const building = readBuilding(given.content);
"""


def test_the_index_finds_the_rooms_that_looking_at_every_room_finds(modules: Page) -> None:
    wrong = run(
        modules,
        """
        const { Grid } = await import("/static/js/map/grid.js");
        let seed = 7;
        const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
        const wrong = [];
        for (let round = 0; round < 40; round += 1) {
            const count = 1 + Math.floor(random() * 400);
            const boxes = Array.from({ length: count }, () => {
                const [x, y, wide] = [random() * 1000 - 500, random() * 300, random() < 0.1 ? 900 : random() * 40];
                return random() < 0.05 ? [NaN, y, x, y] : [x, y, x + wide, y + random() * 40];
            });
            const grid = new Grid(...[0, 1, 2, 3].map((at) => boxes.map((box) => box[at])));
            for (let look = 0; look < 20; look += 1) {
                const [x, y] = [random() * 1400 - 700, random() * 500 - 100];
                const [right, bottom] = [x + random() * 300, y + random() * 300];
                const touches = ([l, t, r, b]) => l <= right && r >= x && t <= bottom && b >= y;
                const expected = boxes.flatMap((box, at) => (touches(box) ? [at] : []));
                const found = grid.search(x, y, right, bottom, []).sort((a, b) => a - b);
                if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push([round, found, expected]);
            }
        }
        return wrong;
        """,
    )
    assert wrong == []


@pytest.mark.parametrize("scale", [0.1, 0.35, 1, 3, 8])
def test_of_two_thousand_names_none_covers_another_and_each_lies_in_its_room(
    modules: Page, scale: float
) -> None:
    rooms = grid_of(50, 40, 5000, 2000)
    rooms += [room("Wing", 0, 0, 2500, 1000), polygon("Tip", (5000, 0), (5400, 1000), (5000, 2000))]
    faults = run(
        modules,
        READ
        + """
        const { RoomNames } = await import("/static/js/map/names.js");
        const plan = planOf(building.floors[0]);
        const measure = (text, size) => [...text].length * size * 0.6;
        const names = new RoomNames({ plan, marks: new Map(), scale: given.scale, taken: [], measure });
        const all = [...new Array(plan.count).keys()];
        names.place(all.filter((at) => at % 2));  // as rooms come into sight
        names.place(all);
        const labels = names.labels.filter(Boolean);
        const { encloses, overlaps } = await import("/static/js/map/geometry.js");
        const out = labels.filter(({ room, box }) => !encloses(names.boxOf(room), box));
        const faults = out.map(({ text }) => `out: ${text}`);
        for (const [at, one] of labels.entries()) {
            for (const two of labels.slice(at + 1)) if (overlaps(one.box, two.box)) faults.push([one.text, two.text]);
        }
        const tip = names.labels[plan.indexes.get("Tip")];
        for (const x of tip ? [tip.box.left, tip.box.left + tip.box.width] : []) {
            if (!plan.holds(tip.room, x / given.scale, tip.at.y / given.scale)) faults.push("Tip");
        }
        return { faults, count: labels.length };
        """,
        {**building(floor("1", *rooms, wide=5400, high=2000)), "scale": scale},
    )
    assert faults["faults"] == []
    assert (faults["count"] > 1500) == (scale > 0.3)


def test_the_room_at_a_point_is_the_smallest_one_and_a_polygon_only_where_it_is(modules: Page) -> None:
    lshape = polygon("L", (0, 0), (200, 0), (200, 50), (50, 50), (50, 200), (0, 200))
    found = run(
        modules,
        READ
        + """
        const plan = planOf(building.floors[0]);
        return given.points.map(([x, y]) => plan.name(plan.roomAt({ x: 20 + 2 * x, y: 20 + 2 * y })));
        """,
        {
            **building(floor("1", lshape, room("Hall", 0, 0, 500, 200), room("Box", 60, 60, 90, 90))),
            "points": [(100, 25), (25, 150), (150, 150), (75, 75), (600, 10)],
        },
    )
    assert found == ["L", "L", "Hall", "Box", ""]


def test_a_door_opens_the_wall_it_is_in_as_wide_as_a_metre(modules: Page) -> None:
    rooms = [room("A", 0, 0, 100, 100), room("B", 110, 0, 200, 100)]
    doors = [{"rooms": ["A", "B"], "at": {"x": 105, "y": 50}}, {"rooms": ["A"], "at": {"x": 30, "y": 104}}]
    doors += [
        {"rooms": ["A", "Nowhere"], "at": {"x": 0, "y": 50}},
        {"rooms": ["Nowhere"], "at": {"x": 0, "y": 0}},
    ]
    gaps = run(
        modules,
        READ + "return planOf(building.floors[0]).gaps;",
        building(floor("1", *rooms, metresPerUnit=0.1, doors=doors)),
    )

    between, out, third = gaps
    assert (between["x"], between["y"]) == (20 + 2 * 105, 20 + 2 * 50)
    assert abs(between["uy"]) == 1 and between["half"] == 10 and between["deep"] == 10
    assert (out["x"], out["y"], abs(out["ux"])) == (20 + 60, 20 + 200, 1)
    assert third["x"] == 20


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (floor("1", room("Flat", 0, 0, 10, 0)), ["map.bad_rooms"]),
        (floor("1", {"name": "Lost", "topLeft": {"x": None, "y": 0}, "bottomRight": {"x": 1, "y": 1}}), ["map.bad_rooms"]),
        (floor("1", "nonsense", 7, None), ["map.bad_rooms"]),  # pyright: ignore[reportArgumentType]
        ({"floorId": "1", "coordinateSystem": {"topLeft": {"px": "x"}}}, ["map.bad_floor"]),
        (floor("1", room("Room", 0, 0, 9, 9), doors=[{"rooms": [], "at": {"x": 0, "y": 0}}, 5]), []),
        (floor("1", polygon("Bow", (0, 0), (10, 10), (10, 0), (0, 10))), []),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_of_a_building_is_left_out_with_a_note(
    modules: Page, given: Json, notes: list[str]
) -> None:
    said = run(
        modules,
        READ
        + """
        for (const floor of building.floors) planOf(floor).roomAt({ x: 30, y: 30 });
        return faultsOf(building).map(({ key }) => key);
        """,
        building(given),
    )
    assert said == notes


def test_floors_go_up_by_their_ordinal_whatever_their_order_in_the_file(modules: Page) -> None:
    found = run(
        modules,
        """
        const { floorBeside, floorsInOrder } = await import("/static/js/map/floors.js");
        const { content } = given;
        const beside = (step) => floorBeside(content, "G", step)?.floorId ?? null;
        return [floorsInOrder(content).map(({ floorId }) => floorId), beside(1), beside(-1), beside(5)];
        """,
        building(floor("G", ordinal=0), floor("3", ordinal=3), floor("B", ordinal=-1), floor("Roof")),
    )
    assert found == [["B", "G", "3", "Roof"], "3", "B", None]


@pytest.mark.parametrize(
    ("metres_per_unit", "scale", "metres"), [(0.1, 0.7, 5), (0.1, 7, 0.5), (2, 0.01, 5000), (None, 1, None)]
)
def test_the_scale_bar_is_a_round_number_of_metres(
    modules: Page, metres_per_unit: float | None, scale: float, metres: float | None
) -> None:
    found = run(
        modules,
        """
        const { scaleOf } = await import("/static/js/map/scale-bar.js");
        return scaleOf(given.floor, given.scale);
        """,
        {"floor": floor("1", metresPerUnit=metres_per_unit), "scale": scale},
    )
    if metres is None or metres_per_unit is None:
        assert found is None
    else:
        assert found["metres"] == pytest.approx(metres)
        assert found["width"] == pytest.approx(metres / metres_per_unit * 2 * scale)
        assert 36 <= found["width"] <= 96


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["House", "1F"], "House-1F.svg"),
        (["../../etc", 'a/b:c*?"<>|'], "etc-a-b-c.svg"),
        (["駅ビル", "地下1階"], "駅ビル-地下1階.svg"),
        ([None, ""], "map.svg"),
    ],
)
def test_a_file_is_named_after_building_and_floor(modules: Page, parts: list[str | None], name: str) -> None:
    script = """
        const { fileName } = await import("/static/js/map/export.js");
        return fileName(given, "svg");
    """
    assert run(modules, script, parts) == name


def test_words_in_a_drawing_are_escaped_and_turned_shapes_stay_in_place(modules: Page) -> None:
    hostile = "</text><script>alert(1)</script>&\"'\u0000\u0008\ud800é𝄞"
    text = run(
        modules,
        """
        const { SvgContext } = await import("/static/js/map/svg.js");
        const measure = document.createElement("canvas").getContext("2d");
        const ctx = new SvgContext({ width: 100, height: 50 }, 2, { measure, hrefOf: () => "data:," });
        ctx.setTransform(2, 0, 0, 2, 0, 0);
        ctx.fillStyle = '"><script>';
        ctx.fillText(given, 10, 20);
        ctx.save();
        ctx.translate(50, 25);
        ctx.rotate(Math.PI / 2);
        ctx.fillStyle = "#ff0000";
        ctx.fillRect(0, 0, 10, 4);
        ctx.restore();
        return ctx.document(given);
        """,
        hostile,
    )
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    words = root.find(f"{space}text")
    assert words is not None
    assert words.text == "</text><script>alert(1)</script>&\"'é𝄞"
    assert root.find(f".//{space}script") is None
    shape = root.find(f"{space}path")
    assert shape is not None
    assert shape.get("d") == "M50 25L50 35L46 35L46 25Z"
