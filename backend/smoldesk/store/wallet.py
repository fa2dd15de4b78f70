"""A chat's wallet: payments made exactly once, each in one transaction with the new balance.

The store knows no currencies: a balance is an integer of minor units under a code, and its caller gives the initial
one. This module never increases a balance.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError

from smoldesk.errors import DeskError
from smoldesk.store.chats import no_such_chat
from smoldesk.store.run_rows import LIVE_STATES
from smoldesk.store.store import Store
from smoldesk.store.tables import PaymentRow, PurseRow, RunRow
from smoldesk.store.transaction import Tx, fenced, plain

TRIES = 2


@dataclass(frozen=True)
class Order:
    """A payment to make; `amount`, and `full`, what a purse holds that nothing was paid from, in minor units."""

    recipient: str
    amount: int
    currency: str
    description: str
    full: int


@dataclass(frozen=True)
class Payment:
    """Result of a payment; see tools.demo.payment.Receipt."""

    succeeded: bool
    transaction_id: str
    amount: int
    currency: str
    recipient: str
    description: str
    balance: int
    at: float


class ChatWallet:
    """Implements tools.demo.payment.Wallet for one chat; used on runs' threads, never on the event loop."""

    def __init__(self, store: Store, chat_id: str) -> None:
        self._store = store
        self._chat_id = chat_id

    def pay(
        self, call_id: str, *, recipient: str, amount: int, currency: str, description: str, full: int
    ) -> Payment:
        """Pay once for each `call_id`; returns after the commit.

        Raises NotFound for a deleted chat, Conflict for a call whose run is closed (people saw that it failed),
        DeskError("store_fault") if it is unknown whether the payment was made.
        """
        order = Order(plain(recipient), amount, currency, plain(description), full)
        fault: DBAPIError | None = None
        for _ in range(TRIES):
            try:
                # with its run's id, so that the log says what was called before it is paid
                return self._store.submit(
                    lambda tx: pay_once(tx, self._chat_id, call_id, order), run_of(call_id)
                ).result()
            except DBAPIError as broken:  # perhaps after its commit: asked again, it pays nothing
                fault = broken
        raise DeskError(
            "The wallet could not be reached.",
            "It is not known whether this payment was made; it was not made twice.",
            code="store_fault",
        ) from fault


def pay_once(tx: Tx, chat_id: str, call_id: str, order: Order) -> Payment:
    """Take the money and note the payment; the one made before, if this call paid already. Raises as `pay` does."""
    if tx.hold(chat_id) is None:  # one payment of a chat at a time, also among desks that share the database
        raise no_such_chat(chat_id)
    earlier = tx.execute(_PAYMENT.where(PaymentRow.chat_id == chat_id, PaymentRow.call_id == call_id)).first()
    if earlier is not None:
        return Payment(True, *earlier)
    _require_open(tx, chat_id, call_id)
    purse = (PurseRow.chat_id == chat_id) & (PurseRow.currency == order.currency)
    balance = tx.execute(select(PurseRow.balance).where(purse)).scalar_one_or_none()
    before = order.full if balance is None else balance
    is_covered = order.amount <= before
    payment = Payment(
        succeeded=is_covered,
        transaction_id=f"tx_{secrets.token_hex(8)}" if is_covered else "",
        amount=order.amount,
        currency=order.currency,
        recipient=order.recipient,
        description=order.description,
        balance=before - order.amount if is_covered else before,
        at=tx.now,
    )
    if is_covered:
        if balance is None:
            tx.execute(insert(PurseRow), {"chat_id": chat_id, "currency": order.currency, "balance": before})
        tx.execute(update(PurseRow).where(purse).values(balance=payment.balance))
        tx.execute(insert(PaymentRow), _row(chat_id, call_id, payment))
    return payment


def _row(chat_id: str, call_id: str, payment: Payment) -> dict[str, str | int | float]:
    return {
        "chat_id": chat_id,
        "call_id": call_id,
        "transaction_id": payment.transaction_id,
        "recipient": payment.recipient,
        "amount": payment.amount,
        "currency": payment.currency,
        "description": payment.description,
        "balance": payment.balance,
        "made_at": payment.at,
    }


_PAYMENT = select(
    PaymentRow.transaction_id,
    PaymentRow.amount,
    PaymentRow.currency,
    PaymentRow.recipient,
    PaymentRow.description,
    PaymentRow.balance,
    PaymentRow.made_at,
)


def _require_open(tx: Tx, chat_id: str, call_id: str) -> None:
    """Raise Conflict if the call's run is closed."""
    run = (RunRow.id == run_of(call_id)) & (RunRow.chat_id == chat_id)
    state = tx.execute(select(RunRow.state).where(run)).scalar()
    if state not in LIVE_STATES:
        raise fenced()


def run_of(call_id: str) -> str:
    """Return the run of a call: the call's id is the run's, a dot and a number."""
    return call_id.rpartition(".")[0]
