"""Saved answers compared with new ones: figures, words, tables, drawings; exactly, and as another model writes them."""

from typing import Any

import pytest

from smoldesk.exams.expected_parts import ExpectedDrawing
from smoldesk.exams.judging import Judgement, judge
from smoldesk.exams.produced import Produced
from smoldesk.exams.questions import ExamQuestion
from smoldesk.messages import Column, TableContent
from smoldesk.suites.capture import expected_of

ANSWER = "First class paid 84.15 on average, Third 13.67.\n\nFrom all 891 rows."


def table(
    rows: list[list[Any]], count: int | None = None, columns: tuple[str, ...] = ("class", "fare")
) -> TableContent:
    listed = [Column(name=name, kind="text") for name in columns]
    return TableContent(table_id="f_1", name="fares", columns=listed, rows=rows, row_count=count or len(rows))


def judged(before: Produced, after: Produced, exact: bool, **expect: Any) -> Judgement:
    expected = expected_of(before).model_copy(update=expect)
    question = ExamQuestion(id="q", language="en", question="?", expect=expected)
    return judge(question, after, exact)


def differing(judgement: Judgement) -> list[tuple[str, str, str, str]]:
    return [(part.kind, part.name, part.expected, part.got) for part in judgement.parts if not part.holds]


def test_an_unchanged_answer_holds_exactly_and_live() -> None:
    produced = Produced(text=ANSWER, shown_tables=[table([["First", 84.15], ["Third", 13.67]])])
    for exact in (True, False):
        judgement = judged(produced, produced, exact)
        assert judgement.verdict == "right" and differing(judgement) == []


def test_another_figure_is_named_with_what_was_expected() -> None:
    judgement = judged(Produced(text=ANSWER), Produced(text=ANSWER.replace("84.15", "84.51")), exact=True)
    assert judgement.verdict == "wrong" and judgement.reason == "1 of 4 parts differ"
    assert differing(judgement) == [("figure", "", "84.15", "84.51")]


def test_figures_that_changed_places_differ() -> None:
    after = "First class paid 13.67 on average, Third 84.15.\n\nFrom all 891 rows."
    assert len(differing(judged(Produced(text=ANSWER), Produced(text=after), exact=True))) == 2


def test_other_words_differ_exactly_and_not_live() -> None:
    after = Produced(text=ANSWER.replace("First", "Second"))
    assert differing(judged(Produced(text=ANSWER), after, exact=True))[0][0] == "text"
    rewritten = Produced(text="891 passengers. Mean fares: 13.7 in third, 84.15 in first class.")
    assert judged(Produced(text=ANSWER), rewritten, exact=False).verdict == "right"


def test_a_tolerance_allows_small_changes_of_numbers() -> None:
    before = Produced(text=ANSWER, shown_tables=[table([["First", 84.15]])])
    after = Produced(text=ANSWER.replace("84.15", "84.20"), shown_tables=[table([["First", 84.2]])])
    assert judged(before, after, exact=True, tolerance_percent=0.1).verdict == "right"
    assert judged(before, after, exact=True).verdict == "wrong"


def test_a_cell_of_a_table_is_named_by_row_and_column() -> None:
    before = Produced(text="Here.", shown_tables=[table([["First", 84.15], ["Third", 13.67]])])
    after = Produced(text="Here.", shown_tables=[table([["First", 84.15], ["Third", None]])])
    assert differing(judged(before, after, exact=True)) == [
        ("table", "fares · Third · fare", "13.67", "null")
    ]


def test_a_table_with_another_shape_or_none_differs() -> None:
    before = Produced(text="Here.", shown_tables=[table([["First", 84.15]])])
    for after in (
        [table([["First", 84.15]], count=9)],
        [],
        [table([["First", 84.15]], columns=("class", "price"))],
    ):
        assert judged(before, Produced(text="Here.", shown_tables=after), exact=True).verdict == "wrong"


def test_a_live_table_may_have_other_columns_and_order() -> None:
    before = Produced(text="Here.", shown_tables=[table([["First", 84.1547], ["Third", 13.67]])])
    other = table([[1, "third", 13.67], [2, "first", 84.15]], columns=("n", "pclass", "mean"))
    assert judged(before, Produced(text="So.", shown_tables=[other]), exact=False).verdict == "right"
    other.rows[0][2] = 15
    assert judged(before, Produced(text="So.", shown_tables=[other]), exact=False).verdict == "wrong"


@pytest.mark.parametrize(
    ("kind", "facts", "changed"),
    [
        ("room", {"color": "#ff0000", "value": 3.0}, {"color": "#00ff00"}),
        ("route", {"length": 20.17, "floors": ["1F"]}, {"length": 31.0}),
        ("arrow", {"direction": "up"}, {"direction": "down"}),
        ("chart", {"values": [{"x": 1}], "values_hash": "a"}, {"values": [{"x": 2}], "values_hash": "b"}),
    ],
)
def test_a_drawing_that_changed_says_how(kind: Any, facts: dict[str, Any], changed: dict[str, Any]) -> None:
    before = Produced(text="Drawn.", drawings=[ExpectedDrawing(kind=kind, name="Kitchen", facts=facts)])
    after = Produced(
        text="Drawn.", drawings=[ExpectedDrawing(kind=kind, name="Kitchen", facts={**facts, **changed})]
    )
    [(part, name, _, got)] = differing(judged(before, after, exact=True))
    assert (part, name) == ("drawing", f"{kind} Kitchen") and str(next(iter(changed))) in got
    assert judged(before, before, exact=True).verdict == "right"
    assert judged(before, Produced(text="Drawn."), exact=True).verdict == "wrong", "it is missing"
    assert judged(Produced(text="Drawn."), after, exact=True).verdict == "right", (
        "a test without drawings has none"
    )


def test_an_exam_judges_a_saved_answer_as_it_judges_a_model() -> None:
    assert (
        judged(Produced(text=ANSWER), Produced(text="I cannot answer that."), exact=False).verdict
        == "unanswered"
    )
    assert judged(Produced(text="Yes."), Produced(text="No."), exact=False).verdict == "wrong"
