"""What is no answer to an ask is refused before it counts, and says what was expected."""

from datetime import UTC, datetime
from typing import Any

import pytest

from smoldesk.errors import BadInput
from smoldesk.events import Ask, Parameter
from smoldesk.runs.asks import check_answer
from smoldesk.runs.asks.answers import DEEPEST_VALUE
from smoldesk.store.asks import Answer

NEVER = datetime(2100, 1, 1, tzinfo=UTC)
PAY = Ask(
    id="a",
    kind="approval",
    tool="pay",
    parameters={
        "amount": Parameter(type="number"),
        "to": Parameter(type="string"),
        "note": Parameter(type="string", required=False),
        "urgent": Parameter(type="boolean", required=False),
        "times": Parameter(type="integer", required=False),
        "tags": Parameter(type="array", required=False),
        "more": Parameter(type="object", required=False),
        "any": Parameter(type="any", required=False),
    },
    expires_at=NEVER,
)
FULL = {"amount": 1.5, "to": "Bob"}


def nested(depth: int) -> Any:
    """Arrays in arrays."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def entry(input_type: Any, **more: Any) -> Ask:
    return Ask(id="a", kind="input", input_type=input_type, expires_at=NEVER, **more)


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (PAY, Answer(True)),
        (PAY, Answer(True, scope="step")),
        (PAY, Answer(True, scope="chat")),
        (PAY, Answer(False, reason="no", scope="step")),
        (PAY, Answer(True, {**FULL})),
        (PAY, Answer(True, {**FULL, "note": None, "urgent": True, "times": 3})),
        (PAY, Answer(True, {**FULL, "amount": 10**400, "times": 10**400})),  # its tool knows what is too much
        (PAY, Answer(True, {**FULL, "tags": ["a"], "more": {"a": 1}, "any": [None]})),
        (entry("confirmation"), Answer(True)),
        (entry("confirmation"), Answer(False)),
        (entry("selection", options=["a", "b"]), Answer(True, "b")),
        (entry("selection", options=["a", "b"]), Answer(False)),
        (entry("text"), Answer(True, "")),
        (entry("password"), Answer(True, "hunter2")),
        (Ask(id="a", kind="client_tool", tool="look", expires_at=NEVER), Answer(True, {"x": [1]})),
        (Ask(id="a", kind="client_tool", tool="t", expires_at=NEVER), Answer(True, nested(DEEPEST_VALUE))),
    ],
    ids=str,
)
def test_an_answer_is_taken(ask: Ask, answer: Answer) -> None:
    check_answer(ask, answer)


@pytest.mark.parametrize(
    ("ask", "answer", "message"),
    [
        (PAY, Answer(True, [1]), "Expected the arguments of pay by name"),
        (PAY, Answer(True, "yes"), "Expected the arguments of pay by name"),
        (PAY, Answer(True, {"amount": 1}), "`to` is missing; expected a string"),
        (PAY, Answer(True, {**FULL, "to": None}), "`to` is missing"),
        (PAY, Answer(True, {**FULL, "amount": "1"}), "`amount` is a string; expected a number"),
        (PAY, Answer(True, {**FULL, "amount": True}), "`amount` is a boolean; expected a number"),
        (PAY, Answer(True, {**FULL, "amount": float("inf")}), "expected a number"),
        (PAY, Answer(True, {**FULL, "times": 1.5}), "expected a whole number"),
        (PAY, Answer(True, {**FULL, "urgent": 1}), "expected a boolean"),
        (PAY, Answer(True, {**FULL, "tags": {}}), "`tags` is an object; expected a list"),
        (PAY, Answer(True, {**FULL, "more": []}), "`more` is a list; expected an object"),
        (PAY, Answer(True, {**FULL, "evil": 1}), "There is no argument 'evil'; expected amount, to"),
        (PAY, Answer(True, {**FULL, "note": "x" * 300_000}), "262,144"),
        (PAY, Answer(False, reason="x" * 2_001), "Expected at most 2,000 characters"),
        (PAY, Answer(False, scope="chat"), "Expected scope call or step"),
        (entry("confirmation"), Answer(True, "yes"), "Expected granted true or false"),
        (entry("confirmation"), Answer(True, scope="chat"), "takes no scope"),
        (entry("selection", options=["a", "b"]), Answer(True, "c"), "one of: a, b"),
        (entry("selection", options=["a", "b"]), Answer(True), "one of: a, b"),
        (entry("text"), Answer(True), "Expected a string"),
        (entry("password"), Answer(True, 5), "Expected a string"),
        (Ask(id="a", kind="client_tool", tool="t", expires_at=NEVER), Answer(True, scope="step"), "no scope"),
        (Ask(id="a", kind="client_tool", expires_at=NEVER), Answer(True, "x" * 300_000), "too long"),
        (
            Ask(id="a", kind="client_tool", expires_at=NEVER),
            Answer(True, nested(DEEPEST_VALUE + 1)),
            "deeply",
        ),
        (PAY, Answer(True, {**FULL, "any": nested(5_000)}), "too deeply"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_anything_else_is_refused(ask: Ask, answer: Answer, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_answer(ask, answer)
    assert refused.value.code == "bad_answer"
    assert message in str(refused.value)
