"""Live layers of a desk's chats: values are added, stored in batches (layer_batches.py), and followed by pages.

Readings that wait are merged by room and frame, so a flood costs memory for one value each. The log has only which layer a
chat shows: values are in rows of their own (store/layers.py), as many as the history has.
"""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from smoldesk.buildings.building import Building
from smoldesk.buildings.layers.entries import LayerEntry
from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.layers.painted import picture_of, values_since
from smoldesk.buildings.layers.room_names import MAX_LISTED
from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.chats.buildings import Buildings
from smoldesk.chats.layer_batches import LayerBatches
from smoldesk.chats.layer_memory import Key, LayerInMemory, LayerMemory
from smoldesk.errors import Conflict, NotFound
from smoldesk.events import LayerShown
from smoldesk.messages import LayerStatus, LayerValuesContent, MapContent
from smoldesk.messages.layers import LayerState
from smoldesk.store import layers as rows
from smoldesk.store.chats import get_chat
from smoldesk.store.layers import StoredLayer
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.store.wakers import Waker

# Maximum values of a layer that wait for the next batch.
MAX_PENDING = 40_000

# How far a page has read: the generation of the layer in memory, and the version of its history.
ReadPosition = tuple[int, int]
BEFORE_ALL: ReadPosition = (0, -1)


@dataclass(frozen=True)
class Added:
    """Result of values that were added: how many have a room, and those that do not."""

    rooms: int
    accepted: int
    unknown: list[str]
    unknown_values: int
    too_old: int


class LiveLayers:
    """All layers of a desk. Methods may be called from any thread, except coroutines."""

    def __init__(self, store: Store, buildings: Buildings, entries: Sequence[LayerEntry] = ()) -> None:
        self._store = store
        self._buildings = buildings
        self.entries: Mapping[str, LayerEntry] = {entry.name: entry for entry in entries}
        self._feeds: dict[str, tuple[LayerState, str]] = {}
        self._memory = LayerMemory()
        self._lock = self._memory.lock
        self._batches = LayerBatches(store, self._memory, self._wake)
        # A lock of its own: event loops take it, and must not wait while values are added.
        self._followers_lock = threading.Lock()
        self._followers: dict[Waker, str] = {}
        # Chats with layers of their own, as far as this server knows: another one may have made the first of a chat.
        self._chats: set[str] = set()

    def open(self) -> None:
        """Read which chats have layers. Blocks on the database."""
        self._chats = self._store.read(rows.chats_with_layers)

    # --- adding --------------------------------------------------------------------------------------------------------

    def add(
        self, chat_id: str | None, name: str, readings: Sequence[RoomValue], title: str = "", unit: str = ""
    ) -> "tuple[Added, Future[int]]":
        """Add values to a layer of a chat (made if there is none), or of agents.toml for None; blocks on the database.

        The future completes with the count of values that were too old when the others are stored. Raises NotFound,
        Conflict.
        """
        added = None
        while added is None:
            layer = self._open(chat_id, name, title, unit)
            added = self._add_to(layer, (chat_id, name), readings)
        return added

    def note_feed(self, name: str, state: LayerState, problem: str = "") -> None:
        """Set the state of a layer of agents.toml, as its feed sees it."""
        with self._lock:
            if self._feeds.get(name) == (state, problem):
                return
            self._feeds[name] = (state, problem)
        self._wake()

    # --- reading -------------------------------------------------------------------------------------------------------

    def statuses(self, chat_id: str) -> list[LayerStatus]:
        """Return all layers that a chat has. Blocks on the database. Raises NotFound."""
        building_id = self._store.read(
            lambda connection: get_chat(connection, chat_id).building_id, snapshot=False
        )
        stored = self._store.read(lambda connection: rows.layers_of(connection, chat_id), snapshot=False)
        keys: list[Key] = [
            *((None, name) for name in self.entries),
            *((chat_id, layer.name) for layer in stored),
        ]
        return [self._status(key, building_id) for key in keys]

    def values(
        self, chat_id: str, name: str, position: ReadPosition
    ) -> tuple[LayerValuesContent | None, ReadPosition]:
        """Return the values of a layer after a position, and the position after them. Blocks on the database.

        All of its history if the layer was made or read again since. Without news, or if the chat shows another building,
        there are none.
        """
        layer = self._find(chat_id, name)
        building_id = self._store.read(lambda connection: get_chat(connection, chat_id).building_id)
        with self._lock:
            generation, now = layer.position
            if layer.stored.building_id != building_id or (generation, now) == position:
                return None, position
            since = position[1] if generation == position[0] else -1
            title, unit = layer.stored.title or name, layer.stored.unit
            values = values_since(layer.history, name, title, unit, (since, now))
            # A page that has values of an earlier layer keeps them until there are others in their place.
            return values, position if values is None and since < 0 else (generation, now)

    def picture(self, chat_id: str, name: str) -> MapContent | None:
        """Return the present values as a drawing; None without any, or for another building. Raises NotFound."""
        layer = self._find(chat_id, name)
        building = self._buildings.of_chat(chat_id)
        if layer.stored.building_id != building.definition.building_id:
            return None
        with self._lock:
            return picture_of(layer.history, building, layer.stored.title or name, layer.stored.unit)

    def show(self, chat_id: str, name: str | None) -> MapContent | None:
        """Have the map of a chat show a layer, or none. Blocks on the database. Raises NotFound, Conflict.

        Returns its values now.
        """
        picture = None
        if name is not None:
            status = self._status(
                self._key(chat_id, name), self._buildings.of_chat(chat_id).definition.building_id
            )
            if status.state == "other_building":
                raise Conflict(
                    f"The layer {name!r} has rooms of another building than the one that the chat shows.",
                    "Choose that building first.",
                    code="other_building",
                )
            picture = self.picture(chat_id, name)
        self._store.change(lambda tx: tx.append(chat_id, [LayerShown(layer=name, picture=picture)]))
        return picture

    def of_chat(self, chat_id: str) -> "ChatLayers":
        """Return the layers of a chat for its tools."""
        return ChatLayers(self, chat_id)

    def names(self, chat_id: str) -> list[str]:
        """Return the names of all layers that a chat has. Blocks on the database if it has some of its own."""
        if chat_id not in self._chats:  # each run asks
            return [*self.entries]
        stored = self._store.read(lambda connection: rows.layers_of(connection, chat_id))
        return [*self.entries, *(layer.name for layer in stored)]

    def remove(self, chat_id: str, name: str) -> None:
        """Delete a layer of a chat. Blocks on the database. Raises NotFound."""

        def work(tx: Tx) -> bool:
            if not rows.remove_layer(tx, chat_id, name):
                return False
            if (
                rows.current_layer(tx.connection, chat_id) == name
            ):  # else its last values look like present ones
                tx.append(chat_id, [LayerShown(layer=None)])
            return True

        if not self._store.change(work):
            raise self._unknown(chat_id, name)
        self._memory.drop((chat_id, name), _deleted(name))
        self._wake(chat_id)

    # --- following -----------------------------------------------------------------------------------------------------

    def current(self, chat_id: str) -> str | None:
        """Return the layer that the chat's map shows. Blocks on the database."""
        return self._store.read(lambda connection: rows.current_layer(connection, chat_id))

    def follower(self, chat_id: str) -> Waker:
        """Return what changes of this chat's layers wake; call it on an event loop, and `forget` it."""
        waker = Waker()
        with self._followers_lock:
            self._followers[waker] = chat_id
        return waker

    def forget(self, waker: Waker) -> None:
        """Wake it no more."""
        with self._followers_lock:
            self._followers.pop(waker, None)

    def close(self) -> None:
        """Store what waits, and end the thread."""
        self._batches.close()

    # --- inside --------------------------------------------------------------------------------------------------------

    def _add_to(
        self, layer: LayerInMemory, key: Key, readings: Sequence[RoomValue]
    ) -> "tuple[Added, Future[int]] | None":
        """Add values to a layer; None if it was dropped from memory meanwhile."""
        spots = layer.names.resolve(self._building_of(layer.stored), {reading.room for reading in readings})
        unknown = [reading.room for reading in readings if spots[reading.room] is None]
        layer.names.note_unknown(unknown)
        with self._lock:
            if self._memory.get(key) is not layer:
                return None
            if len(layer.pending) + len(readings) > MAX_PENDING:
                raise Conflict(
                    f"More than {MAX_PENDING:,} values of the layer {key[1]!r} wait to be stored.",
                    "Wait for an answer before sending more.",
                    code="too_many_values",
                )
            for reading in readings:
                if (spot := spots[reading.room]) is not None:
                    layer.put(spot, reading)
            future = layer.wait()
            self._batches.note(key)
        rooms = {spot for spot in spots.values() if spot is not None}
        names = [*dict.fromkeys(unknown)][:MAX_LISTED]
        return Added(len(rooms), len(readings) - len(unknown), names, len(unknown), 0), future

    def _key(self, chat_id: str, name: str) -> Key:
        return (None, name) if name in self.entries else (chat_id, name)

    def _find(self, chat_id: str, name: str) -> LayerInMemory:
        key = self._key(chat_id, name)
        if (layer := self._memory.get(key)) is not None:
            return layer
        stored = self._store.read(lambda connection: rows.layers_of(connection, key[0]))
        if key[0] is not None and not any(layer.name == name for layer in stored):
            raise self._unknown(chat_id, name)
        return self._open(*key)

    def _unknown(self, chat_id: str, name: str) -> NotFound:
        names = self.names(chat_id)
        return NotFound(
            f"There is no live layer {name[:40]!r}.",
            f"Layers: {', '.join(names) or 'none'}.",
            code="unknown_layer",
        )

    def _open(self, chat_id: str | None, name: str, title: str = "", unit: str = "") -> LayerInMemory:
        """Return a layer, read from the store or made."""
        key = (chat_id, name)
        entry = self.entries.get(name) if chat_id is None else None
        layer = self._memory.get(key)
        if layer is not None and (entry or self._is_current(layer)):
            return layer
        if chat_id is not None and name in self.entries:
            raise Conflict(
                f"The layer {name!r} is one of agents.toml.", "Choose another name.", code="name_taken"
            )
        building_id = (
            entry.building if entry else self._store.read(lambda c: get_chat(c, chat_id or "").building_id)
        )
        if chat_id is not None:
            self._chats.add(chat_id)
        if entry:
            title, unit = entry.title, entry.unit
        stored = self._store.change(lambda tx: rows.ensure_layer(tx, chat_id, name, building_id, title, unit))
        history = LayerHistory(entry.step, entry.palette, entry.low, entry.high) if entry else LayerHistory()
        history.restore(self._store.read(lambda connection: rows.stored_frames(connection, stored.id)))
        opened = LayerInMemory(stored, history, entry.stale if entry else 60, history.version)
        return self._memory.keep(key, opened, _deleted(name))

    def _is_current(self, layer: LayerInMemory) -> bool:
        """Return whether the chat still shows the layer's building. Raises NotFound for a deleted chat."""
        chat_id = layer.stored.chat_id or ""
        return self._store.read(lambda c: get_chat(c, chat_id).building_id) == layer.stored.building_id

    def _building_of(self, stored: StoredLayer) -> Building:
        if stored.chat_id is not None:
            return self._buildings.of_chat(stored.chat_id)
        return self._buildings.read(stored.building_id)

    def _status(self, key: Key, building_id: str | None) -> LayerStatus:
        chat_id, name = key
        entry = self.entries.get(name) if chat_id is None else None
        layer = self._find(chat_id or "", name)
        with self._lock:
            feed, problem = self._feeds.get(name, ("waiting", "")) if entry else ("waiting", "")
            state: LayerState = (
                "live" if layer.history.last_time is not None and feed in ("waiting", "live") else feed
            )
            if layer.stored.building_id != building_id:
                state = "other_building"
            return LayerStatus(
                name=name,
                title=layer.stored.title,
                unit=layer.stored.unit,
                source="mqtt" if entry else "posted",
                state=state,
                time=layer.history.last_time,
                stale=layer.stale,
                rooms=len(layer.history.rooms),
                unknown=[*layer.names.unknown],
                unknown_values=layer.names.unknown_values,
                problem=problem,
            )

    def _wake(self, chat_id: str | None = None) -> None:
        """Wake the followers of a chat, or all of them."""
        with self._followers_lock:
            followers = [waker for waker, of in self._followers.items() if chat_id in (None, of)]
        Waker.wake(followers)


class ChatLayers:
    """Implements tools.live_layers.LayerStore for one chat; used on runs' threads only."""

    def __init__(self, layers: LiveLayers, chat_id: str) -> None:
        self._layers = layers
        self._chat_id = chat_id

    def names(self) -> list[str]:
        return self._layers.names(self._chat_id)

    def show(self, name: str | None) -> MapContent | None:
        """Show a layer on the map of the chat, or none; return its values now. Raises NotFound, Conflict."""
        return self._layers.show(self._chat_id, name)


def _deleted(name: str) -> Conflict:
    return Conflict(
        f"The layer {name!r} was deleted before these values were stored.",
        "Send them again to make a new one.",
        code="layer_deleted",
    )
