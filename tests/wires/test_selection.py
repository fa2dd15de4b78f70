"""Rooms selected on the map: kept with the chat, told to everybody who follows it, and given to the runs that start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import Message, WsClient

KITCHEN = {"floorId": "1F", "name": "Kitchen"}
OFFICE = {"floorId": "2F", "name": "Office"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[tuple[LiveDesk, WsClient, ScriptedModel]]:
    model = ScriptedModel([code("print(selection)\nfinal_answer('done')")])
    with live_desk(tmp_path, lambda: model) as live, WsClient(live.ws_url).greeted() as item:
        yield live, item, model


def selection(client: WsClient, *rooms: Message) -> list[Message]:
    """Select, and what the chat says then."""
    client.send(type="selection", rooms=list(rooms))
    return client.until("chat")["content"]["selection"]


def started(live: LiveDesk, client: WsClient) -> Message:
    return [event for event in events_of(live.url, client.chat_id) if event["type"] == "run_started"][-1]


def test_every_follower_is_told_and_a_reload_remembers(
    client: tuple[LiveDesk, WsClient, ScriptedModel],
) -> None:
    live, one, _ = client
    assert one.seen[1]["content"]["selection"] == []
    with WsClient(live.ws_url, f"?chat={one.chat_id}").greeted() as other:
        assert selection(one, KITCHEN, OFFICE, KITCHEN) == [KITCHEN, OFFICE]
        assert other.until("chat")["content"]["selection"] == [KITCHEN, OFFICE]
        assert selection(other) == []
        assert one.until("chat")["content"]["selection"] == []
        selection(other, OFFICE)
    with WsClient(live.ws_url, f"?chat={one.chat_id}&after=0").greeted() as later:
        assert later.seen[1]["content"]["selection"] == [OFFICE]


def test_a_run_is_given_what_is_selected_when_it_starts(
    client: tuple[LiveDesk, WsClient, ScriptedModel],
) -> None:
    live, item, model = client
    selection(item, KITCHEN, OFFICE)
    messages = item.ask("what is selected?")
    note = "the person selected these rooms: Kitchen (1F), Office (2F)"
    assert text_of(model.seen[-1]).endswith(f"what is selected?\n\n(Note: {note})")
    printed = "".join(message["content"] for message in messages if message["type"] == "printed")
    assert printed.strip() == "[{'floor': '1F', 'name': 'Kitchen'}, {'floor': '2F', 'name': 'Office'}]"
    [opened] = [m["content"] for m in messages if m["type"] == "run" and m["content"].get("notes")]
    assert opened["notes"] == [note]
    assert opened["noted"] == [{"code": "about_rooms", "facts": {"rooms": [KITCHEN, OFFICE]}}]
    event = started(live, item)
    assert event["notes"] == [note]
    assert event["selection"] == [KITCHEN, OFFICE]

    selection(item)
    printed = "".join(message["content"] for message in item.ask("and now?") if message["type"] == "printed")
    assert printed.strip() == "[]"
    assert started(live, item)["notes"] == []


def test_an_agent_that_calls_tools_is_told_and_its_code_has_them(tmp_path: Path) -> None:
    replies = [
        Calls(("python_interpreter", {"code": "print(selection)"})),
        Calls(("final_answer", {"answer": "done"})),
    ]
    model = ScriptedModel(replies)
    with live_desk(tmp_path, lambda: model, agent="tools") as live, WsClient(live.ws_url).greeted() as item:
        selection(item, KITCHEN)
        messages = item.ask("go")
    assert "(Note: the person selected these rooms: Kitchen (1F))" in text_of(model.seen[0])
    printed = "".join(message["content"] for message in messages if message["type"] == "printed")
    assert printed.strip() == "[{'floor': '1F', 'name': 'Kitchen'}]"


def test_what_is_refused_leaves_the_selection(client: tuple[LiveDesk, WsClient, ScriptedModel]) -> None:
    _, item, _ = client
    selection(item, KITCHEN)
    item.send(type="selection", rooms=[OFFICE, {"floorId": "2F", "name": "Ballroom"}])
    error = item.until("error")
    assert error["code"] == "unknown_room"
    assert "Office" in error["hint"]
    assert selection(item, OFFICE, KITCHEN) == [OFFICE, KITCHEN]


@pytest.mark.parametrize("agent", ["code", "tools"])
@pytest.mark.parametrize(
    ("question", "message"),
    [
        (
            "average temperature of the selected rooms",
            "(roomname = Kitchen or roomname = Room1)",
        ),
        ("選択した部屋の平均気温は？", "（roomname = Kitchen または roomname = Room1）"),
    ],
)
def test_the_analyst_asks_the_table_about_the_selected_rooms(
    tmp_path: Path, agent: str, question: str, message: str
) -> None:
    with live_desk(tmp_path, agent=agent) as live, WsClient(live.ws_url).greeted() as item:
        assert item.ask(question)[-1]["content"]["text"].startswith(
            ("No room is selected", "部屋が選択されていません")
        )
        selection(item, KITCHEN, {"floorId": "1F", "name": "Room1"})
        assert message in item.ask(question)[-1]["content"]["text"]


def test_the_analyst_starts_from_the_selected_room(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as item:
        selection(item, {"floorId": "2F", "name": "Library"})
        for question in ("where is the nearest toilet?", "一番近いトイレは？", "ここから一番近いトイレは？"):
            [drawn] = [message for message in item.ask(question) if message["type"] == "map"]
            [route] = drawn["content"]["overlays"]
            assert (route["start"], route["goal"]) == ("Library", "Toilet"), question
