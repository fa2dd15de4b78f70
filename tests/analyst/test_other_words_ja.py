"""Japanese that asks in other words than the headers: units, last words, doers, prices per thing, steps before, cells."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

GRID = """Month,solar_MWh,Wind (MWh),demand_MWh,Capex (M USD)
2023/05,510,390,1480,12
2023/06,540,310,1610,50
2023/07,560,280,1980,75
2024/06,620,350,1690,60
"""
MARKET = """入荷日,産地市場,品種,仕入経路,重量(kg),単価(円/kg),検査担当,管理番号,優先度,備考
2024-04-02,石巻,真鯛,直送,120,410,岡,K-01,高,記念日
2024-04-05,境,真鯵,競り,86,265,西,K-02,低,
2024-05-09,石巻,真鯵,競り,215,,岡,K-03,高,月見用
2024-05-14,境,真鯛,直送,39,1850,西,K-04,中,海開き用
"""
DESK = """受付日時,担当者,通話時間(分),人数(名),収支,ticket_no
2024/06/03 09:12,佐々木,6.5,2,-3,501
2024/06/03 10:47,大野,18.0,1,4,502
2024/06/04 09:20,佐々木,9.2,4,-1,503
"""
CREW = """Emp_ID,Dept,Salary,status,damage_flag
E1,Engineering,40,cancelled,1
E2,Engineering,52,active,0
E3,Sales,45,active,0
"""


def read(table: str, *questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def data(table: str, *questions: str) -> DataIntent:
    found = read(table, *questions)
    assert isinstance(found, DataIntent), (questions, found)
    return found


@pytest.mark.parametrize(
    ("said", "column"),
    [("需要の平均", "demand_MWh"), ("太陽光の合計", "solar_MWh"), ("風力の発電量の合計", "Wind (MWh)")],
)
def test_a_header_is_known_without_its_unit_of_power(said: str, column: str) -> None:
    assert data(GRID, said).measures == (column,)


def test_a_sum_in_dollars_is_compared_in_the_millions_of_the_column() -> None:
    (kept,) = data(GRID, "Capexが6000万ドル以上の月は何件").filters
    assert kept.column == "Capex (M USD)" and kept.values == (60.0,)


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("仕入ルート別の件数", "仕入経路"),
        ("仕入の方法別の件数", "仕入経路"),
        ("検査者ごとの件数", "検査担当"),
        ("検査した人ごとの件数", "検査担当"),
    ],
)
def test_last_words_that_say_the_same_stand_for_one_another(said: str, column: str) -> None:
    assert data(MARKET, said).groups == (column,)


def test_another_header_with_that_last_word_keeps_it() -> None:
    both = MARKET.replace("産地市場", "仕入方法")
    assert data(both, "仕入方法別の件数").groups == ("仕入方法",)


@pytest.mark.parametrize("said", ["真鯛のキロ単価の平均", "真鯛の1キロあたりの値段の平均"])
def test_a_price_is_told_by_the_thing_it_is_for(said: str) -> None:
    assert data(MARKET, said).measures == ("単価(円/kg)",)


def test_numbers_of_rows_are_listed_and_never_averaged() -> None:
    found = data(DESK, "佐々木の番号を教えて")
    assert "mean" not in found.aggregates
    assert data(MARKET, "真鯛の管理の番号を教えて").measures == ("管理番号",)


def test_each_quoted_part_is_one_of_several() -> None:
    (either,) = data(MARKET, "備考に「月」か「海」が入っている行は何件").filters
    assert either.part == "any" and len(either.options) == 2


def test_three_quoted_parts_are_not_answered_by_two() -> None:
    found = read(MARKET, "備考に「月」か「海」か「記念」が入っている行は何件")
    assert isinstance(found, Refusal)


def test_neither_of_two_quoted_parts() -> None:
    kept = data(MARKET, "備考に「月」も「海」も含まれていない行は何件").filters
    assert [(one.comparison, one.values) for one in kept] == [("!=", ("月",)), ("!=", ("海",))]


@pytest.mark.parametrize("said", ["値が抜けている列はどれですか", "欠けている値がある列は"])
def test_missing_values_of_columns_are_no_price(said: str) -> None:
    found = data(MARKET, said)
    assert found.operation == "missing" and not found.measures and not found.filters


def test_rows_of_a_level_are_a_condition() -> None:
    (kept,) = data(MARKET, "優先度が高いものは何件").filters
    assert (kept.column, kept.values) == ("優先度", ("高",))


@pytest.mark.parametrize(
    ("said", "first", "second"),
    [
        ("2023年7月の需要は前月と比べて何%増えましたか", "2023-07", "2023-06"),
        ("2024年6月の需要は前年の同じ月から何%増えた", "2024-06", "2023-06"),
    ],
)
def test_the_step_before_is_a_side(said: str, first: str, second: str) -> None:
    found = data(GRID, said)
    assert found.operation == "difference" and found.change == "pct"
    starts = [str(one.options[0].values[0])[:7] for one in found.sides]
    assert starts == [first, second]


@pytest.mark.parametrize("said", ["時間帯別(1時間ごと)の件数", "1時間ごとの件数", "受け付けた時間帯別の件数"])
def test_hours_of_the_day_are_no_ranges_of_a_duration(said: str) -> None:
    found = data(DESK, said)
    assert found.grain == "hour of day" and not found.derived


def test_the_time_that_was_ranked_is_no_hour() -> None:
    found = data(DESK, "通話が長かった上位2件の担当者と時間を見せて")
    assert found.operation == "top" and set(found.measures) == {"通話時間(分)", "担当者"} and found.limit == 2


def test_people_who_came_are_added_up_where_a_column_counts_them() -> None:
    found = data(DESK, "担当者別に来た人数の合計")
    assert found.measures == ("人数(名)",) and found.aggregates == ("sum",)


def test_below_nought() -> None:
    (kept,) = data(DESK, "収支がマイナスの行は何件").filters
    assert (kept.comparison, kept.values) == ("<", (0.0,))


def test_a_division_is_its_cell() -> None:
    (kept,) = data(CREW, "エンジニアリング部門の平均給与").filters
    assert kept.values == ("Engineering",)


def test_flights_and_trains_that_did_not_go_are_cancelled() -> None:
    (kept,) = data(CREW, "運休になったのは何件").filters
    assert kept.values == ("cancelled",)


def test_only_the_rows_of_a_year_are_saved() -> None:
    found = data(GRID, "2024年のデータだけCSVに書き出して")
    assert found.save and len(found.filters) == 2


def test_a_deed_with_its_day_names_the_column_of_days() -> None:
    found = data(MARKET, "届いた日が一番早いのは")
    assert found.operation == "top" and found.measures[0] == "入荷日" and found.order == "asc"


def test_a_flag_is_known_without_that_word() -> None:
    assert [one.column for one in data(CREW, "破損は何件").filters] == ["damage_flag"]


def test_a_quoted_text_that_nothing_looks_for_is_declined() -> None:
    found = read(MARKET, "「紅葉」の件数")
    assert isinstance(found, Refusal) and found.words == ("紅葉",)
