"""Keeps the token out of the server's logs, whatever wrote the line.

`SecurityMiddleware` takes the token out of the query before the access log reads it. This filter is the second wall: for
lines written before a request reaches the app, and for the debug level, which prints whole headers.
"""

import logging
import re
from collections.abc import Mapping
from urllib.parse import quote, unquote_plus

from pydantic import SecretStr

LOGGERS = ("uvicorn.access", "uvicorn.error", "uvicorn.asgi")
HIDDEN = "***"
SECRET_PARAMETERS = ("token", "key", "link")
_SHORTEST_LITERAL = 6
_PARAMETER = re.compile(r"""([?&])([^=&#?\s"']{1,60})=([^&#\s"']*)""")


def redact_token_filter(token: SecretStr | None = None) -> logging.Filter:
    """A filter that hides the value of every `token=`, `key=` and `link=` in an address, and the token itself wherever it
    stands."""
    return _RedactToken(token)


def keep_token_out_of_logs(token: SecretStr | None = None) -> None:
    """Put the filter on uvicorn's loggers; to be called after uvicorn has set up its logging."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(redact_token_filter(token))


class _RedactToken(logging.Filter):
    """Changes the record's text and arguments, and keeps their shape: formatters unpack it."""

    def __init__(self, token: SecretStr | None) -> None:
        super().__init__()
        secret = token.get_secret_value() if token is not None else ""
        forms = {secret, quote(secret, safe="")} if len(secret) >= _SHORTEST_LITERAL else set[str]()
        self._literals = sorted(forms, key=len, reverse=True)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = self._clean(record.msg)
        if isinstance(record.args, Mapping):
            record.args = {key: self._clean(value) for key, value in record.args.items()}
        elif record.args:
            record.args = tuple(self._clean(value) for value in record.args)
        return True

    def _clean(self, value: object) -> object:
        """The value itself, unless its text would show the token."""
        text = clean = str(value)
        for literal in self._literals:
            clean = clean.replace(literal, HIDDEN)
        clean = _PARAMETER.sub(_hide_token, clean)
        return value if clean == text else clean


def _hide_token(match: re.Match[str]) -> str:
    value = HIDDEN if unquote_plus(match[2]) in SECRET_PARAMETERS else match[3]
    return f"{match[1]}{match[2]}={value}"
