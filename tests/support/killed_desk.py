"""Desks that pay and kill themselves at a chosen line, each a fork of one process that has imported everything.

The helper reads commands as JSON lines and answers with one line each:

- `pay`: a desk on a folder pays 30 dollars. With `kill_at`, it sends itself SIGKILL at that line of backend/, counted from
  the commit of the grant on over the threads that have to do with it; with 0 it tells how many lines there are, and where.
- `look`: a new desk on that folder says what became of the run, tries the call again, and pays 1 dollar in a new run.
"""

import ast
import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import create_engine, select
from sqlalchemy.orm import configure_mappers

from smoldesk.buildings.building import Building
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import Conflict
from smoldesk.events import RunFailed, RunWaiting, StoredEvent, ToolCalled, ToolReturned
from smoldesk.runs.asks import waiting
from smoldesk.sandbox.isolation import jail_here
from smoldesk.store import wallet
from smoldesk.store.asks import Answer, AskRecord, asks_of_chat
from smoldesk.store.chats import new_chat
from smoldesk.store.tables import PaymentRow, RunRow
from smoldesk.store.transactions import Transactions
from smoldesk.store.wallet import ChatWallet
from smoldesk.tools.catalogue import build_tools
from smoldesk.tools.datasets import Datasets
from tests.support.desk_server import settings_for
from tests.support.scripted_model import Calls, ScriptedModel
from tests.support.warm import ROOT, clean_environment

BACKEND = str(ROOT / "backend" / "smoldesk")
HELPER = "from tests.support.killed_desk import serve; serve()"
AMOUNT = 30
Report = dict[str, Any]


class Desks:
    """The helper, as a test sees it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HELPER],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )

    def pay(self, folder: Path, database_url: str, kill_at: int = 0) -> Report:
        return self._told(do="pay", folder=str(folder), database_url=database_url, kill_at=kill_at)

    def look(self, folder: Path, database_url: str, chat_id: str) -> Report:
        return self._told(do="look", folder=str(folder), database_url=database_url, chat_id=chat_id)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def _told(self, **command: Any) -> Report:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        data: Report = json.loads(self._process.stdout.readline())
        return data


# --- the helper --------------------------------------------------------------------------------------------------


def serve() -> None:
    from smoldesk.agents.wrapper import agent_wrapper  # what only a run imports

    # what each fork would have to do
    jail_here(Path(tempfile.gettempdir()))
    build_tools(Building.load(), Datasets.bundled(), ROOT)
    configure_mappers()
    for url in ("sqlite://", "postgresql+psycopg://localhost"):  # connects to nothing
        with contextlib.suppress(ImportError):
            create_engine(url)
    assert agent_wrapper
    for line in sys.stdin:
        sys.stdout.write(json.dumps(forked(json.loads(line))) + "\n")
        sys.stdout.flush()


def forked(command: Report) -> Report:
    """Do a command in a fork; what it reported until its end, and `ended`: its exit code, -9 when it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            with os.fdopen(writing, "w") as pipe:

                def report(**facts: Any) -> None:
                    pipe.write(json.dumps(facts) + "\n")
                    pipe.flush()

                asyncio.run({"pay": pay, "look": look}[command["do"]](command, report))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    message: Report = {}
    with os.fdopen(reading) as pipe:
        for line in pipe:
            message |= json.loads(line)
    _, status = os.waitpid(child, 0)
    return message | {"ended": os.waitstatus_to_exitcode(status)}


async def pay(command: Report, report: Callable[..., None]) -> None:
    window = Window(command["kill_at"])
    window.install()
    desk = opened(command, AMOUNT)
    chat_id = (await desk.store.do(new_chat)).id
    report(chat_id=chat_id)
    await asked_and_granted(desk, chat_id, 0, window)
    report(lines=window.lines, paid_at=window.paid_at, places=window.places)


async def look(command: Report, report: Callable[..., None]) -> None:
    desk = opened(command, 1)
    chat_id = command["chat_id"]
    events = await closed(desk, chat_id, 0)
    [call] = [stored.event for stored in events if isinstance(stored.event, ToolCalled)]
    failed = events[-1].event
    report(
        closing=events[-1].event.type,
        code=failed.code if isinstance(failed, RunFailed) else "",
        state=state_of(desk, chat_id),
        asks=[ask.answer.granted if ask.answer else None for ask in asks_of(desk, chat_id)],
    )
    try:
        receipt = await asyncio.to_thread(
            ChatWallet(desk.store, chat_id).pay,
            call.call_id,
            recipient="Alice",
            amount=3_000,
            currency="USD",
            description="",
            full=100_000,
        )
        report(again=receipt.balance)
    except Conflict:
        report(again=None)
    report(paid=payments_of(desk, chat_id))
    result = await asked_and_granted(desk, chat_id, events[-1].seq)
    report(balance=ast.literal_eval(result)["wallet_balance"])


def opened(command: Report, amount: int) -> Desk:
    order = {"recipient": "Alice", "amount": amount, "currency": "USD"}
    replies = [Calls(("process_payment", order)), Calls(("final_answer", {"answer": "paid"}))]
    settings = settings_for(Path(command["folder"]), database_url=command["database_url"], agent="demo-tools")
    desk = build_desk(settings, lambda: ScriptedModel(replies))
    desk.open()
    return desk


async def asked_and_granted(desk: Desk, chat_id: str, after: int, window: "Window | None" = None) -> str:
    """Have the agent pay, and grant it once its run waits; what the tool returned."""
    await desk.runs.start(chat_id, "pay")
    waiting = await until(desk, chat_id, after, lambda event: isinstance(event, RunWaiting))
    with window.answering() if window else contextlib.nullcontext():
        await desk.runs.answer(waiting[-1].event.ask_ids[0], Answer(True), chat_id)
    [returned] = [
        item.event for item in await closed(desk, chat_id, after) if isinstance(item.event, ToolReturned)
    ]
    return returned.result


async def closed(desk: Desk, chat_id: str, after: int) -> list[Any]:
    """The events of a chat up to the end of the next run."""
    ends = ("run_finished", "run_failed", "run_cancelled")
    return await until(desk, chat_id, after, lambda event: event.type in ends)


async def until(desk: Desk, chat_id: str, after: int, last: Callable[[Any], bool]) -> list[Any]:
    received: list[Any] = []
    async for batch in desk.runs.follow(chat_id, after):
        for item in batch:
            if isinstance(item, StoredEvent):
                received.append(item)
                if last(item.event):
                    return received
    raise AssertionError("the follow ended")


def state_of(desk: Desk, chat_id: str) -> list[str]:
    query = select(RunRow.state).where(RunRow.chat_id == chat_id)
    return desk.store.read(lambda connection: list(connection.execute(query).scalars()))


def asks_of(desk: Desk, chat_id: str) -> list[AskRecord]:
    return desk.store.read(lambda connection: asks_of_chat(connection, chat_id))


def payments_of(desk: Desk, chat_id: str) -> list[int]:
    query = select(PaymentRow.amount).where(PaymentRow.chat_id == chat_id)
    return desk.store.read(lambda connection: list(connection.execute(query).scalars()))


class Window:
    """Counts the lines of backend/ from the commit of the grant on: of the run, of the writer, and of who answers."""

    def __init__(self, kill_at: int) -> None:
        self.lines = 0
        self.paid_at = 0
        self.places: list[str] = []
        self._kill_at = kill_at
        self._counter = itertools.count(1)
        self._open = False
        self._granting = self._paying = self._answering = False

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """While inside, the main thread answers; else it only watches."""
        self._answering = True
        yield
        self._answering = False

    def _counts(self) -> bool:
        name = threading.current_thread().name
        return name == "store-writer" or name.startswith("run-") or (self._answering and name == "MainThread")

    def install(self) -> None:
        close_ask, pay_once, run = waiting.close_ask, wallet.pay_once, Transactions.run

        def granting(*args: Any) -> Any:
            self._granting = True
            return close_ask(*args)

        def paying(*args: Any) -> Any:
            self._paying = True
            return pay_once(*args)

        def committed(transactions: Transactions, jobs: Any) -> Any:
            done = run(transactions, jobs)
            if self._granting:
                self._granting, self._open = False, True
            if self._paying:
                self._paying, self.paid_at = False, self.lines
            return done

        waiting.close_ask = granting
        wallet.pay_once = paying
        Transactions.run = committed  # pyright: ignore[reportAttributeAccessIssue]
        threading.settrace(self._calls)
        sys.settrace(self._calls)

    def _calls(self, frame: FrameType, event: str, arg: object) -> Any:
        return self._within if frame.f_code.co_filename.startswith(BACKEND) else None

    def _within(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == "line" and self._open and self._counts():
            self.lines = next(self._counter)
            if self.lines == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            if not self._kill_at:
                self.places.append(frame.f_code.co_filename.removeprefix(BACKEND + "/"))
        return self._within
