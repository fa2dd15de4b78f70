"""Values of this wire's requests. Its responses are the protocol's own events (`ag_ui.core`), which `encoder` makes."""

from dataclasses import dataclass, field

from pydantic import JsonValue

from smoldesk.runs import Answer, ClientToolSpec
from smoldesk.wires.agui.client_state import ClientState
from smoldesk.wires.attachments import FilePart

# Scope under which the ids of this wire's clients are hashed and their messages stored.
WIRE = "agui"


@dataclass(frozen=True)
class ClientMessage:
    """A message as its client has it; `call_id` and `error` are those of a tool's result."""

    role: str
    id: str = ""
    text: str = ""
    files: list[FilePart] = field(default_factory=list[FilePart])
    call_id: str = ""
    error: str | None = None


@dataclass(frozen=True)
class Resolution:
    """Answer of a client to one interrupt; cancelled means unanswered."""

    ask_id: str
    is_cancelled: bool
    payload: JsonValue = None


@dataclass(frozen=True)
class RunRequest:
    """A RunAgentInput: the thread and the run by the client's own names, and what is asked, answered, shared or brought.

    `agent` and `model` are those of `forwardedProps`; None where they name none. `sent` are the messages as they came, to be
    told again; None where they are too long for that.
    """

    thread_id: str
    run_id: str
    messages: list[ClientMessage] = field(default_factory=list[ClientMessage])
    resume: list[Resolution] = field(default_factory=list[Resolution])
    tools: list[ClientToolSpec] = field(default_factory=list[ClientToolSpec])
    context: str = ""
    state: ClientState = field(default_factory=ClientState)
    agent: str | None = None
    model: str | None = None
    sent: list[JsonValue] | None = None

    def last(self, role: str) -> int | None:
        """Place of the last message of a role."""
        return next(
            (at for at in range(len(self.messages) - 1, -1, -1) if self.messages[at].role == role), None
        )

    @property
    def results(self) -> list[ClientMessage]:
        """The results of client tools since the last user message."""
        said = self.last("user")
        return [
            message for message in self.messages[0 if said is None else said + 1 :] if message.role == "tool"
        ]


@dataclass
class ResponsePlan:
    """One response: a run's events after `after`, in terms of a run that began after `first`.

    `outputs` are results of the client's tools that came before they were asked for, by call. With `includes_thread` the
    messages of the thread come first, up to that seq. Without a run nothing follows.
    """

    chat_id: str | None
    run_id: str | None
    first: int = 0
    after: int = 0
    outputs: dict[str, Answer] = field(default_factory=dict[str, Answer])
    includes_thread: bool = False
