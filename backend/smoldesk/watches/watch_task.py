"""Task of each server that finds watches to check and deliveries to send."""

import asyncio
import contextlib
import logging
import random
import threading
import time
from collections.abc import Coroutine, Sequence
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.events import FileAdded, FileChanged, FileRemoved, StoredEvent
from smoldesk.logs import DESK, acting
from smoldesk.runs import Runs
from smoldesk.store import watches as rows
from smoldesk.store.store import Store
from smoldesk.store.watches import StoredDelivery, StoredWatch
from smoldesk.watches.checks import WatchChecks
from smoldesk.watches.deliveries import PAUSES, Deliverer, NotSent
from smoldesk.watches.inputs import changed_watches
from smoldesk.watches.notices import NoticeFeed
from smoldesk.watches.watch import WatchBody

TICK_SECONDS = 0.5
# Seconds between two looks at shared files, and at everything (another server may have died in the middle of a check).
SHARED_SECONDS, COMPLETE_SECONDS = 2.0, 10.0
# Seconds in which inputs must not change again before a check.
SETTLE_SECONDS = 1.0
# Checks and deliveries at a time.
MAX_CHECKS, MAX_SENDING = 8, 8
log = logging.getLogger(__name__)


class WatchTask:
    """Looks for due checks and deliveries; every 2 s while the desk has no watch, else twice a second."""

    def __init__(
        self, store: Store, runs: Runs, checks: WatchChecks, deliverer: Deliverer, notices: NoticeFeed
    ) -> None:
        self._store, self._runs, self._checks = store, runs, checks
        self._deliverer, self._notices = deliverer, notices
        self._lock = threading.Lock()
        self._changed: set[str] = set()
        self._looked_at: dict[str, float] = {}
        self._has_watches = False
        self._checking: set[str] = set()
        self._waiting: dict[str, StoredWatch] = {}
        self._settling: dict[str, tuple[str, float]] = {}
        """New versions of watches' inputs, each with the time since when it is the version."""
        self._sending: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()

    def open(self) -> None:
        """Begin; on the event loop."""
        self._store.listen_commits(self._on_commit)
        self._store.listen(self._on_change)
        self._start(self._run())

    async def close(self) -> None:
        """End the task, the checks and the deliveries: other servers, or the next start, do them."""
        self._closing.set()
        await self._notices.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_commit(self, events: list[StoredEvent]) -> None:
        self.look_at(
            [
                stored.chat_id
                for stored in events
                if isinstance(stored.event, FileAdded | FileChanged | FileRemoved)
            ]
        )

    def _on_change(self, chat_ids: set[str] | None) -> None:
        if chat_ids is None:
            self._looked_at.pop("complete", None)
        else:
            self.look_at([*chat_ids])

    def look_at(self, chat_ids: Sequence[str]) -> None:
        """Look at the inputs of chats soon."""
        if chat_ids:
            with self._lock:
                self._changed.update(chat_ids)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        with acting(DESK):
            while not self._closing.is_set():
                try:
                    await self._tick()
                except (DeskError, SQLAlchemyError, OSError) as fault:  # the next tick tries again
                    log.warning("watches could not be looked at (%s)", type(fault).__name__)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), TICK_SECONDS)

    def _is_time(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._looked_at.get(what, -1e9) < seconds:
            return False
        self._looked_at[what] = now
        return True

    async def _tick(self) -> None:
        had_watches = self._has_watches
        if not had_watches and not self._is_time("watches", SHARED_SECONDS):
            return
        self._has_watches = await self._store.aread(rows.has_watches)
        if self._has_watches:
            await self._look()
        else:
            with self._lock:
                self._changed.clear()
        may_be_old = self._has_watches or had_watches
        if self._notices.has_followers and (
            self._notices.is_old or (may_be_old and self._is_time("notices", SHARED_SECONDS))
        ):
            await self._notices.refresh()

    async def _look(self) -> None:
        due = await self._store.aread(lambda c: rows.due_watches(c, time.time(), 4 * MAX_CHECKS))
        for watch in [*due, *await self._with_new_inputs()]:
            self._waiting[watch.id] = watch
        self._begin_checks()
        await self._send_due()

    def _begin_checks(self) -> None:
        """Begin checks as long as there is room, in random order: other servers know the same watches."""
        ids = [*self._waiting.keys() - self._checking]
        random.shuffle(ids)
        for watch_id in ids[: MAX_CHECKS - len(self._checking)]:
            self._checking.add(watch_id)
            self._start(self._check(self._waiting.pop(watch_id)))

    async def _with_new_inputs(self) -> list[StoredWatch]:
        """Return the watches whose inputs have another version than in their last check, and have had it for a moment.

        A person who replaces a file removes the old one first.
        """
        with self._lock:
            changed, self._changed = self._changed, set()
        looks_at_all = self._is_time("complete", COMPLETE_SECONDS) or self._is_time("shared", SHARED_SECONDS)
        if not (changed or looks_at_all):
            return []
        chat_ids = None if looks_at_all else changed
        found = await self._store.aread(lambda c: changed_watches(c, chat_ids, self._checks.stamp_of))
        now = time.monotonic()
        since = {watch.id: self._settling.get(watch.id, ("", now)) for watch, _ in found}
        settling = {
            watch.id: (version, since[watch.id][1] if since[watch.id][0] == version else now)
            for watch, version in found
        }
        self._settling = {**({} if looks_at_all else self._settling), **settling}
        self.look_at([watch.chat_id for watch, _ in found])
        return [
            watch
            for watch, _ in found
            if now - settling[watch.id][1] >= SETTLE_SECONDS
            or WatchBody.model_validate_json(watch.body).run_id is None
        ]

    async def _check(self, watch: StoredWatch) -> None:
        try:
            if await self._checks.check(watch):
                self.look_at([watch.chat_id])  # its inputs may have changed during the check
                self._notices.is_old = True
        except (DeskError, SQLAlchemyError, OSError) as fault:
            log.warning("the watch %s could not be checked (%s)", watch.id, type(fault).__name__)
        finally:
            self._checking.discard(watch.id)
            if not self._closing.is_set():
                self._begin_checks()

    async def _send_due(self) -> None:
        room = MAX_SENDING - len(self._sending)
        if room <= 0:
            return
        if not await self._store.aread(lambda connection: rows.has_due_delivery(connection, time.time())):
            return
        server, silence, busy = self._runs.server, self._runs.silence(), [*self._sending]
        claimed = await self._store.do(lambda tx: rows.claim_deliveries(tx, server, silence, room, busy))
        for delivery in claimed:
            self._sending.add(delivery.id)
            self._start(self._send(delivery))

    async def _send(self, delivery: StoredDelivery) -> None:
        state, problem, next_at = "sent", "", time.time()
        try:
            report = await self._store.aread(lambda connection: rows.report_of(connection, delivery))
            if report is None:
                return
            await self._deliverer.send(delivery, *report)
        except NotSent as fault:
            is_over = fault.is_final or delivery.attempts >= len(PAUSES)
            state, problem = ("failed" if is_over else "pending"), str(fault)
            next_at += 0 if is_over else PAUSES[delivery.attempts]
            log.warning("the delivery %s was not sent: %s", delivery.id, problem)
        finally:
            self._sending.discard(delivery.id)
        server = self._runs.server
        await self._store.do(lambda tx: rows.end_delivery(tx, delivery, server, state, problem, next_at))
