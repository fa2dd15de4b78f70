"""Budgets in US dollars: the call that would exceed one is refused before it is made."""

from itertools import count

import pytest

from smoldesk.errors import BadInput, DeskError
from smoldesk.events import ModelCalled
from smoldesk.exams.budgets import ExamLimits, ExamMeter, Price, check_price, estimate


class HousePrice(Price):
    """Price list of one model: 2 US dollars per million tokens in, 10 out."""

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return input_tokens * 2e-6 + output_tokens * 1e-5


PRICED = HousePrice("house-1", is_free=False)


def called(cost: float | None, output: int | None = 100) -> ModelCalled:
    return ModelCalled(step=1, model="house-1", then=[], duration=1, output_tokens=output, cost=cost)


def calls_within(meter: ExamMeter, call: ModelCalled, prompt_tokens: int) -> int:
    for number in count():
        try:
            meter.before_call(prompt_tokens)
        except DeskError as fault:
            assert fault.code == "exam_budget"
            return number
        meter.after_call(call)
    raise AssertionError


def test_calls_of_a_priced_model_never_cost_more_than_the_budget() -> None:
    cost = PRICED.cost(10_000, 300)
    allowed = calls_within(ExamMeter(PRICED, ExamLimits(usd=10.5 * cost, calls=1000)), called(cost), 10_000)
    assert allowed == 10


def test_a_call_without_counts_is_charged_with_its_estimate() -> None:
    cost = PRICED.cost(10_000, 300)
    limits = ExamLimits(usd=3.5 * cost, calls=1000)
    assert calls_within(ExamMeter(PRICED, limits), called(None, None), 10_000) == 3


def test_long_outputs_raise_the_estimate_of_the_next_call() -> None:
    meter = ExamMeter(PRICED, ExamLimits(usd=0.05, calls=1000))
    meter.before_call(100)
    meter.after_call(called(0.001, output=10_000))
    with pytest.raises(DeskError, match="the next call costs about"):
        meter.before_call(100)


def test_the_estimate_has_the_cost_of_a_priced_model_alone() -> None:
    expected = estimate(30, 31, PRICED, ExamLimits())
    assert expected.calls == 93 and expected.cost == PRICED.cost(372_000, 27_900)
    assert estimate(30, 31, Price(None, is_free=False), ExamLimits()).cost is None
    free = estimate(30, 31, Price(None, is_free=True), ExamLimits())
    assert (free.calls, free.input_tokens, free.cost) == (31, 0, 0.0)


def test_a_known_price_needs_no_consent() -> None:
    check_price("openai:house-1", PRICED, accepts_unknown=False, remedy="")
    with pytest.raises(BadInput, match="unknown"):
        check_price("big", Price(None, is_free=False), accepts_unknown=False, remedy="")
