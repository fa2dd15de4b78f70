"""Whether cost grows linearly: what twice as many events take against so many; 2 is linear.

In processor time of this process, which does all of it: the clock would measure the neighbours too.
"""

import asyncio
import gc
import time
from collections.abc import Callable

from bench.desk import new_chat, open_desk
from bench.log import append_all
from bench.report import Section, median, ms, of_times
from smoldesk.desk import Desk
from smoldesk.events import StoredEvent

GOAL = 2.5
"""Linear is 2; the rest is room for noise. Quadratic would be 4."""


def measure(events: int = 10_000, repeats: int = 5) -> Section:
    """Appending to one chat, and replaying it to a new follower: `events`, and twice as many."""
    return asyncio.run(_measure(events, repeats))


async def _measure(events: int, repeats: int) -> Section:
    section = Section(
        "growth: twice the events",
        method=[
            f"{events} and {2 * events} events in one chat: appended one by one, then replayed to a new follower;",
            "processor time of this process, all its threads",
        ],
    )
    appending: dict[int, list[float]] = {events: [], 2 * events: []}
    replaying: dict[int, list[float]] = {events: [], 2 * events: []}
    with open_desk() as desk:
        gc.freeze()  # as `smoldesk serve` does: no collection looks through what its start made
        for _ in range(repeats):
            for count in (events, 2 * events):
                chat_id, clock = await new_chat(desk), started()
                await asyncio.to_thread(append_all, desk.store, [chat_id], count)
                appending[count].append(clock())
                clock = started()
                await replay(desk, chat_id, count)
                replaying[count].append(clock())
    for name, times in (("append", appending), ("replay", replaying)):
        one, two = median(times[events]), median(times[2 * events])
        section.figures.append((name, f"{ms(one)}, {ms(two)} (medians of {repeats})"))
        section.ratios.append(of_times(f"{name}: {2 * events} events to {events}", two, one, GOAL))
    return section


def started() -> Callable[[], float]:
    """A clock of processor time, in seconds from now; what lies about is collected first."""
    gc.collect()
    started_at = time.process_time()
    return lambda: time.process_time() - started_at


async def replay(desk: Desk, chat_id: str, count: int) -> None:
    """Follow a chat until a new follower holds all `count` events."""
    async for batch in desk.runs.follow(chat_id):
        count -= sum(isinstance(item, StoredEvent) for item in batch)
        if count <= 0:
            return
