"""People approve what agents do, on a real server: in running code, from two windows, over HTTP, and after a restart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, Servers, live_desk
from tests.support.scripted_desk import SERVING
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.tools import Paying
from tests.support.ws_client import Message, WsClient, of_type

LOOP = """total = 0
for name in ["Ann", "Bob", "Cid"]:
    total += len(pay(name))
final_answer(total)"""
CAUGHT = """try:
    pay("bread")
    said = "paid"
except ToolDenied as no:
    said = f"{type(no).__name__}: {no}"
final_answer(said)"""


class Scene:
    """What the model says next, and which calls really ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.model = ScriptedModel([""])

    def says(self, *cells: str) -> ScriptedModel:
        self.model = ScriptedModel([code(cell) for cell in cells])
        return self.model


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture
def live(tmp_path: Path, scene: Scene) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, lambda: scene.model, lambda _: [Paying(scene.ran)]) as live:
        yield live


@pytest.fixture
def client(live: LiveDesk) -> Iterator[WsClient]:
    with WsClient(live.ws_url).greeted() as client:
        yield client


def grant(client: WsClient, ask: Message, **more: Any) -> None:
    client.send(type="answer", askId=ask["content"]["askId"], granted=True, **more)


# --- inside running Python ---------------------------------------------------------------------------------------


def test_code_stops_at_the_line_and_the_ask_tells_which_call_of_it_this_is(
    client: WsClient, scene: Scene
) -> None:
    scene.says(LOOP)
    client.say("go")
    for number, name in enumerate(["Ann", "Bob", "Cid"], 1):
        ask = client.until("ask")["content"]
        assert (ask["codeLine"], ask["line"], ask["callsFromLine"]) == ("total += len(pay(name))", 3, number)
        assert ask["arguments"] == {"word": name}
        assert scene.ran == ["Ann", "Bob", "Cid"][: number - 1]
        client.send(type="answer", askId=ask["askId"], granted=True)
    assert client.until_closed()[-1]["content"]["text"] == "24"
    assert scene.ran == ["Ann", "Bob", "Cid"]


def test_the_rest_of_the_step_runs_without_asking_again_and_the_next_step_asks(
    client: WsClient, scene: Scene
) -> None:
    scene.says(LOOP.replace("final_answer(total)", "print(total)"), "final_answer(pay('Dan'))")
    client.say("go")
    grant(client, client.until("ask"), scope="step")
    ask = client.until("ask")
    assert ask["content"]["arguments"] == {"word": "Dan"}
    assert ask["content"]["callsFromLine"] == 1
    grant(client, ask)
    client.until_closed()
    assert scene.ran == ["Ann", "Bob", "Cid", "Dan"]


def test_a_denial_can_be_caught_and_the_tool_was_never_entered(client: WsClient, scene: Scene) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")
    client.send(type="answer", askId=ask["content"]["askId"], granted=False, reason="too much")
    assert client.until_closed()[-1]["content"]["text"] == "ToolDenied: User denied the tool call: too much"
    assert scene.ran == []


def test_a_denial_that_is_not_caught_is_what_the_model_reads(client: WsClient, scene: Scene) -> None:
    model = scene.says("pay('bread')", "final_answer('well then')")
    client.say("go")
    client.send(type="answer", askId=client.until("ask")["content"]["askId"], granted=False)
    client.until_closed()
    assert "ToolDenied: User denied the tool call" in text_of(model.seen[1])
    assert scene.ran == []


def test_an_ask_that_nobody_answers_is_a_denial(tmp_path: Path, scene: Scene) -> None:
    scene.says(CAUGHT)
    tools: dict[str, Any] = {"tool_ask_timeout_seconds": {"pay": 0.5}}
    with (
        live_desk(tmp_path, lambda: scene.model, lambda _: [Paying(scene.ran)], **tools) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        client.say("go")
        ask = client.until("ask")
        assert client.until_closed()[-1]["content"]["text"] == "ToolDenied: Approval request timed out"
        [closed] = of_type(client.seen, "ask_closed")
        assert (closed["content"]["by"], closed["content"]["granted"]) == ("expiry", False)
        grant(client, ask)
        assert client.until("error")["code"] == "ask_closed"
    assert scene.ran == []


def test_edited_arguments_are_what_runs_and_wrong_ones_leave_the_ask_open(
    client: WsClient, scene: Scene
) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")
    assert ask["content"]["parameters"] == {
        "word": {"type": "string", "description": "the word", "required": True}
    }
    for value in ({"word": 5}, {"wort": "butter"}, {}, ["butter"], "butter"):
        grant(client, ask, value=value)
        assert client.until("error")["code"] == "bad_answer"
    grant(client, ask, value={"word": "butter"})
    client.until_closed()
    assert scene.ran == ["butter"]


# --- who may answer, and once ------------------------------------------------------------------------------------


def test_of_two_windows_the_first_answer_wins_and_the_other_sees_it(
    live: LiveDesk, client: WsClient, scene: Scene
) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")
    with WsClient(live.ws_url, f"?chat={client.chat_id}&after=0") as other:
        assert other.until("ask")["content"] == ask["content"]
        other.send(type="answer", askId=ask["content"]["askId"], granted=False, reason="no")
        closed = client.until("ask_closed")["content"]
        assert closed == other.until("ask_closed")["content"]
        assert (closed["granted"], closed["reason"], closed["by"]) == (False, "no", "person")
        client.until_closed()
        grant(client, ask)
        assert client.until("error")["code"] == "ask_closed"
    assert scene.ran == []


def test_an_answer_that_is_foreign_forged_or_repeated_changes_nothing(
    live: LiveDesk, client: WsClient, scene: Scene
) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")
    with WsClient(live.ws_url).greeted() as stranger:
        grant(stranger, ask)
        assert stranger.until("error")["code"] == "not_found"
    for forged in ("a_" + "0" * 24, "", "' OR 1=1 --", ask["content"]["callId"]):
        client.send(type="answer", askId=forged, granted=True)
        assert client.until("error")["code"] in ("not_found", "empty")
    assert scene.ran == []
    before = len(of_type(client.seen, "error"))
    grant(client, ask)
    grant(client, ask)
    client.until_closed()
    if len(of_type(client.seen, "error")) == before:  # the refusal may come before the run's end, or after
        client.until("error")
    assert of_type(client.seen, "error")[-1]["code"] == "ask_closed"
    assert scene.ran == ["bread"]


def test_an_open_ask_survives_a_reload(live: LiveDesk, client: WsClient, scene: Scene) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")
    client.close()
    with WsClient(live.ws_url, f"?chat={client.chat_id}&after=0") as again:
        assert again.until("ask")["content"] == ask["content"]
        grant(again, ask)
        assert again.until_closed()[-1]["content"]["text"] == "paid"
    assert scene.ran == ["bread"]


# --- policies of a chat, and the record, over HTTP -----------------------------------------------------------------


def test_always_in_this_chat_is_told_to_every_client_and_taken_back(
    live: LiveDesk, client: WsClient, scene: Scene
) -> None:
    scene.says(CAUGHT, CAUGHT, CAUGHT)
    with httpx.Client(base_url=f"{live.url}/api/chats/{client.chat_id}") as http:
        client.say("go")
        grant(client, client.until("ask"), scope="chat")
        assert client.until("policy")["content"] == {"tool": "pay", "policy": "allow"}
        client.until_closed()
        assert not of_type(client.ask("again"), "ask")
        assert http.get("/policies").json() == {"policies": {"pay": "allow"}}
        client.send(type="policy", tool="pay", policy="ask")
        assert client.until("policy")["content"] == {"tool": "pay", "policy": "ask"}
        client.say("once more")
        client.send(type="answer", askId=client.until("ask")["content"]["askId"], granted=False, reason="no")
        client.until_closed()
        assert http.put("/policies/pay", json={"policy": "allow"}).status_code == 204
        assert http.put("/policies/dance", json={"policy": "allow"}).json()["error"]["code"] == "unknown_tool"
        assert http.put("/policies/pay", json={"policy": "deny"}).status_code == 422
        asks = http.get("/asks").json()["asks"]
    assert scene.ran == ["bread", "bread"]
    assert [(ask["state"], ask["by"], ask["scope"], ask["reason"]) for ask in asks] == [
        ("denied", "person", "call", "no"),
        ("granted", "policy", "chat", ""),
        ("granted", "person", "chat", ""),
    ]
    assert {(ask["tool"], ask["codeLine"], ask["arguments"]["word"]) for ask in asks} == {
        ("pay", 'pay("bread")', "bread")
    }
    assert all(ask["closedAt"] >= ask["openedAt"] for ask in asks)


def test_open_asks_of_all_chats_are_listed_and_answered_over_http(
    live: LiveDesk, client: WsClient, scene: Scene
) -> None:
    scene.says(CAUGHT)
    client.say("go")
    ask = client.until("ask")["content"]["askId"]
    with httpx.Client(base_url=f"{live.url}/api") as http:
        [listing] = http.get("/asks").json()["asks"]
        assert (listing["askId"], listing["chatId"], listing["state"]) == (ask, client.chat_id, "open")
        refused = http.post(f"/asks/{ask}", json={"granted": True, "value": {"word": 1}})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_answer")
        assert http.post(f"/asks/{ask}", json={"granted": True}).status_code == 204
        assert http.post(f"/asks/{ask}", json={"granted": True}).status_code == 409
        client.until_closed()
        assert http.get("/asks").json() == {"asks": []}
        assert http.get("/chats/c_none/asks").status_code == 404
    assert scene.ran == ["bread"]


def test_the_operator_decides_which_tools_ask(tmp_path: Path, scene: Scene) -> None:
    scene.says(CAUGHT)
    never: dict[str, Any] = {"tool_approval": {"pay": "never"}}
    with (
        live_desk(tmp_path, lambda: scene.model, lambda _: [Paying(scene.ran)], **never) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        assert of_type(client.seen, "chat")[0]["content"]["approvals"] == {}
        assert not of_type(client.ask("go"), "ask")
    assert scene.ran == ["bread"]


# --- a restart ---------------------------------------------------------------------------------------------------


def test_a_restart_denies_what_was_open(tmp_path: Path) -> None:
    with Servers(tmp_path, SERVING) as servers:
        first = servers.start()
        with WsClient(first.ws_url) as client:
            chat_id = client.hello()
            client.say("please pay")
            ask = client.until("ask")["content"]["askId"]
            first.kill()
        second = servers.start()
        with WsClient(second.ws_url, f"?chat={chat_id}&after=0") as client:
            closed = client.until("ask_closed")["content"]
            assert closed == {
                "askId": ask,
                "granted": False,
                "reason": "The server restarted",
                "scope": "call",
                "by": "restart",
            }
            client.send(type="answer", askId=ask, granted=True)
            assert client.until("error")["code"] == "server_restarted"  # in the log, before the run's end
            assert client.until("error")["code"] == "ask_closed"
            [record] = httpx.get(f"{second.url}/api/chats/{chat_id}/asks").json()["asks"]
            assert (record["state"], record["by"]) == ("denied", "restart")
            assert client.ask("please answer")[-1]["content"]["text"] == "42"
