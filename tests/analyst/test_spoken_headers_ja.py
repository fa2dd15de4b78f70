"""How Japanese asks of headers, periods and places of a ranking, over tables nobody has seen; what must stay declined."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.everyday_tables_ja import CALLS, SPENT
from tests.analyst.small_tables import described

GYM = """入会日,会員名,プラン,申込経路,新規/継続,月会費(円/月),利用時間(時間/月),退会
2024-04-02,森,スタンダード,Web,新規,6600,12,No
2024-04-09,林,プレミアム,店頭,継続,9900,31,No
2024-05-03,原,スタンダードPlus,Web,継続,8800,22,Yes
2024-05-12,辻,プレミアム,紹介,新規,9900,8,No
2024-05-20,岸,スタンダード,Web,新規,6600,40,Yes
"""
PARTS = """出荷日,部品名,申請方法,審査日数(日),個数,survived
2024-03-01,バネS1,郵送,4,120,true
2024-03-09,バネS2,窓口,9,80,false
2024-04-02,ネジM3,郵送,6,300,true
2024-04-18,ネジM4,窓口,2,260,true
"""


def read(table: str, *questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def data(table: str, *questions: str) -> DataIntent:
    found = read(table, *questions)
    assert isinstance(found, DataIntent), (questions, found)
    return found


@pytest.mark.parametrize("cut", ["新規・継続別", "新規/継続別", "新規と継続の別", "新規・継続ごと"])
def test_the_parts_of_a_header_are_a_group(cut: str) -> None:
    found = data(GYM, f"プラン別、{cut}の件数")
    assert "新規/継続" in found.groups and not found.filters


@pytest.mark.parametrize(
    "said", ["申請は全部で何件？", "申請は何件ありましたか", "申請は全部で何回あった？", "申請件数は？"]
)
def test_the_deed_that_begins_a_header_is_a_row(said: str) -> None:
    found = data(PARTS, said)
    assert (found.operation, found.aggregates, found.groups) == ("aggregate", ("count",), ())


def test_the_header_itself_still_cuts() -> None:
    assert data(PARTS, "申請方法別の件数").groups == ("申請方法",)


@pytest.mark.parametrize(
    "said",
    [
        "プランにはどんなものがある？",
        "どんなプランがありますか",
        "プランにはどんな種類がありますか？",
        "プランは全部でいくつありますか",
    ],
)
def test_what_there_is_are_the_different_values(said: str) -> None:
    found = data(GYM, said)
    assert (found.operation, found.measures) == ("distinct", ("プラン",))


@pytest.mark.parametrize(
    "said",
    [
        "10月の支出は9月と比べていくら増えた？",
        "10月は9月より支出がいくら減った？",
        "9月と10月を比べると、支出はいくら変わった？",
        "支出は9月から10月でいくら増えましたか",
        "9月から10月にかけて支出はどれくらい減った？",
    ],
)
def test_what_rose_is_the_later_total_minus_the_earlier(said: str) -> None:
    found = data(SPENT, said)
    assert (found.operation, found.measures, found.aggregates) == ("difference", ("支出",), ("sum",))
    assert [one.values for one in found.sides] == [(10.0,), (9.0,)]


@pytest.mark.parametrize("said", ["10月の支出は9月から何%増えた？", "9月と10月を比べると支出は何%減った？"])
def test_in_percent_it_is_growth(said: str) -> None:
    found = data(SPENT, said)
    assert (found.change, found.aggregates) == ("pct", ("sum",))
    assert [one.values for one in found.sides] == [(10.0,), (9.0,)]


def test_what_no_column_measures_does_not_rise() -> None:
    assert isinstance(read(SPENT, "10月の貯金は9月と比べていくら増えた？"), Refusal)


@pytest.mark.parametrize("order", ["日付順に", "時系列順に", "日付の順に"])
def test_steps_in_time_are_in_their_order_anyway(order: str) -> None:
    assert data(SPENT, f"支出の2日移動平均を{order}出して").window == 2


@pytest.mark.parametrize(
    "said",
    ["プランに スタンダード が含まれる会員の平均月会費", "プランにスタンダードが入っている会員の平均月会費"],
)
def test_a_part_without_quotes_is_no_whole_cell(said: str) -> None:
    (only,) = data(GYM, said).filters
    assert (only.column, only.part, only.values) == ("プラン", "holds", ("スタンダード",))


@pytest.mark.parametrize(
    "said", ["名前にイオンがつく店の支出の合計は？", "店名の名前に「イオン」が含まれる行の支出の合計は？"]
)
def test_a_part_of_a_name(said: str) -> None:
    (only,) = data(SPENT, said).filters
    assert (only.column, only.part) == ("店名", "holds")


@pytest.mark.parametrize("said", ["バネの個数の合計", "バネを作った行の個数の合計"])
def test_a_word_that_cells_begin_with(said: str) -> None:
    (only,) = data(PARTS, said).filters
    assert (only.column, only.part, only.values) == ("部品名", "begins", ("バネ",))


def test_a_word_that_no_cell_begins_with_is_declined() -> None:
    assert isinstance(read(PARTS, "ナットの個数の合計"), Refusal)


@pytest.mark.parametrize("said", ["Webと紹介は合わせて何件？", "Webと紹介を合わせると何件ですか"])
def test_both_together_are_one_figure(said: str) -> None:
    found = data(GYM, said)
    assert not found.groups and set(found.filters[0].values) == {"Web", "紹介"}


def test_both_apart_stay_groups() -> None:
    assert data(GYM, "Webと紹介それぞれの件数").groups == ("申込経路",)


@pytest.mark.parametrize(
    "said",
    [
        "退会した人とそうでない人の平均利用時間の差は？",
        "退会した会員とそれ以外の会員で平均利用時間はどれくらい違う？",
    ],
)
def test_those_who_are_not_are_the_other_side(said: str) -> None:
    found = data(GYM, said)
    assert found.operation == "difference" and {one.column for one in found.sides} == {"退会"}


@pytest.mark.parametrize("said", ["生き残らなかった行の部品名", "survivedがFALSEの行の部品名"])
def test_a_denied_verb_of_a_yes_or_no_column(said: str) -> None:
    (only,) = data(PARTS, said).filters
    assert (only.column, only.values) == ("survived", (False,))


def test_days_that_a_deed_took() -> None:
    found = data(PARTS, "審査にかかった日数の平均は？")
    assert (found.measures, found.filters) == (("審査日数(日)",), ())


def test_by_the_month_says_what_the_unit_says() -> None:
    (only,) = data(GYM, "利用が月30時間を超える会員は何人？").filters
    assert (only.column, only.values) == ("利用時間(時間/月)", (30.0,))


@pytest.mark.parametrize("said", ["二番目は？", "2番目は？", "では2位はどこですか？", "その次は？"])
def test_the_second_of_a_ranking(said: str) -> None:
    found = data(GYM, "一番件数が多い申込経路はどこ？", said)
    assert (found.groups, found.place) == (("申込経路",), 2)


def test_without_a_ranking_there_is_no_second() -> None:
    assert isinstance(read(GYM, "月会費の合計は？", "二番目は？"), Refusal)


@pytest.mark.parametrize("said", ["通話時間の長いオペレーターワースト2は？", "通話時間の長いものを上から2つ"])
def test_the_worst_of_a_long_list(said: str) -> None:
    assert (data(CALLS, said).order, data(CALLS, said).limit) == ("desc", 2)


def test_verbs_that_pick_some_rows_are_not_let_go() -> None:
    plants = "苗名,高さ,水やり\nA,12,毎日\nB,15,隔日\nC,9,毎日\n"
    assert isinstance(read(plants, "枯れた苗は何株？"), Refusal)
