"""Rows of runs: what there is to read of them, and their state."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, or_, select, update

from smoldesk.errors import NotFound
from smoldesk.store.heartbeats import living, serving
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow, RunRow
from smoldesk.store.transaction import Holder, Tx

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
# Every server asks every other second, and mostly there is none.
_FIRST_QUEUED = CompiledStatement(select(RunRow.id).where(RunRow.state == "queued").limit(1))
_HOLDER = CompiledStatement(select(ChatRow.owner, ChatRow.is_held).where(ChatRow.id == bindparam("chat")))


def set_state(tx: Tx, run_id: str, state: str) -> None:
    """Note the state of an open run."""
    _SET_STATE.run(tx.unflushed, {"run": run_id, "new": state, "now": tx.now})


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


def orphaned_runs(
    connection: Connection, silence: float, data_dir_id: str
) -> list[tuple[RunInfo, str | None]]:
    """Live runs whose server is gone, and that server: it was silent for longer, or had this data directory, now ours."""
    query = (
        select(*_RUN_COLUMNS, ChatRow.owner)
        .join(ChatRow, ChatRow.id == RunRow.chat_id)
        .where(RunRow.state.in_(LIVE_STATES))
        .where(
            or_(
                ChatRow.owner.is_(None),
                ChatRow.owner.not_in(living(connection, silence)),
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


def holder_of(connection: Connection, chat_id: str) -> Holder:
    """Return the last server that worked on a chat; nobody if there is no such chat."""
    rows = _HOLDER.rows(connection, {"chat": chat_id})
    return Holder(*rows[0]) if rows else Holder(None, None)


def with_queue(connection: Connection, chat_ids: Collection[str]) -> set[str]:
    """Return those of these chats in which a run waits to be started."""
    query = select(RunRow.chat_id).where(RunRow.chat_id.in_(chat_ids), RunRow.state == "queued")
    return set(connection.execute(query).scalars())


def chats_with_queue(
    connection: Connection, owner: str, silence: float, updated_before: float = 0.0
) -> list[str]:
    """Return the chats in which a run waits to be started by this server, the one that waited longest first.

    Chats that another server holds, and messages that another one received, are its to begin, unless it is leaving or was
    silent for longer. What is not begun where it was received is anybody's when nothing happened since `updated_before`.
    """
    if _FIRST_QUEUED.value(connection, {}) is None:
        return []
    others = serving(connection, silence) - {owner}
    query = select(RunRow.chat_id).join(ChatRow, ChatRow.id == RunRow.chat_id).where(RunRow.state == "queued")
    if others:
        is_held = ChatRow.is_held.is_(True)
        is_ours = or_(
            is_held & (ChatRow.owner == owner),
            RunRow.received_by.is_(None),
            RunRow.received_by.not_in(others),
            ChatRow.updated_at < updated_before,
        )
        query = query.where(~func.coalesce(is_held & ChatRow.owner.in_(others), False), is_ours)
    query = query.group_by(RunRow.chat_id)
    return list(connection.execute(query.order_by(func.min(RunRow.created_at))).scalars())
