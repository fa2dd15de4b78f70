"""The rooms a person selected on the map of a chat: kept in its row, told by an event, taken along by a run that starts."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select, update

from smoldesk.events import RoomsSelected
from smoldesk.messages import RoomRef
from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.chats import get_chat
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow
from smoldesk.store.transaction import Tx

MOST_SELECTED = 500
"""Rooms one selection may have."""
_SELECTION = CompiledStatement(select(ChatRow.selection).where(ChatRow.id == bindparam("chat")))


def selection_of(connection: Connection, chat_id: str) -> list[RoomRef]:
    """What is selected in a chat now; empty for a chat that is not there."""
    text = _SELECTION.value(connection, {"chat": chat_id})
    return [RoomRef.model_validate(room) for room in json.loads(text)] if text else []


def select_rooms(tx: Tx, chat_id: str, rooms: Sequence[RoomRef]) -> None:
    """Have these rooms selected, and no others, and tell the chat's followers; the same again says nothing. Raises NotFound."""
    tx.hold(chat_id)
    get_chat(tx.connection, chat_id)
    wanted = list(dict.fromkeys(rooms))
    if wanted == selection_of(tx.connection, chat_id):
        return
    text = (
        json.dumps(without_surrogates([room.model_dump(mode="json") for room in wanted])) if wanted else None
    )
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(selection=text))
    tx.append(chat_id, [RoomsSelected(rooms=wanted)])


def note_of(rooms: Sequence[RoomRef]) -> str:
    """What a model is told of a selection; the built-in analyst reads the rooms back from it."""
    return f"the person selected these rooms: {', '.join(f'{room.name} ({room.floor_id})' for room in rooms)}"
