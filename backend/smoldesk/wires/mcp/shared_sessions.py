"""Sessions of MCP clients (protocol 2025-11-25) that any server of one PostgreSQL continues.

A session of the library lives in the memory of the server that opened it. Its opening request is a row: a server that
gets a request of a session that another one opened opens one of its own with the same request, and exchanges the ids in
headers. A session that was ended at one server is unknown to all. Later versions of the protocol have no sessions.
"""

import asyncio
import json
import time
from collections import OrderedDict
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.chats import McpSessions

HEADER = b"mcp-session-id"
# Opening requests are small; a larger one is served, and its session stays at its server.
MAX_OPENING = 64_000
MAX_LOCAL = 1_000
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class LocalSession(NamedTuple):
    """Id of the library's session, and when it was last used (monotonic seconds)."""

    id: bytes
    used_at: float


class SharedSessions:
    """ASGI app in front of the library's, which must keep an unused session for longer than `sessions`."""

    def __init__(self, app: ASGIApp, sessions: McpSessions) -> None:
        self._app = app
        self._sessions = sessions
        self._local: OrderedDict[str, LocalSession] = OrderedDict()
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = [value for name, value in scope["headers"] if name.lower() == HEADER]
        if not named:
            await self._open(scope, receive, send)
            return
        session_id = named[0].decode("latin-1")
        local = await self._local_id(session_id, scope)
        if scope["method"] == "DELETE":
            await self._sessions.remove(session_id)
        # The library answers 404 to an id that it does not know.
        await self._app(_renamed(scope, local or b"unknown"), receive, _answering(send, named[0]))

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request without a session, and store what opens one."""
        body = b""

        async def reading() -> Message:
            nonlocal body
            message = await receive()
            if len(body) <= MAX_OPENING:
                body += message.get("body", b"")
            return message

        async def storing(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                for name, value in message.get("headers", ()):
                    if name.lower() == HEADER and len(body) <= MAX_OPENING:
                        await self._keep(value, body.decode("utf-8", "replace"))
            await send(message)

        await self._app(scope, reading, storing)

    async def _keep(self, session_id: bytes, opening: str) -> None:
        name = session_id.decode("latin-1")
        await self._sessions.add(name, opening)
        self._note(name, session_id)

    def _note(self, session_id: str, local: bytes) -> None:
        self._local[session_id] = LocalSession(local, time.monotonic())
        self._local.move_to_end(session_id)
        if len(self._local) > MAX_LOCAL:
            self._local.popitem(last=False)

    async def _local_id(self, session_id: str, scope: Scope) -> bytes | None:
        """Return the library's id of a session, opened here if need be; None for one that is unknown to all servers."""
        opening = await self._sessions.use(session_id)
        if opening is None:
            self._local.pop(session_id, None)
            return None
        # Two first requests of a client must not open two sessions.
        async with self._lock:
            local = self._local.get(session_id)
            if local is not None and time.monotonic() - local.used_at < self._sessions.idle_seconds:
                opened = local.id
            else:
                opened = await self._reopen(opening, scope)
            if opened is not None:
                self._note(session_id, opened)
            return opened

    async def _reopen(self, opening: str, scope: Scope) -> bytes | None:
        """Open a session of the library with an opening request; return its id, None if it is refused."""
        opened = await self._post(opening, scope, None)
        if opened is not None:
            await self._post(json.dumps(INITIALIZED), scope, opened)
        return opened

    async def _post(self, body: str, scope: Scope, session_id: bytes | None) -> bytes | None:
        """Post a message to the library as the client would; return the session id of the response."""
        data = body.encode()
        headers = [
            (name, value)
            for name, value in scope["headers"]
            if name.lower() in (b"host", b"origin", b"authorization", b"mcp-protocol-version")
        ]
        headers += [
            (b"content-type", b"application/json"),
            (b"accept", b"application/json, text/event-stream"),
            (b"content-length", str(len(data)).encode()),
        ]
        headers += [(HEADER, session_id)] if session_id is not None else []
        result: bytes | None = None
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if sent:
                # The client is still there until the response is complete.
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal result
            if message["type"] == "http.response.start" and message["status"] < 400:
                result = next(
                    (value for name, value in message["headers"] if name.lower() == HEADER), session_id
                )

        await self._app({**scope, "method": "POST", "headers": headers}, receive, send)
        return result


def _renamed(scope: Scope, session_id: bytes) -> Scope:
    headers = [(name, value) for name, value in scope["headers"] if name.lower() != HEADER]
    return {**scope, "headers": [*headers, (HEADER, session_id)]}


def _answering(send: Send, session_id: bytes) -> Send:
    """Return a `send` whose responses name the session as its client does."""

    async def renaming(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, session_id if name.lower() == HEADER else value)
                for name, value in message.get("headers", ())
            ]
            message = {**message, "headers": headers}
        await send(message)

    return renaming
