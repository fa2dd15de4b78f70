"""Watches: the service that creates, lists, changes and deletes them."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smoldesk.errors import BadInput, Conflict
from smoldesk.reruns import RecordedTurn, Replay, Reruns
from smoldesk.runs import Runs
from smoldesk.store import watches as rows
from smoldesk.store.sealing import Seal
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.store.watches import StoredDelivery, StoredTurn, StoredWatch
from smoldesk.watches.checks import WatchChecks, next_check
from smoldesk.watches.deliveries import Deliverer, DeliveryRules, new_secret
from smoldesk.watches.inputs import input_version, named_files
from smoldesk.watches.notices import NoticeFeed
from smoldesk.watches.values import NoValue, decide, figures_of, unmatched_of, value_of
from smoldesk.watches.watch import Condition, LastCheck, Target, Value, WatchBody, WatchChange
from smoldesk.watches.watch_task import WatchTask

if TYPE_CHECKING:
    from smoldesk.tables.shared_folders import SharedFolders


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
        self.notices = NoticeFeed(store)
        self._checks = WatchChecks(store, runs, reruns, shared.stamp_of)
        self._task = WatchTask(store, runs, self._checks, Deliverer(rules, seal), self.notices)

    def open(self) -> None:
        """Begin to look for due checks and deliveries; on the event loop."""
        self._task.open()

    async def close(self) -> None:
        """End the task, the checks and the deliveries: other servers, or the next start, do them."""
        await self._task.close()

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
        _next_check(body)
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
            next_at=_next_check(body),
            inputs=await self._store.aread(lambda c: input_version(c, chat_id, body, self._shared.stamp_of)),
            last=last.model_dump_json(),
            created_at=time.time(),
        )
        await self._store.do(lambda tx: rows.add_watch(tx, stored))
        self._task.look_at([chat_id])
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
        holds = _holds_at_first(body.condition, LastCheck(value=value))
        return body, LastCheck(value=value, holds=holds, unmatched=unmatched)

    async def _first_value(self, chat_id: str, body: WatchBody, run_id: str) -> tuple[WatchBody, Value, int]:
        turns = await self._reruns.turns(chat_id, run_id)
        _check_turns(turns, self._reruns.agent_problem)
        async with self._reruns.played(chat_id, run_id) as replay:
            unmatched = unmatched_of(replay)
            value = await asyncio.to_thread(value_of, body.target, replay, unmatched)
            _check_computed(body.target, turns[-1], replay)
        cells = [cell for turn in turns for cell in turn.cells]
        stamps = await asyncio.to_thread(self._shared.files)
        shared = named_files([name for name, _, _ in stamps], cells)
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
        for address in change.mail or ():
            self.rules.check_mail(address)

        def job(tx: Tx) -> StoredWatch:
            # What a check stored since would be lost if it were read before.
            record = WatchRecord.of(rows.get_watch(tx.connection, watch_id))
            return rows.change_watch(tx, watch_id, **_changed_columns(record, change))

        stored = await self._store.do(job)
        self._task.look_at([stored.chat_id])
        return WatchRecord.of(stored)

    async def remove(self, watch_id: str) -> None:
        """Delete a watch with its history."""
        await self._store.do(lambda tx: rows.remove_watch(tx, watch_id))
        self.notices.is_old = True


def _changed_columns(record: WatchRecord, change: WatchChange) -> dict[str, Any]:
    """Return the columns of a watch after a change. Raises BadInput."""
    values = change.model_dump(exclude_none=True, exclude={"paused", "condition"})
    body, last = record.body.model_copy(update=values), record.last
    if change.condition is not None:
        body = body.model_copy(update={"condition": change.condition})
        last = last.model_copy(update={"holds": _holds_at_first(change.condition, last)})
    is_paused = record.stored.state == "paused" if change.paused is None else change.paused
    next_at = _next_check(body)
    return {
        "body": body.model_dump_json(),
        "state": "paused" if is_paused else "active",
        "next_at": None if is_paused else next_at,
        "last": last.model_copy(update={} if is_paused else {"failures": 0}).model_dump_json(),
    }


def _next_check(body: WatchBody) -> float | None:
    """Return the time of the next check. Raises BadInput for a watch that is never checked, or an invalid time."""
    if not body.on_change and body.cron is None:
        raise BadInput("The watch is never checked.", "Expected `on_change` or `cron`.", code="no_trigger")
    return next_check(body, time.time())


def _holds_at_first(condition: Condition, last: LastCheck) -> bool:
    """Return whether a new condition holds already, so that only a later change is reported. Raises BadInput."""
    value = last.value
    if condition.value is not None and value is not None and value.number is None:
        raise BadInput(
            f"{value.text[:80]!r} is not one number, so it is not above or below another one.",
            "Choose a figure or a cell.",
            code="not_a_number",
        )
    _, holds = decide(condition, LastCheck(), value, last.failures > 0)
    return holds


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
