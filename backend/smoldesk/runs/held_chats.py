"""Chats that this server holds, of those that several servers on one database share: it works on them or has their variables.

Other servers leave messages for such a chat to this one, as this one does with theirs. A desk on SQLite is alone.
"""

import threading
from collections.abc import Callable, Collection

from sqlalchemy import Connection

from smoldesk.runs.worker import Agents
from smoldesk.sandbox.losses import loss
from smoldesk.store import heartbeats, run_rows
from smoldesk.store.store import Store


class HeldChats:
    """Used from any thread; `server` names this one in rows, `silence` tells when another one counts as dead."""

    def __init__(self, store: Store, agents: Agents, server: str, silence: Callable[[], float]) -> None:
        self._store = store
        self._agents = agents
        self._server = server
        self._silence = silence
        self._lock = threading.Lock()
        self._chats: set[str] = set()

    def add(self, chat_id: str) -> None:
        """Note a chat that this server has claimed a run of."""
        if self._store.shared:
            with self._lock:
                self._chats.add(chat_id)

    def discard(self, chat_ids: Collection[str]) -> None:
        """Forget chats that this server holds no longer."""
        with self._lock:
            self._chats.difference_update(chat_ids)

    def idle(self, active: Collection[str]) -> list[str]:
        """Return the chats that nothing is here of any more, but for the `active` ones."""
        with self._lock:
            chat_ids = self._chats.difference(active)
        return [chat_id for chat_id in chat_ids if not self._agents.holds(chat_id)]

    def with_queue(self, chat_ids: Collection[str]) -> set[str]:
        """Return those of these chats that are held and have a run that waits to be started."""
        with self._lock:
            held = self._chats.intersection(chat_ids)
        return (
            self._store.read(lambda connection: run_rows.with_queue(connection, held), snapshot=False)
            if held
            else held
        )

    def is_left_to_another(self, chat_id: str) -> bool:
        """Return whether a living server holds the chat. It has heard of the message, and has the chat's variables.

        If another server was the last to work on the chat, the variables of the child here are stale: they are dropped.
        """
        if not self._store.shared:
            return False
        silence = self._silence()

        def look(connection: Connection) -> tuple[str | None, bool]:
            holder = run_rows.holder_of(connection, chat_id)
            return holder.owner, heartbeats.is_held_elsewhere(connection, holder, self._server, silence)

        owner, is_elsewhere = self._store.read(look, snapshot=False)
        if not run_rows.same_server(owner, self._server):
            self._agents.drop(chat_id, loss("moved"))
        return is_elsewhere
