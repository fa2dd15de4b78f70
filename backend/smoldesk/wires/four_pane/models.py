"""Parsed frames of four-pane clients (see requests.py)."""

from dataclasses import dataclass

from pydantic import JsonValue

from smoldesk.chats import ChatPolicy
from smoldesk.events import AskScope
from smoldesk.messages import Closure, RoomRef, RowSelection


@dataclass(frozen=True)
class SendMessage:
    """Message of a person; `typed` is True for a client of protocol 2.0. `message_id` is the client's id of it.

    `reading` is the corrected `query` of a reading message. `about` are selected rows of a chart or a table. `attachments`
    are names of files of the chat.
    """

    message: str
    typed: bool
    message_id: str | None = None
    reading: dict[str, JsonValue] | None = None
    about: RowSelection | None = None
    attachments: list[str] | None = None


@dataclass(frozen=True)
class RunCode:
    """Python code to run with the chat's variables; `message_id` is the client's id of it."""

    code: str
    message_id: str | None = None


@dataclass(frozen=True)
class BranchOff:
    """Request for a new chat with the turns before a run, in which `message` replaces that run's message.

    With `after` the new chat has that run, too, and `message` follows it, with the other fields as in `SendMessage`.
    """

    run_id: str
    message: str
    message_id: str | None = None
    after: bool = False
    reading: dict[str, JsonValue] | None = None
    about: RowSelection | None = None
    attachments: list[str] | None = None


@dataclass(frozen=True)
class AnswerAgain:
    """Request for another version of a run's turn, answered from `message` in its place."""

    run_id: str
    message: str
    message_id: str | None = None


@dataclass(frozen=True)
class ShowVersion:
    """Choice of the version of a turn that is shown."""

    run_id: str


@dataclass(frozen=True)
class Answer:
    """Answer of a person to an ask."""

    ask_id: str
    granted: bool
    value: JsonValue
    reason: str
    scope: AskScope


@dataclass(frozen=True)
class SetPolicy:
    """Policy of this chat for a tool: run without asking, or not."""

    tool: str
    policy: ChatPolicy


@dataclass(frozen=True)
class Cancel:
    """Request to stop a run."""

    run_id: str


@dataclass(frozen=True)
class SelectRooms:
    """Rooms that are selected on the map now; may be empty."""

    rooms: list[RoomRef]


@dataclass(frozen=True)
class ClearArrows:
    """Press of the page's Clear Arrows button."""


@dataclass(frozen=True)
class ChangeClosures:
    """Parts of the building that are closed from here on, and reopened ones."""

    close: list[Closure]
    reopen: list[Closure]


@dataclass(frozen=True)
class SelectLayer:
    """Live layer that the map shows from here on, or none."""

    layer: str | None


@dataclass(frozen=True)
class KeepReading:
    """Choice of one of the alternatives of a run, counted from 0; None: none of them is meant."""

    run_id: str
    index: int | None


ClientFrame = (
    SendMessage
    | RunCode
    | BranchOff
    | AnswerAgain
    | ShowVersion
    | Answer
    | Cancel
    | SetPolicy
    | SelectRooms
    | ClearArrows
    | ChangeClosures
    | SelectLayer
    | KeepReading
)
