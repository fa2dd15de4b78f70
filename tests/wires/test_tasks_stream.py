"""Streams of tasks over real sockets: everything, in order, however early, late or slow a client is."""

import gc
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import DeskError
from smoldesk.events import StepStarted
from smoldesk.messages import Text
from smoldesk.tools.run_context import RunContext
from smoldesk.wires.event_stream import event_text
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.task_agents import BLOCK, confirm, count, flood, show, talk, write
from tests.support.task_client import (
    EventReader,
    ServerEvent,
    TaskClient,
    artifacts,
    lines_of,
    states,
    words,
)
from tests.support.waiting import come_true

KEEP_ALIVE = 0.2
TALKED = [("text", "Looking\nat it.\n"), ("code", "print('hello')"), ("text", "Done: go")]


class Agents:
    """What the first word of a message calls; a held one waits until the test lets it go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.began = threading.Event()
        self.ran: list[str] = []

    def answer(self, message: str, ctx: RunContext) -> str:
        self.ran.append(message)
        expected: dict[str, Callable[[str, RunContext], str]] = {
            "held": self.held,
            "confirm": confirm,
            "count": count,
            "flood": flood,
            "break": self.broken,
            "silent": self.silent,
        }
        return expected.get(message.split()[0], talk)(message, ctx)

    def held(self, message: str, ctx: RunContext) -> str:
        ctx.emit(StepStarted(step=1))
        write(ctx, "first;")
        ctx.settle()
        self.began.set()
        assert self.go.wait(30)
        write(ctx, "second;", "third;")
        show(ctx, Text(content="first;second;third;"))
        return ""

    def broken(self, message: str, ctx: RunContext) -> str:
        write(ctx, "half a li")
        raise DeskError("The program exited with code 3.", code="program_exited")

    def silent(self, message: str, ctx: RunContext) -> str:
        ctx.stop.wait(0.3)
        raise DeskError("The program has been silent for 0.3 s.", code="program_silent")


class Stage:
    """Whose agents answer now."""

    agents = Agents()


def answer_on_stage(message: str, ctx: RunContext) -> str:
    return Stage.agents.answer(message, ctx)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with inside_desk(folder, answer_on_stage, keep_alive_seconds=KEEP_ALIVE) as desk:
        yield desk


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """For clients that are slow or gone."""
    folder = tmp_path_factory.mktemp("served")
    with live_desk(folder, answer=answer_on_stage, keep_alive_seconds=KEEP_ALIVE) as live:
        yield live


@pytest.fixture
def agents() -> Iterator[Agents]:
    Stage.agents = result = Agents()
    yield result
    result.go.set()


@pytest.fixture
def client(desk: InsideDesk, agents: Agents) -> Iterator[TaskClient]:
    with TaskClient(desk.url, desk.transport) as results:
        yield results


@pytest.fixture
def served_client(served: LiveDesk, agents: Agents) -> Iterator[TaskClient]:
    with TaskClient(served.url) as results:
        yield results


def kinds(results: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(item["type"], text) for item, text in zip(results, words(results), strict=True)]


# --- nothing is lost -----------------------------------------------------------------------------------------------


def test_a_sent_message_streams_working_then_artifacts_then_its_end(client: TaskClient) -> None:
    reader = EventReader()
    with client.stream("POST", "/tasks/sendSubscribe", reader, json={"message": "go"}) as events:
        first = next(events)
        assert reader.retry == 2000, "told before anything else"
        results = [first, *events]
    assert states(results) == ["working", "completed"]
    assert (first.event, results[-1].json["state"], results[-1].json["final"]) == (
        "status",
        "completed",
        True,
    )
    assert {event.event for event in results} == {"status", "artifact"}
    assert kinds(artifacts(results)) == TALKED
    assert client.get(first.json["taskId"])["artifacts"] == artifacts(results)
    assert results[0].json["contextId"] == client.get(first.json["taskId"])["contextId"]


def test_what_was_before_the_subscriber_is_told(client: TaskClient, agents: Agents) -> None:
    task = client.send("held")
    assert agents.began.wait(20)
    with client.stream("GET", f"/tasks/{task['id']}/subscribe") as events:
        early = [next(events), next(events)]
        assert (states(early), words(artifacts(early))) == (["working"], ["first;"])
        agents.go.set()
        results = [*early, *events]
    assert words(artifacts(results)) == ["first;second;third;"]


def test_a_task_that_is_over_at_once_loses_nothing_and_ends_with_its_end(client: TaskClient) -> None:
    """Five artifacts and the end, as fast as they can be written, again and again."""
    for _ in range(10):
        result = client.send_subscribe("count 5")
        assert words(artifacts(result)) == ["0;1;2;3;4;", ""]
        assert artifacts(result)[1]["parts"] == [{"type": "data", "data": {"count": 5}}]
        assert result[-1].json["state"] == "completed"
        assert states(result) == ["working", "completed"]


def test_a_subscriber_after_the_end_gets_all_of_it_and_the_stream_closes(client: TaskClient) -> None:
    sent = client.send_subscribe()
    task_id = sent[0].json["taskId"]
    for _ in range(3):  # the second and third time are after a follower has come and gone
        assert client.events(task_id) == sent


def test_a_subscriber_that_comes_before_the_agent_begins_gets_everything(
    client: TaskClient, agents: Agents
) -> None:
    first = client.send("held")
    second = client.send("go", contextId=first["contextId"])
    assert second["status"]["state"] == "submitted"
    with client.stream("GET", f"/tasks/{second['id']}/subscribe") as events:
        assert next(events).json["state"] == "submitted"
        agents.go.set()
        all_events = list(events)
    assert states(all_events) == ["working", "completed"]
    assert kinds(artifacts(all_events)) == TALKED, "and nothing of the first one"


def test_the_stream_shows_that_input_is_required_and_goes_on_after_it(client: TaskClient) -> None:
    with client.stream("POST", "/tasks/sendSubscribe", json={"message": "confirm"}) as events:
        results: list[ServerEvent] = []
        for event in events:
            results.append(event)
            if event.event == "status" and event.json["state"] == "input_required":
                assert event.json["message"]["prompt"] == "Continue? (y/n): "
                assert client.give(event.json["taskId"], "y").status_code == 200
    assert states(results) == ["working", "input_required", "working", "completed"]
    assert words(artifacts(results)) == ["About to begin.\n", "granted=True value=None reason=''"]


def test_pieces_reach_the_client_while_the_agent_works(client: TaskClient, agents: Agents) -> None:
    with client.stream("POST", "/tasks/sendSubscribe", json={"message": "held"}) as events:
        assert next(events).json["state"] == "working"
        assert next(events).json["artifact"]["parts"][0]["text"] == "first;"
        assert not agents.go.is_set(), "nothing held it back until the end"
        agents.go.set()
        assert states(list(events)) == ["completed"]


# --- coming again --------------------------------------------------------------------------------------------------


def test_a_client_that_comes_again_with_an_id_gets_what_follows_it(client: TaskClient) -> None:
    sent = client.send_subscribe()
    task_id = sent[0].json["taskId"]
    assert len({event.id for event in sent}) == len(sent)
    for place, event in enumerate(sent[:-1]):
        assert client.events(task_id, after=event.id) == sent[place + 1 :]
        assert client.events(task_id, **{"Last-Event-ID": event.id}) == sent[place + 1 :]


def test_a_client_that_has_it_all_is_told_not_to_come_again(client: TaskClient) -> None:
    last = client.send_subscribe()[-1]
    path = f"/tasks/{last.json['taskId']}/subscribe"
    assert client.http.get(path, headers={"Last-Event-ID": last.id}).status_code == 204
    assert client.events(last.json["taskId"], after=last.id) == []
    assert client.events(last.json["taskId"], after="999999") == []


@pytest.mark.parametrize("place", ["x", "-1", "1.2.3", "1e3", "٣", "9" * 40])
def test_a_place_that_is_none_is_refused(client: TaskClient, place: str) -> None:
    task = client.send()
    answer = client.http.get(f"/tasks/{task['id']}/subscribe", params={"after": place})
    assert answer.status_code == 400
    assert "not a position in a task" in answer.json()["detail"]


def test_an_answer_of_a_run_and_its_end_can_be_told_apart(tmp_path: Path) -> None:
    """One event of the log makes both; a client that has the first must still get the second."""
    with live_desk(tmp_path, answer=lambda message, ctx: "42") as live, TaskClient(live.url) as client:
        working, answer, end = client.send_subscribe()
        assert words(artifacts([working, answer])) == ["42"]
        assert client.events(end.json["taskId"], after=answer.id) == [end]


# --- many, slow and gone -------------------------------------------------------------------------------------------


def test_subscribers_that_join_while_it_is_told_all_get_the_same(
    served_client: TaskClient, served: LiveDesk
) -> None:
    task = served_client.send("count 300")

    def follow(number: int) -> list[ServerEvent]:
        time.sleep(number * 0.01)
        with TaskClient(served.url) as other:
            return other.events(task["id"])

    with ThreadPoolExecutor(12) as pool:
        result = list(pool.map(follow, range(12)))
    assert all(events == result[0] for events in result)
    assert words(artifacts(result[0]))[0] == "".join(f"{number};" for number in range(300))


def test_tasks_on_threads_of_their_own_do_not_mix(served: LiveDesk) -> None:
    """Each run emits from its own thread, all at once."""

    def item(number: int) -> tuple[int, list[ServerEvent]]:
        with TaskClient(served.url) as client:
            return number, client.send_subscribe(f"count {number}")

    with ThreadPoolExecutor(10) as pool:
        for number, events in pool.map(item, range(20, 60)):
            assert words(artifacts(events))[0] == "".join(f"{piece};" for piece in range(number))
            assert states(events) == ["working", "completed"]
            assert len({event.json["taskId"] for event in events}) == 1


def test_a_client_that_leaves_is_forgotten_at_once_and_its_task_goes_on(
    served_client: TaskClient, served: LiveDesk, agents: Agents
) -> None:
    followers = served.desk.store.followers
    come_true(lambda: followers.count() == 0)
    with served_client.stream("POST", "/tasks/sendSubscribe", json={"message": "held"}) as events:
        task_id = next(events).json["taskId"]
        come_true(lambda: followers.count() == 1)
    come_true(lambda: followers.count() == 0)
    assert not agents.go.is_set(), "it did not have to say anything for that"
    gc.collect()
    agents.go.set()
    assert served_client.until(task_id, "completed")["status"]["state"] == "completed"


def test_a_reader_that_stalls_holds_up_nobody(served_client: TaskClient, served: LiveDesk) -> None:
    """Its socket takes a little; the run ends all the same, others read, and it still gets every piece."""
    port = httpx.URL(served.url).port
    task = served_client.send("flood 800")
    with socket.create_connection(("127.0.0.1", port or 0)) as stalled:
        request = f"GET /tasks/{task['id']}/subscribe HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        stalled.sendall(request.encode())
        assert served_client.until(task["id"], "completed")["status"]["state"] == "completed"
        stalled.settimeout(20)
        received = bytearray()
        while piece := stalled.recv(65536):
            received += piece
    body = received.decode().partition("\r\n\r\n")[2]
    result = list(EventReader().read(lines_of([body])))
    [text] = words(artifacts(result))
    assert [text[start : start + 5] for start in range(0, len(text), BLOCK)] == [
        f"{number};".ljust(5, "x") for number in range(800)
    ]
    assert result[-1].json["state"] == "completed"


@pytest.mark.long
def test_silence_is_filled_with_comments(client: TaskClient, agents: Agents) -> None:
    """A fifth of a second here; 15 s is the most that the settings take."""
    reader = EventReader()
    with client.stream("POST", "/tasks/sendSubscribe", reader, json={"message": "held"}) as events:
        next(events)
        next(events)
        threading.Timer(5 * KEEP_ALIVE, agents.go.set).start()
        all_events = list(events)
    assert len(reader.comments) >= 3
    assert states(all_events) == ["completed"]


def test_nobody_on_the_way_may_hold_the_stream_back(client: TaskClient) -> None:
    with client.http.stream("POST", "/tasks/sendSubscribe", json={"message": "go"}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-cache, no-transform"
        assert response.headers["x-accel-buffering"] == "no"
        assert "content-length" not in response.headers
        response.read()


def test_a_chat_that_is_deleted_closes_the_stream_of_a_reader(client: TaskClient, desk: InsideDesk) -> None:
    task = client.send_subscribe()[0].json
    assert client.http.delete(f"/api/chats/{task['contextId']}").status_code == 204
    answer = client.http.get(f"/tasks/{task['taskId']}/subscribe")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Task not found"})


# --- how it ends ---------------------------------------------------------------------------------------------------


def test_a_program_that_breaks_off_ends_failed_with_its_reason(client: TaskClient) -> None:
    result = client.send_subscribe("break")
    assert states(result) == ["working", "failed"]
    assert result[-1].json["error"] == {
        "code": "program_exited",
        "message": "The program exited with code 3.",
    }
    assert words(artifacts(result)) == ["half a li", "The program exited with code 3."]


def test_a_program_that_hangs_ends_failed(client: TaskClient) -> None:
    result = client.send_subscribe("silent")
    assert result[-1].json["state"] == "failed"
    assert result[-1].json["error"]["code"] == "program_silent"


def test_a_desk_that_is_stopped_ends_its_streams_with_the_end_of_their_tasks(
    tmp_path: Path, agents: Agents
) -> None:
    def answer(message: str, ctx: RunContext) -> str:
        ctx.emit(StepStarted(step=1))
        agents.began.set()
        ctx.stop.wait(30)
        ctx.stop.check()
        return ""

    with (
        live_desk(tmp_path, answer=answer) as live,
        TaskClient(live.url) as client,
        client.stream("POST", "/tasks/sendSubscribe", json={"message": "go"}) as events,
    ):
        assert next(events).json["state"] == "working"
        assert agents.began.wait(20)
        threading.Thread(target=live.stop).start()
        all_events = list(events)
    assert states(all_events) == ["canceled"]
    assert "stopped" in all_events[-1].json["reason"]


def test_code_of_the_agent_comes_as_code_over_the_stream(tmp_path: Path) -> None:
    """The desk's own agent, with a scripted model: its code is an artifact of type code, its answer a text."""
    replies = [code("x = 6 * 7\nprint(x)"), code("final_answer('It is 42.')")]
    with live_desk(tmp_path, lambda: ScriptedModel(replies)) as live, TaskClient(live.url) as client:
        result = client.send_subscribe("compute")
    assert states(result) == ["working", "completed"]
    codes = [artifact for artifact in artifacts(result) if artifact["type"] == "code"]
    assert codes[0]["metadata"] == {"language": "python", "mimeType": "text/x-python"}
    assert "x = 6 * 7" in codes[0]["parts"][0]["text"]
    assert [
        text
        for item, text in zip(artifacts(result), words(artifacts(result)), strict=True)
        if item["type"] == "text"
    ] == ["It is 42."]


# --- the text of an event ------------------------------------------------------------------------------------------

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), min_size=1, max_size=20
)


@given(ANY, PLAIN, PLAIN, st.integers(0, 10_000))
def test_an_event_survives_a_parser(data: str, name: str, id: str, retry: int) -> None:
    """Also with breaks in its data, a retry of 0 and signs that Python takes for breaks."""
    reader = EventReader()
    text = event_text(data, event=name, id=id, retry=retry).decode()
    [read] = reader.read(lines_of([text]))
    unified = data.replace("\r\n", "\n").replace("\r", "\n")
    assert (read.data, read.event, read.id, reader.retry) == (unified, name, id, retry)


def test_a_break_in_an_id_or_a_name_does_not_break_the_frame() -> None:
    text = event_text("x", event="a\ndata: forged", id="1\r\nevent: forged").decode()
    [read] = EventReader().read(lines_of([text]))
    assert (read.event, read.data, read.id) == ("adata: forged", "x", "1event: forged")


def test_lines_in_an_artifact_stay_one_line_of_data(client: TaskClient) -> None:
    """So a client that reads `data:` lines one by one is right, too."""
    with client.http.stream("POST", "/tasks/sendSubscribe", json={"message": "go"}) as response:
        body = "".join(response.iter_text())
    frames = [frame for frame in body.split("\n\n") if "data:" in frame]
    assert frames and all(frame.count("data:") == 1 for frame in frames)
    assert '"text":"Looking\\n"}' in body
