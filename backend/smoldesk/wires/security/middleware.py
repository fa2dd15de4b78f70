"""`SecurityMiddleware`: checks of every HTTP request and websocket handshake before it reaches a wire.

The order: allowed host (421), allowed origin (403), preflight (answered here), then a browser's session with its key or a
link, or the token (401; 429 for an address that guesses). Every response, errors included, gets the security headers. Pure
decisions are in `hosts`, `tokens`, `sessions` and `guesses`; this file is the ASGI part.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import SecretStr
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.chats import Audit, SharedTries
from smoldesk.errors import DeskError
from smoldesk.logs import Actor, acting, current_actor, log_event, request_id, traceparent
from smoldesk.tools.mcp_servers.entries import CALLBACK
from smoldesk.wires.security.guesses import LoginThrottle
from smoldesk.wires.security.headers import default_headers, frame_policy
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
# Page of shared views; a header of its requests has the key of one view.
VIEW_PAGE = "/view"
VIEW_PATHS = frozenset(
    f"{VIEW_PAGE}{name}" for name in ("", "/content", "/style.css", "/view.css", "/view.js")
)
SESSION_SECONDS = 7 * 24 * 3600
# Tokens of one request that are checked: thousands of them in one request must not speed up guessing.
MAX_CANDIDATES = 2
_RESPONSE_STARTS = ("http.response.start", "websocket.http.response.start")
# Values of Sec-Fetch-Site that are not cross-site; "none" is an address typed or opened from a bookmark.
_SAME_ORIGIN_SITES = ("same-origin", "none")
# Removed from the app's responses: two values of one CORS header make browsers reject both.
_CORS_HEADERS = (b"access-control-allow-origin", b"access-control-allow-credentials")
_EXPOSED = (
    "Content-Disposition, Location, Mcp-Session-Id, X-Vercel-AI-UI-Message-Stream, Tus-Resumable, Tus-Version, "
    "Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires"
)


class _RequestFacts(NamedTuple):
    """Parts of a request that the checks read."""

    method: str
    host: str | None
    origins: list[str]
    sites: list[str]

    @property
    def cross_origin(self) -> str | None:
        return self.origins[0] if len(self.origins) == 1 else None


class SecurityMiddleware:
    """ASGI middleware, outermost around the app.

    Raises BadInput for invalid hosts or origins. With an empty `token` or None, no token is needed. Without
    `sessions`, browser sessions end with the server. `guesses` counts wrong tokens, with other servers if
    `wrong_tokens` is set. Pages of `frame_origins` may show the
    desk's page in a frame. `audit` gets sign-ins and wrong tokens.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str = "127.0.0.1",
        token: SecretStr | None = None,
        allowed_origins: Iterable[str] = (),
        allowed_hosts: Iterable[str] = (),
        sessions: Sessions | None = None,
        frame_origins: Sequence[str] = (),
        wrong_tokens: SharedTries | None = None,
        audit: Audit | None = None,
    ) -> None:
        self.app = app
        self._audit = audit
        self._page_policy = frame_policy(frame_origins)
        self.guesses = LoginThrottle(shared=wrong_tokens)
        self._hosts = Hosts(host, allowed_hosts)
        self._origins = Origins(allowed_origins)
        self._gate = TokenGate(token)
        self._sessions = sessions or Sessions(token, SESSION_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # `lifespan` messages come from the server itself and have no headers.
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        current_actor.set(Actor("visitor", _client_of(scope)))
        # In place: uvicorn's access log reads this same dict after the response, and must not see the token.
        scope["query_string"], tokens = split_parameter(scope["query_string"], "token")
        facts = _read_facts(scope)
        send = _with_headers(scope, send, self._cors(facts), self._page_policy)
        if (refusal := self._find_refusal(scope, facts)) is not None:
            await refuse(scope, send, refusal)
        elif _is_preflight(scope, facts):
            await answer(scope, send, 204, _preflight_headers(scope))
        elif not self._gate.is_set and not tokens:
            await self._forward(scope, receive, send, None)
        else:
            try:
                await self._authenticate(scope, receive, send, facts, tokens)
            except SessionsUnreadable:
                await refuse(scope, send, SESSIONS_UNREADABLE)

    async def _authenticate(
        self, scope: Scope, receive: Receive, send: Send, facts: _RequestFacts, tokens: list[str]
    ) -> None:
        if tokens and scope["type"] == "http" and facts.method in ("GET", "HEAD"):
            await self._move_token(scope, send, tokens, request_port(scope, facts.host or ""))
        elif not self._gate.is_set:
            await self._forward(scope, receive, send, None)
        else:
            await self._check_credentials(
                scope, receive, send, facts, tokens if scope["type"] == "websocket" else []
            )

    async def _check_credentials(
        self, scope: Scope, receive: Receive, send: Send, facts: _RequestFacts, tokens: list[str]
    ) -> None:
        """Forward a request with a session and its key or link, or with the token; two paths need neither."""
        scope["query_string"], links = split_parameter(scope["query_string"], "link")
        session = await self._sessions.find(cookies(scope), request_port(scope, facts.host or ""))
        if session is not None and has_access(session, scope, links):
            await self._forward(scope, receive, send, session)
            return
        refusal, seconds = KEY_MISSING if session else TOKEN_MISSING, 0
        if candidates := [*bearer_tokens(scope), *tokens]:
            refusal, seconds = await self._check_tokens(scope, candidates)
        if refusal is None:
            await self._forward(scope, receive, send, None)
        elif scope["path"] == HEALTH and facts.method in ("GET", "HEAD"):
            await self.app(scope, receive, _status_only(send))
        elif scope["path"] == CALLBACK and facts.method == "GET":
            # Its `state` parameter authenticates it: browsers hold back our cookie after a redirect from another site.
            await self.app(scope, receive, send)
        elif scope["path"] in VIEW_PATHS and facts.method in ("GET", "HEAD"):
            # The key of a view authenticates it, and gives nothing else.
            await self.app(scope, receive, send)
        else:
            await refuse(scope, send, refusal, seconds)

    async def _check_tokens(self, scope: Scope, candidates: list[str]) -> tuple[Refusal | None, int]:
        """Return (None, 0) if a candidate is the token, else the refusal and the seconds until the next try."""
        address = _client_of(scope)
        await self.guesses.learn(address)
        # From here to the count of a wrong token nothing waits: requests at once get no more guesses than others.
        if seconds := self.guesses.wait(address):
            return TOO_MANY_GUESSES, seconds
        wrong = 0
        # The delay was checked above, before any comparison: a waiting address learns nothing about its token.
        for candidate in candidates[:MAX_CANDIDATES]:
            if self._gate.matches(candidate):
                return None, 0
            if candidate:
                wrong += 1
                self.guesses.note_failure(address)
        await self.guesses.report(address, wrong)
        if self._audit is not None and wrong:
            await self._audit.add_wrong("token.wrong", address, wrong)
        return TOKEN_WRONG if any(candidates) else TOKEN_MISSING, 0

    async def _forward(self, scope: Scope, receive: Receive, send: Send, session: Session | None) -> None:
        """Pass the request to the app; sockets and event streams end with their session."""
        scope["smoldesk.token_failures"] = self.guesses.failures
        who = session.name if session is not None else "token" if self._gate.is_set else "anyone"
        current_actor.set(Actor(who, _client_of(scope)))
        send = with_subprotocol(scope, send)
        if await answer_session_request(scope, send, session, self._sessions):
            return
        if session is not None and stays_open(scope):
            await run_until_session_ends(
                self.app, scope, receive, send, self._sessions.wait_until_ended(session)
            )
        else:
            await self.app(scope, receive, send)

    def _find_refusal(self, scope: Scope, facts: _RequestFacts) -> Refusal | None:
        """Return the refusal for a wrong host, origin or site, or None."""
        if facts.host is None or not self._hosts.accepts(facts.host):
            return HOST
        if facts.origins:
            origin = facts.cross_origin or ""
            is_same = self._origins.is_same_origin(origin, scope.get("scheme", "http"), facts.host)
            return None if is_same or self._origins.allows(origin) else ORIGIN
        if facts.method not in READ_METHODS and any(site not in _SAME_ORIGIN_SITES for site in facts.sites):
            return CROSS_SITE
        return None

    def _cors(self, facts: _RequestFacts) -> dict[str, str]:
        """Return the CORS headers for a page of an allowed origin."""
        if facts.cross_origin is None or not self._origins.allows(facts.cross_origin):
            return {}
        return {
            "access-control-allow-origin": facts.cross_origin,
            "access-control-allow-credentials": "true",
            "access-control-expose-headers": _EXPOSED,
        }

    async def _move_token(self, scope: Scope, send: Send, tokens: list[str], port: str) -> None:
        """Redirect to the address without `?token=`, with a new session if the token is right.

        The page gets the session's key in its address and removes it there; any other address becomes a link.
        """
        place = url_without_token(scope, scope["query_string"])
        headers = {"location": place, "cache-control": "no-store"}
        if self._gate.is_set:
            if any(site not in _SAME_ORIGIN_SITES for site in header_values(scope, b"sec-fetch-site")) and (
                header_values(scope, b"sec-fetch-dest") != ["document"]
            ):
                # An <img> on another site could guess tokens through its readers' browsers: only navigations count.
                await refuse(scope, send, CROSS_SITE)
                return
            refusal, seconds = await self._check_tokens(scope, tokens)
            if refusal is not None:
                await refuse(scope, send, refusal, seconds)
                return
            session = await self._sessions.issue(port)
            await self._note_session(session, _client_of(scope))
            if scope["path"] == "/":
                headers["location"] = f"{place}{'&' if '?' in place else '?'}key={session.key}"
            else:
                headers["location"] = session.link(place, time.time())
            headers["set-cookie"] = self._sessions.cookie(session, secure=scope.get("scheme") == "https")
        await answer(scope, send, 303, headers)

    async def _note_session(self, session: Session, address: str) -> None:
        """Have a sign-in in the audit log. Raises SessionsUnreadable if it cannot be stored."""
        if self._audit is not None:
            with acting(Actor(session.name, address)):
                try:
                    await self._audit.add("session.started")
                except DeskError:
                    raise SessionsUnreadable from None


def _client_of(scope: Scope) -> str:
    return str((scope.get("client") or ("unknown",))[0])


def _read_facts(scope: Scope) -> _RequestFacts:
    hosts = header_values(scope, b"host")
    return _RequestFacts(
        method=scope.get("method", "WEBSOCKET"),
        host=hosts[0] if len(hosts) == 1 else None,
        origins=header_values(scope, b"origin"),
        sites=header_values(scope, b"sec-fetch-site"),
    )


def _is_preflight(scope: Scope, facts: _RequestFacts) -> bool:
    return facts.method == "OPTIONS" and bool(
        facts.origins and header_values(scope, b"access-control-request-method")
    )


def _preflight_headers(scope: Scope) -> dict[str, str]:
    """Allow the requested headers: the operator trusts this origin."""
    requested = ", ".join(header_values(scope, b"access-control-request-headers"))
    # The list is echoed into a response header: other characters than names and commas could split it.
    safe = (
        requested if all(char.isascii() and (char.isalnum() or char in "-_, ") for char in requested) else ""
    )
    return {
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": safe[:1000] or "authorization, content-type",
        "access-control-max-age": "600",
    }


def _with_headers(scope: Scope, send: Send, cors: Mapping[str, str], page_policy: str) -> Send:
    """Return a `send` that adds missing security headers and replaces CORS headers with ours."""

    async def decorated(message: Message) -> None:
        if message["type"] in _RESPONSE_STARTS:
            response_headers: list[tuple[bytes, bytes]] = message.get("headers", [])
            headers = [(key, value) for key, value in response_headers if key.lower() not in _CORS_HEADERS]
            present = {key.lower().decode("latin-1") for key, _ in headers}
            defaults = default_headers(scope["path"], message["status"])
            if scope["path"] == "/":
                defaults["content-security-policy"] = page_policy
            added = {key: value for key, value in defaults.items() if key not in present} | dict(cors)
            # The old cookie held the token itself, so every response deletes it.
            if any(name == OLD_COOKIE for name, _ in cookies(scope)):
                headers.append((b"set-cookie", deleted_cookie(OLD_COOKIE).encode()))
            extra = [(key.encode(), value.encode()) for key, value in added.items()]
            message = {**message, "headers": [*headers, *extra, (b"vary", b"Origin")]}
        await send(message)

    return decorated


def _status_only(send: Send) -> Send:
    """Return a `send` that reduces the health response to its status, for clients without a token."""
    well = True

    async def narrowed(message: Message) -> None:
        nonlocal well
        if message["type"] == "http.response.start":
            well = message["status"] < 400
            message = {**message, "headers": [(b"content-type", b"application/json")]}
        elif message["type"] == "http.response.body":
            # Drops every piece of the real body; the last one is replaced.
            if message.get("more_body"):
                return
            message = {
                "type": "http.response.body",
                "body": b'{"status":"ok"}' if well else b'{"status":"failing"}',
            }
        await send(message)

    return narrowed


HEADER = b"x-request-id"
# Short and without spaces or quotes, since it goes into log lines and a header.
_CLIENT_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
# W3C Trace Context, version 00.
_TRACEPARENT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")

log = logging.getLogger(__name__)


class RequestIds:
    """ASGI middleware around SecurityMiddleware: an id for every request and socket, denied ones included.

    The id is the client's X-Request-ID if that has the expected form. It is in the response and on each log line that is
    written while the request is handled.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        current_id = _client_request_id(scope) or secrets.token_hex(8)
        id_token = request_id.set(current_id)
        # A page's socket starts many runs; the trace of its handshake is the parent of none of them.
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
