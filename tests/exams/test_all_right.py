"""The analyst plays its sets through real agents and children: all of what it was made with, most of what was kept aside."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.exams.__main__ import Played, failure, play
from tests.exams.case import Case, read_cases
from tests.exams.generate import path_of
from tests.exams.judge import judge
from tests.exams.player import Player

RIGHT, WRONG = 0.85, 0.03
"""What is asked of it on tables it has never seen."""


def share(played: list[Played], verdict: str) -> float:
    return sum(one.judgement.verdict == verdict for one in played) / len(played)


DEV = read_cases(path_of("dev"))


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with Player(tmp_path_factory.mktemp("analyst"), "code") as player:
        yield player


@pytest.mark.parametrize("case", DEV, ids=[case.id for case in DEV])
def test_a_question_it_was_made_with_is_answered_right(player: Player, case: Case) -> None:
    answer = player.play(case)
    played = Played(case, judge(case, answer), answer.fault or answer.text)
    assert played.judgement.verdict == "right", failure(played)


def test_there_are_as_many_questions_as_were_asked_for() -> None:
    of = Counter(case.lang for case in DEV)
    assert of["en"] >= 150 and of["ja"] >= 100


@pytest.mark.slow
@pytest.mark.parametrize("part", ["held_out", "fresh", "aside", "wide_en", "wide_ja"])
def test_the_sets_kept_aside_stay_above_what_is_asked(part: str) -> None:
    played = play(read_cases(path_of(part)))
    assert share(played, "right") >= RIGHT and share(played, "wrong") <= WRONG
    answered = [
        one for one in played if one.case.expect.get("says it cannot") and one.judgement.verdict == "wrong"
    ]
    assert not answered, "what cannot be answered was answered"
