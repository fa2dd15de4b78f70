"""Audit: the service of the audit log: exports, sign-ins and wrong tries are added, and entries are read.

Changes of rows add their own entries in their own transaction (`Tx.audit`).
"""

import asyncio
import contextlib
import time

from smoldesk.errors import DeskError
from smoldesk.logs import Actor, acting, client_key, current_actor
from smoldesk.store.audit_rows import AuditAction, AuditEntry, audit_page, erase_audit_before, tally
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

DAY = 86_400.0
# Seconds between two deletions of old entries.
ERASE_SECONDS = 3600.0
# Clients with wrong tries that have a row of their own in an hour; further ones share a row.
MAX_CLIENTS = 100
OTHER_CLIENTS = "other addresses"
# Seconds that the refusal of a wrong try waits for its entry; without an answer until then, the entry is lost.
WRONG_SECONDS = 1.0


class Audit:
    """The audit log of a desk; entries are deleted after `days`."""

    def __init__(self, store: Store, days: float) -> None:
        self._store = store
        self._days = days
        self._erased_at = 0.0
        self._clients: set[str] = set()
        self._hour = 0

    async def add(
        self,
        action: AuditAction,
        object_id: str = "",
        name: str = "",
        chat_id: str | None = None,
        outcome: str = "",
        by_hour: bool = False,
    ) -> None:
        """Add an entry that belongs to no change of rows; `by_hour` counts what programs repeat. Raises DeskError if it
        cannot be stored.
        """

        def job(tx: Tx) -> None:
            self._erase_old(tx)
            if by_hour:
                tally(tx, action, object_id, name, chat_id, outcome)
            else:
                tx.audit(action, object_id, name, chat_id, outcome)

        await self._store.do(job)

    async def add_wrong(self, action: AuditAction, address: str, count: int, object_id: str = "") -> None:
        """Count wrong tries of a client. A database that does not answer within WRONG_SECONDS loses them."""
        actor = Actor("unknown", self._client(client_key(address)), current_actor.get().wire)

        def job(tx: Tx) -> None:
            self._erase_old(tx)
            tally(tx, action, object_id if actor.address != OTHER_CLIENTS else "", count=count)

        with acting(actor), contextlib.suppress(DeskError, TimeoutError):
            async with asyncio.timeout(WRONG_SECONDS):
                await self._store.do(job)

    async def page(
        self, before: int | None = None, limit: int = 200, since: float = 0.0, chat_id: str | None = None
    ) -> list[AuditEntry]:
        """Return entries, newest first; see `audit_page`."""
        return await self._store.aread(
            lambda connection: audit_page(connection, before, limit, since, chat_id)
        )

    async def erase_expired(self) -> None:
        """Delete entries that are too old."""
        await self._store.do(self._erase_old)

    def _erase_old(self, tx: Tx) -> None:
        if self._days and tx.now - self._erased_at >= ERASE_SECONDS:
            self._erased_at = tx.now
            erase_audit_before(tx, tx.now - self._days * DAY)

    def _client(self, client: str) -> str:
        """Return the name under which a client is counted: one that changes its address must not fill the disk."""
        hour = int(time.time() // 3600)
        if hour != self._hour:
            self._hour = hour
            self._clients.clear()
        if client not in self._clients and len(self._clients) >= MAX_CLIENTS:
            return OTHER_CLIENTS
        self._clients.add(client)
        return client
