"""Asks on the four-pane wire: the list of open ones of all chats, live, for clients of 2.0, and no secret in it; answers."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from smoldesk.events import Ask
from smoldesk.runs.asks import OpenAsks
from smoldesk.store import chats
from smoldesk.store.asks import AskRecord, open_asks
from smoldesk.wires.four_pane import socket_writer as module
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.tools import Paying
from tests.support.ws_client import Message, WsClient

PAYS = code("final_answer(pay('rent'))")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LiveDesk]:
    with live_desk(
        tmp_path, lambda: ScriptedModel([PAYS, code("final_answer('no')")]), lambda _: [Paying([])]
    ) as live:
        yield live


def test_every_page_hears_of_the_asks_of_all_chats_and_of_their_end(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url) as looking, WsClient(desk.ws_url) as one, WsClient(desk.ws_url) as two:
        looking.hello()
        assert looking.until_open(0)["content"] == {"asks": [], "count": 0}
        chat_ids = [one.hello(), two.hello()]
        asks: list[str] = []
        for count, client in enumerate((one, two), 1):
            client.say("Pay the rent")
            asks.append(client.until("ask")["content"]["askId"])
            looking.until_open(count)
        content = looking.open_asks[-1]["content"]
        assert [(ask["askId"], ask["chatId"]) for ask in content["asks"]] == [
            *zip(asks, chat_ids, strict=True)
        ]
        line = content["asks"][0]
        assert line == line | {
            "chatTitle": "Pay the rent",
            "kind": "approval",
            "tool": "pay",
            "prompt": "Allow pay?",
        }
        assert "seq" not in looking.open_asks[-1]
        with WsClient(desk.ws_url).greeted() as late:
            late.until_open(2)
        one.send(type="answer", askId=asks[0], granted=False)
        assert [ask["askId"] for ask in looking.until_open(1)["content"]["asks"]] == [asks[1]]
        two.send(type="answer", askId=asks[1], granted=True)
        looking.until_open(0)


def test_a_client_of_1_2_is_not_told(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url, "") as older, WsClient(desk.ws_url) as newer:
        older.hello()
        newer.hello()
        newer.say("Pay the rent")
        newer.until_open(1)
        older.socket.send(json.dumps({"message": "Pay the rent"}))
        older.until("ask")
        newer.until_open(2)
        assert older.open_asks == []


def test_a_socket_that_is_not_read_holds_up_no_other_and_gets_the_last_list(desk: LiveDesk) -> None:
    """A hundred lists of 100 kB: more than the buffers of a socket hold."""
    desk.desk.runs.open_asks.pace_seconds = 0
    store = desk.desk.store
    until = datetime.now(UTC) + timedelta(minutes=5)
    chat_id = store.submit(lambda tx: chats.new_chat(tx, "Many")).result().id

    def some(first: int, count: int) -> None:
        asks = [
            Ask(id=f"a_{number}", kind="input", prompt=f"{number} " * 100, expires_at=until)
            for number in range(first, first + count)
        ]
        store.submit(lambda tx: open_asks(tx, chat_id, "r_1", asks)).result()

    with ExitStack() as closing:
        slow = closing.enter_context(WsClient(desk.ws_url))
        quick = closing.enter_context(WsClient(desk.ws_url))
        for client in (slow, quick):
            client.hello()
        some(100, 190)
        quick.until_open(190)
        for change in range(100):
            some(1000 + change, 1)
            quick.until_open(191 + change)
        slow.until_open(290)
        assert slow.open_asks[-1] == quick.open_asks[-1]


def test_a_list_is_written_once_for_all_sockets_and_long_questions_are_cut() -> None:
    until = datetime(2026, 1, 1, tzinfo=UTC)
    ask = Ask(
        id="a_1", kind="input", input_type="password", prompt="x" * 5000, default="hunter2", expires_at=until
    )
    now = OpenAsks((AskRecord(ask, "c_1", "Sales", "r_1", 1.0, None, None),), 1)

    text = module.open_asks_text(now)

    assert module.open_asks_text(now) is text
    [line] = json.loads(text)["content"]["asks"]
    assert len(line["prompt"]) == module.PROMPT_CHARACTERS
    assert line.keys() == {"askId", "chatId", "chatTitle", "kind", "prompt", "expiresAt"}
    assert "hunter2" not in text


def test_a_refused_answer_names_its_ask_and_an_end_says_what_was_changed(tmp_path: Path) -> None:
    ran: list[str] = []
    model = ScriptedModel([code("final_answer(pay('rent'))")])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        client.say("pay")
        ask_id = client.until("ask")["content"]["askId"]

        client.send(type="answer", askId=ask_id, granted=True, value={"word": 7})
        refused = error(client)
        assert (refused["code"], refused["askId"]) == ("bad_answer", ask_id)
        assert ran == []

        client.send(type="answer", askId=ask_id, granted=True, value={"word": "bread"})
        assert client.until("ask_closed", askId=ask_id)["content"]["value"] == {"word": "bread"}
        client.until_closed()
        assert ran == ["bread"]

        client.send(type="answer", askId=ask_id, granted=False)
        late = error(client)
        assert (late["code"], late["askId"]) == ("ask_closed", ask_id)

        client.send(type="cancel", runId="r_none")
        assert "askId" not in error(client)


def error(client: WsClient) -> Message:
    """The next refusal."""
    while (message := client.next())["type"] != "error":
        pass
    return message
