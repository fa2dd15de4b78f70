"""One step's code as a tool call of the protocol: its arguments are written while the model writes the code. Pure."""

import json

from ag_ui.core import BaseEvent, ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent

TOOL = "python_interpreter"


class CodeCall:
    """From the first character of the code to what came of it."""

    def __init__(self, run_id: str, step: int) -> None:
        self.call_id = f"{run_id}.step{step}"
        self._length = 0
        self._is_started = False
        self._is_ready = False

    def write(self, code: str) -> list[BaseEvent]:
        """Return the events for a piece of code; once it runs, further pieces are ignored."""
        if self._is_ready or not code:
            return []
        head = "" if self._length else '{"code":"'
        self._length += len(code)
        return [*self._ensure_started(), self._args(head + json.dumps(code, ensure_ascii=False)[1:-1])]

    def begin(self) -> list[BaseEvent]:
        """Return its beginning once more, while it is written: a response may go on in the middle of it."""
        written = self._is_started and not self._is_ready
        return [ToolCallStartEvent(tool_call_id=self.call_id, tool_call_name=TOOL)] if written else []

    def ready(self, code: str = "") -> list[BaseEvent]:
        """Return the event with the complete code: as it was streamed, else `code` from the step."""
        if self._is_ready:
            return []
        written = [*self._ensure_started(), *(self.write(code) if not self._length else [])]
        self._is_ready = True
        ending = [self._args('"}' if self._length else '{"code":""}')]
        return [*written, *ending, ToolCallEndEvent(tool_call_id=self.call_id)]

    def ended(self, output: str) -> ToolCallResultEvent:
        """Return the event with its result."""
        return ToolCallResultEvent(
            message_id=f"{self.call_id}.result", tool_call_id=self.call_id, content=output, role="tool"
        )

    def _ensure_started(self) -> list[BaseEvent]:
        if self._is_started:
            return []
        self._is_started = True
        return self.begin()

    def _args(self, delta: str) -> ToolCallArgsEvent:
        return ToolCallArgsEvent(tool_call_id=self.call_id, delta=delta)
