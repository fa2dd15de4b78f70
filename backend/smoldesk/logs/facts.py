"""Stating facts: `say(log, "run", run=..., state=...)` becomes one line. Values are ids, codes and numbers."""

import contextvars
import logging

from smoldesk.logs.flood import Flood

Value = str | int | float | bool | None

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
"""The id of the request or socket this code works for; empty in a run's thread."""

log = logging.getLogger("smoldesk.security")
_flood = Flood()


def say(logger: logging.Logger, fact: str, level: int = logging.INFO, /, **values: Value) -> None:
    """One line: the fact's name and its values; None is left out."""
    if logger.isEnabledFor(level):
        logger.log(
            level, fact, extra={"facts": {key: value for key, value in values.items() if value is not None}}
        )


def deny(code: str, client: str, **values: Value) -> None:
    """A request was turned away at the doors. Many of one code become a count."""
    _sparing("denial", code, client=client, **values)


def refuse(code: str, **values: Value) -> None:
    """A request or a frame was refused by a wire. Many of one code become a count."""
    _sparing("refusal", code, **values)


def _sparing(fact: str, code: str, **values: Value) -> None:
    unsaid = _flood.admit((fact, code))
    if unsaid is not None:
        say(log, fact, code=code, **values, unsaid=unsaid or None)
