"""What the routes of traces answer: the calls of a step, their messages, its memory."""

from pydantic import JsonValue

from smoldesk.messages import Shape


class ToolCallInfo(Shape):
    """A call that a model asked for."""

    id: str
    name: str
    arguments: JsonValue


class PromptMessageInfo(Shape):
    """A message of a prompt: its words, of `size` characters, cut where `cut`; `missing` when it is not kept."""

    id: str
    role: str
    text: str
    size: int
    cut: bool = False
    missing: bool = False
    tool_calls: list[ToolCallInfo] | None = None


class ModelCallTrace(Shape):
    """One call of the model: the messages it was sent, and what came back; `seq` is that of its `model_call`."""

    seq: int
    prompt: list[PromptMessageInfo]
    response: PromptMessageInfo | None = None


class StepTrace(Shape):
    """A step's calls of the model, and the memory of it."""

    calls: list[ModelCallTrace]
    memory: dict[str, JsonValue] | None = None
