"""Runs: start, follow, answer, cancel, close. What every wire calls, and the only thing that starts threads for agents.

A message is queued as a row; each chat works its queue one run at a time, each run on a daemon thread of its own. A stop
is a row too, then a wake-up; a thread that does not come back within the grace is abandoned and fenced by the epoch.
"""

import asyncio
import functools
import logging
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from smoldesk.errors import BadInput, DeskError, Reason, code_of
from smoldesk.events import (
    ClosingEvent,
    RunCancelled,
    RunFailed,
    StoredEvent,
    with_context,
    with_reading,
)
from smoldesk.logs import log_event, traceparent
from smoldesk.runs.asks import AskRecords, AskRules, Asks, OpenAskWatch
from smoldesk.runs.context import ClaimedRun
from smoldesk.runs.earlier_runs import RunHistory
from smoldesk.runs.held_chats import HeldChats
from smoldesk.runs.reaper import (
    RESTART,
    RESTARTED,
    Reaper,
    close_from_outside,
    recover,
)
from smoldesk.runs.records import RunRecords
from smoldesk.runs.server_lease import ServerLease
from smoldesk.runs.worker import Active, Agents, LazyAgent, storage_failure, work
from smoldesk.sandbox.losses import loss
from smoldesk.stopping import shielded
from smoldesk.store import chats, run_queue, run_rows
from smoldesk.store.asks import Answer
from smoldesk.store.files import StoredFile, add_file
from smoldesk.store.followers import StopRequested
from smoldesk.store.run_options import NO_CHOICE, IdempotencyKey, RunOptions
from smoldesk.store.run_queue import Claim, Claimant, Queued
from smoldesk.store.store import PAGE, Store
from smoldesk.store.transaction import Tx

if TYPE_CHECKING:
    from smoldesk.telemetry.telemetry import Telemetry

log = logging.getLogger(__name__)
T = TypeVar("T")

# Maximum open runs of one chat.
QUEUE_LIMIT = 50
# Maximum characters of a person's code.
CODE_LIMIT = 50_000
# Seconds that a shutdown waits for runs to close themselves.
SHUTDOWN_SECONDS = 0.5
# Seconds in which a shutdown closes the remaining runs in the database.
COMMIT_SECONDS = 5.0
DRAIN_POLL_SECONDS = 0.02
SHUT_DOWN = Reason("The server was stopped", "server_stopped")


class Runs:
    """All runs of this server."""

    def __init__(
        self,
        store: Store,
        agents: Agents,
        *,
        max_runs: int = 256,
        grace_seconds: float = 2.0,
        file_limit: int = 50_000_000,
        memory_runs: int = 40,
        ask_rules: AskRules | None = None,
        hide: Callable[[str], str] = str,
        telemetry: "Telemetry | None" = None,
    ) -> None:
        """Create the runs of a server; `hide` removes secrets from stored prompts."""
        self._store = store
        self.asks = Asks(store)
        self.records = RunRecords(store)
        self.ask_records = AskRecords(store)
        self.open_asks = OpenAskWatch(store)
        self.abandoned = 0
        self.ended: dict[str, int] = {"run_finished": 0, "run_failed": 0, "run_cancelled": 0}
        self._agents = agents
        self._max_runs = max_runs
        self._abandon_after = 2 * grace_seconds + 1
        self._file_limit = file_limit
        self._history = RunHistory(memory_runs)
        self._ask_rules = ask_rules or AskRules()
        self._hide = hide
        self._telemetry = telemetry
        # The part after the colon changes with each start, so a restarted server recognises its own old chats
        # as those of a dead one.
        self.server = f"{store.data_dir.id}:{secrets.token_hex(6)}"
        """Names this server, and this start of it, in rows that servers share."""
        self._lock = threading.Lock()
        self._active: dict[str, Active] = {}
        self._waiting: dict[str, None] = {}
        self._without_thread: list[Active] = []
        self._leaving = threading.Event()
        self._closing = threading.Event()
        self._starter = ThreadPoolExecutor(1, "runs")
        """Starts the threads: that waits for the new one to have run, which the event loop must not."""
        self._acting: set[asyncio.Task[Any]] = set()
        self._lease = ServerLease(store, self.server)
        self._janitor = Reaper(store, self, self.server, self._lease, self._closing)
        self._held = HeldChats(store, agents, self.server, self._lease.silence)

    def open(self) -> None:
        """Close what a crash left open, then begin to work queued runs."""
        # ThreadPoolExecutor starts its thread on first use, and a request must not pay for that.
        self._starter.submit(bool).result()  # its own thread is there before it is needed
        self._lease.start()
        # Before the first new run: a chat's queue does not move while an orphaned run looks live.
        closed = recover(self._store)
        if closed:
            log.warning("closed %d run(s) that an earlier server left open", closed)
        self._store.submit(chats.sweep_empty)
        # Subscribed before the queues are read: a message that arrives in between is then seen twice, not never.
        self._store.listen(self._on_change)
        self.open_asks.open()
        self._janitor.start()
        for chat_id in self._store.read(self._janitor.queues):
            self._kick(chat_id)

    async def start(self, chat_id: str, message: str, options: RunOptions = NO_CHOICE) -> str:
        """Queue a message; returns the run's id. Raises NotFound, or Conflict when too many wait already."""
        start_run = functools.partial(run_queue.start_run, received_by=self.server)
        return (await self._start(start_run, chat_id, message, options)).run_id

    async def start_once(
        self, chat_id: str, message: str, key: IdempotencyKey, options: RunOptions = NO_CHOICE
    ) -> tuple[str, bool]:
        """Start a run as `start` does, once per key. Return its id, and whether it existed before."""
        start_once = functools.partial(run_queue.start_once, key=key, received_by=self.server)
        try:
            queued = await self._start(start_once, chat_id, message, options)
        except DeskError as fault:
            # another server took the same message in this very moment
            is_taken = isinstance(fault.__cause__, IntegrityError)
            previous_run = await self.records.sent_as(key) if is_taken else None
            if previous_run is None:
                raise
            return previous_run.id, True
        return queued.run_id, queued.existed

    async def _start(
        self, queue: Callable[..., Queued], chat_id: str, message: str, options: RunOptions
    ) -> Queued:
        """Queue a message by a job of the store; its run begins in the same transaction if this server can begin it."""
        options = self._traced(options)

        async def act() -> Queued:
            active, claimant = self._reserve(chat_id)

            def job(tx: Tx) -> Queued:
                begins = None if self._leaving.is_set() else claimant
                return queue(tx, chat_id, message, QUEUE_LIMIT, options, claimant=begins)

            try:
                future = self._store.writer.submit(job, patient=False)
            except DeskError:
                if active is not None:
                    self._leave(active)
                raise
            if active is not None:
                future.add_done_callback(functools.partial(self._begin_queued, active))
                return await self._store.committed(future)
            queued = await self._store.committed(future)
            self._kick(chat_id)
            return queued

        return await self._to_the_end(act())

    def _reserve(self, chat_id: str) -> tuple[Active | None, Claimant | None]:
        """Return a place among the chats at work, and the claimant for a run that may begin with its message.

        Without them, the run is queued, and a thread that waits for whatever is to be waited for claims it.
        """
        try:
            claimant = self._claimant(chat_id, self._agents.lost(chat_id, wait=False))
        except BlockingIOError:
            return None, None
        active = self._occupy(chat_id)
        return active, claimant if active is not None else None

    def _claimant(self, chat_id: str, lost: str | None) -> Claimant:
        default = self._agents.who(NO_CHOICE).get("agent")
        claimant = Claimant(self.server, self._lease.silence(), lost, default_agent=default)
        if self._telemetry is None:
            return claimant
        return replace(claimant, trace=functools.partial(self._telemetry.begin, chat_id))

    def _begin_queued(self, active: Active, future: "Future[Queued]") -> None:
        """Begin the work on a chat once its message is committed; on the writer's thread, mostly."""
        if future.cancelled() or future.exception() is not None:
            self._leave(active)
            return
        active.claim = future.result().claim
        if active.claim is not None:
            self._accept(active, active.claim)
        self._start_thread(active)

    async def start_hidden(
        self,
        chat_id: str,
        like: str | None,
        messages: Sequence[tuple[str, RunOptions]],
        seconds: float,
        files: Sequence[StoredFile] = (),
    ) -> list[str]:
        """Create a hidden chat (`chats.hidden_chat`) with files and queue its runs that are played again; return their ids."""

        async def act() -> list[str]:
            def job(tx: Tx) -> list[str]:
                chats.hidden_chat(tx, chat_id, like, seconds)
                for file in files:
                    add_file(tx, file)
                queue = functools.partial(run_queue.enqueue_run, tx, chat_id, received_by=self.server)
                return [queue(message, QUEUE_LIMIT, options).id for message, options in messages]

            run_ids = await self._store.do(job)
            self._kick(chat_id)
            return run_ids

        return await self._to_the_end(act())

    def _traced(self, options: RunOptions) -> RunOptions:
        """Return the options with the caller's trace, if traces are exported."""
        header = traceparent.get() if self._telemetry is not None else None
        return options if header is None else options.model_copy(update={"traceparent": header})

    async def run_code(self, chat_id: str, code: str, key: IdempotencyKey | None = None) -> str:
        """Run a person's own code in the chat's variables, as a run of its own; returns the run's id.

        Raises NotFound, BadInput for code that is too long, Conflict while a run of the chat is open.
        """
        if len(code) > CODE_LIMIT:
            raise BadInput(
                f"The code is too long ({len(code)} characters).",
                f"Expected at most {CODE_LIMIT}.",
                code="too_large",
            )
        options = RunOptions(is_code=True)
        if key is None:
            return await self.start(chat_id, code, options)
        run_id, _ = await self.start_once(chat_id, code, key, options)
        return run_id

    def follow(
        self, chat_id: str, after: int = 0, page: int = PAGE
    ) -> AsyncIterator[list[StoredEvent | StopRequested]]:
        """Yield a chat's committed events after a seq, then new ones; see Store.follow."""
        return self._store.follow(chat_id, after, page)

    def followers(self) -> int:
        """Return the number of followers."""
        return self._store.followers.count()

    async def answer(self, ask_id: str, answer: Answer, chat_id: str | None = None) -> None:
        """Answer an ask; the first answer wins. Raises NotFound, Conflict, or BadInput for a value that does not fit."""
        await self.answer_all([(ask_id, answer)], chat_id)

    async def answer_all(self, answers: Sequence[tuple[str, Answer]], chat_id: str | None = None) -> None:
        """Answer several asks at once, all or none; see `answer`."""
        await self._to_the_end(self.asks.answer(answers, chat_id))

    async def cancel(self, run_id: str, reason: str = "Stopped by the person") -> None:
        """Ask a run to stop. Raises NotFound, or Conflict when it is closed already."""

        async def act() -> None:
            run = await self._store.do(lambda tx: run_queue.request_cancel(tx, run_id, reason))
            if run.state != "queued":
                self._stop(run, reason)

        await self._to_the_end(act())

    async def _to_the_end(self, act: Coroutine[Any, Any, T]) -> T:
        """Do what was asked for even when the client that asked goes away in the middle."""
        # A client that disconnects cancels its handler. The action was committed or will be, so it continues in a
        # task of its own, and the set keeps that task from being garbage-collected.
        task = asyncio.create_task(act)
        self._acting.add(task)
        task.add_done_callback(self._acted)
        return await shielded(task)

    def _acted(self, task: "asyncio.Task[Any]") -> None:
        """Log an unexpected failure of a finished action. Reading the exception keeps asyncio from reporting it."""
        self._acting.discard(task)
        fault = None if task.cancelled() else task.exception()
        if fault is not None and not isinstance(fault, DeskError):
            log.error("what a client asked for failed", exc_info=fault)

    def silence(self) -> float:
        """Return for how many seconds another server may be silent until it counts as dead."""
        return self._lease.silence()

    def working(self) -> int:
        """Return the number of chats with a working thread."""
        with self._lock:
            return len(self._active)

    def drain(self, seconds: float, hurry: threading.Event) -> None:
        """Begin no run, hand queued ones and idle chats over to other servers, and wait until the live ones have ended.

        Returns after `seconds` or once `hurry` is set, too. What still runs or waits for an answer then is for `close`.
        """
        deadline = time.monotonic() + seconds
        self._leaving.set()
        self._lease.leave()
        while (self.working() or self._lease.is_leave_pending()) and time.monotonic() < deadline:
            if hurry.wait(DRAIN_POLL_SECONDS):
                return

    def close(self) -> None:
        """Stop every live run and wait a moment; what does not end is closed from outside. Queued runs stay queued."""
        self._leaving.set()
        self._closing.set()
        with self._lock:
            live = [active for active in self._active.values() if active.run is not None]
        for active in live:
            active.stop.set(SHUT_DOWN)
        self._agents.close()
        self._starter.shutdown()
        deadline = time.monotonic() + SHUTDOWN_SECONDS
        while time.monotonic() < deadline and self.working():
            time.sleep(0.01)
        with self._lock:
            active_runs = list(self._active.values())
        deadline = time.monotonic() + COMMIT_SECONDS
        for active in active_runs:
            if active.run is not None:
                self._abandon_until(active, active.run.id, deadline)
        self._lease.close()
        self.open_asks.close()

    # --- threads -------------------------------------------------------------------------------------------------

    def _kick(self, chat_id: str) -> None:
        """Make sure that a thread works the chat's queue."""
        active = self._occupy(chat_id)
        if active is not None:
            self._start_thread(active)

    def _occupy(self, chat_id: str) -> Active | None:
        """Note that the chat is worked on from now on; None if it is already, or if it has to wait."""
        with self._lock:
            if self._leaving.is_set():
                return None
            active = self._active.get(chat_id)
            if active is not None:
                # The thread may have just found the queue empty; the flag makes it look again before it ends.
                active.again = True
                return None
            # Waiting chats are served in order of arrival (a dict keeps it), each once.
            if len(self._active) >= self._max_runs:
                self._waiting[chat_id] = None
                return None
            try:
                active = self._active[chat_id] = Active(chat_id)
            except OSError as fault:  # no descriptor: the janitor tries again
                log.error("chat %s has to wait (%s)", chat_id, type(fault).__name__)
                return None
            return active

    def _start_thread(self, active: Active) -> None:
        """Have the thread started that works on a chat."""
        try:
            self._starter.submit(self._begin, active)
        except RuntimeError:  # the server ends: `close` closes a claimed run
            log.info("chat %s is not worked on any more", active.chat_id)

    def _begin(self, active: Active) -> None:
        """Start the thread that works on a chat. Without one to be had, the janitor tries again."""
        try:
            name = f"run-{active.chat_id}"
            threading.Thread(target=self._serve, args=(active,), name=name, daemon=True).start()
        except RuntimeError as fault:
            log.error("chat %s has to wait (%s)", active.chat_id, type(fault).__name__)
            with self._lock:
                self._without_thread.append(active)

    def _serve(self, active: Active) -> None:
        """Claim one run, work it, and make room for the next: the body of a run's thread."""
        try:
            self._run_next(active)
        except (DeskError, SQLAlchemyError, OSError) as fault:  # the disk, mostly; the janitor closes the run
            log.warning("chat %s could not be worked on (%s)", active.chat_id, type(fault).__name__)
        finally:
            self._leave(active)

    def _run_next(self, active: Active) -> None:
        chat_id = active.chat_id
        claim = active.claim or self._claim(active)
        if claim is None:
            return
        if claim.moved:  # perhaps between the check and the claim: the variables here are stale
            self._agents.drop(chat_id, loss("moved"))
            self._agents.lost(chat_id)  # heard, so that the next run is not told
        started_at = time.monotonic()
        try:
            ctx = ClaimedRun(
                self._store,
                self.asks,
                claim,
                active.stop,
                file_limit=self._file_limit,
                history=self._history,
                ask_rules=self._ask_rules,
                hide=self._hide,
                # A client that saw the end may send its next message before this thread goes on.
                on_closed=functools.partial(self._free, active),
            )
        except OSError as fault:  # the chat's folder cannot be made
            closing = storage_failure(claim.run.id, fault)
            if close_from_outside(self._store, claim.run, closing, closing.message):
                self.ended[closing.type] += 1
                self._report(claim.run, closing)
            return
        options = RunOptions.read(claim.run.options)
        message = with_reading(claim.run.message, options.reading)
        message = with_context(message, options.context, options.shared_state)
        closing = work(LazyAgent(self._agents, claim, active, self._telemetry), message, ctx)
        if self._telemetry is not None:
            self._telemetry.leave(claim.run.id)
        if closing is None:
            return
        self.ended[closing.type] += 1
        self._report(
            claim.run,
            closing,
            active.options,
            seconds=round(time.monotonic() - started_at, 3),
            **ctx.usage.facts(),
        )

    def _claim(self, active: Active) -> Claim | None:
        """Claim the next run of a chat, if this server is to begin it."""
        chat_id = active.chat_id
        if self._leaving.is_set() or self._held.is_left_to_another(chat_id):
            return None
        claimant = self._claimant(chat_id, self._agents.lost(chat_id))
        claim = self._store.submit(lambda tx: run_queue.claim_next(tx, chat_id, claimant)).result()
        if claim is not None:
            self._accept(active, claim)
        return claim

    def _accept(self, active: Active, claim: Claim) -> None:
        """Note a run that this server has claimed; it can be stopped from now on."""
        self._held.add(active.chat_id)
        with self._lock:
            active.again = active.again or claim.more
            active.run = claim.run
            # A stop may arrive between the claim's commit and this line. It was noted in `early` under the same lock.
            stop_request = active.early.get(claim.run.id)
        if stop_request is not None:
            self._stop(claim.run, stop_request)
        if self._closing.is_set():  # `close` may have looked before it could see this run
            active.stop.set(SHUT_DOWN)

    def _report(
        self,
        run: run_rows.RunInfo,
        closing: ClosingEvent,
        options: RunOptions | None = None,
        **facts: float | None,
    ) -> None:
        """Log one line for a run that ended. Without `options`, name the agent that the chat would choose now."""
        who = self._agents.who(options or self._agents.choose(run.chat_id, RunOptions.read(run.options)))
        code = closing.code if isinstance(closing, RunFailed) else None
        state = closing.type.removeprefix("run_")
        log_event(log, "run", run=run.id, chat=run.chat_id, **who, state=state, code=code, **facts)

    def _leave(self, active: Active) -> None:
        active.stop.close()
        self._free(active)

    def _free(self, active: Active) -> None:
        """Make room for the chat's next run, and for a chat that waits; from any thread, once or again."""
        with self._lock:
            mine = self._active.get(active.chat_id) is active and not active.abandoned
            if mine:
                del self._active[active.chat_id]
            kick: list[str] = []
            if self._waiting and len(self._active) < self._max_runs:
                chat_id = next(iter(self._waiting))
                del self._waiting[chat_id]
                # Fairness: a chat with a long queue goes behind the chat that waited for a thread.
                kick.append(chat_id)
            if mine and active.again:
                kick.append(active.chat_id)  # after the chat that waits for its turn
        for chat_id in kick:
            self._kick(chat_id)

    # --- stopping ------------------------------------------------------------------------------------------------

    def _stop(self, run: run_rows.RunInfo, reason: str) -> None:
        with self._lock:
            active = self._active.get(run.chat_id)
            # The thread may be claiming this very run: note the stop, and it finds it after the claim.
            if active is not None and active.run is None:
                active.early[run.id] = reason
            if active is None or active.run is None or active.run.id != run.id:
                return  # another server's, perhaps: the row tells it
            if active.stop_requested_at is None:
                active.stop_requested_at = time.monotonic()
        self._store.followers.notify(run.chat_id, StopRequested(run.id))
        active.stop.set(reason)

    def _abandon_until(self, active: Active, run_id: str, deadline: float) -> None:
        """Abandon a run before the server ends, which a database that does not answer must not hold up."""
        try:
            self._abandon(active, max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            log.warning("run %s could not be closed: the next start, or another server, does it", run_id)

    def _abandon(self, active: Active, seconds: float | None = None) -> None:
        """Close a run whose thread does not return; the store refuses what that thread writes later.

        Raises TimeoutError if the store takes longer than `seconds`.
        """
        assert active.run is not None
        with self._lock:
            if self._active.get(active.chat_id) is not active or active.abandoned:
                return  # it came back in the last moment
            active.abandoned = True  # until the child is gone, the chat's next run must not begin
        reason = active.stop.reason or SHUT_DOWN
        try:
            closing = RunCancelled(reason=reason, code=code_of(reason))
            if close_from_outside(self._store, active.run, closing, reason, seconds):
                self.abandoned += 1
                self.ended["run_cancelled"] += 1
                log_event(log, "abandoned", logging.WARNING, run=active.run.id, chat=active.chat_id)
                self._report(active.run, closing, active.options)
            self._agents.drop(active.chat_id, loss("abandoned"))
        finally:
            with self._lock:
                del self._active[active.chat_id]
            self._kick(active.chat_id)

    # --- other servers -------------------------------------------------------------------------------------------

    def _on_change(self, chat_ids: set[str] | None) -> None:
        """Another server touched these chats (None: any): a stop, an answer or a message may be for a run of ours."""
        with self._lock:
            ours = {chat_id for chat_id in self._active if chat_ids is None or chat_id in chat_ids}
        if chat_ids is None:
            self._janitor.soon()
        idle = self._held.with_queue((chat_ids or set()) - ours)
        if ours:
            for run in self._store.read(
                lambda connection: run_rows.runs_to_stop(connection, ours), snapshot=False
            ):
                self._stop(run, run.cancel_reason or "")
            self.asks.wake_waiters(ours)
        for chat_id in (*ours, *idle) if chat_ids is not None else ():
            self._kick(chat_id)

    # --- for the janitor -----------------------------------------------------------------------------------------

    def abandon_unresponsive(self) -> None:
        """Close the runs that were asked to stop and did not. Start the threads that could not be had before."""
        with self._lock:
            delayed, self._without_thread = self._without_thread, []
        for active in delayed:
            if active.abandoned:
                active.stop.close()
            else:
                self._start_thread(active)
        now = time.monotonic()
        with self._lock:
            actives = list(self._active.values())
        for active in actives:
            stop_requested_at = active.stop_requested_at
            if (
                active.run is not None
                and stop_requested_at is not None
                and now - stop_requested_at > self._abandon_after
            ):
                self._abandon(active)

    def work_queue(self, chat_id: str) -> None:
        """Work a chat's queue, unless a thread of this server does already."""
        if not self._is_worked_on(chat_id):
            self._kick(chat_id)

    def idle_chats(self) -> list[str]:
        """Return the chats that this server holds and has nothing of any more."""
        with self._lock:
            active = set(self._active)
        return self._held.idle(active)

    def note_released(self, chat_ids: Collection[str]) -> None:
        """Forget chats that this server no longer holds."""
        with self._lock:
            self._held.discard(set(chat_ids).difference(self._active))

    def close_stray(self, run: run_rows.RunInfo, why: RunFailed) -> None:
        """Close a run without a working thread, and continue the chat's queue."""
        # asked after the rows were read: a run is in here from before its claim until after its end
        if self._is_worked_on(run.chat_id):
            return
        closing = why if run.cancel_reason is None else RunCancelled(reason=run.cancel_reason)
        reason = RESTART if why is RESTARTED else why.message
        if close_from_outside(self._store, run, closing, run.cancel_reason or reason):
            self.ended[closing.type] += 1
            self._report(run, closing)
        self._kick(run.chat_id)

    def _is_worked_on(self, chat_id: str) -> bool:
        with self._lock:
            return chat_id in self._active or chat_id in self._waiting
