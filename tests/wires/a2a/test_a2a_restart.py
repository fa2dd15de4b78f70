"""The server dies in the middle (kill -9) and comes back: tasks say so, their contexts go on, what waited runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import UnsupportedOperationError

from tests.support.a2a_client import BINDINGS, Binding, a2a_client, events, said, sent, state, states
from tests.support.aio import run_async
from tests.support.desk_server import DeskProcess
from tests.support.scripted_desk import SERVING


@pytest.fixture
def processes() -> Iterator[list[DeskProcess]]:
    started: list[DeskProcess] = []
    yield started
    for process in started:
        process.close()


def test_after_kill_9_tasks_are_failed_contexts_go_on_and_queued_ones_run(
    processes: list[DeskProcess], tmp_path: Path, free_port: int
) -> None:
    def serve() -> DeskProcess:
        process = DeskProcess(tmp_path, free_port, code=SERVING)
        processes.append(process)
        process.wait_until_up()
        return process

    async def begin(process: DeskProcess) -> list[pb.Task]:
        async with a2a_client(process.url, "JSONRPC", streaming=False) as client:
            asking = await sent(client, "please pay")
            waiting = await sent(client, "please answer", context_id=asking.context_id, now=True)
        async with a2a_client(process.url, "HTTP+JSON") as client:
            working: list[pb.Task] = []
            with pytest.raises(A2AClientError):
                async for event in client.send_message(said("please count")):
                    if event.HasField("task"):
                        working.append(event.task)
                    if states([event]) == ["working"]:
                        process.kill()
            return [asking, waiting, *working]

    async def go_on(url: str, binding: Binding, asking: pb.Task, waiting: pb.Task, working: pb.Task) -> None:
        async with a2a_client(url, binding) as client:
            for task in (asking, working):
                found = await client.get_task(pb.GetTaskRequest(id=task.id))
                assert state(found.status) == "failed"
                assert found.context_id == task.context_id
                assert "The server restarted" in found.status.message.parts[0].text
            with pytest.raises(UnsupportedOperationError):
                await events(client, said("yes", task_id=asking.id))
            queued = await client.get_task(pb.GetTaskRequest(id=waiting.id))
            if state(queued.status) != "completed":
                following = client.subscribe(pb.SubscribeToTaskRequest(id=waiting.id))
                assert states([event async for event in following])[-1] == "completed"
            again = await events(client, said("please answer", context_id=working.context_id))
            assert states(again)[-1] == "completed"
            assert again[0].task.context_id == working.context_id

    asking, waiting, working = run_async(begin(serve()))
    assert [state(task.status) for task in (asking, waiting)] == ["input_required", "submitted"]
    url = serve().url
    for binding in BINDINGS:
        run_async(go_on(url, binding, asking, waiting, working))
