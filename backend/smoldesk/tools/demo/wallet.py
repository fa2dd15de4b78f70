"""What a payment needs of the wallet it is made from; store/wallet.py has one for each chat."""

from typing import Protocol


class Receipt(Protocol):
    """How a payment ended; amounts in minor units (cents). `made` is False when the purse held too little: then it still
    holds `balance`, and nothing was paid."""

    @property
    def made(self) -> bool: ...
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
        """What the purse of this currency held after the payment."""
        ...

    @property
    def at(self) -> float:
        """When, in seconds since the epoch."""
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
