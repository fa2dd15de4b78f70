"""Rows of runs: what there is to read of them, and their state."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, or_, select, update

from smoldesk.errors import NotFound
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow, RunRow
from smoldesk.store.transaction import Tx

OPEN_STATES = ("queued", "running", "waiting")
LIVE_STATES = ("running", "waiting")


@dataclass(frozen=True)
class RunInfo:
    """Row of a run; `cancel_reason` is set by a request to stop, `options` is RunOptions as JSON."""

    id: str
    chat_id: str
    state: str
    message: str
    cancel_reason: str | None
    options: str | None = None


_RUN_COLUMNS = (
    RunRow.id,
    RunRow.chat_id,
    RunRow.state,
    RunRow.message,
    RunRow.cancel_reason,
    RunRow.options,
)
IS_OPEN = or_(*(RunRow.state == state for state in OPEN_STATES))
_OPEN_RUNS = CompiledStatement(
    select(*_RUN_COLUMNS, RunRow.position).where(RunRow.chat_id == bindparam("chat"), IS_OPEN)
)
NEW_STATE = (
    update(RunRow)
    .where(RunRow.id == bindparam("run"))
    .values(state=bindparam("new"), changed_at=bindparam("now"))
)
_SET_STATE = CompiledStatement(NEW_STATE)


def set_state(tx: Tx, run_id: str, state: str) -> None:
    """Note the state of an open run."""
    _SET_STATE.run(tx.connection, {"run": run_id, "new": state, "now": tx.now})


def get_run(connection: Connection, run_id: str) -> RunInfo:
    """Return a run. Raises NotFound."""
    row = connection.execute(select(*_RUN_COLUMNS).where(RunRow.id == run_id)).first()
    if row is None:
        raise NotFound(f"There is no run {run_id[:40]!r}.")
    return RunInfo(*row)


def open_runs(connection: Connection, chat_id: str) -> list[RunInfo]:
    """Return the open runs of a chat, oldest first."""
    rows = _OPEN_RUNS.rows(connection, {"chat": chat_id})
    # sorted here: with ORDER BY, SQLite would walk the closed runs too, on an index in that order
    return [RunInfo(*row[:-1]) for row in sorted(rows, key=lambda row: row[-1])]


def orphaned_runs(connection: Connection, now: float, data_dir_id: str) -> list[tuple[RunInfo, str | None]]:
    """Live runs whose server is gone, and that server: its lease ran out, or it had this data directory, now ours."""
    query = (
        select(*_RUN_COLUMNS, ChatRow.owner)
        .join(ChatRow, ChatRow.id == RunRow.chat_id)
        .where(RunRow.state.in_(LIVE_STATES))
        .where(
            or_(
                ChatRow.lease_until.is_(None),
                # The lease has ended: its server could not renew it.
                ChatRow.lease_until < now,
                ChatRow.owner.startswith(f"{data_dir_id}:", autoescape=True),
            )
        )
    )
    return [(RunInfo(*row[:-1]), row[-1]) for row in connection.execute(query)]


def runs_to_stop(connection: Connection, chat_ids: Collection[str]) -> list[RunInfo]:
    """Return the live runs of these chats that have a request to stop."""
    query = select(*_RUN_COLUMNS).where(RunRow.chat_id.in_(chat_ids), RunRow.state.in_(LIVE_STATES))
    return [RunInfo(*row) for row in connection.execute(query.where(RunRow.cancel_reason.is_not(None)))]


def same_server(owner: str | None, other: str) -> bool:
    """Return whether both names are of one data directory, before and after a restart; None matches every server."""
    return owner is None or owner.partition(":")[0] == other.partition(":")[0]


def last_owner(connection: Connection, chat_id: str) -> str | None:
    """Return the last server that worked on a chat."""
    return connection.execute(select(ChatRow.owner).where(ChatRow.id == chat_id)).scalar_one_or_none()


def chats_with_queue(
    connection: Connection, owner: str, now: float, updated_before: float | None = None
) -> list[str]:
    """Return the chats in which a run waits to be started and that are ours or unowned, the one that waited longest first.

    With `updated_before`, only those where nothing happened since then, or that this data directory had last: where other
    servers share the database, what was asked there is theirs to begin, unless they do not.
    """
    query = select(RunRow.chat_id).join(ChatRow, ChatRow.id == RunRow.chat_id).where(RunRow.state == "queued")
    query = query.where(or_(ChatRow.owner == owner, ChatRow.lease_until.is_(None), ChatRow.lease_until < now))
    if updated_before is not None:
        ours = ChatRow.owner.startswith(f"{owner.partition(':')[0]}:", autoescape=True)
        query = query.where(or_(ours, ChatRow.updated_at < updated_before))
    query = query.group_by(RunRow.chat_id)
    return list(connection.execute(query.order_by(func.min(RunRow.created_at))).scalars())
