"""How far a query of DuckDB has come, told every second while it runs, to its own process alone."""

import contextlib
import threading
from collections.abc import Callable, Generator
from typing import Any

# From when on, and how often at most, a query's progress is told.
TELL_SECONDS = 1.0


def count(connection: Any) -> None:
    """Have the connection keep count of its progress, and print nothing of it."""
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")


@contextlib.contextmanager
def report_progress(connection: Any, on_progress: Callable[[float], None]) -> Generator[None]:
    """Meanwhile `tell` hears, on a thread of its own, which share (0 to 1) is done, whenever it has grown."""
    done = threading.Event()

    def report() -> None:
        last = 0.0
        while not done.wait(TELL_SECONDS):
            share = round(min(connection.query_progress() / 100, 1.0), 2)  # -1 while it cannot say
            if share > last:
                last = share
                on_progress(share)

    looking = threading.Thread(target=report, name="query-progress", daemon=True)
    looking.start()
    try:
        yield
    finally:
        done.set()
        looking.join()
