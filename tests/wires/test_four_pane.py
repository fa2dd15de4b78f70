"""The four-pane wire as its clients see it: a real uvicorn, a real websockets client; only the model is scripted."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

PLOT = code(
    "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2, 3])\nfinal_answer('a plot')"
)


def types(messages: list[Message]) -> list[str]:
    return [message["type"] for message in messages]


def test_a_connection_begins_with_the_building_and_the_chat(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url, "").greeted() as client:
        definition, chat = client.seen
    rooms = {r["name"] for floor in definition["content"]["floors"] for r in floor["rectangles"]}
    assert {"Room1", "Room2", "Bathroom", "Kitchen", "Toilet", "Level1", "Level2"} <= rooms
    assert chat["content"]["protocol"] == "2.0"
    assert chat["content"]["isolation"] == desk.desk.agents.isolation().model_dump(by_alias=True)
    assert chat["content"]["limits"] == {"memory": 4 << 30, "folder": 4 << 30, "cellSeconds": 60}
    assert {"show_map", "clear_map", "draw_arrow", "clear_arrows", "sql_engine", "load_dataset"} <= set(
        chat["content"]["tools"]
    )
    assert "seq" not in definition
    assert "seq" not in chat


def test_a_run_speaks_in_the_order_the_contract_gives(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("print('hello')\n6 * 7"), code("final_answer('It is 42.')"))
    messages = client.ask("What is 6 times 7?")
    assert messages[0] == messages[0] | {"type": "user_message", "content": "What is 6 times 7?"}
    assert messages[1]["content"] == {
        "runId": messages[0]["runId"],
        "state": "running",
        "notes": [],
        "agent": "code",
    }
    batches = [
        m["type"]
        for m in messages
        if m["type"] in ("debug", "code", "text", "image", "table", "error", "run")
    ]
    assert batches == ["run", "run", "debug", "code", "run", "debug", "code", "text", "run"]
    assert messages[-3]["content"] == "It is 42."
    [figure] = messages[-2]["content"]["figures"]
    assert (figure["text"], figure["status"]) == ("42", "matched")
    assert figure["places"] == [{"kind": "code", "step": 1, "line": 2}]
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "It is 42."}
    seqs = [m["seq"] for m in messages]
    assert seqs == sorted(set(seqs))
    assert all(m["runId"] == messages[0]["runId"] and m["timestamp"].endswith("Z") for m in messages)


def test_debug_comes_first_and_counts_its_batch(client: WsClient, scripts: Scripts) -> None:
    scripts.set(PLOT)
    messages = client.ask("plot")
    start = types(messages).index("debug")
    batch = messages[start + 1 : -1]
    debug = messages[start]["content"]
    assert types(batch) == ["code", "image", "text"]
    assert debug["output_count"] == 3
    assert [output["type"] for output in debug["parsed_outputs"]] == ["code", "image", "text"]
    assert debug["agent_response"]["code_steps"][0]["step"] == "Step 1"


def test_deltas_and_prints_arrive_before_the_batch(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("print('one')\nprint('two')\nfinal_answer('done')", thought="I will count."))
    messages = client.ask("count")
    before = messages[: types(messages).index("debug")]
    text = "".join(m["content"] for m in of_type(before, "delta") if m["kind"] == "text")
    written = "".join(m["content"] for m in of_type(before, "delta") if m["kind"] == "code")
    assert text.strip() == "I will count."
    assert written == "print('one')\nprint('two')\nfinal_answer('done')"
    assert "".join(m["content"] for m in of_type(before, "printed")) == "one\ntwo\n"


def test_an_image_has_an_address_that_serves_it(client: WsClient, desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(PLOT)
    image = of_type(client.ask("plot"), "image")[0]
    answer = httpx.get(desk.url + image["url"])
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert image["width"] > 100
    assert image["path"] == "figure-1.png"
    assert of_type(client.ask("plot again"), "image")[0]["path"] == "figure-2.png"
    assert image["content"] == ""


def test_map_commands_reach_the_map(client: WsClient, scripts: Scripts) -> None:
    scripts.set(
        code(
            "show_map('1F', highlight_rooms='Kitchen', room_colors='#ff0000')\n"
            "draw_arrow('Kitchen', 'left')\nclear_arrows()\nclear_map()\nfinal_answer('drawn')"
        )
    )
    messages = client.ask("draw")
    drawn = [m for m in messages if m["type"] in ("map", "arrow", "clear_arrows", "clear_map")]
    assert types(drawn) == ["map", "arrow", "clear_arrows", "clear_map"]
    assert drawn[0]["content"]["rectangles"][0]["name"] == "Kitchen"
    assert drawn[1]["content"] == {"room": "Kitchen", "direction": "left"}
    tools = [(m["content"]["tool"], m["content"]["state"]) for m in of_type(messages, "tool")]
    assert tools[:2] == [("show_map", "called"), ("show_map", "returned")]
    assert len(tools) == 8


def test_a_table_shows_rows_and_serves_pages(client: WsClient, desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code("df = load_dataset('titanic')\ndisplay(df)\nfinal_answer('there')"))
    table = of_type(client.ask("table"), "table")[0]
    assert table["content"]["rowCount"] == 891
    assert len(table["content"]["rows"]) == 50
    page = httpx.get(desk.url + table["url"], params={"offset": 890, "limit": 5}).json()
    assert page["rowCount"] == 891
    assert len(page["rows"]) == 1
    assert len(page["rows"][0]) == len(table["content"]["columns"])


def test_a_second_message_waits_its_turn_visibly(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("import time\ntime.sleep(0.5)\nfinal_answer('one')"), code("final_answer('two')"))
    client.say("first")
    client.until("run", state="running")
    client.say("second")
    second = client.until("user_message")
    assert second["ahead"] == 1
    assert client.until("run", state="queued")["content"]["runId"] == second["runId"]
    client.until_closed()
    messages = client.until_closed()
    assert messages[-1]["content"]["text"] == "two"


def test_what_came_before_is_sent_again_to_who_asks(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code("final_answer('first')"))
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        first = client.ask("hello")
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0") as again:
        assert again.hello() == chat_id
        assert again.until_closed() == first
    with WsClient(desk.ws_url, f"?chat={chat_id}&after={first[-2]['seq']}").greeted() as late:
        assert late.until_closed() == first[-1:]


def test_stop_is_told_at_once_and_ends_the_run(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("while True:\n    pass"))
    client.say("loop")
    client.until("run", step=1)
    run_id = client.seen[-1]["runId"]
    client.send(type="cancel", runId=run_id)
    stopping = client.until("run", state="stopping")
    assert "seq" not in stopping
    assert client.until("run", state="cancelled")["runId"] == run_id


def test_clear_arrows_by_the_button_is_an_event(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        client.send(type="clear_arrows")
        cleared = client.until("clear_arrows")
        assert cleared["seq"] == 1
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as again:
        assert again.next() == cleared


def test_arrows_that_the_button_cleared_stay_cleared_over_a_reload(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code("draw_arrow('Kitchen', 'left')\nfinal_answer('drawn')"))
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        client.ask("arrow")
        client.send(type="clear_arrows")
        cleared = client.until("clear_arrows")
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as again:
        again.until("clear_arrows")
    order = [m["type"] for m in again.seen if m["type"] in ("arrow", "clear_arrows")]
    assert order == ["arrow", "clear_arrows"]
    assert again.seen[-1] == cleared


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


BAD_FRAMES: dict[str, tuple[str | bytes, str]] = {
    "not JSON": ("{nope", "not_json"),
    "an array": ("[1]", "not_an_object"),
    "a string": ('"hi"', "not_an_object"),
    "null": ("null", "not_an_object"),
    "a number beyond all numbers": ('{"message": "x", "n": 1e999}', "not_json"),
    "a number that is none": ('{"message": "x", "n": NaN}', "not_json"),
    "no message": ("{}", "missing_field"),
    "an empty message": ('{"message": "  "}', "empty"),
    "a message that is a number": ('{"message": 7}', "wrong_type"),
    "a message that is null": ('{"message": null}', "missing_field"),
    "a binary frame": (b"\x00\x01", "binary_frame"),
    "256 kB and more": (json.dumps({"message": "x" * 256_001}), "too_large"),
    "256 kB of wide characters": (json.dumps({"message": "温" * 90_000}, ensure_ascii=False), "too_large"),
    "JSON 50,000 deep": (deep(50_000), "too_deep"),
    "an object 50,000 deep inside": ('{"message": ' + deep(50_000) + "}", "too_deep"),
    "an unknown type": ('{"type": "dance"}', "unknown_type"),
    "a type that is no string": ('{"type": {"a": 1}}', "unknown_type"),
    "a cancel without a run": ('{"type": "cancel"}', "missing_field"),
    "a cancel of nobody's run": ('{"type": "cancel", "runId": "r_x"}', "not_found"),
    "an answer to nothing": ('{"type": "answer", "askId": "a_x", "granted": true}', "not_found"),
    "an answer that does not say": ('{"type": "answer", "askId": "a_x"}', "bad_answer"),
    "a policy that is none": ('{"type": "policy", "tool": "pay", "policy": "never"}', "bad_choice"),
    "a policy for no tool": ('{"type": "policy", "tool": "dance", "policy": "allow"}', "unknown_tool"),
    "a scope that is none": (
        '{"type": "answer", "askId": "a_1", "granted": true, "scope": "world"}',
        "bad_choice",
    ),
    "a selection without rooms": ('{"type": "selection", "room": "Kitchen"}', "missing_field"),
    "a selection of no list": ('{"type": "selection", "rooms": {"floorId": "1F"}}', "wrong_type"),
    "a selection of no rooms": ('{"type": "selection", "rooms": ["Kitchen"]}', "wrong_type"),
    "a selection with more to say": (
        '{"type": "selection", "rooms": [{"floorId": "1F", "name": "Kitchen", "colour": "red"}]}',
        "wrong_type",
    ),
    "a selection of an unknown room": (
        '{"type": "selection", "rooms": [{"floorId": "2F", "name": "Kitchen"}]}',
        "unknown_room",
    ),
    "a selection on an unknown floor": (
        '{"type": "selection", "rooms": [{"floorId": "9F", "name": "Kitchen"}]}',
        "unknown_room",
    ),
    "a selection of too many": (
        json.dumps({"type": "selection", "rooms": [{"floorId": "1F", "name": "Kitchen"}] * 501}),
        "too_many_rooms",
    ),
    "broken text": ('{"type": "\\ud800"}', "unknown_type"),
}


@pytest.mark.parametrize("name", BAD_FRAMES)
def test_bad_input_gets_an_error_and_the_socket_stays_open(
    name: str, client: WsClient, scripts: Scripts
) -> None:
    frame, code_expected = BAD_FRAMES[name]
    client.socket.send(frame)
    error = client.next()
    assert error["type"] == "error"
    assert error["code"] == code_expected
    assert error["hint"] or error["code"] == "not_found"
    assert "seq" not in error
    scripts.set(code("final_answer('still here')"))
    assert client.ask("are you there?")[-1]["content"]["text"] == "still here"


def test_an_unknown_chat_is_said_and_the_socket_stays_open(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url, "?chat=c_nobody&after=0") as client:
        assert client.next()["type"] == "map_definition"
        assert client.next()["code"] == "not_found"
        client.say("hello")
        assert client.next()["code"] == "not_found"


@pytest.mark.parametrize("after", ["999", "-1", "x", "1e9", "9" * 40])
def test_a_place_past_the_end_is_said_and_everything_is_sent(
    desk: LiveDesk, after: str, scripts: Scripts
) -> None:
    scripts.set(code("final_answer('hi')"))
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        first = client.ask("hello")
    with WsClient(desk.ws_url, f"?chat={chat_id}&after={after}").greeted() as again:
        error = again.next()
        assert error["type"] == "error"
        assert "xpected" in error["content"]
        assert again.until_closed() == first


def test_a_place_past_the_end_names_the_last_message(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code("final_answer('hi')"))
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        last = client.ask("hello")[-1]["seq"]
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=999").greeted() as again:
        error = again.next()
    assert error["code"] == "after_past_end"
    assert error["content"] == (
        "`after` is 999, past the end of this chat. "
        f"Expected at most {last}, its last message. The chat is sent from the beginning."
    )


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (RuntimeError("the provider exploded"), None),
        ("", "model_empty"),
        (code("1 + 1"), "step_limit"),
    ],
    ids=["raises", "says nothing", "never ends"],
)
def test_a_model_that_fails_closes_the_run_with_its_fault(
    client: WsClient, scripts: Scripts, reply: object, fault: str | None
) -> None:
    scripts.set(reply)
    messages = client.ask("x")
    assert types(messages)[-2:] == ["error", "run"]
    assert messages[-1]["content"]["state"] == "failed"
    assert fault is None or messages[-2]["code"] == fault
    assert fault != "step_limit" or len(of_type(messages, "code")) == 4


def test_an_error_in_code_is_shown_and_told_to_the_model(client: WsClient, scripts: Scripts) -> None:
    model = scripts.set(code("print('before')\n1 / 0"), code("final_answer('recovered')"))
    messages = client.ask("x")
    assert "ZeroDivisionError" in of_type(messages, "error")[0]["content"]
    assert messages[-1]["content"]["text"] == "recovered"
    text = text_of(model.seen[1])
    assert "ZeroDivisionError" in text
    assert "before" in text


def test_earlier_messages_and_variables_are_remembered(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("x = 41\nfinal_answer('noted')"))
    client.ask("remember 41")
    model = scripts.set(code("final_answer(str(x + 1))"))
    assert client.ask("add one")[-1]["content"]["text"] == "42"
    prompt = text_of(model.seen[0])
    assert "remember 41" in prompt
    assert "x = 41" in prompt


def test_text_is_sent_with_sanitised_html(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('**bold** <img src=x onerror=alert(1)>')"))
    text = of_type(client.ask("x"), "text")[0]
    assert "<strong>bold</strong>" in text["html"]
    assert "<img" not in text["html"]


def test_code_is_sent_highlighted(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('x')"))
    assert "<span" in of_type(client.ask("x"), "code")[0]["html"]


def test_two_chats_drawing_at_once_never_mix(desk: LiveDesk, scripts: Scripts) -> None:
    def draw(messages: list[object]) -> str:
        colour = "red" if "red please" in text_of(messages) else "blue"  # pyright: ignore[reportArgumentType]
        return code(
            "import matplotlib.pyplot as plt\n"
            f"for n in range(5):\n    fig = plt.figure(figsize=(1, 1), facecolor='{colour}')\n"
            f"open('mine.txt', 'w').write('{colour}')\nimport os\n"
            f"final_answer(','.join(sorted(os.listdir())) + ' ' + open('mine.txt').read())"
        )

    scripts.set(draw)
    with WsClient(desk.ws_url) as red, WsClient(desk.ws_url) as blue:
        ids = red.hello(), blue.hello()
        red.say("red please")
        blue.say("blue please")
        for client, colour in ((red, "red"), (blue, "blue")):
            messages = client.until_closed()
            assert messages[-1]["content"]["text"].endswith(f"mine.txt {colour}")
            images = of_type(messages, "image")
            assert len(images) == 5
            for image in images:
                pixels = httpx.get(desk.url + image["url"]).content
                assert _corner(pixels) == ((255, 0, 0) if colour == "red" else (0, 0, 255))
            assert all(ids[0 if colour == "red" else 1] in image["url"] for image in images)
        other = of_type(blue.seen, "image")[0]["url"].replace(ids[1], ids[0])
        assert httpx.get(desk.url + other).status_code == 404


def _corner(png: bytes) -> tuple[int, int, int]:
    import io

    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB").getpixel((0, 0))  # pyright: ignore


def test_a_slow_reader_holds_up_nobody(desk: LiveDesk, scripts: Scripts) -> None:
    """A client that never reads, with megabytes for it, while another works."""
    scripts.set(code("for n in range(200):\n    print('x' * 4000)\nfinal_answer('much')"))
    with WsClient(desk.ws_url).greeted() as stuck:
        stuck.say("print a lot")
        scripts_set: Callable[..., object] = scripts.set
        with WsClient(desk.ws_url).greeted() as quick:
            scripts_set(code("final_answer('quick')"))
            assert quick.ask("quick")[-1]["content"]["text"] in ("quick", "much")


def test_a_produced_file_becomes_a_file_of_the_chat(
    client: WsClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.set(code("save_data({'a': [1, 2]}, 'numbers')\nfinal_answer('saved')"))
    file = of_type(client.ask("save"), "file")[0]
    assert file["content"]["name"] == "numbers.csv"
    assert httpx.get(desk.url + file["url"]).text.split() == ["a", "1", "2"]


def test_nothing_is_written_outside_the_folder_of_the_chat(
    client: WsClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.set(
        code(
            "try:\n    save_data({'a': [1]}, '../../escape')\nexcept Exception as e:\n    final_answer(str(e))"
        )
    )
    client.ask("escape")
    root: Path = desk.desk.data_dir.root
    assert not list(root.rglob("escape*"))


def test_a_client_that_takes_lines_gets_the_same_messages_in_few_frames(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("for n in range(3): print('line', n)\nfinal_answer('one\\ntwo')"))
    client.ask("print")
    address = f"?chat={client.chat_id}&after=0"
    with WsClient(desk.ws_url, address) as plain, WsClient(desk.ws_url, f"{address}&lines") as lines:
        while plain.next().get("seq") != client.seen[-1]["seq"]:
            pass
        frames: list[list[Message]] = []
        while not frames or frames[-1][-1].get("seq") != client.seen[-1]["seq"]:
            frame = [json.loads(line) for line in str(lines.socket.recv(120)).split("\n")]
            if frame[0]["type"] != "open_asks":
                frames.append(frame)

    def without_asks(messages: Sequence[Message]) -> list[Message]:  # they are live, so they come at any time
        return [message for message in messages if message["type"] != "open_asks"]

    assert without_asks([message for frame in frames for message in frame]) == without_asks(plain.seen)
    assert len(plain.seen) > 8
    assert len(frames) <= 4
