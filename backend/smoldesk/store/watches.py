"""Rows of watches: claims of turns, which one server wins, and deliveries, which are repeated until they succeed."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.chats import IS_THERE, get_chat
from smoldesk.store.heartbeats import living
from smoldesk.store.statements import CompiledStatement, insert_or_leave
from smoldesk.store.tables import ChatRow, WatchDeliveryRow, WatchRow, WatchTurnRow
from smoldesk.store.transaction import Tx

# Maximum watches of a chat, and of a desk.
MOST_OF_CHAT, MOST = 50, 5_000
# Turns of a watch that are kept: all that reported something, up to this many, and the newest quiet ones.
KEPT_TURNS, KEPT_QUIET = 200, 5
REPORTED = ("fired", "failed")


@dataclass(frozen=True)
class StoredWatch:
    """Row of a watch."""

    id: str
    chat_id: str
    body: str
    sealed: str | None
    state: str
    turn: int
    next_at: float | None
    inputs: str
    last: str
    created_at: float


@dataclass(frozen=True)
class StoredTurn:
    """Row of a check of a watch."""

    watch_id: str
    turn: int
    state: str
    at: float
    body: str
    is_seen: bool


@dataclass(frozen=True)
class StoredDelivery:
    """Row of a delivery."""

    id: str
    watch_id: str
    turn: int
    kind: str
    address: str
    state: str
    attempts: int
    problem: str


@dataclass(frozen=True)
class TurnEnd:
    """Result of a check: the report, and the changes of the watch."""

    state: str
    report: str
    watch_state: str
    next_at: float | None
    inputs: str
    last: str
    recipients: Sequence[tuple[str, str]] = ()


_WATCH = [getattr(WatchRow, name) for name in StoredWatch.__dataclass_fields__]
_TURN = [getattr(WatchTurnRow, name) for name in StoredTurn.__dataclass_fields__]
_DELIVERY = [getattr(WatchDeliveryRow, name) for name in StoredDelivery.__dataclass_fields__]
_IN_CHAT = ChatRow.id == WatchRow.chat_id


def add_watch(tx: Tx, watch: StoredWatch) -> None:
    """Store a new watch. Raises NotFound for the chat, Conflict beyond the most."""
    get_chat(tx.connection, watch.chat_id)
    count = select(func.count()).select_from(WatchRow)
    of_chat = tx.execute(count.where(WatchRow.chat_id == watch.chat_id)).scalar_one()
    if of_chat >= MOST_OF_CHAT or tx.execute(count).scalar_one() >= MOST:
        raise Conflict(
            "There are too many watches.",
            f"At most {MOST_OF_CHAT} of a chat and {MOST:,} of the desk: delete some.",
            code="too_many_watches",
        )
    tx.execute(insert(WatchRow), vars(watch))
    tx.audit("watch.added", watch.id, chat_id=watch.chat_id)


def get_watch(connection: Connection, watch_id: str) -> StoredWatch:
    """Return a watch. Raises NotFound."""
    query = select(*_WATCH).join(ChatRow, _IN_CHAT).where(WatchRow.id == watch_id, IS_THERE)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"There is no watch {watch_id[:40]!r}.")
    return StoredWatch(*row)


def list_watches(connection: Connection, chat_id: str | None) -> list[StoredWatch]:
    """Return the watches of a chat, or of all chats, newest first."""
    query = select(*_WATCH).join(ChatRow, _IN_CHAT).where(IS_THERE)
    if chat_id is not None:
        query = query.where(WatchRow.chat_id == chat_id)
    query = query.order_by(WatchRow.created_at.desc(), WatchRow.id)
    return [StoredWatch(*row) for row in connection.execute(query)]


def change_watch(tx: Tx, watch_id: str, **values: Any) -> StoredWatch:
    """Set columns of a watch, and begin a new turn, so that a check under way changes nothing. Raises NotFound."""
    watch = get_watch(tx.connection, watch_id)
    values |= {"turn": _next_turn(tx.connection, watch)}
    tx.execute(update(WatchRow).where(WatchRow.id == watch_id).values(values))
    tx.audit("watch.changed", watch_id, chat_id=watch.chat_id)
    return get_watch(tx.connection, watch_id)


def _next_turn(connection: Connection, watch: StoredWatch) -> int:
    claimed = select(WatchTurnRow.turn).where(
        WatchTurnRow.watch_id == watch.id, WatchTurnRow.turn == watch.turn
    )
    return watch.turn + (connection.execute(claimed).first() is not None)


def remove_watch(tx: Tx, watch_id: str) -> None:
    """Delete a watch with its history. Raises NotFound."""
    watch = get_watch(tx.connection, watch_id)
    tx.execute(delete(WatchRow).where(WatchRow.id == watch_id))
    tx.audit("watch.deleted", watch_id, chat_id=watch.chat_id)


# --- turns ---------------------------------------------------------------------------------------------------------------


# Every server asks every other second.
_FIRST_WATCH = CompiledStatement(select(WatchRow.id).limit(1))


def has_watches(connection: Connection) -> bool:
    """Return whether there is a watch, of any state."""
    return _FIRST_WATCH.value(connection, {}) is not None


def due_watches(connection: Connection, now: float, limit: int) -> list[StoredWatch]:
    """Return active watches whose time has come, the longest due first."""
    query = select(*_WATCH).join(ChatRow, _IN_CHAT)
    query = query.where(WatchRow.state == "active", WatchRow.next_at <= now, IS_THERE)
    return [StoredWatch(*row) for row in connection.execute(query.order_by(WatchRow.next_at).limit(limit))]


def active_watches(connection: Connection, chat_ids: Collection[str] | None) -> list[StoredWatch]:
    """Return the active watches of chats; None: of all chats."""
    query = select(*_WATCH).join(ChatRow, _IN_CHAT).where(WatchRow.state == "active", IS_THERE)
    if chat_ids is not None:
        query = query.where(WatchRow.chat_id.in_(chat_ids))
    return [StoredWatch(*row) for row in connection.execute(query)]


def claim_turn(tx: Tx, watch: StoredWatch, owner: str, silence: float) -> bool:
    """Take the next check of a watch; False if another living server has it, or it is over.

    `owner` gets what it claimed before: a fault of the database or the disk ended that check without a result.
    """
    current = select(WatchRow.turn).where(WatchRow.id == watch.id, WatchRow.state == "active")
    if tx.execute(current).scalar() != watch.turn:
        return False
    values = {"watch_id": watch.id, "turn": watch.turn, "state": "claimed", "owner": owner}
    values |= {"at": tx.now, "body": "{}", "is_seen": False}
    # Not by rowcount, which psycopg does not always know.
    claim = insert_or_leave(tx.connection, WatchTurnRow, values).returning(WatchTurnRow.turn)
    if tx.execute(claim).first() is not None:
        return True
    free = WatchTurnRow.owner.not_in(living(tx.connection, silence) - {owner})
    statement = update(WatchTurnRow).where(_is(watch.id, watch.turn), WatchTurnRow.state == "claimed", free)
    return tx.execute(statement.values(owner=owner).returning(WatchTurnRow.turn)).first() is not None


def end_turn(tx: Tx, watch: StoredWatch, owner: str, end: TurnEnd) -> bool:
    """Store the result of a check, and its deliveries; False if the turn is not `owner`'s any more."""
    mine = _is(watch.id, watch.turn) & (WatchTurnRow.state == "claimed") & (WatchTurnRow.owner == owner)
    values = {"state": end.state, "at": tx.now, "body": end.report}
    if (
        tx.execute(update(WatchTurnRow).where(mine).values(values).returning(WatchTurnRow.turn)).first()
        is None
    ):
        return False
    changes = {"turn": watch.turn + 1, "state": end.watch_state, "next_at": end.next_at}
    changes |= {"inputs": end.inputs, "last": end.last}
    current = (WatchRow.id == watch.id) & (WatchRow.turn == watch.turn)
    tx.execute(update(WatchRow).where(current).values(changes))
    for number, (kind, address) in enumerate(end.recipients):
        tx.execute(
            insert(WatchDeliveryRow),
            {
                "id": f"{watch.id}.{watch.turn}.{number}",
                "watch_id": watch.id,
                "turn": watch.turn,
                "kind": kind,
                "address": address,
                "state": "pending",
                "attempts": 0,
                "next_at": tx.now,
                "owner": None,
                "problem": "",
            },
        )
    _forget_turns(tx, watch)
    return True


def _forget_turns(tx: Tx, watch: StoredWatch) -> None:
    """Delete the oldest turns of a watch; deliveries of a kept number stay."""
    quiet = (WatchTurnRow.state == "quiet") & (WatchTurnRow.turn <= watch.turn - KEPT_QUIET)
    old = or_(quiet, WatchTurnRow.turn <= watch.turn - 10 * KEPT_TURNS)
    tx.execute(delete(WatchTurnRow).where(WatchTurnRow.watch_id == watch.id, old))
    tx.execute(
        delete(WatchDeliveryRow).where(
            WatchDeliveryRow.watch_id == watch.id, WatchDeliveryRow.turn <= watch.turn - 10 * KEPT_TURNS
        )
    )


def read_turns(connection: Connection, watch_id: str) -> list[StoredTurn]:
    """Return what a watch reported, newest first."""
    query = select(*_TURN).where(WatchTurnRow.watch_id == watch_id, WatchTurnRow.state.in_(REPORTED))
    query = query.order_by(WatchTurnRow.turn.desc()).limit(KEPT_TURNS)
    return [StoredTurn(*row) for row in connection.execute(query)]


def unseen_turns(connection: Connection, limit: int) -> tuple[list[tuple[StoredTurn, str, str]], int]:
    """Return the newest unread reports, each with its chat and the watch's body, and the number of all."""
    query = (
        select(*_TURN, WatchRow.chat_id, WatchRow.body)
        .join(WatchRow, WatchRow.id == WatchTurnRow.watch_id)
        .join(ChatRow, _IN_CHAT)
    )
    unseen = (WatchTurnRow.state.in_(REPORTED), WatchTurnRow.is_seen.is_(False), IS_THERE)
    rows = connection.execute(query.where(*unseen).order_by(WatchTurnRow.at.desc()).limit(limit)).all()
    count = (
        select(func.count())
        .select_from(WatchTurnRow)
        .join(WatchRow, WatchRow.id == WatchTurnRow.watch_id)
        .join(ChatRow, _IN_CHAT)
    )
    return [(StoredTurn(*row[:6]), row[6], row[7]) for row in rows], connection.execute(
        count.where(*unseen)
    ).scalar_one()


def see_turns(tx: Tx, watch_id: str | None) -> None:
    """Mark the reports of a watch as read, or those of all."""
    statement = update(WatchTurnRow).where(WatchTurnRow.is_seen.is_(False), WatchTurnRow.state.in_(REPORTED))
    if watch_id is not None:
        statement = statement.where(WatchTurnRow.watch_id == watch_id)
    tx.execute(statement.values(is_seen=True))


def _is(watch_id: str, turn: int) -> Any:
    return (WatchTurnRow.watch_id == watch_id) & (WatchTurnRow.turn == turn)


# --- deliveries ----------------------------------------------------------------------------------------------------------


def has_due_delivery(connection: Connection, now: float) -> bool:
    """Return whether a delivery is pending whose time has come."""
    query = select(WatchDeliveryRow.id).where(
        WatchDeliveryRow.state == "pending", WatchDeliveryRow.next_at <= now
    )
    return connection.execute(query.limit(1)).first() is not None


def claim_deliveries(
    tx: Tx, owner: str, silence: float, limit: int, busy: Collection[str]
) -> list[StoredDelivery]:
    """Take pending deliveries whose time has come, except those that this server is sending (`busy`)."""
    free = or_(
        WatchDeliveryRow.owner.is_(None), WatchDeliveryRow.owner.not_in(living(tx.connection, silence))
    )
    query = select(WatchDeliveryRow.id).where(
        WatchDeliveryRow.state == "pending",
        WatchDeliveryRow.next_at <= tx.now,
        or_(free, WatchDeliveryRow.owner == owner),
        WatchDeliveryRow.id.not_in(busy),
    )
    query = query.order_by(WatchDeliveryRow.next_at).limit(limit).with_for_update(skip_locked=True)
    ids = list(tx.execute(query).scalars())
    tx.execute(update(WatchDeliveryRow).where(WatchDeliveryRow.id.in_(ids)).values(owner=owner))
    query = select(*_DELIVERY).where(WatchDeliveryRow.id.in_(ids))
    return [StoredDelivery(*row) for row in tx.execute(query)]


def end_delivery(
    tx: Tx, delivery: StoredDelivery, owner: str, state: str, problem: str, next_at: float
) -> None:
    """Store the result of an attempt; nothing if another server sends by now."""
    mine = (WatchDeliveryRow.id == delivery.id) & (WatchDeliveryRow.owner == owner)
    values = {"state": state, "attempts": delivery.attempts + 1, "problem": problem, "next_at": next_at}
    tx.execute(update(WatchDeliveryRow).where(mine).values({**values, "owner": None}))


def read_deliveries(connection: Connection, watch_id: str) -> list[StoredDelivery]:
    """Return the deliveries of a watch, newest first."""
    query = select(*_DELIVERY).where(WatchDeliveryRow.watch_id == watch_id)
    query = query.order_by(WatchDeliveryRow.turn.desc(), WatchDeliveryRow.id).limit(KEPT_TURNS)
    return [StoredDelivery(*row) for row in connection.execute(query)]


def report_of(connection: Connection, delivery: StoredDelivery) -> tuple[StoredWatch, StoredTurn] | None:
    """Return the watch and the turn that a delivery reports; None if they are gone."""
    row = connection.execute(select(*_TURN).where(_is(delivery.watch_id, delivery.turn))).first()
    watch = connection.execute(select(*_WATCH).where(WatchRow.id == delivery.watch_id)).first()
    return None if row is None or watch is None else (StoredWatch(*watch), StoredTurn(*row))


def new_watch_id() -> str:
    """Return a new random id."""
    return f"w_{secrets.token_hex(12)}"
