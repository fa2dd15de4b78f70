"""The analyst plays its sets through real agents and children: all of what it was made with, most of what was kept aside."""

import pytest

from tests.analyst.__main__ import Played, failure, play
from tests.analyst.case import read_cases
from tests.analyst.generate import path_of

RIGHT, WRONG = 0.85, 0.03
"""What is asked of it on tables it has never seen."""


def share(played: list[Played], verdict: str) -> float:
    return sum(one.judgement.verdict == verdict for one in played) / len(played)


def test_every_question_it_was_made_with_is_answered_right() -> None:
    missed = [failure(one) for one in play(read_cases(path_of("dev"))) if one.judgement.verdict != "right"]
    assert not missed, "\n".join(missed)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["held_out", "fresh", "aside", "wide_en", "wide_ja"])
def test_the_sets_kept_aside_stay_above_what_is_asked(part: str) -> None:
    played = play(read_cases(path_of(part)))
    assert share(played, "right") >= RIGHT and share(played, "wrong") <= WRONG
    answered = [
        one for one in played if one.case.expect.get("says it cannot") and one.judgement.verdict == "wrong"
    ]
    assert not answered, "what cannot be answered was answered"
