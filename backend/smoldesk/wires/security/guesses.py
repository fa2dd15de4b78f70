"""Wrong tokens, counted by the client's address: who guesses has to wait longer and longer.

Kept in memory, for a bounded number of addresses; each server counts for itself.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from smoldesk.wires.security.proxies import client_key

# Wrong tokens of an address before it has to wait.
FREE_FAILURES = 5
LONGEST_SECONDS = 300
# An address that was silent for so long begins anew.
FORGET_SECONDS = 3600.0
MOST_ADDRESSES = 10_000


class LoginThrottle:
    """`failures` is the number of all wrong tokens; `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.failures = 0
        self._clock = clock
        self._addresses: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Return how many seconds no token of this address is looked at, 0 if one is."""
        count, since = self._addresses.get(client_key(address), (0, 0.0))
        if count < FREE_FAILURES:
            return 0
        return max(0, -int(-(since + _pause(count) - self._clock()) // 1))

    def note_failure(self, address: str) -> None:
        """Count a wrong token; the address that failed longest ago is forgotten where there are too many."""
        self.failures += 1
        network, now = client_key(address), self._clock()
        count, since = self._addresses.pop(network, (0, now))
        self._addresses[network] = (1 if now - since > FORGET_SECONDS else count + 1, now)
        if len(self._addresses) > MOST_ADDRESSES:
            self._addresses.popitem(last=False)


def _pause(count: int) -> int:
    return min(2 ** min(count - FREE_FAILURES, 20), LONGEST_SECONDS)
