"""Which tools ask, and for how long: a tool's own policy, and the operator's word, which comes before it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import JsonValue

if TYPE_CHECKING:
    from smoldesk.tools.policy import Approval, DeskTool


@dataclass(frozen=True)
class AskRules:
    """The operator's choices. `approval` and `tool_seconds` go by tool; times in seconds."""

    seconds: float = 300
    tool_seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    approval: "Mapping[str, Approval]" = field(default_factory=dict[str, "Approval"])

    def approval_of(self, tool: "DeskTool") -> "Approval":
        """Whether a person is asked before calls of a tool, as far as nothing is known of the call or the chat."""
        return self.approval.get(tool.name, tool.approval)

    def approval_of_call(self, tool: "DeskTool", arguments: Mapping[str, JsonValue]) -> "Approval":
        """The same for one call: what only reads needs no approval, unless the operator said so."""
        if tool.name not in self.approval and tool.approval != "never" and tool.reads_only(arguments):
            return "never"
        return self.approval_of(tool)

    def seconds_of(self, tool: str) -> float:
        """How long a person has to answer."""
        return self.tool_seconds.get(tool, self.seconds)
