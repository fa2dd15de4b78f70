"""One desk for the tests of this wire, whose agent does what the first word of a message says."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.errors import DeskError
from smoldesk.events import StepStarted
from smoldesk.messages import (
    ClearMap,
    Column,
    Image,
    Table,
    TableContent,
)
from smoldesk.tools.run_context import RunContext
from tests.support.a2a_client import BINDINGS, Binding
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.task_agents import ask, confirm, count, show, talk

GO_ON = threading.Event()
"""What an agent that was told to `wait` waits for, unless it is stopped."""


def wait(message: str, ctx: RunContext) -> str:
    ctx.emit(StepStarted(step=1))
    while not GO_ON.wait(0.02):
        ctx.stop.check()
    return "waited"


def name(message: str, ctx: RunContext) -> str:
    ctx.emit(StepStarted(step=1))
    answer = ask(ctx, prompt="Your name?", input_type="text")
    return f"Hello {answer.value}, granted={answer.granted}"


def secret(message: str, ctx: RunContext) -> str:
    ctx.emit(StepStarted(step=1))
    answer = ask(ctx, prompt="Password: ", input_type="password")
    return f"{len(str(answer.value))} characters"


def both(message: str, ctx: RunContext) -> str:
    ctx.emit(StepStarted(step=1))
    return f"{ask(ctx, prompt='One?', input_type='text').value} {ask(ctx, prompt='Two?', input_type='text').value}"


def paint(message: str, ctx: RunContext) -> str:
    """An image, a table and a map."""
    ctx.emit(StepStarted(step=1))
    stored = ctx.keep_bytes(b"\x89PNG\r\n\x1a\n", "produced", "a plot.png")
    table = TableContent(
        table_id="f_1", name="rooms", columns=[Column(name="a", kind="number")], rows=[[1]], row_count=1
    )
    show(
        ctx,
        Image(format="png", file_id=stored.id, path="a plot.png"),
        Table(content=table),
        ClearMap(),
    )
    return "painted"


def fail(message: str, ctx: RunContext) -> str:
    raise DeskError("It broke.", "Mend it.", code="broken")


SCRIPTS = {
    "talk": talk,
    "confirm": confirm,
    "count": count,
    "wait": wait,
    "name": name,
    "secret": secret,
    "both": both,
    "paint": paint,
    "fail": fail,
}


def act(message: str, ctx: RunContext) -> str:
    script = SCRIPTS.get(message.split()[0] if message.strip() else "")
    return script(message, ctx) if script else f"You said: {message}"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder: Path = tmp_path_factory.mktemp("desk")
    with live_desk(folder, answer=act, push_private_addresses=True) as live:
        yield live
        GO_ON.set()
    GO_ON.clear()


@pytest.fixture(params=BINDINGS)
def binding(request: pytest.FixtureRequest) -> Binding:
    return request.param
