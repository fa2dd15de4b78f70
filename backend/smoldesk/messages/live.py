"""Messages of the debug pane, and the live extras of protocol 2.0: the chat, its runs, and their current work."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from smoldesk.messages.building import RoomRef
from smoldesk.messages.chat_pane import FileContent
from smoldesk.messages.selection import ChartRange
from smoldesk.messages.shape import RunState, Shape


class DebugContent(BaseModel):
    """First message of a step's batch; keys stay snake_case as in protocol 1.2."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent_response: dict[str, JsonValue]
    parsed_outputs: list[dict[str, JsonValue]]
    output_count: int


class Debug(Shape):
    """One line of the debug pane."""

    type: Literal["debug"] = "debug"
    content: DebugContent


class Isolation(Shape):
    """Isolation of model-written code from this machine; `label` is the badge's text."""

    isolated: bool
    label: str
    reasons: list[str] = []


class CodeLimits(Shape):
    """Limits of a chat's code: bytes of memory and of the chat's folder, and seconds of one cell."""

    memory: int
    folder: int
    cell_seconds: float


class ChatContent(Shape):
    """Description of a chat for a client that connects: where its log ends, who answers, and its size limits in bytes.

    `findsModels`: servers of this machine may offer models that it could choose. `node` is the node that runs the chat's
    code, empty for the desk's machine; `isolation` is then that of the node. `limits` are the same there; programs and
    agents with an executor of their own have none.
    """

    chat_id: str
    protocol: Literal["2.0"] = "2.0"
    last_seq: int = 0
    title: str
    model: str
    agent: str
    agent_name: str
    isolation: Isolation
    node: str = ""
    limits: CodeLimits | None = None
    files: list[FileContent]
    tools: list[str]
    approvals: dict[str, Literal["once", "always"]] = {}
    building_id: str | None = None
    finds_models: bool = False
    selection: list[RoomRef] = []
    message_limit: int = 0
    upload_limit: int = 0


class Chat(Shape):
    """The chat a socket is attached to; second message after connect."""

    type: Literal["chat"] = "chat"
    content: ChatContent


class NoteFacts(Shape):
    """Facts of a note: `reason`; `rooms`; rows of a table or a chart of this `name`, the first being 1.

    `rows` is the number of selected rows, if they are not simply those from `begin` to `end` of the table.
    """

    reason: str | None = None
    rooms: list[RoomRef] | None = None
    name: str | None = None
    begin: int | None = None
    end: int | None = None
    rows: int | None = None
    columns: list[str] | None = None
    ranges: list[ChartRange] | None = None


class Note(Shape):
    """Note of a run as data, so that a page can show it in its own language."""

    code: Literal["variables_lost", "about_rooms", "about_table", "about_chart"]
    facts: NoteFacts


class RunContent(Shape):
    """State of a run. Sent at its start: `agent`, who answers, and `traceId`, its OpenTelemetry trace if one is
    exported.

    `noted` has a note for each of `notes`, except in older logs.
    """

    run_id: str
    state: RunState
    text: str | None = None
    step: int | None = None
    notes: list[str] = []
    noted: list[Note] | None = None
    trace_id: str | None = None
    agent: str | None = None


class Run(Shape):
    """State of a run. The one with finished, failed or cancelled is the last message of its run."""

    type: Literal["run"] = "run"
    content: RunContent


class Delta(Shape):
    """A piece of what is being written: the model's prose, code or reasoning of the step under way, or a program's output.

    `restart`: the step's prose and code so far count no longer; this piece starts them again.
    """

    type: Literal["delta"] = "delta"
    content: str
    kind: Literal["text", "code", "reasoning", "output"]
    step: int
    restart: bool | None = None


class PromptProgressContent(Shape):
    """Tokens of a prompt that the model's server has read, and all of them."""

    step: int
    processed: int
    total: int


class PromptProgress(Shape):
    """The model's server reads the prompt; the next delta of the step ends this."""

    type: Literal["prompt_progress"] = "prompt_progress"
    content: PromptProgressContent


class ModelCallContent(Shape):
    """Figures of a model call: seconds, `firstToken` until its first piece; tokens; `cost` in US dollars.

    Of `inputTokens`, `cachedTokens` came from the provider's cache. `leftOut` messages were shortened to fit the
    model's window. `structured`: the answer was requested by a schema. `messages` counts those of its prompt, which
    `/api/chats/{id}/runs/{runId}/steps/{step}` has.
    """

    step: int
    model: str
    messages: int
    duration: float
    first_token: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    error: str | None = None
    left_out: int | None = None
    structured: bool | None = None


class ModelCall(Shape):
    """A call of the model is over."""

    type: Literal["model_call"] = "model_call"
    content: ModelCallContent


class Printed(Shape):
    """Output of the cell under way, as it is printed."""

    type: Literal["printed"] = "printed"
    content: str
    step: int


class ToolContent(Shape):
    """A tool that was called, and how it ended."""

    call_id: str
    tool: str
    state: Literal["called", "returned", "failed"]
    arguments: dict[str, JsonValue] | None = None
    line: int | None = None
    result: str | None = None
    code: str | None = None
    step: int


class Tool(Shape):
    """One tool call: announced, then returned or failed under the same callId."""

    type: Literal["tool"] = "tool"
    content: ToolContent


class ToolProgressContent(Shape):
    """State of a long-running tool."""

    call_id: str
    tool: str
    agent: str
    text: str
    state: Literal["queued", "running", "waiting", "finished", "failed", "cancelled"]
    share: float | None = None
    step: int


class ToolProgress(Shape):
    """Progress of another agent, or of a query, during a call; the pieces of one call, in order, are the complete text."""

    type: Literal["tool_progress"] = "tool_progress"
    content: ToolProgressContent


class ParameterContent(Shape):
    """One parameter of a tool, for a form that edits a call's arguments."""

    type: str
    description: str
    required: bool


class AskContent(Shape):
    """A question to a person: an approval of a call, or an input; times in ISO 8601, UTC."""

    ask_id: str
    kind: Literal["approval", "input", "client_tool"]
    tool: str | None
    description: str | None
    call_id: str | None
    arguments: dict[str, JsonValue]
    parameters: dict[str, ParameterContent]
    code_line: str | None
    line: int | None
    calls_from_line: int | None
    prompt: str
    input_type: Literal["confirmation", "selection", "text", "password"]
    options: list[str]
    default: str | None
    expires_at: str


class AskMessage(Shape):
    """A run waits for an answer from outside."""

    type: Literal["ask"] = "ask"
    content: AskContent


class AskClosedContent(Shape):
    """End of an ask: its result and who closed it."""

    ask_id: str
    granted: bool
    reason: str
    scope: Literal["call", "step", "chat"]
    by: Literal["person", "policy", "expiry", "stop", "restart"]
    value: JsonValue | None = None


class AskClosedMessage(Shape):
    """An ask is over."""

    type: Literal["ask_closed"] = "ask_closed"
    content: AskClosedContent


class OpenAsk(Shape):
    """One line of the list of open asks: enough to find it; the card is in its chat."""

    ask_id: str
    chat_id: str
    chat_title: str
    kind: Literal["approval", "input"]
    tool: str | None
    prompt: str
    expires_at: str


class OpenAsksContent(Shape):
    """Number of open asks in each chat."""

    asks: list[OpenAsk]
    count: int


class OpenAsks(Shape):
    """Open asks of all chats of the desk, complete each time."""

    type: Literal["open_asks"] = "open_asks"
    content: OpenAsksContent


class WatchNotice(Shape):
    """Report of a watch that nobody has read: the value now and before, or why it cannot be computed. `at` in seconds."""

    watch_id: str
    turn: int
    chat_id: str
    title: str
    state: Literal["fired", "failed"]
    text: str = ""
    previous: str | None = None
    code: str = ""
    problem: str = ""
    is_paused: bool = False
    at: float


class NoticesContent(Shape):
    """The newest unread reports of watches, and the number of all."""

    notices: list[WatchNotice]
    count: int


class Notices(Shape):
    """Unread reports of the watches of all chats, complete each time."""

    type: Literal["notices"] = "notices"
    content: NoticesContent


class PolicyContent(Shape):
    """Policy of a chat for one tool."""

    tool: str
    policy: Literal["allow", "ask"]


class Policy(Shape):
    """Policy of this chat for a tool that needs approval; the last one counts."""

    type: Literal["policy"] = "policy"
    content: PolicyContent


class BranchContent(Shape):
    """A chat that goes on from before one of this chat's turns (`to`), or that this one is a branch of (`from`).

    `run_id` is that turn's run, in the chat that was left. `client_message_id` is what the client calls its message.
    """

    way: Literal["to", "from"]
    chat_id: str
    title: str
    run_id: str
    client_message_id: str | None = None


class Branch(Shape):
    """Another chat shares the turns before one."""

    type: Literal["branch"] = "branch"
    content: BranchContent
