"""What /api takes and answers, as /openapi.json tells it. Keys are camelCase outside; a refusal has one form everywhere."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator
from pydantic.alias_generators import to_camel

from smoldesk.agents.entries import Kind
from smoldesk.chats import ChatPolicy
from smoldesk.events import AskCloser, AskScope
from smoldesk.messages import AskContent, FileContent, Shape, TableFacts
from smoldesk.messages.strict_json import check_finite

Title = Annotated[str, Field(max_length=200)]
NewTitle = Annotated[str, Field(max_length=200, pattern="\\S")]
AgentName = Annotated[str, Field(max_length=200)]
MessageId = Annotated[str, Field(min_length=1, max_length=200)]
Message = Annotated[str, Field(min_length=1, json_schema_extra={"pattern": "\\S"})]


class NewChat(BaseModel):
    """Body of POST /api/chats; all optional. `agent` is a name of GET /api/agents."""

    title: Title = ""
    agent: AgentName | None = None


class ChatChange(BaseModel):
    """Body of PATCH /api/chats/{id}: a new title, another building (null: the bundled one), another agent (null: the
    one the desk is served with), another model (an `id` of GET /api/models; null: the agent's own), whether it is pinned,
    or several of these.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, json_schema_extra={"minProperties": 1}
    )

    title: NewTitle = ""
    building_id: Annotated[str | None, Field(max_length=200)] = None
    agent: AgentName | None = None
    model: Annotated[str | None, Field(max_length=300)] = None
    pinned: bool = False

    @model_validator(mode="after")
    def _require_change(self) -> "ChatChange":
        if not self.model_fields_set:
            raise ValueError("expected `title`, `buildingId`, `agent`, `model`, `pinned` or several of these")
        return self


class NewRun(BaseModel):
    """`message` is not blank. Sent again with the same `clientMessageId`, it is the same run.

    `reading` is a corrected `query` of a reading message: the built-in analyst answers it in place of the words.
    """

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    message: Message
    client_message_id: MessageId | None = None
    reading: dict[str, JsonValue] | None = None


class CompletionInfo(BaseModel):
    """A text that what was typed can become: the whole of it, and what comes to it."""

    text: str
    part: Literal["figure", "group", "condition", "chart"]


class Completions(BaseModel):
    """The likeliest ones first; none where the built-in analyst does not answer, or where no sentence begins so."""

    completions: list[CompletionInfo]


class AskAnswer(BaseModel):
    """Body of POST /api/asks/{id}; `value` is what was entered, or edited arguments; `scope` how far the answer goes."""

    granted: bool
    value: JsonValue = None
    reason: str = ""
    scope: AskScope = "call"

    @field_validator("value")
    @classmethod
    def _finite(cls, value: JsonValue) -> JsonValue:
        """JSON has no NaN and no Infinity, but Python's reader takes them."""
        check_finite(value)
        return value


class AgentFacts(Shape):
    """An agent that a chat may choose. `problem` says why it is not `available`."""

    name: str
    description: str
    kind: Kind
    model: str | None = None
    profile: str | None = None
    tools: list[str]
    available: bool
    problem: str | None = None


class AgentFactsList(Shape):
    """`default` answers in chats that choose none."""

    agents: list[AgentFacts]
    default: str


class StoredFileInfo(FileContent):
    """`size` in bytes; `url` serves this very version."""

    url: str


class ReadTable(TableFacts):
    """A table that was found in an upload; `load` is Python that reads it in the chat's folder."""

    load: str


class UploadInfo(Shape):
    """The file and what is in it; `problems` say what is wrong and where, in words. Bytes count in `size`."""

    file_id: str
    name: str
    size: int
    media_type: str
    url: str
    tables: list[ReadTable]
    problems: list[str]


class FileList(Shape):
    """Files of a chat, the newest version of each."""

    files: list[StoredFileInfo]


class RunStarted(Shape):
    """The run that a message began."""

    run_id: str


class TablePage(Shape):
    """Rows of a stored table from `offset` on; `row_count` counts all."""

    table_id: str
    offset: int
    rows: list[list[JsonValue]]
    row_count: int


class Fault(Shape):
    """`code` is stable, `message` for people, `hint` what was expected or what to do."""

    code: str
    message: str
    hint: str


class Refusal(Shape):
    """The form of every refusal under /api."""

    error: Fault


DESCRIPTIONS: dict[int, str] = {
    400: "What was sent cannot be used",
    401: "The desk asks for its token",
    403: "Not from this page",
    404: "There is no such thing",
    409: "It is closed, busy, or somebody was first",
    413: "Too large",
    416: "No such range of the file",
    421: "The desk does not answer to this host name",
    422: "A field is missing, of the wrong type or out of range",
    429: "Too many wrong tokens came from this address",
    502: "The model does not answer as it should",
    503: "A database does not answer",
}
# What any request may meet before it reaches a route.
MIDDLEWARE_STATUSES = (401, 403, 421, 429)
REFUSAL_CONTENT: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: these statuses, in the one form.

    Only 400, which every route may answer, gives the document the form itself; the others point to it: FastAPI makes a
    validator of each model it is given, which was most of the time it took to put the app together.
    """
    forms = {
        status: {"model": Refusal} if status == 400 else {"content": REFUSAL_CONTENT} for status in statuses
    }
    return {status: {"description": DESCRIPTIONS[status], **form} for status, form in forms.items()}


class AskInfo(AskContent):
    """An ask and its end; times in seconds since the epoch. `state` is open, granted or denied.

    `value` holds edited arguments or what was entered, but never a password; `by` and `scope` come with the end.
    """

    chat_id: str
    chat_title: str
    run_id: str
    state: str
    opened_at: float | None
    closed_at: float | None
    value: JsonValue = None
    reason: str = ""
    scope: AskScope | None = None
    by: AskCloser | None = None


class AskList(Shape):
    """Asks, newest first."""

    asks: list[AskInfo]


class PolicyList(Shape):
    """Tool to policy, for the tools that somebody said something about."""

    policies: dict[str, ChatPolicy]


class NewPolicy(Shape):
    """Body of PUT /api/chats/{id}/policies/{tool}."""

    policy: ChatPolicy
