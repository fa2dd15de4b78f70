"""The log under load: how many events a second it takes, and how long one needs to reach a follower."""

import asyncio
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from bench.desk import new_chat, open_desk
from bench.report import CannotMeasure, Section, of_shares, shares
from smoldesk.desk import Desk
from smoldesk.errors import Stopped
from smoldesk.events import StoredEvent, ToolReturned
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.stopping import StopFlag
from smoldesk.store.chats import get_chat
from smoldesk.store.store import Store


def measure(
    events: int = 20_000, chats: int = 50, rate: float = 20, seconds: float = 10, cells: int = 2
) -> Section:
    """Rate without pause, then latency at `chats` x `rate` events a second: beside busy cells, and without them."""
    return asyncio.run(_measure(events, chats, rate, seconds, cells))


async def _measure(events: int, chats: int, rate: float, seconds: float, cells: int) -> Section:
    section = Section(
        "the log: appending and following",
        method=[
            f"rate: {events} events in {chats} chats, each a job of its own, until the last is committed",
            f"latency: {chats} threads append {rate:g} events a second each to their chat, one follower each, "
            f"{seconds:g} s;",
            f"from the call that appends to the follower that holds the event; {cells} children compute meanwhile",
        ],
    )
    with open_desk() as desk:
        ids = [await new_chat(desk) for _ in range(chats)]
        used = await asyncio.to_thread(append_all, desk.store, ids, events)
        section.figures.append(
            ("appended at most", f"{events / used:.0f} events/s ({events} in {used:.2f} s)")
        )
        alone = await follow_all(desk, ids, rate, seconds)
        with busy_cells(cells):
            extra = await follow_all(desk, ids, rate, seconds)
    for name, run in (("alone", alone), (f"beside {cells} busy cells", extra)):
        achieved = f"{len(run.delays) / run.seconds:.0f} events/s of {chats * rate:g} asked for"
        section.figures.append((f"latency {name}", f"{shares(run.delays)}, {achieved}"))
    section.ratios = of_shares("append to follower", ": busy to alone", extra.delays, alone.delays)
    return section


def append_all(store: Store, chat_ids: list[str], events: int) -> float:
    """Seconds until that many events, spread over the chats, are committed."""
    started_at = time.perf_counter()
    futures = [append(store, chat_ids[number % len(chat_ids)], "x" * 100) for number in range(events)]
    for future in futures:
        future.result()
    return time.perf_counter() - started_at


def append(store: Store, chat_id: str, text: str) -> "Future[None]":
    """One event in a job of its own, as a run appends it."""
    event = ToolReturned(step=1, call_id="bench", tool="bench", result=text)
    return store.submit(lambda tx: tx.append(chat_id, [event], "bench"))


class Followed:
    """Delays in seconds of every event that reached its follower, and how long all of it took."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.seconds = 0.0


async def follow_all(desk: Desk, chat_ids: list[str], rate: float, seconds: float) -> Followed:
    """Append at the rate in every chat, from a thread each, while each chat has a follower."""
    followed, each = Followed(), int(rate * seconds)
    ends = [
        await last_seq(desk.store, chat_id) for chat_id in chat_ids
    ]  # before the first: no event is missed
    following = [
        asyncio.create_task(follow(desk, chat_id, end, each, followed))
        for chat_id, end in zip(chat_ids, ends, strict=True)
    ]
    await asyncio.sleep(0.2)
    started_at = time.perf_counter()
    threads = [
        threading.Thread(
            target=pace, args=(desk.store, chat_id, rate, each, started_at + number / rate / len(chat_ids))
        )
        for number, chat_id in enumerate(chat_ids)
    ]
    for thread in threads:
        thread.start()
    try:
        await asyncio.wait_for(asyncio.gather(*following), 5 * seconds + 30)
    except TimeoutError:
        raise CannotMeasure("events did not reach their followers in time") from None
    followed.seconds = time.perf_counter() - started_at
    for thread in threads:
        thread.join()
    return followed


def pace(store: Store, chat_id: str, rate: float, count: int, start: float) -> None:
    """One thread's appends, each at its time; the event carries when it was handed over."""
    for number in range(count):
        time.sleep(max(0.0, start + number / rate - time.perf_counter()))
        append(store, chat_id, str(time.perf_counter()))


async def last_seq(store: Store, chat_id: str) -> int:
    """The number of the last event in a chat's log."""
    chat = await store.aread(lambda connection: get_chat(connection, chat_id))
    return chat.last_seq


async def follow(desk: Desk, chat_id: str, after: int, count: int, into: Followed) -> None:
    """Take the `count` events of a chat behind number `after`, and note how old each is."""
    async for batch in desk.runs.follow(chat_id, after):
        now = time.perf_counter()
        for item in batch:
            if isinstance(item, StoredEvent) and isinstance(item.event, ToolReturned):
                into.delays.append(now - float(item.event.result))
                count -= 1
        if count <= 0:
            return


ENDLESS = "import math\nwhile True:\n    math.factorial(300)"


@contextmanager
def busy_cells(count: int) -> Iterator[None]:
    """That many endless cells, each computing in a child of its own; they are stopped at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-bench-")))
        children = stack.enter_context(
            closing(Children(max_children=max(count, 1), cell_seconds=3600, preload=[]))
        )
        stop = StopFlag()
        executors: list[SandboxExecutor] = []
        for number in range(count):
            place = folder / str(number)
            place.mkdir()
            executor = SandboxExecutor(children.child(str(number), place), stop=stop)
            executor("1")  # so that its process is there before anything is measured
            executors.append(executor)
        threads = [threading.Thread(target=_compute, args=(executor,), daemon=True) for executor in executors]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set("the benchmark is over")
            for thread in threads:
                thread.join()
            for executor in executors:
                executor.cleanup()
            stop.close()


def _compute(executor: SandboxExecutor) -> None:
    with suppress(Stopped):
        executor(ENDLESS)
