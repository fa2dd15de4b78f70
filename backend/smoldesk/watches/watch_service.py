"""Watches: the service, and the task of each server that finds watches to check and deliveries to send."""

import asyncio
import contextlib
import logging
import random
import threading
import time
from collections.abc import AsyncGenerator, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import BadInput, Conflict, DeskError
from smoldesk.events import FileAdded, FileChanged, FileRemoved, StoredEvent
from smoldesk.logs import DESK, acting
from smoldesk.reruns import RecordedTurn, Replay, Reruns
from smoldesk.runs import Runs
from smoldesk.store import watches as rows
from smoldesk.store.sealing import Seal
from smoldesk.store.store import Store
from smoldesk.store.watches import StoredDelivery, StoredTurn, StoredWatch
from smoldesk.watches.checks import WatchChecks, next_check
from smoldesk.watches.deliveries import PAUSES, Deliverer, DeliveryRules, NotSent, new_secret
from smoldesk.watches.inputs import changed_watches, input_version, named_files
from smoldesk.watches.values import NoValue, decide, figures_of, unmatched_of, value_of
from smoldesk.watches.watch import LastCheck, Report, Target, Value, WatchBody, WatchChange

if TYPE_CHECKING:
    from smoldesk.tables.shared_folders import SharedFolders

TICK_SECONDS = 0.5
# Seconds between two looks at shared files, and at everything (another server may have died in the middle of a check).
SHARED_SECONDS, COMPLETE_SECONDS = 2.0, 10.0
# Seconds in which inputs must not change again before a check.
SETTLE_SECONDS = 1.0
# Checks and deliveries at a time.
MAX_CHECKS, MAX_SENDING = 8, 8
MAX_NOTICES = 50
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WatchRecord:
    """A watch for those who list watches."""

    stored: StoredWatch
    body: WatchBody
    last: LastCheck

    @classmethod
    def of(cls, stored: StoredWatch) -> "WatchRecord":
        body = WatchBody.model_validate_json(stored.body)
        return cls(stored, body, LastCheck.model_validate_json(stored.last))


@dataclass(frozen=True)
class Notice:
    """Report that nobody has read."""

    turn: StoredTurn
    chat_id: str
    title: str
    report: Report


@dataclass(frozen=True)
class NoticeList:
    """The newest unread reports of all watches, and the number of all."""

    notices: tuple[Notice, ...]
    count: int


class Watches:
    """Watches of a desk. Methods raise NotFound for an unknown chat, run or watch."""

    def __init__(
        self,
        store: Store,
        runs: Runs,
        reruns: Reruns,
        shared: "SharedFolders",
        seal: Seal,
        rules: DeliveryRules,
    ) -> None:
        self._store, self._runs, self._reruns, self._shared = store, runs, reruns, shared
        self._seal, self.rules = seal, rules
        self._checks = WatchChecks(store, runs, reruns)
        self._deliverer = Deliverer(rules, seal)
        self._lock = threading.Lock()
        self._changed: set[str] = set()
        self._looked_at: dict[str, float] = {}
        self._checking: set[str] = set()
        self._waiting: dict[str, StoredWatch] = {}
        self._settling: dict[str, tuple[str, float]] = {}
        """New versions of watches' inputs, each with the time since when it is the version."""
        self._sending: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()
        self._notices = NoticeList((), 0)
        self._told = asyncio.Condition()
        self._followers = 0

    # --- service -----------------------------------------------------------------------------------------------------

    async def problem(self, chat_id: str, run_id: str) -> Conflict | None:
        """Return why a run cannot be watched, as an error that nobody raised; None if it can."""
        try:
            _check_turns(await self._reruns.turns(chat_id, run_id), self._reruns.agent_problem)
        except Conflict as fault:
            return fault
        return None

    async def create(self, chat_id: str, body: WatchBody) -> tuple[WatchRecord, str | None]:
        """Watch something of a chat; return the watch, and the secret of its webhook, which cannot be asked for again.

        Its run is played again once: what that does not give cannot be watched. Raises BadInput, Refused, Conflict.
        """
        for address in body.mail:
            self.rules.check_mail(address)
        if body.webhook is not None:
            self.rules.check_webhook(body.webhook)
        if not body.on_change and body.cron is None:
            raise BadInput(
                "The watch is never checked.", "Expected `on_change` or `cron`.", code="no_trigger"
            )
        next_check(body, time.time())
        if (body.target.kind == "room") == (body.run_id is not None):
            raise BadInput("Expected `runId`, except for a room, which has none.", code="bad_target")
        body, last = await self._baseline(chat_id, body)
        secret = new_secret() if body.webhook else None
        stored = StoredWatch(
            id=rows.new_watch_id(),
            chat_id=chat_id,
            body=body.model_dump_json(),
            sealed=await asyncio.to_thread(self._seal.seal, secret) if secret else None,
            state="active",
            turn=1,
            next_at=next_check(body, time.time()),
            inputs=await self._store.aread(lambda c: input_version(c, chat_id, body)),
            last=last.model_dump_json(),
            created_at=time.time(),
        )
        await self._store.do(lambda tx: rows.add_watch(tx, stored))
        return WatchRecord.of(stored), secret

    async def _baseline(self, chat_id: str, body: WatchBody) -> tuple[WatchBody, LastCheck]:
        """Compute the first value. Raises Conflict if there is none."""
        try:
            if body.run_id is None:
                value, unmatched = await self._checks.value(chat_id, body, 0), 0
            else:
                body, value, unmatched = await self._first_value(chat_id, body, body.run_id)
        except NoValue as fault:
            if fault.is_absent and body.condition.kind == "appears":
                return body, LastCheck()
            raise Conflict(
                f"This cannot be watched. {fault.message}",
                "Ask the question again, or watch another part.",
                code=fault.code,
            ) from fault
        if body.condition.value is not None and value.number is None:
            raise BadInput(
                f"{value.text[:80]!r} is not one number, so it is not above or below another one.",
                "Choose a figure or a cell.",
                code="not_a_number",
            )
        _, holds = decide(body.condition, LastCheck(), value, False)
        return body, LastCheck(value=value, holds=holds, unmatched=unmatched)

    async def _first_value(self, chat_id: str, body: WatchBody, run_id: str) -> tuple[WatchBody, Value, int]:
        turns = await self._reruns.turns(chat_id, run_id)
        _check_turns(turns, self._reruns.agent_problem)
        async with self._reruns.played(chat_id, run_id) as replay:
            value = value_of(body.target, replay, unmatched_of(replay))
            _check_computed(body.target, turns[-1], replay)
            unmatched = unmatched_of(replay)
        cells = [cell for turn in turns for cell in turn.cells]
        shared = named_files(await asyncio.to_thread(self._shared.files), cells)
        polls = any("sql_engine" in cell and "database" in cell for cell in cells)
        title = body.title or " ".join(turns[-1].message.split())[:120]
        return (
            body.model_copy(update={"shared": shared, "polls": polls, "title": title}),
            value,
            unmatched,
        )

    async def of_chat(self, chat_id: str | None) -> list[WatchRecord]:
        """Return the watches of a chat, or of all chats, newest first."""
        stored = await self._store.aread(lambda connection: rows.list_watches(connection, chat_id))
        return [WatchRecord.of(watch) for watch in stored]

    async def get(self, watch_id: str) -> WatchRecord:
        """Return a watch."""
        return WatchRecord.of(await self._store.aread(lambda c: rows.get_watch(c, watch_id)))

    async def history(self, watch_id: str) -> tuple[list[StoredTurn], list[StoredDelivery]]:
        """Return what a watch reported, newest first, and the deliveries."""
        await self.get(watch_id)
        turns = await self._store.aread(lambda connection: rows.read_turns(connection, watch_id))
        return turns, await self._store.aread(lambda connection: rows.read_deliveries(connection, watch_id))

    async def change(self, watch_id: str, change: WatchChange) -> WatchRecord:
        """Change a watch, pause it or let it go on. Raises BadInput, Refused."""
        record = await self.get(watch_id)
        values = change.model_dump(exclude_none=True, exclude={"paused", "condition"})
        if change.condition is not None:
            values["condition"] = change.condition
        body = record.body.model_copy(update=values)
        for address in change.mail or ():
            self.rules.check_mail(address)
        if not body.on_change and body.cron is None:
            raise BadInput(
                "The watch is never checked.", "Expected `on_change` or `cron`.", code="no_trigger"
            )
        is_paused = record.stored.state == "paused" if change.paused is None else change.paused
        last = record.last.model_copy(update={} if is_paused else {"failures": 0})
        stored = await self._store.do(
            lambda tx: rows.change_watch(
                tx,
                watch_id,
                body=body.model_dump_json(),
                state="paused" if is_paused else "active",
                next_at=None if is_paused else next_check(body, time.time()),
                last=last.model_dump_json(),
            )
        )
        self._look_at([stored.chat_id])
        return WatchRecord.of(stored)

    async def remove(self, watch_id: str) -> None:
        """Delete a watch with its history."""
        await self._store.do(lambda tx: rows.remove_watch(tx, watch_id))
        self._looked_at.pop("notices", None)

    async def see(self, watch_id: str | None = None) -> None:
        """Mark the reports of a watch as read, or all of them."""
        await self._store.do(lambda tx: rows.see_turns(tx, watch_id))
        self._looked_at.pop("notices", None)

    async def notices(self) -> NoticeList:
        """Return the unread reports."""
        found, count = await self._store.aread(lambda c: rows.unseen_turns(c, MAX_NOTICES))
        return NoticeList(
            tuple(
                Notice(
                    turn,
                    chat_id,
                    WatchBody.model_validate_json(body).title,
                    Report.model_validate_json(turn.body),
                )
                for turn, chat_id, body in found
            ),
            count,
        )

    async def follow(self) -> AsyncGenerator[NoticeList]:
        """Yield the unread reports now and after each change, until the desk closes."""
        self._followers += 1
        try:
            sent = self._notices = await self.notices()
            yield sent
            while not self._closing.is_set():
                async with self._told:
                    if self._notices is sent:
                        await self._told.wait()
                sent = self._notices
                yield sent
        finally:
            self._followers -= 1

    # --- task --------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin; on the event loop."""
        self._store.listen_commits(self._on_commit)
        self._store.listen(self._on_change)
        self._start(self._run())

    async def close(self) -> None:
        """End the task, the checks and the deliveries: other servers, or the next start, do them."""
        self._closing.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_commit(self, events: list[StoredEvent]) -> None:
        self._look_at(
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
            self._look_at([*chat_ids])

    def _look_at(self, chat_ids: Sequence[str]) -> None:
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
        due = await self._store.aread(lambda c: rows.due_watches(c, time.time(), 4 * MAX_CHECKS))
        for watch in [*due, *await self._with_new_inputs()]:
            self._waiting[watch.id] = watch
        self._begin_checks()
        await self._send_due()
        if self._followers and self._is_time("notices", SHARED_SECONDS):
            await self._tell()

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
        found = await self._store.aread(lambda c: changed_watches(c, None if looks_at_all else changed))
        now = time.monotonic()
        since = {watch.id: self._settling.get(watch.id, ("", now)) for watch, _ in found}
        settling = {
            watch.id: (version, since[watch.id][1] if since[watch.id][0] == version else now)
            for watch, version in found
        }
        self._settling = {**({} if looks_at_all else self._settling), **settling}
        self._look_at([watch.chat_id for watch, _ in found])
        return [
            watch
            for watch, _ in found
            if now - settling[watch.id][1] >= SETTLE_SECONDS or WatchRecord.of(watch).body.run_id is None
        ]

    async def _check(self, watch: StoredWatch) -> None:
        try:
            if await self._checks.check(watch):
                self._look_at([watch.chat_id])  # its inputs may have changed during the check
                self._looked_at.pop("notices", None)
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

    async def _tell(self) -> None:
        now = await self.notices()
        if now != self._notices:
            async with self._told:
                self._notices = now
                self._told.notify_all()


def _check_turns(turns: Sequence[RecordedTurn], agent_problem: Any) -> None:
    """Raise Conflict for a run that cannot be watched."""
    last = turns[-1]
    code = agent_problem(last.options.agent or "")
    if last.answer is None:
        raise _unwatchable("not_answered", "The run has no answer.")
    if code or (not last.options.is_code and not last.recording.replies):
        raise _unwatchable(code or "no_recording", "What this agent did cannot be played again from the log.")
    if tools := list(dict.fromkeys(tool for turn in turns for tool in turn.recorded_tools)):
        raise _unwatchable(
            "uses_tools",
            f"The answer depends on tools that are not called without a person: {', '.join(tools)[:200]}.",
        )


def _unwatchable(code: str, message: str) -> Conflict:
    return Conflict(f"This answer cannot be watched. {message}", code=code)


def _check_computed(target: Target, turn: RecordedTurn, replay: Replay) -> None:
    """Raise NoValue if the watched text is one that the model wrote, which would never change."""
    if target.kind not in ("answer", "figure") or turn.options.is_code:
        return
    replies = turn.recording.replies.get("")
    written = replies[-1] if replies else ""
    figures = figures_of(replay)
    texts = [figures[target.index].text] if target.kind == "figure" else [figure.text for figure in figures]
    if not texts:
        texts = [(replay.answer or "").strip()]
    if all(text in written for text in texts):
        raise NoValue(
            "written_by_model",
            "The text was written by the model and does not follow its data. Watch a table or a chart instead.",
        )
