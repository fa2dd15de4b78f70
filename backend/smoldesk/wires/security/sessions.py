"""Browser sessions: a signed cookie named by port, its key, and links that expire.

Browsers send cookies to every port of a host, so other servers on the host see them. The cookie alone therefore opens only
public files. Everything else also needs the key, which the page keeps in its origin's storage and sends in a header, or a
signed link for one address, which the page requests for images and downloads that the browser loads without headers.

The signing key combines a random secret in the database with the desk's token: a cookie cannot be used to test tokens
offline, and a new token ends all sessions. Servers with the same database accept each other's sessions.
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

# Seconds that a link is valid.
LINK_SECONDS = 300
# Interval at which each of several servers reads the sign-outs of the others.
READ_AGAIN_SECONDS = 5.0
# Contained the token itself before 2.0, readable on every port of the host, so it is deleted from every browser.
OLD_COOKIE = "smoldesk_token"


@dataclass(frozen=True)
class Session:
    """Session of one browser, from its cookie. `signing` is its signing key; times are seconds since the epoch."""

    id: str
    port: str
    expires: int
    signing: bytes

    @property
    def name(self) -> str:
        """Name in the audit log: a part of the id, which opens nothing without its signature."""
        return f"browser {self.id[:8]}"

    @property
    def key(self) -> str:
        """Key that the page sends with the cookie."""
        return _sign(self.signing, "key", self.port, self.id)

    def link(self, address: str, now: float) -> str:
        """Return the address (path and query) with a signature that lets this session GET it for LINK_SECONDS."""
        expires = str(min(int(now) + LINK_SECONDS, self.expires))
        return f"{address}{'&' if '?' in address else '?'}link={expires}.{self._link_mac(address, expires)}"

    def accepts_link(self, link: str, path: str, query: bytes, now: float) -> bool:
        """Return whether a link was signed by this session for this address and has not expired."""
        expires, _, mac = link.partition(".")
        if not (expires.isascii() and expires.isdigit() and len(expires) <= 12 and now < int(expires)):
            return False
        address = f"{path}?{query.decode('latin-1')}" if query else path
        return matches(mac, self._link_mac(address, expires, decoded=True))

    def _link_mac(self, address: str, expires: str, decoded: bool = False) -> str:
        path, _, query = address.partition("?")
        return _sign(
            # ASGI servers decode the path, so the signature covers the decoded form.
            self.signing,
            "link",
            self.port,
            self.id,
            expires,
            path if decoded else unquote(path),
            query,
        )


class SessionsUnreadable(Exception):
    """The database does not answer, so sessions cannot be verified or ended."""


class Sessions:
    """Issuer and verifier of one desk's sessions. Without `stored` they end with the server."""

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
        """Create a session for the port at which the browser reached the desk."""
        await self.refresh()
        return Session(secrets.token_urlsafe(16), port, int(time.time()) + self._seconds, self._signing)

    def cookie(self, session: Session, secure: bool) -> str:
        """Return the Set-Cookie value of a session. SameSite is Lax, so that a link on another site opens the desk."""
        created = str(session.expires - self._seconds)
        mac = _sign(session.signing, "cookie", session.port, session.id, created, str(session.expires))
        value = f"{session.id}.{created}.{session.expires}.{mac}"
        return _set_cookie(cookie_name(session.port), value, self._seconds, secure)

    async def find(self, cookies: list[tuple[str, str]], port: str) -> Session | None:
        """Return the session of the first valid cookie for this port, or None. Other servers on the host can add cookies."""
        name = cookie_name(port)
        values = [value for key, value in cookies if key == name]
        if values:
            await self.refresh()
        return next((session for value in values if (session := self._read(value, port))), None)

    async def sign_out(self, session: Session) -> None:
        """End one session on every server of the database. Raises SessionsUnreadable."""
        self._signed_out |= {session.id}
        if self._stored is not None:
            await _translate_faults(self._stored.sign_out(session.id, session.expires))
        self._wake()

    async def sign_out_all(self) -> None:
        """End all sessions on every server of the database. Raises SessionsUnreadable."""
        if self._stored is not None:
            await _translate_faults(self._stored.sign_out_all())
            self._read_at = None
            await self.refresh()
        else:
            self._signing = self._signing_key(secrets.token_hex(32))
        self._wake()

    async def wait_until_ended(self, session: Session) -> None:
        """Wait until the session has expired or was signed out."""
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
        """Read the secret and the sign-outs: once, or every READ_AGAIN_SECONDS if the database is shared.

        Raises SessionsUnreadable if the first read fails.
        """
        stored = self._stored
        if stored is None or not self._is_stale(stored):
            return
        # Checked again inside the lock: the first of several waiting requests has read by then.
        async with self._lock:
            if self._is_stale(stored):
                try:
                    secret, self._signed_out = await stored.read()
                    self._signing = self._signing_key(secret)
                except DeskError:  # an earlier read stays valid until the database answers again
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
        # A lowered SMOLDESK_SESSION_SECONDS also shortens existing sessions.
        session = Session(session_id, port, min(int(expires), int(created) + self._seconds), self._signing)
        return session if self._is_valid(session) else None

    def _is_valid(self, session: Session) -> bool:
        # After sign_out_all the secret changes, so sessions signed with the old one end.
        is_current = hmac.compare_digest(session.signing, self._signing)
        return is_current and session.id not in self._signed_out and time.time() < session.expires

    def _signing_key(self, secret: str) -> bytes:
        return hmac.digest(secret.encode(), b"smoldesk sessions\0" + self._token.encode(), hashlib.sha256)

    def _wake(self) -> None:
        # A new event for later waits: clearing the old one could hide the change from a waiter.
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


async def _translate_faults(change: Coroutine[Any, Any, None]) -> None:
    try:
        await change
    except DeskError:
        raise SessionsUnreadable from None


def cookie_name(port: str) -> str:
    """Return the cookie's name, which contains the port: desks on one host must not overwrite each other's."""
    return f"smoldesk_session_{port}"


def deleted_cookie(name: str, secure: bool = False) -> str:
    """Return the Set-Cookie value that deletes a cookie."""
    return _set_cookie(name, "", 0, secure)


def matches(candidate: str, expected: str) -> bool:
    """Compare in constant time. hmac.compare_digest takes only ASCII strings, so both are encoded."""
    return hmac.compare_digest(candidate.encode("utf-8", "surrogateescape"), expected.encode())


def _set_cookie(name: str, value: str, seconds: int, secure: bool) -> str:
    attributes = f"Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return f"{name}={value}; {attributes}"


def _sign(key: bytes, *parts: str) -> str:
    # Length prefixes make the encoding unambiguous: two lists of parts never give the same bytes.
    text = b"".join(
        b"%d:%s" % (len(part), part) for value in parts for part in [value.encode("utf-8", "replace")]
    )
    return base64.urlsafe_b64encode(hmac.digest(key, text, hashlib.sha256)).decode().rstrip("=")
