"""Sessions of browsers: a signed cookie named by port, the key that goes with it, and links that expire.

Browsers send cookies to every port of a host, so another server there sees ours. The cookie alone therefore opens only
what is no secret. Everything else also needs the key, which the page keeps in its origin's storage and no browser sends by
itself, or a link for one address, which the key's holder gets for what a browser loads without headers.

The signing key is made of a random secret in the database and the desk's token: who sees a cookie cannot try tokens on it
offline, and another token ends all sessions. Servers on one database accept each other's sessions.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from pydantic import SecretStr

from smoldesk.chats import BrowserSessions
from smoldesk.errors import DeskError

# How long a link opens its address.
LINK_SECONDS = 300
# After so long, a server of several looks whether another one signed sessions out.
READ_AGAIN_SECONDS = 5.0
# Held the token itself before 2.0; every port of the host saw it, so it is deleted wherever it comes.
OLD_COOKIE = "smoldesk_token"


@dataclass(frozen=True)
class Session:
    """One browser's session, as its cookie says. `signing` is the key it was signed with; times are of the epoch."""

    id: str
    port: str
    expires: int
    signing: bytes

    @property
    def key(self) -> str:
        """What the page sends along with the cookie."""
        return _sign(self.signing, "key", self.port, self.id)

    def link(self, address: str, now: float) -> str:
        """Return the address (path and query) with a signature, by which this session alone may GET it for a while."""
        expires = str(min(int(now) + LINK_SECONDS, self.expires))
        return f"{address}{'&' if '?' in address else '?'}link={expires}.{self._link_mac(address, expires)}"

    def accepts_link(self, link: str, path: str, query: bytes, now: float) -> bool:
        """Return whether a link is of this session and this address, and has not expired."""
        expires, _, mac = link.partition(".")
        if not (expires.isascii() and expires.isdigit() and len(expires) <= 12 and now < int(expires)):
            return False
        address = f"{path}?{query.decode('latin-1')}" if query else path
        return matches(mac, self._link_mac(address, expires, decoded=True))

    def _link_mac(self, address: str, expires: str, decoded: bool = False) -> str:
        path, _, query = address.partition("?")
        return _sign(
            self.signing, "link", self.port, self.id, expires, path if decoded else unquote(path), query
        )


class SessionsUnreadable(Exception):
    """The database does not answer: nobody can say which sessions are valid, or end one."""


class Sessions:
    """Issues and checks sessions of one desk. Without `stored` they end with the server."""

    def __init__(
        self, token: SecretStr | None, seconds: float, stored: BrowserSessions | None = None
    ) -> None:
        self._token = token.get_secret_value() if token is not None else ""
        self._seconds = int(seconds)
        self._stored = stored
        self._signing = self._signing_key(secrets.token_hex(32))
        self._signed_out: frozenset[str] = frozenset()
        self._read_at: float | None = None
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()

    async def issue(self, port: str) -> Session:
        """Make a session for the port that a browser reached the desk at."""
        await self.refresh()
        return Session(secrets.token_urlsafe(16), port, int(time.time()) + self._seconds, self._signing)

    def cookie(self, session: Session, secure: bool) -> str:
        """Return the Set-Cookie value of a session. Lax: a link with the token may stand on another site's page."""
        created = str(session.expires - self._seconds)
        mac = _sign(session.signing, "cookie", session.port, session.id, created, str(session.expires))
        value = f"{session.id}.{created}.{session.expires}.{mac}"
        return _set_cookie(cookie_name(session.port), value, self._seconds, secure)

    async def find(self, cookies: list[tuple[str, str]], port: str) -> Session | None:
        """Return the session of the first cookie that is valid at this port; a stranger on the host can add others."""
        name = cookie_name(port)
        values = [value for key, value in cookies if key == name]
        if values:
            await self.refresh()
        return next((session for value in values if (session := self._read(value, port))), None)

    async def sign_out(self, session: Session) -> None:
        """End one session, at every server of the database. Raises SessionsUnreadable."""
        self._signed_out |= {session.id}
        if self._stored is not None:
            await _translate_faults(self._stored.sign_out(session.id, session.expires))
        self._wake()

    async def sign_out_all(self) -> None:
        """End all sessions, at every server of the database. Raises SessionsUnreadable."""
        if self._stored is not None:
            await _translate_faults(self._stored.sign_out_all())
            self._read_at = None
            await self.refresh()
        else:
            self._signing = self._signing_key(secrets.token_hex(32))
        self._wake()

    async def wait_until_ended(self, session: Session) -> None:
        """Return when the session has expired or was signed out."""
        while self._is_valid(session):
            changed = self._changed
            remaining = session.expires - time.time()
            is_shared = self._stored is not None and self._stored.is_shared
            seconds = min(remaining, READ_AGAIN_SECONDS) if is_shared else remaining
            try:
                await asyncio.wait_for(changed.wait(), max(seconds, 0.01))
            except TimeoutError:
                await self.refresh()

    async def refresh(self) -> None:
        """Read the secret and the signed out sessions: once, or now and then where other servers may change them.

        Raises SessionsUnreadable if they could not be read even once.
        """
        stored = self._stored
        if stored is None or not self._is_stale(stored):
            return
        async with self._lock:
            if self._is_stale(stored):
                try:
                    secret, self._signed_out = await stored.read()
                    self._signing = self._signing_key(secret)
                except DeskError:  # what was read before holds meanwhile
                    if self._read_at is None:
                        raise SessionsUnreadable from None
                self._read_at = time.monotonic()

    def _is_stale(self, stored: BrowserSessions) -> bool:
        return self._read_at is None or (
            stored.is_shared and time.monotonic() - self._read_at > READ_AGAIN_SECONDS
        )

    def _read(self, value: str, port: str) -> Session | None:
        session_id, created, expires, mac = value.split(".") if value.count(".") == 3 else [""] * 4
        if not matches(mac, _sign(self._signing, "cookie", port, session_id, created, expires)):
            return None
        # a shorter SMOLDESK_SESSION_SECONDS holds for sessions that there are
        session = Session(session_id, port, min(int(expires), int(created) + self._seconds), self._signing)
        return session if self._is_valid(session) else None

    def _is_valid(self, session: Session) -> bool:
        is_current = hmac.compare_digest(session.signing, self._signing)
        return is_current and session.id not in self._signed_out and time.time() < session.expires

    def _signing_key(self, secret: str) -> bytes:
        return hmac.digest(secret.encode(), b"smoldesk sessions\0" + self._token.encode(), hashlib.sha256)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


async def _translate_faults(change: Coroutine[Any, Any, None]) -> None:
    try:
        await change
    except DeskError:
        raise SessionsUnreadable from None


def cookie_name(port: str) -> str:
    """Return the name of the cookie of the desk at this port: several desks of a host leave each other's alone."""
    return f"smoldesk_session_{port}"


def deleted_cookie(name: str, secure: bool = False) -> str:
    """Return the Set-Cookie value that makes a browser forget a cookie."""
    return _set_cookie(name, "", 0, secure)


def matches(candidate: str, expected: str) -> bool:
    """Compare in constant time, also text that is not ASCII."""
    return hmac.compare_digest(candidate.encode("utf-8", "surrogateescape"), expected.encode())


def _set_cookie(name: str, value: str, seconds: int, secure: bool) -> str:
    attributes = f"Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return f"{name}={value}; {attributes}"


def _sign(key: bytes, *parts: str) -> str:
    # each part with its length: no two lists of parts are the same bytes
    text = b"".join(
        b"%d:%s" % (len(part), part) for value in parts for part in [value.encode("utf-8", "replace")]
    )
    return base64.urlsafe_b64encode(hmac.digest(key, text, hashlib.sha256)).decode().rstrip("=")
