"""Context of a managed agent: thread, stop flag, gate and files of the run it works in; its events nest in its call."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from smoldesk.events import (
    Ask,
    Delta,
    Nested,
    NestedEvent,
    Printed,
    RunEvent,
    StoredEvent,
    ToolProgress,
)
from smoldesk.messages import RoomRef
from smoldesk.stopping import StopFlag
from smoldesk.tools.gate import Gate
from smoldesk.tools.run_context import RunContext

if TYPE_CHECKING:
    from smoldesk.store.asks import Answer
    from smoldesk.store.files import FileKind, StoredFile


class NestedContext:
    """RunContext for the call `within` of a run, or of another managed agent in it.

    The agent has no memory of the chat and gets no notes. Files that it shows are entered in `nested_file_sizes`.
    """

    notes: list[str] = []  # noqa: RUF012
    attachments: Sequence[str] = ()
    about = None
    shared_state = None

    def __init__(self, outer: RunContext, within: str, agent: str, nested_file_sizes: dict[str, int]) -> None:
        self._outer = outer
        self._within = within
        self._agent = agent
        self._nested_file_sizes = nested_file_sizes
        self.chat_id: str = outer.chat_id
        self.run_id: str = outer.run_id
        self.folder: Path = outer.folder
        self.stop: StopFlag = outer.stop
        self.selection: Sequence[RoomRef] = outer.selection
        self.gate: Gate = outer.gate

    def emit(self, *events: RunEvent) -> None:
        self._outer.emit(*map(self._nested, events))

    def emit_soon(self, event: Delta | Printed | ToolProgress | Nested) -> None:
        self._outer.emit_soon(self._nested(event))

    def _nested(self, event: RunEvent) -> Nested:
        """Wrap an event; one from an agent nested further is wrapped already."""
        if isinstance(event, Nested):
            return event
        assert isinstance(event, NestedEvent), "the run's own thread alone opens asks and closes it"
        return Nested(within=self._within, agent=self._agent, event=event)

    def settle(self) -> None:
        self._outer.settle()

    def ask(self, ask: Ask) -> "Answer":
        return self._outer.ask(ask)

    def keep_file(self, relative: str, kind: "FileKind", name: str | None = None) -> "StoredFile":
        file = self._outer.keep_file(relative, kind, name)
        self._nested_file_sizes[relative] = file.size
        return file

    def keep_bytes(self, data: bytes, kind: "FileKind", name: str) -> "StoredFile":
        return self._outer.keep_bytes(data, kind, name)

    def keep_message(self, text: str, is_answer: bool = False) -> str:
        return self._outer.keep_message(text, is_answer)

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return self._outer.share_state(changes)

    def next_figure(self) -> int:
        return self._outer.next_figure()

    def changing_folder(self) -> AbstractContextManager[Path]:
        return self._outer.changing_folder()

    def stored_path(self, file_id: str) -> Path:
        return self._outer.stored_path(file_id)

    def history(self) -> list[StoredEvent]:
        return []
