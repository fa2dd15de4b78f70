"""Live layers in memory: the least recently used ones are dropped and read again from the store."""

import itertools
import threading
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field

from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.layers.room_names import RoomNames
from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.buildings.places import Spot
from smoldesk.errors import DeskError
from smoldesk.store.layers import StoredLayer

# Maximum layers of chats in memory.
MAX_IN_MEMORY = 64

Key = tuple[str | None, str]
_generations = itertools.count(1)


@dataclass(eq=False)
class LayerInMemory:
    """A layer. `published` is the version of its history that is stored, and so may be seen.

    Versions count from the start again when a layer is read again or made again: `generation` tells those apart.
    """

    stored: StoredLayer
    history: LayerHistory
    stale: int = 60
    published: int = 0
    generation: int = field(default_factory=lambda: next(_generations))
    pending: dict[tuple[Spot, int], RoomValue] = field(default_factory=dict[tuple[Spot, int], RoomValue])
    waiting: "list[Future[int]]" = field(default_factory=list["Future[int]"])
    # Whether a batch is being stored: until then the store has less than this layer.
    is_storing: bool = False
    names: RoomNames = field(default_factory=RoomNames)

    @property
    def position(self) -> tuple[int, int]:
        """The position until which its values may be read."""
        return self.generation, self.published

    def put(self, spot: Spot, reading: RoomValue) -> None:
        """Have a value wait for the next batch; of two in one frame the later one waits."""
        slot = (spot, int(reading.time // self.history.step))
        before = self.pending.get(slot)
        if before is None or before.time <= reading.time:
            self.pending[slot] = reading

    def wait(self) -> "Future[int]":
        """Return what completes when the values that wait are stored. It cannot be cancelled: others wait with it."""
        future: Future[int] = Future()
        future.set_running_or_notify_cancel()
        self.waiting.append(future)
        return future

    def take(self) -> "tuple[list[tuple[Spot, RoomValue]], list[Future[int]]]":
        """Return the values that waited, and those who wait for them."""
        batch = [(spot, reading) for (spot, _), reading in self.pending.items()]
        futures, self.pending, self.waiting = self.waiting, {}, []
        return batch, futures


class LayerMemory:
    """Layers by chat and name. Hold `lock` while using a layer, but never on an event loop or while reading the store."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._layers: OrderedDict[Key, LayerInMemory] = OrderedDict()

    def get(self, key: Key) -> LayerInMemory | None:
        """Return a layer, which counts as used."""
        with self.lock:
            if (layer := self._layers.get(key)) is not None:
                self._layers.move_to_end(key)
            return layer

    def keep(self, key: Key, layer: LayerInMemory, gone: DeskError) -> LayerInMemory:
        """Keep a layer that was read, and return it, or the one that another thread has read meanwhile.

        One that was deleted and made again takes the place of the older one; `gone` ends who waits for that.
        """
        with self.lock:
            current = self._layers.get(key)
            if current is not None and current.stored.id == layer.stored.id:
                return current
            self.drop(key, gone)
            self._layers[key] = layer
            self._evict()
            return layer

    def drop(self, key: Key, fault: Exception, layer: LayerInMemory | None = None) -> None:
        """Forget a layer, if it is still this one: its values that wait are lost, and who sent them gets the fault."""
        with self.lock:
            current = self._layers.get(key)
            if current is None or (layer is not None and current is not layer):
                return
            del self._layers[key]
            _, futures = current.take()
        fail(futures, fault)

    def _evict(self) -> None:
        idle = [
            key
            for key, layer in self._layers.items()
            if key[0] is not None and not layer.waiting and not layer.is_storing
        ]
        for key in idle[: max(0, len(self._layers) - MAX_IN_MEMORY)]:
            del self._layers[key]


def fail(futures: "Iterable[Future[int]]", fault: Exception) -> None:
    """End who waits with an error."""
    for future in futures:
        future.set_exception(fault)
