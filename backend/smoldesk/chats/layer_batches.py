"""Batches of live layers: one thread applies what arrived, at most four times a second, and stores it before it is seen."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future

from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.buildings.places import Spot
from smoldesk.chats.layer_memory import Key, LayerInMemory, LayerMemory, fail
from smoldesk.errors import DeskError
from smoldesk.store import layers as rows
from smoldesk.store.store import Store

log = logging.getLogger(__name__)

# Seconds between two batches: a layer is repainted at most four times a second.
TICK = 0.25


class LayerBatches:
    """The thread that stores; `stored` hears of each chat (None: all of them) with new values."""

    def __init__(self, store: Store, memory: LayerMemory, stored: Callable[[str | None], None]) -> None:
        self._store = store
        self._memory = memory
        self._stored = stored
        self._dirty: set[Key] = set()
        self._ready = threading.Condition(memory.lock)
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def note(self, key: Key) -> None:
        """Have the values that wait for a layer stored."""
        with self._ready:
            self._dirty.add(key)
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._work, name="live-layers", daemon=True)
                self._thread.start()
            self._ready.notify()

    def close(self) -> None:
        """Store what waits, and end the thread."""
        self._closed.set()
        with self._ready:
            self._ready.notify()
            thread = self._thread
        if thread is not None:
            thread.join(5)

    def _work(self) -> None:
        while True:
            with self._ready:
                while not self._dirty and not self._closed.is_set():
                    self._ready.wait()
                keys, self._dirty = self._dirty, set()
            for key in keys:
                self._apply(key)
            for chat_id in {chat_id for chat_id, _ in keys}:
                self._stored(chat_id)
            if self._closed.wait(TICK) and not self._dirty:
                return

    def _apply(self, key: Key) -> None:
        """Store what waits for a layer. A fault is that of its senders: this thread serves all layers."""
        with self._memory.lock:
            layer = self._memory.get(key)
            if layer is None:  # dropped, and its senders have their answers
                return
            batch, futures = layer.take()
            layer.is_storing = True
        try:
            too_old = self._store_batch(layer, batch)
        except Exception as fault:  # the layer or its chat was deleted, or the disk is full
            log.warning("values of a live layer could not be stored (%s)", type(fault).__name__)
            answer = fault if isinstance(fault, DeskError) else _not_stored(key[1])
            self._memory.drop(key, answer, layer)  # what is not stored is not shown: it is read again
            fail(futures, answer)
            return
        for future in futures:
            future.set_result(too_old)

    def _store_batch(self, layer: LayerInMemory, batch: list[tuple[Spot, RoomValue]]) -> int:
        """Add values to the history, store the changed frames, then publish them; return how many were too old."""
        with self._memory.lock:
            changed, too_old = layer.history.add(batch)
            version = layer.history.version
            frames = {at: layer.history.frame_text(at) for at in changed}
            start = layer.history.start
        saved: Future[None] = self._store.submit(
            lambda tx: rows.save_frames(tx, layer.stored.id, frames, start)
        )
        saved.result()
        with self._memory.lock:
            layer.published, layer.is_storing = version, False
        return too_old


def _not_stored(name: str) -> DeskError:
    return DeskError(
        f"The values of the layer {name!r} could not be stored.", "Send them again.", code="not_stored"
    )
