"""`share_state`: an agent writes into the state that the run's front end shares with it (AG-UI)."""

from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import ToolContext


class ShareState(LongTool):
    """Tool for a JSON Merge Patch (RFC 7396) of the front end's own part, sent to all followers of the chat."""

    name = "share_state"
    description = (
        "Changes the state that the person's front end shares with you, which it shows at once. What you give is merged into "
        "it: a key is set, an object is merged into the one of that key, null removes the key, a list replaces the whole list. "
        'Returns the whole state as it is then. Example: shared_state = share_state(changes={"draft": {"title": "Plan B"}})'
    )
    inputs: ClassVar = {
        "changes": {"type": "object", "description": "what becomes otherwise, as an object of plain JSON"}
    }
    output_type = "object"

    def forward(self, changes: dict[str, Any]) -> Any:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the stored state after the changes. Raises BadInput for invalid changes, Stopped."""
        changes = arguments.get("changes")
        if not isinstance(changes, dict):
            raise BadInput("`changes` is not an object.", 'Expected an object: {"key": value}.')
        return context.share_state(changes)
