"""Log filter that hides the token in every line of the server's logs.

`SecurityMiddleware` removes the token from the query before the access log reads it. This filter covers the other lines:
those written before a request reaches the app, and the debug level, which prints complete headers.
"""

import logging
import re
from collections.abc import Mapping
from urllib.parse import quote, unquote_plus

from pydantic import SecretStr

LOGGERS = ("uvicorn.access", "uvicorn.error", "uvicorn.asgi")
HIDDEN = "***"
SECRET_PARAMETERS = ("token", "key", "link")
# Characters. A shorter token would also match inside ordinary words of the log.
_SHORTEST_LITERAL = 6
_PARAMETER = re.compile(r"""([?&])([^=&#?\s"']{1,60})=([^&#\s"']*)""")


def redact_token_filter(token: SecretStr | None = None) -> logging.Filter:
    """Return a filter that hides the values of `token=`, `key=` and `link=`, and the token itself anywhere."""
    return _RedactToken(token)


def keep_token_out_of_logs(token: SecretStr | None = None) -> None:
    """Add the filter to uvicorn's loggers. Call it after uvicorn has configured its logging."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(redact_token_filter(token))


class _RedactToken(logging.Filter):
    """Filter that changes a record's text and arguments but not their number: formatters unpack them."""

    def __init__(self, token: SecretStr | None) -> None:
        super().__init__()
        secret = token.get_secret_value() if token is not None else ""
        forms = {secret, quote(secret, safe="")} if len(secret) >= _SHORTEST_LITERAL else set[str]()
        # Longest first: the quoted form can contain the plain one.
        self._literals = sorted(forms, key=len, reverse=True)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = self._clean(record.msg)
        if isinstance(record.args, Mapping):
            record.args = {key: self._clean(value) for key, value in record.args.items()}
        elif record.args:
            record.args = tuple(self._clean(value) for value in record.args)
        return True

    def _clean(self, value: object) -> object:
        """Return the value, or its redacted text if that differs."""
        text = clean = str(value)
        for literal in self._literals:
            clean = clean.replace(literal, HIDDEN)
        clean = _PARAMETER.sub(_hide_token, clean)
        return value if clean == text else clean


def _hide_token(match: re.Match[str]) -> str:
    value = HIDDEN if unquote_plus(match[2]) in SECRET_PARAMETERS else match[3]
    return f"{match[1]}{match[2]}={value}"
