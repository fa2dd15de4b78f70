"""Cells that several columns hold: the column named before them is the one; English headers and cells in Japanese words."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

MOVES = """作業日,出発地,到着地,距離km,料金
2024-03-02,仙台市,山形市,66,71000
2024-03-03,山形市,仙台市,66,62000
2024-03-09,福島市,山形市,82,90000
2024-03-10,仙台市,仙台市,8,32000
"""
JOBS = """Job_ID,Language,word_count,turnaround_days,completion_rate
J1,English,3200,4,71%
J2,German,5400,7,64%
J3,French,1200,2,80%
"""


@pytest.mark.parametrize(
    ("asked", "column", "cells"),
    [
        ("到着地が山形市の引越しは何件?", "到着地", ("山形市",)),
        ("到着地が仙台市または山形市の件数", "到着地", ("仙台市", "山形市")),
        ("出発地が山形市の料金の合計", "出発地", ("山形市",)),
        ("到着地が仙台市か山形市の引っ越しの平均料金", "到着地", ("仙台市", "山形市")),
    ],
)
def test_cells_are_of_the_column_before_them(asked: str, column: str, cells: tuple[str, ...]) -> None:
    found = intent(MOVES, asked)
    assert isinstance(found, DataIntent), found
    assert found.filters == (Filter(column, "==", cells),)
    assert found.groups in ((), (column,) * (len(cells) > 1))


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("単語数の中央値は?", {"measures": ("word_count",), "aggregates": ("median",)}),
        ("ドイツ語の案件は何件?", {"filters": (Filter("Language", "==", ("German",)),)}),
        ("完了率の平均", {"measures": ("completion_rate",)}),
        ("納品までの日数の平均", {"measures": ("turnaround_days",)}),
    ],
)
def test_english_headers_answer_to_japanese_words(asked: str, wanted: dict[str, object]) -> None:
    found = intent(JOBS, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


PETS = "名前,種類,体重(kg),体長(cm)\nポチ,犬,8.2,60\nミケ,猫,4.1,45\nタマ,猫,3.9,44\n"


def test_kilos_of_a_weight_are_kilograms() -> None:
    found = intent(PETS, "猫の平均体重は何キロですか")
    assert isinstance(found, DataIntent), found
    assert (found.measures, found.aggregates) == (("体重(kg)",), ("mean",))


def test_a_length_is_not_told_in_kilos() -> None:
    assert isinstance(intent(PETS, "猫の平均体長は何キロですか"), Refusal)
