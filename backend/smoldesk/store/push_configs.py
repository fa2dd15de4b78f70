"""Push configurations of clients: stored until their chat is deleted, so that a restart still reports a run's end.

The client's token and credentials are stored as given, and never logged.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.tables import PushConfigRow, RunRow
from smoldesk.store.transaction import Tx

# Maximum configurations of one run.
MOST = 20


@dataclass(frozen=True)
class PushConfig:
    """Push address of one run. `told_seq` is the seq of the last event that was sent, `base` starts addresses in events."""

    run_id: str
    id: str
    chat_id: str
    url: str
    token: str = ""
    scheme: str = ""
    credentials: str = ""
    base: str = ""
    told_seq: int = 0
    is_over: bool = False


_COLUMNS = (
    PushConfigRow.run_id,
    PushConfigRow.id,
    PushConfigRow.chat_id,
    PushConfigRow.url,
    PushConfigRow.token,
    PushConfigRow.scheme,
    PushConfigRow.credentials,
    PushConfigRow.base,
    PushConfigRow.told_seq,
    PushConfigRow.is_over,
)


def save(tx: Tx, config: PushConfig) -> None:
    """Keep a configuration in place of one with its id. Raises NotFound without the run, Conflict beyond the most."""
    if tx.execute(select(RunRow.id).where(RunRow.id == config.run_id)).first() is None:
        raise NotFound(f"There is no run {config.run_id[:40]!r}.")
    tx.execute(delete(PushConfigRow).where(_is(config.run_id, config.id)))
    count = select(func.count()).select_from(PushConfigRow).where(PushConfigRow.run_id == config.run_id)
    if tx.execute(count).scalar_one() >= MOST:
        raise Conflict(
            "This task has too many push configurations.", f"At most {MOST}.", code="too_many_addresses"
        )
    tx.execute(insert(PushConfigRow), vars(config))


def of_run(connection: Connection, run_id: str) -> list[PushConfig]:
    """Return the configurations of a run, by id."""
    query = select(*_COLUMNS).where(PushConfigRow.run_id == run_id).order_by(PushConfigRow.id)
    return [PushConfig(*row) for row in connection.execute(query)]


def unfinished(connection: Connection) -> list[PushConfig]:
    """Return the configurations of all runs that still have events to send."""
    query = select(*_COLUMNS).where(PushConfigRow.is_over.is_(False)).order_by(PushConfigRow.run_id)
    return [PushConfig(*row) for row in connection.execute(query)]


def remove(tx: Tx, run_id: str, config_id: str) -> bool:
    """Forget a configuration; False when there was none."""
    gone = delete(PushConfigRow).where(_is(run_id, config_id)).returning(PushConfigRow.id)
    return tx.execute(gone).first() is not None


def record_delivery(tx: Tx, config: PushConfig, seq: int, is_over: bool) -> None:
    """Remember up to where a client was told."""
    row = _is(config.run_id, config.id)
    tx.execute(update(PushConfigRow).where(row).values(told_seq=seq, is_over=is_over))


def _is(run_id: str, config_id: str) -> Any:
    return (PushConfigRow.run_id == run_id) & (PushConfigRow.id == config_id)
