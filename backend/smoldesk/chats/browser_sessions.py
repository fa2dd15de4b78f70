"""BrowserSessions: what is stored of browsers' sessions. How they are signed and checked is in wires/security/sessions.py."""

from smoldesk.store.browser_sessions import read_sessions, sign_out, sign_out_all
from smoldesk.store.store import Store


class BrowserSessions:
    """The secret and the signed out sessions. All raise DeskError("store_fault") when the database fails."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.is_shared = store.shared
        """Whether other servers may change them."""

    async def read(self) -> tuple[str, frozenset[str]]:
        """Return the secret and the ids of sessions that were signed out."""
        return await self._store.aread(read_sessions)

    async def sign_out(self, session_id: str, until: float) -> None:
        """Add a session to the signed out ones, until it would have expired."""
        await self._store.do(lambda tx: sign_out(tx, session_id, until))

    async def sign_out_all(self) -> None:
        """Replace the secret: nothing that was signed before is valid any more."""
        await self._store.do(sign_out_all)
