"""The wide Japanese set: twelve small tables, mostly Japanese questions, enough of them without an answer."""

import csv
import io
from collections import Counter

import pytest

from tests.exams.case import Case, read_cases
from tests.exams.figures import close, numbers
from tests.exams.generate import path_of
from tests.exams.test_cases import KINDS


@pytest.fixture(scope="module")
def wide() -> list[Case]:
    return read_cases(path_of("wide_ja"))


def test_there_are_enough_questions_and_a_seventh_of_them_has_no_answer(wide: list[Case]) -> None:
    langs = Counter(case.lang for case in wide)
    assert langs["ja"] >= 150 and langs["en"] >= 10
    assert 0.13 <= sum(case.kind == "decline" for case in wide) / len(wide) <= 0.18
    assert {case.kind for case in wide} <= KINDS
    assert len({case.id for case in wide}) == len(wide)


def test_each_question_brings_one_of_twelve_small_tables(wide: list[Case]) -> None:
    texts = {case.csv for case in wide if case.csv}
    assert len(texts) == 12 and all(case.csv and case.table is None for case in wide)
    for text in texts:
        header, *rows = csv.reader(io.StringIO(text))
        assert 12 <= len(rows) <= 60 and 4 <= len(header) <= 8
        assert {len(row) for row in rows} == {len(header)} == {len(set(header))}
    assert sum(not text.splitlines()[0].isascii() for text in texts) == 8


def test_no_question_gives_its_own_answer_away(wide: list[Case]) -> None:
    for case in wide:
        for key in ("number", "percent"):
            if key in case.expect:
                assert not any(close(one, case.expect[key]) for one in numbers(" ".join(case.turns))), case.id
