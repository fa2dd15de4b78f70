"""A client of protocol 1.2 at a desk of 2.0: asks in words that a plain message answers, images inlined."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from smoldesk.buildings.building import Building
from smoldesk.messages import MapDefinition, as_json
from smoldesk.wires.four_pane.protocol_1_2 import to_1_2
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code
from tests.support.tools import Paying
from tests.support.ws_client import Message, WsClient, of_type

PAY = code("final_answer(pay(word='30'))")


class Script:
    def __init__(self) -> None:
        self.model = ScriptedModel([PAY])
        self.ran: list[str] = []


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def desk(tmp_path: Path, script: Script) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, lambda: script.model, lambda _: [Paying(script.ran)], max_steps=3) as live:
        yield live


@pytest.fixture
def old(desk: LiveDesk) -> Iterator[WsClient]:
    with WsClient(desk.ws_url, "").greeted() as client:
        yield client


def question(client: WsClient) -> Message:
    """The text that puts an ask."""
    client.until("ask")
    text = client.until("text")
    assert "seq" not in text, "it is no part of the log: the ask is"
    return text


def test_an_ask_comes_as_text_too_and_a_plain_yes_answers_it(old: WsClient, script: Script) -> None:
    old.send(message="pay")
    text = question(old)
    assert "Allow pay?" in text["content"]
    assert '"yes"' in text["content"]
    assert "<strong>" in text["html"]
    assert script.ran == []
    old.send(message="yes")
    echo = old.until("user_message")
    assert echo["content"] == "yes"
    messages = old.until_closed()
    assert script.ran == ["30"]
    assert messages[-1]["content"]["text"] == "paid 30"
    assert len(of_type(old.seen, "user_message")) == 2, "the answer started no run of its own"


def test_a_plain_no_is_a_denial_with_its_reason(old: WsClient, script: Script) -> None:
    script.model = ScriptedModel(
        [code("try:\n    pay(word='30')\nexcept Exception as fault:\n    final_answer(str(fault))")]
    )
    old.send(message="pay")
    question(old)
    old.send(message="いいえ、高すぎる")
    assert "高すぎる" in old.until_closed()[-1]["content"]["text"]
    assert script.ran == []


def test_an_unclear_reply_says_what_is_expected_and_the_ask_stays_open(old: WsClient, script: Script) -> None:
    old.send(message="pay")
    question(old)
    old.send(message="perhaps")
    error = old.until("error")
    assert error["code"] == "bad_answer"
    assert '"yes"' in error["content"]
    assert script.ran == []
    old.send(message="はい")
    assert old.until_closed()[-1]["content"]["text"] == "paid 30"


def test_after_the_answer_a_plain_message_is_a_message_again(old: WsClient, script: Script) -> None:
    script.model = ScriptedModel([PAY, code("final_answer('hello')")])
    old.send(message="pay")
    question(old)
    old.send(message="yes")
    old.send(message="yes")  # at once, before the ask can have been closed: it is no second answer
    old.until_closed()
    assert old.until_closed()[-1]["content"]["text"] == "hello"
    assert script.ran == ["30"]


def test_several_asks_of_a_step_are_put_one_after_the_other(tmp_path: Path) -> None:
    ran: list[str] = []
    both = Calls(("pay", {"word": "1"}), ("pay", {"word": "2"}), ids=["call_a", "call_b"])
    model = ScriptedModel([both, Calls(("final_answer", {"answer": "done"}))])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)], agent="tools") as live,
        WsClient(live.ws_url, "").greeted() as old,
    ):
        old.send(message="pay twice")
        texts = [old.until("text")]
        old.send(message="yes")
        texts.append(old.until("text"))
        old.send(message="no")
        assert old.until_closed()[-1]["content"]["text"] == "done"
    assert len(ran) == 1
    assert [text["content"].count("Allow pay?") for text in texts] == [1, 1]


def test_an_ask_that_somebody_else_answered_is_not_put_any_more(
    old: WsClient, desk: LiveDesk, script: Script
) -> None:
    script.model = ScriptedModel([PAY, code("final_answer('hello')")])
    old.send(message="pay")
    question(old)
    ask_id = of_type(old.seen, "ask")[0]["content"]["askId"]
    assert httpx.post(f"{desk.url}/api/asks/{ask_id}", json={"granted": True}, timeout=30).status_code == 204
    old.until_closed()
    old.send(message="yes")
    assert old.until_closed()[-1]["content"]["text"] == "hello"


def test_a_client_of_2_0_gets_the_ask_alone_and_its_plain_message_is_a_message(
    desk: LiveDesk, script: Script
) -> None:
    script.model = ScriptedModel([PAY, code("final_answer('hello')")])
    with WsClient(desk.ws_url).greeted() as client:
        client.say("pay")
        ask = client.until("ask")
        client.send(message="yes")
        assert client.until("user_message")["ahead"] == 1
        assert not of_type(client.seen, "text")
        client.send(type="answer", askId=ask["content"]["askId"], granted=True)
        client.until_closed()
        assert client.until_closed()[-1]["content"]["text"] == "hello"


def test_images_come_inlined(old: WsClient, script: Script) -> None:
    script.model = ScriptedModel(
        [code("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nfinal_answer('drawn')")]
    )
    old.send(message="plot")
    image = of_type(old.until_closed(), "image")[0]
    assert base64.b64decode(image["content"], validate=True).startswith(b"\x89PNG")
    assert "url" not in image


FLOOR = {"floorId", "floorName", "floorImage", "coordinateSystem", "rectangles"}


def test_the_building_has_the_keys_of_the_seed_and_no_others(old: WsClient) -> None:
    content = of_type(old.seen, "map_definition")[0]["content"]
    assert set(content) == {"floors", "bitmaps"}
    assert {floor["floorId"] for floor in content["floors"]} == {"1F", "2F", "B1"}
    for floor in content["floors"]:
        assert set(floor) == FLOOR
        assert all(set(room) == {"name", "topLeft", "bottomRight"} for room in floor["rectangles"])


def test_a_client_that_turns_out_to_be_of_2_0_gets_the_whole_building(old: WsClient) -> None:
    old.send(type="clear_arrows")
    content = old.until("map_definition")["content"]
    assert content["links"]
    assert content["floors"][0]["doors"]


def test_images_of_an_imported_building_are_found_from_where_the_old_ones_lie() -> None:
    definition = Building.load().definition.model_copy(update={"building_id": "b_1", "building_name": "Mine"})
    converted = to_1_2(as_json(MapDefinition(content=definition)))
    assert converted is not None
    image = converted["content"]["floors"][0]["floorImage"]
    base = httpx.URL("http://desk/backend/data/floors/")
    assert str(base.join(image)) == "http://desk/api/buildings/b_1/files/floor_1f.webp"
    assert "b_1" not in json.dumps(converted["content"]["bitmaps"])


def test_highlights_have_the_keys_of_the_seed_and_no_others() -> None:
    lit = {"name": "Kitchen", "color": "#0066ff", "strokeOpacity": 1.0, "fillOpacity": 0.3, "showName": True}
    elsewhere = {**lit, "name": "Office", "floorId": "2F"}
    rooms = [{**lit, "value": 21.5, "floorId": "1F"}, elsewhere]
    content = {"floorId": "1F", "timestamp": "", "rectangles": rooms}
    converted = to_1_2({"type": "map", "content": {**content, "source": {"step": 1}}})
    assert converted == {"type": "map", "content": {**content, "rectangles": [lit]}}
