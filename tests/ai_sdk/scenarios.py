"""The 21 scenarios that front ends of the UI message stream are held to, as data.

A name says what is played and over which wire: SSE (`POST /stream`) or BIDI (`WS /live`). Over SSE a turn is one request
per phase and the calls of a step are asked about together; over BIDI it is one stream, one call after another, with a step
around each request.
"""

from dataclasses import dataclass
from typing import Any, Literal

Answer = dict[str, Any]
State = tuple[str, str]

LOCATION = {"latitude": 35.6762, "longitude": 139.6503, "accuracy": 20, "city": "Tokyo", "country": "Japan"}
"""What the client's own run of get_location gives."""


@dataclass(frozen=True)
class Scenario:
    """What a person says and answers, and what must come of it."""

    name: str
    message: str
    answers: tuple[Answer, ...]
    states: tuple[State, ...]
    """Tool and final state of each call."""
    legend: str
    """The turn as legend.py writes it."""

    @property
    def mode(self) -> Literal["sse", "bidi"]:
        return "sse" if "-sse" in self.name else "bidi"

    @property
    def expires(self) -> bool:
        """Nobody answers, and the server gives up waiting."""
        return "-timeout-" in self.name

    @property
    def predicate(self) -> str:
        """The stock approval helper where it can work: over SSE, when no output has to travel with the approval."""
        with_output = any("output" in answer for answer in self.answers)
        return "approval-helper" if self.mode == "sse" and not with_output else "own"

    @property
    def done_count(self) -> int:
        return self.legend.split().count("D")

    @property
    def description(self) -> str:
        """What is played, in words."""
        if self.expires:
            done = "nobody answers and the request expires"
        elif self.answers:
            done = ", ".join(
                f"{a['tool']} is {'approved' if a['approved'] else 'denied'}" for a in self.answers
            )
        else:
            done = "nothing needs approval"
        return f"{self.message!r} over {self.mode.upper()}: {done}"

    def played(self, url: str, version: int, *later: dict[str, Any]) -> dict[str, Any]:
        """What the driver is told; `url` is the desk's, http://..., and `later` are turns that follow."""
        turn = {"text": self.message, "answers": list(self.answers), "keepOpen": self.expires}
        address = address_of(url, self.mode)
        return {"url": address, "version": version, "predicate": self.predicate, "turns": [turn, *later]}


def address_of(url: str, mode: str) -> str:
    """Where a client of this mode connects to the desk at `url`, http://..."""
    return f"{url}/stream" if mode == "sse" else f"{url.replace('http', 'ws', 1)}/live"


PAY = "Pay 30 USD to Alice"
PAY_BOTH = "Pay 30 USD to Alice and 50 USD to Bob"
WHERE = "Where am I?"
BGM = "Change the BGM to track 1"
WEATHER = "What's the weather in Tokyo?"

YES: Answer = {"tool": "process_payment", "approved": True}
NO: Answer = {"tool": "process_payment", "approved": False, "reason": "Not today"}
HERE: Answer = {"tool": "get_location", "approved": True, "output": LOCATION}
NOT_HERE: Answer = {"tool": "get_location", "approved": False, "reason": "I would rather not say"}

PAID: State = ("process_payment", "output-available")
UNPAID: State = ("process_payment", "output-error")
FOUND: State = ("get_location", "output-available")
HIDDEN: State = ("get_location", "output-error")
PLAYING: State = ("change_bgm", "output-available")
FORECAST: State = ("get_weather", "output-available")

_ = Scenario
SCENARIOS = (
    _("change_bgm-sse-baseline", BGM, (), (PLAYING,), "S i ok T F D"),
    _("change_bgm-bidi-baseline", BGM, (), (PLAYING,), "S i ok T F D"),
    _("get_weather-sse-baseline", WEATHER, (), (FORECAST,), "S i ok T F D"),
    _("get_weather-bidi-baseline", WEATHER, (), (FORECAST,), "S i ok T F D"),
    _("get_location-approved-sse-baseline", WHERE, (HERE,), (FOUND,), "S i q F D >>out S ok T F D"),
    _("get_location-approved-bidi-baseline", WHERE, (HERE,), (FOUND,), "S i ss q fs >>out ok T F D"),
    _("get_location-denied-sse-baseline", WHERE, (NOT_HERE,), (HIDDEN,), "S i q F D >> S no T F D"),
    _("get_location-denied-bidi-baseline", WHERE, (NOT_HERE,), (HIDDEN,), "S i ss q fs >> no T F D"),
    _("process_payment-approved-sse-baseline", PAY, (YES,), (PAID,), "S i q F D >> S ok T F D"),
    _("process_payment-approved-bidi-baseline", PAY, (YES,), (PAID,), "S i ss q fs >> ok T F D"),
    _("process_payment-denied-sse-baseline", PAY, (NO,), (UNPAID,), "S i q F D >> S no T F D"),
    _("process_payment-denied-bidi-baseline", PAY, (NO,), (UNPAID,), "S i ss q fs >> no T F D"),
    _("process_payment-timeout-bidi-baseline", PAY, (), (UNPAID,), "S i ss q fs no T F D"),
    _(
        "multiple-payments-approved-sse-baseline",
        PAY_BOTH,
        (YES, YES),
        (PAID, PAID),
        "S iA iB qA qB F D >> S okA okB T F D",
    ),
    _(
        "multiple-payments-approve-deny-sse",
        PAY_BOTH,
        (YES, NO),
        (PAID, UNPAID),
        "S iA iB qA qB F D >> S okA noB T F D",
    ),
    _(
        "multiple-payments-deny-approve-sse",
        PAY_BOTH,
        (NO, YES),
        (UNPAID, PAID),
        "S iA iB qA qB F D >> S noA okB T F D",
    ),
    _(
        "multiple-payments-deny-deny-sse",
        PAY_BOTH,
        (NO, NO),
        (UNPAID, UNPAID),
        "S iA iB qA qB F D >> S noA noB T F D",
    ),
    _(
        "multiple-payments-sequential-bidi-baseline",
        PAY_BOTH,
        (YES, YES),
        (PAID, PAID),
        "S iA ss qA fs >> okA iB ss qB fs >> okB T F D",
    ),
    _(
        "multiple-payments-approve-deny-bidi",
        PAY_BOTH,
        (YES, NO),
        (PAID, UNPAID),
        "S iA ss qA fs >> okA iB ss qB fs >> noB T F D",
    ),
    _(
        "multiple-payments-deny-approve-bidi",
        PAY_BOTH,
        (NO, YES),
        (UNPAID, PAID),
        "S iA ss qA fs >> noA iB ss qB fs >> okB T F D",
    ),
    _(
        "multiple-payments-deny-deny-bidi",
        PAY_BOTH,
        (NO, NO),
        (UNPAID, UNPAID),
        "S iA ss qA fs >> noA iB ss qB fs >> noB T F D",
    ),
)
