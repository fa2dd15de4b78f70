"""`ask_person`: which questions can be asked, and what an answer or none comes to."""

from datetime import UTC, datetime
from typing import Any

import pytest

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.store.asks import Answer
from smoldesk.tools.ask_person import AskPerson, NotAnswered


class Person:
    """A ToolContext whose person gives one answer; the rest of it is not used."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Ask] = []

    def ask(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        return self.answer


QUESTION: dict[str, Any] = {"question": "Which?", "options": ["one", "two"]}


def test_the_chosen_option_is_returned() -> None:
    person = Person(Answer(granted=True, value="two"))
    assert AskPerson(60).run_in_context(person, QUESTION) == "two"  # pyright: ignore[reportArgumentType]
    (ask,) = person.asked
    assert (ask.kind, ask.input_type, ask.prompt, ask.options) == (
        "input",
        "selection",
        "Which?",
        ["one", "two"],
    )
    assert 50 < (ask.expires_at - datetime.now(UTC)).total_seconds() <= 60


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(granted=False, reason="not now."), "not now"),
        (Answer(granted=False, by="expiry"), "no answer came in time"),
        (Answer(granted=False), "nothing was chosen"),
    ],
)
def test_no_answer_is_an_error_that_says_why(answer: Answer, why: str) -> None:
    with pytest.raises(NotAnswered, match=why):
        AskPerson().run_in_context(Person(answer), QUESTION)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": "", "options": ["one", "two"]},
        {"question": "x" * 301, "options": ["one", "two"]},
        {"question": "Which?", "options": ["one"]},
        {"question": "Which?", "options": ["one", "one"]},
        {"question": "Which?", "options": ["one", 2]},
        {"question": "Which?", "options": [str(number) for number in range(10)]},
        {"question": "Which?", "options": "one, two"},
    ],
)
def test_what_cannot_be_asked_is_refused_before_anybody_is(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        AskPerson().check(wrong)
