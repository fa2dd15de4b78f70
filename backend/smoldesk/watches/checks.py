"""One check of a watch: claim the turn, compute the value, decide, store the result and its deliveries."""

import asyncio
import logging
import time

from smoldesk.errors import DeskError
from smoldesk.reruns import Reruns
from smoldesk.runs import Runs
from smoldesk.store.store import Store
from smoldesk.store.watches import StoredWatch, TurnEnd, claim_turn, end_turn
from smoldesk.watches.inputs import StampOf, input_version, room_value
from smoldesk.watches.schedule import next_time
from smoldesk.watches.values import NoValue, decide, value_of
from smoldesk.watches.watch import LastCheck, Report, Value, WatchBody

# Failures in a row after which a watch is paused.
MAX_FAILURES = 5
# Seconds between two checks of a watch whose code uses a database.
POLL_SECONDS = 300.0
log = logging.getLogger(__name__)


class WatchChecks:
    """Checks watches; each turn of a watch is ended by one server only."""

    def __init__(self, store: Store, runs: Runs, reruns: Reruns, stamp_of: StampOf) -> None:
        self._store, self._runs, self._reruns = store, runs, reruns
        self.stamp_of = stamp_of

    async def check(self, watch: StoredWatch) -> bool:
        """Check a watch if no other server does. Return whether it was checked here."""
        server, silence = self._runs.server, self._runs.silence()
        if not await self._store.do(lambda tx: claim_turn(tx, watch, server, silence)):
            return False
        body, last = WatchBody.model_validate_json(watch.body), LastCheck.model_validate_json(watch.last)
        inputs = await self._store.aread(lambda c: input_version(c, watch.chat_id, body, self.stamp_of))
        value, fault = None, None
        try:
            value = await self.value(watch.chat_id, body, last.unmatched)
        except NoValue as reason:
            fault = reason
        except DeskError as reason:
            fault = NoValue(reason.code, reason.message)
        end = ended(body, last, value, fault, inputs, time.time())
        return await self._store.do(lambda tx: end_turn(tx, watch, server, end))

    async def value(self, chat_id: str, body: WatchBody, unmatched: int) -> Value:
        """Compute the value of a watch. Raises NoValue, DeskError."""
        if body.run_id is None:
            value = await self._store.aread(lambda connection: room_value(connection, chat_id, body.target))
            if value is None:
                raise NoValue("not_there", "The layer has no value of this room.", is_absent=True)
            return value
        async with self._reruns.played(chat_id, body.run_id) as replay:
            # A chart's data is a file, perhaps of a bucket.
            return await asyncio.to_thread(value_of, body.target, replay, unmatched)


def next_check(body: WatchBody, now: float) -> float | None:
    """Return the time of the next check, None if only a change brings one. Raises BadInput."""
    times = [next_time(body.cron, body.zone, now)] if body.cron else []
    if body.on_change and body.polls:
        times.append(now + POLL_SECONDS)
    return min(times, default=None)


def ended(
    body: WatchBody, last: LastCheck, value: Value | None, fault: NoValue | None, inputs: str, now: float
) -> TurnEnd:
    """Decide on the result of a check. Missed times are not made up for: the next one is after now."""
    is_absent = fault is not None and fault.is_absent and body.condition.kind in ("appears", "fails")
    has_failed = fault is not None and not (is_absent and body.condition.kind == "appears")
    fires, holds = decide(body.condition, last, value, has_failed)
    failures = last.failures + 1 if has_failed else 0
    counts = has_failed and body.condition.kind != "fails"
    is_paused = counts and failures >= MAX_FAILURES
    reports = fires or (counts and (failures == 1 or is_paused))
    after = LastCheck(
        value=value or last.value,
        holds=holds if not has_failed or body.condition.kind == "fails" else last.holds,
        failures=failures,
        code=fault.code if fault is not None else "",
        problem=fault.message if fault is not None else "",
        unmatched=last.unmatched,
    )
    report = Report(
        text=value.text if value is not None else "",
        previous=last.value.text if last.value is not None else None,
        code=after.code,
        problem=after.problem,
        is_paused=is_paused,
    )
    recipients = [("mail", address) for address in body.mail]
    recipients += [("webhook", body.webhook)] if body.webhook else []
    return TurnEnd(
        state="failed" if reports and not fires else "fired" if fires else "quiet",
        report=report.model_dump_json(),
        watch_state="paused" if is_paused else "active",
        next_at=None if is_paused else next_check(body, now),
        inputs=inputs,
        last=after.model_dump_json(),
        recipients=recipients if reports else (),
    )
