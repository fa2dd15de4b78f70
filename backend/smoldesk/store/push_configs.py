"""Push configurations of clients: stored until their chat is deleted, so that a restart still reports a run's end.

The client's token and credentials are stored as given, and never logged.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.heartbeats import living
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import PushConfigRow, RunRow
from smoldesk.store.transaction import Tx

# Maximum configurations of one run.
MOST = 20


@dataclass(frozen=True)
class PushConfig:
    """Push address of one run. `told_seq` is the seq of the last event that was sent, `base` starts addresses in events.

    `sender` is the server that sends.
    """

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
    sender: str | None = None


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
    PushConfigRow.sender,
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
    # Only the host: the remaining address may contain a secret.
    tx.audit("push.added", config.run_id, urlsplit(config.url).hostname or "", config.chat_id)


def of_run(connection: Connection, run_id: str) -> list[PushConfig]:
    """Return the configurations of a run, by id."""
    query = select(*_COLUMNS).where(PushConfigRow.run_id == run_id).order_by(PushConfigRow.id)
    return [PushConfig(*row) for row in connection.execute(query)]


def sent_by(connection: Connection, run_id: str, config_id: str, sender: str) -> PushConfig | None:
    """Return a configuration if it is there, and this server sends its events."""
    query = select(*_COLUMNS).where(_is(run_id, config_id), PushConfigRow.sender == sender)
    row = connection.execute(query).first()
    return None if row is None else PushConfig(*row)


# Every server asks every other second, and mostly there is none.
_FIRST_OPEN = CompiledStatement(select(PushConfigRow.run_id).where(PushConfigRow.is_over.is_(False)).limit(1))


def has_left(connection: Connection, sender: str, silence: float) -> bool:
    """Return whether events are to be sent by nobody: no sender, or one that is gone."""
    if _FIRST_OPEN.value(connection, {}) is None:
        return False
    query = select(PushConfigRow.run_id).where(_is_left(connection, sender, silence))
    return connection.execute(query.limit(1)).first() is not None


def take_over(tx: Tx, sender: str, silence: float) -> list[PushConfig]:
    """Become the sender of what is to be sent by nobody; return all that this server is to send."""
    tx.execute(update(PushConfigRow).where(_is_left(tx.connection, sender, silence)).values(sender=sender))
    query = select(*_COLUMNS).where(PushConfigRow.is_over.is_(False), PushConfigRow.sender == sender)
    return [PushConfig(*row) for row in tx.execute(query)]


def remove(tx: Tx, run_id: str, config_id: str) -> bool:
    """Forget a configuration; False when there was none."""
    gone = delete(PushConfigRow).where(_is(run_id, config_id)).returning(PushConfigRow.id)
    if tx.execute(gone).first() is None:
        return False
    tx.audit("push.deleted", run_id)
    return True


def record_delivery(tx: Tx, config: PushConfig, sender: str, seq: int, is_over: bool) -> bool:
    """Remember up to where a client was notified; False if another server sends by now, or the configuration is gone."""
    row = _is(config.run_id, config.id) & (PushConfigRow.sender == sender)
    values = {"told_seq": seq, "is_over": is_over}
    return (
        tx.execute(update(PushConfigRow).where(row).values(values).returning(PushConfigRow.id)).first()
        is not None
    )


def _is_left(connection: Connection, sender: str, silence: float) -> Any:
    gone = PushConfigRow.sender.not_in(living(connection, silence) | {sender})
    return PushConfigRow.is_over.is_(False) & or_(PushConfigRow.sender.is_(None), gone)


def _is(run_id: str, config_id: str) -> Any:
    return (PushConfigRow.run_id == run_id) & (PushConfigRow.id == config_id)
