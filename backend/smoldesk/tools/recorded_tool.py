"""Stand-in for a tool in a run that is played again: it returns the recorded result, and does nothing."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.store.recordings import RecordedCall
from smoldesk.tools.policy import Approval, DeskTool
from smoldesk.tools.recorded_calls import NOT_RECORDED, RecordedCalls

_CONSTANTS: dict[str, Any] = {"True": True, "False": False, "None": None}


class NotRecorded(Exception):
    """A call that the recording does not have: other arguments, or a result that was too long for the log."""


class RecordedTool(DeskTool):
    """The tool `inner` by its name and inputs, with the results of a recording."""

    skip_forward_signature_validation = True
    is_recorded: ClassVar[bool] = True
    name = "recorded_tool"
    description = ""
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"

    def __init__(self, inner: DeskTool, calls: RecordedCalls) -> None:
        self.name, self.description = inner.name, inner.description
        self.inputs = inner.inputs  # pyright: ignore[reportAttributeAccessIssue]
        self.output_type = inner.output_type
        self._calls = calls
        super().__init__()

    def validate_arguments(self) -> None:
        """Skip smolagents' check: that of the tool was made."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("such a call is made by run_call")

    def run_call(self, call_id: str, arguments: dict[str, JsonValue]) -> Any:
        """Return the recorded result, or raise its error. Raises NotRecorded."""
        call: RecordedCall | None = self._calls.take(self.name, _named(arguments))
        if call is None:
            raise NotRecorded(
                f"{NOT_RECORDED}: {self.name} is not called when a run is played again, "
                "and this call has no recorded result."
            )
        if call.error is not None:
            raise RuntimeError(call.error)
        if call.value is not None:
            return call.value
        return call.result if self.output_type == "string" else _value(call.result)


def with_recorded(
    tools: Sequence[DeskTool],
    calls: Iterable[RecordedCall],
    approval: Mapping[str, Approval],
    longest: int,
) -> list[DeskTool]:
    """Return the tools with stand-ins for all that may act outside of the chat.

    Results of `longest` characters were cut in the log, and are not used. `approval` has the operator's policies.
    """
    recorded = RecordedCalls()
    for call in calls:
        recorded.add(call.tool, _named(call.arguments), call if len(call.result) < longest else None)
    return [tool if plays_live(tool, approval) else RecordedTool(tool, recorded) for tool in tools]


def plays_live(tool: DeskTool, approval: Mapping[str, Approval]) -> bool:
    """Check whether a tool is called when a run is played again: it only reads, and no person is asked before."""
    return tool.plays_live and approval.get(tool.name, tool.approval) == "never"


def _named(arguments: Mapping[str, JsonValue]) -> dict[str, list[JsonValue]]:
    """Return arguments whose values have their names: the log has all names, and equal values may be swapped."""
    return {name: [name, value] for name, value in arguments.items()}


def _value(text: str) -> Any:
    """Return a number or constant that a tool returned as text."""
    try:
        return _CONSTANTS[text] if text in _CONSTANTS else json.loads(text)
    except ValueError:
        return text
