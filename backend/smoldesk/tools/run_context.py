"""Context of a run for agents, gates and tools: log events, ask people, store files, stop.

Declared below the agents and the tools that use it; `runs` implements it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import JsonValue

from smoldesk.events import Ask, Delta, Nested, Printed, ProgressState, RunEvent, StoredEvent, ToolProgress
from smoldesk.messages import McpApp, RoomRef, RowSelection
from smoldesk.stopping import StopFlag

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from smoldesk.store.asks import Answer
    from smoldesk.store.files import FileKind, StoredFile
    from smoldesk.tools.gate import Gate
    from smoldesk.tools.policy import DeskTool


class RunContext(Protocol):
    """One run, as its agent has it; `runs` implements it. Used on the run's own thread only."""

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
    def attachments(self) -> Sequence[str]:
        """Names, in the chat's folder, of the files that came with the message."""
        ...

    @property
    def selection(self) -> Sequence[RoomRef]: ...
    @property
    def about(self) -> RowSelection | None: ...
    @property
    def shared_state(self) -> Mapping[str, JsonValue] | None: ...
    @property
    def gate(self) -> "Gate": ...

    def emit(self, *events: RunEvent) -> None:
        """Append events to the log, in one transaction; raises Stopped when the run was closed from outside."""
        ...

    def emit_soon(self, event: Delta | Printed | ToolProgress | Nested) -> None:
        """Append a small piece, joined with its neighbours; nested, it is one of these of a managed agent."""
        ...

    def settle(self) -> None:
        """Wait until everything emitted is committed: what a side effect must be preceded by."""
        ...

    def ask(self, ask: Ask) -> "Answer":
        """Open an ask and wait for its answer, its expiry (a denial) or a stop (raises Stopped)."""
        ...

    def keep_file(self, relative: str, kind: "FileKind", name: str | None = None) -> "StoredFile":
        """Store a copy of a file of the chat's folder; raises NotFound or BadInput."""
        ...

    def keep_bytes(self, data: bytes, kind: "FileKind", name: str) -> "StoredFile":
        """Store bytes that came in a text; raises BadInput when they are too many."""
        ...

    def keep_message(self, text: str, is_answer: bool = False) -> str:
        """Keep one message of a prompt (JSON), once in its chat; the id that a call of the model names it by."""
        ...

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Merge changes into the state that front ends share with the chat (RFC 7396). Return it. Raises BadInput,
        Stopped.
        """
        ...

    def next_figure(self) -> int:
        """Return the number for the next figure without a name, counted per chat from 1."""
        ...

    def changing_folder(self) -> "AbstractContextManager[Path]":
        """Bring the chat's folder up to date with other servers, and what changes in it meanwhile to them."""
        ...

    def stored_path(self, file_id: str) -> Path:
        """Return the path of a stored file."""
        ...

    def history(self) -> list[StoredEvent]:
        """Return the events for the memory of earlier runs: their starts and steps, oldest first."""
        ...


class AskPort(Protocol):
    """One run's asks, as its gate has them: opened, waited for, and the record of what was let through."""

    def open_asks(self, asks: Sequence[Ask], tools: "Mapping[str, DeskTool] | None" = None) -> None:
        """Open asks; `tools`, by the asks' ids, check edited arguments."""
        ...

    def next_answer(self, asks: Sequence[Ask]) -> "tuple[Ask, Answer]":
        """Wait for the first answer to one of these; raises Stopped."""
        ...

    def close_ask(self, ask_id: str, answer: "Answer") -> None:
        """Answer an open ask from within."""
        ...

    def record(self, ask: Ask, answer: "Answer") -> None:
        """Keep, before the call runs, that an earlier answer reaches this one."""
        ...

    def policies(self) -> Mapping[str, Literal["allow", "ask"]]:
        """Return the chat's current policies of tools."""
        ...


class ToolContext(Protocol):
    """One call of a tool that works for long. Used on the run's own thread only."""

    @property
    def chat_id(self) -> str: ...
    @property
    def call_id(self) -> str: ...
    @property
    def stop(self) -> StopFlag: ...

    def report_progress(
        self,
        agent: str,
        state: ProgressState,
        text: str = "",
        context_id: str | None = None,
        share: float | None = None,
    ) -> None:
        """Tell how the work of another agent, or a query, stands, with a piece of its words; see events.ToolProgress."""
        ...

    def settle(self) -> None:
        """Wait until all that was said is in the log."""
        ...

    def ask(self, ask: Ask) -> "Answer":
        """Open an ask and wait for its end. Raises Stopped when the run was stopped meanwhile."""
        ...

    def add_file(self, name: str, content: bytes) -> str:
        """Put a file into the chat, replacing none; the name it got. Raises DeskError for one that cannot be kept."""
        ...

    def keep_app(self, name: str, content: bytes) -> str:
        """Keep a part of a view of an MCP server, apart from the chat's files; its id. Raises BadInput beyond the limit."""
        ...

    def show_app(self, app: McpApp) -> None:
        """Show a view of an MCP server, or how its call ended. Raises Stopped when the run was closed from outside."""
        ...

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Merge changes into the state that front ends share with the chat (RFC 7396). Return it. Raises BadInput,
        Stopped.
        """
        ...

    def nested(self, agent: str) -> RunContext:
        """Return the context of an agent of this desk that works for this call: its events are nested in the run's log."""
        ...


class Agent(Protocol):
    """Agent that answers messages: smolagents behind AgentWrapper, or a terminal program."""

    def run(self, message: str, ctx: RunContext) -> str:
        """Answer one message; the text of the final answer. Raises Stopped, or a DeskError that fails the run."""
        ...
