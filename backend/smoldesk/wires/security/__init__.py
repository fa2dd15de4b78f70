"""Access control of the desk: ASGI middleware in front of every route of every wire.

- `middleware`: `SecurityMiddleware`, in the order of its checks: host, origin, preflight, token; adds headers to every
response. `RequestIds`, around it: an id for every request and socket, in its response and its log lines.
- `refusals`: responses to requests that are denied, and the log filter for denied handshakes.
- `hosts`: allowed hosts and origins, and the check of a bind address without a token.
- `tokens`: the shared token, in a header or (before it becomes a session) in the address.
- `sessions`: browsers' sessions: a signed cookie, its key, and links that expire. `guesses`: delays after wrong tokens.
- `headers`: the content security policy and its companions, and the headers of served files.
- `app_frames`: headers that confine a view of an MCP server to its frame.
- `read_only`: middleware of a desk that only replays a log.
- `log_redaction`: log filter that hides the token.

`SecurityMiddleware` is the outermost layer of the app, so that error pages get its headers too.
"""

from smoldesk.wires.security.app_frames import app_frame_headers
from smoldesk.wires.security.headers import CONTENT_SECURITY_POLICY, frame_policy, served_file_headers
from smoldesk.wires.security.hosts import check_bind
from smoldesk.wires.security.log_redaction import keep_token_out_of_logs, redact_token_filter
from smoldesk.wires.security.middleware import VIEW_PAGE, RequestIds, SecurityMiddleware
from smoldesk.wires.security.read_only import ReadOnly
from smoldesk.wires.security.refusals import AnsweredHandshakes
from smoldesk.wires.security.sessions import Sessions

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "VIEW_PAGE",
    "AnsweredHandshakes",
    "ReadOnly",
    "RequestIds",
    "SecurityMiddleware",
    "Sessions",
    "app_frame_headers",
    "check_bind",
    "frame_policy",
    "keep_token_out_of_logs",
    "redact_token_filter",
    "served_file_headers",
]
