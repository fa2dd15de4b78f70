"""McpSessions: what servers of one PostgreSQL share of sessions at /mcp."""

import time

from smoldesk.store import mcp_sessions
from smoldesk.store.store import Store


class McpSessions:
    """Sessions by their ids. Those that were not used for `idle_seconds` are unknown."""

    def __init__(self, store: Store, idle_seconds: float) -> None:
        self.idle_seconds = idle_seconds
        self._store = store

    async def add(self, session_id: str, opening: str) -> None:
        """Store a session with its opening request, as JSON."""
        seconds = self.idle_seconds
        await self._store.do(lambda tx: mcp_sessions.add_session(tx, session_id, opening, seconds))

    async def use(self, session_id: str) -> str | None:
        """Return the opening request of a session, which is used now; None for an unknown one."""
        row = await self._store.aread(lambda connection: mcp_sessions.find_session(connection, session_id))
        if row is None or row[1] < time.time() - self.idle_seconds:
            return None
        # Not at each request: a tenth of the time is exact enough.
        if row[1] < time.time() - self.idle_seconds / 10:
            await self._store.do(lambda tx: mcp_sessions.use_session(tx, session_id))
        return row[0]

    async def remove(self, session_id: str) -> None:
        """Forget a session: it is unknown to all servers from now on."""
        await self._store.do(lambda tx: mcp_sessions.remove_session(tx, session_id))

    def request_secret(self) -> str:
        """Return the secret that seals the state of calls which ask, the same for all servers. Not on the event loop."""
        return self._store.change(lambda tx: mcp_sessions.shared_secret(tx, "mcp request state"))
