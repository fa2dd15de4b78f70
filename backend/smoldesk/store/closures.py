"""Closures of a chat, kept in its log: the last event holds all of them; another building starts without any."""

from collections.abc import Callable

from sqlalchemy import Connection, select

from smoldesk.errors import Conflict
from smoldesk.events import ClosuresChanged
from smoldesk.messages import ClosureState
from smoldesk.store.chats import get_chat
from smoldesk.store.event_log import parsed
from smoldesk.store.store import Store
from smoldesk.store.tables import EventRow
from smoldesk.store.transaction import Tx

Change = Callable[[ClosureState], ClosureState]


def closures_of(connection: Connection, chat_id: str) -> ClosureState:
    """Return the closures of a chat; none for a chat that does not exist."""
    types = EventRow.type.in_(("closures_changed", "building_chosen"))
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, types)
    body = connection.execute(query.order_by(EventRow.seq.desc()).limit(1)).scalar_one_or_none()
    event = parsed(body) if body else None
    return event.state if isinstance(event, ClosuresChanged) else ClosureState()


def change_closures(tx: Tx, chat_id: str, building_id: str | None, change: Change) -> ClosureState:
    """Store the closures after a change and tell the chat's followers, unless they are the same. Return them.

    Raises NotFound, Conflict if the chat shows another building than the one the change is for, and what `change`
    raises; then nothing is stored.
    """
    tx.hold(chat_id)
    if get_chat(tx.connection, chat_id).building_id != building_id:
        raise Conflict("The chat shows another building now.", "Close or reopen parts of that one.")
    stored = closures_of(tx.connection, chat_id)
    changed = change(stored)
    if changed != stored:
        tx.append(chat_id, [ClosuresChanged(state=changed)])
    return changed


class ChatClosures:
    """Implements tools.closing.ClosureStore for one chat while it shows one building; used on runs' threads only."""

    def __init__(self, store: Store, chat_id: str, building_id: str | None) -> None:
        self._store = store
        self._chat_id = chat_id
        self._building_id = building_id

    def read(self) -> ClosureState:
        """Return the present closures."""
        return self._store.read(lambda connection: closures_of(connection, self._chat_id))

    def change(self, change: Change) -> ClosureState:
        """Apply a change and return the closures after it; it is committed then. Raises as `change_closures` does."""
        return self._store.submit(
            lambda tx: change_closures(tx, self._chat_id, self._building_id, change)
        ).result()
