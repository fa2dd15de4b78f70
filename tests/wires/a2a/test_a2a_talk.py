"""The real client of the SDK over both bindings against a real server: card, send, stream, ask, cancel, get, list."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from a2a.types import a2a_pb2 as pb

from backend.agent_wrapper.context import Context
from tests.support.a2a_client import (
    BINDINGS,
    Binding,
    a2a_client,
    artifacts,
    events,
    said,
    sent,
    state,
    states,
)
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.task_agents import confirm, talk


def answer(message: str, ctx: Context) -> str:
    return confirm(message, ctx) if message.startswith("confirm") else talk(message, ctx)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder: Path = tmp_path_factory.mktemp("desk")
    with live_desk(folder, answer=answer) as live:
        yield live


@pytest.fixture(params=BINDINGS)
def binding(request: pytest.FixtureRequest) -> Binding:
    return request.param


def test_a_message_becomes_a_task_with_its_artifacts(desk: LiveDesk, binding: Binding) -> None:
    async def go() -> pb.Task:
        async with a2a_client(desk.url, binding, streaming=False) as client:
            task = await sent(client, "hello", message_id="m-" + binding)
            assert await client.get_task(pb.GetTaskRequest(id=task.id)) == task
            return task

    task = run_async(go())
    assert state(task.status) == "completed"
    assert [part.text for one in task.artifacts for part in one.parts] == [
        "Looking\nat it.\n",
        "print('hello')",
        "Done: hello",
    ]
    assert task.history[0].message_id == "m-" + binding
    assert task.history[0].parts[0].text == "hello"


def test_a_stream_begins_with_the_task_and_ends_with_its_end(desk: LiveDesk, binding: Binding) -> None:
    async def go() -> list[pb.StreamResponse]:
        async with a2a_client(desk.url, binding) as client:
            return await events(client, said("hello"))

    found = run_async(go())
    assert found[0].HasField("task")
    assert states(found)[-1] == "completed"
    joined = ["".join(parts) for parts in artifacts(found).values()]
    assert joined == ["Looking\nat it.\n", "print('hello')", "Done: hello"]
