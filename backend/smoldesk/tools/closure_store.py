"""Closures as tools read and change them: those of a chat, or of the tools alone."""

from collections.abc import Callable
from typing import Protocol

from smoldesk.messages import ClosureState


class ClosureStore(Protocol):
    """Closures of a chat, as its tools read and change them."""

    def read(self) -> ClosureState: ...

    def change(self, change: Callable[[ClosureState], ClosureState]) -> ClosureState:
        """Apply a change and return the closures after it. What `change` raises leaves them as they were."""
        ...


class LocalClosures:
    """Closures without a chat, for the life of the tools."""

    def __init__(self, state: ClosureState | None = None) -> None:
        self._state = state or ClosureState()

    def read(self) -> ClosureState:
        return self._state

    def change(self, change: Callable[[ClosureState], ClosureState]) -> ClosureState:
        self._state = change(self._state)
        return self._state
