"""Work of a cell, such as a long query, as reported to the host: its progress and its end."""

from collections.abc import Callable
from contextlib import AbstractContextManager

# Maximum characters of a reported query.
MAX_QUERY = 2_000


class Work:
    """One piece of work: a `with` block around it. `report` (any thread) takes the share that is done, 0 to 1.

    `result` may be set to a few words on what came of it.
    """

    def __init__(self, send: Callable[[str, float, str], None]) -> None:
        """`send` takes the state (running, finished or failed), the share, and words."""
        self.result = ""
        self._send = send
        self._has_reported = False

    def report(self, share: float) -> None:
        self._has_reported = True
        self._send("running", share, "")

    def __enter__(self) -> "Work":
        return self

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> None:
        if self._has_reported and fault is None:
            self._send("finished", 1.0, self.result)
        elif self._has_reported:
            self._send("failed", 1.0, (str(fault) or type(fault).__name__)[:1_000])


# Starts work with a name, as cells call it, and its text.
WorkOf = Callable[[str, str], AbstractContextManager[Work]]
