"""A real desk whose model is scripted, for the tests of this wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, Reply, ScriptedModel
from tests.support.tools import Failing, Huge, Noting, Paying

Script = list[Reply]


class Scripts:
    """What the model says next, chat by chat; `ran` is what really ran."""

    def __init__(self) -> None:
        self.replies: Script = []
        self.ran: list[str] = []

    def model(self) -> ScriptedModel:
        return ScriptedModel(self.replies)

    def tools(self, folder: Path) -> list[Noting | Huge]:
        return [Noting(self.ran), Paying(self.ran), Failing(self.ran), Huge()]


@pytest.fixture
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture
def desk(tmp_path: Path, scripts: Scripts) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, scripts.model, scripts.tools) as live:
        yield live


def answer(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))
