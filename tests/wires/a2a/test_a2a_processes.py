"""Desks in processes of their own: one that dies in the middle (kill -9) and comes back, and the one for the official kit."""

import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import UnsupportedOperationError

from tests.support.a2a_client import BINDINGS, Binding, a2a_client, events, said, sent, state, states, texts
from tests.support.aio import run_async
from tests.support.desk_server import ROOT, DeskProcess, LiveDesk, Servers
from tests.support.scripted_desk import SERVING


def test_after_kill_9_tasks_are_failed_contexts_go_on_and_queued_ones_run(tmp_path: Path) -> None:
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
                result = await client.get_task(pb.GetTaskRequest(id=task.id))
                assert state(result.status) == "failed"
                assert result.context_id == task.context_id
                assert "The server restarted" in result.status.message.parts[0].text
            with pytest.raises(UnsupportedOperationError):
                await events(client, said("yes", task_id=asking.id))
            queued = await client.get_task(pb.GetTaskRequest(id=waiting.id))
            if state(queued.status) != "completed":
                following = client.subscribe(pb.SubscribeToTaskRequest(id=waiting.id))
                assert states([event async for event in following])[-1] == "completed"
            again = await events(client, said("please answer", context_id=working.context_id))
            assert states(again)[-1] == "completed"
            assert again[0].task.context_id == working.context_id

    with Servers(tmp_path, SERVING) as servers:
        asking, waiting, working = run_async(begin(servers.start()))
        assert [state(task.status) for task in (asking, waiting)] == ["input_required", "submitted"]
        url = servers.start().url
        for binding in BINDINGS:
            run_async(go_on(url, binding, asking, waiting, working))


KINDS = ("tck-message-response", "tck-input-required", "tck-artifact-data")


def test_the_kits_desk_does_what_its_messages_begin_with(tmp_path: Path, free_port: int) -> None:
    url = f"http://127.0.0.1:{free_port}"
    command = [sys.executable, "-m", "tests.wires.a2a.kit_desk", str(tmp_path), "--port", str(free_port)]
    process = subprocess.Popen(command, cwd=ROOT)

    async def go() -> None:
        async with a2a_client(url, streaming=False) as client:
            answer = (await events(client, said("x", message_id="tck-message-response-1")))[0]
            assert answer.message.parts[0].text == "Direct message response"
            asking = await sent(client, "x", message_id="tck-input-required-1")
            again = await sent(client, "more", message_id="tck-input-required-1", task_id=asking.id)
            done = await sent(client, "end", message_id="tck-complete-task-1", task_id=asking.id)
            assert [state(task.status) for task in (asking, again, done)] == [
                *["input_required"] * 2,
                "completed",
            ]
        async with a2a_client(url) as client:
            result = await events(client, said("x", message_id="tck-stream-artifact-chunked-1"))
            assert states(result)[-1] == "completed"
            started = [
                texts(artifact)
                for item in result
                if item.HasField("task")
                for artifact in item.task.artifacts
            ]
            updates = [
                texts(item.artifact_update.artifact) for item in result if item.HasField("artifact_update")
            ]
            chunks = [*started, *updates]  # on a busy machine the first one is in the task already
            assert chunks[:2] == [["chunk-1 "], ["chunk-2"]]

    try:
        for _ in range(600):
            try:
                httpx.get(f"{url}/healthz", trust_env=False)
                break
            except httpx.TransportError:
                assert process.poll() is None
                time.sleep(0.1)
        run_async(go())
    finally:
        process.terminate()
        process.wait(20)


async def test_a_real_desk_takes_no_notice_of_how_messages_are_named(
    desk: LiveDesk, binding: Binding
) -> None:
    async with a2a_client(desk.url, binding, streaming=False) as client:
        came = [await sent(client, "hello", message_id=f"{kind}-{binding}") for kind in KINDS]
    for task in came:
        assert state(task.status) == "completed"
        assert texts(task.artifacts[0]) == ["You said: hello"]
