"""The doors of the desk: one ASGI middleware in front of every route of every wire, and what belongs to it.

- `middleware`: `SecurityMiddleware`, in the order a request meets it: host, origin, preflight, token; headers on every
response.
- `places`: which hosts and origins are the desk's own, and whether an address may be bound without a token.
- `token`: the one shared token, in a header, a cookie or (on its way into the cookie) the address.
- `headers`: the content security policy and its companions, and the headers of served files.
- `handshakes`: keeps refused handshakes from being logged as errors.
- `request_ids`: an id for every request and socket, in its response and its log lines.
- `redaction`: keeps the token out of the server's logs.

`SecurityMiddleware` belongs outermost, around the whole app, so that error pages pass it, too.
"""

from smoldesk.wires.security.handshakes import AnsweredHandshakes
from smoldesk.wires.security.headers import CONTENT_SECURITY_POLICY, served_file_headers
from smoldesk.wires.security.hosts import check_bind
from smoldesk.wires.security.log_redaction import keep_token_out_of_logs, redact_token_filter
from smoldesk.wires.security.middleware import SecurityMiddleware
from smoldesk.wires.security.request_ids import RequestIds

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "AnsweredHandshakes",
    "RequestIds",
    "SecurityMiddleware",
    "check_bind",
    "keep_token_out_of_logs",
    "redact_token_filter",
    "served_file_headers",
]
