"""A message that a client sends again, under the name it gave it, is one run: on each wire, also after a restart."""

import json
from pathlib import Path

import httpx
import pytest

from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import WsClient


def echo(message: str, ctx: RunContext) -> str:
    return f"You said: {message}"


def questions(live: LiveDesk, chat_id: str) -> list[str]:
    lines = httpx.get(f"{live.url}/api/chats/{chat_id}/events").text.splitlines()
    events = [json.loads(line)["event"] for line in lines]
    return [event["message"] for event in events if event["type"] == "run_queued"]


def test_over_http(tmp_path: Path) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        chat_id = httpx.post(f"{live.url}/api/chats").json()["id"]
        where = f"{live.url}/api/chats/{chat_id}/runs"
        body = {"message": "hello", "clientMessageId": "m-1"}
        first = httpx.post(where, json=body).json()
    with live_desk(tmp_path, answer=echo) as live:
        where = f"{live.url}/api/chats/{chat_id}/runs"
        assert httpx.post(where, json=body).json() == first
        refused = httpx.post(where, json=body | {"message": "something else"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "id_taken")
        assert httpx.post(where, json=body | {"clientMessageId": "m-2"}).json() != first
        assert httpx.post(where, json=body | {"clientMessageId": ""}).status_code == 422
        assert questions(live, chat_id) == ["hello", "hello"]


def test_over_the_four_pane_socket(tmp_path: Path) -> None:
    frame = {"type": "message", "message": "hello", "clientMessageId": "m-1"}
    with live_desk(tmp_path, answer=echo) as live:
        with WsClient(live.ws_url) as client:
            chat_id = client.hello()
            client.send(**frame)
            client.until_closed()
            client.send(**frame)
            client.send(**(frame | {"message": "something else"}))
            assert client.until("error")["code"] == "id_taken"
            client.send(**(frame | {"clientMessageId": 7}))
            assert client.until("error")["code"] == "wrong_type"
        assert questions(live, chat_id) == ["hello"]


@pytest.mark.parametrize("context", [True, False], ids=["in a context", "without one"])
def test_over_tasks(tmp_path: Path, context: bool) -> None:
    with live_desk(tmp_path, answer=echo) as live:
        body: dict[str, object] = {"message": "hello", "clientMessageId": "m-1"}
        if context:
            body["contextId"] = httpx.post(f"{live.url}/api/chats").json()["id"]
        one, two = (httpx.post(f"{live.url}/tasks/send", json=body).json() for _ in range(2))
        assert one["task_id"] == two["task_id"]
        other = httpx.post(f"{live.url}/tasks/send", json=body | {"clientMessageId": "m-2"}).json()
        assert other["task_id"] != one["task_id"]
