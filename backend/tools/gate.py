"""The gate every tool call passes, and what a call that was refused there raises.

Declared here because tools are called from rooms below `asks`, which hands the real gate in.
"""

from typing import Protocol

from pydantic import JsonValue


class ToolDenied(Exception):
    """A person, an expiry or a policy said no; the tool never ran. Code that called it can catch this."""


class Gate(Protocol):
    """Decides whether a call may run."""

    def admit(
        self, tool: str, approval: str, call_id: str, arguments: dict[str, JsonValue], code_line: str | None
    ) -> dict[str, JsonValue]:
        """The arguments to run with (a person may have edited them); raises ToolDenied with the reason."""
        ...
