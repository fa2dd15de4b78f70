"""A chat with a real child process and a scripted tool host, for every test of the sandbox."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.cell import CellFailed, CellResult
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.sandbox.frames import Work
from smoldesk.sandbox.isolation import Jail
from smoldesk.sandbox.tool_host import ToolRequest
from smoldesk.stopping import StopFlag


@pytest.fixture(scope="module", autouse=True)
def as_outside_of_tests(cold_children: None) -> None:
    """Each process of these tests imports what it needs."""


class FakeTool:
    """As much of a smolagents tool as an executor looks at."""

    def __init__(self, name: str, output_type: str = "any", **inputs: str) -> None:
        self.name = name
        self.description = f"What {name} does."
        self.inputs = {
            key: {"type": kind.rstrip("?"), "description": f"the {key}", "nullable": kind.endswith("?")}
            for key, kind in inputs.items()
        }
        self.output_type = output_type


@dataclass
class ScriptedHost:
    """Remembers what the cell asked and printed; `answers` maps a tool's name to a function."""

    answers: dict[str, Callable[[ToolRequest], dict[str, Any]]] = field(default_factory=dict)
    requests: list[ToolRequest] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    on_print: Callable[[str], None] = lambda _text: None

    def call(self, request: ToolRequest) -> dict[str, Any]:
        self.requests.append(request)
        return self.answers[request.tool](request)

    def printed(self, text: str) -> None:
        self.pieces.append(text)
        self.on_print(text)

    def worked(self, work: Work) -> None:
        self.works.append(work)


class Desk:
    """One chat: `run` returns the result of a cell, whatever it raised (kept in `raised`)."""

    def __init__(self, children: Children, chat_id: str, folder: Path) -> None:
        self.children = children
        self.chat_id = chat_id
        self.folder = folder
        self.host = ScriptedHost()
        self.stop = StopFlag()
        self.child = children.child(chat_id, folder)
        self.executor = SandboxExecutor(self.child, self.host, self.stop)
        self.executor.send_variables(variables={})
        self.executor.send_tools({})
        self.raised: Exception | None = None
        self.output: Any = None

    def run(self, code: str) -> CellResult:
        self.raised = None
        try:
            self.output = self.executor(code)
        except (CellFailed, Stopped) as fault:
            self.raised = fault
        assert self.executor.last is not None
        return self.executor.last

    def again(self) -> "Desk":
        """The next run of the same chat, with a stop flag of its own."""
        self.close()
        return Desk(self.children, self.chat_id, self.folder)

    def tool(self, name: str, answer: Callable[[ToolRequest], Any], **inputs: str) -> None:
        """Give the run one more tool, whose answer is JSON."""
        self.host.answers[name] = lambda request: {"kind": "json", "value": answer(request)}
        tools = {key: FakeTool(key) for key in self.host.answers}
        self.tools: dict[str, FakeTool] = {
            **tools,
            **getattr(self, "tools", {}),
            name: FakeTool(name, **inputs),
        }
        self.executor.send_tools(self.tools)

    def close(self) -> None:
        self.executor.cleanup()
        self.stop.close()


@pytest.fixture(scope="session")
def bare() -> Iterator[Children]:
    """Children that import nothing beforehand: they start in a tenth of a second."""
    children = Children(preload=(), max_children=6, cell_seconds=30, grace_seconds=5)
    yield children
    children.close()


@pytest.fixture(scope="session")
def unjailed() -> Iterator[Children]:
    """Children as on a system that has no jail: each is a process exec'd for itself."""
    children = Children(preload=(), max_children=3, cell_seconds=30, grace_seconds=5, jail=Jail(None, {}))
    yield children
    children.close()


@pytest.fixture
def plain(unjailed: Children, tmp_path: Path) -> Iterator[Desk]:
    """A chat whose child is in no jail."""
    desk = Desk(unjailed, str(tmp_path), tmp_path)
    yield desk
    desk.close()
    unjailed.drop(desk.chat_id, "the test is over")


@pytest.fixture(scope="session")
def science(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Children]:
    """Children as the desk has them, with pandas and matplotlib, and one bundled table."""
    datasets = tmp_path_factory.mktemp("datasets")
    datasets.chmod(0o755)  # as installed data is: a child may be another user than we are
    (datasets / "measurement.csv").write_text("room,temperature\nKitchen,21.5\n")
    children = Children(max_children=3, cell_seconds=60, grace_seconds=5, datasets=datasets)
    children.warm()
    yield children
    children.close()


@pytest.fixture
def desk(bare: Children, tmp_path: Path) -> Iterator[Desk]:
    """A chat whose child is fresh."""
    desk = Desk(bare, str(tmp_path), tmp_path)
    yield desk
    desk.close()
    bare.drop(desk.chat_id, "the test is over")


@pytest.fixture(scope="session")
def science_desk(science: Children, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A chat with pandas and matplotlib, shared by the tests that need them: each uses names of its own."""
    desk = Desk(science, "science", tmp_path_factory.mktemp("science"))
    yield desk
    desk.close()
