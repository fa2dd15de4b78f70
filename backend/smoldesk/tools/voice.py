"""What a tool that works for long is given for one call: it says how far it is, asks, and adds files to the chat.

Declared here because tools stand below the runs that speak into a chat's log; the agent's room hands one in.
"""

from typing import Protocol

from pydantic import JsonValue

from smoldesk.events import Ask, ProgressState
from smoldesk.stopping import StopFlag


class Answered(Protocol):
    """How an ask ended."""

    @property
    def granted(self) -> bool: ...
    @property
    def value(self) -> JsonValue: ...
    @property
    def reason(self) -> str: ...
    @property
    def by(self) -> str: ...


class Voice(Protocol):
    """One call's voice; used on the run's own thread only."""

    @property
    def chat_id(self) -> str: ...
    @property
    def call_id(self) -> str: ...
    @property
    def stop(self) -> StopFlag: ...

    def say(self, agent: str, state: ProgressState, text: str = "", context_id: str | None = None) -> None:
        """Tell how the work of another agent stands, with a piece of its words; see events.ToolProgress."""
        ...

    def settle(self) -> None:
        """Wait until all that was said is in the log."""
        ...

    def ask(self, ask: Ask) -> Answered:
        """Open an ask and wait for its end. Raises Stopped when the run was stopped meanwhile."""
        ...

    def add_file(self, name: str, content: bytes) -> str:
        """Put a file into the chat, replacing none; the name it got. Raises DeskError for one that cannot be kept."""
        ...
