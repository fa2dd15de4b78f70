"""The desk that the official kit is run against: it does what the kit's messages begin with, and the real desk does not."""

import subprocess
import sys
import time
from pathlib import Path

import httpx
from a2a.types import a2a_pb2 as pb

from tests.support.a2a_client import Binding, a2a_client, events, said, sent, state, states, texts
from tests.support.aio import run_async
from tests.support.desk_server import ROOT, LiveDesk

KINDS = ("tck-message-response", "tck-reject-task", "tck-input-required", "tck-artifact-data")


def test_the_kits_desk_does_what_its_messages_begin_with(tmp_path: Path, free_port: int) -> None:
    url = f"http://127.0.0.1:{free_port}"
    command = [sys.executable, "-m", "tests.wires.a2a.kit_desk", str(tmp_path), "--port", str(free_port)]
    process = subprocess.Popen(command, cwd=ROOT)

    async def go() -> None:
        async with a2a_client(url, streaming=False) as client:
            answer = (await events(client, said("x", message_id="tck-message-response-1")))[0]
            assert answer.message.parts[0].text == "Direct message response"
            assert state((await sent(client, "x", message_id="tck-reject-task-1")).status) == "rejected"
            asking = await sent(client, "x", message_id="tck-input-required-1")
            again = await sent(client, "more", message_id="tck-input-required-1", task_id=asking.id)
            done = await sent(client, "end", message_id="tck-complete-task-1", task_id=asking.id)
            assert [state(task.status) for task in (asking, again, done)] == [
                *["input_required"] * 2,
                "completed",
            ]
        async with a2a_client(url) as client:
            found = await events(client, said("x", message_id="tck-stream-artifact-chunked-1"))
            assert states(found)[-1] == "completed"
            begun = [
                texts(artifact) for one in found if one.HasField("task") for artifact in one.task.artifacts
            ]
            updates = [
                texts(one.artifact_update.artifact) for one in found if one.HasField("artifact_update")
            ]
            chunks = [*begun, *updates]  # on a busy machine the first one is in the task already
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


def test_a_real_desk_takes_no_notice_of_how_messages_are_named(desk: LiveDesk, binding: Binding) -> None:
    async def go() -> list[pb.Task]:
        async with a2a_client(desk.url, binding, streaming=False) as client:
            return [await sent(client, "hello", message_id=f"{kind}-{binding}") for kind in KINDS]

    for task in run_async(go()):
        assert state(task.status) == "completed"
        assert texts(task.artifacts[0]) == ["You said: hello"]
