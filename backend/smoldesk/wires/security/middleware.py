"""`SecurityMiddleware`: what every HTTP request and every websocket handshake passes before any wire sees it.

In this order: does the desk answer to this name (421), may this page talk to it (403), is it a preflight (answered here),
does it carry a browser's session with its key or a link, or else the token (401; 429 for an address that guesses). Every
response, also a refusal, leaves with the security headers. Pure decisions are in `hosts`, `tokens`, `sessions` and `guesses`;
this file speaks ASGI.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import SecretStr
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.logs import log_event, request_id, traceparent
from smoldesk.tools.mcp_servers.entries import CALLBACK
from smoldesk.wires.security.guesses import LoginThrottle
from smoldesk.wires.security.headers import default_headers
from smoldesk.wires.security.hosts import Hosts, Origins
from smoldesk.wires.security.refusals import (
    CROSS_SITE,
    HOST,
    KEY_MISSING,
    ORIGIN,
    SESSIONS_UNREADABLE,
    TOKEN_MISSING,
    TOKEN_WRONG,
    TOO_MANY_GUESSES,
    Refusal,
    answer,
    refuse,
)
from smoldesk.wires.security.session_requests import (
    answer_session_request,
    has_access,
    run_until_session_ends,
    stays_open,
    with_subprotocol,
)
from smoldesk.wires.security.sessions import (
    OLD_COOKIE,
    Session,
    Sessions,
    SessionsUnreadable,
    deleted_cookie,
)
from smoldesk.wires.security.tokens import (
    TokenGate,
    bearer_tokens,
    cookies,
    header_values,
    request_port,
    split_parameter,
    url_without_token,
)

READ_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
HEALTH = "/healthz"
SESSION_SECONDS = 7 * 24 * 3600
# Tokens of one request that are looked at: a request with thousands of them is no way to guess faster.
MOST_CANDIDATES = 2
_RESPONSE_STARTS = ("http.response.start", "websocket.http.response.start")
_SAME_ORIGIN_SITES = ("same-origin", "none")
_CORS_HEADERS = (b"access-control-allow-origin", b"access-control-allow-credentials")
_EXPOSED = (
    "Content-Disposition, Location, Mcp-Session-Id, X-Vercel-AI-UI-Message-Stream, Tus-Resumable, Tus-Version, "
    "Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires"
)


class _RequestFacts(NamedTuple):
    """What the doors look at in one request."""

    method: str
    host: str | None
    origins: list[str]
    sites: list[str]

    @property
    def cross_origin(self) -> str | None:
        return self.origins[0] if len(self.origins) == 1 else None


class SecurityMiddleware:
    """ASGI middleware, outermost around the app.

    Raises BadInput when made with hosts or origins that are none. `token` empty or None: no token is asked
    for. Without `sessions`, those of browsers end with the server. `guesses` counts wrong tokens.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str = "127.0.0.1",
        token: SecretStr | None = None,
        allowed_origins: Iterable[str] = (),
        allowed_hosts: Iterable[str] = (),
        sessions: Sessions | None = None,
    ) -> None:
        self.app = app
        self.guesses = LoginThrottle()
        self._hosts = Hosts(host, allowed_hosts)
        self._origins = Origins(allowed_origins)
        self._gate = TokenGate(token)
        self._sessions = sessions or Sessions(token, SESSION_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        # in place: the server's access log reads this very dict
        scope["query_string"], tokens = split_parameter(scope["query_string"], "token")
        ask = _read_facts(scope)
        send = _with_headers(scope, send, self._cors(ask))
        if (refusal := self._find_refusal(scope, ask)) is not None:
            await refuse(scope, send, refusal)
        elif _is_preflight(scope, ask):
            await answer(scope, send, 204, _preflight_headers(scope))
        elif not self._gate.is_set and not tokens:
            await self._forward(scope, receive, send, None)
        else:
            try:
                await self._authenticate(scope, receive, send, ask, tokens)
            except SessionsUnreadable:
                await refuse(scope, send, SESSIONS_UNREADABLE)

    async def _authenticate(
        self, scope: Scope, receive: Receive, send: Send, ask: _RequestFacts, tokens: list[str]
    ) -> None:
        if tokens and scope["type"] == "http" and ask.method in ("GET", "HEAD"):
            await self._move_token(scope, send, tokens, request_port(scope, ask.host or ""))
        elif not self._gate.is_set:
            await self._forward(scope, receive, send, None)
        else:
            await self._check_credentials(
                scope, receive, send, ask, tokens if scope["type"] == "websocket" else []
            )

    async def _check_credentials(
        self, scope: Scope, receive: Receive, send: Send, ask: _RequestFacts, tokens: list[str]
    ) -> None:
        """Let pass who has a session and what goes with it, or the token; at some addresses strangers, too."""
        scope["query_string"], links = split_parameter(scope["query_string"], "link")
        session = await self._sessions.find(cookies(scope), request_port(scope, ask.host or ""))
        if session is not None and has_access(session, scope, links):
            await self._forward(scope, receive, send, session)
            return
        refusal, seconds = KEY_MISSING if session else TOKEN_MISSING, 0
        if candidates := [*bearer_tokens(scope), *tokens]:
            refusal, seconds = self._check_tokens(scope, candidates)
        if refusal is None:
            await self._forward(scope, receive, send, None)
        elif scope["path"] == HEALTH and ask.method in ("GET", "HEAD"):
            await self.app(scope, receive, _status_only(send))
        elif scope["path"] == CALLBACK and ask.method == "GET":
            await self.app(
                scope, receive, send
            )  # who knows its `state` may: a browser keeps our cookie from one sent here
        else:
            await refuse(scope, send, refusal, seconds)

    def _check_tokens(self, scope: Scope, candidates: list[str]) -> tuple[Refusal | None, int]:
        """Return None if one is the token, else the refusal, and how many seconds to wait before the next one."""
        address = str((scope.get("client") or ("unknown",))[0])
        if seconds := self.guesses.wait(address):
            return TOO_MANY_GUESSES, seconds
        for candidate in candidates[:MOST_CANDIDATES]:
            if self._gate.matches(candidate):
                return None, 0
            if candidate:
                self.guesses.note_failure(address)
        return TOKEN_WRONG if any(candidates) else TOKEN_MISSING, 0

    async def _forward(self, scope: Scope, receive: Receive, send: Send, session: Session | None) -> None:
        """Hand the request on; what stays open ends with its session."""
        scope["smoldesk.token_failures"] = self.guesses.failures
        send = with_subprotocol(scope, send)
        if await answer_session_request(scope, send, session, self._sessions):
            return
        if session is not None and stays_open(scope):
            await run_until_session_ends(
                self.app, scope, receive, send, self._sessions.wait_until_ended(session)
            )
        else:
            await self.app(scope, receive, send)

    def _find_refusal(self, scope: Scope, ask: _RequestFacts) -> Refusal | None:
        """Why this request may not come from where it comes."""
        if ask.host is None or not self._hosts.accepts(ask.host):
            return HOST
        if ask.origins:
            origin = ask.cross_origin or ""
            is_same = self._origins.is_same_origin(origin, scope.get("scheme", "http"), ask.host)
            return None if is_same or self._origins.allows(origin) else ORIGIN
        if ask.method not in READ_METHODS and any(site not in _SAME_ORIGIN_SITES for site in ask.sites):
            return CROSS_SITE
        return None

    def _cors(self, ask: _RequestFacts) -> dict[str, str]:
        """What lets a page of an allowed origin read the response."""
        if ask.cross_origin is None or not self._origins.allows(ask.cross_origin):
            return {}
        return {
            "access-control-allow-origin": ask.cross_origin,
            "access-control-allow-credentials": "true",
            "access-control-expose-headers": _EXPOSED,
        }

    async def _move_token(self, scope: Scope, send: Send, tokens: list[str], port: str) -> None:
        """`?token=` leaves the address at once: into a session when it is right, and nowhere when it is not.

        The page gets the session's key in its address, and takes it out of there; any other place becomes a link.
        """
        place = url_without_token(scope, scope["query_string"])
        headers = {"location": place, "cache-control": "no-store"}
        if self._gate.is_set:
            if any(site not in _SAME_ORIGIN_SITES for site in header_values(scope, b"sec-fetch-site")) and (
                header_values(scope, b"sec-fetch-dest") != ["document"]
            ):
                # images of any page would be guesses of whoever reads it; only where a person goes counts
                await refuse(scope, send, CROSS_SITE)
                return
            refusal, seconds = self._check_tokens(scope, tokens)
            if refusal is not None:
                await refuse(scope, send, refusal, seconds)
                return
            session = await self._sessions.issue(port)
            if scope["path"] == "/":
                headers["location"] = f"{place}{'&' if '?' in place else '?'}key={session.key}"
            else:
                headers["location"] = session.link(place, time.time())
            headers["set-cookie"] = self._sessions.cookie(session, secure=scope.get("scheme") == "https")
        await answer(scope, send, 303, headers)


def _read_facts(scope: Scope) -> _RequestFacts:
    hosts = header_values(scope, b"host")
    return _RequestFacts(
        method=scope.get("method", "WEBSOCKET"),
        host=hosts[0] if len(hosts) == 1 else None,
        origins=header_values(scope, b"origin"),
        sites=header_values(scope, b"sec-fetch-site"),
    )


def _is_preflight(scope: Scope, ask: _RequestFacts) -> bool:
    return ask.method == "OPTIONS" and bool(
        ask.origins and header_values(scope, b"access-control-request-method")
    )


def _preflight_headers(scope: Scope) -> dict[str, str]:
    """The origin was named by the operator, so it may send the headers it asks for."""
    requested = ", ".join(header_values(scope, b"access-control-request-headers"))
    safe = (
        requested if all(char.isascii() and (char.isalnum() or char in "-_, ") for char in requested) else ""
    )
    return {
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": safe[:1000] or "authorization, content-type",
        "access-control-max-age": "600",
    }


def _with_headers(scope: Scope, send: Send, cors: Mapping[str, str]) -> Send:
    """A `send` that adds the security headers a response lacks, and our CORS headers in place of any
    others."""

    async def decorated(message: Message) -> None:
        if message["type"] in _RESPONSE_STARTS:
            response_headers: list[tuple[bytes, bytes]] = message.get("headers", [])
            headers = [(key, value) for key, value in response_headers if key.lower() not in _CORS_HEADERS]
            present = {key.lower().decode("latin-1") for key, _ in headers}
            defaults = default_headers(scope["path"], message["status"])
            added = {key: value for key, value in defaults.items() if key not in present} | dict(cors)
            if any(name == OLD_COOKIE for name, _ in cookies(scope)):
                headers.append((b"set-cookie", deleted_cookie(OLD_COOKIE).encode()))
            extra = [(key.encode(), value.encode()) for key, value in added.items()]
            message = {**message, "headers": [*headers, *extra, (b"vary", b"Origin")]}
        await send(message)

    return decorated


def _status_only(send: Send) -> Send:
    """A `send` for strangers who ask for the desk's health: they learn whether it is well, and nothing
    else."""
    well = True

    async def narrowed(message: Message) -> None:
        nonlocal well
        if message["type"] == "http.response.start":
            well = message["status"] < 400
            message = {**message, "headers": [(b"content-type", b"application/json")]}
        elif message["type"] == "http.response.body":
            if message.get("more_body"):
                return
            message = {
                "type": "http.response.body",
                "body": b'{"status":"ok"}' if well else b'{"status":"failing"}',
            }
        await send(message)

    return narrowed


HEADER = b"x-request-id"
_CLIENT_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_TRACEPARENT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")

log = logging.getLogger(__name__)


class RequestIds:
    """ASGI middleware, around the doors: an id for every request and socket, also for a refusal.

    It is the client's own X-Request-ID where that is sane, and stands in the response and on each line of the log that is
    written while the request is worked on.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        current_id = _client_request_id(scope) or secrets.token_hex(8)
        id_token = request_id.set(current_id)
        # a page's socket brings many runs: none of them is part of its opening
        trace_token = traceparent.set(_traceparent(scope) if scope["type"] == "http" else None)
        status: int | None = None

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message.get("status", 101)
                headers = [(key, value) for key, value in message.get("headers", []) if key.lower() != HEADER]
                message = {**message, "headers": [*headers, (HEADER, current_id.encode())]}
            await send(message)

        try:
            await self.app(scope, receive, named)
        finally:
            log_event(log, "request", logging.DEBUG, method=scope.get("method", "WEBSOCKET"), status=status)
            request_id.reset(id_token)
            traceparent.reset(trace_token)


def _traceparent(scope: Scope) -> str | None:
    candidates = header_values(scope, b"traceparent")
    return candidates[0] if len(candidates) == 1 and _TRACEPARENT.fullmatch(candidates[0]) else None


def _client_request_id(scope: Scope) -> str | None:
    candidates = header_values(scope, HEADER)
    return candidates[0] if len(candidates) == 1 and _CLIENT_ID.fullmatch(candidates[0]) else None
