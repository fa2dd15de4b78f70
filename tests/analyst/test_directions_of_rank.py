"""From which end a superlative looks: what its column means decides."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

REPAIRS = """Job,Fitter,Town,Hours to Mend,Cable_mm,Bill (USD),Customer rating
J1,Ana,Hull,0.5,12,200,4
J2,Bea,York,30,3400,1500,2
J3,Ana,York,5,900,900,5
J4,Cal,Hull,60,15,7000,1
J5,Bea,Hull,24,77,100,3
"""
RUNS = """Run,Coach,Avg pace (min/km),Stay (min)
1,Mia,5.8,30
2,Noa,4.2,90
3,Mia,6.1,20
4,Noa,4.9,60
"""
HAISOU = """配達番号,担当者,所要時間(分),料金(円),評価
D1,佐藤,25,800,4.5
D2,鈴木,95,12500,3.0
D3,佐藤,30,1000,4.8
D4,鈴木,140,28000,2.5
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(Path(tmp_path_factory.mktemp("repairs")), repairs=REPAIRS)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("which fitter is fastest", "Lowest average Hours to Mend: Ana (2.75)."),
        ("which fitter is slowest", "Highest average Hours to Mend: Cal (60)."),
        ("which town is quicker", "Lowest average Hours to Mend: York (17.50)."),
        ("which town is cheaper", "Lowest average Bill (USD): York (1,200)."),
        ("the slowest job", "Largest Hours to Mend: 60 (J4)."),
        ("worst rated job", "Smallest Customer rating: 1 (J4)."),
        ("best rated job", "Largest Customer rating: 5 (J3)."),
        ("lowest rated fitter", "Lowest average Customer rating: Cal (1)."),
        ("least expensive town", "Lowest average Bill (USD): York (1,200)."),
        ("priciest job", "Largest Bill (USD): 7,000 (J4)."),
    ],
)
def test_the_meaning_of_the_column_says_which_end_is_asked_for(
    desk: SmallDesk, asked: str, first: str
) -> None:
    assert desk.ask(asked).first == first


def test_the_best_of_an_unknown_measure_stays_declined(desk: SmallDesk) -> None:
    assert "'best'" in desk.ask("best fitter").first
    assert not desk.ask("most profitable town").tables


def test_the_fastest_has_the_lowest_pace_and_a_stay_is_no_speed(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, runs=RUNS).ask("which coach is fastest")
    assert said.first == "Lowest average Avg pace (min/km): Noa (4.55)."


def test_rows_that_are_only_counted_up_are_ranked_by_what_is_asked(tmp_path: Path) -> None:
    assert SmallDesk(tmp_path, runs=RUNS).ask("longest run").first == "Largest Stay (min): 90 (2)."


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("一番早い担当者", "所要時間(分)の平均が最も低いのは佐藤（27.50）です。"),
        ("最速の担当者", "所要時間(分)の平均が最も低いのは佐藤（27.50）です。"),
        ("一番遅い担当者", "所要時間(分)の平均が最も高いのは鈴木（117.50）です。"),
        ("一番評価が低い配達", "最も小さい評価: 2.50 (D4)"),
        ("最安の配達", "最も小さい料金(円): 800 (D1)"),
        ("一番所要時間が早い担当者", "所要時間(分)の平均が最も低いのは佐藤（27.50）です。"),
    ],
)
def test_japanese_ranks_look_the_right_way(tmp_path: Path, asked: str, first: str) -> None:
    assert SmallDesk(tmp_path, haisou=HAISOU).ask(asked).first == first


def test_a_fee_says_not_how_big_a_thing_is(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, lessons="Class,Fee,Enrolled\nYoga,60,25\nChess,0,9\nDance,75,30\n")
    assert "Which column" in said.ask("biggest class").first
