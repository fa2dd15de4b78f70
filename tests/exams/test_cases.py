"""The set of questions: as many and as mixed as promised, in step with what writes it down, a third of it kept aside."""

import csv
import io
from collections import Counter

import pytest

from tests.exams import aside
from tests.exams.case import Case, q, read_cases
from tests.exams.figures import close, numbers
from tests.exams.fresh.tables import FRESH
from tests.exams.generate import (
    FILES,
    PARTS,
    WIDE,
    path_of,
    text_of,
)
from tests.exams.tables import TABLES

KINDS = {
    *(
        "aggregate",
        "correlation",
        "crosstab",
        "decline",
        "describe",
        "difference",
        "distinct",
        "filter",
        "follow-up",
    ),
    *(
        "groupby",
        "head",
        "map",
        "missing",
        "outliers",
        "percent",
        "plot",
        "quantile",
        "resample",
        "rolling",
        "save",
    ),
    *("shape", "sort", "top"),
}


@pytest.fixture(scope="module")
def parts() -> dict[str, list[Case]]:
    return {part: read_cases(path_of(part)) for part in PARTS}


@pytest.fixture(scope="module")
def cases(parts: dict[str, list[Case]]) -> list[Case]:
    return [case for part in parts.values() for case in part]


@pytest.fixture(scope="module")
def fresh() -> list[Case]:
    return read_cases(path_of("fresh"))


@pytest.fixture(scope="module")
def wide() -> dict[str, list[Case]]:
    return {part: read_cases(path_of(part)) for part in WIDE}


@pytest.mark.parametrize("part", FILES)
def test_the_files_hold_what_the_questions_and_pandas_say(part: str) -> None:
    assert text_of(part) == path_of(part).read_text(encoding="utf-8"), "run python -m tests.exams.generate"


def test_there_are_enough_questions_in_both_languages_of_every_kind(cases: list[Case]) -> None:
    langs = Counter(case.lang for case in cases)
    assert langs["en"] >= 155 and langs["ja"] >= 105
    assert sum(case.kind == "decline" for case in cases) >= 45
    assert {case.kind for case in cases} == KINDS
    assert len({case.id for case in cases}) == len(cases)


def test_the_second_set_asks_in_both_languages_over_tables_of_its_own(
    cases: list[Case], fresh: list[Case]
) -> None:
    langs = Counter(case.lang for case in fresh)
    assert langs["en"] >= 100 and langs["ja"] >= 60
    assert 0.12 <= sum(case.kind == "decline" for case in fresh) / len(fresh) <= 0.2
    assert {case.table for case in fresh} == set(FRESH) and not set(FRESH) & set(TABLES)
    assert {case.kind for case in fresh} <= KINDS
    assert len({case.id for case in [*cases, *fresh]}) == len(cases) + len(fresh)


def test_a_third_is_held_out_in_each_language_and_each_common_kind(parts: dict[str, list[Case]]) -> None:
    held = Counter((case.lang, case.kind) for case in parts["held_out"])
    every = held + Counter((case.lang, case.kind) for case in parts["dev"])
    for key, count in every.items():
        if count >= 9:
            assert 0.2 <= held[key] / count <= 0.45, key
    for lang in ("en", "ja"):
        kept, whole = (sum(count for key, count in of.items() if key[0] == lang) for of in (held, every))
        assert 0.28 <= kept / whole <= 0.38


def test_the_set_aside_is_large_enough_and_brings_small_tables_of_its_own(
    parts: dict[str, list[Case]],
) -> None:
    mine = parts["aside"]
    langs = Counter(case.lang for case in mine)
    assert langs["en"] >= 120 and langs["ja"] >= 80
    assert sum(case.kind == "decline" for case in mine) >= 30
    assert all((case.csv is None) == (case.id.startswith("map-")) and case.table is None for case in mine)
    assert not aside.TABLES.keys() & TABLES.keys()
    texts = {case.csv for case in mine if case.csv}
    assert texts == {make() for make in aside.TABLES.values()} and len(texts) == 10
    for text in texts:
        header, *rows = csv.reader(io.StringIO(text))
        assert 12 <= len(rows) <= 120 and {len(row) for row in rows} == {len(header)} == {len(set(header))}


@pytest.mark.parametrize("part", WIDE)
def test_a_set_of_many_trades_asks_a_dozen_of_each_over_small_tables(
    part: str, wide: dict[str, list[Case]], cases: list[Case], fresh: list[Case]
) -> None:
    mine = wide[part]
    declined = sum(case.kind == "decline" for case in mine)
    assert declined >= 30 and len(mine) - declined >= 170
    assert {case.kind for case in mine} <= KINDS
    assert len({case.id for case in [*mine, *cases, *fresh]}) == len(mine) + len(cases) + len(fresh)
    asked = Counter(case.csv for case in mine)
    assert len(asked) == 16 and min(asked.values()) >= 12
    for text in asked:
        header, *rows = csv.reader(io.StringIO(text))
        assert 12 <= len(rows) <= 60 and 4 <= len(header) <= 10
        assert {len(row) for row in rows} == {len(header)} == {len(set(header))}


def test_no_question_gives_its_own_answer_away(
    cases: list[Case], fresh: list[Case], wide: dict[str, list[Case]]
) -> None:
    for case in [*cases, *fresh, *(case for mine in wide.values() for case in mine)]:
        for key in ("number", "percent"):
            if key in case.expect:
                assert not any(close(one, case.expect[key]) for one in numbers(" ".join(case.turns))), case.id


def test_the_tables_are_small_messy_and_the_same_each_time() -> None:
    for name, make in (TABLES | FRESH).items():
        text = make()
        assert text == make(), name
        header, *rows = csv.reader(io.StringIO(text))
        assert 40 <= len(rows) <= 400 and {len(row) for row in rows} == {len(header)}, name
        assert len(set(header)) == len(header)
    assert sum(not make().splitlines()[0].isascii() for make in TABLES.values()) >= 4


def test_an_expectation_that_is_no_number_is_refused_when_it_is_written_down() -> None:
    with pytest.raises(AssertionError, match="not a number"):
        q("en", "aggregate", "mean of nothing", number=float("nan"))
