"""Questions about tables the analyst has never seen: loose names, dates, numbers written as text, honest refusals."""

from dataclasses import replace
from io import StringIO
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.write import write
from smoldesk.tables.inside.columns import Describer

FLIGHTS = """Flight No,Airline,Dep Airport,Arr Airport,Departure Date,Delay (min),Passengers,Ticket Price (EUR),Cancelled?
AB1,Blue Air,Oslo,Rome,03/01/2024,12,120,"1,088.5",no
AB2,Red Wings,Rome,Oslo,15/02/2024,0,90,120,yes
AB3,Blue Air,Rome,Rome,07/03/2024,45,150,99,no
AB4,Blue Air,Oslo,Oslo,28/03/2024,5,80,75,no
"""
METERS = """検針日,建物名,電力使用量(kWh),料金(円),点検済み
令和6年4月1日,本館,1203.5,"45,000",はい
令和6年4月2日,別館,980,"32,100",いいえ
令和6年5月2日,別館,880,"31,100",いいえ
"""


def described(text: str) -> Catalogue:
    """A catalogue of this one table, as a child would describe it."""
    frame = pd.read_csv(StringIO(text))
    columns = [
        ColumnInfo(one["name"], one["kind"], one["values"], one.get("form", ""), tuple(one.get("span", ())))
        for one in Describer().columns(frame)
    ]
    return Catalogue([TableInfo("data", columns, len(frame), "pd.read_csv('data.csv')")], {}, {}, [], "1F")


def intent(text: str, *talk: str) -> Any:
    return read_talk(list(talk), Lexicon(described(text))).intent


def filters(text: str, *talk: str) -> list[tuple[str, str, Any]]:
    read = intent(text, *talk)
    assert isinstance(read, DataIntent), read
    return [(one.column, one.comparison, one.values[0] if one.values else None) for one in read.filters]


def run(text: str, question: str) -> str:
    """The answer of the code that the analyst writes for a question."""
    catalogue = described(text)
    answers: list[str] = []
    code = write(read_talk([question], Lexicon(catalogue)), catalogue).code
    frame = pd.read_csv(StringIO(text))
    code = code.replace("pd.read_csv('data.csv')", "frame.copy()")
    exec(code, {"frame": frame, "pd": pd, "display": lambda one: None, "final_answer": answers.append})
    return answers[0]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many flights were cancelled", [("Cancelled?", "==", "yes")]),
        ("flights from oslo, how many", [("Dep Airport", "==", "Oslo")]),
        ("average price of flights to rome", [("Arr Airport", "==", "Rome")]),
        ("how many flights were delayed by more than 10 minutes", [("Delay (min)", ">", 10.0)]),
        ("average delay of flights longer than 1 hour", None),
        ("how many flights since march 1 2024", [("Departure Date", ">=", "2024-03-01")]),
        ("how many flights after 2024-03-07", [("Departure Date", ">=", "2024-03-08")]),
        ("total passengers in february", [("Departure Date", "==", 2.0)]),
        ("mean delay excluding blue air", [("Airline", "!=", "Blue Air")]),
    ],
)
def test_conditions_are_read_from_loose_words(question: str, wanted: list[Any] | None) -> None:
    if wanted is None:  # nothing there is measured in hours but the delay
        assert filters(FLIGHTS, question) == [("Delay (min)", ">", 60.0)]
        return
    assert filters(FLIGHTS, question) == wanted


def test_a_day_of_another_year_and_a_value_in_two_columns_are_not_guessed_at() -> None:
    nothing = intent(FLIGHTS, "how many flights in 1999")
    assert isinstance(nothing, Refusal) and nothing.words == ("1999",)
    which = intent(FLIGHTS, "how many flights oslo")
    assert isinstance(which, Refusal) and which.choices == ("Dep Airport", "Arr Airport")


@pytest.mark.parametrize(
    "question",
    ["average pilot age", "水道使用量の平均", "東館の料金は", "how many flights did Lufthansa operate"],
)
def test_a_word_that_means_nothing_here_is_declined(question: str) -> None:
    text = FLIGHTS if question.isascii() else METERS
    assert isinstance(intent(text, question), Refusal)


def test_numbers_and_dates_written_as_text_are_computed_with() -> None:
    assert "1,382.5" in run(FLIGHTS, "total ticket price")
    assert "77,100" in run(METERS, "4月の料金の合計")
    assert ": 12." in run(FLIGHTS, "average delay in january")


def test_a_follow_up_keeps_what_was_asked() -> None:
    first = intent(METERS, "建物ごとの電力使用量の合計")
    assert intent(METERS, "建物ごとの電力使用量の合計", "4月だけ") == replace(
        first, filters=(Filter("検針日", "==", (4.0,), "month"),)
    )
