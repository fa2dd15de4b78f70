"""A record of the log as one line, of text or of JSON: escaped, without secrets, a traceback by its places only.

What an exception says may hold what a person typed, so only its class and where it came from are written.
"""

import json
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

from pydantic import SecretStr

from smoldesk.logs.facts import request_id

HIDDEN = "***"
SHORTEST_SECRET = 6
SHORTEST_LATER = 12
_PLAIN = re.compile(r"[^\s\"'=\\\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Line(logging.Formatter):
    """Base of both line formats."""

    def __init__(self, secrets: Iterable[SecretStr | None] = ()) -> None:
        super().__init__()
        self._hide = hider(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """Return the complete line."""
        return self._hide(self.written(record, _facts(record)))

    def written(self, record: logging.LogRecord, facts: Mapping[str, Any]) -> str:
        raise NotImplementedError


class TextLine(Line):
    """`2026-01-31 09:00:00,000 INFO smoldesk.runs run id=r_1 state=finished`"""

    def written(self, record: logging.LogRecord, facts: Mapping[str, Any]) -> str:
        line = f"{self.formatTime(record)} {record.levelname} {record.name} {_escape_control_characters(_message(record))}"
        return " ".join((line, *(f"{key}={_value(value)}" for key, value in facts.items())))


class JsonLine(Line):
    """Line as a JSON object: time, level, logger, event, and the facts."""

    def written(self, record: logging.LogRecord, facts: Mapping[str, Any]) -> str:
        head = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "event": _escape_control_characters(_message(record)),
        }
        return json.dumps(head | dict(facts))  # ASCII only: nothing in it can break a line


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # a library's format and arguments may not fit; a log line is no reason to fail
        return str(record.msg)


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts: dict[str, Any] = dict(getattr(record, "facts", {}))
    if current := request_id.get():
        facts["request"] = current
    if record.exc_info and record.exc_info[0] is not None:
        facts["exception"] = record.exc_info[0].__name__
        facts["at"] = _places(record.exc_info[2])
    return facts


def _places(traceback: TracebackType | None) -> str:
    """Return the places of an exception's traceback, outermost first, the last few."""
    places: list[str] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        module = str(traceback.tb_frame.f_globals.get("__name__", "?"))
        places.append(f"{module}:{traceback.tb_lineno}:{code.co_name}")
        traceback = traceback.tb_next
    return ">".join(places[-12:])


def _value(value: Any) -> str:
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _escape_control_characters(text: str) -> str:
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def hider(secrets: Iterable[SecretStr | None]) -> Callable[[str], str]:
    """Return a function that replaces these secrets and those of `hide_from_now_on` in a text, in each of their
    encodings.
    """
    fixed = _forms(secrets)

    hidden_before: frozenset[str] | None = None
    longest_first: list[str] = []

    def hide(text: str) -> str:
        nonlocal hidden_before, longest_first
        if hidden_before is not (later := _later):
            longest_first, hidden_before = sorted(fixed | later, key=len, reverse=True), later
        for secret in longest_first:
            text = text.replace(secret, HIDDEN)
        return text

    return hide


def hide_from_now_on(secret: SecretStr | None, series: str = "") -> None:
    """Hide a secret that became known after the start, in every hider of the process, until the process ends.

    Short ones are excluded: private servers often have words as keys, which occur in other texts, too.

    Of a `series`, in which each replaces the one before (the access tokens of a server), only the last ones are
    hidden: a desk that runs for months gets thousands, and each costs time for every text. Older output was filtered
    when it was written; only output in progress, and what the server repeats from the last hours, may still contain
    one.
    """
    global _lasting, _later
    if secret is None or len(value := secret.get_secret_value()) < SHORTEST_LATER:
        return
    forms = frozenset(_forms([secret], SHORTEST_LATER))
    with _adding:
        if series:
            hidden = _series.setdefault(series, {})
            hidden.pop(value, None)  # the newest stands last, also when it came before
            hidden[value] = forms
            if len(hidden) > LAST_OF_SERIES:
                del hidden[next(iter(hidden))]
        else:
            _lasting |= forms
        later = _lasting.union(*(values for hidden in _series.values() for values in hidden.values()))
        if later != _later:  # hiders sort them anew when it is another set
            _later = later


# Tokens hidden per server: those of 16 hours, if each lives for one.
LAST_OF_SERIES = 16
_later: frozenset[str] = frozenset()
_lasting: frozenset[str] = frozenset()
_series: dict[str, dict[str, frozenset[str]]] = {}
_adding = threading.Lock()


def _forms(secrets: Iterable[SecretStr | None], shortest: int = SHORTEST_SECRET) -> set[str]:
    """Return each secret in its possible forms: plain, in an address, in JSON; and the password of an address.

    Plain words are excluded: a database's password is often `postgres` or `smoldesk`, which occur everywhere.
    """
    values = {secret.get_secret_value() for secret in secrets if secret is not None}
    passwords = {password for value in values for password in _passwords(value)}
    values |= {
        password for password in passwords if len(password) >= SHORTEST_LATER or not password.isalpha()
    }
    long = {value for value in values if len(value) >= shortest}
    in_json = {json.dumps(value, ensure_ascii=ascii)[1:-1] for value in long for ascii in (True, False)}
    return long | in_json | {quote(value, safe="") for value in long}


def _passwords(address: str) -> tuple[str, ...]:
    try:
        password = urlsplit(address).password if "://" in address else None
    except ValueError:
        return ()
    return (password, unquote(password)) if password else ()


UVICORN = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
# Loggers of libraries that install handlers of their own.
TALKATIVE = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


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
    root.handlers = [handler for handler in root.handlers if not isinstance(handler, _Ours)]
    root.addHandler(handler)
    loudest = max(level, "WARNING", key=logging.getLevelNamesMapping().__getitem__)
    root.setLevel(loudest)
    logging.getLogger("smoldesk").setLevel(level)
    served = max(level, "INFO", key=logging.getLevelNamesMapping().__getitem__)
    for name in UVICORN:
        logging.getLogger(name).setLevel(served)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
