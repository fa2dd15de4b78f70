"""Request and response models of /api. JSON keys are camelCase; all errors have one form."""

import re
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator
from pydantic.alias_generators import to_camel

from smoldesk.agents.entries import Kind
from smoldesk.chats import ChatPolicy
from smoldesk.events import AskCloser, AskScope
from smoldesk.messages import AskContent, FileContent, Shape, TableFacts
from smoldesk.messages.strict_json import check_finite
from smoldesk.wires.bodies import MAX_FILES

Title = Annotated[str, Field(max_length=200)]
# A character that str.strip leaves: its blanks are more than those of JavaScript's expressions.
NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
NewTitle = Annotated[str, Field(max_length=200, pattern=NOT_BLANK)]
# Besides control characters: what is invisible or changes the direction of the text around it. Joiners of emoji stay.
_NOT_IN_TAGS = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def clean_tag(name: str) -> str:
    """Return a tag in NFC with single spaces. Raises ValueError for blank ones and control characters."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name.strip("\u200c\u200d"):
        raise ValueError("the tag is blank, expected 1 to 40 characters")
    if match := _NOT_IN_TAGS.search(name):
        raise ValueError(
            f"the tag has the control character U+{ord(match[0]):04X}, expected one line of text"
        )
    return name


Tag = Annotated[
    str, Field(max_length=40, json_schema_extra={"pattern": NOT_BLANK}), AfterValidator(clean_tag)
]
AgentName = Annotated[str, Field(max_length=200)]
MessageId = Annotated[str, Field(min_length=1, max_length=200)]
Message = Annotated[str, Field(min_length=1, json_schema_extra={"pattern": NOT_BLANK})]


class NewChat(BaseModel):
    """Body of POST /api/chats; every field is optional. `agent` is a name of GET /api/agents."""

    title: Title = ""
    agent: AgentName | None = None


class ChatChange(BaseModel):
    """Body of PATCH /api/chats/{id}: a new title, another building (null: the bundled one), another agent (null: the
    one the desk is served with), another model (an `id` of GET /api/models; null: the agent's own), whether it is pinned,
    whether it is archived, all its tags (at most 10), or several of these.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, json_schema_extra={"minProperties": 1}
    )

    title: NewTitle = ""
    building_id: Annotated[str | None, Field(max_length=200)] = None
    agent: AgentName | None = None
    model: Annotated[str | None, Field(max_length=300)] = None
    pinned: bool = False
    archived: bool = False
    tags: Annotated[list[Tag], Field(max_length=10)] = []

    @model_validator(mode="after")
    def _require_change(self) -> "ChatChange":
        if not self.model_fields_set:
            raise ValueError(
                "expected `title`, `buildingId`, `agent`, `model`, `pinned`, `archived`, `tags` or several of these"
            )
        return self


class TagChange(BaseModel):
    """Body of PATCH /api/tags: the new name of a tag."""

    name: Tag


class NewRun(BaseModel):
    """Body of POST /api/chats/{id}/runs. Repeating it with the same `clientMessageId` returns the same run.

    `message` is not blank. `reading` is the corrected `query` of a reading message, which the built-in analyst answers
    instead of the text. `attachments` are names of files of the chat that the message is about.
    """

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    message: Message
    client_message_id: MessageId | None = None
    reading: dict[str, JsonValue] | None = None
    attachments: Annotated[list[str], Field(max_length=MAX_FILES)] = []


class CompletionInfo(BaseModel):
    """Completion of the typed text: the complete text, and the kind of its added part."""

    text: str
    part: Literal["figure", "group", "condition", "chart"]


class Completions(BaseModel):
    """Completions, the most likely first; empty with other agents and for unknown beginnings."""

    completions: list[CompletionInfo]


class AskAnswer(BaseModel):
    """Body of POST /api/asks/{id}; `value` is the entered value or edited arguments, `scope` the extent of the answer."""

    granted: bool
    value: JsonValue = None
    reason: str = ""
    scope: AskScope = "call"

    @field_validator("value")
    @classmethod
    def _finite(cls, value: JsonValue) -> JsonValue:
        """Reject NaN and Infinity, which JSON lacks but Python's parser accepts."""
        check_finite(value)
        return value


class AgentFacts(Shape):
    """Agent that a chat can choose. `problem` is the reason if it is not `available`."""

    name: str
    description: str
    kind: Kind
    model: str | None = None
    profile: str | None = None
    tools: list[str]
    available: bool
    problem: str | None = None


class AgentFactsList(Shape):
    """Agents; `default` answers in chats without a choice."""

    agents: list[AgentFacts]
    default: str


class StoredFileInfo(FileContent):
    """Stored file; `size` is in bytes, `url` serves this version."""

    url: str


class ReadTable(TableFacts):
    """Table of an upload; `load` is Python code that reads it in the chat's folder."""

    load: str


class UploadInfo(Shape):
    """Uploaded file with its tables; `problems` are texts with their places, `size` is in bytes."""

    file_id: str
    name: str
    size: int
    media_type: str
    url: str
    tables: list[ReadTable]
    problems: list[str]


class FileList(Shape):
    """Files of a chat in their newest versions."""

    files: list[StoredFileInfo]


class RunStarted(Shape):
    """Run that a message started."""

    run_id: str


class TablePage(Shape):
    """Rows of a stored table from `offset`; `row_count` counts all."""

    table_id: str
    offset: int
    rows: list[list[JsonValue]]
    row_count: int


class Fault(Shape):
    """Error: `code` is stable, `message` is for people, `hint` has the expected input or a remedy."""

    code: str
    message: str
    hint: str


class Refusal(Shape):
    """Form of every error under /api."""

    error: Fault


DESCRIPTIONS: dict[int, str] = {
    400: "The input is invalid",
    401: "The desk requires its token",
    403: "Not allowed here or from this page",
    404: "The object does not exist",
    409: "It is closed, busy or was changed meanwhile",
    413: "Too large",
    416: "The range is outside of the file",
    421: "The desk does not answer to this host name",
    422: "A field is missing, of the wrong type or out of range",
    429: "Too many wrong tokens came from this address",
    502: "The model gives no valid answer",
    503: "A database does not answer",
}
# Statuses of SecurityMiddleware, which any request can get before it reaches a route.
MIDDLEWARE_STATUSES = (401, 403, 421, 429)
REFUSAL_CONTENT: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route for these error statuses.

    Only 400, which every route has, names the model; the others refer to its schema. FastAPI builds a validator for each
    model that it gets, which took most of the app's start.
    """
    forms = {
        status: {"model": Refusal} if status == 400 else {"content": REFUSAL_CONTENT} for status in statuses
    }
    return {status: {"description": DESCRIPTIONS[status], **form} for status, form in forms.items()}


class AskInfo(AskContent):
    """Ask with its answer; times are in seconds since the epoch. `state` is open, granted or denied.

    `value` has edited arguments or the entered value, never a password; `by` and `scope` are set when it is closed.
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
    """Policies by tool, for tools that have one."""

    policies: dict[str, ChatPolicy]


class NewPolicy(Shape):
    """Body of PUT /api/chats/{id}/policies/{tool}."""

    policy: ChatPolicy
