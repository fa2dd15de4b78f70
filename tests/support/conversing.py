"""The conversations service as tests call it: each call waits for its answer, and the clock stands until it is moved."""

import inspect
from typing import Any

from backend.conversations import Conversations
from backend.store.store import Store
from tests.support.aio import run_async

NOON = 1_800_000_000.0
"""When the clock of a test begins."""


class Clock:
    """Seconds since the epoch, as the test says."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


class Room:
    """Every method of Conversations, called and waited for."""

    def __init__(self, store: Store, **options: Any) -> None:
        self.clock = Clock()
        self.service = Conversations(store, clock=self.clock, **options)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.service, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = method(*args, **kwargs)
            return run_async(answer) if inspect.iscoroutine(answer) else answer

        return call

    def close(self) -> None:
        """Nothing runs yet that would have to be ended."""
