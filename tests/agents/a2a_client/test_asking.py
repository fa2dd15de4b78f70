"""One agent asks another: a real A2A server of the library's own, streamed and polled, over both of its bindings."""

import contextlib
import json
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.agents.a2a_client import Peer, Peers
from smoldesk.agents.a2a_client.client import run_in_new_loop
from smoldesk.agents.a2a_client.entries import AgentFailed
from smoldesk.agents.a2a_client.tool import AskAgent
from smoldesk.errors import BadInput, Stopped
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from tests.support.aio import aside
from tests.support.peer_server import PNG, NotingContext, PeerServer, ask_of, peer_server

WAYS = [(True, ("JSONRPC",)), (True, ("HTTP+JSON",)), (False, ("JSONRPC",)), (False, ("HTTP+JSON",))]
IDS = ["JSON-RPC, streamed", "HTTP+JSON, streamed", "JSON-RPC, polled", "HTTP+JSON, polled"]


def peers(server: PeerServer, **more: Any) -> Peers:
    return Peers({"helper": Peer("helper", server.card, "Helps.")}, silence=20, **more)


def ask_peer(context: NotingContext, server: PeerServer, message: str, depth: int = 0) -> str:
    return ask_of(peers(server), message, context, depth)


@pytest.fixture
def context(tmp_path: Path) -> NotingContext:
    return NotingContext(tmp_path)


@pytest.fixture(params=WAYS, ids=IDS)
def server(request: pytest.FixtureRequest) -> Iterator[PeerServer]:
    streaming, bindings = request.param
    with peer_server(streaming, bindings) as running_server:
        yield running_server


def test_the_answer_comes_whole_and_in_pieces_before(context: NotingContext, server: PeerServer) -> None:
    assert ask_peer(context, server, "work hard") == "The answer comes in pieces."
    assert context.words() == "Looking at it.\nThe answer comes in pieces."
    assert context.states()[-2:] == ["running", "finished"]
    assert {agent for agent, _, _ in context.said} == {"helper"}
    assert server.seen.texts() == ["work hard"]


def test_a_bare_message_is_an_answer(context: NotingContext, server: PeerServer) -> None:
    assert ask_peer(context, server, "say good morning") == "good morning"


def test_a_question_is_asked_and_its_answer_goes_back_to_the_task(
    context: NotingContext, server: PeerServer
) -> None:
    assert ask_peer(context, server, "ask me") == "You said Kyoto."
    [ask] = context.asks
    assert (ask.kind, ask.input_type, ask.prompt) == ("input", "text", "helper: Which town?")
    first, second = server.seen.messages
    assert second.task_id and second.parts[0].text == "Kyoto"
    assert first.message_id != second.message_id
    assert "waiting" in context.states()


def test_options_of_a_question_are_a_selection(context: NotingContext, server: PeerServer) -> None:
    context.answer = lambda ask: Answer(granted=True, value=ask.options[1])
    assert ask_peer(context, server, "choose one") == "You said blue."
    assert context.asks[0].input_type == "selection" and context.asks[0].options == ["red", "blue"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(granted=False, reason="No time"), "No time"),
        (Answer(granted=False, reason="late", by="expiry"), "no answer came in time"),
    ],
)
def test_a_question_that_nobody_answers_ends_their_work(
    context: NotingContext, server: PeerServer, answer: Answer, expected: str
) -> None:
    context.answer = lambda ask: answer
    with pytest.raises(AgentFailed, match=expected):
        ask_peer(context, server, "ask me")
    assert len(server.seen.cancelled) == 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("fail", "The agent failed: The well is dry."),
        ("reject", "The agent refused the task: Not on Sundays."),
    ],
)
def test_other_ends_are_faults_with_their_words(
    context: NotingContext, server: PeerServer, message: str, expected: str
) -> None:
    with pytest.raises(AgentFailed, match=expected):
        ask_peer(context, server, message)


def test_credentials_that_are_wanted_end_their_work(context: NotingContext, server: PeerServer) -> None:
    expected = r"The agent requires credentials: Log in first\..*token_env"
    with pytest.raises(AgentFailed, match=expected):
        ask_peer(context, server, "auth")
    assert len(server.seen.cancelled) == 1


def test_data_is_told_as_json(context: NotingContext, server: PeerServer) -> None:
    first, _, second = ask_peer(context, server, "data please").partition("\n")
    assert first == "Numbers:"
    assert json.loads(second) == {"count": 42, "mean": 1.5}


def test_files_come_into_the_chat_and_strange_addresses_are_links(
    context: NotingContext, server: PeerServer, tmp_path: Path
) -> None:
    answer = ask_peer(context, server, "files please")
    assert answer.splitlines()[0] == "Two files."
    assert set(answer.splitlines()[2:]) == {
        "Wrote: numbers.csv",
        "Wrote: dot.png",
        "Link: http://192.0.2.1/secret.txt",
    }
    assert (tmp_path / "numbers.csv").read_bytes() == b"a,b\n1,2\n"
    assert (tmp_path / "dot.png").read_bytes() == PNG
    assert {path.name for path in tmp_path.iterdir()} == {"numbers.csv", "dot.png"}


def test_a_file_that_is_too_large_is_not_taken(
    context: NotingContext, server: PeerServer, tmp_path: Path
) -> None:
    answer = ask_of(peers(server, file_limit=4), "files please", context)
    assert "numbers.csv was not accepted: it has more than 4 bytes" in answer
    assert "larger than 4 bytes" in answer
    assert list(tmp_path.iterdir()) == []


def test_a_stop_of_ours_cancels_theirs(context: NotingContext, server: PeerServer) -> None:
    def on_progress(text: str) -> None:
        if "Looking" in text:
            context.stop.set("A person pressed stop")

    context.on_progress = on_progress
    with pytest.raises(Stopped, match="A person pressed stop"):
        ask_peer(context, server, "hang")
    assert len(server.seen.cancelled) == 1


def test_one_that_says_nothing_is_given_up_and_cancelled(context: NotingContext, server: PeerServer) -> None:
    silent = Peers({"helper": Peer("helper", server.card)}, silence=0.7)
    with pytest.raises(AgentFailed, match=r"The agent sent nothing for 0\.7 s"):
        ask_of(silent, "hang", context)
    assert len(server.seen.cancelled) == 1
    assert context.states()[-1] == "failed"


def test_a_flood_is_cut_off_and_cancelled(context: NotingContext, server: PeerServer) -> None:
    with pytest.raises(AgentFailed, match="1,000,000 characters"):
        ask_peer(context, server, "flood 150")
    assert len(context.words()) < 21_000


def test_much_is_answered_whole_though_only_its_beginning_is_shown(
    context: NotingContext, server: PeerServer
) -> None:
    assert len(ask_peer(context, server, "flood 50")) == 500_000
    assert len(context.words()) < 21_000 and context.words().endswith("…")


def test_the_depth_goes_along_with_every_message(context: NotingContext, server: PeerServer) -> None:
    ask_peer(context, server, "ask me", depth=2)
    assert server.seen.metadata() == [{"smoldesk/depth": 3.0}] * 2


def test_the_thread_that_it_names_is_told_once(context: NotingContext, server: PeerServer) -> None:
    ask_peer(context, server, "work hard")
    assert len(context.contexts) == 1

    def last_context(chat_id: str, name: str) -> str:
        assert (chat_id, name) == ("c_1", "helper")
        return context.contexts[0]

    settings = peers(server, last_context=last_context)
    again = NotingContext(context.folder)
    ask_of(settings, "work on", again)
    assert server.seen.contexts()[1] == context.contexts[0]
    assert again.contexts == []


def test_work_that_went_through_many_agents_goes_no_further(
    context: NotingContext, server: PeerServer
) -> None:
    assert ask_peer(context, server, "work hard", depth=3)
    with pytest.raises(BadInput, match="4 agents already"):
        ask_peer(context, server, "work hard", depth=4)
    assert len(server.seen.messages) == 1


def test_a_token_is_sent_where_one_is_listed(context: NotingContext, monkeypatch: pytest.MonkeyPatch) -> None:
    with peer_server(token="open sesame") as guarded:
        settings = Peers({"helper": Peer("helper", guarded.card, token_env="HELPER_TOKEN")}, silence=20)
        monkeypatch.delenv("HELPER_TOKEN", raising=False)
        with pytest.raises(BadInput, match="HELPER_TOKEN"):
            ask_of(settings, "files x", context)
        monkeypatch.setenv("HELPER_TOKEN", "wrong")
        with pytest.raises(AgentFailed, match="401") as refused:
            ask_of(settings, "files x", context)
        assert "wrong" not in str(refused.value)
        monkeypatch.setenv("HELPER_TOKEN", "open sesame")
        assert "dot.png" in ask_of(settings, "files x", context)
        assert guarded.seen.headers[0]["authorization"] == "Bearer open sesame"


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "nobody", "message": "x"},
        {"name": ["helper"], "message": "x"},
        {"name": "helper", "message": " "},
        {"name": "helper", "message": 3},
        {"name": "helper", "message": "x" * 100_001},
    ],
)
def test_what_cannot_be_asked_is_said_before(arguments: dict[str, object]) -> None:
    tool = AskAgent(Peers({"helper": Peer("helper", "http://127.0.0.1:9/card")}))
    with pytest.raises(BadInput):
        tool.check(arguments)  # pyright: ignore


def test_its_description_names_who_can_be_asked() -> None:
    tool = AskAgent(Peers({"a": Peer("a", "http://x/", "Knows maps."), "b": Peer("b", "http://y/")}))
    assert "a: Knows maps.; b: an agent" in tool.description


def test_a_stop_that_comes_as_the_work_ends_harms_nobody() -> None:
    """The flag calls outside of its lock: what it calls may find the loop gone."""
    calls: list[Callable[[], None]] = []

    class Late(StopFlag):
        @contextlib.contextmanager
        def calling(self, callback: Callable[[], None]) -> Generator[None]:
            calls.append(callback)
            yield

    async def work() -> str:
        return "done"

    stop = Late()
    assert aside(lambda: run_in_new_loop(work, stop)) == "done"
    stop.close()
    for call in calls:
        call()
    assert len(calls) == 1
