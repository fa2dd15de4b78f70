"""Live layers of a desk's chats: values are added, stored in batches, and followed by pages.

One thread applies what arrived, at most four times a second for each layer, and stores it before any page sees it. Readings
that wait are merged by room and frame, so a flood costs memory for one value each. The log has only which layer a chat
shows: values are in rows of their own (store/layers.py), as many as the history has.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from smoldesk.buildings.building import Building
from smoldesk.buildings.layers.entries import LayerEntry
from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.layers.painted import picture_of, values_since
from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.buildings.places import Spot
from smoldesk.buildings.room_index import match_rooms
from smoldesk.chats.buildings import Buildings
from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import LayerShown
from smoldesk.messages import LayerStatus, LayerValuesContent, MapContent
from smoldesk.messages.layers import LayerState
from smoldesk.store import layers as rows
from smoldesk.store.chats import get_chat
from smoldesk.store.layers import StoredLayer
from smoldesk.store.store import Store
from smoldesk.store.wakers import Waker

log = logging.getLogger(__name__)

# Seconds between two batches: a layer is repainted at most four times a second.
TICK = 0.25
# Maximum values of a layer that wait for the next batch.
MAX_PENDING = 40_000
# Maximum layers of chats in memory. The least recently used are read again from the store.
MAX_IN_MEMORY = 64
# Maximum names of rooms that a layer remembers, unknown ones that it lists, and names that it matches loosely.
MAX_NAMES, MAX_LISTED, MAX_LOOSE = 20_000, 10, 40

Key = tuple[str | None, str]


@dataclass(frozen=True)
class Added:
    """Result of values that were added: how many have a room, and those that do not."""

    rooms: int
    accepted: int
    unknown: list[str]
    unknown_values: int
    too_old: int


@dataclass
class _Layer:
    """A layer in memory. `published` is the version of its history that is stored, and so may be seen."""

    stored: StoredLayer
    history: LayerHistory
    stale: int = 60
    published: int = 0
    pending: dict[tuple[Spot, int], RoomValue] = field(default_factory=dict[tuple[Spot, int], RoomValue])
    waiting: "list[Future[int]]" = field(default_factory=list["Future[int]"])
    names: dict[str, Spot | None] = field(default_factory=dict[str, Spot | None])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    unknown_values: int = 0


class LiveLayers:
    """All layers of a desk. Methods may be called from any thread, except coroutines."""

    def __init__(self, store: Store, buildings: Buildings, entries: Sequence[LayerEntry] = ()) -> None:
        self._store = store
        self._buildings = buildings
        self.entries: Mapping[str, LayerEntry] = {entry.name: entry for entry in entries}
        self._feeds: dict[str, tuple[LayerState, str]] = {}
        self._lock = threading.RLock()
        self._layers: OrderedDict[Key, _Layer] = OrderedDict()
        self._dirty: set[Key] = set()
        self._ready = threading.Condition(self._lock)
        self._followers: dict[Waker, str] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
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
        BadInput if no row has a room of the building, Conflict.
        """
        layer = self._open(chat_id, name, title, unit)
        building = self._building_of(layer.stored)
        with self._lock:
            spots = _resolved(layer, building, {reading.room for reading in readings})
            unknown = [reading.room for reading in readings if spots[reading.room] is None]
            layer.unknown_values += len(unknown)
            for room in unknown:
                if len(layer.unknown) < MAX_LISTED:
                    layer.unknown.setdefault(room)
            if len(layer.pending) + len(readings) > MAX_PENDING:
                raise Conflict(
                    f"More than {MAX_PENDING:,} values of the layer {name!r} wait to be stored.",
                    "Wait for an answer before sending more.",
                    code="too_many_values",
                )
            future: Future[int] = Future()
            for reading in readings:
                spot = spots[reading.room]
                if spot is not None:
                    _merge(layer, spot, reading)
            layer.waiting.append(future)
            self._dirty.add((chat_id, name))
            self._start()
            self._ready.notify()
        resolved = {spot for spot in spots.values() if spot is not None}
        unknown_names = [*dict.fromkeys(unknown)][:MAX_LISTED]
        return Added(len(resolved), len(readings) - len(unknown), unknown_names, len(unknown), 0), future

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
        building_id = self._store.read(lambda connection: get_chat(connection, chat_id).building_id)
        stored = self._store.read(lambda connection: rows.layers_of(connection, chat_id))
        keys: list[Key] = [
            *((None, name) for name in self.entries),
            *((chat_id, layer.name) for layer in stored),
        ]
        return [self._status(key, building_id) for key in keys]

    def values(self, chat_id: str, name: str, version: int) -> tuple[LayerValuesContent | None, int]:
        """Return the values of a layer after a version, all for -1, and the version now. Blocks on the database.

        Without news, or if the chat shows another building, there are none.
        """
        layer = self._find(chat_id, name)
        building_id = self._store.read(lambda connection: get_chat(connection, chat_id).building_id)
        with self._lock:
            now = layer.published
            if layer.stored.building_id != building_id or now == version:
                return None, version
            title, unit = layer.stored.title or name, layer.stored.unit
            return values_since(layer.history, name, title, unit, (version, now)), now

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
        self._store.submit(lambda tx: tx.append(chat_id, [LayerShown(layer=name, picture=picture)])).result()
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
        if not self._store.submit(lambda tx: rows.remove_layer(tx, chat_id, name)).result():
            raise self._unknown(chat_id, name)
        with self._lock:
            self._layers.pop((chat_id, name), None)
        self._wake(chat_id)

    # --- following -----------------------------------------------------------------------------------------------------

    def current(self, chat_id: str) -> str | None:
        """Return the layer that the chat's map shows. Blocks on the database."""
        return self._store.read(lambda connection: rows.current_layer(connection, chat_id))

    def follower(self, chat_id: str) -> Waker:
        """Return what changes of this chat's layers wake; call it on an event loop, and `forget` it."""
        waker = Waker()
        with self._lock:
            self._followers[waker] = chat_id
        return waker

    def forget(self, waker: Waker) -> None:
        """Wake it no more."""
        with self._lock:
            self._followers.pop(waker, None)

    def close(self) -> None:
        """Store what waits, and end the thread."""
        self._closed.set()
        with self._lock:
            self._ready.notify()
            thread = self._thread
        if thread is not None:
            thread.join(5)

    # --- inside --------------------------------------------------------------------------------------------------------

    def _key(self, chat_id: str, name: str) -> Key:
        return (None, name) if name in self.entries else (chat_id, name)

    def _find(self, chat_id: str, name: str) -> _Layer:
        key = self._key(chat_id, name)
        with self._lock:
            if (layer := self._layers.get(key)) is not None:
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

    def _open(self, chat_id: str | None, name: str, title: str = "", unit: str = "") -> _Layer:
        """Return a layer, read from the store or made."""
        key = (chat_id, name)
        entry = self.entries.get(name) if chat_id is None else None
        with self._lock:
            layer = self._layers.get(key)
            if layer is not None:
                self._layers.move_to_end(key)
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
        stored = self._store.submit(
            lambda tx: rows.ensure_layer(tx, chat_id, name, building_id, title, unit)
        ).result()
        history = LayerHistory(entry.step, entry.palette, entry.low, entry.high) if entry else LayerHistory()
        history.restore(self._store.read(lambda connection: rows.stored_frames(connection, stored.id)))
        opened = _Layer(stored, history, entry.stale if entry else 60, history.version)
        with self._lock:
            opened = self._layers.setdefault(key, opened)
            self._evict()
        return opened

    def _is_current(self, layer: _Layer) -> bool:
        """Return whether the chat still shows the layer's building. Raises NotFound for a deleted chat."""
        chat_id = layer.stored.chat_id or ""
        return self._store.read(lambda c: get_chat(c, chat_id).building_id) == layer.stored.building_id

    def _evict(self) -> None:
        idle = [key for key, layer in self._layers.items() if key[0] is not None and not layer.waiting]
        for key in idle[: max(0, len(self._layers) - MAX_IN_MEMORY)]:
            del self._layers[key]

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
                unknown=[*layer.unknown],
                unknown_values=layer.unknown_values,
                problem=problem,
            )

    def _start(self) -> None:
        if self._thread is None and not self._closed.is_set():
            self._thread = threading.Thread(target=self._work, name="live-layers", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._dirty and not self._closed.is_set():
                    self._ready.wait()
                keys, self._dirty = self._dirty, set()
            for key in keys:
                self._apply(key)
            for chat_id in {chat_id for chat_id, _ in keys}:
                self._wake(chat_id)
            if self._closed.wait(TICK) and not self._dirty:
                return

    def _apply(self, key: Key) -> None:
        """Apply what waits for a layer, store it, then publish it."""
        with self._lock:
            layer = self._layers.get(key)
            if layer is None:
                return
            batch = [(spot, reading) for (spot, _), reading in layer.pending.items()]
            futures, layer.pending, layer.waiting = layer.waiting, {}, []
            changed, too_old = layer.history.add(batch)
            version = layer.history.version
            frames = {at: layer.history.frame_text(at) for at in changed}
            oldest = min(layer.history.frames, default=0)
        try:
            self._store.submit(lambda tx: rows.save_frames(tx, layer.stored.id, frames, oldest)).result()
        except Exception as fault:  # the layer or its chat was deleted, or the disk is full
            log.warning("values of a live layer could not be stored (%s)", type(fault).__name__)
            with self._lock:
                self._layers.pop(key, None)  # what is not stored is not shown: it is read again
            for future in futures:
                future.set_exception(fault if isinstance(fault, DeskError) else _not_stored(key[1]))
            return
        with self._lock:
            layer.published = version
        for future in futures:
            future.set_result(too_old)

    def _wake(self, chat_id: str | None = None) -> None:
        """Wake the followers of a chat, or all of them."""
        with self._lock:
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


def _merge(layer: _Layer, spot: Spot, reading: RoomValue) -> None:
    step = layer.history.step
    slot = (spot, int(reading.time // step))
    before = layer.pending.get(slot)
    if before is None or before.time <= reading.time:
        layer.pending[slot] = reading


def _resolved(layer: _Layer, building: Building, names: Iterable[str]) -> dict[str, Spot | None]:
    """Return the rooms of these names; names of no room are looked for loosely only as often as a layer may."""
    requested = [*names]
    new = [name for name in requested if name not in layer.names]
    if new:
        loose = max(0, MAX_LOOSE - sum(spot is None for spot in layer.names.values()))
        matches = match_rooms(building.places, new, loose)
        if len(layer.names) + len(new) > MAX_NAMES:
            layer.names.clear()
        layer.names.update({name: matches.spots.get(name) for name in new})
    return {name: layer.names[name] for name in requested}


def _not_stored(name: str) -> DeskError:
    return DeskError(
        f"The values of the layer {name!r} could not be stored.", "Send them again.", code="not_stored"
    )
