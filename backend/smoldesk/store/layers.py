"""Rows of live layers and of the frames of their history, and the layer that a chat shows."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, text

from smoldesk.errors import Conflict
from smoldesk.events import LayerShown
from smoldesk.store.chats import get_chat
from smoldesk.store.event_log import parsed
from smoldesk.store.postgres import is_postgres
from smoldesk.store.tables import EventRow, LayerFrameRow, LayerRow
from smoldesk.store.transaction import Tx

# Maximum layers of one chat.
MOST = 20
# Key of the advisory lock under which layers of agents.toml are made.
LAYERS_LOCK = 0x6C617972


@dataclass(frozen=True)
class StoredLayer:
    """One layer; without `chat_id` it is one of agents.toml."""

    id: str
    chat_id: str | None
    name: str
    building_id: str | None
    title: str
    unit: str


_COLUMNS = (LayerRow.id, LayerRow.chat_id, LayerRow.name, LayerRow.building_id, LayerRow.title, LayerRow.unit)


def layers_of(connection: Connection, chat_id: str | None) -> list[StoredLayer]:
    """Return the layers of a chat, oldest first; those of agents.toml for None."""
    of = LayerRow.chat_id.is_(None) if chat_id is None else LayerRow.chat_id == chat_id
    query = select(*_COLUMNS).where(of).order_by(LayerRow.created_at, LayerRow.name)
    return [StoredLayer(*row) for row in connection.execute(query)]


def chats_with_layers(connection: Connection) -> set[str]:
    """Return the chats that have layers of their own."""
    query = select(LayerRow.chat_id).where(LayerRow.chat_id.is_not(None)).distinct()
    return {chat_id for chat_id in connection.execute(query).scalars() if chat_id is not None}


def ensure_layer(
    tx: Tx, chat_id: str | None, name: str, building_id: str | None, title: str, unit: str
) -> StoredLayer:
    """Return the layer of this name, made if there is none. Raises NotFound, Conflict for too many and another building."""
    if chat_id is not None:
        tx.hold(chat_id)
        get_chat(tx.connection, chat_id)
    elif is_postgres(tx.connection.engine):
        # Of servers that start together one makes the layer of agents.toml.
        tx.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LAYERS_LOCK})
    stored = layers_of(tx.connection, chat_id)
    for layer in stored:
        if layer.name == name and layer.building_id == building_id:
            return layer
        if layer.name == name and chat_id is not None:
            raise Conflict(
                f"The layer {name!r} has rooms of another building than the one that the chat shows.",
                "Delete the layer, or choose another name.",
                code="other_building",
            )
        if layer.name == name:  # agents.toml names another building now
            tx.execute(delete(LayerRow).where(LayerRow.id == layer.id))
    if chat_id is not None and len(stored) >= MOST:
        raise Conflict(
            "The limit of layers is reached.", f"At most {MOST}: delete one.", code="too_many_layers"
        )
    layer = StoredLayer(uuid4().hex, chat_id, name, building_id, title, unit)
    tx.execute(insert(LayerRow), {**vars(layer), "created_at": tx.now})
    return layer


def remove_layer(tx: Tx, chat_id: str, name: str) -> bool:
    """Delete a layer of a chat with its history; False when there is none."""
    gone = delete(LayerRow).where(LayerRow.chat_id == chat_id, LayerRow.name == name).returning(LayerRow.id)
    return tx.execute(gone).first() is not None


def save_frames(tx: Tx, layer_id: str, frames: Mapping[int, str], start: int) -> None:
    """Store frames by their starts, and delete those before `start`. Raises an IntegrityError without the layer.

    Another server may have stored values of other rooms in these frames: they stay.
    """
    if is_postgres(tx.connection.engine):
        tx.execute(select(LayerRow.id).where(LayerRow.id == layer_id).with_for_update(key_share=True))
        stored = select(LayerFrameRow.at, LayerFrameRow.body).where(
            LayerFrameRow.layer_id == layer_id, LayerFrameRow.at.in_([*frames])
        )
        stored_bodies: dict[int, str] = dict(tx.execute(stored).all())
        frames = {at: merged_frames(stored_bodies.get(at, "{}"), body) for at, body in frames.items()}
    gone = (LayerFrameRow.at < start) | LayerFrameRow.at.in_([*frames])
    tx.execute(delete(LayerFrameRow).where(LayerFrameRow.layer_id == layer_id, gone))
    rows = [{"layer_id": layer_id, "at": at, "body": body} for at, body in frames.items()]
    if rows:
        tx.execute(insert(LayerFrameRow), rows)


def merged_frames(first: str, second: str) -> str:
    """Return a frame with the values of two frames of the same start; of a room in both the later value counts."""
    merged: dict[str, dict[str, tuple[float, float]]] = json.loads(first)
    floors: Mapping[str, Mapping[str, tuple[float, float]]] = json.loads(second)
    for floor, rooms in floors.items():
        values = merged.setdefault(floor, {})
        for room, value in rooms.items():
            if room not in values or values[room][0] <= value[0]:
                values[room] = value
    return json.dumps(merged, ensure_ascii=False, separators=(",", ":"))


def stored_frames(connection: Connection, layer_id: str) -> list[tuple[int, str]]:
    """Return the frames of a layer's history by their starts, the oldest first."""
    query = select(LayerFrameRow.at, LayerFrameRow.body).where(LayerFrameRow.layer_id == layer_id)
    return [(at, body) for at, body in connection.execute(query.order_by(LayerFrameRow.at))]


def current_layer(connection: Connection, chat_id: str) -> str | None:
    """Return the layer that the chat's map shows; None for none."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.type == "layer_shown")
    body = connection.execute(query.order_by(EventRow.seq.desc()).limit(1)).scalar_one_or_none()
    event = parsed(body) if body else None
    return event.layer if isinstance(event, LayerShown) else None


def newest_frames(connection: Connection, layer_id: str) -> Iterator[str]:
    """Yield the frames of a layer's history, the newest first."""
    query = select(LayerFrameRow.body).where(LayerFrameRow.layer_id == layer_id)
    yield from connection.execute(query.order_by(LayerFrameRow.at.desc())).scalars()
