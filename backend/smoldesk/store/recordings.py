"""Recordings of runs: the replies of the model and the results of tools, with which a run is played again."""

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, JsonValue
from sqlalchemy import Connection

from smoldesk.events import AnyEvent, ModelCalled, Nested, ToolCalled, ToolFailed, ToolReturned
from smoldesk.store.prompt_messages import read_messages

# Ids of calls begin with the id of their run.
_RUN = re.compile(r"^[^.]*\.?")


class _Recorded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecordedCall(_Recorded):
    """Call of a tool as the log has it: `value` is the result as data if it is small, `error` that of a failed call."""

    tool: str
    arguments: dict[str, JsonValue]
    result: str = ""
    value: JsonValue = None
    error: str | None = None


class Recording(_Recorded):
    """Replies of the models of a run, each message as JSON (traces.md), and its calls of tools, both in order.

    `replies` of a managed agent are under the number of the call that it worked in, those of the agent itself under "".
    """

    replies: dict[str, list[str]] = {}
    calls: list[RecordedCall] = []
    is_structured: bool = False


class ReplayOptions(_Recorded):
    """Options of a run that is played again: what it gets in place of a model, and of tools that act outside.

    With `is_live` the model is asked. `origin` is the chat whose closures and layers the tools read, if it is of this desk.
    """

    recording: Recording
    is_live: bool = False
    origin: str | None = None


RECORDED_TYPES = ("model_called", "tool_called", "tool_returned", "tool_failed", "nested")


def place_of_call(call_id: str | None) -> str:
    """Return the part of a call's id that is the same when the run is played again."""
    return _RUN.sub("", call_id or "", count=1)


def recording_of(
    connection: Connection, chat_id: str, events: Iterable[AnyEvent], leave_out: frozenset[str] = frozenset()
) -> Recording:
    """Return the recording of a run's events, without calls of the tools `leave_out`."""
    replies: dict[str, list[str]] = {}
    calls: dict[str, RecordedCall] = {}
    is_structured = False
    for event in events:
        place = ""
        if isinstance(event, Nested):
            place, event = place_of_call(event.within), event.event
        match event:
            case ModelCalled(response=str(response)):
                replies.setdefault(place, []).append(response)
                is_structured |= event.structured and not place
            case ToolCalled() if event.tool not in leave_out:
                calls[event.call_id] = RecordedCall(tool=event.tool, arguments=event.arguments)
            case ToolReturned() if event.call_id in calls:
                ended = {"result": event.result, "value": event.value}
                calls[event.call_id] = calls[event.call_id].model_copy(update=ended)
            case ToolFailed() if event.call_id in calls:
                calls[event.call_id] = calls[event.call_id].model_copy(update={"error": event.error})
            case _:
                pass
    texts = read_messages(connection, chat_id, [name for names in replies.values() for name in names])
    stored = {place: _texts(names, texts) for place, names in replies.items()}
    return Recording(replies=stored, calls=[*calls.values()], is_structured=is_structured)


def _texts(names: Sequence[str], texts: dict[str, str]) -> list[str]:
    return [texts[name] for name in names if name in texts]
