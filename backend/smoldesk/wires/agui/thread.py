"""The messages of a thread, as a client's own reducer makes them of the events it was sent: for `MESSAGES_SNAPSHOT`. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from ag_ui.core import (
    ActivityDeltaEvent,
    ActivityMessage,
    ActivitySnapshotEvent,
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Message,
    ReasoningMessage,
    ReasoningMessageContentEvent,
    ReasoningMessageStartEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)
from pydantic import TypeAdapter, ValidationError

from smoldesk.events import StoredEvent
from smoldesk.runs import CLOSING, RunRecord
from smoldesk.wires.agui.encoder import RunEncoder
from smoldesk.wires.agui.models import WIRE

# Maximum runs of a thread whose messages are sent: the newest ones.
MAX_RUNS = 100
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Message)
# Events that start or end messages.
TYPES = (
    "delta",
    "step_started",
    "step_finished",
    "tool_called",
    "tool_returned",
    "tool_failed",
    "tool_progress",
    "ask_opened",
    "ask_closed",
    "run_waiting",
    "printed",
    "nested",
    *CLOSING,
)


def user_message(record: RunRecord) -> UserMessage:
    """Return the message of a run, under the id that its client gave it."""
    noted = (record.options.metadata or {}).get(WIRE)
    name = noted.get("messageId") if isinstance(noted, dict) else None
    return UserMessage(id=str(name or f"{record.id}.user"), content=record.message)


def messages_of(
    record: RunRecord, last: int, events: Iterator[StoredEvent], before: int | None = None
) -> list[Message]:
    """Return the messages of one run, up to a seq: by default up to the chat's `last`. In the shape of records.Fold."""
    encoder = RunEncoder(record.chat_id, "", "", includes_client_results=True)
    stored_events = takewhile(lambda stored: stored.seq <= (before or last), events)
    frames = (frame for stored in stored_events for frame in encoder.take(stored))
    return [user_message(record), *_reduced(frames)]


def conversation(sent: Sequence[object], new_messages: Sequence[Message]) -> list[Message] | None:
    """Return the client's messages and those sent to it since; None if one of its messages is invalid.

    Activities are excluded: clients keep theirs while a snapshot has none.
    """
    try:
        messages = [_MESSAGE.validate_python(message) for message in sent]
    except ValidationError:
        return None
    names = {message.id for message in messages}
    names |= {
        call.id
        for message in messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls or []
    }
    return [
        *messages,
        *(
            message
            for message in new_messages
            if message.id not in names and not isinstance(message, ActivityMessage)
        ),
    ]


def _reduced(frames: Iterable[BaseEvent]) -> list[Message]:
    reduced: list[Message] = []
    texts: dict[str, list[str]] = {}
    by_name: dict[str, AssistantMessage | ReasoningMessage | ActivityMessage] = {}
    calls: dict[str, ToolCall] = {}
    for frame in frames:
        match frame:
            case TextMessageStartEvent(message_id=name):
                by_name[name] = AssistantMessage(id=name, content="")
                reduced.append(by_name[name])  # pyright: ignore[reportArgumentType]
            case ReasoningMessageStartEvent(message_id=name):
                by_name[name] = ReasoningMessage(id=name, content="")
                reduced.append(by_name[name])  # pyright: ignore[reportArgumentType]
            case TextMessageContentEvent(message_id=name) | ReasoningMessageContentEvent(message_id=name):
                texts.setdefault(name, []).append(frame.delta)
            case ToolCallStartEvent(tool_call_id=call_id, tool_call_name=tool):
                calls[call_id] = ToolCall(id=call_id, function=FunctionCall(name=tool, arguments=""))
                reduced.append(AssistantMessage(id=call_id, tool_calls=[calls[call_id]]))
            case ToolCallArgsEvent(tool_call_id=call_id):
                texts.setdefault(call_id, []).append(frame.delta)
            case ToolCallResultEvent(message_id=name, tool_call_id=call_id, content=content):
                reduced.insert(
                    _result_index(reduced, call_id),
                    ToolMessage(id=name, tool_call_id=call_id, content=content),
                )
            case ActivitySnapshotEvent(message_id=name):
                activity = ActivityMessage(id=name, activity_type=frame.activity_type, content=frame.content)
                by_name[name] = activity
                reduced.append(activity)
            case ActivityDeltaEvent(message_id=name):
                _patch(by_name[name], frame.patch)
            case _:
                pass
    for name, pieces in texts.items():
        if name in calls:
            calls[name].function.arguments = "".join(pieces)
        else:
            by_name[name].content = "".join(pieces)  # pyright: ignore[reportAttributeAccessIssue]
    return reduced


def _result_index(messages: Sequence[Message], call_id: str) -> int:
    """Return the index for a result: after its call, and after existing results."""
    at = next((at for at, message in enumerate(messages) if message.id == call_id), len(messages) - 1) + 1
    while at < len(messages) and isinstance(messages[at], ToolMessage):
        at += 1
    return at


def _patch(message: object, patch: Sequence[object]) -> None:
    """Apply the encoder's patches of progress: a field replaced, or a piece appended."""
    assert isinstance(message, ActivityMessage)
    for operation in patch:
        path, value = str(operation.path), operation.value  # pyright: ignore
        if path.endswith("/-"):
            message.content[path[1:-2]].append(value)
        else:
            message.content[path[1:]] = value
