"""Delays after wrong tokens, which double for each client address.

Counts are in memory, for a bounded number of addresses. Servers of one PostgreSQL learn each other's from the database.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable

from smoldesk.chats import SharedTries, WrongTries
from smoldesk.errors import DeskError
from smoldesk.logs import client_key

# Wrong tokens that an address may send before it has to wait.
FREE_FAILURES = 5
LONGEST_SECONDS = 300
# Seconds without a wrong token after which an address starts from zero.
FORGET_SECONDS = 3600.0
MAX_ADDRESSES = 10_000
# Seconds for which the count of other servers is used without reading it again.
READ_SECONDS = 1.0
# Seconds that a request waits for the count of other servers; after that the local count holds.
LEARN_SECONDS = 1.0


class LoginThrottle:
    """Counter of wrong tokens by address.

    `failures` counts all of them, for /metrics; `clock` returns seconds; `shared` are the wrong tokens at all servers.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, shared: SharedTries | None = None
    ) -> None:
        self.failures = 0
        self._clock = clock
        self._shared = shared
        self._read_at: OrderedDict[str, float] = OrderedDict()
        self._addresses: OrderedDict[str, tuple[int, float]] = OrderedDict()

    async def learn(self, address: str) -> None:
        """Learn how many wrong tokens other servers got from an address, before `wait`."""
        network, now = client_key(address), self._clock()
        if self._shared is None or now - self._read_at.get(network, -READ_SECONDS) < READ_SECONDS:
            return
        self._note_read(network, now)
        with contextlib.suppress(DeskError, TimeoutError):  # the local counts still hold
            async with asyncio.timeout(LEARN_SECONDS):
                self._merge(network, await self._shared.read(network))

    async def report(self, address: str, count: int) -> None:
        """Tell other servers of wrong tokens, after `note_failure`."""
        network = client_key(address)
        if self._shared is not None and count:
            with contextlib.suppress(DeskError):
                self._merge(network, await self._shared.add(network, count))

    def _merge(self, network: str, tries: WrongTries) -> None:
        count, since = self._addresses.get(network, (0, 0.0))
        if tries.count > count:
            self._put(network, tries.count, max(since, self._clock() - tries.age))

    def _note_read(self, network: str, now: float) -> None:
        self._read_at[network] = now
        self._read_at.move_to_end(network)
        if len(self._read_at) > MAX_ADDRESSES:
            self._read_at.popitem(last=False)

    def wait(self, address: str) -> int:
        """Return the seconds until tokens of this address are checked again, 0 if they are checked now."""
        count, since = self._addresses.get(client_key(address), (0, 0.0))
        if count < FREE_FAILURES:
            return 0
        # `-int(-x // 1)` rounds up: Retry-After has whole seconds, and a client must not come back too early.
        return max(0, -int(-(since + _pause(count) - self._clock()) // 1))

    def note_failure(self, address: str) -> None:
        """Count a wrong token. Above MAX_ADDRESSES, drop the address that failed longest ago."""
        self.failures += 1
        network, now = client_key(address), self._clock()
        count, since = self._addresses.get(network, (0, now))
        self._put(network, 1 if now - since > FORGET_SECONDS else count + 1, now)

    def _put(self, network: str, count: int, since: float) -> None:
        # Popping and inserting moves the address to the end: the dict stays sorted by the last failure.
        self._addresses.pop(network, None)
        self._addresses[network] = (count, since)
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)


def _pause(count: int) -> int:
    # The inner limit keeps the power small however often an address fails.
    return min(2 ** min(count - FREE_FAILURES, 20), LONGEST_SECONDS)
