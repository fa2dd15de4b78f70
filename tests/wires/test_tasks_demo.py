"""The demo program as a task, over real HTTP: a real process under a terminal answers, asks, breaks off and is stopped."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.task_client import TaskClient, artifacts, states, words
from tests.support.terminals import commands_below

SECRET = "hunter22-and-more"
FENCED = "Before.\n```python\nprint('hello')\n```\nAfter."


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk")) as live:
        yield live
    assert not [line for line in commands_below() if "demo.py" in line], "no program outlives its desk"


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[TaskClient]:
    with TaskClient(desk.url) as results:
        yield results


def test_code_blocks_come_as_code_over_the_stream(client: TaskClient) -> None:
    result = client.send_subscribe(FENCED, agent="demo")
    assert states(result) == ["working", "completed"]
    created = artifacts(result)
    assert [(item["type"], text) for item, text in zip(created, words(created), strict=True)] == [
        ("text", "Before."),
        ("code", "print('hello')"),
        ("text", "After."),
    ]
    assert created[1]["metadata"] == {"language": "python", "mimeType": "text/x-python"}
    assert client.get(result[0].json["taskId"])["artifacts"] == created


def test_confirm_something_asks_is_answered_and_completes(client: TaskClient) -> None:
    task = client.send("confirm something", agent="demo")
    task = client.until(task["id"], "input_required")
    question = task["status"]["message"]
    assert (question["type"], question["prompt"], question["options"]) == (
        "confirmation",
        "Continue? (y/n):",
        ["y", "n"],
    )
    assert client.give(task["id"], "y").json() == {"status": "input_provided", "task_id": task["id"]}
    assert words(client.until(task["id"], "completed")["artifacts"]) == ["Confirmed."]


def test_a_no_is_typed_as_a_no(client: TaskClient) -> None:
    task = client.send("confirm something", agent="demo")
    client.until(task["id"], "input_required")
    assert client.give(task["id"], "n").status_code == 200
    assert words(client.until(task["id"], "completed")["artifacts"]) == ["Not confirmed."]


def test_a_password_is_typed_and_seen_nowhere(client: TaskClient) -> None:
    task = client.send("a secret", agent="demo")
    assert client.until(task["id"], "input_required")["status"]["message"]["type"] == "password"
    assert client.give(task["id"], SECRET).status_code == 200
    done = client.until(task["id"], "completed")
    assert words(done["artifacts"]) == [f"Thank you, that were {len(SECRET)} characters."]
    everything = [client.http.get(f"/api/chats/{task['contextId']}/events").text]
    everything += [event.data for event in client.events(task["id"])]
    assert not any(SECRET in text for text in everything)


def test_the_next_task_of_a_context_has_no_text_of_the_first(client: TaskClient) -> None:
    first = client.send("one two", agent="demo")
    second = client.send("three four", agent="demo", contextId=first["contextId"])
    assert words(client.until(second["id"], "completed")["artifacts"]) == ["three four"]
    assert words(client.get(first["id"])["artifacts"]) == ["one two"]


def test_contexts_have_programs_of_their_own(desk: LiveDesk) -> None:
    def item(word: str) -> list[str]:
        with TaskClient(desk.url) as client:
            return words(artifacts(client.send_subscribe(f"{word} {word} {word}", agent="demo")))

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(item, "abc")) == [[f"{word} {word} {word}"] for word in "abc"]


def test_a_program_that_ends_fails_its_task_with_the_exit_code(client: TaskClient) -> None:
    result = client.send_subscribe("crash", agent="demo")
    assert states(result) == ["working", "failed"]
    assert result[-1].json["error"]["code"] == "program_exited"
    assert "code 3" in result[-1].json["error"]["message"]
    assert words(artifacts(result))[0] == "Crashing."


def test_a_cancel_interrupts_the_program_and_the_context_goes_on(client: TaskClient) -> None:
    with client.stream("POST", "/tasks/sendSubscribe", json={"message": "slow", "agent": "demo"}) as events:
        first = next(events)
        assert "Line 1." in next(events).json["artifact"]["parts"][0]["text"], "as it is written"
        assert (
            client.http.post(f"/tasks/{first.json['taskId']}/cancel").json()["task"]["status"]["state"]
            == "canceled"
        )
        assert states(list(events)) == ["canceled"]
    task = client.send("hello", agent="demo", contextId=first.json["contextId"])
    assert words(client.until(task["id"], "completed")["artifacts"])[-1] == "hello"
