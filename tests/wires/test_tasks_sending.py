"""Messages as tasks over real HTTP: what is taken, what is refused and how, what a task tells of itself, and the doors."""

import base64
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.tools.run_context import RunContext
from smoldesk.wires.tasks.requests import read_input, read_json, read_task
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.support.task_agents import confirm, talk
from tests.support.task_client import TaskClient, states

TOKEN = "a-long-random-token"
LIMIT = 2_000
"""Bytes of a message's text here."""


def answer(message: str, ctx: RunContext) -> str:
    if message.startswith("read"):
        return (ctx.folder / ctx.attachments[0]).read_text()
    return confirm(message, ctx) if message.startswith("confirm") else talk(message, ctx)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    folder = tmp_path_factory.mktemp("desk")
    limits = {"message_limit_kb": LIMIT / 1000, "upload_limit_mb": 0.01}
    with inside_desk(folder, answer, token=SecretStr(TOKEN), **limits) as desk:
        yield desk


@pytest.fixture
def client(desk: InsideDesk) -> Iterator[TaskClient]:
    with TaskClient(desk.url, desk.transport, Authorization=f"Bearer {TOKEN}") as results:
        yield results


def file_part(name: str = "a.txt", data: bytes = b"inside", **about: Any) -> dict[str, Any]:
    return {"kind": "file", "file": {"name": name, "bytes": base64.b64encode(data).decode()} | about}


# --- what is taken -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "hello there",
        {"role": "user", "parts": [{"type": "text", "text": "hello there"}]},
        {"role": "user", "parts": [{"kind": "text", "text": "hello there", "more": 1}], "messageId": "m"},
        {"parts": [{"type": "text", "text": "  "}, {"type": "text", "text": "hello there"}]},
    ],
)
def test_a_message_is_taken_in_either_form(client: TaskClient, message: Any) -> None:
    response = client.http.post("/tasks/send", json={"message": message, "unknown": 1})
    body = response.json()
    assert response.status_code == 200
    assert body["task_id"] == body["task"]["id"]
    assert body["task"]["message"] == {"role": "user", "parts": [{"type": "text", "text": "hello there"}]}
    task = client.until(body["task_id"], "completed")
    assert task.keys() == {
        *("id", "contextId", "status", "message", "metadata", "createdAt", "updatedAt", "artifacts")
    }  # fmt: skip
    for text in (task["createdAt"], task["updatedAt"], task["status"]["timestamp"]):
        assert datetime.fromisoformat(text).utcoffset() == timedelta(0)
    assert task["createdAt"] <= task["updatedAt"]


def test_a_context_goes_on_and_its_tasks_take_turns(client: TaskClient) -> None:
    first = client.send("confirm")
    client.until(first["id"], "input_required")
    second = client.send("go", contextId=first["contextId"])
    third = client.send({"parts": [{"type": "text", "text": "go"}], "contextId": first["contextId"]})
    fourth = client.send("go", context_id=first["contextId"])
    assert {task["contextId"] for task in (second, third, fourth)} == {first["contextId"]}
    assert second["status"]["state"] == "submitted"
    assert client.give(first["id"], "y").status_code == 200
    client.until(fourth["id"], "completed")
    assert states(client.events(second["id"])) == ["submitted", "working", "completed"]
    assert client.send("go")["contextId"] != first["contextId"]


def test_metadata_is_kept_and_given_back(client: TaskClient) -> None:
    metadata = {"a": None, "b": [1, {"c": "日本"}], "d": 1.5}
    task = client.send(metadata=metadata)
    assert task["metadata"] == client.get(task["id"])["metadata"] == metadata
    assert client.send()["metadata"] == {}


def test_an_agent_is_named_in_the_body_or_the_address(client: TaskClient, desk: InsideDesk) -> None:
    chosen = desk.one_agent.chosen
    for options, query in (({"agent": "tools"}, {}), ({}, {"agent": "tools"}), ({}, {})):
        task = client.http.post("/tasks/send", json={"message": "go", **options}, params=query).json()
        client.until(task["task_id"], "completed")
    assert [options.agent for options in chosen[-3:]] == ["tools", "tools", None]


def test_a_file_becomes_a_file_of_the_chat(client: TaskClient) -> None:
    parts = [{"type": "text", "text": "read it"}, file_part()]
    task = client.send({"role": "user", "parts": parts})
    task = client.until(task["id"], "completed")
    assert task["artifacts"][-1]["parts"][0]["text"] == "inside"
    names = [
        file["name"] for file in client.http.get(f"/api/chats/{task['contextId']}/files").json()["files"]
    ]
    assert names == ["a.txt"]


# --- what is refused -----------------------------------------------------------------------------------------------

REFUSED: list[tuple[Any, int, str]] = [
    (b"", 400, "not JSON"),
    (b"{", 400, "not JSON"),
    (b'{"message": "\xff"}', 400, "not JSON"),
    (b'{"message": NaN}', 400, "not JSON"),
    (b'{"message": "a", "metadata": {"a": 1e999}}', 400, "not JSON"),
    (b"[" * 100_000, 400, "nested"),
    (b"[" + b"[]," * 300_000 + b"1]", 413, "parts"),
    (b" " * (16 * 1024 * 1024 + 1), 413, "too large"),
    (b"[]", 422, "object"),
    ({}, 422, "no `message`"),
    ({"message": 7}, 422, "no `message`"),
    ({"message": " "}, 422, "empty"),
    ({"message": {"parts": []}}, 422, "empty"),
    ({"message": {"role": "user"}}, 422, "is not an array"),
    ({"message": {"parts": ["x"]}}, 422, "cannot be taken"),
    ({"message": {"parts": [{"type": "text"}]}}, 422, "no `text`"),
    ({"message": {"parts": [{"type": "data", "data": {}}]}}, 422, "cannot be taken"),
    ({"message": {"parts": [{"type": "text", "text": "x"}] * 1001}}, 413, "parts"),
    ({"message": "x" * (LIMIT + 1)}, 413, "too long"),
    ({"message": "x", "contextId": 7}, 422, "contextId"),
    ({"message": "x", "contextId": "c_nothing"}, 404, "Context not found"),
    ({"message": "x", "agent": "poet"}, 422, "Agents: "),
    ({"message": "x", "agent": ["code"]}, 422, "agent"),
    ({"message": "x", "metadata": [1]}, 422, "metadata"),
    ({"message": "x", "metadata": {"a": "x" * 20_000}}, 413, "metadata"),
    (
        {"message": {"parts": [{"type": "file", "file": {"uri": "http://example.org/a"}}]}},
        422,
        "fetches nothing",
    ),
    ({"message": {"parts": [file_part(bytes="?")]}}, 422, "base64"),
    ({"message": {"parts": [file_part(name="../a")]}}, 400, "not a file name"),
    ({"message": {"parts": [file_part(data=b"")]}}, 422, "empty"),
    ({"message": {"parts": [file_part(data=b"x" * 10_001)]}}, 413, "too large"),
    ({"message": {"parts": [file_part()] * 21}}, 413, "files"),
]


@pytest.mark.parametrize("path", ["/tasks/send", "/tasks/sendSubscribe"])
@pytest.mark.parametrize(("body", "status", "text"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_taken_is_refused_in_words(
    client: TaskClient, path: str, body: Any, status: int, text: str
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body)
    response = client.http.post(path, content=content)
    assert response.status_code == status, response.text
    assert response.json().keys() == {"detail"}
    assert text in response.json()["detail"]


def test_an_unknown_agent_in_the_address_is_refused(client: TaskClient) -> None:
    response = client.http.post("/tasks/send", json={"message": "x"}, params={"agent": "poet"})
    assert (response.status_code, "'poet'" in response.json()["detail"]) == (422, True)


def test_an_unknown_task_is_404_everywhere(client: TaskClient) -> None:
    for method, path in (("GET", ""), ("GET", "/subscribe"), ("POST", "/cancel")):
        response = client.http.request(method, f"/tasks/r_nothing{path}")
        assert (response.status_code, response.json()) == (404, {"detail": "Task not found"})


def test_a_full_queue_is_said(client: TaskClient) -> None:
    first = client.send("confirm")
    for _ in range(49):
        client.send(contextId=first["contextId"])
    response = client.http.post("/tasks/send", json={"message": "x", "contextId": first["contextId"]})
    assert (response.status_code, "already wait" in response.json()["detail"]) == (409, True)
    client.http.post(f"/tasks/{first['id']}/cancel")


KEYS = [
    "message",
    "parts",
    "text",
    "type",
    "kind",
    "file",
    "bytes",
    "name",
    "metadata",
    "input",
    "agent",
    "contextId",
]
LEAVES = st.none() | st.booleans() | st.integers() | st.text()


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner)


@given(st.recursive(LEAVES, nested, max_leaves=12))
def test_any_json_is_read_or_refused(value: Any) -> None:
    for read in (lambda body: read_task(body, 1000), read_input):  # pyright: ignore
        try:
            read(read_json(json.dumps(value).encode()))
        except BadInput as fault:
            assert str(fault)


# --- lists ---------------------------------------------------------------------------------------------------------


def test_tasks_are_listed_newest_first_in_pages(client: TaskClient) -> None:
    sent = [client.send(f"task {number}") for number in range(5)]
    for task in sent:
        client.until(task["id"], "completed")
    newest = [task["id"] for task in reversed(sent)]

    def page(**requested: Any) -> list[dict[str, Any]]:
        response = client.http.get("/tasks", params=requested)
        assert response.status_code == 200, response.text
        return response.json()["tasks"]

    assert [task["id"] for task in page(limit=5)] == newest
    assert [task["id"] for task in page(limit=2, before=newest[1])] == newest[2:4]
    [only] = page(contextId=sent[0]["contextId"])
    assert (only["id"], only["status"]["state"], "artifacts" in only) == (newest[4], "completed", False)
    [complete] = page(contextId=sent[0]["contextId"], artifacts=True)
    assert complete == client.get(sent[0]["id"])


def test_tasks_are_listed_by_state(client: TaskClient) -> None:
    waits = client.send("confirm")
    client.until(waits["id"], "input_required")
    done = client.send("go", contextId=client.send("go")["contextId"])
    client.until(done["id"], "completed")
    tasks = client.http.get("/tasks", params={"state": "input_required"}).json()["tasks"]
    assert waits["id"] in [task["id"] for task in tasks]
    assert {task["status"]["state"] for task in tasks} == {"input_required"}
    assert tasks[0]["status"]["message"]["prompt"] == "Continue? (y/n): "
    client.http.post(f"/tasks/{waits['id']}/cancel")


@pytest.mark.parametrize(
    ("requested", "status"),
    [
        ({"limit": 0}, 422),
        ({"limit": 201}, 422),
        ({"limit": "x"}, 422),
        ({"state": "sleeping"}, 422),
        ({"before": "r_nothing"}, 404),
        ({"contextId": "c_nothing"}, 404),
    ],
)
def test_a_list_that_cannot_be_is_refused(client: TaskClient, requested: dict[str, Any], status: int) -> None:
    response = client.http.get("/tasks", params=requested)
    assert (response.status_code, [*response.json()]) == (status, ["detail"])


# --- doors ---------------------------------------------------------------------------------------------------------

ROUTES = [
    ("POST", "/tasks/send"),
    ("POST", "/tasks/sendSubscribe"),
    ("GET", "/tasks"),
    ("GET", "/tasks/r_x"),
    ("GET", "/tasks/r_x/subscribe"),
    ("POST", "/tasks/r_x/input"),
    ("POST", "/tasks/r_x/cancel"),
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_the_doors_hold_on_every_route(desk: InsideDesk, client: TaskClient, method: str, path: str) -> None:
    body = {"message": "go"}
    with desk.client() as stranger:
        assert stranger.request(method, path, json=body).status_code == 401
        # not on every route: after five guesses of one address the right token waits, too
        if path == "/tasks":
            wrong = {"Authorization": "Bearer wrong"}
            assert stranger.request(method, path, json=body, headers=wrong).status_code == 401
    for headers, status in (
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403 if method == "POST" else None),
    ):
        answered = client.http.request(method, path, json=body, headers=headers).status_code
        assert answered == status or (status is None and answered in (200, 404))
