"""The store: one writer, many readers, followers, files. Everything that outlives a request goes through here.

`submit` and `do` change rows (see writer.py), `read` and `aread` look at committed ones, `follow` streams a chat's log.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from smoldesk.events import StoredEvent
from smoldesk.store.chat_folders import ChatFolders, LocalFolders
from smoldesk.store.chats import last_seqs_of
from smoldesk.store.checkpoints import Checkpoints
from smoldesk.store.data_dir import DataDir
from smoldesk.store.engines import Connector, check_migrated, migrate, open_engines, sqlite_url
from smoldesk.store.errors import cannot_open
from smoldesk.store.event_log import parsed, read_events, read_page
from smoldesk.store.fault_causes import store_fault
from smoldesk.store.files import FileStore, LocalFiles
from smoldesk.store.followers import Follower, Followers, StopRequested
from smoldesk.store.notifications import Notifications, call_listener
from smoldesk.store.object_files import ObjectFiles
from smoldesk.store.object_parts import ObjectParts
from smoldesk.store.objects import Objects
from smoldesk.store.partial_files import PartialFiles
from smoldesk.store.postgres import ASKS, LISTS, UsedConnections, is_postgres, open_without_snapshots
from smoldesk.store.synced_folders import SyncedFolders
from smoldesk.store.writer import Job, Writer

T = TypeVar("T")
# Maximum events that a follower reads at once.
PAGE = 500
READERS = 4
# Time in which a database server answers; one that is paused keeps its connections open and says nothing.
ANSWER_SECONDS = 20.0
# Time that a database server has to answer from the begin of a stop on.
CLOSE_SECONDS = 10.0
log = logging.getLogger(__name__)


class Store:
    """One desk's data: a database and a folder of files."""

    def __init__(
        self, data_dir: DataDir, writing: Engine, reading: Engine, objects: Objects | None = None
    ) -> None:
        """With `objects`, files, folders and unfinished uploads are in that bucket, too."""
        self.data_dir = data_dir
        self.url = writing.url
        """Where the database is; it may hold a password, which its text leaves out."""
        self.objects = objects
        self.files: FileStore = (
            ObjectFiles(data_dir.files, objects) if objects else LocalFiles(data_dir.files)
        )
        self.folders: ChatFolders = SyncedFolders(data_dir, objects) if objects else LocalFolders(data_dir)
        self.partials = (
            ObjectParts(data_dir.partials, objects) if objects else PartialFiles(data_dir.partials)
        )
        self.followers = Followers()
        self.shared = is_postgres(writing)
        """Whether other servers may work on the same database."""
        live = open_without_snapshots(reading.url) if self.shared else reading
        self._engines = (writing, reading, live)
        self._connections = UsedConnections(*self._engines) if self.shared else None
        self._cut: threading.Timer | None = None
        self._closed = threading.Event()
        self._connector = Connector(reading, self._closed)
        self._without_snapshot = Connector(live, self._closed) if self.shared else self._connector
        self._listeners: list[Callable[[set[str] | None], None]] = []
        self._ask_listeners: list[Callable[[], None]] = []
        self._list_listeners: list[Callable[[], object]] = []
        self._commit_listeners: list[Callable[[list[StoredEvent]], None]] = []
        self._checkpoints = None if self.shared else Checkpoints(reading)
        self.writer = Writer(writing, self._publish, self._asks_changed, self._committed)
        self.writer.server = data_dir.id
        # A pool of its own: reads are short, and must never wait behind the framework's shared threads.
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self._hints = Notifications(reading, self.writer.origin, self._on_change) if self.shared else None

    @classmethod
    def open(
        cls,
        data_dir: DataDir,
        url: str = "",
        synchronous: str = "NORMAL",
        files_url: str = "",
        migrating: bool = True,
    ) -> "Store":
        """Open (and, if `migrating`, bring up to date) the database at `url`, by default SQLite in the data directory.

        Files and chats' folders are on this disk, or in the bucket of `files_url`. Raises DeskError when that cannot be;
        its words hold no part of the URL but the kind of database.
        """
        objects = Objects(files_url) if files_url else None
        try:
            writing, reading = open_engines(url or sqlite_url(data_dir.root), synchronous)
            if migrating:
                migrate(writing)
            else:
                check_migrated(reading)
        except (SQLAlchemyError, ImportError, ValueError) as fault:
            raise cannot_open(url, fault) from None
        return cls(data_dir, writing, reading, objects)

    def submit(self, job: Job[T], run_id: str | None = None, urgent: bool = False) -> "Future[T]":
        """Queue a change; see Writer.submit."""
        return self.writer.submit(job, run_id, urgent=urgent)

    async def do(self, job: Job[T]) -> T:
        """Change something from the event loop, and wait for its commit; raises `store_fault` when it fails."""
        return await self.committed(self.writer.submit(job, patient=False))

    async def committed(self, future: "Future[T]") -> T:
        """Wait for the commit of a job of the writer; errors as those of `do`."""
        with _translate_errors():
            result = asyncio.wrap_future(future)
            if self.shared:
                await self._wait(result)
                # Behind a database that does not answer a job is withdrawn. One that began may be committed.
                if not result.done() and future.cancel():
                    raise store_fault("database_unavailable")
            return await result

    def change(self, job: Job[T]) -> T:
        """As `do`, from any other thread."""
        with _translate_errors():
            future = self.writer.submit(job)
            try:
                return future.result(ANSWER_SECONDS if self.shared else None)
            except TimeoutError:
                if future.cancel():
                    raise store_fault("database_unavailable") from None
                return future.result()

    def read(self, function: Callable[[Connection], T], snapshot: bool = True) -> T:
        """Look at committed rows, from any thread but the event loop's; again when the connection breaks meanwhile.

        Without a `snapshot`, several statements may see different moments. That saves the begin and the end of a
        transaction, which are round trips to a PostgreSQL.
        """
        connector = self._connector if snapshot else self._without_snapshot
        with connector.connect() as connection:
            try:
                result = function(connection)
                connection.commit()  # after a rollback, psycopg would prepare its statements again
                return result
            except DBAPIError as fault:
                if not fault.connection_invalidated:
                    raise
        connector.engine.dispose()  # the other idle connections are as old as this one
        with connector.connect() as connection:
            return function(connection)

    async def aread(self, function: Callable[[Connection], T]) -> T:
        """Look at committed rows, from the event loop; raises `store_fault` when it fails."""
        with _translate_errors():
            result = asyncio.get_running_loop().run_in_executor(self._readers, self.read, function)
            if self.shared:
                await self._wait(result)
                if not result.done():
                    result.cancel()
                    raise store_fault("database_unavailable")
            return await result

    async def _wait(self, result: "asyncio.Future[T]") -> None:
        try:
            await asyncio.wait([result], timeout=ANSWER_SECONDS)
        except asyncio.CancelledError:
            result.cancel()
            raise

    def events(
        self,
        chat_id: str,
        after: int = 0,
        limit: int = PAGE,
        types: Sequence[str] | None = None,
        run_id: str | None = None,
    ) -> list[StoredEvent]:
        """Return committed events of a chat after a seq, in order, at most `limit`: all, of some types, or of one run."""
        rows = self.read(lambda connection: read_events(connection, chat_id, after, limit, types, run_id))
        return _stored(chat_id, rows)

    def page(self, chat_id: str, after: int, limit: int = PAGE) -> tuple[list[StoredEvent], bool]:
        """Return committed events of a chat after a seq, and whether there may be more: see `read_page`."""
        rows, is_cut = self.read(lambda connection: read_page(connection, chat_id, after, limit))
        return _stored(chat_id, rows), is_cut

    async def follow(
        self, chat_id: str, after: int, page: int = PAGE
    ) -> AsyncIterator[list[StoredEvent | StopRequested]]:
        """Yield the batches of a chat's committed events after a seq, and live notices; ends when the store or chat closes.

        The first batch may be empty: it says that everything older was read. A batch has at most `page` events, and fewer
        if they are read from the log and are large (`read_page`): what a reader that stalls holds in memory.
        """
        follower = self.followers.add(chat_id, after)
        try:
            behind = True
            while not follower.closed and not self._closed.is_set():
                batch = self._caught_up(follower) if not behind else None
                if batch is None:
                    loop = asyncio.get_running_loop()
                    with _translate_errors():
                        batch, behind = await loop.run_in_executor(
                            self._readers, self.page, chat_id, follower.position, page
                        )
                elif len(batch) > page:
                    batch, behind = batch[:page], True
                if batch:
                    follower.position = batch[-1].seq
                items: list[StoredEvent | StopRequested] = []
                while follower.notices:  # first: the run they speak of may close in this very batch
                    items.append(follower.notices.popleft())
                yield [*items, *batch]
                if not behind:
                    await follower.wait()
        finally:
            self.followers.remove(follower)

    def _caught_up(self, follower: Follower) -> list[StoredEvent] | None:
        return self.followers.recent(follower.chat_id, follower.position)

    def listen(self, on_change: Callable[[set[str] | None], None]) -> None:
        """Have `on_change` told which chats another server touched (None: any of them), on a thread of the store."""
        self._listeners.append(on_change)

    def listen_asks(self, changed: Callable[[], None]) -> None:
        """Have `changed` called after commits that change which asks are open, also when another server's may have."""
        self._ask_listeners.append(changed)

    def listen_lists(self, changed: Callable[[], object]) -> None:
        """Have `changed` called when another server may have changed a list of the desk, on a thread of the store."""
        self._list_listeners.append(changed)

    def listen_commits(self, committed: Callable[[list[StoredEvent]], None]) -> None:
        """Have `committed` given every event that is committed here, on the writer's thread: it must not wait or raise."""
        self._commit_listeners.append(committed)

    def _committed(self, erasing: bool) -> None:
        if self._checkpoints is not None:
            self._checkpoints.note(erasing)

    def _publish(self, events: list[StoredEvent], sizes: list[int]) -> None:
        self.followers.publish(events, sizes)
        for committed in self._commit_listeners:
            committed(events)

    def _asks_changed(self) -> None:
        for changed in self._ask_listeners:
            changed()

    def _on_change(self, chat_ids: set[str] | None) -> None:
        topics = {LISTS, ASKS} if chat_ids is None else chat_ids & {LISTS, ASKS}
        if ASKS in topics:
            self._asks_changed()
        if LISTS in topics:
            for changed in self._list_listeners:
                call_listener(changed)
        if chat_ids is not None and not (chat_ids := chat_ids - topics):
            return
        followed = self.followers.chats()
        if chat_ids is not None:
            self.followers.invalidate(chat_ids.intersection(followed))
        elif followed:
            self._wake_followers(followed)
        for listener in self._listeners:
            call_listener(partial(listener, chat_ids))

    def _wake_followers(self, followed: list[str]) -> None:
        """Wake followers that have not got everything, and end those whose chat is gone."""
        last_seqs = self.read(lambda connection: last_seqs_of(connection, followed), snapshot=False)
        self.followers.invalidate(self.followers.behind(last_seqs))
        for chat_id in set(followed) - set(last_seqs):
            self.followers.close(chat_id)

    def close_followers(self) -> None:
        """End every follow; the first thing a shutdown does, so that no connection holds the server up."""
        self._closed.set()
        self.followers.close()

    def limit_close(self) -> None:
        """Cut the connections to a database server that does not answer for CLOSE_SECONDS from now on.

        A stop waits for all threads that ask it. What the server has not confirmed fails, and was confirmed to nobody.
        """
        if self._connections is not None and self._cut is None:
            self._cut_in(self._connections, CLOSE_SECONDS)

    def _cut_in(self, connections: UsedConnections, seconds: float) -> None:
        self._cut = threading.Timer(seconds, self._cut_if_silent, [connections])
        self._cut.daemon = True
        self._cut.start()

    def _cut_if_silent(self, connections: UsedConnections) -> None:
        """Cut the connections, or look again later: closing many runs takes a server that answers longer, too."""
        silence = time.monotonic() - connections.used_at
        if silence < CLOSE_SECONDS:
            self._cut_in(connections, CLOSE_SECONDS - silence)
            return
        log.warning("the database did not answer: what it has not confirmed is not stored")
        self._closed.set()
        connections.cut()

    def close(self) -> None:
        """Write what is queued and let go of the database."""
        self.limit_close()
        self.close_followers()
        if self._hints is not None:
            self._hints.close()
        self.writer.close()
        if self._checkpoints is not None:
            self._checkpoints.close()
        self._readers.shutdown(wait=True, cancel_futures=True)
        if self._cut is not None:
            self._cut.cancel()
        for engine in self._engines:
            engine.dispose()


def _stored(chat_id: str, rows: list[tuple[int, str | None, float, str]]) -> list[StoredEvent]:
    return [
        StoredEvent.of(chat_id, seq, run_id, datetime.fromtimestamp(at, UTC), parsed(body))
        for seq, run_id, at, body in rows
    ]


@contextmanager
def _translate_errors() -> Generator[None, None, None]:
    """Translate errors of the database to DeskError."""
    try:
        yield
    except SQLAlchemyError as fault:
        report = store_fault(fault)
        # its own message holds what was written
        log.error("the database failed (%s): %s", type(fault).__name__, report.message)
        raise report from fault
