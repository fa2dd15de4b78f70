"""The doors of the desk: one ASGI middleware in front of every route of every wire, and what belongs to it.

- `middleware`: `SecurityMiddleware`, in the order a request meets it: host, origin, preflight, token; headers on every
response. `RequestIds`, around it: an id for every request and socket, in its response and its log lines.
- `refusals`: what those hear that may not pass, and that a refused handshake is logged as no error.
- `hosts`: which hosts and origins are the desk's own, and whether an address may be bound without a token.
- `tokens`: the one shared token, in a header or (on its way into a session) the address.
- `sessions`: browsers' sessions: a signed cookie, its key, and links that expire. `guesses`: wrong tokens, slowed.
- `headers`: the content security policy and its companions, and the headers of served files.
- `app_frames`: the headers that keep a view of an MCP server in its frame.
- `read_only`: a desk that shows a log and nothing else.
- `log_redaction`: keeps the token out of the server's logs.

`SecurityMiddleware` belongs outermost, around the whole app, so that error pages pass it, too.
"""

from smoldesk.wires.security.app_frames import app_frame_headers
from smoldesk.wires.security.headers import CONTENT_SECURITY_POLICY, served_file_headers
from smoldesk.wires.security.hosts import check_bind
from smoldesk.wires.security.log_redaction import keep_token_out_of_logs, redact_token_filter
from smoldesk.wires.security.middleware import RequestIds, SecurityMiddleware
from smoldesk.wires.security.read_only import ReadOnly
from smoldesk.wires.security.refusals import AnsweredHandshakes
from smoldesk.wires.security.sessions import Sessions

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "AnsweredHandshakes",
    "ReadOnly",
    "RequestIds",
    "SecurityMiddleware",
    "Sessions",
    "app_frame_headers",
    "check_bind",
    "keep_token_out_of_logs",
    "redact_token_filter",
    "served_file_headers",
]
