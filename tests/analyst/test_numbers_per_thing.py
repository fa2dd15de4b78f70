"""How many rows each thing has: those with so many, the average number, one-timers and those who came again."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

REPAIRS = """job_no,Brought in,Owner,Device,Fault type,Technician,State,Cost (EUR)
R1,2024-04-02,Abe Holt,kettle,leak,Nia,done,20
R2,2024-04-05,Bea Lund,toaster,wiring,Nia,done,35
R3,2024-04-09,Abe Holt,kettle,leak,Oli,cancelled,0
R4,2024-05-01,Cas Mori,lamp,wiring,Nia,done,15
R5,2024-05-03,Abe Holt,radio,leak,Nia,cancelled,0
R6,2024-05-07,Bea Lund,kettle,switch,Pia,done,25
"""
LOANS = """貸出番号,貸出日,利用者名,書名,分野,返却
L1,2024-04-01,佐野,山の本,自然,済
L2,2024-04-03,森田,海の本,自然,未
L3,2024-04-08,佐野,駅の本,社会,済
L4,2024-05-02,佐野,海の本,自然,済
L5,2024-05-06,井口,空の本,自然,未
L6,2024-05-09,森田,山の本,自然,済
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("repairs"), repairs=REPAIRS)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("loans"), loans=LOANS)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("which owners have more than one repair", "2 of 3 values of Owner with more than 1"),
        ("how many owners had at least 3 repairs", "1 of 3 values of Owner with at least 3 rows: Abe Holt (3)"),
        ("owners who came only once", "1 of 3 values of Owner with exactly 1 row: Cas Mori (1)"),
        ("repeat owners", "2 of 3 values of Owner with at least 2 rows"),
        ("one-time owners", "Cas Mori (1)"),
        ("what percent of owners are repeat owners", "66.7 %: 2 of 3 values of Owner with at least 2 rows"),
        ("repairs per owner on average in April", "Average number of rows per Owner (month(Brought in) = 4): 1.50"),
        ("the most often reported fault type", "Most rows: leak (3)"),
        ("technicians who handled fewer than 2 repairs", "Oli (1), Pia (1)"),
        ("owners with over 2 repairs", "1 of 3"),
        ("owners with more than one repair in April", "1 values of Owner with more than 1 row (month(Brought in) = 4)"),
        ("owners with more than one device", "2 of 3 values of Owner with more than 1 different Device"),
        ("owners who cancelled more than one repair", "(State = cancelled): Abe Holt (2)"),
        ("fault types with at least 2 repairs", "leak (3), wiring (2)"),
        ("fault types reported only once", "1 of 3 values of Fault type with exactly 1 row: switch (1)"),
        ("average number of repairs per technician", "Average number of rows per Technician: 2"),
        ("repairs per owner on average", "Average number of rows per Owner: 2"),
        ("how many repairs does each technician handle on average", "Average number of rows per Technician: 2"),
        ("the most common fault", "Most rows: leak (3)"),
    ],
)  # fmt: skip
def test_of_rows_per_thing(desk: SmallDesk, request_: str, said: str) -> None:
    assert said in desk.ask(request_).first


def test_a_verb_that_no_cell_says_is_declined(desk: SmallDesk) -> None:
    assert "'scrapped'" in desk.ask("owners who scrapped more than one repair").first


def test_none_is_fewer_too(desk: SmallDesk) -> None:
    assert "Pia (0)" in desk.ask("technicians with fewer than 2 leak repairs").first


def test_few_of_an_amount_are_no_rows(desk: SmallDesk) -> None:
    assert "values of Owner" not in desk.ask("owners with more than one cost").first


def test_a_number_of_the_row_itself_stays_a_condition(tmp_path: Path) -> None:
    homes = SmallDesk(tmp_path, homes="home,bedrooms\nA,2\nB,3\nC,1\n")
    assert homes.ask("how many homes with more than 2 bedrooms").first.startswith("1 ")


def test_a_figure_of_the_row_stays_a_condition_in_japanese(tmp_path: Path) -> None:
    halls = SmallDesk(
        tmp_path,
        halls="利用日,団体,利用人数(人)\n2024-05-01,合唱,40\n2024-05-03,合唱,20\n2024-05-04,卓球,10\n",
    )
    assert "利用人数(人) ≥ 30" in halls.ask("30人以上で利用した団体").first


def test_follow_ups_ask_the_same_of_other_rows(desk: SmallDesk) -> None:
    asked = "which owners have more than one repair"
    assert "month(Brought in) = 4" in desk.ask(asked, "and in April?").first
    assert "values of Device with more than 1" in desk.ask(asked, "and devices?").first
    assert "with more than" not in desk.ask(asked, "average cost instead").first


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("2回以上借りた利用者は？", "行数が2以上のものは2種類です: 佐野（3）、森田（2）"),
        ("貸出が3件以上ある利用者の数", "1種類です: 佐野（3）"),
        ("1回しか借りていない利用者", "行数がちょうど1のものは1種類です: 井口（1）"),
        ("4月に2回以上借りた利用者", "（month(貸出日) = 4）: 佐野（2）"),
        ("リピーターは何人？", "2種類です: 佐野（3）、森田（2）"),
        ("利用者ごとの平均件数", "利用者名ごとの行数の平均: 2"),
        ("利用者1人あたりの平均貸出回数", "利用者名ごとの行数の平均: 2"),
        ("最も件数の少ない分野", "行数が最も少ないのは社会（1）"),
        ("最も頻繁な分野", "行数が最も多いのは自然（5）"),
    ],
)
def test_of_rows_per_thing_in_japanese(library: SmallDesk, request_: str, said: str) -> None:
    assert said in library.ask(request_).first


def test_both_are_counted_together_and_apart(desk: SmallDesk, library: SmallDesk) -> None:
    told = desk.ask("how many leak and switch repairs").first
    assert told == "4 rows in repairs (Fault type = leak / switch): leak 3, switch 1."
    assert "5（佐野 3, 森田 2）" in library.ask("佐野と森田の貸出は何件").first


def test_the_rows_of_both_are_listed(desk: SmallDesk, library: SmallDesk) -> None:
    assert "has 5 rows" in desk.ask("repairs handled by Nia and Oli").first
    assert "行数: 5" in library.ask("佐野と森田の貸出を見せて").first
