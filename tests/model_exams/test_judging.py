"""Judgements of answers: numbers, dates and names as people and models write them, in English and Japanese."""

import json
import time
from typing import Any

import pytest

from smoldesk.exams.judging import judge
from smoldesk.exams.produced import Produced
from smoldesk.exams.questions import ExamQuestion
from smoldesk.messages import Map


def question(**expect: Any) -> ExamQuestion:
    return ExamQuestion.model_validate_json(
        json.dumps({"id": "q", "language": "en", "question": "?", "expect": expect})
    )


def verdict(text: str, /, **expect: Any) -> str:
    return judge(question(**expect), Produced(text=text)).verdict


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("There are 1,234.5 of them.", 1234.5),
        ("答えは１，２３４．５です。", 1234.5),
        ("合計は1万2千円です", 12_000),
        ("1.2万人です。", 12_000),
        ("3千万", 30_000_000),
        ("2億3000万円", 230_000_000),
        ("It fell by \u22124.5 degrees", -4.5),
        ("**342** of 891 passengers", 342),
        ("1. Room1 has 17\n2. Room2 has 18", 18),
        ("On 2025-10-11 at 21:30 there were 7.", 7),
        ("1e3", 1000),
    ],
)
def test_a_number_is_read_in_the_forms_of_both_languages(text: str, number: float) -> None:
    assert verdict(text, number=number) == "right"
    assert verdict(text, number=number + 1) == "wrong"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("63.0%", "right"),
        ("63 percent", "right"),
        ("63.0パーセントです", "right"),
        ("The share is 0.63.", "right"),
        ("63.0", "right"),
        ("63.2%", "wrong"),
        ("63.0 km", "wrong"),
        ("0.63%", "wrong"),
    ],
)
def test_a_share_needs_its_value_within_the_tolerance_and_no_other_unit(text: str, expected: str) -> None:
    assert verdict(text, number=63.0, tolerance=0.05, unit="%") == expected


@pytest.mark.parametrize("text", ["Room1 is warm.", "See 2025-10-11.", "floor 2F", "column x1", "the 3rd"])
def test_names_and_dates_hold_no_number(text: str) -> None:
    for number in (1, 2, 3, 10, 11, 2025):
        assert verdict(text, number=number) == "wrong"


def test_a_heap_of_numbers_answers_nothing() -> None:
    heap = ", ".join(map(str, range(100, 200)))
    judgement = judge(question(number=150), Produced(text=heap))
    assert judgement.verdict == "wrong" and "100 numbers at once" in judgement.compared


def test_a_table_and_data_of_the_last_step_count() -> None:
    assert (
        judge(question(number=3), Produced(text="See the table.", tables=[[["Kitchen", 3]]])).verdict
        == "right"
    )
    assert judge(question(number=3), Produced(data=[{"rows": [{"n": 3}]}])).verdict == "right"
    large = Produced(text="See the table.", tables=[[[number] for number in range(100)]])
    assert judge(question(number=3), large).verdict == "wrong"
    warm = question(set=["Room1", "Kitchen"], others=["Toilet"])
    assert judge(warm, Produced(tables=[[["Kitchen", 21.1], ["Room1", 22]]])).verdict == "right"
    assert judge(warm, Produced(data=[["Room1", "Kitchen", "Toilet"]])).verdict == "wrong"
    order = question(list=["B", "A"])
    assert judge(order, Produced(tables=[[["B", 2], ["A", 1]]])).verdict == "right"
    assert judge(order, Produced(tables=[[["A", 2], ["B", 1]]])).verdict == "wrong"


def test_the_candidate_that_is_named_first_is_the_answer() -> None:
    expect: dict[str, Any] = {"text": ["Southampton", "サウサンプトン"], "others": ["Cherbourg"]}
    assert verdict("Southampton, before Cherbourg.", **expect) == "right"
    assert verdict("最多はサウサンプトンです。", **expect) == "right"
    assert verdict("Cherbourg, not Southampton.", **expect) == "wrong"
    assert verdict("Southamptonia", **expect) == "wrong"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Room1, Bathroom and Kitchen", "right"),
        ("Kitchen; Room1; Bathroom.", "right"),
        ("Room1 and Kitchen", "wrong"),
        ("Room1, Bathroom, Kitchen and Toilet", "wrong"),
        ("Room12, Bathroom, Kitchen", "wrong"),
    ],
)
def test_a_set_is_named_completely_and_without_others(text: str, expected: str) -> None:
    assert verdict(text, set=["Room1", ["Bathroom", "浴室"], "Kitchen"], others=["Toilet"]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2025-10-11",
        "11 October 2025",
        "October 11th, 2025",
        "Oct 11",
        "2025年10月11日です",
        "10月11日",
        "2025/10/11",
    ],
)
def test_a_date_is_read_in_its_usual_forms(text: str) -> None:
    assert verdict(text, date="2025-10-11") == "right"
    assert verdict(text, date="2025-11-10") == "wrong"


@pytest.mark.parametrize(
    ("text", "yes"),
    [("Yes, they did.", True), ("No.", False), ("はい、そうです", True), ("いいえ", False), ("True", True)],
)
def test_yes_and_no(text: str, yes: bool) -> None:
    assert verdict(text, yes=yes) == "right"
    assert verdict(text, yes=not yes) == "wrong"


def test_a_question_without_an_answer_must_be_declined_for_what_is_missing() -> None:
    expect = {"declines": ["nationality", "国籍"]}
    assert verdict("The table does not contain a nationality column.", **expect) == "right"
    assert verdict("国籍の列がないため、回答できません。", **expect) == "right"
    assert verdict("Most passengers were British by nationality.", **expect) == "wrong"
    assert verdict("I cannot do that.", **expect) == "wrong"
    assert verdict("", **expect) == "unanswered"


def test_a_refusal_is_unanswered_and_a_failed_run_failed() -> None:
    assert verdict("I do not know what survived means.", number=342) == "unanswered"
    assert verdict("", number=342) == "unanswered"
    failed = judge(question(number=1), Produced(failure="step_limit: 20 steps"))
    assert (failed.verdict, failed.reason) == ("failed", "step_limit: 20 steps")


def drawn(**content: Any) -> Produced:
    message = Map.model_validate({"type": "map", "content": {"floorId": "1F", "timestamp": "t", **content}})
    return Produced(text="Done.", map=message.content)  # pyright: ignore[reportArgumentType]


def test_a_map_question_looks_at_what_was_drawn() -> None:
    rooms = drawn(rectangles=[{"name": "Kitchen"}, {"name": "Bathroom"}])
    assert judge(question(map={"floor": "1F", "rooms": ["Bathroom", "Kitchen"]}), rooms).verdict == "right"
    assert judge(question(map={"rooms": ["Kitchen"]}), rooms).verdict == "wrong"
    assert judge(question(map={"floor": "2F"}), rooms).verdict == "wrong"
    assert judge(question(map={"rooms": ["Kitchen"]}), Produced(text="Done.")).verdict == "wrong"
    arrow = question(map={"arrow": {"room": "Room2", "direction": "left"}})
    assert judge(arrow, Produced(text="x", arrows={("Room2", "left")})).verdict == "right"
    sign = {"type": "bitmap", "bitmapId": "arrow_left", "position": {"type": "rectangle", "name": "Room2"}}
    assert judge(arrow, drawn(overlays=[sign])).verdict == "right"
    assert judge(arrow, Produced(text="x", arrows={("Room2", "up")})).verdict == "wrong"
    legs = [{"floorId": "1F", "points": [{"x": 1, "y": 1}]}]
    route = {
        "type": "route",
        "start": "Room1 (1F)",
        "goal": "Library",
        "legs": legs,
        "length": 2,
        "accessible": True,
    }
    wanted = question(map={"route": {"start": "Room1", "goal": "Library", "accessible": True}})
    assert judge(wanted, drawn(overlays=[route])).verdict == "right"
    assert judge(wanted, drawn(overlays=[{**route, "accessible": False}])).verdict == "wrong"
    assert judge(wanted, drawn(overlays=[{**route, "goal": "Lounge"}])).verdict == "wrong"


@pytest.mark.parametrize(
    "text", ["1," * 2_000_000, "111," * 2_000_000, "1万" * 1_000_000, "9" * 5_000_000, "1.1." * 500_000]
)
def test_a_huge_answer_is_judged_in_bounded_time(text: str) -> None:
    started = time.process_time()
    assert verdict(text, number=5) == "wrong"
    assert verdict(text, date="2025-10-11") == "wrong"
    assert time.process_time() - started < 20
