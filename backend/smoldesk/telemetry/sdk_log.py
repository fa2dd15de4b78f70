"""Log of OpenTelemetry's own code as lines of the desk's log: repeated messages once in a while, without an address's
password.

A collector that is away fails with every batch, and an exporter logs the address that it was given.
"""

import logging
import re
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

QUIET_SECONDS = 600.0
MAX_MESSAGE_CHARACTERS = 400
MAX_REMEMBERED = 100
_WHO = re.compile(r"(^|[/\s'\"])[^/\s'\"@]+@")
_QUERY = re.compile(r"\?[^\s'\")]+")


class SdkLog(logging.Handler):
    """Takes the records of the logger `opentelemetry`. `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._clock = clock
        self._last_logged: dict[tuple[str, str], float] = {}

    def take_over(self) -> None:
        """Receive all records of the SDK's logger, instead of the desk's handlers."""
        logger = logging.getLogger("opentelemetry")
        logger.handlers = [self]
        logger.setLevel(logging.WARNING)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        what, now = (record.name, str(record.msg)), self._clock()
        if now - self._last_logged.get(what, -QUIET_SECONDS) < QUIET_SECONDS:
            return
        if len(self._last_logged) >= MAX_REMEMBERED:
            self._last_logged.clear()
        self._last_logged[what] = now
        message = _QUERY.sub("?***", _WHO.sub(r"\1***@", " ".join(record.getMessage().split())))[
            :MAX_MESSAGE_CHARACTERS
        ]
        fault = f" ({record.exc_info[0].__name__})" if record.exc_info and record.exc_info[0] else ""
        log.log(
            record.levelno,
            "telemetry: %s%s Said again in %d minutes at the earliest.",
            message,
            fault,
            QUIET_SECONDS // 60,
        )
