"""Retries of calls to a provider, in one place.

smolagents waits a minute or more between its tries, and the openai client sleeps without a way to wake it, so both
are switched off and this replaces smolagents' retryer: `Retries(...)(call, **kwargs)`. At most `retries` + 1 tries,
for passing errors only, before the first piece of an answer (a stream that breaks later is asked for again by the run's
model, within the same limit); between them it waits on an event that `close` sets, so
a stopped run does not sleep on.
"""

import random
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from smoldesk.errors import Stopped
from smoldesk.models.errors import retry_after_seconds

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
# Seconds. If a provider asks for a longer pause, the run fails with that hint instead of waiting.
MAX_RETRY_AFTER = 60.0

PASSING_STATUSES = (408, 409, 429)


class RetryHint(NamedTuple):
    """An error that trying again may cure; `retry_after` is the pause the provider wants, in seconds."""

    retry_after: float | None = None


# Judges an error of a provider's library; None if a retry cannot help.
RetryPolicy = Callable[[Exception], RetryHint | None]


class Retries:
    """Calls a function up to `retries` more times while its error may pass; woken by `close`."""

    def __init__(self, retries: int, passing: RetryPolicy | None = None) -> None:
        """Create a retryer; `passing` judges the errors of one library, by default openai's."""
        self.limit = retries
        self._passing = passing or openai_passing
        self._closed = threading.Event()

    def __call__(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return the result of `call`. Raises its last error, or Stopped once closed."""
        for attempt in range(self.limit + 1):
            self.check()
            try:
                return call(*args, **kwargs)
            except Exception as error:  # of any library: what is not known to pass is raised again
                wait = self._pause(error, attempt)
                if wait is None:
                    raise
            self._closed.wait(wait)
        raise AssertionError("the last try returns or raises")

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def check(self) -> None:
        """Raise Stopped once closed."""
        if self.closed:
            raise Stopped("the model call was stopped")

    def close(self) -> None:
        """Wake a waiting call and allow no further try."""
        self._closed.set()

    def pause(self, attempt: int) -> None:
        """Wait before try `attempt` + 2, for an error that is known to pass; `close` wakes it."""
        self._closed.wait(_seconds(attempt))

    def _pause(self, error: Exception, attempt: int) -> float | None:
        """Return the seconds to wait before try `attempt` + 2, or None when there is none."""
        verdict = self._passing(error) if attempt < self.limit else None
        if verdict is None:
            return None
        if verdict.retry_after is not None:
            return verdict.retry_after if verdict.retry_after <= MAX_RETRY_AFTER else None
        return _seconds(attempt)


def _seconds(attempt: int) -> float:
    return min(FIRST_WAIT * 2**attempt, LONGEST_WAIT) * random.uniform(0.75, 1)


def openai_passing(error: Exception) -> RetryHint | None:
    """Return whether an error of openai's client (or of LiteLLM, whose errors are openai's) is worth a retry."""
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        retry_header = error.response.headers.get("x-should-retry")
        passing = error.status_code >= 500 or error.status_code in PASSING_STATUSES
        if retry_header == "false" or not (passing or retry_header == "true"):
            return None
    elif not isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return None
    return RetryHint(retry_after_seconds(error))
