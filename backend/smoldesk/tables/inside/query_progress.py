"""Progress of a DuckDB query, reported every second within its process."""

import contextlib
import threading
from collections.abc import Callable, Generator
from typing import Any

# Time to the first report, and between two reports.
TELL_SECONDS = 1.0


def count(connection: Any) -> None:
    """Make the connection count its progress without printing it."""
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")


@contextlib.contextmanager
def report_progress(connection: Any, on_progress: Callable[[float], None]) -> Generator[None]:
    """Call `on_progress` with the growing share done (0 to 1), on a separate thread."""
    done = threading.Event()

    def report() -> None:
        last = 0.0
        while not done.wait(TELL_SECONDS):
            share = round(min(connection.query_progress() / 100, 1.0), 2)  # DuckDB returns -1 while unknown
            if share > last:
                last = share
                on_progress(share)

    thread = threading.Thread(target=report, name="query-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
