"""A task that waits, over real HTTP: answered once, by whoever is first, and said to be only when it was taken."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue
from sqlalchemy import select

from smoldesk.errors import BadInput, DeskError
from smoldesk.events import (
    Ask,
    AskClosed,
    RunCancelled,
    RunFailed,
    RunResumed,
    Shown,
    StepStarted,
    ToolProgress,
)
from smoldesk.messages import Error, Text
from smoldesk.store.asks import Answer
from smoldesk.store.tables import AskRow
from smoldesk.tools.run_context import RunContext
from smoldesk.wires.answers import AnswerInput, parse_answer
from smoldesk.wires.tasks.input import was_accepted
from tests.support.desk_server import live_desk
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.task_agents import ask, confirm, show
from tests.support.task_client import TaskClient, artifacts, states, words
from tests.support.tools import Locating, Paying

NOT_WAITING = {"detail": "Task is not waiting for input"}
NOT_FOUND = {"detail": "Task not found"}
SECRET = "correct horse battery"


class Agents:
    """What the first word of a message calls."""

    def __init__(self) -> None:
        self.typed: list[Any] = []
        self.asked = threading.Event()

    def answer(self, message: str, ctx: RunContext) -> str:
        word = message.split()[0]
        ctx.emit(StepStarted(step=1))
        match word:
            case "name":
                return self.type(ctx, ask(ctx, input_type="text", prompt="Name: "))
            case "choose":
                options = ["Apple", "Banana", "3"]
                return self.type(ctx, ask(ctx, input_type="selection", options=options, prompt="Which? "))
            case "secret":
                return self.type(ctx, ask(ctx, input_type="password", prompt="Password: "), "•••")
            case "expire":
                return confirm_in(ctx, 0.5)
            case "deaf":  # the program is gone when the answer is to be typed
                ask(ctx, input_type="text", prompt="Name: ")
                raise DeskError("The program has ended: nothing could be typed.", code="program_exited")
            case "slow":  # takes the answer, and says nothing for longer than anybody waits
                ask(ctx, input_type="text", prompt="Name: ")
                self.asked.wait(20)
                return ""
            case "wait":
                ctx.stop.wait(30)
                ctx.stop.check()
                return ""
            case _:
                return confirm(message, ctx)

    def type(self, ctx: RunContext, answer: Answer, displayed: str | None = None) -> str:
        self.typed.append(answer.value)
        ctx.emit(StepStarted(step=2))
        show(ctx, Text(content=displayed or f"typed {answer.value}"))
        return displayed or f"typed {answer.value}"


def confirm_in(ctx: RunContext, seconds: float) -> str:
    answer = ask(ctx, seconds=seconds)
    ctx.emit(StepStarted(step=2))
    show(ctx, Text(content=f"{answer.by}: {answer.reason}"))
    return ""


class Stage:
    """Whose agents answer now."""

    agents = Agents()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with inside_desk(folder, lambda message, ctx: Stage.agents.answer(message, ctx)) as desk:
        yield desk


@pytest.fixture
def agents() -> Iterator[Agents]:
    Stage.agents = result = Agents()
    yield result
    result.asked.set()


@pytest.fixture
def client(desk: InsideDesk, agents: Agents) -> Iterator[TaskClient]:
    with TaskClient(desk.url, desk.transport) as results:
        yield results


def waiting(client: TaskClient, message: str) -> dict[str, Any]:
    """A task, once it waits."""
    return client.until(client.send(message)["id"], "input_required")


def last_words(client: TaskClient, task: dict[str, Any]) -> str:
    return words(client.until(task["id"], "completed")["artifacts"])[-1]


def test_a_task_asks_is_answered_and_completes(client: TaskClient) -> None:
    task = waiting(client, "confirm something")
    status = task["status"]
    assert (status["state"], status["message"]["type"], status["message"]["default"]) == (
        "input_required",
        "confirmation",
        "n",
    )
    assert status["message"]["options"] == ["y", "n"]
    assert status["message"]["prompt"] == "Continue? (y/n): "
    inputs = client.give(task["id"], "y")
    assert (inputs.status_code, inputs.json()) == (200, {"status": "input_provided", "task_id": task["id"]})
    assert last_words(client, task).startswith("granted=True")
    assert "message" not in client.get(task["id"])["status"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        *((word, "granted=True value=None reason=''") for word in ("y", "YES", "true", "はい", "ｙ", " y\n")),
        *((True, "granted=True value=None reason=''"), (False, "granted=False value=None reason=''")),
        *((word, "granted=False value=None reason=''") for word in ("n", "No", "いいえ", "")),
        ("no: too much", "granted=False value=None reason='too much'"),
    ],
)
def test_a_confirmation_takes_yes_and_no(client: TaskClient, message: JsonValue, expected: str) -> None:
    task = waiting(client, "confirm")
    assert client.give(task["id"], message).status_code == 200
    assert last_words(client, task) == expected


def test_two_answers_at_once_are_one_200_and_one_400(
    client: TaskClient, desk: InsideDesk, agents: Agents
) -> None:
    for _ in range(8):
        task = waiting(client, "name")
        barrier = threading.Barrier(2)

        def answer(
            word: str, task_id: str = task["id"], barrier: threading.Barrier = barrier
        ) -> tuple[int, Any]:
            with TaskClient(desk.url, desk.transport) as other:
                barrier.wait()
                inputs = other.give(task_id, word)
                return inputs.status_code, inputs.json()

        agents.typed.clear()
        with ThreadPoolExecutor(2) as pool:
            result = sorted(pool.map(answer, ["one", "two"]), key=str)
        assert result == [(200, {"status": "input_provided", "task_id": task["id"]}), (400, NOT_WAITING)]
        client.until(task["id"], "completed")
        assert len(agents.typed) == 1, "the program was told once"


def test_an_answer_that_could_not_be_typed_is_no_200(client: TaskClient) -> None:
    task = waiting(client, "deaf")
    inputs = client.give(task["id"], "Bo")
    assert inputs.status_code == 502
    assert "nothing could be typed" in inputs.json()["detail"]
    assert client.until(task["id"], "failed")["status"]["error"]["code"] == "program_exited"


@pytest.mark.long
def test_a_program_that_takes_its_time_does_not_hold_the_answer(client: TaskClient) -> None:
    task = waiting(client, "slow")
    assert client.give(task["id"], "Bo").status_code == 200
    assert client.get(task["id"])["status"]["state"] == "working"


def test_a_question_that_nobody_answers_expires(client: TaskClient) -> None:
    task = client.send("expire")
    with client.stream("GET", f"/tasks/{task['id']}/subscribe") as events:
        all_events = list(events)
    assert states(all_events) == ["working", "input_required", "working", "completed"]
    assert "expires_at" in all_events[1].json["message"]
    assert words(artifacts(all_events)) == ["expiry: No answer came in time"]
    assert client.give(task["id"], "y").json() == NOT_WAITING


def test_a_password_is_typed_and_told_to_nobody(
    client: TaskClient, desk: InsideDesk, agents: Agents, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    task = waiting(client, "secret")
    assert task["status"]["message"]["type"] == "password"
    assert client.give(task["id"], SECRET).status_code == 200
    assert last_words(client, task) == "•••"
    assert agents.typed == [SECRET]
    log = client.http.get(f"/api/chats/{task['contextId']}/events").text
    everywhere = [log, client.http.get(f"/tasks/{task['id']}").text, caplog.text]
    everywhere += [event.data for event in client.events(task["id"])]
    assert not any(SECRET in text for text in everywhere)
    query = select(AskRow.value).where(AskRow.run_id == task["id"])
    values = desk.desk.store.read(lambda connection: list(connection.execute(query).scalars()))
    assert values == ["null"]


@pytest.mark.parametrize(
    ("message", "typed"), [("Banana", "Banana"), ("banana", "Banana"), ("2", "Banana"), ("3", "3")]
)
def test_a_selection_is_made_by_name_or_number(
    client: TaskClient, agents: Agents, message: str, typed: str
) -> None:
    task = waiting(client, "choose")
    assert client.give(task["id"], message).status_code == 200
    assert last_words(client, task) == f"typed {typed}"


@pytest.mark.parametrize(
    ("message", "reply"),
    [("choose", "Cherry"), ("choose", 2), ("confirm", "perhaps"), ("name", None), ("name", ["x"])],
)
def test_what_is_no_answer_is_refused_and_the_question_stays(
    client: TaskClient, message: str, reply: JsonValue
) -> None:
    task = waiting(client, message)
    inputs = client.give(task["id"], reply)
    assert inputs.status_code == 422
    assert "Expected" in inputs.json()["detail"]
    assert client.get(task["id"])["status"] == task["status"]


def test_text_is_taken_as_it_is(client: TaskClient, agents: Agents) -> None:
    for text in ("", "  a b  ", "y", "日本語\nzwei"):
        task = waiting(client, "name")
        assert client.give(task["id"], text).status_code == 200
        client.until(task["id"], "completed")
    assert agents.typed == ["", "  a b  ", "y", "日本語\nzwei"]


def test_a_task_that_does_not_wait_and_one_that_is_unknown(client: TaskClient) -> None:
    task = client.send("wait")
    client.until(task["id"], "working")
    inputs = client.give(task["id"], "y")
    assert (inputs.status_code, inputs.json()) == (400, NOT_WAITING)
    unknown = client.give("r_nothing", "y")
    assert (unknown.status_code, unknown.json()) == (404, NOT_FOUND)
    client.http.post(f"/tasks/{task['id']}/cancel")
    ended = client.give(task["id"], "y")
    assert (ended.status_code, ended.json()) == (400, NOT_WAITING)


def test_an_answer_may_name_its_question(client: TaskClient) -> None:
    task = waiting(client, "confirm")
    other = waiting(client, "confirm")
    ask_id = task["status"]["message"]["ask_id"]
    assert client.give(other["id"], "y", ask_id=ask_id).json() == NOT_WAITING, "another task's"
    assert client.give(task["id"], "y", ask_id="a_nothing").json() == NOT_WAITING
    assert client.give(task["id"], "y", ask_id=ask_id).status_code == 200
    assert client.give(task["id"], "y", ask_id=ask_id).json() == NOT_WAITING


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b'{"input": NaN}', 400),
        (b"[" * 100_000, 400),
        (b"[]", 422),
        (b"{}", 422),
        (b'{"input": "y", "ask_id": 7}', 422),
        (b'{"input": "' + b"y" * (2 * 1024 * 1024) + b'"}', 413),
    ],
)  # fmt: skip
def test_a_malformed_body_is_refused_in_words(client: TaskClient, body: bytes, status: int) -> None:
    answer = client.http.post("/tasks/r_x/input", content=body)
    assert answer.status_code == status
    assert answer.json().keys() == {"detail"}


# --- cancel --------------------------------------------------------------------------------------------------------


def test_a_cancelled_task_is_canceled_and_stays_so(client: TaskClient) -> None:
    task = client.send("wait")
    client.until(task["id"], "working")
    answer = client.http.post(f"/tasks/{task['id']}/cancel")
    assert answer.status_code == 200
    assert (answer.json()["task_id"], answer.json()["task"]["status"]["state"]) == (task["id"], "canceled")
    again = client.http.post(f"/tasks/{task['id']}/cancel")
    assert (again.status_code, again.json()) == (400, {"detail": "Task is already canceled"})
    unknown = client.http.post("/tasks/r_nothing/cancel")
    assert (unknown.status_code, unknown.json()) == (404, NOT_FOUND)
    assert states(client.events(task["id"])) == ["working", "canceled"]


def test_a_task_that_waits_for_its_turn_or_for_an_answer_can_be_cancelled(client: TaskClient) -> None:
    first = waiting(client, "confirm")
    second = client.send("confirm", contextId=first["contextId"])
    for task, path in (
        (second, ["submitted", "canceled"]),
        (first, ["working", "input_required", "canceled"]),
    ):
        assert client.http.post(f"/tasks/{task['id']}/cancel").json()["task"]["status"]["state"] == "canceled"
        assert states(client.events(task["id"])) == path


# --- approvals of tools ----------------------------------------------------------------------------------------------


def test_the_approval_of_a_tool_is_answered_like_any_question(tmp_path: Path) -> None:
    ran: list[str] = []
    reply = code(
        "try:\n    said = pay(word='30')\nexcept Exception as fault:\n    said = str(fault)\nfinal_answer(said)"
    )
    model = ScriptedModel([reply])
    with live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live, TaskClient(live.url) as client:
        task = waiting(client, "pay")
        message = task["status"]["message"]
        assert (message["type"], message["tool"], message["arguments"]) == (
            "confirmation",
            "pay",
            {"word": "30"},
        )
        assert ran == []
        assert client.give(task["id"], "はい").status_code == 200
        assert last_words(client, task) == "paid 30"
        assert ran == ["30"]
        denied = waiting(client, "pay")
        assert client.give(denied["id"], "n", reason="too much").status_code == 200
        assert "too much" in last_words(client, denied)
        assert ran == ["30"], "a denied tool never runs"


def test_work_of_the_client_takes_json(tmp_path: Path) -> None:
    got: list[JsonValue] = []
    model = ScriptedModel([code("final_answer(str(get_location()))")])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Locating(got)]) as live,
        TaskClient(live.url) as client,
    ):
        for inputs in ({"lat": 1.5}, '{"lat": 1.5}'):
            task = waiting(client, "where")
            assert task["status"]["message"]["type"] == "json"
            assert client.give(task["id"], "{lat").status_code == 422
            assert client.give(task["id"], inputs).status_code == 200
            client.until(task["id"], "completed")
    assert got == [{"lat": 1.5}, {"lat": 1.5}]


# --- without a server ------------------------------------------------------------------------------------------------


def an_ask(**about: Any) -> Ask:
    inputs: dict[str, Any] = {"kind": "input", "input_type": "confirmation"} | about
    return Ask(id="a_1", expires_at=datetime.now(UTC) + timedelta(minutes=1), **inputs)


def test_nothing_entered_takes_the_default_or_is_no_answer() -> None:
    assert parse_answer(an_ask(default="y"), AnswerInput("")) == Answer(True)
    assert parse_answer(an_ask(default="N"), AnswerInput(" ")).granted is False
    chosen = an_ask(input_type="selection", options=["a", "b"], default="b")
    assert parse_answer(chosen, AnswerInput("")) == Answer(True, "b")
    with pytest.raises(BadInput):
        parse_answer(an_ask(), AnswerInput(""))


@pytest.mark.parametrize("number", ["0", "3", "-1", "1e0", "٢", "00000"])
def test_a_number_that_is_none_of_the_options_chooses_nothing(number: str) -> None:
    with pytest.raises(BadInput):
        parse_answer(an_ask(input_type="selection", options=["a", "b"]), AnswerInput(number))


def test_only_what_follows_the_answer_says_that_it_was_taken() -> None:
    closed = AskClosed(ask_id="a_1", granted=True)
    error = Shown(message=Error(content="gone"))
    assert [was_accepted(event) for event in (closed, RunResumed(), error)] == [False, False, False]
    assert was_accepted(StepStarted(step=2)) and was_accepted(Shown(message=Text(content="x")))
    assert was_accepted(ToolProgress(step=1, call_id="c", tool="ask_agent", agent="b", state="running"))
    for end in (RunFailed(code="c", message="gone"), RunCancelled(reason="stopped")):
        with pytest.raises(DeskError) as fault:
            was_accepted(end)
        assert fault.value.code == "not_taken"


def test_a_reason_is_not_endless() -> None:
    assert len(parse_answer(an_ask(), AnswerInput("no: " + "x" * 10_000)).reason) == 500
