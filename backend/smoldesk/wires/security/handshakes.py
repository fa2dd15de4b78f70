"""A refused websocket handshake is no error of the server, and its log does not call it one.

uvicorn writes an ERROR line for every app that ends without accepting a handshake, also when it answered it with a
refusal of its own. That one line is dropped then; an app that really says nothing is still an error.
"""

import logging
from contextvars import ContextVar

_answered: ContextVar[bool] = ContextVar("_answered", default=False)
_LINE = "ASGI callable returned without completing handshake."


def note_answered() -> None:
    """This task's handshake has had its response; uvicorn looks in the same task."""
    _answered.set(True)


class AnsweredHandshakes(logging.Filter):
    """For uvicorn's error log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.msg == _LINE and _answered.get())
