"""Requests of a browser session: their required key or link, /api/session, and streams that end with the session."""

import asyncio
import json
import time
from collections.abc import Coroutine
from typing import Any
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.wires.security.refusals import answer
from smoldesk.wires.security.sessions import Session, Sessions, cookie_name, deleted_cookie, matches
from smoldesk.wires.security.tokens import SUBPROTOCOL, header_values, session_keys

SESSION = "/api/session"
LINKS = "/api/session/links"
OPEN_PATHS = ("/", "/docs", "/openapi.json")
# Folders that the cookie opens without the key: the page's files, and frames by their ticket (chats/mcp_apps.py).
OPEN_FOLDERS = ("/static/", "/backend/bitmaps/", "/backend/data/floors/", "/api/app-frames/")
# Close code of sockets whose session ended.
ENDED = 4401


def has_access(session: Session, scope: Scope, links: list[str]) -> bool:
    """Return whether a request has the session's key, a valid link, or an address that needs neither."""
    if any(matches(key, session.key) for key in session_keys(scope)):
        return True
    if scope.get("method") not in ("GET", "HEAD"):
        return False
    path, query = scope["path"], scope["query_string"]
    is_open = path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)
    return is_open or any(session.accepts_link(link, path, query, time.time()) for link in links)


async def answer_session_request(
    scope: Scope, send: Send, session: Session | None, sessions: Sessions
) -> bool:
    """Answer requests about the session: its expiry, a link for an address, sign-out. Return False for other requests."""
    if scope["path"] not in (SESSION, LINKS):
        return False
    request = scope.get("method"), scope["path"]
    query = parse_qs(scope["query_string"].decode("latin-1"))
    headers = {"content-type": "application/json"}
    body: dict[str, object] = {}
    if request == ("GET", SESSION):
        body = {"expires": session.expires if session else None}
    elif request == ("POST", LINKS):
        address = query.get("path", [""])[0]
        body = {"url": session.link(address, time.time()) if session else address}
    elif request == ("DELETE", SESSION) and session is not None:
        await (sessions.sign_out_all() if "everywhere" in query else sessions.sign_out(session))
        headers["set-cookie"] = deleted_cookie(cookie_name(session.port))
    else:
        return False
    await answer(scope, send, 200, headers, json.dumps(body).encode())
    return True


def stays_open(scope: Scope) -> bool:
    """Return whether a request is a socket or asks for a stream of events."""
    return scope["type"] == "websocket" or "text/event-stream" in header_values(scope, b"accept")


def with_subprotocol(scope: Scope, send: Send) -> Send:
    """Return a `send` that accepts the offered subprotocol: browsers close a socket if none is chosen."""
    if SUBPROTOCOL not in scope.get("subprotocols", ()):
        return send

    async def choosing(message: Message) -> None:
        if message["type"] == "websocket.accept" and not message.get("subprotocol"):
            message = {**message, "subprotocol": SUBPROTOCOL}
        await send(message)

    return choosing


async def run_until_session_ends(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, ended: Coroutine[Any, Any, None]
) -> None:
    """Run the app until it ends. When the session ends first, disconnect the app and close the client's stream."""
    is_socket = scope["type"] == "websocket"
    end = asyncio.ensure_future(ended)
    is_closed = False

    async def receive_or_end() -> Message:
        # A pending receive() is cancelled with this wait: the app calls it again, and no message is lost.
        message = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((message, end), return_when=asyncio.FIRST_COMPLETED)
            if message.done():
                return message.result()
            return {"type": "websocket.disconnect" if is_socket else "http.disconnect", "code": ENDED}
        finally:
            message.cancel()

    async def send_noting(message: Message) -> None:
        # A second end of the response would raise in the server.
        nonlocal is_closed
        kind = message["type"]
        is_closed |= kind == "websocket.close" or (
            kind.endswith("http.response.body") and not message.get("more_body")
        )
        await send(message)

    try:
        await app(scope, receive_or_end, send_noting)
        if end.done() and not is_closed:
            if is_socket:
                await send({"type": "websocket.close", "code": ENDED, "reason": "session_ended"})
            else:
                await send({"type": "http.response.body", "body": b""})
    finally:
        end.cancel()
