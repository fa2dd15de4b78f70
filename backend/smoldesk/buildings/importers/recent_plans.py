"""Plans that were read last, so that a building that was previewed is not read again when it is taken."""

import time
from collections import OrderedDict

from smoldesk.buildings.importers.plans import Plan

# Plans kept, and seconds. One of 10,000 rooms takes some 30 MB.
MAX_PLANS = 2
SECONDS = 900.0


class RecentPlans:
    """Plans by the hash of the files they were read from. Use it on an event loop."""

    def __init__(self) -> None:
        self._plans: OrderedDict[str, tuple[float, Plan]] = OrderedDict()

    def put(self, digest: str, plan: Plan) -> None:
        """Keep a plan; the oldest one goes."""
        self._plans[digest] = (time.monotonic(), plan)
        while len(self._plans) > MAX_PLANS:
            self._plans.popitem(last=False)

    def take(self, digest: str) -> Plan | None:
        """Return a plan once; None for one that is unknown or too old."""
        at, plan = self._plans.pop(digest, (0.0, None))
        return plan if time.monotonic() - at < SECONDS else None
