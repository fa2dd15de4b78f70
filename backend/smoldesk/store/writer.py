"""The one writer: a single thread through which every change of the database goes.

Jobs are small functions of a `Tx`; those that wait together share one transaction (group commit) and their futures
resolve after the commit. What a run says and does not wait for lingers: deltas, prints and progress up to 50 ms or 2 kB, to be
joined, the rest for 20 ms, so that a quick run is few transactions. A job of the same run takes along what lingers, so a
run's order is the order in which it spoke. `committed` hears of each commit, and whether something erased still stands in
SQLite's log; `publish` gets its events and their sizes, `asks_changed` hears that open asks changed.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Engine

from smoldesk.errors import DeskError
from smoldesk.events import (
    Delta,
    Nested,
    Printed,
    RunEvent,
    StoredEvent,
    ToolProgress,
    unnested,
)
from smoldesk.logs import DESK, current_actor
from smoldesk.store.transaction import Tx
from smoldesk.store.transactions import Transactions

LINGER_SECONDS = 0.05
LINGER_CHARACTERS = 2_000
LINGER_OTHERS_SECONDS = 0.02
# Maximum jobs in one transaction.
GROUP = 256
# Waiting jobs beyond which callers block.
BACKLOG = 20_000

T = TypeVar("T")
Job = Callable[[Tx], T]
Piece = Delta | Printed | ToolProgress


@dataclass
class PendingEvents:
    """Events of one run that are not written yet; `size` counts the characters of its pieces."""

    chat_id: str
    run_id: str
    epoch: int
    flush_at: float
    size: int
    events: list[RunEvent]
    on_fault: Callable[[Exception], None]


class Writer:
    """Owns the writing thread; `submit` and `append_soon` may be called from any thread."""

    def __init__(
        self,
        engine: Engine,
        publish: Callable[[list[StoredEvent], list[int]], None],
        asks_changed: Callable[[], None] = lambda: None,
        committed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self.stamp: Callable[[str, Sequence[RunEvent]], None] = lambda run_id, events: None
        """Hears at once what a run appends, before it is committed; must not wait or raise."""
        self.server = ""
        """Names this server in the audit log."""
        self._publish = publish
        self._asks_changed = asks_changed
        self._committed = committed
        self._jobs: deque[tuple[Job[Any], Future[Any]]] = deque()
        self._lingering: dict[str, PendingEvents] = {}
        self._wake = threading.Condition()
        self._closing = False
        self._hurry = threading.Event()
        self._transactions = Transactions(engine, self._hurry)
        self._announce_at = math.inf
        self._thread = threading.Thread(target=self._loop, name="store-writer", daemon=True)
        self._thread.start()

    def submit(
        self, job: Job[T], run_id: str | None = None, patient: bool = True, urgent: bool = False
    ) -> Future[T]:
        """Queue a job. Its future resolves after its commit, or with the error of the job, which is rolled back.

        Buffered events of `run_id` are written before it. A job may run again (alone, after another one failed; on a
        new connection), so it must only use its Tx. A job whose future is cancelled before its turn is skipped.
        Beyond BACKLOG jobs the caller blocks, unless `patient` is False, as on an event loop. An `urgent` job is the next
        one: a heartbeat must not wait behind what runs write.
        """
        future: Future[T] = Future()
        job = self._with_actor(job)
        with self._wake:
            # Holding the caller back limits memory: a run that prints faster than the disk writes waits here.
            if patient and not urgent:
                self._hold_back()
            if self._closing:
                raise DeskError("The store is closed.", "The server is shutting down.", code="closing")
            # Earlier pieces of the run are queued first, so the order of its events is the order of the calls.
            if run_id is not None:
                self._flush(run_id)
            (self._jobs.appendleft if urgent else self._jobs.append)((job, future))
            self._wake.notify_all()
        return future

    def append_soon(
        self,
        chat_id: str,
        run_id: str,
        epoch: int,
        events: Sequence[RunEvent],
        on_fault: Callable[[Exception], None],
    ) -> None:
        """Append events together, pieces joined with their neighbours; `on_fault` hears of a refusal."""
        pieces = [piece for event in events if isinstance(piece := unnested(event), Piece)]
        seconds = LINGER_SECONDS if len(pieces) == len(events) else LINGER_OTHERS_SECONDS
        self.stamp(run_id, events)
        with self._wake:
            self._hold_back()
            if self._closing:
                return
            due_at = time.monotonic() + seconds
            # A run's first piece sets the time of the write; later pieces join it and never postpone it.
            lingering = self._lingering.get(run_id)
            if lingering is None:
                lingering = self._lingering[run_id] = PendingEvents(
                    chat_id, run_id, epoch, due_at, 0, [], on_fault
                )
                self._wake.notify_all()
            elif due_at < lingering.flush_at:
                lingering.flush_at = due_at
                self._wake.notify_all()
            lingering.events.extend(events)
            # A fast printer is written by size instead of time, which limits the length of one event.
            lingering.size += sum(len(piece.text) for piece in pieces)
            if lingering.size >= LINGER_CHARACTERS:
                self._flush(run_id)
                self._wake.notify_all()

    def take_lingering(self, run_id: str) -> list[RunEvent]:
        """Return the events of a run that linger, for its caller to append with those that close the run."""
        with self._wake:
            lingering = self._lingering.pop(run_id, None)
        return joined(lingering.events) if lingering is not None else []

    def _with_actor(self, job: Job[T]) -> Job[T]:
        """Return a job whose transaction knows who submitted it: the writer's thread has no request."""
        actor = current_actor.get()

        def attributed(tx: Tx) -> T:
            tx.actor, tx.server = actor, self.server
            try:
                return job(tx)
            finally:
                tx.actor = DESK

        return attributed

    @property
    def origin(self) -> str:
        """Names this writer in the hints that other desks hear."""
        return self._transactions.origin

    def close(self) -> None:
        """Write what is queued, then end the thread. A database that is away is not waited for any more."""
        self._hurry.set()
        with self._wake:
            for run_id in list(self._lingering):
                self._flush(run_id)
            self._closing = True
            self._wake.notify_all()
        self._thread.join()

    def _hold_back(self) -> None:
        if len(self._jobs) >= BACKLOG:
            self._wake.wait_for(lambda: len(self._jobs) < BACKLOG or self._closing)

    def _flush(self, run_id: str) -> None:
        lingering = self._lingering.pop(run_id, None)
        if lingering is None:
            return
        events = joined(lingering.events)
        future: Future[Any] = Future()
        future.add_done_callback(lambda done: (fault := done.exception()) and lingering.on_fault(fault))  # pyright: ignore
        job: Job[None] = lambda tx: tx.append(lingering.chat_id, events, lingering.run_id, lingering.epoch)  # noqa: E731
        self._jobs.append((job, future))

    def _loop(self) -> None:
        while True:
            with self._wake:
                self._wait_for_work()
                if not self._jobs and self._closing:
                    self._transactions.let_go()
                    return
                # Group commit: one fsync serves all jobs that queued up during the previous one.
                group = [self._jobs.popleft() for _ in range(min(GROUP, len(self._jobs)))]
                self._wake.notify_all()
            # from here on, they cannot be cancelled
            group = [job for job in group if job[1].set_running_or_notify_cancel()]
            # One job's error rolls back its whole group, so each job runs again alone: only the faulty one fails.
            if group and not self._commit(group) and len(group) > 1:
                for job in group:
                    self._commit([job], last_try=True)

    def _wait_for_work(self) -> None:
        while True:
            now = time.monotonic()
            # also while there are jobs: a busy store must not keep a quiet run's words back
            for run_id in [
                run_id for run_id, lingering in self._lingering.items() if lingering.flush_at <= now
            ]:
                self._flush(run_id)
            if self._announce_at <= now:
                self._announce()
            if self._jobs or self._closing:
                return
            due = [lingering.flush_at for lingering in self._lingering.values()]
            nearest = min([*due, self._announce_at])
            self._wake.wait(None if nearest == math.inf else nearest - now)

    def _announce(self) -> None:
        """Queue a job that notifies the other desks; if it fails, they find the events at their next poll."""
        self._announce_at = math.inf
        self._jobs.append((lambda _: None, Future()))

    def _commit(self, group: list[tuple[Job[Any], Future[Any]]], last_try: bool = False) -> bool:
        """Run the jobs in one transaction; False when it failed and each must be tried alone."""
        try:
            results, tx = self._transactions.run([job for job, _ in group])
        except Exception as fault:  # an error belongs to its own job; this thread serves all of them
            if last_try or len(group) == 1:
                for _, future in group:
                    future.set_exception(fault)
            return False
        self._announce_at = self._transactions.announce_at
        # Followers first: a client must not learn of a change from its own request before the readers of the log are
        # notified of it.
        self._committed(self._transactions.to_erase)
        if tx.appended:
            self._publish(tx.appended, tx.sizes)
        if tx.asks_changed:
            self._asks_changed()
        for (_, future), result in zip(group, results, strict=True):
            future.set_result(result)
        return True


def joined(events: Sequence[RunEvent]) -> list[RunEvent]:
    """Join neighbouring pieces of one step and kind, in linear time."""
    out: list[RunEvent] = []
    texts: list[str] = []
    for event in events:
        piece = unnested(event)
        if isinstance(piece, Piece):
            if texts and _place(out[-1]) == _place(event):
                texts.append(piece.text)
                continue
            _settle(out, texts)
            texts = [piece.text]
        elif texts:
            _settle(out, texts)
            texts = []
        out.append(event)
    _settle(out, texts)
    return out


def _place(event: RunEvent) -> tuple[object, ...]:
    """Return the key of events that may be joined, also those of a managed agent."""
    piece = unnested(event)
    assert isinstance(piece, Piece)
    return (event.within if isinstance(event, Nested) else None, *_key(piece))


def _key(event: Piece) -> tuple[object, ...]:
    """Return the key of pieces that may be joined: all fields but their text."""
    match event:
        case Delta():
            return (Delta, event.step, event.kind, event.restart)
        case Printed():
            return (Printed, event.step)
        case ToolProgress():
            return (
                ToolProgress,
                event.step,
                event.call_id,
                event.agent,
                event.state,
                event.share,
                event.context_id,
            )


def _settle(out: list[RunEvent], texts: list[str]) -> None:
    if len(texts) > 1:
        last, text = out[-1], {"text": "".join(texts)}
        if isinstance(last, Nested):
            text = {"event": last.event.model_copy(update=text)}
        out[-1] = last.model_copy(update=text)
