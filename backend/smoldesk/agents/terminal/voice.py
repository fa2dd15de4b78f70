"""What a run of a terminal program is given to speak with: its log, its asks, its stop flag. `runs` hands it in."""

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
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.store.files import FileKind, StoredFile


class Voice(Protocol):
    """The part of a run's context that a terminal program needs; see agent_wrapper/context.py for each."""

    @property
    def chat_id(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def stop(self) -> StopFlag: ...
    def emit(self, *events: RunEvent) -> None: ...
    def emit_soon(self, event: Delta | Printed | ToolProgress) -> None: ...
    def ask(self, ask: Ask) -> Answer: ...
    def keep_file(self, relative: str, kind: FileKind, name: str | None = None) -> StoredFile: ...
    def history(self) -> list[StoredEvent]: ...
