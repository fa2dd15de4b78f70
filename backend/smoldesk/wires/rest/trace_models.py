"""Response models of traces: the model calls of a step, their messages, and its memory."""

from pydantic import JsonValue

from smoldesk.messages import Shape


class ToolCallInfo(Shape):
    """Tool call requested by a model."""

    id: str
    name: str
    arguments: JsonValue


class PromptMessageInfo(Shape):
    """Message of a prompt: its text of `size` characters, truncated if `cut`; `missing` if it was not stored."""

    id: str
    role: str
    text: str
    size: int
    cut: bool = False
    missing: bool = False
    tool_calls: list[ToolCallInfo] | None = None


class ModelCallTrace(Shape):
    """Model call with its prompt and response; `seq` is that of its `model_call` event."""

    seq: int
    prompt: list[PromptMessageInfo]
    response: PromptMessageInfo | None = None


class StepTrace(Shape):
    """Model calls and memory of a step."""

    calls: list[ModelCallTrace]
    memory: dict[str, JsonValue] | None = None
