"""Files of the map: saved as a picture or a drawing, and a building dropped on the pane."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from floors import building, floor, room
from pane_host import BUILDING, Desk, OpenPane
from playwright.sync_api import Route, expect

from tests.support.wire_messages import chat_message

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('1')</script>&\""
RED = {"name": "Room1", "color": "#ff8800", "fillOpacity": 1, "showName": True}
ARROW = {"type": "arrow", "content": {"room": "Kitchen", "direction": "left"}}


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    desk = open_pane("map")
    desk.tell({"type": "map_definition", "content": BUILDING | {"buildingName": "Old Mill"}})
    desk.tell({"type": "map", "content": {"floorId": "1F", "rectangles": [RED]}}, ARROW)
    desk.page.wait_for_selector(".map-viewer[data-image=ready]")
    desk.still()
    return desk


def saved(desk: Desk, kind: str) -> tuple[str, bytes]:
    """Press the button, choose the kind; the file's name and what is in it."""
    desk.page.get_by_role("button", name="Save the map").click()
    with desk.page.expect_download() as download:
        desk.page.get_by_role("menuitem", name=kind).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_the_map_is_saved_as_the_pixels_one_sees(desk: Desk) -> None:
    name, content = saved(desk, "PNG")

    assert name == "Old-Mill-1F.png"
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    places = [desk.place(10, 10), desk.place(425, 150), desk.place(20, 180)]
    script = """async ([bytes, places]) => {
        const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const ctx = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        ctx.drawImage(picture, 0, 0);
        const at = ([x, y]) => [...ctx.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3);
        return places.map(at);
    }"""
    pixels = [tuple(item) for item in desk.page.evaluate(script, [list(content), places])]
    assert pixels == desk.pixels([(10, 10), (425, 150), (20, 180)])
    assert pixels[0] == (0xFF, 0x88, 0)


def test_the_map_is_saved_as_a_drawing_of_lines_and_words_that_needs_no_other_file(desk: Desk) -> None:
    name, content = saved(desk, "SVG")
    root = ElementTree.fromstring(content)

    assert name == "Old-Mill-1F.svg"
    assert root.findtext(f"{SVG}title") == "Old Mill · 1F"
    texts = {one.text for one in root.iter(f"{SVG}text")}
    assert {"Room1", "Kitchen", "Level1"} - texts <= {"Kitchen"}  # an arrow stands where its name was
    assert any(one.get("fill") == "#ff8800" for one in root.iter(f"{SVG}path"))
    assert any(one.get("stroke") == "#ff0000" for one in root.iter(f"{SVG}path"))
    links = [one.get("href") or "" for one in root.iter() if one.get("href")]
    assert links and all(link.startswith(("#", "data:image/png;base64,")) for link in links)

    expected = desk.pixels([(10, 10), (425, 150), (20, 180)])
    places = [desk.place(10, 10), desk.place(425, 150), desk.place(20, 180)]
    script = """async ([text, places]) => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
        await image.decode();
        const ctx = new OffscreenCanvas(image.width, image.height).getContext("2d");
        ctx.drawImage(image, 0, 0);
        const at = ([x, y]) => [...ctx.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3);
        return places.map(at);
    }"""
    drawn = desk.page.evaluate(script, [content.decode(), places])
    for one, other in zip(drawn, expected, strict=True):
        assert all(abs(a - b) <= 4 for a, b in zip(one, other, strict=True)), (drawn, expected)


def test_names_from_a_file_are_words_in_a_drawing_and_never_markup(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    hall = room(HOSTILE, 0, 0, 500, 200)
    desk.tell(building(floor("../<1>", hall), buildingName=HOSTILE))
    desk.still()

    name, content = saved(desk, "SVG")
    root = ElementTree.fromstring(content)
    assert not set(name) & set('<>/\\"')
    assert [item.text for item in root.iter(f"{SVG}text")][-1] == HOSTILE
    assert not list(root.iter(f"{SVG}script"))


class Server:
    """Stands in for /api: what the page sent, and what it is answered."""

    def __init__(self, desk: Desk, status: int, answer: dict[str, Any]) -> None:
        self.sent: list[tuple[str, str, str]] = []
        self.status, self.answer = status, answer
        desk.page.route("**/api/**", self.take)

    def take(self, route: Route) -> None:
        request = route.request
        self.sent.append((request.method, request.url.partition("/api")[2], request.post_data or ""))
        first = request.method == "POST"
        body = json.dumps(self.answer if first else {})
        route.fulfill(status=self.status if first else 200, body=body, content_type="application/json")


def drop(desk: Desk, *names: str) -> None:
    """Drag files onto the map and let them go."""
    script = """(names) => {
        const transfer = new DataTransfer();
        for (const name of names) transfer.items.add(new File(["{}"], name));
        const pane = document.querySelector(".map-viewer");
        const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
        const send = (type) => pane.dispatchEvent(new DragEvent(type, how));
        send("dragenter");
        const words = pane.dataset.drop;
        send("drop");
        return words;
    }"""
    assert "building" in desk.page.evaluate(script, list(names))


def finding(severity: str, where: str, message: str, **more: Any) -> dict[str, Any]:
    return {"severity": severity, "where": where, "message": message, **more}


MILL = building(
    floor("0", room("Hall", 0, 0, 500, 200), ordinal=0), floor("1", room("Loft", 0, 0, 500, 200), ordinal=1)
)


def test_a_dropped_building_is_seen_with_its_report_before_it_is_taken(desk: Desk) -> None:
    report = [
        finding("note", "floors[0]", "No doors."),
        finding(
            "warning", "features[3]", "English", code="unnamed", count=1200, values={"name": "Room 1, Room 2"}
        ),
        *(finding("note", f"features[{n}]", f"Note {n}.") for n in range(9)),
    ]
    definition = MILL["content"]
    answer = {"name": "Mill", "floors": 2, "rooms": 2, "report": report, "definition": definition}
    server = Server(desk, 200, answer)
    desk.tell(chat_message("c 1"))

    drop(desk, "mill.json", "plan.png")
    panel = desk.page.get_by_role("region", name="New building")
    expect(panel.get_by_role("status")).to_have_text("2 floors · 2 rooms")
    lines = panel.locator(".building-report > li")
    expect(lines).to_have_count(8)
    expect(lines.first).to_have_text(
        re.compile(r"Rooms without a name were numbered: 1,200 \(Room 1, Room 2\)")
    )
    expect(lines.last.locator("summary")).to_have_text("NoteOther findings: 4")
    desk.see(floor="0", highlights="0")
    panel.get_by_text("1F · 2F · 3F").click()
    expect(desk.page.get_by_role("tab")).to_have_text(["1F", "2F"])
    plan, panel_box = desk.page.locator(".map-stage").bounding_box(), panel.bounding_box()
    assert plan and panel_box and plan["x"] + plan["width"] <= panel_box["x"] + 1

    panel.get_by_role("button", name="Cancel").click()
    desk.see(floor="1F", highlights="1")
    expect(panel).to_be_hidden()
    [(method, path, sent)] = server.sent
    assert (method, path) == ("POST", "/buildings?preview=true")
    assert 'name="file"; filename="mill.json"' in sent
    assert 'name="image"; filename="plan.png"' in sent

    drop(desk, "mill.json")
    panel.get_by_role("textbox", name="Name of the building").fill("Old mill")
    server.status, server.answer = 201, answer | {"buildingId": "b7"}
    panel.get_by_role("button", name="Use this building").click()
    expect(panel).to_be_hidden()
    posted, patched = server.sent[-2:]
    assert posted[:2] == ("POST", "/buildings") and "Old mill" in posted[2]
    assert patched == ("PATCH", "/chats/c%201", '{"buildingId":"b7"}')


def test_a_building_with_errors_leaves_the_last_good_map(desk: Desk) -> None:
    errors = [
        finding("error", "floors[1].rectangles[0].topLeft.x", "not a number: <b>null</b>"),
        finding("note", "", "No doors."),
    ]
    error = {"code": "bad_building", "message": "This makes no building.", "hint": ""}
    server = Server(desk, 422, {"error": error, "report": errors})
    desk.tell(chat_message("c1"))
    before = desk.pixels([(10, 10), (425, 150)])

    drop(desk, "bad.json")
    panel = desk.page.locator(".building-view[data-state=error]")
    expect(panel).to_contain_text("The map is unchanged")
    line = "Errornot a number: <b>null</b>floors[1].rectangles[0].topLeft.x "
    expect(panel.locator(".building-report > li")).to_have_text([line])
    panel.get_by_role("button", name="Close").click()

    assert [method for method, _, _ in server.sent] == ["POST"]
    desk.see(floor="1F", highlights="1")
    desk.still()
    assert desk.pixels([(10, 10), (425, 150)]) == before


def test_a_server_that_cannot_be_reached_is_said(desk: Desk) -> None:
    desk.page.route("**/api/**", lambda route: route.abort())
    drop(desk, "mill.json")
    expect(desk.page.locator(".building-view")).to_contain_text("The server cannot be reached")


def test_an_imported_building_s_image_is_asked_for_where_it_is_kept(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    lines: list[str] = []
    png = desk.page.request.get(desk.page.url.partition("?")[0] + "backend/data/floors/plan_1f.png").body()

    def image(route: Route) -> None:
        lines.append(route.request.url.partition("/api")[2])
        route.fulfill(body=png, content_type="image/png")

    desk.page.route("**/api/**", image)
    hall = floor("1F", room("Hall", 0, 0, 500, 200)) | {"floorImage": "Ground floor.png"}
    desk.tell(building(hall, buildingId="b 7"))

    desk.see(image="ready")
    assert lines == ["/buildings/b%207/files/Ground%20floor.png"]


def test_words_in_a_drawing_are_escaped_and_turned_shapes_stay_in_place(desk: Desk) -> None:
    hostile = "</text><script>alert(1)</script>&\"'\u0000\u0008\ud800é𝄞"
    text = desk.page.evaluate(
        """async (given) => {
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
        }""",
        hostile,
    )
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    terms = root.find(f"{space}text")
    assert terms is not None
    assert terms.text == "</text><script>alert(1)</script>&\"'é𝄞"
    assert root.find(f".//{space}script") is None
    shape = root.find(f"{space}path")
    assert shape is not None
    assert shape.get("d") == "M50 25L50 35L46 35L46 25Z"
