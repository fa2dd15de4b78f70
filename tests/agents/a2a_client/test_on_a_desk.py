"""Agents of a real desk give work to an agent elsewhere: from jailed code and by tool calls, seen by a client of the page."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.events import ToolFailed, ToolProgress, ToolReturned
from tests.support.desk_server import ROOT, DeskProcess, LiveDesk, live_desk
from tests.support.peer_server import PeerServer, peer_server
from tests.support.scripted_model import Calls, Reply, ScriptedModel, code
from tests.support.ws_client import WsClient, of_type


@pytest.fixture
def helper() -> Generator[PeerServer]:
    with peer_server() as server:
        yield server


@contextmanager
def desk(folder: Path, helper: PeerServer, *replies: Reply, **options: Any) -> Generator[LiveDesk]:
    folder.mkdir(exist_ok=True)
    (folder / "agents.toml").write_text(helper.toml())
    model = ScriptedModel([*replies])
    with live_desk(folder, lambda: model, lambda _: [], **options) as live:
        yield live


@contextmanager
def run_message(
    folder: Path, helper: PeerServer, *replies: Reply, **options: Any
) -> Generator[tuple[LiveDesk, WsClient]]:
    """Such a desk, and a client of its page who has said something."""
    with desk(folder, helper, *replies, **options) as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say("go")
        yield live, client


def asking(message: str) -> str:
    return code(f"final_answer(ask_agent(name='helper', message={message!r}))")


def by_call(message: str) -> Calls:
    return Calls(("ask_agent", {"name": "helper", "message": message}))


def test_their_words_are_nested_between_call_and_answer(tmp_path: Path, helper: PeerServer) -> None:
    with run_message(tmp_path, helper, asking("work hard")) as (_, client):
        closing = client.until_closed()[-1]
    assert closing["content"]["text"] == "The answer comes in pieces."
    kinds = [message["type"] for message in client.seen if message["type"].startswith("tool")]
    assert kinds[0] == kinds[-1] == "tool" and set(kinds[1:-1]) == {"tool_progress"}
    progress = [message["content"] for message in of_type(client.seen, "tool_progress")]
    call_id = of_type(client.seen, "tool")[0]["content"]["callId"]
    assert {(message["callId"], message["tool"], message["agent"]) for message in progress} == {
        (call_id, "ask_agent", "helper")
    }
    assert "".join(message["text"] for message in progress) == "Looking at it.\nThe answer comes in pieces."
    assert progress[-1]["state"] == "finished"
    assert len(progress) > 3, "pieces come while they are made"


def test_an_agent_of_calls_asks_and_gets_files(tmp_path: Path, helper: PeerServer) -> None:
    answer = Calls(("final_answer", {"answer": "done"}))
    with run_message(tmp_path, helper, by_call("files please"), answer, agent="tools") as (live, client):
        client.until_closed()
        [file] = of_type(client.seen, "file")
        [image] = of_type(client.seen, "image")
        assert file["content"]["name"] == "numbers.csv" and image["path"] == "dot.png"
        assert httpx.get(live.url + file["url"]).content == b"a,b\n1,2\n"
        assert httpx.get(live.url + image["url"]).headers["content-type"] == "image/png"
    debug = of_type(client.seen, "debug")[0]
    assert debug["content"]["output_count"] == 2, "they belong to the step's batch"


def test_files_that_code_got_are_there_for_code_and_shown_once(tmp_path: Path, helper: PeerServer) -> None:
    cell = code("ask_agent(name='helper', message='files x')\nfinal_answer(open('numbers.csv').read())")
    with run_message(tmp_path, helper, cell) as (_, client):
        closing = client.until_closed()[-1]
    assert closing["content"]["text"] == "a,b\n1,2\n"
    assert [message["content"]["name"] for message in of_type(client.seen, "file")] == ["numbers.csv"]
    assert [message["path"] for message in of_type(client.seen, "image")] == ["dot.png"]


def test_their_question_is_an_ask_of_ours(tmp_path: Path, helper: PeerServer) -> None:
    with run_message(tmp_path, helper, asking("ask me")) as (_, client):
        ask = client.until("ask")["content"]
        assert (ask["kind"], ask["tool"], ask["prompt"]) == ("input", "ask_agent", "helper: Which town?")
        client.send(type="answer", askId=ask["askId"], granted=True, value="Nara")
        closing = client.until_closed()[-1]
    assert closing["content"]["text"] == "You said Nara."


def test_their_failure_is_an_observation_and_the_run_goes_on(tmp_path: Path, helper: PeerServer) -> None:
    with run_message(tmp_path, helper, asking("fail"), code("final_answer('never mind')")) as (live, client):
        closing = client.until_closed()[-1]
        events = [stored.event for stored in live.desk.store.events(client.chat_id)]
    assert (closing["content"]["state"], closing["content"]["text"]) == ("finished", "never mind")
    [failed] = [event for event in events if isinstance(event, ToolFailed)]
    assert failed.error == "AgentFailed: The agent failed: The well is dry."


def test_a_stop_of_the_run_cancels_theirs(tmp_path: Path, helper: PeerServer) -> None:
    with run_message(tmp_path, helper, asking("hang")) as (_, client):
        run_id = client.until("tool_progress", state="running")["runId"]
        client.send(type="cancel", runId=run_id)
        assert client.until_closed()[-1]["content"]["state"] == "cancelled"
        assert len(helper.seen.cancelled) == 1


def test_a_chat_goes_on_in_the_same_thread_also_after_a_restart(tmp_path: Path, helper: PeerServer) -> None:
    with desk(tmp_path, helper, asking("work a")) as live, WsClient(live.ws_url) as client:
        chat_id = client.hello()
        client.say("go")
        last = client.until_closed()[-1]["seq"]
        with WsClient(live.ws_url) as another:
            another.hello()
            another.say("go")
            another.until_closed()
    with (
        desk(tmp_path, helper, asking("work b")) as live,
        WsClient(live.ws_url, f"?chat={chat_id}&after={last}") as client,
    ):
        client.hello()
        client.say("go")
        client.until_closed()
        events = [stored.event for stored in live.desk.store.events(chat_id)]
    first, elsewhere, later = helper.seen.messages
    contexts = [event.context_id for event in events if isinstance(event, ToolProgress) and event.context_id]
    assert contexts == [later.context_id], "told once"
    # the library writes into a message that came without one the thread that it began
    assert first.context_id == later.context_id != elsewhere.context_id, "each chat has its own"
    assert [event.tool for event in events if isinstance(event, ToolReturned)] == ["ask_agent"] * 2


def test_the_operators_word_on_the_tool_counts(tmp_path: Path, helper: PeerServer) -> None:
    replies = asking("work hard"), code("final_answer('so be it')")
    with run_message(tmp_path, helper, *replies, tool_approval={"ask_agent": "always"}) as (_, client):
        ask = client.until("ask")["content"]
        assert (ask["kind"], ask["arguments"]) == ("approval", {"name": "helper", "message": "work hard"})
        assert helper.seen.messages == []
        client.send(type="answer", askId=ask["askId"], granted=False)
        client.until_closed()
    assert helper.seen.messages == []


def test_the_tool_is_there_only_where_somebody_can_be_asked(tmp_path: Path, helper: PeerServer) -> None:
    with desk(tmp_path / "a", helper, "") as live, WsClient(live.ws_url) as client:
        client.hello()
        chat = of_type(client.seen, "chat")[0]
        assert "ask_agent" in chat["content"]["tools"]
        assert live.desk.check_tool_settings()
    with live_desk(tmp_path / "b", lambda: ScriptedModel([""])) as live, WsClient(live.ws_url) as client:
        client.hello()
        assert "ask_agent" not in of_type(client.seen, "chat")[0]["content"]["tools"]


@pytest.mark.parametrize("agent", ["code", "tools"])
@pytest.mark.parametrize("request_", ["Ask the agent helper: work hard", "helperに聞いて: work hard"])
def test_without_a_key_the_built_in_analyst_asks(
    tmp_path: Path, helper: PeerServer, agent: str, request_: str
) -> None:
    (tmp_path / "agents.toml").write_text(helper.toml())
    with live_desk(tmp_path, agent=agent) as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say(request_)
        closing = client.until_closed()[-1]
    assert closing["content"]["text"] == "The answer comes in pieces."
    assert helper.seen.texts() == ["work hard"]


def test_a_killed_desk_goes_on_in_the_thread_it_had(
    tmp_path: Path, helper: PeerServer, free_port: int
) -> None:
    (tmp_path / "agents.toml").write_text(helper.toml())
    server = DeskProcess(tmp_path, free_port)
    try:
        server.wait_until_up()
        with WsClient(server.ws_url) as client:
            chat_id = client.hello()
            client.say("Ask the agent helper: hang")
            client.until("tool_progress", state="running")
        server.kill()
        server.close()
        server = DeskProcess(tmp_path, free_port)
        server.wait_until_up()
        with WsClient(server.ws_url, f"?chat={chat_id}&after=0") as client:
            client.hello()
            assert client.until_closed()[-1]["content"]["state"] == "failed"
            client.say("Ask the agent helper: work on")
            assert client.until_closed()[-1]["content"]["text"] == "The answer comes in pieces."
    finally:
        server.close()
    first, later = helper.seen.messages
    assert later.context_id == first.context_id and later.message_id != first.message_id


OFFERS = """
import sys
from smoldesk.app import create_app
from smoldesk.agents.a2a_client import Peer, Peers
from smoldesk.agents.a2a_client.tool import AskAgent
AskAgent(Peers({"maps": Peer("maps", "http://127.0.0.1:9/card")})).check({"name": "maps", "message": "x"})
print(sorted(name for name in sys.modules if name.split(".")[0] in ("a2a", "google", "grpc")))
"""


def test_nothing_of_a2a_is_imported_before_somebody_is_asked() -> None:
    ran = subprocess.run([sys.executable, "-c", OFFERS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
