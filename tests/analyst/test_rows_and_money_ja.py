"""Rows called by the column that names them, money behind cells, sums of things, rows by day and the last rows."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent, run

STORE = """品目,分類,棚,数量,購入年,賞味期限
乾パン,食料,A棚,180,2021,2026-09-30
水,飲料,B棚,960,2022,2027-11-30
お茶,飲料,A棚,120,2024,2027-01-31
毛布,寝具,B棚,150,2019,
発電機,機材,A棚,3,2020,
"""
BOOK = """日付,費目,店,金額
2024-04-01,家賃,大家,82000
2024-04-02,食費,西友,4350
2024-04-03,飲料,西友,900
2024-05-01,家賃,大家,82000
2024-05-02,食費,イオン,3100
"""
PRINTS = """番号,部署,Printer,Pages (sheets),費用
1,HR,東,24,360
2,営業,西,8,24
3,人事,東,15,45
"""
MARKS = """受験番号,クラス,国語(点),英語(点)
1,A,72,78
2,A,65,70
3,B,88,94
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        # the column that names each row is a word for the rows
        (STORE, "A棚に置いてある品目の割合は何%?", {"aggregates": ("share",), "groups": ()}),
        (STORE, "分類ごとの品目の割合は?", {"aggregates": ("share",), "groups": ("分類",)}),
        (STORE, "A棚にある品目をCSVで保存して", {"operation": "head", "save": True}),
        (STORE, "A棚にある品目は?", {"operation": "distinct", "measures": ("品目",)}),
        # a cell that names money is the money of its rows
        (BOOK, "月ごとの食費の推移を折れ線グラフにして", {"aggregates": ("sum",), "measures": ("金額",)}),
        (BOOK, "店ごとの食費", {"aggregates": ("sum",), "measures": ("金額",)}),
        (BOOK, "月ごとの食費の件数", {"aggregates": ("count",)}),
        (BOOK, "月ごとの飲料の推移", {"aggregates": ("count",)}),
        # what is added up is never counted
        (PRINTS, "部署ごとの印刷枚数の合計", {"aggregates": ("sum",), "measures": ("Pages (sheets)",)}),
        (PRINTS, "20枚以上印刷したのは何件?", {"aggregates": ("count",), "measures": ()}),
        (PRINTS, "部署ごとの件数の合計", {"aggregates": ("count",)}),
        # marks of a subject whose header has its unit
        (MARKS, "国語の点数の平均、最低点、最高点は?", {"aggregates": ("mean", "min", "max")}),
        (MARKS, "国語と英語の点数の相関係数は", {"operation": "correlation"}),
        # rows in the order of their days, and the last ones of the file
        (STORE, "飲料を賞味期限の早い順に並べて", {"operation": "top", "order": "asc"}),
        (BOOK, "日付の新しい順に3件", {"operation": "top", "order": "desc", "limit": 3}),
        (BOOK, "最後の3行を表示して", {"operation": "tail", "limit": 3}),
        (BOOK, "show me the last three rows", {"operation": "tail", "limit": 3}),
        (BOOK, "下から2行を見せて", {"operation": "tail", "limit": 2}),
    ],
)  # fmt: skip
def test_rows_money_and_days_are_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("asked", "column"),
    [
        ("2021年以前に買った品目は何件?", "購入年"),
        ("2027年12月31日までに賞味期限が切れるものは何件?", "賞味期限"),
        ("賞味期限が2027年の品目は何件?", "賞味期限"),
    ],
)
def test_a_day_is_of_the_column_that_its_verb_speaks_of(asked: str, column: str) -> None:
    found = intent(STORE, asked)
    assert isinstance(found, DataIntent), found
    assert {one.column for one in found.filters} == {column}


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (STORE, "2021年以前に作られた品目は何件?"),
        (PRINTS, "部署ごとの台数の合計"),
        (MARKS, "理科の点数の平均は"),
        (BOOK, "最後の店を見せて"),
        (BOOK, "納品日の早い順に並べて"),
    ],
)
def test_what_no_column_tells_is_declined(table: str, asked: str) -> None:
    assert isinstance(intent(table, asked), Refusal)


def test_days_are_written_as_days() -> None:
    assert "2027-01-31 (お茶), 2027-11-30 (水)" in run(STORE, "飲料を賞味期限の早い順に並べて")


def test_the_last_rows_are_said_to_be_the_last() -> None:
    assert "最後の2行" in run(BOOK, "最後の2行を表示して")


def test_capitals_of_a_cell_are_no_unit() -> None:
    found = intent(PRINTS, "HR以外の部署の費用の合計")
    assert isinstance(found, DataIntent), found
    assert [(one.comparison, one.values) for one in found.filters] == [("!=", ("HR",))]


def test_a_noun_that_an_unknown_kanji_begins_is_named_whole() -> None:
    found = intent(BOOK, "貯金額の合計は?")
    assert isinstance(found, Refusal)
    assert found.words == ("貯金額",)
