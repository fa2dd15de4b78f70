"""The gate every tool call passes, and what a call that was refused there raises.

Declared here because tools are called from rooms below `asks`, which hands the real gate in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue

if TYPE_CHECKING:
    from smoldesk.tools.policy import DeskTool


class ToolDenied(Exception):
    """A person, an expiry or a policy said no; the tool never ran. Code that called it can catch this."""


@dataclass(frozen=True)
class PendingCall:
    """A call that wants to pass. `line` (1-based) and `source` are the line of the cell that called, if one did."""

    call_id: str
    tool: "DeskTool"
    arguments: dict[str, JsonValue]
    line: int | None = None
    source: str | None = None


@dataclass(frozen=True)
class CheckedCall:
    """A call that was judged: it runs with `arguments` (a person may have edited them), or ends with `fault`.

    `fault` is a ToolDenied, or the BadInput of arguments that could not have worked; `more` says that the next one comes
    without anybody being waited for.
    """

    call: PendingCall
    arguments: dict[str, JsonValue]
    fault: Exception | None = None
    more: bool = False


class Gate(Protocol):
    """Decides whether calls may run."""

    def begin_step(self) -> None:
        """Forget what was allowed for the step before."""
        ...

    def passed(self, calls: Sequence[PendingCall]) -> Iterator[CheckedCall]:
        """Yield each call once, as it is decided: those without approval first, in order, then each as its ask closes.

        All asks are open before the first call is yielded; each grant is committed before its call is.
        """
        ...
