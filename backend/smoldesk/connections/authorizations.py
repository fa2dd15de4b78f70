"""Authorizations of the desk at MCP servers (OAuth) that wait for a person's browser, at any server of the desk."""

import asyncio
import json
import logging
from dataclasses import asdict, dataclass

from smoldesk.errors import NotFound
from smoldesk.store.postgres import LISTS
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.store import Store
from smoldesk.store.tickets import give_ticket, has_ticket, take_ticket
from smoldesk.store.transaction import Tx
from smoldesk.tools.mcp_servers import McpServers

log = logging.getLogger(__name__)

# Kinds of tickets: a page that a person opened, and what its browser brought back to another server.
PAGE, ANSWER = "authorization page", "authorization answer"
# Longer than AUTH_SECONDS of authorization.py, which is imported only when needed.
PAGE_SECONDS = 330.0


@dataclass(frozen=True)
class CallbackAnswer:
    """Parameters with which OAuth's page sends a browser back."""

    code: str
    state: str
    iss: str | None
    error: str | None


class Authorizations:
    """Pages that people opened, and the answers with which their browsers come back."""

    def __init__(self, store: Store, seal: Seal, servers: McpServers) -> None:
        self._store = store
        self._seal = seal
        self._servers = servers

    def expect(self, name: str, state: str) -> None:
        """Accept one answer with this `state` for a server. Not on the event loop."""
        self._store.change(lambda tx: give_ticket(tx, PAGE, name, PAGE_SECONDS, state))

    async def come_back(self, code: str, state: str, iss: str | None, error: str | None) -> str:
        """Finish an authorization in the browser and return the server's name. Raises NotFound for an unknown state.

        The browser may come back to another server of the desk than the one that waits for it: the answer is then left
        for that one, which alone has the verifier of the code (PKCE).
        """
        # Anyone may come here with any `state`: only one that a person was given costs a write.
        is_known = bool(state) and await self._store.aread(lambda c: has_ticket(c, PAGE, state))
        name = await self._store.do(lambda tx: take_ticket(tx, PAGE, state)) if is_known else None
        answer = CallbackAnswer(code, state, iss, error)
        is_done = name is not None and self._finish(answer)
        if name is None or not (is_done or self._store.shared):
            raise NotFound("This authorisation is unknown or has expired.", "Start again under MCP servers.")
        if not is_done:
            sealed = await asyncio.to_thread(self._seal.seal, json.dumps(asdict(answer)))

            def leave(tx: Tx) -> None:
                give_ticket(tx, ANSWER, sealed, PAGE_SECONDS, state)
                tx.touched.add(LISTS)

            await self._store.do(leave)
        return name

    def _finish(self, answer: CallbackAnswer) -> bool:
        """Pass an answer on to the authorization that waits for it; return whether it is one of this server."""
        for server in self._servers.all():
            authorization = server.authorization
            if authorization is not None and authorization.state == answer.state:
                authorization.come_back(answer.code, answer.state, answer.iss, answer.error)
                return True
        return False

    def take_answers(self) -> None:
        """Take the answers that browsers brought to other servers."""
        pending = [server.authorization for server in self._servers.all() if server.authorization]
        for state in [authorization.state for authorization in pending]:
            if state is None:
                continue
            sealed = self._store.change(lambda tx, state=state: take_ticket(tx, ANSWER, state))
            try:
                if sealed is not None:
                    self._finish(CallbackAnswer(**json.loads(self._seal.unseal(sealed))))
            except CannotUnseal:
                log.warning("a server with another key file took the answer to an authorization")
