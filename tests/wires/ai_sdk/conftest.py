"""Real desks whose model is scripted, for the tests of this wire: one with tools of the tests, one with the desk's own."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, Reply, ScriptedModel
from tests.support.tools import Failing, Huge, Noting, Paying

TEXT = ["text-start", "text-delta", "text-end"]
CALL = ["tool-input-start", "tool-input-available"]
HERE = {"latitude": 35.6762, "longitude": 139.6503, "accuracy": 20}


def nested(depth: int) -> Any:
    """Arrays in arrays."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


class Odd(Noting):
    """Returns what JSON cannot carry."""

    name = "odd"
    description = "Returns odd numbers."
    output_type = "object"

    def forward(self, word: str) -> Any:
        match word:
            case "bytes":
                return b"\x00\xff"
            case "digits":
                return 10**5000
            case "deep":
                return nested(5000)
            case _:
                return {"value": float("nan"), "word": word}


class Holding(Noting):
    """Returns when the test lets it: `began` says that it runs."""

    name = "hold"
    description = "Waits."

    def __init__(self, ran: list[str], started_at: threading.Event, go: threading.Event) -> None:
        super().__init__(ran)
        self._began = started_at
        self._go = go

    def forward(self, word: str) -> str:
        self._began.set()
        assert self._go.wait(60)
        return super().forward(word)


class Scripts:
    """What the model says in each run; `ran` is what really ran."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.ran: list[str] = []
        self.began = threading.Event()
        self.go = threading.Event()
        self.models: list[ScriptedModel] = []

    def model(self) -> ScriptedModel:
        self.models.append(ScriptedModel(self.replies))
        return self.models[-1]

    def tools(self, folder: Path) -> list[DeskTool]:
        noting = [kind(self.ran) for kind in (Noting, Paying, Failing, Odd)]
        return [*noting, Huge(), Holding(self.ran, self.began, self.go)]


@pytest.fixture
def scripts() -> Iterator[Scripts]:
    scripts = Scripts()
    yield scripts
    scripts.go.set()


@pytest.fixture
def desk(tmp_path: Path, scripts: Scripts) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, scripts.model, scripts.tools) as live:
        yield live


@pytest.fixture
def demo(tmp_path: Path, scripts: Scripts) -> Iterator[Callable[..., LiveDesk]]:
    """Makes the desk with its own tools; takes settings."""
    opened: list[Any] = []

    def make(**options: Any) -> LiveDesk:
        opened.append(live_desk(tmp_path / str(len(opened)), scripts.model, demo_tools=True, **options))
        return opened[-1].__enter__()

    yield make
    for item in opened:
        item.__exit__(None, None, None)


def answer(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))


def payment(amount: float = 30, recipient: str = "Alice") -> tuple[str, dict[str, Any]]:
    return ("process_payment", {"recipient": recipient, "amount": amount, "currency": "USD"})
