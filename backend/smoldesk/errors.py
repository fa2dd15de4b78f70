"""Errors of the desk, as one small tree.

Each error has a stable `code` (for programs), a sentence for people, and a `hint`: what was expected or what to do
next. Rooms raise these; wires translate them once, into their protocol's form. This module imports no other module of
smoldesk.
"""

from collections.abc import Mapping, Sequence
from typing import Any


class Reason(str):
    """Text that people and models read, with the `code` by which programs know it.

    It is text wherever it passes, so only those that make a reason and those that store it deal with codes.
    """

    code: str

    def __new__(cls, text: str, code: str) -> "Reason":
        reason = super().__new__(cls, text)
        reason.code = code
        return reason


def code_of(reason: str) -> str:
    """Return the code of a reason, or nothing for text that has none, as that of a person."""
    return reason.code if isinstance(reason, Reason) else ""


class DeskError(Exception):
    """Base of every fault the desk raises on purpose.

    `code` is stable across versions; `hint` says what was expected; neither ever holds a key or a password.
    """

    code = "desk_error"
    facts: dict[str, str | int] | None = None
    """Figures and names of the message, for pages in other languages."""
    notes: Sequence[Mapping[str, Any]] = ()
    """Notes of a file that the message consists of, as data in the form of /api."""

    def __init__(self, message: str, hint: str = "", code: str | None = None, japanese: str = "") -> None:
        """Set the texts; `japanese` is message and hint for tools that answer in Japanese, if they have one."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.japanese = japanese
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class BadInput(DeskError):
    """A client sent something malformed, too large or out of range."""

    code = "bad_input"


class NotFound(DeskError):
    """The chat, run, ask or file that was named does not exist (or belongs to another chat)."""

    code = "not_found"


class Refused(DeskError):
    """The request is well formed, but not allowed from here (host, origin, token, isolation)."""

    code = "refused"


class Conflict(DeskError):
    """Conflict with an earlier change: the ask is answered, the run is closed, another server owns the chat."""

    code = "conflict"


class ModelFault(DeskError):
    """The model's provider failed: network, limits, credentials, or an answer that makes no sense."""

    code = "model_error"


class Stopped(DeskError):
    """Raised inside a run's own thread when the run was asked to stop; ends in RunCancelled."""

    code = "stopped"
