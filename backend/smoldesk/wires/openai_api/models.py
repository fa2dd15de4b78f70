"""Values of requests, pieces of an answer, and the ids that clients know both by."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import JsonValue

from smoldesk.chats import PastTurn
from smoldesk.errors import BadInput, NotFound
from smoldesk.runs import ClientToolSpec
from smoldesk.wires.attachments import FilePart

Object = dict[str, Any]
# Prefix of this wire's entries in a run's metadata.
METADATA_PREFIX = "openai."


class BadParameter(BadInput):
    """A field that cannot be taken; `param` says which."""

    def __init__(self, param: str, message: str, hint: str = "", code: str = "invalid_value") -> None:
        super().__init__(message, hint, code)
        self.param = param


@dataclass(frozen=True)
class Output:
    """Result of a client's tool, by the id of the call."""

    call_id: str
    value: JsonValue


@dataclass(frozen=True)
class Question:
    """Question of a request. `said` are all texts of its user, oldest first; the last one is `text`.

    `outputs` continue a run instead. `asked` is the ask at the end of the answer before it, which `text` may answer.
    """

    model: str
    text: str = ""
    files: Sequence[FilePart] = ()
    said: Sequence[str] = ()
    told: Sequence[PastTurn] = ()
    instructions: str = ""
    tools: Sequence[ClientToolSpec] = ()
    outputs: Sequence[Output] = ()
    asked: str | None = None
    metadata: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    chat: str | None = None
    """The client's name for the chat."""
    scope: str | None = None
    """Whose conversation it is, where the client says so."""
    previous: str | None = None
    """The response that it goes on from."""
    key: str | None = None
    """The client's name for this very request."""
    must_call: bool = False
    """Whether one of the tools has to be called before the answer."""
    form: dict[str, JsonValue] | None = None
    """How the answer is wanted, where not as text; see RunOptions.answer_format."""


@dataclass(frozen=True)
class ResponsePosition:
    """An answer: the events of a run after a seq, up to where the run ends or waits for its client.

    So it can be read again from the log, as often as one likes, and is the same each time.
    """

    run_id: str
    after: int

    def named(self, prefix: str) -> str:
        """Return its id, such as resp_4f..._12."""
        return f"{prefix}_{self.run_id.removeprefix('r_')}_{self.after}"

    @classmethod
    def of(cls, name: str) -> "ResponsePosition":
        """Parse the id of a response. Raises NotFound for an invalid one."""
        match = _NAME.fullmatch(name)
        if match is None:
            raise no_response(name)
        return cls(f"r_{match[1]}", int(match[2]))


_NAME = re.compile(r"resp_([0-9a-f]{8,40})_([0-9]{1,15})")


def no_response(name: str) -> NotFound:
    """Return the error for an unknown response."""
    return NotFound(f"There is no response {name[:80]!r}.", code="response_not_found")


# --- what an answer is made of --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReasoningPiece:
    """Piece of the agent's work: steps, code, calls of its own tools."""

    text: str


@dataclass(frozen=True)
class AnswerText:
    """A piece of the answer, as Markdown."""

    text: str


@dataclass(frozen=True)
class ClientCall:
    """Work for the client."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class AnswerEnd:
    """End of an answer: finished, waiting, or failed. An unknown token count stays None."""

    state: Literal["finished", "waiting", "failed", "cancelled"]
    at: float
    input_tokens: int | None = None
    output_tokens: int | None = None
    code: str = ""
    message: str = ""


Piece = ReasoningPiece | AnswerText | ClientCall | AnswerEnd


# Type of an answer's form whose answer is the arguments of the tool that the client forces.
CALL = "tool_call"
# Key in a tool's schema for the client's name of it, if code needs another one.
NAMED = "x-client-name"


def client_name(tool: ClientToolSpec) -> str:
    """Return the client's name for a tool."""
    return str(tool.parameters.get(NAMED) or tool.name)


def call_name(ask_id: str) -> str:
    """Return the call id for a client: that of the ask, or of the run of a forced call, which cannot be guessed."""
    return f"call_{ask_id.removeprefix('a_')}"


def call_run(call_id: str) -> str | None:
    """Return the run of a forced call's id; None for another call."""
    return call_id.removeprefix("call_") if call_id.startswith("call_r_") else None


def no_call(call_id: str) -> BadParameter:
    """Return the error for an output of an unknown call."""
    message = f"No call {call_id[:80]!r} waits for an output."
    return BadParameter("tool_call_id", message, "Expected the id of a call of the last answer.")


def ask_of(call_id: str) -> str:
    """Return the ask of a call id."""
    return f"a_{call_id.removeprefix('call_')}"
