"""OAuth for servers at an address, by the SDK's provider: a person opens the server's page and authorizes the desk.

Without a person no authorization starts, and the server is listed as one that needs it. Tokens are stored sealed.
"""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, SecretStr, ValidationError

from smoldesk.logs import DESK, Actor, hide_from_now_on
from smoldesk.tools.mcp_servers.entries import CALLBACK
from smoldesk.tools.mcp_servers.failures import McpFailed, NotAuthorized

# Time limit for a person in the browser, who may never return.
AUTH_SECONDS = 300.0
AFTER_SECONDS = 20.0
SECRETS = ("access_token", "refresh_token", "id_token", "client_secret", "registration_access_token")
WANTED = "It wants a person to let the desk in."


class TokenStore(Protocol):
    """Storage of servers' tokens; both methods may read a database, and run on a server's own thread."""

    def tokens(self, server: str) -> str | None: ...
    def keep_tokens(self, server: str, tokens: str, authorized_by: Actor | None = None) -> None: ...


class _Storage:
    """Implements the SDK's TokenStorage for one server: JSON of tokens and of the client that the desk is there."""

    def __init__(self, token_store: TokenStore, server: str, redirect: str | None) -> None:
        self._token_store = token_store
        self._server = server
        self._redirect = redirect
        self.authorized_by: Actor | None = None
        """Who opened the page from which a browser came back; the next tokens are theirs."""

    def read(self) -> dict[str, Any]:
        try:
            stored = json.loads(self._token_store.tokens(self._server) or "{}")
        except ValueError:
            return {}
        self._hide(stored)
        return stored

    async def get_tokens(self) -> OAuthToken | None:
        with contextlib.suppress(ValidationError):
            tokens = self.read().get("tokens")
            return OAuthToken.model_validate(tokens) if tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        authorized_by, self.authorized_by = (
            self.authorized_by,
            None,
        )  # later ones are renewals, without a person
        self._write("tokens", tokens.model_dump(mode="json"), authorized_by)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """None for a client registered at an earlier address of the desk: its browser would be sent back there."""
        with contextlib.suppress(ValidationError):
            client = self.read().get("client")
            if client and self._redirect in (None, *(client.get("redirect_uris") or ())):
                return OAuthClientInformationFull.model_validate(client)
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._write("client", client_info.model_dump(mode="json"))

    def _write(self, key: str, value: Any, authorized_by: Actor | None = None) -> None:
        self._hide({key: value})
        self._token_store.keep_tokens(self._server, json.dumps(self.read() | {key: value}), authorized_by)

    def _hide(self, stored: dict[str, Any]) -> None:
        """Hide them in logs, stored prompts and messages."""
        for part in stored.values():
            for name in SECRETS:
                hide_from_now_on(SecretStr(str(part.get(name) or "")), f"{name} of {self._server}")


class _Nobody(httpx2.Auth):
    """Authentication without tokens and without a person: records that the server wants one."""

    def __init__(self, authorization: "Authorization") -> None:
        self._authorization = authorization

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        response = yield request
        if response.status_code == 401:
            self._authorization.problem = WANTED


class Authorization:
    """Authorization of one server. `base` is the desk's own address while a person can open a page."""

    def __init__(self, token_store: TokenStore, server: str, url: str) -> None:
        self.base: str | None = None
        self.page = ""
        """What the person is to open."""
        self.problem = ""
        """Why the desk is not authorized: a person is required, or refused it."""
        self.opened = threading.Event()
        self.opened_by = DESK
        """Who asked for the page: the browser that comes back from it shows no credential."""
        self._token_store = token_store
        self._server = server
        self._url = url
        self._loop: asyncio.AbstractEventLoop | None = None
        self._came: asyncio.Future[AuthorizationCodeResult] | None = None
        self._extend: Any = None

    def begin(self, base: str | None) -> None:
        """Reset for a new start of the server, with or without a person."""
        self.base, self.page, self.problem = base, "", ""
        self.opened.clear()

    def make(self, extend: Any) -> httpx2.Auth:
        """Return httpx2's Auth for a new connection; `extend` changes the seconds until its start times out."""
        redirect = f"{self.base}{CALLBACK}" if self.base else None
        storage = _Storage(self._token_store, self._server, redirect)
        # With tokens no person is needed: the SDK's provider refreshes them by itself.
        if redirect is None and "tokens" not in storage.read():
            return _Nobody(self)
        self._loop = asyncio.get_running_loop()
        self._extend = extend
        client: dict[str, Any] = storage.read().get("client") or {}
        # OAuthClientMetadata requires an address, even if only tokens are refreshed and no page is opened.
        redirect_uris: list[str] = client.get("redirect_uris") or ["http://127.0.0.1"]
        metadata = OAuthClientMetadata(
            client_name="smoldesk",
            redirect_uris=[AnyUrl(redirect or redirect_uris[0])],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
        )
        return OAuthClientProvider(self._url, metadata, storage, self._open, partial(self._wait, storage))

    async def _open(self, page: str) -> None:
        # The server chooses the page: a `javascript:` address must not reach a person's browser.
        if self.base is None or urlsplit(page).scheme not in ("http", "https"):
            self.problem = WANTED
            self._extend(0)  # otherwise the SDK's caller waits forever
            raise NotAuthorized(WANTED)
        # Before `page` is set: from then on `come_back` may be called, on another thread.
        self._came = asyncio.get_running_loop().create_future()
        # Longer than the wait in `_wait`, so that its error comes first.
        self._extend(AUTH_SECONDS + 30)
        self.page = page
        self.opened.set()

    async def _wait(self, storage: _Storage) -> AuthorizationCodeResult:
        assert self._came is not None
        try:
            result = await asyncio.wait_for(self._came, AUTH_SECONDS)
            storage.authorized_by = self.opened_by
            return result
        except TimeoutError:
            self.problem = f"The authorization was not finished in the browser within {AUTH_SECONDS:g} s."
            raise McpFailed(self.problem) from None
        except McpFailed as fault:
            self.problem = fault.message
            raise
        finally:
            self.page = ""
            self._extend(0 if self.problem else AFTER_SECONDS)

    @property
    def state(self) -> str | None:
        """OAuth's `state`, by which a response of the browser is matched to this request."""
        states = parse_qs(urlsplit(self.page).query).get("state") if self.page else None
        return states[0] if states else None

    def come_back(self, code: str, state: str, iss: str | None, error: str | None) -> None:
        """Pass on the result of the browser page, on any thread."""
        # Without a page there is no `state`, so a second response of the browser matches nothing.
        came, loop, self.page = self._came, self._loop, ""
        if came is None or loop is None:
            return

        def settle() -> None:
            # The wait may have timed out while this call was on its way to the loop.
            if came.done():
                return
            if error or not code:
                came.set_exception(
                    McpFailed(f"The desk was not authorised: {(error or 'no code came')[:200]}.")
                )
            else:
                came.set_result(AuthorizationCodeResult(code=code, state=state, iss=iss))

        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)
