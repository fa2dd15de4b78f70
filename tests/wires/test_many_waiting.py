"""Many runs that wait for a person hold up nobody: two hundred chats of running Python, and one that works."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from smolagents.models import ChatMessage

from smoldesk.store.asks import open_asks_everywhere
from tests.support.desk_server import live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.tools import Paying
from tests.support.ws_client import WsClient

CHATS = 200


def reply(messages: list[ChatMessage]) -> str:
    pays = "please pay" in text_of(messages)
    return code("final_answer(pay('bread'))" if pays else "final_answer(sum(range(10)))")


def until(true: Callable[[], bool], seconds: float) -> None:
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up, "it did not come true"
        time.sleep(0.05)


@pytest.mark.timeout(400)
def test_two_hundred_runs_wait_while_another_chat_works(tmp_path: Path) -> None:
    ran: list[str] = []
    model = ScriptedModel([reply])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live,
        httpx.Client(base_url=live.url, timeout=60) as http,
        WsClient(live.ws_url) as client,
    ):
        store, runs = live.desk.store, live.desk.runs
        for _ in range(CHATS):
            chat = http.post("/api/chats").json()["id"]
            http.post(f"/api/chats/{chat}/runs", json={"message": "please pay"}).raise_for_status()
        until(lambda: len(store.read(open_asks_everywhere)) == CHATS, 240)

        client.hello()
        client.say("please add")
        assert client.until_closed()[-1]["content"]["text"] == "45"
        assert ran == []

        asks = [record.ask.id for record in store.read(open_asks_everywhere)]
        for ask in asks[: CHATS // 2]:
            http.post(f"/api/asks/{ask}", json={"granted": True}).raise_for_status()
        until(lambda: len(ran) == CHATS // 2 == runs.working(), 120)
        assert len(store.read(open_asks_everywhere)) == CHATS // 2
