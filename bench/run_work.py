"""The work of one run, counted: the same from run to run and from machine to machine, where times are not.

A run is the one of `bench.overhead`: one step, `final_answer(1)`, a model that takes no time.
"""

import asyncio
import sys
import threading
from dataclasses import dataclass
from types import FrameType
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import Pool

from bench.desk import Asker, new_chat, timed_desk


@dataclass
class RunWork:
    """What one run took, on the average of those that were counted."""

    calls: float
    """Python functions called on the run's thread, in the run with the fewest: one that has to wait calls some more."""
    built: float
    """Those of them that build a statement of SQLAlchemy."""
    statements: float
    """Statements that the run's thread executed."""
    texts: list[str]
    """The last run's."""
    commits: float
    """Transactions of the writer. More on a slow machine: what a run says lingers for milliseconds to join the next."""
    sent: float
    """Bytes sent to the chat's child."""
    events: float
    logged: float
    """Bytes of the events' JSON."""

    def __str__(self) -> str:
        return (
            f"{self.calls:.0f} functions and {self.statements:.0f} statements on its thread, {self.commits:.1f} commits, "
            f"{self.sent:.0f} bytes to its child, {self.events:.0f} events of {self.logged:.0f} bytes"
        )


class Counting:
    """Counts what this process does while `on`; entered before the desk is made, so that it sees all its threads."""

    def __init__(self) -> None:
        self.on = False
        self.calls = self.built = self.commits = self.sent = 0
        self.texts: list[str] = []

    def __enter__(self) -> "Counting":
        event.listen(Pool, "connect", self._connected)
        threading.setprofile(self._thread_began)
        return self

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)  # pyright: ignore[reportArgumentType]
        event.remove(Pool, "connect", self._connected)

    def _connected(self, connection: Any, _: object) -> None:
        connection.set_trace_callback(self._executed)

    def _executed(self, text: str) -> None:
        if self.on and text == "COMMIT":
            self.commits += 1
        elif self.on and is_run(threading.current_thread()):
            self.texts.append(text)

    def _thread_began(self, *_: object) -> None:
        sys.setprofile(self._called if is_run(threading.current_thread()) else None)

    def _called(self, frame: FrameType, what: str, _: object) -> None:
        if not self.on or what != "call":
            return
        code = frame.f_code
        self.calls += 1
        self.built += "/sqlalchemy/sql/" in code.co_filename
        if code.co_name == "send_bytes":
            self.sent += len(frame.f_locals["data"])


def is_run(thread: threading.Thread) -> bool:
    """Whether it is the thread of a run."""
    return thread.name.startswith("run-")


def count_work(memory_runs: int = 0, runs: int = 20) -> RunWork:
    """The work of a run in a chat that has `memory_runs` earlier ones in its memory."""
    with Counting() as counting:
        return asyncio.run(_count(counting, memory_runs, runs))


async def _count(counting: Counting, memory_runs: int, runs: int) -> RunWork:
    statements, calls = 0, list[int]()
    with timed_desk(memory_runs) as (desk, _):
        chat_id = await new_chat(desk)
        asker = Asker(desk, chat_id)
        await asker.open()
        for _ in range(memory_runs + 3):
            await asker.ask()
        before = await asyncio.to_thread(desk.store.events, chat_id, 0, 100_000)
        for _ in range(runs):
            counting.texts.clear()
            counting.calls, counting.on = 0, True
            await asker.ask()
            counting.on = False
            calls.append(counting.calls)
            statements += len(counting.texts)
        events = await asyncio.to_thread(desk.store.events, chat_id, before[-1].seq, 100_000)
    return RunWork(
        calls=min(calls),
        built=counting.built / runs,
        statements=statements / runs,
        texts=counting.texts,
        commits=counting.commits / runs,
        sent=counting.sent / runs,
        events=len(events) / runs,
        logged=sum(len(stored.event.model_dump_json()) for stored in events) / runs,
    )
