"""The `process_payment` tool: money that is not there, paid exactly once.

Each chat has a wallet with a purse of 1000 in each currency it knows. Nothing is converted: a rate would be
invented or out of date, and a person who agrees to 30 USD is to find 30 USD less, not a sum they never saw.
What a payment needs of the wallet is declared here; store/wallet.py has one for each chat.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal, Protocol

from pydantic import JsonValue

from smoldesk.errors import BadInput, Refused
from smoldesk.tools.demo.currencies import (
    DECIMALS,
    full_purse,
    major,
    read_amount,
    read_currency,
    spelled,
)
from smoldesk.tools.policy import DeskTool


class Receipt(Protocol):
    """Result of a payment; amounts in minor units (cents). `succeeded` is False if the balance was too low: then it is
    unchanged, and nothing was paid.
    """

    @property
    def succeeded(self) -> bool: ...
    @property
    def transaction_id(self) -> str: ...
    @property
    def amount(self) -> int: ...
    @property
    def currency(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def balance(self) -> int:
        """The balance of this currency after the payment."""
        ...

    @property
    def at(self) -> float:
        """The time, in seconds since the epoch."""
        ...


class Wallet(Protocol):
    """One chat's wallet: a purse for each currency."""

    def pay(
        self, call_id: str, *, recipient: str, amount: int, currency: str, description: str, full: int
    ) -> Receipt:
        """Pay once for each `call_id`: asked again, it returns the first receipt and pays nothing.

        `amount` and `full`, what a purse holds that nothing was paid from, are in minor units. Raises Conflict when the
        run of the call is closed, DeskError("store_fault") when it is not known whether the payment was made.
        """
        ...


LONGEST_RECIPIENT = 100
LONGEST_DESCRIPTION = 500
# Unicode categories that a name may not contain: controls, lone surrogates, line and paragraph separators.
_HIDING = {"Cc", "Cs", "Zl", "Zp"}
# Bidirectional controls: they can make a card show other text than it contains.
_TURNING = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@dataclass(frozen=True)
class _Order:
    """A payment that can be made, if there is money; `amount` in minor units."""

    recipient: str
    amount: int
    currency: str
    description: str


class ProcessPayment(DeskTool):
    """`process_payment`: pays from the chat's wallet after a person agreed."""

    name = "process_payment"
    is_demo: ClassVar[bool] = True
    approval: ClassVar[Literal["never", "once", "always"]] = "always"
    description = (
        "Pays a recipient from this chat's wallet (play money: a purse of 1000 in each currency, nothing is "
        "converted). A person is asked before each payment; a denial raises ToolDenied: report it, do not try "
        "again. Returns a dict with success, transaction_id, amount, currency, recipient, description, "
        'wallet_balance (what is left in that currency) and timestamp. Left out: description="".\n'
        'Example: receipt = process_payment(recipient="Alice", amount=30, currency="USD")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "recipient": {"type": "string", "description": "Who gets the money."},
        "amount": {
            "type": "number",
            "description": "How much, greater than 0, with no more decimals than the currency has.",
        },
        "currency": {"type": "string", "description": f"One of {', '.join(DECIMALS)}."},
        "description": {"type": "string", "description": "Optional: what it is for.", "nullable": True},
    }
    output_type = "object"

    def __init__(self, wallet: Wallet | None) -> None:
        self._wallet = wallet
        super().__init__()

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        """Check everything but the balance, which the payment itself checks."""
        _order(arguments)

    def run_call(self, call_id: str, arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Pay once for this call, however often it is retried. Raises BadInput, also if the balance is too low."""
        order = _order(arguments)
        if self._wallet is None:
            raise _no_wallet()
        receipt = self._wallet.pay(
            call_id,
            recipient=order.recipient,
            amount=order.amount,
            currency=order.currency,
            description=order.description,
            full=full_purse(order.currency),
        )
        if not receipt.succeeded:
            raise _too_little(order, receipt.balance)
        return _receipt_data(receipt)

    def forward(
        self, recipient: str, amount: float, currency: str, description: str = ""
    ) -> dict[str, JsonValue]:
        """Never pays: which call it is decides whether it was paid already, and only `run_call` knows that."""
        raise Refused("A payment needs the id of its call.", "Expected a call by an agent of the desk.")


def _order(arguments: Mapping[str, JsonValue]) -> _Order:
    """Return the order. Raises BadInput for one that can never be paid."""
    currency = read_currency(arguments.get("currency"))
    return _Order(
        recipient=_line(arguments.get("recipient"), "recipient", LONGEST_RECIPIENT),
        amount=read_amount(arguments.get("amount"), currency),
        currency=currency,
        description=_line(arguments.get("description") or "", "description", LONGEST_DESCRIPTION, blank=True),
    )


def _line(value: JsonValue, name: str, longest: int, blank: bool = False) -> str:
    """Return a text on one line, without surrounding blanks and invisible characters."""
    if not isinstance(value, str):
        raise BadInput(f"The {name} is not a text.", "Expected a name, such as Alice.")
    text = value.strip()
    if len(text) > longest:
        raise BadInput(f"The {name} has {len(text):,} characters.", f"Expected at most {longest}.")
    if any(unicodedata.category(c) in _HIDING or unicodedata.bidirectional(c) in _TURNING for c in text):
        raise BadInput(
            f"The {name} holds characters that cannot be seen.", "Expected plain text on one line."
        )
    if not blank and not any(unicodedata.category(c)[0] in "LNPS" for c in text):
        raise BadInput(f"The {name} is blank.", "Expected a name, such as Alice.")
    return text


def _receipt_data(receipt: Receipt) -> dict[str, JsonValue]:
    at = datetime.fromtimestamp(receipt.at, UTC)
    return {
        "success": True,
        "transaction_id": receipt.transaction_id,
        "amount": major(receipt.amount, receipt.currency),
        "currency": receipt.currency,
        "recipient": receipt.recipient,
        "description": receipt.description,
        "wallet_balance": major(receipt.balance, receipt.currency),
        "timestamp": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _too_little(order: _Order, balance: int) -> BadInput:
    return BadInput(
        f"Insufficient funds: the payment is {spelled(order.amount, order.currency)}, "
        f"the wallet has {spelled(balance, order.currency)} left.",
        "Nothing was paid. Expected an amount up to the balance; other currencies are not converted.",
        code="insufficient_funds",
    )


def _no_wallet() -> Refused:
    return Refused("There is no wallet here.", "Payments are made inside a chat.")
