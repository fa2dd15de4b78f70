"""Closing runs from outside: those of a server that is gone, and those whose thread will not come back."""

from smoldesk.errors import Conflict
from smoldesk.events import ClosingEvent, RunEvent, RunFailed
from smoldesk.runs.asking import say_ends
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.runs.worker import said_before
from smoldesk.store import event_log, run_queue, run_rows
from smoldesk.store.asks import deny_open
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

RESTART = "The server restarted"
RESTARTED = RunFailed(
    code="server_restarted",
    message="The server restarted while this was running.",
    hint="Ask again to run it anew.",
)

LOST = RunFailed(
    code="run_lost",
    message="This run broke off: the server could not work on it any more.",
    hint="Ask again to run it anew.",
)


def close_from_outside(store: Store, run: run_rows.RunInfo, closing: ClosingEvent, reason: str) -> bool:
    """Close a run without its thread, fencing it; False when it was closed already."""

    def job(tx: Tx) -> tuple[OpenEnds, list[RunEvent]]:
        ends = OpenEnds()
        rows = event_log.read_events(
            tx.connection, run.chat_id, limit=10_000_000, run_id=run.id, types=LOOSE_TYPES
        )
        ends.note(event_log.parsed(body) for _, _, _, body in rows)
        by = "restart" if closing is RESTARTED else "stop"
        deny_open(tx, run.id, reason, by, ends.asks())
        closed = ends.closing(reason, by)
        run_queue.close_run(tx, run, None, [*closed, *said_before(closing), closing])
        return ends, closed

    try:
        say_ends(run, *store.submit(job, run.id).result())
    except Conflict:
        return False
    return True


LOOSE_TYPES = ("tool_called", "tool_returned", "tool_failed", "ask_opened", "ask_closed")


def recover(store: Store, now: float) -> int:
    """At start-up: close the runs of servers that are gone; queued ones are kept. Returns how many were closed."""
    runs = store.read(lambda connection: run_rows.orphaned_runs(connection, now, store.data_dir.id))
    return sum(close_from_outside(store, run, RESTARTED, RESTART) for run, _ in runs)
