"""The log of a process, installed once: one handler on stderr for our lines, the libraries' and uvicorn's alike."""

import logging
import sys
from collections.abc import Iterable
from typing import Literal

from pydantic import SecretStr

from smoldesk.logs.lines import JsonLine, TextLine

UVICORN = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
TALKATIVE = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")
"""Loggers that bring a handler of their own."""


class _Ours(logging.StreamHandler):  # type: ignore[type-arg]
    """Marks the handler, so that setting up twice leaves one."""


PER_SOCKET = ("connection open", "connection closed", "connection rejected", '%s - "WebSocket')


class NotPerSocket(logging.Filter):
    """Drops uvicorn's lines for each socket: the desk states those facts itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        mine = record.name.startswith("uvicorn") and record.exc_info is None
        return not (mine and str(record.msg).startswith(PER_SOCKET))


def set_up_logging(
    level: str, form: Literal["text", "json"] = "text", secrets: Iterable[SecretStr | None] = ()
) -> None:
    """Our own lines from `level` on. Libraries only when they warn, at DEBUG too: theirs hold requests and bodies."""
    handler = _Ours(sys.stderr)
    handler.setFormatter((JsonLine if form == "json" else TextLine)(secrets))
    handler.addFilter(NotPerSocket())
    root = logging.getLogger()
    root.handlers = [kept for kept in root.handlers if not isinstance(kept, _Ours)]
    root.addHandler(handler)
    loudest = max(level, "WARNING", key=logging.getLevelNamesMapping().__getitem__)
    root.setLevel(loudest)
    logging.getLogger("smoldesk").setLevel(level)
    served = max(level, "INFO", key=logging.getLevelNamesMapping().__getitem__)
    for name in UVICORN:
        logging.getLogger(name).setLevel(served)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
