"""What the analyst does not know it says, naming the word, in the language asked, with things that work."""

import re

import pytest

from smoldesk.analyst.words.text import is_japanese
from tests.analyst.desk import Desk

UNANSWERABLE = [
    ("average salary by class", "salary"),
    ("average wingspan of passengers", "wingspan"),
    ("how many elephants are in titanic", "elephants"),
    ("survival rate of dogs", "dogs"),
    ("average fare of passengers from Tokyo", "Tokyo"),
    ("average temperature in the Garage", "Garage"),
    ("temperature per planet", "planet"),
    ("load the iris dataset", "iris"),
    ("why did so many people die", "why"),
    ("predict the temperature tomorrow", "predict"),
    ("what is the capital of France", "capital"),
    ("average temperature in 2031", "2031"),
    ("average of class", "class"),
    ("fibble the wozzle", "wozzle"),
    ("給料の平均は？", "給料"),
    ("部屋ごとの平均騒音", "騒音"),
    ("明日の温度は？", "明日"),
    ("なぜ多くの人が亡くなったの？", "なぜ"),
    ("アヤメのデータを読み込んで", "アヤメ"),
    ("犬の生存率", "犬"),
]


@pytest.mark.parametrize(("request_", "word"), UNANSWERABLE)
def test_an_unanswerable_request_is_declined_naming_the_word(desk: Desk, request_: str, word: str) -> None:
    seen = desk.ask(request_)
    assert word in seen.answer
    assert not seen.tables and not seen.axes and not seen.calls and not seen.saved
    assert is_japanese(seen.answer.splitlines()[0]) == is_japanese(request_)


@pytest.mark.parametrize(
    "request_",
    ["hello", "help", "what can you do?", "こんにちは", "何ができますか？", "fibble wozzle", "ほげほげ"],
)
def test_help_and_refusals_offer_three_requests_that_really_work(desk: Desk, request_: str) -> None:
    answer = desk.ask(request_).answer
    offered = re.findall(r"^- (.+)$", answer, re.MULTILINE)
    assert len(offered) == 3
    for one in offered:
        seen = desk.ask(one)
        assert seen.tables or seen.calls or seen.axes, one
        assert is_japanese(one) == is_japanese(request_)


def test_examples_speak_of_the_chats_own_file(rides: Desk) -> None:
    for one in re.findall(r"^- (.+)$", rides.ask("hello").answer, re.MULTILINE):
        seen = rides.ask(one)
        assert seen.tables or seen.calls, one
    assert "rides" in rides.ask("hello").answer


def test_an_unclear_table_is_asked_for(desk: Desk) -> None:
    seen = desk.ask("how many rows are there?")
    assert "titanic" in seen.answer and "measurement" in seen.answer and not seen.tables


def test_words_that_fit_nowhere_are_not_dropped(desk: Desk) -> None:
    for request, word in {
        "average age of passengers with 3": "3",
        "how many passengers in Kitchen": "passengers",
        "survival rate by class on floor 2": "floor 2",
        "which sex has above average fare": "above",
        "how many women or children": "or",
        "how many passengers in first class are not old": "not",
    }.items():
        seen = desk.ask(request)
        assert word in seen.answer and not seen.tables, (request, seen.answer)


def test_a_mended_typo_is_said(desk: Desk) -> None:
    assert "'temprature' as 'temperature'" in desk.ask("average temprature per room").reply.splitlines()[0]


def test_nothing_to_save_is_said(desk: Desk) -> None:
    seen = desk.ask("save it to csv")
    assert not seen.saved and "save" in seen.answer
