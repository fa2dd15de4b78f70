"""Delays after wrong tokens, which double for each client address.

Counts are in memory, for a bounded number of addresses; each server has its own.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from smoldesk.wires.security.proxies import client_key

# Wrong tokens that an address may send before it has to wait.
FREE_FAILURES = 5
LONGEST_SECONDS = 300
# Seconds without a wrong token after which an address starts from zero.
FORGET_SECONDS = 3600.0
MAX_ADDRESSES = 10_000


class LoginThrottle:
    """Counter of wrong tokens by address.

    `failures` counts all of them, for /metrics; `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.failures = 0
        self._clock = clock
        self._addresses: OrderedDict[str, tuple[int, float]] = OrderedDict()

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
        # Popping and inserting moves the address to the end: the dict stays sorted by the last failure.
        count, since = self._addresses.pop(network, (0, now))
        self._addresses[network] = (1 if now - since > FORGET_SECONDS else count + 1, now)
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)


def _pause(count: int) -> int:
    # The inner limit keeps the power small however often an address fails.
    return min(2 ** min(count - FREE_FAILURES, 20), LONGEST_SECONDS)
