"""What an agent is given to work with: the run's voice, its asks, its stop flag, its files.

`runs` implements this; everything an agent does to the outside goes through it, on the run's own thread.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from smoldesk.events import (
    Ask,
    Delta,
    Printed,
    RunEvent,
    StoredEvent,
    ToolProgress,
)
from smoldesk.messages import RoomRef
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.store.files import FileKind, StoredFile
from smoldesk.tools.gate import Gate


class Context(Protocol):
    """One run's context."""

    @property
    def chat_id(self) -> str: ...
    @property
    def run_id(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def stop(self) -> StopFlag: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def selection(self) -> Sequence[RoomRef]: ...
    @property
    def gate(self) -> Gate: ...

    def emit(self, *events: RunEvent) -> None:
        """Append events to the log, in one transaction; raises Stopped when the run was closed from outside."""
        ...

    def emit_soon(self, event: Delta | Printed | ToolProgress) -> None:
        """Append a small piece, joined with its neighbours."""
        ...

    def settle(self) -> None:
        """Wait until everything emitted is committed: what a side effect must be preceded by."""
        ...

    def ask(self, ask: Ask) -> Answer:
        """Open an ask and wait for its answer, its expiry (a denial) or a stop (raises Stopped)."""
        ...

    def keep_file(self, relative: str, kind: FileKind, name: str | None = None) -> StoredFile:
        """Store a copy of a file of the chat's folder; raises NotFound or BadInput."""
        ...

    def keep_bytes(self, data: bytes, kind: FileKind, name: str) -> StoredFile:
        """Store bytes that came in a text; raises BadInput when they are too many."""
        ...

    def next_figure(self) -> int:
        """A number for a figure without a name, counted in the chat from 1."""
        ...

    def stored_path(self, file_id: str) -> Path:
        """Where the bytes of a stored file lie."""
        ...

    def history(self) -> list[StoredEvent]:
        """What the memory of earlier runs is rebuilt from: their starts, steps and ends, oldest first."""
        ...


class Agent(Protocol):
    """Whatever answers a message: smolagents behind AgentWrapper, or a terminal program."""

    def run(self, message: str, ctx: Context) -> str:
        """Answer one message; the text of the final answer. Raises Stopped, or a DeskError that fails the run."""
        ...
