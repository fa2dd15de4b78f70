"""What a client of four panes can ask for, once it is read (requests.py)."""

from dataclasses import dataclass

from pydantic import JsonValue

from smoldesk.chats import ChatPolicy
from smoldesk.events import AskScope
from smoldesk.messages import RoomRef, RowSelection


@dataclass(frozen=True)
class SendMessage:
    """A person's message; `typed` is True for a client of protocol 2.0. `message_id` is what the client calls it.

    `reading` is how it is to be read: a corrected `query` of a reading message. `about` are rows of a chart or a table.
    """

    message: str
    typed: bool
    message_id: str | None = None
    reading: dict[str, JsonValue] | None = None
    about: RowSelection | None = None


@dataclass(frozen=True)
class RunCode:
    """Python code of the person's, to be run in the chat's variables; `message_id` is what the client calls it."""

    code: str
    message_id: str | None = None


@dataclass(frozen=True)
class BranchOff:
    """Ask `message` in place of the one a run answered, in a new chat with the turns before it."""

    run_id: str
    message: str
    message_id: str | None = None


@dataclass(frozen=True)
class Answer:
    """A person's answer to an ask."""

    ask_id: str
    granted: bool
    value: JsonValue
    reason: str
    scope: AskScope


@dataclass(frozen=True)
class SetPolicy:
    """Whether this chat lets a tool run without asking."""

    tool: str
    policy: ChatPolicy


@dataclass(frozen=True)
class Cancel:
    """Stop a run."""

    run_id: str


@dataclass(frozen=True)
class SelectRooms:
    """The rooms that are selected on the map now; empty when none is."""

    rooms: list[RoomRef]


@dataclass(frozen=True)
class ClearArrows:
    """The page's Clear Arrows button."""


ClientFrame = SendMessage | RunCode | BranchOff | Answer | Cancel | SetPolicy | SelectRooms | ClearArrows
