"""Buildings from end to end: imported over HTTP, chosen by a chat, seen by those who follow it, known to its agent."""

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from smoldesk.wires.rest import building_uploads
from tests.support.desk_server import ROOT, LiveDesk, live_desk
from tests.support.plans import feature, floor, geojson, own, picture, room, square, system
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient, of_type

SHOW = code("final_answer(show_map(floor_id='1F', highlight_rooms='West'))")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: ScriptedModel([SHOW])) as live:
        yield live


Image = tuple[str, bytes]


def send(http: httpx.Client, plan: Any, *images: Image, **more: Any) -> httpx.Response:
    raw = plan if isinstance(plan, bytes) else json.dumps(plan).encode()
    parts = [("file", ("my plan.json", raw)), *(("image", image) for image in images)]
    return http.post("/api/buildings", files=parts, **more)


def imported(http: httpx.Client, plan: Any, *images: Image) -> dict[str, Any]:
    answer = send(http, plan, *images)
    assert answer.status_code == 201, answer.text
    return answer.json()


def stored(desk: LiveDesk) -> set[str]:
    """The files that the desk keeps, and what imports left in its cache."""
    data_dir = desk.desk.data_dir
    scratch = {path.name for path in data_dir.cache.iterdir() if path.name.startswith("plan-")}
    return {path.name for path in data_dir.files.iterdir()} | scratch


# --- importing ---------------------------------------------------------------------------------------------------


def test_an_imported_building_is_listed_shown_and_its_image_served(
    http: httpx.Client, desk: LiveDesk
) -> None:
    before = stored(desk)
    plan = {"floors": [floor(floorImage="plan.png")]}
    report = imported(http, plan, ("plan.png", picture()))
    assert (report["name"], report["floors"], report["rooms"], report["report"]) == ("my plan", 1, 2, [])
    results = http.get("/api/buildings").json()["buildings"][0]
    assert (results["buildingId"], results["name"]) == (report["buildingId"], "my plan")
    body = http.get(f"/api/buildings/{report['buildingId']}").json()
    assert body["definition"]["buildingId"] == report["buildingId"]
    assert body["definition"]["floors"][0]["doors"][0]["rooms"] == ["East", "West"]
    assert [item["bitmapId"] for item in body["definition"]["bitmaps"]][:1] == ["arrow_up"]
    image = http.get(f"/api/buildings/{report['buildingId']}/files/plan.png")
    assert image.content == picture()
    assert image.headers["content-type"] == "image/png"
    assert image.headers["x-content-type-options"] == "nosniff"
    assert image.headers["content-disposition"].startswith("inline")
    assert len(stored(desk) - before) == 1, "the image, and nothing of the file"
    assert http.delete(f"/api/buildings/{report['buildingId']}").status_code == 204
    assert stored(desk) == before
    for path in ("", "/files/plan.png"):
        assert http.get(f"/api/buildings/{report['buildingId']}{path}").status_code == 404


def test_an_image_with_its_rectangles_is_a_building_of_one_floor(http: httpx.Client) -> None:
    plan = {"coordinateSystem": system(), "rectangles": [room("East", 50, 0, 100, 50)]}
    report = imported(http, plan, ("any name.webp", picture("WEBP")))
    displayed = http.get(f"/api/buildings/{report['buildingId']}").json()["definition"]["floors"][0]
    assert (displayed["floorId"], displayed["floorImage"]) == ("1F", "any name.webp")
    image = http.get(f"/api/buildings/{report['buildingId']}/files/any%20name.webp")
    assert image.headers["content-type"] == "image/webp"


def test_the_form_may_name_the_building(http: httpx.Client) -> None:
    answer = send(http, {**own(), "buildingName": "Its own"}, data={"name": " 別館 "})
    assert answer.json()["name"] == "別館"
    assert imported(http, {**own(), "buildingName": "Its own"})["name"] == "Its own"


EXAMPLES = re.findall(
    r"^```json import\n(.*?)^```", (ROOT / "spec" / "reference" / "buildings.md").read_text(), re.M | re.S
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_page_is_imported_without_a_complaint(http: httpx.Client, example: str) -> None:
    images = [("east-west.png", picture())] if example.lstrip().startswith('{\n  "coordinateSystem"') else []
    report = imported(http, example.encode(), *images)
    severe = [item["code"] for item in report["report"] if item["severity"] != "note"]
    assert severe in ([], ["no_doors"])


def test_the_page_has_an_example_of_each_form() -> None:
    assert len(EXAMPLES) == 3


def test_the_bundled_building_can_be_imported_as_it_is(http: httpx.Client) -> None:
    data = json.loads((ROOT / "backend" / "data" / "building.json").read_text())
    names = [item["floorImage"] for item in data["floors"]]
    images = [(name, (ROOT / "backend" / "data" / "floors" / name).read_bytes()) for name in names]
    report = imported(http, data, *images)
    assert (report["floors"], report["rooms"]) == (3, 18)
    assert [item["severity"] for item in report["report"]] == ["note"], "that its bitmaps are the desk's"


# --- what is wrong -----------------------------------------------------------------------------------------------


def refused(http: httpx.Client, desk: LiveDesk, plan: Any, *images: Image) -> list[dict[str, str]]:
    """The report of a file that makes no building; nothing of it is kept."""
    before, listing = stored(desk), http.get("/api/buildings").json()
    answer = send(http, plan, *images)
    assert answer.status_code == 422, answer.text
    body = answer.json()
    assert body["error"]["code"] == "bad_building"
    assert body["report"][0]["severity"] == "error"
    assert body["report"][0]["message"] in body["error"]["message"]
    assert (stored(desk), http.get("/api/buildings").json()) == (before, listing)
    return body["report"]


def broken(change: Any) -> dict[str, Any]:
    data = own()
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "where", "text"),
    [
        (
            lambda d: d["floors"][0]["doors"][0].update(rooms=["East", "Attic"]),
            "floors[0].doors[0].rooms[1]",
            "leads to 'Attic'. Rooms there: East, West.",
        ),
        (
            lambda d: d["floors"][0]["rectangles"].append(room("Far", 0, 0, 101, 9)),
            "floors[0].rectangles[2]",
            "room Far lies outside floor 1F, which spans x 0..100, y 0..50.",
        ),
        (
            lambda d: d["floors"][0]["rectangles"].append(room("Flat", 0, 9, 50, 9)),
            "floors[0].rectangles[2]",
            "room Flat of floor 1F has no area.",
        ),
        (
            lambda d: d["floors"][0]["rectangles"].append(room("ｅａｓｔ", 0, 0, 9, 9)),
            "floors[0].rectangles[2].name",
            "is there twice",
        ),
        (
            lambda d: d["links"][0]["stops"][1].update(floorId="9F"),
            "links[0].stops[1].floorId",
            "which is not there. Floors: 1F, 2F.",
        ),
        (
            lambda d: d["floors"][1].update(floorImage="plan.png"),
            "floors[1].floorImage",
            "The image 'plan.png' is missing. Images that were sent: none.",
        ),
        (
            lambda d: d["floors"][1].update(floorImage="../../../etc/passwd"),
            "floors[1].floorImage",
            "is missing. Images that were sent: none.",
        ),
        (lambda d: d.update(floors=[]), "floors", "there is no floor."),
    ],
)
def test_what_contradicts_itself_is_refused_with_the_place(
    http: httpx.Client, desk: LiveDesk, change: Any, where: str, text: str
) -> None:
    report = refused(http, desk, broken(change))
    assert any(item["where"] == where and text in item["message"] for item in report), report


def test_faults_are_told_at_their_place_in_the_person_s_own_file(http: httpx.Client, desk: LiveDesk) -> None:
    plan = {"coordinateSystem": system(), "rectangles": [room("a", 0, 0, 9, 9), room("b", 0, 0, 999, 9)]}
    report = refused(http, desk, plan, ("a.png", picture()))
    assert report[0]["where"] == "rectangles[1]"
    door = feature("Point", [0, 1], kind="door", level=0, rooms=["A", "Nowhere"])
    report = imported(http, geojson(feature("Polygon", square(0, 0, 9, 9), name="A", level=0), door))[
        "report"
    ]
    assert (report[0]["code"], report[0]["where"]) == ("unknown_area", "features[1]")
    assert "(Nowhere)" in report[0]["message"]


def test_rooms_out_of_reach_and_unused_images_are_warned_of(http: httpx.Client) -> None:
    plan = own()
    plan["floors"][0]["rectangles"].append(room("Cell", 0, 40, 9, 50))
    plan["floors"][0]["doors"].append({"rooms": ["Cell"], "at": {"x": 0, "y": 45}})
    report = imported(http, plan, ("spare.png", picture()))["report"]
    assert [(item["severity"], item["where"]) for item in report] == [
        ("warning", "image spare.png"),
        ("warning", "floors[0].rectangles[2]"),
    ]
    assert report[1]["message"] == "Rooms without a door to the others: 1 (Cell)."
    plan = own()
    plan["links"] = []
    report = imported(http, plan)["report"]
    assert "No stairs and no lift lead to these floors from the others: 2F" in report[0]["message"]


# --- attacks -----------------------------------------------------------------------------------------------------


def test_svg_is_refused_whatever_it_is_called(http: httpx.Client, desk: LiveDesk) -> None:
    attack = b'<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/api/chats")</script></svg>'
    for name in ("plan.svg", "plan.png"):
        report = refused(http, desk, {"floors": [floor(floorImage=name)]}, (name, attack))
        assert "SVG is a document that can hold scripts" in report[0]["message"]


@pytest.mark.parametrize(
    "name", ["../plan.png", "/etc/passwd", "a\\b.png", ".hidden.png", "..", "x" * 300 + ".png"]
)
def test_an_image_name_that_is_a_path_is_refused(http: httpx.Client, desk: LiveDesk, name: str) -> None:
    before = stored(desk)
    answer = send(http, {"floors": [floor(floorImage=name)]}, (name, picture()))
    assert answer.status_code in (400, 422)
    assert stored(desk) == before


@pytest.mark.parametrize(
    "name", ["..%2F..%2Flock", "%2e%2e", "plan.json", "answer.json", "__proto__", "%00", "a/b"]
)
def test_only_the_images_of_a_building_are_served(http: httpx.Client, name: str) -> None:
    report = imported(http, {"floors": [floor(floorImage="plan.png")]}, ("plan.png", picture()))
    assert http.get(f"/api/buildings/{report['buildingId']}/files/{name}").status_code == 404


def test_a_form_beyond_its_limit_is_refused_before_it_is_read(
    http: httpx.Client, desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building_uploads, "FORM_BYTES", 2_000_000)
    before = stored(desk)
    host = httpx.URL(desk.url)
    head = "POST /api/buildings HTTP/1.1\r\nHost: {}:{}\r\nTransfer-Encoding: chunked\r\n"
    head += "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
    with socket.create_connection((host.host, host.port or 80), timeout=60) as sock:
        sock.sendall(head.format(host.host, host.port).encode())
        sock.sendall(b"%x\r\n%b\r\n" % (len(part), part))
        with contextlib.suppress(OSError):  # closed while we still send: it is refused all the same
            for _ in range(4):
                sock.sendall(b"%x\r\n%b\r\n" % (1_000_000, b" " * 1_000_000))
        assert sock.recv(100).startswith(b"HTTP/1.1 413 ")
    with socket.create_connection((host.host, host.port or 80), timeout=60) as sock:
        announced = head.replace("Transfer-Encoding: chunked", "Content-Length: 3000000")
        sock.sendall(announced.format(host.host, host.port).encode())  # and not one byte of it
        assert sock.recv(100).startswith(b"HTTP/1.1 413 ")
    assert stored(desk) == before
    assert http.get("/healthz").status_code == 200


def test_a_file_beyond_its_limit_is_refused(
    http: httpx.Client, desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building_uploads, "FILE_BYTES", 2_000_000)
    before = stored(desk)
    answer = send(http, b" " * 2_000_001)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert stored(desk) == before


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"floors":[{"rectangles":[' + b"0," * 999_999 + b"0]}]}", "There are 1,000,000 rooms"),
        (json.dumps({"floors": [floor(rectangles=[room("a", 0, 0, float("nan"), 9)])]}).encode(), "not nan"),
        (
            json.dumps({"floors": [floor(rectangles=[room("a" * 10_000, 0, 0, 9, 9)])]}).encode(),
            "not 10,000",
        ),
        (b"\x00" * 1000, "This is not a building"),
    ],
)
def test_hostile_files_are_refused_in_words(
    http: httpx.Client, desk: LiveDesk, plan: bytes, text: str
) -> None:
    report = refused(http, desk, plan)
    assert any(text in json.dumps(item) for item in report), report


def test_names_no_database_and_no_page_likes_come_back_as_they_are_or_mended(http: httpx.Client) -> None:
    names = ["__proto__", "constructor", "<script>alert(1)</script>", "a\ud800b", "nul\0l"]
    rooms = [room(name, 0, 10 * n, 50, 10 * n + 10) for n, name in enumerate(names)]
    report = imported(http, {"floors": [floor(rectangles=rooms, doors=[])], "buildingName": "\ud800"})
    body = http.get(f"/api/buildings/{report['buildingId']}").json()
    results = [item["name"] for item in body["definition"]["floors"][0]["rectangles"]]
    assert results == ["__proto__", "constructor", "<script>alert(1)</script>", "a?b", "nul\0l"]
    assert body["name"] == "?"


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ([("image", ("a.png", b"x"))], "missing_field"),
        ([("file", ("x/a", b"{}")), ("file", ("y/a", b"{}"))], "bad_input"),
        ([("file", ("a", b"{}")), ("extra", ("b", b"{}"))], "not_a_form"),
        ([("file", ("a", b""))], "empty_file"),
        ([("file", ("a", b"{}")), ("image", ("a.png", b"x")), ("image", ("a.png", b"x"))], "bad_input"),
        ([("file", ("a", b"{}"))] + [("image", (f"{n}.png", b"x")) for n in range(51)], "not_a_form"),
    ],
)
def test_a_form_of_another_shape_is_refused(
    http: httpx.Client, desk: LiveDesk, parts: Any, code: str
) -> None:
    before = stored(desk)
    answer = http.post("/api/buildings", files=parts)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert stored(desk) == before


# --- before and after it is stored --------------------------------------------------------------------------------


def test_a_preview_has_the_building_and_stores_nothing(http: httpx.Client, desk: LiveDesk) -> None:
    before, listing = stored(desk), http.get("/api/buildings").json()
    plan = {"floors": [floor(floorImage="plan.png")]}
    answer = send(http, plan, ("plan.png", picture()), params={"preview": True}, data={"name": "Annex"})
    body = answer.json()
    assert (answer.status_code, body["name"], body["floors"], body["rooms"]) == (200, "Annex", 1, 2)
    assert body["definition"]["floors"][0]["rectangles"][0]["name"] == "East"
    assert "buildingId" not in body["definition"]
    assert (stored(desk), http.get("/api/buildings").json()) == (before, listing)
    taken = send(http, plan, ("plan.png", picture()), data={"name": "Annex", "groundFloor": "0"}).json()
    definition = http.get(f"/api/buildings/{taken['buildingId']}").json()["definition"]
    assert (definition["groundFloor"], definition["buildingName"]) == (0, "Annex")
    assert refused(http, desk, broken(lambda d: d.update(floors=[])))


def test_names_change_in_place_and_what_they_name_stays(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    building_id = imported(http, own())["buildingId"]
    choose(http, chat, building_id)
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as client:
        client.ask("show it")
    path = f"/api/buildings/{building_id}"
    names: list[dict[str, Any]] = [
        {"floorId": "1F", "names": {"ja": "一階"}, "aliases": ["lobby"]},
        {
            "floorId": "1F",
            "room": "West",
            "names": {"en": "Library", "ja": "図書室"},
            "aliases": ["2101", "2101 "],
        },
    ]
    changed = http.patch(path, json={"name": "Main", "groundFloor": 1, "names": names})
    assert changed.json() | {"createdAt": 0} == {
        "buildingId": building_id, "name": "Main", "floors": 2, "rooms": 4, "createdAt": 0
    }  # fmt: skip
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as again:
        again.until("map")
    definition = of_type(again.seen, "map_definition")[-1]["content"]
    ground = definition["floors"][0]
    west = next(item for item in ground["rectangles"] if item["name"] == "West")
    assert (definition["buildingName"], definition["groundFloor"]) == ("Main", 1)
    assert (ground["names"], ground["aliases"]) == ({"ja": "一階"}, ["lobby"])
    assert (west["names"], west["aliases"]) == ({"en": "Library", "ja": "図書室"}, ["2101"])
    assert of_type(again.seen, "map")[0]["content"]["rectangles"][0]["name"] == "West"
    http.patch(path, json={"names": [{"floorId": "1F", "room": "West", "names": {"en": ""}, "aliases": []}]})
    definition = http.get(path).json()["definition"]
    west = next(item for item in definition["floors"][0]["rectangles"] if item["name"] == "West")
    assert (west["names"], "aliases" in west) == ({"ja": "図書室"}, False)


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        ({"names": [{"floorId": "9F", "aliases": []}]}, 400, "Floors: 1F, 2F."),
        ({"names": [{"floorId": "1F", "room": "Attic"}]}, 400, "Rooms: East, West."),
        ({"names": [{"floorId": "1F", "room": "West", "aliases": ["ＥＡＳＴ"]}]}, 400, "another room"),
        ({"names": [{"floorId": "1F", "names": {"en": "2f"}}]}, 400, "another floor"),
        ({"names": [{"floorId": "1F", "names": {"<b>": "x"}}]}, 422, ""),
        ({"name": " "}, 400, "`name` has 0 characters"),
        ({"groundFloor": 2}, 422, ""),
    ],
)
def test_a_change_that_cannot_be_is_refused_as_a_whole(
    http: httpx.Client, change: dict[str, Any], status: int, text: str
) -> None:
    path = f"/api/buildings/{imported(http, own())['buildingId']}"
    before = http.get(path).json()
    answer = http.patch(path, json={"name": "New", **change})
    assert answer.status_code == status
    assert text in "{message} {hint}".format(**answer.json()["error"]), answer.text
    assert http.get(path).json() == before


def test_a_deleted_building_can_be_restored_until_it_is_erased(http: httpx.Client, desk: LiveDesk) -> None:
    plan = {"floors": [floor(floorImage="plan.png")]}
    building_id = imported(http, plan, ("plan.png", picture()))["buildingId"]
    path = f"/api/buildings/{building_id}"
    assert http.delete(path, params={"undo": True}).status_code == 204
    assert http.get(path).status_code == http.patch(path, json={"name": "x"}).status_code == 404
    assert building_id not in http.get("/api/buildings").text
    assert http.post(f"{path}/restore").json()["buildingId"] == building_id
    assert http.get(f"{path}/files/plan.png").status_code == 200
    assert http.delete(path).status_code == 204
    assert http.post(f"{path}/restore").status_code == 404


def test_a_building_has_a_small_picture(http: httpx.Client) -> None:
    building_id = imported(http, own())["buildingId"]
    outline = http.get(f"/api/buildings/{building_id}/outline").json()
    assert outline == {
        "width": 240,
        "height": 120,
        "path": "M120 0L240 0L240 120L120 120ZM0 0L120 0L120 120L0 120Z",
    }
    assert http.get("/api/buildings/bundled/outline").json()["path"].count("M") > 5
    assert http.get("/api/buildings/b_none/outline").status_code == 404


# --- a chat's building -------------------------------------------------------------------------------------------


def choose(http: httpx.Client, chat: str, building_id: str | None, **more: Any) -> httpx.Response:
    return http.patch(f"/api/chats/{chat}", json={"buildingId": building_id, **more})


def test_a_chat_s_new_building_is_told_to_who_follows_it_and_known_to_its_agent(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    report = imported(http, own())
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as client:
        assert choose(http, chat, report["buildingId"]).json()["buildingId"] == report["buildingId"]
        definition = client.until("map_definition")["content"]
        assert (definition["buildingId"], definition["buildingName"]) == (report["buildingId"], "my plan")
        assert client.until("chat")["content"]["buildingId"] == report["buildingId"]
        client.say("show it")
        drawn = client.until("map")["content"]
        assert (drawn["floorId"], drawn["rectangles"][0]["name"]) == ("1F", "West")
        client.until_closed()
    answer = http.delete(f"/api/buildings/{report['buildingId']}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "building_used")


def test_scenarios_of_a_plan_without_an_exit_are_compared_from_its_first_room(
    http: httpx.Client, chat: str
) -> None:
    choose(http, chat, imported(http, own())["buildingId"])
    compared = http.get(f"/api/chats/{chat}/scenarios/comparison")
    assert compared.json()["start"] == {"floorId": "1F", "name": "East"}


def test_another_chat_keeps_its_own_building(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    choose(http, chat, imported(http, own())["buildingId"])
    with WsClient(desk.ws_url, "?after=0").greeted() as other:
        closed = other.ask("show it")[-1]["content"]["text"]
    assert "buildingId" not in of_type(other.seen, "map_definition")[0]["content"]
    assert "There is no room 'West'" in closed or "no room" in closed
    assert not of_type(other.seen, "map")


def test_who_comes_back_gets_the_building_of_that_place_in_the_log(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    report = imported(http, own())
    choose(http, chat, report["buildingId"])
    choose(http, chat, None)
    choose(http, chat, report["buildingId"])
    with WsClient(desk.ws_url, f"?chat={chat}&after=3").greeted() as late:
        assert of_type(late.seen, "map_definition")[0]["content"]["buildingId"] == report["buildingId"]
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as complete:
        for _ in range(3):
            complete.until("map_definition")
        received = [item["content"].get("buildingId") for item in of_type(complete.seen, "map_definition")]
    assert received == [None, report["buildingId"], None, report["buildingId"]]


def test_an_unknown_building_is_refused_and_nothing_changes(http: httpx.Client, chat: str) -> None:
    report = imported(http, own())
    choose(http, chat, report["buildingId"])
    answer = choose(http, chat, "b_nowhere", title="new")
    assert answer.status_code == 404
    assert report["buildingId"] in answer.json()["error"]["hint"]
    data = http.get(f"/api/chats/{chat}").json()
    assert (data["buildingId"], data["title"]) == (report["buildingId"], "")
    for body in ({}, {"buildingId": 7}, {"buildingId": "x" * 201}):
        assert http.patch(f"/api/chats/{chat}", json=body).status_code == 422
    assert choose(http, chat, None, title="both").json() | {"updatedAt": 0} == data | {
        "title": "both",
        "buildingId": None,
        "lastSeq": data["lastSeq"] + 1,
        "updatedAt": 0,
    }


def test_a_client_of_the_ai_sdk_gets_the_definition_of_the_chat_s_building(
    http: httpx.Client, desk: LiveDesk
) -> None:
    message = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "show it"}]}
    body = {"id": "sdk-chat", "messages": [message], "trigger": "submit-message"}
    first = definition_in(http.post("/stream?agent=code", json=body).text)
    assert "buildingId" not in first
    report = imported(http, own())
    chats = http.get("/api/chats").json()["chats"]
    choose(http, chats[0]["id"], report["buildingId"])
    again = {**message, "id": "m2"}
    second = http.post("/stream?agent=code", json={**body, "messages": [message, again]}).text
    assert definition_in(second)["buildingId"] == report["buildingId"]


def definition_in(stream: str) -> dict[str, Any]:
    """What a stream says of the building, before the first drawing."""
    parts = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: {")]
    return next(part["data"] for part in parts if part["type"] == "data-map-definition")
