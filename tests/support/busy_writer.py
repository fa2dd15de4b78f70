"""A writer of a store that has something to do."""

import threading

from smoldesk.store.store import Store


class Busy:
    """Keeps the writer busy with a job of its own until `let_go`."""

    def __init__(self, store: Store) -> None:
        self._gate, started = threading.Event(), threading.Event()

        def job(tx: object) -> None:
            started.set()
            self._gate.wait(10)

        self._job = store.submit(job)
        assert started.wait(10)

    def let_go(self) -> None:
        self._gate.set()
        self._job.result(10)
