"""Stating facts: `say(log, "run", run=..., state=...)` becomes one line. Values are ids, codes and numbers."""

import contextvars
import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

# Lines of one kind per period; further ones become a count in the next line. Pure.
LINES = 10
# Seconds of a period.
PERIOD = 10.0
# Kinds counted at once; beyond, all counts are dropped, so that memory stays limited.
KINDS = 1000


@dataclass
class _Period:
    started_at: float
    logged: int = 0
    suppressed: int = 0


class LineLimiter:
    """Counts lines by kind; `clock` tells seconds. Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._periods: dict[Hashable, _Period] = {}

    def admit(self, kind: Hashable) -> int | None:
        """Return the number of lines of this kind left out since the last one, or None if this one must be left out,
        too.
        """
        now = self._clock()
        with self._lock:
            if len(self._periods) >= KINDS:
                self._periods.clear()
            period = self._periods.setdefault(kind, _Period(now))
            if now - period.started_at >= PERIOD:
                period.started_at, period.logged = now, 0
            if period.logged >= LINES:
                period.suppressed += 1
                return None
            period.logged += 1
            unsaid, period.suppressed = period.suppressed, 0
            return unsaid


Value = str | int | float | bool | None

# The id of the current request or socket; empty in a run's thread.
request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
# The W3C header of the request, which continues its caller's trace; a socket has none.
traceparent: contextvars.ContextVar[str | None] = contextvars.ContextVar("traceparent", default=None)

log = logging.getLogger("smoldesk.security")
_flood = LineLimiter()


def log_event(logger: logging.Logger, fact: str, level: int = logging.INFO, /, **values: Value) -> None:
    """One line: the fact's name and its values; None is left out."""
    if logger.isEnabledFor(level):
        logger.log(
            level, fact, extra={"facts": {key: value for key, value in values.items() if value is not None}}
        )


def log_denial(code: str, client: str, **values: Value) -> None:
    """Log a request that the access control refused. Many of one code become a count."""
    _log_throttled("denial", code, client=client, **values)


def log_refusal(code: str, **values: Value) -> None:
    """Log a request or a frame that a wire refused. Many of one code become a count."""
    _log_throttled("refusal", code, **values)


def _log_throttled(fact: str, code: str, **values: Value) -> None:
    unsaid = _flood.admit((fact, code))
    if unsaid is not None:
        log_event(log, fact, code=code, **values, unsaid=unsaid or None)
