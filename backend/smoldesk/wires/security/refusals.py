"""Responses to denied requests, in the form that the client reads: JSON, a small page or a failed handshake."""

import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from typing import NamedTuple

from starlette.types import Scope, Send

from smoldesk.logs import log_denial
from smoldesk.wires.security.headers import CONTENT_SECURITY_POLICY
from smoldesk.wires.security.tokens import header_values

_answered: ContextVar[bool] = ContextVar("_answered", default=False)
# The text in uvicorn's websocket protocols, compared as a whole.
_LINE = "ASGI callable returned without completing handshake."


def mark_answered() -> None:
    """Record that this task's handshake was answered. uvicorn logs in the same task, so a context variable works."""
    _answered.set(True)


class AnsweredHandshakes(logging.Filter):
    """Filter of uvicorn's error log for denied handshakes.

    uvicorn writes an ERROR line if an app ends without accepting a handshake, even after an HTTP response to it. The filter
    drops this line only if the handshake was answered.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.msg == _LINE and _answered.get())


class Refusal(NamedTuple):
    """Error response; `code` is stable, `websocket_status` is the status for handshakes."""

    status: int
    websocket_status: int
    code: str
    message: str
    hint: str


HOST = Refusal(
    *(421, 403, "host_refused", "The desk does not answer to this host name."),
    "Open the address that the desk printed, or add the name to SMOLDESK_ALLOWED_HOSTS.",
)
ORIGIN = Refusal(
    *(403, 403, "origin_refused", "Pages of this origin may not send requests to the desk."),
    "Open the desk's own page, or add the exact origin to SMOLDESK_ALLOWED_ORIGINS.",
)
CROSS_SITE = Refusal(
    *(403, 403, "cross_site_refused", "A page of another site may not change anything on the desk."),
    "Send the request from the desk's own page, or without a browser.",
)
_TOKEN_HINT = "Open the desk's address with ?token=... once, or send the header Authorization: Bearer TOKEN."
KEY_MISSING = Refusal(
    *(401, 401, "session_key_required", "A browser's cookie alone does not open this address."),
    "Expected the session's key (header X-Smoldesk-Key) or a link that has not expired: open the desk's page with ?token=... "
    "once, or send the header Authorization: Bearer TOKEN.",
)
SESSIONS_UNREADABLE = Refusal(
    *(503, 503, "store_fault", "The desk could not read or write browsers' sessions."),
    "Try again; see the server's log.",
)
TOO_MANY_GUESSES = Refusal(
    *(429, 429, "too_many_guesses", "Too many wrong tokens came from this address."),
    "Wait for the seconds in Retry-After; until then the desk checks no token of this address.",
)
TOKEN_MISSING = Refusal(401, 401, "token_required", "The desk requires its token.", _TOKEN_HINT)
TOKEN_WRONG = Refusal(401, 401, "token_wrong", "This is not the desk's token.", _TOKEN_HINT)

# The sign-in page has a form; every other page forbids them.
SIGN_IN_POLICY = CONTENT_SECURITY_POLICY.replace("form-action 'none'", "form-action 'self'")
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>smoldesk</title>
<h1>{message}</h1>
<form action="/"><label>Token · <span lang="ja">トークン</span> <input name="token" type="password" required
autocomplete="current-password"></label> <button>Open · <span lang="ja">開く</span></button></form>
<p>The token is the value of SMOLDESK_TOKEN. You can also open the address with <code>?token=TOKEN</code> at its end.
Programs send <code>Authorization: Bearer TOKEN</code>.</p>
<p lang="ja">トークンはSMOLDESK_TOKENの値です。アドレスの末尾に <code>?token=トークン</code> を付けて開くこともできます。</p>
</html>
"""


async def refuse(scope: Scope, send: Send, refusal: Refusal, retry_after: int = 0) -> None:
    """Send the refusal. A handshake gets its status if the server supports that extension, else 403."""
    client = scope.get("client") or ("unknown",)
    log_denial(refusal.code, str(client[0]), over=scope["type"])
    body, kind = _body(scope, refusal)
    headers = {"content-type": kind}
    if kind.startswith("text/html"):
        headers["content-security-policy"] = SIGN_IN_POLICY
    if retry_after:
        headers["retry-after"] = str(retry_after)
    # RFC 9110, section 15.5.2: a 401 response must have a challenge.
    if refusal.status == 401:
        headers["www-authenticate"] = 'Bearer realm="smoldesk"'
    if scope["type"] == "http":
        await answer(scope, send, refusal.status, headers, body)
    elif "websocket.http.response" in (scope.get("extensions") or {}):
        await answer(scope, send, refusal.websocket_status, headers, body)
    else:
        # Before the handshake is accepted, ASGI turns a close into status 403.
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})


async def answer(
    scope: Scope, send: Send, status: int, headers: Mapping[str, str], body: bytes = b""
) -> None:
    """Send one complete response to a request or a handshake."""
    prefix = "" if scope["type"] == "http" else "websocket."
    length = {"content-length": str(len(body))} if status != 204 else {}
    pairs = [(key.encode(), value.encode()) for key, value in {**headers, **length}.items()]
    await send({"type": f"{prefix}http.response.start", "status": status, "headers": pairs})
    await send({"type": f"{prefix}http.response.body", "body": body})
    if prefix:
        mark_answered()


def _body(scope: Scope, refusal: Refusal) -> tuple[bytes, str]:
    wants_page = any("text/html" in accepted for accepted in header_values(scope, b"accept"))
    if refusal.status in (401, 429) and wants_page:
        return _PAGE.format(message=refusal.message).encode(), "text/html; charset=utf-8"
    error = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint}
    if scope["path"].startswith("/v1/"):  # the error format that clients of the OpenAI API parse
        code = "invalid_api_key" if refusal.status == 401 else refusal.code
        message = f"{refusal.message} {refusal.hint}"
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return json.dumps({"error": error}).encode(), "application/json"
