"""Tools for tests: each remembers on the host what it really ran with."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.policy import ClientTool, DeskTool


class Noting(DeskTool):
    """Says what it was given; `ran` is the truth about which calls ran, in order."""

    name = "note"
    description = "Notes a word."
    inputs: ClassVar = {"word": {"type": "string", "description": "the word"}}
    output_type = "string"

    def __init__(self, ran: list[str]) -> None:
        super().__init__()
        self._ran = ran

    def forward(self, word: str) -> str:
        self._ran.append(word)
        return f"noted {word}"


class Paying(Noting):
    """Asks a person before each call."""

    name = "pay"
    description = "Pays, after a person agreed."
    approval: ClassVar[Literal["never", "once", "always"]] = "always"

    def forward(self, word: str) -> str:
        self._ran.append(word)
        return f"paid {word}"


class Failing(Noting):
    """Runs, then raises."""

    name = "fail"
    description = "Always fails."

    def forward(self, word: str) -> str:
        self._ran.append(word)
        raise ValueError(f"no luck with {word}")


class Idle(DeskTool):
    """Takes no arguments."""

    name = "idle"
    description = "Does nothing."
    inputs: ClassVar = {}
    output_type = "string"

    def forward(self) -> str:
        return "rested"


class Huge(DeskTool):
    """Returns `size` characters."""

    name = "huge"
    description = "Returns a lot of text."
    inputs: ClassVar = {"size": {"type": "integer", "description": "how many characters"}}
    output_type = "string"

    def forward(self, size: int) -> str:
        return "x" * size


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


class Locating(ClientTool):
    """Where the browser is."""

    name = "get_location"
    description = "Tells where the person is."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "object"
    client_seconds: ClassVar[float] = 120

    def __init__(self, got: list[JsonValue]) -> None:
        super().__init__()
        self._got = got

    def forward(self) -> Any:
        raise NotImplementedError

    def received(self, value: JsonValue) -> Any:
        self._got.append(value)
        return value


class LocatingAfterYes(Locating):
    """Where the browser is, after a person agreed."""

    approval: ClassVar[Literal["never", "once", "always"]] = "always"


class ChangingMusic(Locating):
    """What the page plays."""

    name = "change_bgm"
    description = "Changes the music."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {"track": {"type": "integer", "description": "which"}}

    def forward(self, track: int) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError


class Waving(Locating):
    """Work that the page knows nothing of."""

    name = "wave"
    description = "Waves."
