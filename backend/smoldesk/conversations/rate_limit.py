"""Rate limit of logins: after five wrong passkeys for one id, further tries are checked one by one, with growing delays.

Unknown ids are treated alike. The right passkey is never locked out: its turn comes at most LONGEST_DELAY after the last
wrong one if there are no other tries. Kept in memory for MAX_IDS ids; quiet ones are forgotten. Servers of one PostgreSQL
count together (`SharedTries`): there a try counts as wrong while it is checked, until the passkey was right.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from smoldesk.chats import SharedTries
from smoldesk.conversations.errors import TOO_MANY_ATTEMPTS, AgentFault

# Wrong tries without a delay.
FREE_TRIES = 5
# Seconds of the first delay, which doubles with each wrong try, and of the longest one.
FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
# Seconds without a wrong try after which an id starts over.
QUIET_SECONDS = 900.0
# Ids in memory: a client that makes up ids must not fill it.
MAX_IDS = 10_000
# Waiting tries for one id; a further one is refused at once.
MAX_WAITING = 10


@dataclass
class _Tries:
    wrong: int = 0
    last_wrong: float = 0.0
    waiting: int = 0
    in_progress: int = 0


def delay_after(wrong: int) -> float:
    """Return the seconds between the last wrong try and the next check."""
    return 0.0 if wrong < FREE_TRIES else min(FIRST_DELAY * 2 ** min(wrong - FREE_TRIES, 10), LONGEST_DELAY)


class RateLimit:
    """Rate limit of one event loop. `ticks` is a monotonic clock, `sleep` waits; `shared` are the tries at all servers."""

    def __init__(
        self,
        ticks: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        shared: SharedTries | None = None,
    ) -> None:
        self._ticks = ticks
        self._sleep = sleep
        self._shared = shared
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    @asynccontextmanager
    async def turn(self, member_id: str) -> AsyncGenerator[None]:
        """Wait for the id's turn to check a passkey. Raises too_many_attempts when too many are waiting already."""
        tries = self._of(member_id)
        # tries in progress may all turn out wrong: concurrent requests must not get more free tries than others
        if tries.wrong + tries.in_progress >= FREE_TRIES:
            await self._wait(tries)
        tries.in_progress += 1
        try:
            if self._shared is not None:
                await self._reserve(self._shared, member_id, tries)
            yield
        finally:
            tries.in_progress -= 1

    async def _reserve(self, shared: SharedTries, member_id: str, tries: _Tries) -> None:
        """Wait for the id's turn among all servers."""
        while (seconds := await shared.reserve(member_id, delay_after)) > 0:
            if tries.waiting >= MAX_WAITING:
                raise AgentFault(TOO_MANY_ATTEMPTS, f"Try again in {int(seconds) + 1} seconds.")
            tries.waiting += 1
            try:
                await self._sleep(seconds)
            finally:
                tries.waiting -= 1

    async def _wait(self, tries: _Tries) -> None:
        if tries.waiting >= MAX_WAITING:
            raise AgentFault(TOO_MANY_ATTEMPTS, f"Try again in {int(delay_after(tries.wrong)) + 1} seconds.")
        tries.waiting += 1
        try:
            while (
                remaining_seconds := tries.last_wrong + delay_after(tries.wrong) - self._ticks()
            ) > 0 or tries.in_progress:
                await self._sleep(max(remaining_seconds, 0.05))
        finally:
            tries.waiting -= 1

    def was_wrong(self, member_id: str) -> None:
        """Count a wrong passkey."""
        tries = self._of(member_id)
        tries.wrong += 1
        tries.last_wrong = self._ticks()

    async def was_right(self, member_id: str) -> None:
        """Forget the wrong passkeys of an id."""
        self._of(member_id).wrong = 0
        if self._shared is not None:
            await self._shared.forget(member_id)

    def _of(self, member_id: str) -> _Tries:
        now = self._ticks()
        tries = self._tries.setdefault(member_id, _Tries())
        # Least recently used first, for the eviction below.
        self._tries.move_to_end(member_id)
        if tries.wrong and now - tries.last_wrong > QUIET_SECONDS:
            tries.wrong = 0
        while len(self._tries) > MAX_IDS:
            self._tries.popitem(last=False)
        return tries
