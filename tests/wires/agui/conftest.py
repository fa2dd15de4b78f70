"""AG-UI's own client in a process of Node, against a real desk whose model is scripted."""

import itertools
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.node_support import PACKAGES
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Scripts

Event = dict[str, Any]
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, scripts: Scripts) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with live_desk(folder, lambda: scripts.model, demo_tools=True, max_steps=4) as live:
        yield live


@dataclass(frozen=True)
class Heard:
    """What one run of the client came to; its own checks of order and shape found nothing."""

    events: list[Event]
    messages: list[dict[str, Any]]
    state: Any
    interrupts: list[dict[str, Any]]
    pending: list[str] | None

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def end(self) -> Event:
        return self.events[-1]

    @property
    def said(self) -> list[tuple[str, str]]:
        """Role and text of every message that has one."""
        return [(message["role"], message["content"]) for message in self.messages if message.get("content")]


class FrontEnd:
    """One thread, as the client's HttpAgent has it."""

    def __init__(self, process: "subprocess.Popen[str]", desk: LiveDesk, thread: str, path: str) -> None:
        self._process = process
        self._about = {"url": desk.url + path, "threadId": thread}
        self._name = f"{thread} {next(NUMBERS)}"

    def run(self, send: Any = None, **inputs: Any) -> Heard:
        """One run of the agent, as tests/ai_sdk/node/agui.mjs takes it. Raises AssertionError where the client complains."""
        received = self.tried(send, **inputs)
        assert (received.pop("error"), received.pop("warnings")) == (None, [])
        return Heard(**received)

    def tried(self, send: Any = None, **inputs: Any) -> dict[str, Any]:
        """The same, with what the client says of it."""
        line = {"agent": self._name, **self._about, **({} if send is None else {"say": send}), **inputs}
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(line), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def resume(self, received: Heard, payload: Any, **inputs: Any) -> Heard:
        """Answer every interrupt of a run alike."""
        answers = [
            {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}
            for interrupt in received.interrupts
        ]
        return self.run(resume=answers, **inputs)


@pytest.fixture(scope="module")
def node(node_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """The process of the client, for a file of tests."""
    command = [str(node_path), str(PACKAGES / "agui.mjs")]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", cwd=PACKAGES
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0


@pytest.fixture
def front_end(node: "subprocess.Popen[str]", desk: LiveDesk) -> Any:
    """Makes the client of a thread: `front_end("thread")`, or at the address of an agent."""

    def make(thread: str, path: str = "/agui") -> FrontEnd:
        return FrontEnd(node, desk, thread, path)

    return make
