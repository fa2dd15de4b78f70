"""Every option of a map command, by the pixels it makes."""

from typing import Any

import pytest
from pane_host import PAPER, Colour, Desk, near

pytestmark = pytest.mark.browser

PERSON: Colour = (90, 90, 250)


def draw(desk: Desk, *, rectangles: Any = (), overlays: Any = ()) -> None:
    content = {"floorId": "1F", "rectangles": list(rectangles), "overlays": list(overlays)}
    desk.tell({"type": "map", "content": content})
    desk.still()


def mixed(colour: Colour, share: float) -> Colour:
    red, green, blue = (
        round(below * (1 - share) + above * share) for below, above in zip(PAPER, colour, strict=True)
    )
    return red, green, blue


def edge(desk: Desk) -> Colour:
    """The outline of Room1, half way down its left side, one and a half CSS pixels inside."""
    scale = float(desk.facts()["view"].split()[0])
    return desk.pixel(0 + 1.2 / (2 * scale), 70)


def ink(desk: Desk, left: float, top: float, right: float, bottom: float) -> int:
    """How many dark pixels a part of the floor has: words."""
    script = """([left, top, right, bottom]) => {
        const layers = [...document.querySelectorAll(".map-stage canvas")].filter((canvas) => !canvas.hidden);
        const dpr = layers[0].width / layers[0].getBoundingClientRect().width;
        const [x, y, wide, high] = [left, top, right - left, bottom - top].map((value) => Math.round(value * dpr));
        const ctx = new OffscreenCanvas(wide, high).getContext("2d");
        for (const layer of layers) ctx.drawImage(layer, -x, -y);
        const { data } = ctx.getImageData(0, 0, wide, high);
        let dark = 0;
        for (let at = 0; at < data.length; at += 4) dark += data[at] + data[at + 1] + data[at + 2] < 240;
        return dark;
    }"""
    return desk.page.evaluate(script, [*desk.place(left, top), *desk.place(right, bottom)])


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_fill_opacity_is_the_share_of_the_colour_inside_the_room(desk: Desk, share: float) -> None:
    draw(desk, rectangles=[{"name": "Room1", "color": "#0000ff", "fillOpacity": share, "showName": False}])

    assert near(desk.pixel(75, 20), mixed((0, 0, 255), share))


def test_stroke_opacity_is_the_share_of_the_colour_in_the_outline(desk: Desk) -> None:
    room = {"name": "Room1", "color": "#0000ff", "fillOpacity": 0, "showName": False}
    received: list[Colour] = []
    for share in (1, 0.5, 0):
        draw(desk, rectangles=[room | {"strokeOpacity": share}])
        received.append(edge(desk))

    assert near(received[0], (0, 0, 255))
    assert near(received[1], mixed((0, 0, 255), 0.5), slack=20)
    assert near(received[2], PAPER)


def test_a_name_is_written_unless_the_command_hides_it(desk: Desk) -> None:
    inside = (5, 5, 145, 85)
    assert ink(desk, *inside) > 20
    draw(desk, rectangles=[{"name": "Room1", "showName": False, "fillOpacity": 0.2}])
    assert ink(desk, *inside) == 0
    draw(desk, rectangles=[{"name": "Room1", "showName": True, "fillOpacity": 0.2}])
    assert ink(desk, *inside) > 20


def test_an_offset_moves_a_bitmap_and_a_text_by_virtual_coordinates(desk: Desk) -> None:
    here = {"type": "rectangle", "name": "Room1"}
    bitmap = {"type": "bitmap", "bitmapId": "person", "position": here, "offset": {"x": 40, "y": -20}}
    box = {"type": "text", "text": "      ", "backgroundColor": "#00aa00", "position": here}
    draw(desk, overlays=[bitmap, box | {"offset": {"x": -40, "y": 20}}])

    middle = (75, 45)
    assert near(desk.pixel(middle[0] + 40, middle[1] - 20), PERSON)
    assert near(desk.pixel(middle[0] - 40, middle[1] + 20), (0, 170, 0))
    assert not near(desk.pixel(*middle), (0, 170, 0))


def test_a_bitmap_at_a_coordinate_stands_there(desk: Desk) -> None:
    draw(
        desk,
        overlays=[
            {"type": "bitmap", "bitmapId": "person", "position": {"type": "coordinate", "x": 400, "y": 150}}
        ],
    )

    assert near(desk.pixel(400, 150), PERSON)


def test_a_text_without_a_background_leaves_the_plan_as_it_is(desk: Desk) -> None:
    at = {"type": "coordinate", "x": 400, "y": 130}
    text = {"type": "text", "text": "I", "fontSize": 40, "color": "#ff8800", "position": at}
    draw(desk, overlays=[text])
    assert near(desk.pixel(400, 130), (255, 136, 0), slack=40)
    assert near(desk.pixel(412, 130), PAPER)

    draw(desk, overlays=[text | {"text": "IIIII", "backgroundColor": "#112233"}])
    around = [desk.pixel(400 + step / 2, 130) for step in range(-16, 17)]
    assert any(near(colour, (0x11, 0x22, 0x33)) for colour in around)
