"""Columns of numbers in which a few cells hold a word: DNF beside finish times."""

from pathlib import Path

import pandas as pd
import pytest

from tests.analyst.small_tables import SmallDesk, described

HEATS = """Lane,Club,Lap (s)
1,Otters,61.2
2,Pikes,DNF
3,Otters,58.4
4,Pikes,60.0
5,Otters,DNF
6,Pikes,63.6
7,Otters,59.9
8,Pikes,62.1
"""


@pytest.fixture
def heats(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, heats=HEATS)


def test_the_numbers_are_computed_and_the_others_told(heats: SmallDesk) -> None:
    said = heats.ask("average lap by club")
    assert "61.9" in said.text and "59.83" in said.text
    assert "2 of Lap (s) could not be read as numbers" in said.text


@pytest.mark.parametrize(
    "said",
    [
        "how many did not finish",
        "how many swimmers did not finish (DNF)",
        "number of DNFs",
        "how many are DNF",
    ],
)
def test_the_word_is_a_condition(heats: SmallDesk, said: str) -> None:
    assert heats.ask(said).first.startswith("2 ")


def test_rows_with_the_word_are_shown_as_they_are(heats: SmallDesk) -> None:
    said = heats.ask("list the DNF rows")
    assert list(said.tables[-1].columns) == ["Lane", "Club", "Lap (s)"]


def test_a_share_of_the_word_by_group(heats: SmallDesk) -> None:
    assert "25" in heats.ask("share of DNF by club").text


def kind(*cells: str, name: str = "Lap") -> str:
    return described("t", pd.DataFrame({name: list(cells)})).columns[0].kind


def test_only_measured_columns_with_few_words_are_numbers() -> None:
    assert kind("1.5", "2.5", "3.5", "4.5", "5.5", "lost count") == "number"
    assert kind("1", "2", "3", "4", "5", "absent") == "number"
    assert kind("1", "2", "3", "4", "5", "7", "8", "bye", name="Lap (s)") == "number"
    assert kind("101", "102", "103", "104", "105", "Annex") == "text"
    assert kind("1.5", "2.5", "DNF", "DNS", "DQ") == "text"
    assert kind("S", "M", "L", "38", "40", "42", "44", "46") == "text"
