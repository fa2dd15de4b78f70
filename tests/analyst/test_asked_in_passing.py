"""What people add to a question, and how they turn it, in English."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

SAMPLES = """Sample ID,Lake,Sampled on,Depth_m,Dissolved O2 (mg/L),Clarity,Collector
L-01,Elm,2023-05-12,1,9.1,clear,Okafor
L-02,Elm,2023-05-20,8,6.4,hazy,Okafor
L-03,Heron,2023-06-14,1,9.8,clear,Lindqvist
L-04,Heron,2023-06-19,12,,hazy,Marsh
L-05,Quarry,2023-07-20,2,8.7,,Marsh
"""
SEATS = """customer_id,Plan,MRR ($),Seats,Signed Up,Cancelled On
C101,Starter,29,2,2023-01-12,2023-07-30
C102,Team,180,12,2023-01-27,
C103,Enterprise,950,60,2023-04-09,
C104,Team,165,11,2023-05-30,2023-09-01
"""
EPISODES = """Episode,Show,Host,Released,Length (min),Downloads
Deep Salt,Night Shift,Amara,2024-01-08,42,100
Two Clocks,Small Physics,Jonas,2024-01-10,25,200
Salt and Smoke,Night Shift,Wen,2024-02-13,61,300
Paper Moons,Small Physics,Jonas,2024-03-07,27,700
"""


@pytest.fixture
def desk(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, samples=SAMPLES, seats=SEATS, episodes=EPISODES)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("which sample had the lowest dissolved oxygen", ["L-02", "6.4"]),
        ("is the clarity missing for any sample? which one", ["L-05"]),
        ("by how much is the average dissolved oxygen in Quarry higher than in Elm?", ["0.95"]),
        ("how many samples lack a value for dissolved oxygen", ["1 row"]),
        ("customers with a cancellation date, how many?", ["2 rows"]),
        ("signups per quarter", ["2023Q1"]),
        ("how many samples at depth 1 or 2", ["3 rows"]),
        ("how many episodes did each host present", ["Jonas (2)"]),
        ("episodes, longest first", ["61 (Salt and Smoke), 42 (Deep Salt)"]),
        ("sum of mrr under the Team plan", ["345"]),
        ("how many episodes have Salt in the title", ["2 rows"]),
        ("3-episode moving average of downloads: what is the last value?", ["last 400"]),
        ("Night Shift episodes from longest to shortest", ["61 (Salt and Smoke), 42 (Deep Salt)"]),
    ],
)
def test_is_answered(desk: SmallDesk, request_: str, told: list[str]) -> None:
    said = desk.ask(request_)
    shown = said.first + "".join(table.to_string() for table in said.tables)
    assert all(one in shown for one in told), shown


def test_samples_are_the_rows_of_a_table_of_samples(desk: SmallDesk) -> None:
    assert "at random" not in desk.ask("who collected the samples").text
    assert "has 2 rows" in desk.ask("which samples are from Heron").first
    assert len(desk.ask("list all samples").tables[0]) == 5


def test_a_time_is_no_level(tmp_path: Path) -> None:
    desk = SmallDesk(
        tmp_path, roasts="Batch,Roast level,Weight\nR-1,Dark,10.5\nR-2,Light,12.5\nR-3,Dark,9.5\n"
    )
    assert "'roasting time'" in desk.ask("what was the roasting time of batch R-2").first


def test_split_by_cuts_once_more(desk: SmallDesk) -> None:
    said = desk.ask("number of samples per lake", "split by clarity as a stacked bar chart")
    assert "Elm, clear" in said.text


PAYMENTS = """Date,Category,Amount ($)
2024-01-03,Food,40
2024-01-03,Fuel,60
2024-02-02,Rent,800
2024-02-14,Food,50
2024-03-01,Food,250
"""
CREW = """Name,Age,Plan,Status
Ana Ruiz,34,Gold,active
Ben Cole,51,Silver,lapsed
Cleo Park,28,Gold,active
Dan Voss,45,Silver,active
Eve Lund,39,Gold,lapsed
"""


def test_an_average_month_is_the_mean_of_the_totals_of_months(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, payments=PAYMENTS)
    assert "average 400;" in desk.ask("average monthly spending").first
    assert "average 300;" in desk.ask("average daily spending").first
    assert "average 113.33;" in desk.ask("average monthly spending", "only Food").first
    assert "highest 425 (2024-02)" in desk.ask("average amount by month").first


def test_their_ages_are_listed_beside_the_names(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, crew=CREW)
    assert "Cleo Park (28)" in desk.ask("names of gold members", "and their ages").first
    assert "33.67" in desk.ask("names of gold members", "and their average age").first


def test_only_some_rows_keep_the_figure_also_by_the_table_s_name(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, members=CREW).ask("average age by plan", "only active members")
    assert "Silver (45)" in said.first
