"""Where things go on a floor: sizes, middles, and names that keep out of each other's way."""

from typing import Any

import pytest
from pane_host import BUILDING
from playwright.sync_api import Page

DEFINITION = {"type": "map_definition", "content": BUILDING}
FIT = 0.7
Box = dict[str, float]


def lay_out(modules: Page, messages: list[dict[str, Any]], scale: float = FIT, fit: float = FIT) -> Any:
    script = """async ([messages, fit, scale]) => {
        const { emptyMap, reduceMap } = await import("/static/js/map/state.js");
        const { arrange } = await import("/static/js/map/arrangement.js");
        const { sceneOf } = await import("/static/js/map/scene.js");
        const picture = messages.reduce(reduceMap, emptyMap);
        const measure = (text, size) => [...text].length * size * 0.6;
        const at = (scale) => ({ scale, left: 0, top: 0 });
        const scene = sceneOf(picture, null);
        const size = { width: 1e5, height: 1e5 };
        const { icons, texts, names } = arrange(scene, { view: at(scale), fit: at(fit), size, measure }, null);
        names.place(scene.floor.rectangles.map((_, room) => room));
        const { rectangles } = scene.floor;
        const rooms = rectangles.map(({ name }, at) => ({ name, box: names.boxOf(at), label: names.labels[at] }));
        return { rooms, icons, texts };
    }"""
    return modules.evaluate(script, [[DEFINITION, *messages], fit, scale])


def arrow(room: str, direction: str) -> dict[str, Any]:
    return {"type": "arrow", "content": {"room": room, "direction": direction}}


def room_box(layout: dict[str, Any], name: str) -> Box:
    return next(room["box"] for room in layout["rooms"] if room["name"] == name)


def middle(box: Box) -> tuple[float, float]:
    return box["left"] + box["width"] / 2, box["top"] + box["height"] / 2


def inside(outer: Box, inner: Box) -> bool:
    return (
        inner["left"] >= outer["left"]
        and inner["top"] >= outer["top"]
        and inner["left"] + inner["width"] <= outer["left"] + outer["width"]
        and inner["top"] + inner["height"] <= outer["top"] + outer["height"]
    )


def overlap(a: Box, b: Box) -> bool:
    return (
        a["left"] < b["left"] + b["width"]
        and b["left"] < a["left"] + a["width"]
        and a["top"] < b["top"] + b["height"]
        and b["top"] < a["top"] + a["height"]
    )


def test_an_arrow_takes_two_fifths_of_its_room_in_the_very_middle(modules: Page) -> None:
    layout = lay_out(modules, [arrow("Kitchen", "left")])

    [icon] = layout["icons"]
    room = room_box(layout, "Kitchen")
    assert icon["box"]["width"] == pytest.approx(0.4 * room["height"])
    assert middle(icon["box"]) == pytest.approx(middle(room))


@pytest.mark.parametrize(
    ("room", "fit", "scale", "side"),
    [
        ("Bathroom", 0.25, 0.25, 30),
        ("Level1", 0.7, 0.7, 80),
        ("Level1", 0.7, 1.4, 160),
        ("Toilet", 0.7, 0.7, 0.9 * 14),
    ],
    ids=["at least 30 px", "at most 80 px", "growing with the plan", "never larger than its room"],
)
def test_the_size_of_an_arrow_has_bounds(
    modules: Page, room: str, fit: float, scale: float, side: float
) -> None:
    layout = lay_out(modules, [arrow(room, "up")], scale, fit)

    assert layout["icons"][0]["box"]["width"] == pytest.approx(side)


def test_several_arrows_of_a_room_stand_side_by_side_inside_it(modules: Page) -> None:
    layout = lay_out(modules, [arrow("Bathroom", way) for way in ("up", "down", "left", "right")])

    boxes = [icon["box"] for icon in layout["icons"]]
    assert len(boxes) == 4
    assert all(inside(room_box(layout, "Bathroom"), box) for box in boxes)
    assert not any(overlap(a, b) for at, a in enumerate(boxes) for b in boxes[at + 1 :])


@pytest.mark.parametrize("scale", [0.2, 0.35, 0.7, 1.4, 5.0])
def test_no_name_ever_covers_another_name_or_an_icon(modules: Page, scale: float) -> None:
    text = {"type": "text", "text": "Exit", "position": {"type": "rectangle", "name": "Room1"}}
    person = {"type": "bitmap", "bitmapId": "person", "position": {"type": "rectangle", "name": "Room1"}}
    show = {"floorId": "1F", "rectangles": [{"name": "Bathroom"}], "overlays": [person, text]}
    layout = lay_out(
        modules, [{"type": "map", "content": show}, arrow("Kitchen", "up"), arrow("Level1", "up")], scale
    )

    labels = [room["label"]["box"] for room in layout["rooms"] if room["label"]]
    others = [icon["box"] for icon in layout["icons"]] + [shape["box"] for shape in layout["texts"]]
    assert labels
    assert not any(overlap(a, b) for at, a in enumerate(labels) for b in labels[at + 1 :] + others)


def test_the_name_of_an_area_keeps_out_of_the_room_within_it(modules: Page) -> None:
    layout = lay_out(modules, [])

    label = next(room["label"] for room in layout["rooms"] if room["name"] == "Level1")
    assert not overlap(label["box"], room_box(layout, "Bathroom"))
    assert inside(room_box(layout, "Level1"), label["box"])


def test_a_free_name_is_centred_and_a_highlighted_one_is_larger_and_bold(modules: Page) -> None:
    layout = lay_out(modules, [{"type": "highlight_room", "content": {"rooms": ["Kitchen"]}}])

    labels = {room["name"]: room["label"] for room in layout["rooms"]}
    assert (labels["Kitchen"]["at"]["x"], labels["Kitchen"]["at"]["y"]) == middle(room_box(layout, "Kitchen"))
    assert labels["Kitchen"]["bold"] is True
    assert labels["Room1"]["bold"] is False
    assert labels["Kitchen"]["size"] > labels["Room1"]["size"]


def test_a_highlight_may_hide_its_name(modules: Page) -> None:
    show = {"floorId": "1F", "rectangles": [{"name": "Kitchen", "showName": False}]}
    layout = lay_out(modules, [{"type": "map", "content": show}])

    assert next(room["label"] for room in layout["rooms"] if room["name"] == "Kitchen") is None


def test_a_text_stands_under_the_icon_of_its_room(modules: Page) -> None:
    text = {"type": "text", "text": "John", "position": {"type": "rectangle", "name": "Kitchen"}}
    person = {"type": "bitmap", "bitmapId": "person", "position": {"type": "rectangle", "name": "Kitchen"}}
    layout = lay_out(modules, [{"type": "map", "content": {"floorId": "1F", "overlays": [text, person]}}])

    icon, words = layout["icons"][0]["box"], layout["texts"][0]["box"]
    assert middle(icon) == pytest.approx(middle(room_box(layout, "Kitchen")))
    assert words["top"] >= icon["top"] + icon["height"]
    assert middle(words)[0] == pytest.approx(middle(icon)[0])


def test_an_offset_is_in_the_floor_s_own_coordinates_also_upside_down(modules: Page) -> None:
    position = {"type": "rectangle", "name": "Library"}
    text = {"type": "text", "text": "x", "position": position, "offset": {"x": 10, "y": 10}}
    layout = lay_out(modules, [{"type": "map", "content": {"floorId": "2F", "overlays": [text]}}])

    x, y = middle(room_box(layout, "Library"))
    at = layout["texts"][0]["at"]
    assert at["x"] == pytest.approx(x + 20 * FIT)
    assert at["y"] == pytest.approx(y - 20 * FIT)  # on 2F, y grows upwards
