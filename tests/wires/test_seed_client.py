"""The interface specification 1.2, section by section, by a client that knows nothing else (tests/support/seed_client.py).

Each test is named after a section of that document. The desk is real; where the document speaks of what an agent does,
the model is scripted to do it.
"""

import base64
import contextlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import ClassVar

import httpx
import pytest

from smoldesk.app import create_app
from smoldesk.assets import FRONTEND
from smoldesk.desk import build_desk
from smoldesk.tools.policy import DeskTool
from smoldesk.wires import page
from tests.support.desk_server import LiveDesk, live_desk, settings_for
from tests.support.scripted_model import ScriptedModel, Scripts, code
from tests.support.seed_client import SeedClient

ROOMS_OF_THE_DOCUMENT = {"Room1", "Room2", "Bathroom", "Kitchen", "Toilet", "Level1", "Level2"}


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[SeedClient]:
    with SeedClient(desk.ws_url) as client:
        yield client


def types(client: SeedClient) -> list[str]:
    return [message["type"] for message in client.messages]


# --- HTTP endpoints ----------------------------------------------------------------------------------------------


def test_http_get_root_delivers_the_page(desk: LiveDesk) -> None:
    answer = httpx.get(f"{desk.url}/", timeout=30)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text.lstrip().lower().startswith("<!doctype html>")


def test_http_get_root_says_so_when_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "frontend").mkdir()
    monkeypatch.setattr(page, "PAGE", tmp_path / "frontend")
    settings = settings_for(tmp_path / "data")
    desk = build_desk(settings)
    try:
        from starlette.testclient import TestClient

        answer = TestClient(create_app(settings, desk)).get("/")
    finally:
        desk.close()
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "frontend" in answer.text


def test_http_get_static_delivers_files_under_their_types(desk: LiveDesk) -> None:
    index = httpx.get(f"{desk.url}/", timeout=30).text
    linked = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', index))
    assert any(path.endswith(".css") for path in linked)
    kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    for path in {*linked, "/static/js/app.js"}:
        answer = httpx.get(desk.url + path, timeout=30)
        assert answer.status_code == 200, path
        assert answer.headers["content-type"].startswith(kinds[path.rpartition(".")[2]]), path


def test_the_seeds_stylesheet_has_all_sheets_of_the_page_in_their_order(desk: LiveDesk) -> None:
    index = httpx.get(f"{desk.url}/", timeout=30)
    answer = httpx.get(f"{desk.url}/static/css/styles.css", timeout=30)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    for name in ("content-security-policy", "x-content-type-options"):
        assert answer.headers[name] == index.headers[name]
    assert answer.headers["cache-control"] == "no-cache" and answer.headers["etag"]
    names = re.findall(r'@import url\("([^"]+)"\);', answer.text)
    # The source, because `make test` serves the page as one sheet.
    page = (FRONTEND / "index.html").read_text()
    assert names == re.findall(r'href="/static/css/([^"]+)"', page)
    for name in names:
        assert httpx.get(f"{desk.url}/static/css/{name}", timeout=30).status_code == 200


# --- WebSocket endpoint ------------------------------------------------------------------------------------------


def test_ws_is_a_conversation_in_both_directions(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('first')"), code("final_answer('second')"))
    for answer in ("first", "second"):
        client.ask(f"What is {answer}?")
        assert client.until("text")["content"] == answer
    assert client.status == "connected"
    assert client.connections == 1


def test_every_message_has_a_type_and_a_content(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("draw_arrow('Kitchen', 'up')\nprint('x')\nfinal_answer('done')"))
    client.ask("anything")
    client.until("text")
    for message in [*client.messages, *client.ignored]:
        assert isinstance(message["type"], str)
        assert "content" in message


# --- the twelve message types ------------------------------------------------------------------------------------


def test_1_user_message_is_the_echo_of_what_was_sent(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('ok')"))
    client.ask("Show me 5 random coordinates on the map")
    echo = client.until("user_message")
    assert echo["content"] == "Show me 5 random coordinates on the map"
    assert types(client) == ["map_definition", "user_message"], "right after it came, before any work"
    client.until("text")
    assert client.chat[0] == ("user_message", "Show me 5 random coordinates on the map")


def test_2_text_is_the_answer_of_the_agent(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('Total passengers: 891\\nSurvival rate: 38.4%')"))
    client.ask("Load the Titanic dataset and show me basic statistics")
    assert client.until("text")["content"] == "Total passengers: 891\nSurvival rate: 38.4%"


def test_3_code_has_its_language_and_the_label_of_its_step(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("df = load_dataset('titanic')\nprint(len(df))"), code("final_answer('891')"))
    client.ask("How many?")
    client.until("text")
    blocks = [block for kind, block in client.chat if kind == "code"]
    assert [block["step"] for block in blocks] == ["Step 1", "Step 2"]
    assert {block["language"] for block in blocks} == {"python"}
    assert blocks[0]["code"] == "df = load_dataset('titanic')\nprint(len(df))"


def test_4_image_is_base64_of_the_format_it_names(client: SeedClient, scripts: Scripts) -> None:
    saved = (
        "import matplotlib.pyplot as plt\nfrom PIL import Image\n"
        "fig, ax = plt.subplots(figsize=(1, 1))\nax.plot([1, 2])\n"
        "for kind in ('png', 'jpg', 'svg'):\n    fig.savefig(f'plot.{kind}')\n"
        "for kind in ('jpeg', 'gif', 'bmp'):\n    Image.new('RGB', (2, 2)).save(f'dot.{kind}')\n"
        "plt.close(fig)\nfinal_answer('saved')"
    )
    scripts.set(code(saved))
    client.ask("Save a plot in every format")
    client.until("text")
    images = [message for message in client.messages if message["type"] == "image"]
    assert {image["path"] for image in images} == {
        *("plot.png", "plot.jpg", "plot.svg"),
        *("dot.jpeg", "dot.gif", "dot.bmp"),
    }
    assert {kind for kind, _ in client.images} == {"png", "jpg", "jpeg", "gif", "bmp", "svg"}


def test_4_image_of_a_figure_that_was_only_shown_comes_too(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nfinal_answer('shown')"))
    client.ask("Plot")
    client.until("text")
    assert [kind for kind, _ in client.images] == ["png"]


def test_5_map_definition_comes_right_after_connecting(desk: LiveDesk) -> None:
    with SeedClient(desk.ws_url) as client:
        first = client.receive()
    assert first is not None
    assert first["type"] == "map_definition"
    rooms = {room["name"] for floor in client.floors.values() for room in floor["rectangles"]}
    assert rooms >= ROOMS_OF_THE_DOCUMENT
    for floor in first["content"]["floors"]:
        assert isinstance(floor["floorName"], str)
        for corner in ("topLeft", "bottomRight"):
            assert {"px", "py", "x", "y"} == floor["coordinateSystem"][corner].keys()
            assert all({"x", "y"} == room[corner].keys() for room in floor["rectangles"])
        picture = httpx.get(f"{desk.url}/backend/data/floors/{floor['floorImage']}", timeout=30)
        assert picture.headers["content-type"].startswith("image/")
    for bitmap in first["content"]["bitmaps"]:
        assert isinstance(bitmap["bitmapName"], str)
        drawn = httpx.get(f"{desk.url}/backend/bitmaps/{bitmap['bitmapFile']}", timeout=30)
        assert drawn.headers["content-type"].startswith("image/")


def test_6_map_highlights_rectangles_and_lays_things_over_them(client: SeedClient, scripts: Scripts) -> None:
    call = (
        "show_map(floor_id='1F', highlight_rooms='Room1', room_colors='#FF0000',\n"
        "         bitmap_overlays='arrow_up:Room1', text_overlays='Exit:50.0,30.0')\nfinal_answer('there')"
    )
    scripts.set(code(call))
    client.ask("Show Room1 in red")
    client.until("text")
    assert client.shown_floor == "1F"
    [room] = client.rectangles
    assert (room["name"], room["color"].upper(), room["showName"]) == ("Room1", "#FF0000", True)
    assert 0 <= room["fillOpacity"] <= room["strokeOpacity"] <= 1
    bitmap, text = client.overlays
    assert bitmap == {
        "type": "bitmap",
        "bitmapId": "arrow_up",
        "position": {"type": "rectangle", "name": "Room1"},
    }
    assert (text["text"], text["position"]) == ("Exit", {"type": "coordinate", "x": 50.0, "y": 30.0})
    assert text["fontSize"] > 0
    assert re.fullmatch("#[0-9A-Fa-f]{6}", text["color"])
    [displayed] = [message for message in client.messages if message["type"] == "map"]
    datetime.fromisoformat(displayed["content"]["timestamp"])


def test_6_map_in_its_older_form_has_points(client: SeedClient, scripts: Scripts) -> None:
    points = '{"points": [{"lat": 35.6762, "lon": 139.6503}], "description": "Major cities in Japan"}'
    scripts.set(code(f"print('MAP_COMMAND: {points}')\nfinal_answer('there')"))
    client.ask("Where is Tokyo?")
    client.until("text")
    assert client.points == [{"lat": 35.6762, "lon": 139.6503}]


def test_7_highlight_room_names_the_rooms_of_an_answer(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('Water runs in the kitchen and in the Bathroom, not in a Kitchenette.')"))
    client.ask("Where is water?")
    client.until("text")
    assert sorted(client.highlighted) == ["Bathroom", "Kitchen"]


def test_8_arrow_has_a_room_and_a_direction_and_its_bitmap_is_served(
    client: SeedClient, desk: LiveDesk, scripts: Scripts
) -> None:
    calls = "\n".join(
        f"draw_arrow('Bathroom', '{direction}')" for direction in ("up", "down", "left", "right")
    )
    scripts.set(code(f"{calls}\nfinal_answer('drawn')"))
    client.ask("Bathroomに左矢印を表示して")
    client.until("text")
    assert client.arrows == [("Bathroom", direction) for direction in ("up", "down", "left", "right")]
    for _, arrow in client.arrows:
        bitmap = httpx.get(f"{desk.url}/backend/bitmaps/arrow_{arrow}.bmp", timeout=30)
        assert bitmap.status_code == 200
        assert bitmap.content.startswith(b"BM")


def test_8_arrow_of_a_wrong_direction_is_an_error_for_the_model_and_no_arrow(
    client: SeedClient, scripts: Scripts
) -> None:
    scripts.set(code("final_answer(draw_arrow('Kitchen', 'sideways'))"))
    client.ask("An arrow")
    assert client.until("text")["content"].startswith("Error: ")
    assert client.arrows == []


def test_9_clear_arrows_takes_all_arrows_away(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(
        code("draw_arrow('Kitchen', 'left')\nfinal_answer('drawn')"),
        code("clear_arrows()\nfinal_answer('すべての矢印が消えました。')"),
    )
    client.ask("Kitchenに左矢印")
    client.until("text")
    assert client.arrows == [("Kitchen", "left")]
    client.ask("矢印をクリアして")
    cleared = client.until("clear_arrows")
    assert cleared["content"] == {}
    assert client.arrows == []


def test_9_clear_arrows_by_the_button_of_the_page_needs_no_message(
    client: SeedClient, scripts: Scripts
) -> None:
    scripts.set(code("draw_arrow('Kitchen', 'left')\nfinal_answer('drawn')"))
    client.ask("An arrow")
    client.until("text")
    client.clear_arrows_button()
    assert client.arrows == []


def test_10_clear_map_takes_highlights_and_overlays_away(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(
        code("show_map('1F', highlight_rooms='Kitchen', text_overlays='Hot:Kitchen')\nfinal_answer('drawn')"),
        code("clear_map()\nfinal_answer('cleared')"),
    )
    client.ask("Kitchen")
    client.until("text")
    assert client.rectangles
    assert client.overlays
    client.ask("マップをクリアして")
    assert client.until("clear_map")["content"] == {}
    assert (client.rectangles, client.overlays) == ([], [])


def test_11_debug_comes_before_what_it_counts(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("draw_arrow('Kitchen', 'left')\nprint('loud')\nfinal_answer('Dataset loaded')"))
    client.ask("Load")
    client.until("text")
    [debug] = client.debug
    after = client.messages[types(client).index("debug") + 1 :]
    assert debug["output_count"] == len(debug["parsed_outputs"]) == len(after)
    assert [output["type"] for output in debug["parsed_outputs"]] == [message["type"] for message in after]
    response = debug["agent_response"]
    assert response["text"] == "Dataset loaded"
    assert "loud" in response["raw_output"]
    assert response["code_steps"][0]["step"] == "Step 1"


def test_12_error_says_what_went_wrong_while_the_agent_worked(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(RuntimeError("Connection timeout"))
    client.ask("anything")
    assert "Connection timeout" in client.until("error")["content"]
    assert client.chat[-1][0] == "error"


# --- message sequences -------------------------------------------------------------------------------------------


def test_the_typical_request_and_its_responses_in_order(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(
        code(
            "import matplotlib.pyplot as plt\ndf = load_dataset('titanic')\nprint(df.describe())\n"
            "df['age'].plot.hist()\nfinal_answer('Here are the basic statistics...')"
        )
    )
    client.ask("Load the Titanic dataset and show statistics")
    client.until("text")
    assert types(client) == ["map_definition", "user_message", "debug", "code", "image", "text"]


def test_the_request_for_an_arrow_and_its_responses_in_order(client: SeedClient, scripts: Scripts) -> None:
    # no room is named in the answer, so that the sequence is the document's own
    cell = 'draw_arrow(room_name="Kitchen", direction="left")\nfinal_answer("左矢印が描かれました。")'
    scripts.set(code(cell))
    client.ask("Kitchenに左矢印を表示して")
    client.until("text")
    assert types(client) == ["map_definition", "user_message", "debug", "code", "arrow", "text"]
    assert client.messages[2]["content"]["output_count"] == 3
    assert client.messages[3]["content"] == cell
    assert client.messages[4]["content"] == {"room": "Kitchen", "direction": "left"}


# --- data structures ---------------------------------------------------------------------------------------------


def test_the_agent_response_has_the_keys_of_the_document(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("print('a')\ndraw_arrow('Kitchen', 'up')\nfinal_answer('done')"))
    client.ask("x")
    client.until("text")
    response = client.debug[0]["agent_response"]
    assert response.keys() >= {"text", "images", "map_data", "raw_output", "result", "code_steps", "logs"}
    assert response["result"] == "done"
    assert response["code_steps"] == [
        {"code": "print('a')\ndraw_arrow('Kitchen', 'up')\nfinal_answer('done')", "step": "Step 1"}
    ]
    [entry] = response["logs"]
    assert entry["step_number"] == 1
    assert {"python_interpreter", "draw_arrow"} <= set(entry["tool_calls"])


def test_each_parsed_output_is_the_message_that_follows(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(
        code("draw_arrow('Kitchen', 'up')\nclear_arrows()\n1 / 0"),
        code("final_answer('done')"),
    )
    client.ask("x")
    client.until("text")
    first = client.debug[0]["parsed_outputs"]
    start = types(client).index("debug") + 1
    for output, message in zip(first, client.messages[start:], strict=False):
        assert {key: message[key] for key in output} == output
    assert [output["type"] for output in first] == ["code", "arrow", "clear_arrows", "error"]


# --- errors ------------------------------------------------------------------------------------------------------


def test_an_error_of_the_agent_leaves_the_connection_open(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(ValueError("broken"), code("final_answer('fine again')"))
    client.ask("one")
    client.until("error")
    client.ask("two")
    assert client.until("text")["content"] == "fine again"
    assert client.connections == 1


def test_after_a_lost_connection_the_client_comes_back_by_itself(tmp_path: Path, free_port: int) -> None:
    model = ScriptedModel([code("final_answer('here')")])
    with contextlib.ExitStack() as open_page:
        with live_desk(tmp_path, lambda: model, port=free_port):
            client = open_page.enter_context(SeedClient(f"ws://127.0.0.1:{free_port}/ws"))
            client.until("map_definition")
        open_page.enter_context(live_desk(tmp_path, lambda: model, port=free_port))
        client.until("map_definition")
        assert (client.status, client.connections) == ("connected", 2)
        client.ask("are you there?")
        assert client.until("text")["content"] == "here"


def test_what_is_no_json_gets_an_error_and_the_conversation_goes_on(
    client: SeedClient, scripts: Scripts
) -> None:
    scripts.set(code("final_answer('fine')"))
    client.send("{not json")
    assert "JSON" in client.until("error")["content"]
    client.ask("x")
    assert client.until("text")["content"] == "fine"


# --- security, performance, extending ----------------------------------------------------------------------------


def test_security_nothing_is_asked_of_a_client_on_this_machine_and_other_sites_are_refused(
    desk: LiveDesk,
) -> None:
    assert httpx.get(f"{desk.url}/", timeout=30).status_code == 200
    strange = httpx.get(f"{desk.url}/", headers={"origin": "https://elsewhere.example"}, timeout=30)
    assert strange.status_code == 403


def test_performance_a_working_agent_keeps_nobody_waiting(
    client: SeedClient, desk: LiveDesk, scripts: Scripts
) -> None:
    waiting = "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(0.02)\nfinal_answer('slow')"
    scripts.set(code(waiting))
    client.ask("work long")
    while not any(message["type"] == "delta" for message in client.ignored):
        client.receive()  # it has its script now
    scripts.set(code("final_answer('quick')"))
    with SeedClient(desk.ws_url) as other:
        other.ask("quick?")
        assert other.until("text")["content"] == "quick"
    [chat] = [message["content"]["chatId"] for message in client.ignored if message["type"] == "chat"]
    (desk.desk.data_dir.chat_folder(chat) / "go").touch()
    assert client.until("text")["content"] == "slow"


class Marked(DeskTool):
    """A tool of somebody's own that speaks in command strings, as the document says."""

    name = "mark_exit"
    description = "Marks the exit of a room."
    inputs: ClassVar = {"room_name": {"type": "string", "description": "the room"}}
    output_type = "string"

    def forward(self, room_name: str) -> str:
        return f"ARROW_COMMAND: room={room_name}, direction=right"


def test_extending_a_tool_that_returns_a_command_draws_on_the_page(tmp_path: Path) -> None:
    model = ScriptedModel([code("mark_exit('Kitchen')\nfinal_answer('marked')")])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Marked()]) as live,
        SeedClient(live.ws_url) as client,
    ):
        client.ask("Where is the exit?")
        client.until("text")
        assert client.arrows == [("Kitchen", "right")]


def test_extending_the_tools_of_the_document_are_there(
    client: SeedClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.set(
        code(
            "save_data(dataset={'a': [1, 2]}, file_name='numbers')\n"
            "print(draw_arrow(room_name='Kitchen', direction='LEFT'))\nprint(clear_arrows())\n"
            "print(show_map(floor_id='1F', highlight_rooms='Room1', room_colors='#FFD700', show_names=True,\n"
            "               bitmap_overlays='person:Room1', text_overlays='John:Room1'))\n"
            "print(clear_map())\nprint(sql_engine('SELECT COUNT(*) AS n FROM titanic'))\nfinal_answer('done')"
        )
    )
    client.ask("x")
    client.until("text")
    raw_output = client.debug[0]["agent_response"]["raw_output"]
    assert "ARROW_COMMAND: room=Kitchen, direction=left" in raw_output
    assert "CLEAR_ARROWS_COMMAND" in raw_output
    assert "MAP_COMMAND: {" in raw_output
    assert "CLEAR_MAP_COMMAND" in raw_output
    assert "891" in raw_output
    chats = httpx.get(f"{desk.url}/api/chats", timeout=30).json()["chats"]
    files = httpx.get(f"{desk.url}/api/chats/{chats[0]['id']}/files", timeout=30).json()["files"]
    assert [file["name"] for file in files] == ["numbers.csv"]


def test_version_an_image_needs_no_address(client: SeedClient, scripts: Scripts) -> None:
    scripts.set(code("import matplotlib.pyplot as plt\nplt.plot([1])\nfinal_answer('ok')"))
    client.ask("plot")
    client.until("text")
    [image] = [message for message in client.messages if message["type"] == "image"]
    assert "url" not in image
    assert len(base64.b64decode(image["content"])) > 1000
