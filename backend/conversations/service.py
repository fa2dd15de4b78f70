"""Conversations: the one service of this room. Wires, the page and the command line come here; the rest is its parts."""

import asyncio
import time
from collections.abc import Callable

from backend.conversations import project_rows
from backend.conversations.faults import name_of, no_such_project
from backend.conversations.passkeys import hashed, new_passkey
from backend.conversations.shapes import Kind, Member, Project
from backend.errors import BadInput
from backend.store.store import Store

Clock = Callable[[], float]


class Conversations:
    """Used on an event loop. `clock` tells the time in seconds since the epoch."""

    def __init__(self, store: Store, clock: Clock = time.time) -> None:
        self._store = store
        self._clock = clock

    # --- projects and their members -------------------------------------------------------------------------------

    async def projects(self) -> list[Project]:
        """All that were not removed, oldest first."""
        return await self._store.aread(project_rows.list_projects)

    async def create_project(self, name: str) -> Project:
        """Raises BadInput for the name, Conflict when there are too many."""
        name, now = name_of(name, "a project"), self._clock()
        return await self._store.do(lambda tx: project_rows.add_project(tx, name, now))

    async def project(self, project_id: str) -> Project:
        """Raises NotFound, also for one that was removed."""
        found = await self._store.aread(lambda connection: project_rows.list_projects(connection, project_id))
        if not found:
            raise no_such_project(project_id)
        return found[0]

    async def remove_project(self, project_id: str) -> None:
        """Close a project: nobody gets in any more, what was said in it is kept. Raises NotFound."""
        now = self._clock()
        await self._store.do(lambda tx: project_rows.mark_project_removed(tx, project_id, now))

    async def add_member(self, project_id: str, name: str, kind: Kind) -> tuple[Member, str]:
        """A new member and its passkey, which is told here and never again. Raises BadInput, NotFound, Conflict."""
        if kind not in ("ai", "human"):
            raise BadInput(f"There is no kind {kind!r}.", 'Expected "ai" or "human".', code="bad_kind")
        name, now, passkey = name_of(name, "an agent"), self._clock(), new_passkey()
        kept = await asyncio.to_thread(hashed, passkey)
        member = await self._store.do(
            lambda tx: project_rows.add_member(tx, project_id, name, kind, kept, now)
        )
        return member, passkey

    async def join_member(self, project_id: str, member_id: str) -> Member:
        """Take a member of another project into this one too; its passkey stays. Raises NotFound, Conflict."""
        now = self._clock()
        return await self._store.do(lambda tx: project_rows.join_member(tx, project_id, member_id, now))

    async def members(self, project_id: str) -> list[Member]:
        """In the order in which they joined, with those that were removed. Raises NotFound for the project."""
        await self.project(project_id)
        return await self._store.aread(lambda connection: project_rows.list_members(connection, project_id))

    async def remove_member(self, project_id: str, member_id: str) -> None:
        """Take a member out of a project; its name and words stay. Raises NotFound."""
        now = self._clock()
        await self._store.do(lambda tx: project_rows.mark_member_removed(tx, project_id, member_id, now))
