"""Options of a run: attachments, the client's choices, and the client's id of the message."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from smoldesk.messages import RowSelection
from smoldesk.store.recordings import ReplayOptions


class ClientToolSpec(BaseModel):
    """A tool that the client of a run brought, and does itself; `parameters` is the JSON Schema of its arguments."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str = ""
    parameters: dict[str, JsonValue] = {}


class RunOptions(BaseModel):
    """None means what the chat or the settings say. `agent` is a name of the desk's list of agents, `model` of its models.

    `order` is that of the tool calls of one step, for a tools agent. `metadata` is the client's own: kept and given back.
    `attachments` are names of files in the chat's folder, which came with the message. `reading` is how it is to be read,
    `about` the rows of a chart or a table that it is about.
    With `is_code` the message is Python code of the person's, to be run as it stands. `traceparent` is the W3C header of the
    request that brought it, where traces are sent. `client_tools` are the client's own, for this run; `context` is what it
    says of itself, which the agent reads behind the message, and `shared_state` its part of a state that it shares.
    `client_message_id` is what its client calls the message, where that one is to find it again. `answer_format` is how
    the client wants the answer, as OpenAI's responses write it: {"type": "json_schema", "name", "schema"}, or
    {"type": "json_object"}; or the call of a tool whose arguments are the answer: {"type": "tool_call", "name", "schema"}.
    With `must_call` one of the `client_tools` has to be called before the answer. `version_of` is the first run of the turn
    that it answers anew. `replay` is for a run that is played again in a hidden chat (reruns); no client can set it.
    """

    model_config = ConfigDict(frozen=True)

    agent: str | None = None
    model: str | None = None
    order: Literal["together", "one_by_one"] | None = None
    metadata: dict[str, JsonValue] | None = None
    attachments: list[str] | None = None
    reading: dict[str, JsonValue] | None = None
    about: RowSelection | None = None
    is_code: bool | None = None
    traceparent: str | None = None
    client_tools: list[ClientToolSpec] | None = None
    context: str | None = None
    shared_state: dict[str, JsonValue] | None = None
    client_message_id: str | None = None
    answer_format: dict[str, JsonValue] | None = None
    must_call: bool | None = None
    version_of: str | None = None
    replay: ReplayOptions | None = None

    def to_column(self) -> str | None:
        """As the column holds it: nothing when nothing was chosen."""
        return self.model_dump_json(exclude_none=True) if self != NO_CHOICE else None

    @classmethod
    def read(cls, column: str | None) -> "RunOptions":
        """Return the options from a run's row."""
        return cls.model_validate_json(column) if column else NO_CHOICE


@dataclass(frozen=True)
class IdempotencyKey:
    """A message by its client's name: sent again it is the run it began before.

    `id` is unique among all runs. It is known from `since` (seconds since the epoch) on; with `while_open`, until its run is
    closed: then the same message asks anew.
    """

    id: str
    while_open: bool = False
    since: float = 0.0

    @classmethod
    def of(cls, wire: str, *parts: str, while_open: bool = False, since: float = 0.0) -> "IdempotencyKey":
        """Named by what tells it from others on its wire: the chat, the client's id, the words."""
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
        return cls(f"{wire}:{digest[:40]}", while_open, since)


NO_CHOICE = RunOptions()
