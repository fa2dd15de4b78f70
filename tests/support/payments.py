"""A tool that pays, for tests and pictures of approvals: typed arguments, one of which may be left out, and a check."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.policy import DeskTool


class Payment(DeskTool):
    """Asks before each call; `paid` is the truth about which payments were made."""

    name = "process_payment"
    description = "Pays somebody, after a person agreed."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "recipient": {"type": "string", "description": "Who is paid"},
        "amount": {"type": "number", "description": "How much, in units of the currency"},
        "currency": {"type": "string", "description": "USD, EUR or JPY"},
        "description": {"type": "string", "description": "What for", "nullable": True},
    }
    output_type = "string"
    approval: ClassVar[Literal["never", "once", "always"]] = "always"

    def __init__(self, paid: list[str]) -> None:
        super().__init__()
        self._paid = paid

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        amount = arguments.get("amount")
        if isinstance(amount, int | float) and amount <= 0:
            raise BadInput("The amount is not positive.", "Expected an amount above 0.")

    def forward(self, recipient: str, amount: float, currency: str, description: str | None = None) -> str:
        payment = f"{amount:g} {currency} to {recipient}"
        self._paid.append(payment)
        return f"paid {payment}"
