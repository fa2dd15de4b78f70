"""Budgets of exams: the estimate before one starts, and the meter that refuses a call beyond the limits."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from smoldesk.agents import CallMeter
from smoldesk.errors import BadInput, DeskError
from smoldesk.events import ModelCalled
from smoldesk.models.choices import BUILTIN, ModelChoices, priced_name
from smoldesk.models.prices import cost_of

DEFAULT_USD, DEFAULT_CALLS = 1.0, 100
# Figures of the estimate for each message, until a model has been examined.
CALLS_PER_MESSAGE, INPUT_PER_CALL, OUTPUT_PER_CALL = 3, 4_000, 300
BUDGET_CODE = "exam_budget"


@dataclass(frozen=True)
class ExamLimits:
    """Most US dollars and model calls of one session of an exam."""

    usd: float = DEFAULT_USD
    calls: int = DEFAULT_CALLS


@dataclass(frozen=True)
class Price:
    """Price of a model by its `name` in the table of prices; None: unknown. The built-in analyst is free."""

    name: str | None
    is_free: bool

    @classmethod
    def of(cls, choices: ModelChoices, model: str) -> "Price":
        """Return the price of a model that a chat may choose. Raises DeskError as `ModelChoices.resolve`."""
        resolved = choices.resolve(model)
        return cls(priced_name(resolved.model, resolved.access), resolved.model == BUILTIN)

    @property
    def is_known(self) -> bool:
        """Whether the cost of a call can be computed."""
        return self.cost(1, 1) is not None

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """Return the cost in US dollars; None if unknown."""
        return 0.0 if self.is_free else cost_of(self.name, input_tokens, output_tokens)


def joint_price(choices: ModelChoices, models: Sequence[str]) -> Price:
    """Return the price of calls to any of these models; unknown for several that are not all free. Blocks. Raises DeskError."""
    for model in models:
        choices.learn(model)
    prices = [Price.of(choices, model) for model in models]
    return prices[0] if len(prices) == 1 else Price(None, all(price.is_free for price in prices))


@dataclass(frozen=True)
class Estimate:
    """Upper estimate of an exam: questions, calls, tokens and cost, within the limits; `cost` is None for an unknown price."""

    questions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    limits: ExamLimits


def estimate(questions: int, messages: int, price: Price, limits: ExamLimits) -> Estimate:
    """Estimate the calls, tokens and cost of questions that send this many messages."""
    calls = messages * (1 if price.is_free else CALLS_PER_MESSAGE)
    tokens = (0, 0) if price.is_free else (calls * INPUT_PER_CALL, calls * OUTPUT_PER_CALL)
    return Estimate(questions, calls, *tokens, price.cost(*tokens), limits)


def check_price(model: str, price: Price, accepts_unknown: bool, remedy: str) -> None:
    """Raise BadInput for an unknown price that nobody accepted; `remedy` says how to."""
    if not price.is_known and not accepts_unknown:
        raise BadInput(
            f"The price of the model {model[:80]!r} is unknown, so a budget in US dollars cannot limit it.",
            remedy,
            code="price_unknown",
        )


class ExamMeter(CallMeter):
    """Meter of one session: refuses a call that would exceed a limit. Thread-safe.

    The cost of the next call is estimated from its prompt, and an output as long as the longest so far.
    """

    def __init__(self, price: Price, limits: ExamLimits) -> None:
        self._price, self._limits = price, limits
        self._lock = threading.Lock()
        self._calls, self._spent, self._estimated = 0, 0.0, 0.0
        self._longest_output = OUTPUT_PER_CALL

    def before_call(self, prompt_tokens: int) -> None:
        with self._lock:
            next_cost = self._price.cost(prompt_tokens, self._longest_output) or 0.0
            if self._calls >= self._limits.calls:
                raise _exceeded(f"all {self._limits.calls} calls are used")
            is_beyond = self._spent + next_cost > self._limits.usd or self._limits.usd == 0
            if not self._price.is_free and is_beyond:
                raise _exceeded(
                    f"the next call costs about {next_cost:.4f} US dollars, "
                    f"{max(self._limits.usd - self._spent, 0):.4f} of {self._limits.usd:g} are left"
                )
            self._calls += 1
            self._estimated = next_cost

    def after_call(self, call: ModelCalled) -> None:
        with self._lock:
            self._spent += (
                self._estimated if call.cost is None else call.cost
            )  # None: it broke, or sent no counts
            self._longest_output = max(self._longest_output, call.output_tokens or 0)


def _exceeded(reason: str) -> DeskError:
    return DeskError(f"The budget of the exam is spent: {reason}.", "Continue it later.", code=BUDGET_CODE)
