"""An amount is compared in the unit of its column: converted, told, or declined where the two measure different things."""

from pathlib import Path

import pytest

from smoldesk.analyst.request.shorthand import written_out
from smoldesk.analyst.tables.measured_in import unit_in_name
from smoldesk.analyst.words.measures import converted
from tests.analyst.small_tables import SmallDesk

REPAIRS = """Job,Fitter,Hours to Mend,First visit (days),Weight (kg),Cable_mm,Bill ($k),Heat (°C),Yield,Plan (months)
J1,Ana,0.5,1,0.4,12,0.2,4,0.91,6
J2,Bea,30,9,12,3400,1.5,21,0.48,30
J3,Ana,5,3,2.5,900,0.9,37,0.77,12
J4,Cal,60,21,30,15,7,12,0.15,24
J5,Bea,24,2,0.9,77,0.1,18,0.66,3
"""
UKETSUKE = """受付番号,担当,対応時間(時間),売上(万円),経費(千円),重量(kg),達成率
A1,森,1.5,120,350,0.4,0.9
A2,林,30,0.9,80,12,0.5
A3,森,12,8,12,2.5,0.75
A4,原,72,1500,2200,30,0.33
"""


@pytest.fixture(scope="module")
def repairs(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(Path(tmp_path_factory.mktemp("repairs")), repairs=REPAIRS)


@pytest.fixture(scope="module")
def uketsuke(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(Path(tmp_path_factory.mktemp("uketsuke")), uketsuke=UKETSUKE)


@pytest.mark.parametrize(
    ("asked", "condition", "told"),
    [
        ("jobs that took more than a day", "Hours to Mend > 24", "1 day was taken as 24"),
        ("how many jobs took over an hour and a half", "Hours to Mend > 1.5", "90 minutes was taken as 1.5"),
        ("jobs over 90 minutes to mend", "Hours to Mend > 1.5", "90 minutes was taken as 1.5"),
        ("jobs with a first visit of over 2 weeks", "First visit (days) > 14", "2 weeks was taken as 14"),
        ("jobs heavier than 500 g", "Weight (kg) > 0.5", "500 g was taken as 0.5"),
        ("jobs with cable over 1 m", "Cable_mm > 1000", "1 m was taken as 1,000"),
        ("jobs with a bill over $1000", "Bill ($k) > 1", "1000 dollars was taken as 1"),
        ("jobs with a yield below 50%", "Yield < 0.5", "50% was taken as 0.5"),
        ("jobs with a plan of more than 2 years", "Plan (months) > 24", "2 years was taken as 24"),
        ("jobs that took between 1 and 2 days", "24 ≤ Hours to Mend ≤ 48", "2 days was taken as 48"),
    ],
)
def test_an_amount_is_converted_to_the_unit_of_its_column_and_told(
    repairs: SmallDesk, asked: str, condition: str, told: str
) -> None:
    said = repairs.ask(asked).text
    assert condition in said
    assert told in said


@pytest.mark.parametrize(
    ("asked", "condition", "told"),
    [
        ("1日以上かかった受付", "対応時間(時間) ≥ 24", "1日間は対応時間(時間)の24"),
        ("半日以上かかった受付", "対応時間(時間) ≥ 12", ""),
        ("対応時間が1時間半以下の受付", "対応時間(時間) ≤ 1.5", "90分は"),
        ("経費が10万円以上の受付", "経費(千円) ≥ 100", "10万円は経費(千円)の100"),
        ("売上が5万円以上の受付", "売上(万円) ≥ 5", ""),
        ("500g以上の受付", "重量(kg) ≥ 0.5", "500gは重量(kg)の0.5"),
        ("達成率が80%以上の受付", "達成率 ≥ 0.8", "80%は達成率の0.8"),
    ],
)
def test_japanese_amounts_are_converted_and_told(
    uketsuke: SmallDesk, asked: str, condition: str, told: str
) -> None:
    said = uketsuke.ask(asked).text
    assert condition in said
    assert told in said


@pytest.mark.parametrize(
    "asked",
    [
        "jobs longer than 5 kg",
        "weight over 3 hours",
        "jobs with heat over 70 fahrenheit",
        "jobs over 10 euros",
    ],
)
def test_an_amount_that_measures_another_thing_is_declined(repairs: SmallDesk, asked: str) -> None:
    said = repairs.ask(asked)
    assert not said.tables
    assert "I did not see what to do with" in said.first


def test_the_verb_says_which_of_several_times_is_compared(tmp_path: Path) -> None:
    orders = "Order,Shipping days,Handling time (hrs)\nA,2,30\nB,16,2\nC,40,50\n"
    desk = SmallDesk(tmp_path, orders=orders)
    assert "(Shipping days ≥ 14)" in desk.ask("orders that took at least 2 weeks to ship").first
    assert "(Shipping days < 7)" in desk.ask("orders shipped in under a week").first
    assert "(Handling time (hrs) > 24)" in desk.ask("orders that took over a day to handle").first


def test_nobody_means_a_column_of_minutes_by_weeks(tmp_path: Path) -> None:
    stays = SmallDesk(tmp_path, stays="Stay,Cleaning (min),Guests\nA,20,1\nB,45,2\nC,95,4\n")
    assert not stays.ask("stays over 2 weeks").tables


def test_the_amount_is_told_once_of_a_share(repairs: SmallDesk) -> None:
    said = repairs.ask("what percent of jobs took more than a day").text
    assert "40.0 %" in said
    assert said.count("was taken as") == 1


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Hours to Resolve", "hour"),
        ("Fee (USD)", "dollar"),
        ("Cost ($k)", "thousand dollars"),
        ("Call minutes", "minute"),
        ("経費(千円)", "thousand yen"),
        ("配送日数", "day"),
        ("Temp (F)", "fahrenheit"),
        ("Hours per week", ""),
        ("Year built", ""),
        ("Duration", ""),
    ],
)
def test_a_header_says_the_unit_of_its_figures(header: str, unit: str) -> None:
    assert unit_in_name(header) == unit


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("over half an hour", "over 30 minutes"),
        ("within 2 and a half hours", "within 150 minutes"),
        ("a week or more", "1 weeks or more"),
        ("2時間15分以内", "135分以内"),
        ("半年ごと", "半年ごと"),
        ("3月1日以前", "3月1日以前"),
    ],
)
def test_spoken_amounts_are_written_in_figures_and_days_of_the_calendar_are_not(
    said: str, written: str
) -> None:
    assert written_out(said) == written


def test_what_does_not_measure_the_same_is_not_converted() -> None:
    assert converted(1.5, "hour", "minute") == 90
    assert converted(2, "year", "month") == 24
    assert converted(1, "kilogram", "hour") is None
    assert converted(20, "celsius", "fahrenheit") is None
    assert converted(5, "dollar", "euro") is None
