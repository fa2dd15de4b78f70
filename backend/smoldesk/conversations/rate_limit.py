"""Slows guessing: after five wrong passkeys for one id, the next tries are looked at one by one, ever later.

It is the same for ids that nobody has. The right passkey is never locked out: its turn comes, at most LONGEST_DELAY after
the last wrong one when nobody else tries. Kept in memory, for as many ids as MOST_IDS; a quiet one is forgotten.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from smoldesk.conversations.errors import TOO_MANY_ATTEMPTS, AgentFault

FREE_TRIES = 5
FIRST_DELAY = 1.0
LONGEST_DELAY = 30.0
QUIET_SECONDS = 900.0
MOST_IDS = 10_000
# For one id; one more is sent away at once.
MOST_WAITING = 10


@dataclass
class _Tries:
    wrong: int = 0
    last_wrong: float = 0.0
    waiting: int = 0
    in_progress: int = 0


def delay_after(wrong: int) -> float:
    """Seconds from the last wrong try to the next one that is looked at."""
    return 0.0 if wrong < FREE_TRIES else min(FIRST_DELAY * 2 ** min(wrong - FREE_TRIES, 10), LONGEST_DELAY)


class RateLimit:
    """Used on one event loop. `ticks` is a clock that never goes back, `sleep` waits."""

    def __init__(
        self,
        ticks: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._ticks = ticks
        self._sleep = sleep
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    @asynccontextmanager
    async def turn(self, member_id: str) -> AsyncGenerator[None]:
        """Wait for this id's turn, then look at the passkey inside. Raises too_many_attempts when too many wait already."""
        tries = self._of(member_id)
        if tries.wrong + tries.in_progress >= FREE_TRIES:  # also when five are looked at this very moment
            await self._wait(tries)
        tries.in_progress += 1
        try:
            yield
        finally:
            tries.in_progress -= 1

    async def _wait(self, tries: _Tries) -> None:
        if tries.waiting >= MOST_WAITING:
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
        """Count a failed login of a name."""
        tries = self._of(member_id)
        tries.wrong += 1
        tries.last_wrong = self._ticks()

    def was_right(self, member_id: str) -> None:
        """Forget the failed logins of a name."""
        self._of(member_id).wrong = 0

    def _of(self, member_id: str) -> _Tries:
        now = self._ticks()
        tries = self._tries.setdefault(member_id, _Tries())
        self._tries.move_to_end(member_id)
        if tries.wrong and now - tries.last_wrong > QUIET_SECONDS:
            tries.wrong = 0
        while len(self._tries) > MOST_IDS:
            self._tries.popitem(last=False)
        return tries
