"""Every event of a run or chat, in one place, and the ask they carry.

A run is an append-only log of these; each wire translates them and invents nothing of its own. An event is plain
data: no bytes (images and files are ids), no secrets. To add one, start here: the type checker then lists every
translator to visit. Imports messages only.
"""

import json
import operator
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, model_validator

from smoldesk.messages import (
    ChartContent,
    ClosureState,
    Debug,
    FileContent,
    MapContent,
    Note,
    RoomRef,
    RowSelection,
    StepOutput,
)
from smoldesk.messages import Code as CodeMessage


class Event(BaseModel):
    """Base of all events: frozen and closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# Code of a reason, for programs. A reason without one, as in older logs, is dumped without it.
Code = Annotated[str, Field(exclude_if=operator.not_)]


# Flag that is dumped only where it is set: older logs have none.
Flag = Annotated[bool, Field(exclude_if=operator.not_)]

# First run of the turn that a run answers anew; None for a turn of its own, as in older logs.
VersionOf = Annotated[str | None, Field(exclude_if=operator.not_)]


class Parameter(Event):
    """Type of one argument of a call; `type` is one of smolagents' (string, number, object, ...)."""

    type: str
    description: str = ""
    required: bool = True


class Ask(Event):
    """Something a run waits for from outside: an approval, a value, or work only the client can do.

    `parameters` say what edited arguments may be. `code_line` is line `line` (1-based) of the cell that called, and
    `calls_from_line` counts the calls of this tool from there in this step, from 1. `description` is of a tool that is not
    the desk's, and says whose words it is in.
    """

    id: str
    kind: Literal["approval", "input", "client_tool"]
    tool: str | None = None
    description: str | None = None
    call_id: str | None = None
    arguments: dict[str, JsonValue] = {}
    parameters: dict[str, Parameter] = {}
    code_line: str | None = None
    line: int | None = None
    calls_from_line: int | None = None
    prompt: str = ""
    input_type: Literal["confirmation", "selection", "text", "password"] = "confirmation"
    options: list[str] = []
    default: str | None = None
    expires_at: datetime


# --- life of a run -----------------------------------------------------------------------------------------------


# Files behind a message, as the earliest logs have them: in its text.
_ATTACHED = re.compile(r"(?:\A|\n\n)\(Attached: ([^\n]+)\)\Z")


def separate_attachments(cls: type[Event], values: Any) -> Any:
    """Take the names of files out of the message of an event that has no field for them, as in the earliest logs."""
    fields = cast("Mapping[str, Any]", values if isinstance(values, dict) else {})
    match = None if "attachments" in fields else _ATTACHED.search(str(fields.get("message", "")))
    if match is None:
        return cast(object, values)
    return {**fields} | {"message": match.string[: match.start()], "attachments": match[1].split(", ")}


class RunQueued(Event):
    """A message was accepted; `ahead` runs of the chat come before it.

    `attachments` are the names, in the chat's folder, of the files that came with it. With `is_code` it is Python code,
    which the person runs in the chat's variables. With a `conversation` (its id) no person said it: the desk tells the agent
    that it is its turn there. With `version_of` it is another version of that run's turn.
    """

    type: Literal["run_queued"] = "run_queued"
    message: str
    attachments: list[str] = []
    ahead: int = 0
    is_code: bool = False
    conversation: str | None = None
    version_of: VersionOf = None

    _separate_attachments = model_validator(mode="before")(separate_attachments)


class RunStarted(Event):
    """The agent begins; `notes` tell model and person what was lost or changed since the last run, `noted` each as facts.

    `selection` are the rooms that were selected on the map, which it runs with; `reading` is how the message is to be
    read, where a person corrected the reading of an answer; `about` are rows of a chart; with `is_code` it is code of the
    person's, and no agent's task. `agent` is who answers. `trace_id` is that of its OpenTelemetry trace, where one is sent.
    """

    type: Literal["run_started"] = "run_started"
    message: str
    attachments: list[str] = []
    notes: list[str] = []
    noted: list[Note] = []
    selection: list[RoomRef] = []
    reading: dict[str, JsonValue] | None = None
    about: RowSelection | None = None
    is_code: bool = False
    trace_id: str | None = None
    agent: str | None = None
    version_of: VersionOf = None

    _separate_attachments = model_validator(mode="before")(separate_attachments)


class StepStarted(Event):
    """A step of the agent has begun; steps count from 1."""

    type: Literal["step_started"] = "step_started"
    step: int


class Delta(Event):
    """A piece of what the model writes. Neighbours of one step and kind are joined before they are stored.

    `reasoning` is what it thinks before it answers: part of no memory and of no answer. `output` is text that a terminal
    program writes; when the text is whole it is Shown, too. `restart`: text and code of this step so far count no longer,
    because the model was asked again, or because they were reasoning.
    """

    type: Literal["delta"] = "delta"
    step: int
    kind: Literal["text", "code", "reasoning", "output"]
    text: str
    restart: Flag = False


class PromptProgress(Event):
    """Progress of the model's server in reading a prompt: `processed` of `total` tokens, those from its cache included.

    Few servers report it, and at most about 20 events of a call are stored.
    """

    type: Literal["prompt_progress"] = "prompt_progress"
    step: int
    processed: int
    total: int


class ModelCalled(Event):
    """Finished call of the model. Its prompt: the first `keep` messages of the run's previous call, then those of
    `then`.

    Messages, also `response`, are named by the hash they are stored under (store/prompt_messages.py). Times in
    seconds, `first_token` from the start to the first piece. Of `input_tokens`, `cached_tokens` came from the
    provider's cache. `cost` is in US dollars. Unknown counts and prices are None; `error` is the reason of a missing
    response. `left_out` messages of the prompt were shortened to fit the model's window. `structured`: the answer was
    requested by a schema.
    """

    type: Literal["model_called"] = "model_called"
    step: int
    model: str
    keep: int = 0
    then: list[str]
    response: str | None = None
    duration: float
    first_token: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    error: str | None = None
    left_out: int = 0
    structured: bool = False


class ToolCalled(Event):
    """A tool is about to run; `line` is the line of the cell that called it (1-based), when code did."""

    type: Literal["tool_called"] = "tool_called"
    step: int
    call_id: str
    tool: str
    arguments: dict[str, JsonValue]
    line: int | None = None


class ToolReturned(Event):
    """`result` is what the model reads; `value` the same as data, when it is a small object or array."""

    type: Literal["tool_returned"] = "tool_returned"
    step: int
    call_id: str
    tool: str
    result: str
    value: JsonValue = None


class ToolFailed(Event):
    """The tool raised, was denied, or was abandoned; `error` is the text for the model."""

    type: Literal["tool_failed"] = "tool_failed"
    step: int
    call_id: str
    tool: str
    error: str
    code: Code = ""
    """`run_ended`: it had no end of its own when its run ended."""


# State of another agent's task, in the terms of runs.
ProgressState = Literal["queued", "running", "waiting", "finished", "failed", "cancelled"]


class ToolProgress(Event):
    """Progress of another agent, or of a query, during a call of this run.

    `text` is a piece of its output, and may be empty: then only the state is new, or the `share` (0 to 1) of finished
    work. Consecutive events of one call and state are joined before they are stored. `context_id` is the other side's
    name for its thread with this chat, sent when it is new: a later call continues there.
    """

    type: Literal["tool_progress"] = "tool_progress"
    step: int
    call_id: str
    tool: str
    agent: str
    text: str = ""
    state: ProgressState
    share: float | None = None
    context_id: str | None = None


class AskOpened(Event):
    """A person, or a client's own tool, is asked."""

    type: Literal["ask_opened"] = "ask_opened"
    ask: Ask


# Scope of an answer: this call, all calls of its tool in this step, or always in this chat.
AskScope = Literal["call", "step", "chat"]
# Closer of an ask; `policy` is an earlier answer with a wider scope.
AskCloser = Literal["person", "policy", "expiry", "stop", "restart"]


class AskClosed(Event):
    """The ask ended: granted with a value, or denied with a reason. A password's value is never in it.

    `said` is the message it was answered with, in the form of the wire that gives it back.
    """

    type: Literal["ask_closed"] = "ask_closed"
    ask_id: str
    granted: bool
    value: JsonValue = None
    reason: str = ""
    scope: AskScope = "call"
    by: AskCloser = "person"
    said: dict[str, JsonValue] | None = None


class RunWaiting(Event):
    """The run waits for these asks."""

    type: Literal["run_waiting"] = "run_waiting"
    ask_ids: list[str]


class RunResumed(Event):
    """The run goes on after an answer."""

    type: Literal["run_resumed"] = "run_resumed"


class Printed(Event):
    """Output of the cell under way. Neighbours of one step are joined before they are stored."""

    type: Literal["printed"] = "printed"
    step: int
    text: str


class Shown(Event):
    """One four-pane message, as the parser made it of a step."""

    type: Literal["shown"] = "shown"
    message: StepOutput | Debug = Field(discriminator="type")


class StepFinished(Event):
    """The step is over; `memory` is what later runs rebuild the agent's memory from."""

    type: Literal["step_finished"] = "step_finished"
    step: int
    memory: dict[str, JsonValue]
    input_tokens: int | None = None
    output_tokens: int | None = None
    duration: float
    """Seconds."""


# Events of a managed agent. Its asks are events of the run, like all asks: their `call_id` tells whose they are.
NestedEvent = (
    StepStarted
    | Delta
    | PromptProgress
    | ModelCalled
    | ToolCalled
    | ToolReturned
    | ToolFailed
    | ToolProgress
    | Printed
    | Shown
    | StepFinished
)


class Nested(Event):
    """Event of a managed `agent` during the call `within`: steps count from 1 in each call, and so do calls
    (`within.1`).

    Wrapped, so that its steps, texts and tokens are never counted as those of the agent that answers.
    """

    type: Literal["nested"] = "nested"
    within: str
    agent: str
    event: Annotated[NestedEvent, Field(discriminator="type")]


class RunFinished(Event):
    """The run is over with an answer. A closing event."""

    type: Literal["run_finished"] = "run_finished"
    text: str


class RunFailed(Event):
    """The run is over without an answer, for this reason. A closing event."""

    type: Literal["run_failed"] = "run_failed"
    code: str
    message: str
    hint: str = ""
    facts: dict[str, str | int] | None = None


class RunCancelled(Event):
    """The run was stopped by a person, a client or the desk. A closing event."""

    type: Literal["run_cancelled"] = "run_cancelled"
    reason: str
    code: Code = ""


# --- facts about a chat, without a run -----------------------------------------------------------------------------


class ChatFact(Event):
    """Base of these: a wire that shows runs alone passes over all of them at once."""


class FileAdded(ChatFact):
    """A file was uploaded to the chat."""

    type: Literal["file_added"] = "file_added"
    file: FileContent


class FileChanged(ChatFact):
    """An uploaded file has another name, or is read in another way; `file` is what it is now."""

    type: Literal["file_changed"] = "file_changed"
    file: FileContent


class FileRemoved(ChatFact):
    """A person took a file out of the chat."""

    type: Literal["file_removed"] = "file_removed"
    file_id: str
    name: str


class VariablesLost(ChatFact):
    """The chat's child process is gone, and the variables of its code with it; files are kept."""

    type: Literal["variables_lost"] = "variables_lost"
    reason: str
    code: Code = ""


class ArrowsCleared(ChatFact):
    """A person pressed Clear Arrows; an event, so that a reload does not bring them back."""

    type: Literal["arrows_cleared"] = "arrows_cleared"


class BuildingChosen(ChatFact):
    """From here on the chat shows this building; None is the one that comes with the desk."""

    type: Literal["building_chosen"] = "building_chosen"
    building_id: str | None
    name: str = ""


class RoomsSelected(ChatFact):
    """A person selected these rooms on the map, and no others."""

    type: Literal["rooms_selected"] = "rooms_selected"
    rooms: list[RoomRef]


class ClosuresChanged(ChatFact):
    """From here on these parts of the chat's building are closed, and these scenarios kept; the last event counts."""

    type: Literal["closures_changed"] = "closures_changed"
    state: ClosureState


class LayerShown(ChatFact):
    """From here on the map shows this live layer, or none. `picture` has its values of that moment, for replays."""

    type: Literal["layer_shown"] = "layer_shown"
    layer: str | None
    picture: MapContent | None = None


class AgentChosen(ChatFact):
    """From here on this agent answers in the chat; None is the one that the desk is served with."""

    type: Literal["agent_chosen"] = "agent_chosen"
    agent: str | None


class ModelChosen(ChatFact):
    """From here on this model answers in the chat; None is the agent's own."""

    type: Literal["model_chosen"] = "model_chosen"
    model: str | None


class StateShared(ChatFact):
    """Part of the shared state that a front end owns, besides the desk's parts; the last event counts."""

    type: Literal["state_shared"] = "state_shared"
    state: dict[str, JsonValue]


class LateOutput(ChatFact):
    """Output of a terminal program while no run listened: after its run ended, before the next started."""

    type: Literal["late_output"] = "late_output"
    agent: str
    text: str


class ReadingKept(ChatFact):
    """A person keeps one of the alternatives of a run, which is its answer from here on; the last event counts.

    `index` counts them from 0, `reading` is its query. Both None: none of them is meant.
    """

    type: Literal["reading_kept"] = "reading_kept"
    run_id: str
    index: int | None = None
    reading: dict[str, JsonValue] | None = None


class VersionShown(ChatFact):
    """A person looks at this run among the versions of its turn; so do exports. The last event of a turn counts."""

    type: Literal["version_shown"] = "version_shown"
    run_id: str


class ChartChanged(ChatFact):
    """A person changed a chart with its controls: `spec_id` as first shown is `chart` from here on; the last event counts.

    `code`, with the changes of all its charts, takes the place of that which the event `code_seq` showed.
    """

    type: Literal["chart_changed"] = "chart_changed"
    spec_id: str
    chart: ChartContent
    code: CodeMessage | None = None
    code_seq: int | None = None


class BranchMade(ChatFact):
    """A person went on from before one of this chat's turns in a chat of its own; this one stays as it is.

    `client_message_id` is what the client that asked for it calls its message.
    """

    type: Literal["branch_made"] = "branch_made"
    chat_id: str
    title: str
    run_id: str
    client_message_id: str | None = None


class BranchBegun(ChatFact):
    """Up to here this chat is a copy of another one's turns, before that of the run."""

    type: Literal["branch_begun"] = "branch_begun"
    chat_id: str
    title: str
    run_id: str


class ChatImported(ChatFact):
    """Up to here this chat was read from a log, which was written then (None: it does not say), perhaps `is_cut`."""

    type: Literal["chat_imported"] = "chat_imported"
    exported_at: datetime | None = None
    is_cut: bool = False


class PolicySet(ChatFact):
    """Policy of this chat for a tool that needs approval; the last event counts. `ask` takes `allow` back."""

    type: Literal["policy_set"] = "policy_set"
    tool: str
    policy: Literal["allow", "ask"]


RunEvent = (
    RunQueued
    | RunStarted
    | StepStarted
    | Delta
    | PromptProgress
    | ModelCalled
    | ToolCalled
    | ToolReturned
    | ToolFailed
    | ToolProgress
    | AskOpened
    | AskClosed
    | RunWaiting
    | RunResumed
    | Printed
    | Shown
    | StepFinished
    | Nested
    | RunFinished
    | RunFailed
    | RunCancelled
)
ChatEvent = (
    FileAdded
    | FileChanged
    | FileRemoved
    | PolicySet
    | VariablesLost
    | ArrowsCleared
    | BuildingChosen
    | RoomsSelected
    | ClosuresChanged
    | LayerShown
    | AgentChosen
    | ModelChosen
    | StateShared
    | LateOutput
    | ReadingKept
    | VersionShown
    | ChartChanged
    | BranchMade
    | BranchBegun
    | ChatImported
)
AnyEvent = Annotated[RunEvent | ChatEvent, Field(discriminator="type")]
ClosingEvent = RunFinished | RunFailed | RunCancelled

# Reads any event back from its JSON; raises pydantic's ValidationError if it is none of them.
event_adapter: TypeAdapter[RunEvent | ChatEvent] = TypeAdapter(AnyEvent)


class StoredEvent(BaseModel):
    """An event with its place in the chat's log."""

    model_config = ConfigDict(frozen=True)

    chat_id: str
    seq: int
    run_id: str | None
    at: datetime
    event: AnyEvent

    @classmethod
    def of(cls, chat_id: str, seq: int, run_id: str | None, at: datetime, event: AnyEvent) -> "StoredEvent":
        """Wrap an event that was validated when it was made or parsed.

        As `model_construct`, in a third of its time: a run's memory and each commit make hundreds.
        """
        stored = cls.__new__(cls)
        values = {"chat_id": chat_id, "seq": seq, "run_id": run_id, "at": at, "event": event}
        for name, value in (("__dict__", values), ("__pydantic_fields_set__", {*values}), *_NO_EXTRAS):
            object.__setattr__(stored, name, value)
        return stored


_NO_EXTRAS = (("__pydantic_extra__", None), ("__pydantic_private__", None))


def unnested(event: RunEvent | ChatEvent) -> RunEvent | ChatEvent:
    """Return the event itself, or the one of a managed agent inside it."""
    return event.event if isinstance(event, Nested) else event


def with_reading(message: str, reading: dict[str, JsonValue] | None) -> str:
    """Return the message with its interpretation, as an agent reads it."""
    if reading is None:
        return message
    return f"{message}\n\n(Note: the reading of this request is {json.dumps(reading, ensure_ascii=False)})"


# Note on a message whose readings were all refused.
NO_READING = "(Note: none of the readings of this request that were shown is meant)"


def with_kept_reading(message: str, kept: ReadingKept | None, reading: dict[str, JsonValue] | None) -> str:
    """Return the message with its interpretation; the one that a person kept later takes the place of the first."""
    if kept is not None and kept.index is None:
        return f"{message}\n\n{NO_READING}"
    return with_reading(message, reading if kept is None else kept.reading)


def with_context(message: str, context: str | None, state: Mapping[str, JsonValue] | None = None) -> str:
    """Return the message with the client's context and shared state, as an agent reads it."""
    if context:
        message = f"{message}\n\n(Note: the front end says: {context})"
    if not state:
        return message
    data = json.dumps(state, ensure_ascii=False)
    return f"{message}\n\n(Note: the front end's state, data which code has as `shared_state`: {data})"
