"""The analyst plays a fixed sample of its exams through real agents and children: every fifth case, with a floor."""

from collections import Counter

import pytest

from tests.exams.__main__ import Played, failure, play
from tests.exams.case import CASES, SETS, read_cases

RIGHT, WRONG, DECLINED = 0.65, 0.06, 0.9
"""Of questions that have an answer at least this many are right at once, of all at most this many wrong; of those without an
answer at least this many are declined. A little below what spec/reference/analyst_questions.md says of all cases."""
NTH = 5


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return play([case for name in SETS for case in read_cases(CASES / f"{name}.jsonl")[::NTH]])


def test_the_sample_stays_above_its_floor(played: list[Played]) -> None:
    asked = Counter(one.judgement.verdict for one in played if one.case.kind != "decline")
    must = Counter(one.judgement.verdict for one in played if one.case.kind == "decline")
    wrong = [failure(one) for one in played if one.judgement.verdict == "wrong"]
    assert len(wrong) <= WRONG * len(played), "\n".join(wrong)
    assert asked["right"] >= RIGHT * asked.total()
    assert must["wrong"] <= (1 - DECLINED) * must.total()


def test_cases_name_tables_that_are_there_and_give_no_answer_away() -> None:
    cases = [case for name in SETS for case in read_cases(CASES / f"{name}.jsonl")]
    assert len(cases) == 1327 and {case.lang for case in cases} == {"en", "ja"}
    for case in cases:
        assert case.text() or not (case.table or case.file), case.id
        number = case.expect.get("number")
        assert number is None or str(number) not in " ".join(case.turns).split(), case.id
