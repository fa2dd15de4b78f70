"""The doors of the desk: one ASGI middleware in front of every route of every wire, and what belongs to it.

- `middleware`: `Doors`, in the order a request meets it: host, origin, preflight, token; headers on every
response.
- `places`: which hosts and origins are the desk's own, and whether an address may be bound without a token.
- `token`: the one shared token, in a header, a cookie or (on its way into the cookie) the address.
- `headers`: the content security policy and its companions, and the headers of served files.
- `handshakes`: keeps refused handshakes from being logged as errors.
- `request_ids`: an id for every request and socket, in its response and its log lines.
- `redaction`: keeps the token out of the server's logs.

`Doors` belongs outermost, around the whole app, so that error pages pass it, too.
"""

from backend.wires.doors.handshakes import AnsweredHandshakes
from backend.wires.doors.headers import CONTENT_SECURITY_POLICY, served_file_headers
from backend.wires.doors.middleware import Doors
from backend.wires.doors.places import check_bind
from backend.wires.doors.redaction import keep_token_out_of_logs, redact_token_filter
from backend.wires.doors.request_ids import RequestIds

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "AnsweredHandshakes",
    "Doors",
    "RequestIds",
    "check_bind",
    "keep_token_out_of_logs",
    "redact_token_filter",
    "served_file_headers",
]
