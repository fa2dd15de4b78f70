"""Columns and cells said in part, in short, otherwise or misspelt: what is taken for which, what is asked, and what is not."""

from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import (
    DataIntent,
    Filter,
    Intent,
    Refusal,
)
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.tables.column_names import column_terms
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.tables.misspelt_headers import as_meant
from smoldesk.analyst.tables.short_names import common_ending, distinctive
from smoldesk.analyst.tables.value_index import IndexedColumn, ValueIndex
from smoldesk.analyst.words.slips import one_slip, plainest
from tests.analyst.small_tables import described

TRIPS = """Trip no,Drvr,Rider,Fare (EUR),tipPct,Lenght_km,bagCount,DOT,MRR ($),Zone
1,Émile Garnier,Parisa Rahimi,14.5,2,7.2,1,2024-05-01,10,North Yard
2,Kofi Mensah,John Johnston,9,0,3.1,2,2024-05-02,20,East Yard
3,Łukasz Baran,Northwind Traders Inc.,28,5,15,0,2024-05-03,30,South Yard
4,Kofi Mensah,Brown Trout,12,0,4.4,4,2024-05-04,40,North Yard
5,Émile Garnier,Rainbow Trout,21,3,9.9,1,2024-05-05,50,East Yard
"""
DELIVERIES = """受付No,取引先,申込プラン,問合せ件数,品名,担当者,返金額（円）,倉庫
1,株式会社山田商店,単身,2,サーバー,渡邊,0,東京センター
2,㈱ひまわり,家族,0,ワイヤレスマウス,斎藤,500,大阪センター
3,医療法人さくら会,単身,5,尿たんぱく,髙木,0,東京センター
4,ガンマ・フーズ有限会社,家族,1,プリンター,渡部,300,名古屋センター
"""


def _with_values(table: TableInfo, frame: pd.DataFrame) -> TableInfo:
    counts = {
        one.name: frame[one.name].dropna().value_counts() for one in table.columns if one.kind == "text"
    }
    columns = [
        IndexedColumn(name, [*map(str, seen.index)], [*map(int, seen)]) for name, seen in counts.items()
    ]
    index = ValueIndex(columns)
    return replace(table, index=lambda: index)


def _lexicon(name: str, text: str) -> Lexicon:
    frame = pd.read_csv(StringIO(text))
    return Lexicon(Catalogue([_with_values(described(name, frame), frame)], {}, {}, [], "1F"))


@pytest.fixture(scope="module")
def trips() -> Lexicon:
    return _lexicon("trips", TRIPS)


@pytest.fixture(scope="module")
def deliveries() -> Lexicon:
    return _lexicon("deliveries", DELIVERIES)


def intent(lexicon: Lexicon, *requests: str) -> DataIntent:
    found = read_talk(list(requests), lexicon).intent
    assert isinstance(found, DataIntent), found
    return found


def refused(lexicon: Lexicon, request: str) -> Refusal:
    found: Intent = read_talk([request], lexicon).intent
    assert isinstance(found, Refusal), found
    return found


@pytest.mark.parametrize(
    ("request_", "column", "value"),
    [
        ("total fare for Emile Garnier", "Drvr", "Émile Garnier"),
        ("total fare for lukasz", "Drvr", "Łukasz Baran"),
        ("total fare of Northwind", "Rider", "Northwind Traders Inc."),
        ("total fare for Kofi Mensa", "Drvr", "Kofi Mensah"),
        ("total fare for north", "Zone", "North Yard"),
    ],
)
def test_a_cell_is_found_by_what_tells_it(trips: Lexicon, request_: str, column: str, value: str) -> None:
    found = intent(trips, request_)
    assert found.filters == (Filter(column, "==", (value,)),)
    assert found.measures == ("Fare (EUR)",)


@pytest.mark.parametrize(
    ("request_", "column", "value"),
    [
        ("山田商店の返金額の合計", "取引先", "株式会社山田商店"),
        ("ひまわりは何件", "取引先", "㈱ひまわり"),
        ("さくら会の返金額の合計", "取引先", "医療法人さくら会"),
        ("ガンマフーズの返金額の合計", "取引先", "ガンマ・フーズ有限会社"),
        ("さーばーの返金額の合計", "品名", "サーバー"),
        ("尿タンパクの返金額の合計", "品名", "尿たんぱく"),
        ("マウスの返金額の合計", "品名", "ワイヤレスマウス"),
        ("斉藤さんの返金額の合計", "担当者", "斎藤"),
        ("高木さんの返金額の合計", "担当者", "髙木"),
        ("大阪の返金額の合計", "倉庫", "大阪センター"),
    ],
)
def test_a_japanese_cell_is_found_by_what_tells_it(
    deliveries: Lexicon, request_: str, column: str, value: str
) -> None:
    assert intent(deliveries, request_).filters == (Filter(column, "==", (value,)),)


@pytest.mark.parametrize(
    ("request_", "choices"),
    [
        ("how many troute", ("Brown Trout", "Rainbow Trout")),
        ("how many trips to Paris", ("Parisa Rahimi",)),
        ("fare of Johnson", ("John Johnston",)),
    ],
)
def test_a_misspelt_part_of_a_name_is_asked_about(
    trips: Lexicon, request_: str, choices: tuple[str, ...]
) -> None:
    found = refused(trips, request_)
    assert (found.reason, set(found.choices)) == ("which_value", set(choices))


def test_another_name_of_the_same_sound_is_nobody(deliveries: Lexicon) -> None:
    assert intent(deliveries, "渡辺さんは何件").filters == (Filter("担当者", "==", ("渡邊",)),)
    without = _lexicon("deliveries", DELIVERIES.replace("渡邊", "小沢"))
    assert refused(without, "渡辺さんは何件").words == ("渡辺",)


@pytest.mark.parametrize(
    ("request_", "measures", "groups"),
    [
        ("average length by driver", ("Lenght_km",), ("Drvr",)),
        ("total monthly recurring revenue by zone", ("MRR ($)",), ("Zone",)),
        ("tip percentage by zone", ("tipPct",), ("Zone",)),
    ],
)
def test_a_header_is_found_by_the_whole_word(
    trips: Lexicon, request_: str, measures: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    found = intent(trips, request_)
    assert (found.measures, found.groups) == (measures, groups)
    assert "share" not in found.aggregates
    assert "sum" not in found.aggregates or measures != ("tipPct",)


def test_what_a_header_counts_is_added_up(trips: Lexicon) -> None:
    found = intent(trips, "how many bags did Kofi Mensah carry")
    assert (found.measures, found.aggregates[0]) == (("bagCount",), "sum")


def test_okurigana_beside_katakana_and_of_two_kana(deliveries: Lexicon) -> None:
    assert intent(deliveries, "申し込みプラン別の件数").groups == ("申込プラン",)
    assert intent(deliveries, "問い合わせ件数の合計").measures == ("問合せ件数",)


def test_noughts_are_left_out_of_the_figure_itself(trips: Lexicon, deliveries: Lexicon) -> None:
    nought = Filter("tipPct", "!=", (0.0,))
    for said in (
        "average tip pct excluding zeros",
        "mean tipPct, ignoring zero values",
        "average non-zero tipPct",
    ):
        assert intent(trips, said).filters == (nought,), said
    after = intent(trips, "average tipPct by zone", "and without the zeros?")
    assert (after.filters, after.groups) == ((nought,), ("Zone",))
    refund = (Filter("返金額（円）", "!=", (0.0,)),)
    assert intent(deliveries, "0円を除いた返金額の平均").filters == refund
    assert intent(deliveries, "返金額の平均（0以外）").filters == refund


@pytest.mark.parametrize("said", ["how many trips excluding zeros", "10を除いた返金額の平均"])
def test_noughts_of_nothing_and_other_numbers_are_no_noughts(
    trips: Lexicon, deliveries: Lexicon, said: str
) -> None:
    refused(trips if said.isascii() else deliveries, said)


def test_a_word_called_a_column_is_one() -> None:
    tickets = _lexicon("tickets", "Opened,Hours to resolve\n2024-01-01,3\n2024-01-02,5\n")
    for said in ("summarise the hours column", "describe hours"):
        found = intent(tickets, said)
        assert (found.operation, found.measures) == ("describe", ("Hours to resolve",)), said


def test_parts_of_the_total_are_shares(trips: Lexicon) -> None:
    found = intent(trips, "fare as a percentage of the total by zone")
    assert (found.aggregates, found.measures, found.groups) == (("share",), ("Fare (EUR)",), ("Zone",))


def test_the_part_of_one_cell_in_the_total_is_its_share(trips: Lexicon) -> None:
    found = intent(trips, "fare for Kofi Mensah as a percentage of the total")
    assert (found.aggregates, found.target) == (("share",), Filter("Drvr", "==", ("Kofi Mensah",)))
    assert found.filters == ()


@pytest.mark.parametrize("word", ["trail", "coast", "form", "silver", "plot", "rate", "prices"])
def test_a_right_word_of_a_header_is_not_mended(word: str) -> None:
    assert as_meant(word) == word


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("lenght", "length"),
        ("ammount", "amount"),
        ("wharehouse", "warehouse"),
        ("drvr", "driver"),
        ("ownr", "owner"),
    ],
)
def test_a_misspelt_header_is_read_as_meant(word: str, meant: str) -> None:
    assert as_meant(word) == meant
    assert column_terms(f"{word} x")[f"{meant} x"] >= 2.5
    assert column_terms(f"{word} x")[f"{word} x"] == 3.0


def test_spellings() -> None:
    assert plainest("josé garcía") == "jose garcia"
    assert plainest("バッグ") == "バッグ"  # no other kana for its mark
    assert plainest("ひまわり 髙橋") == "ヒマワリ 高橋"
    assert one_slip("troute", "trout")
    assert one_slip("recieve", "receive")
    assert not one_slip("trout", "brout")
    assert not one_slip("rate", "rats")


def test_what_tells_a_name() -> None:
    assert distinctive("northwind traders inc.") == "northwind traders"
    assert distinctive("株式会社山田商店") == "山田商店"
    assert common_ending(["大阪センター", "東京センター"]) == "センター"
    assert common_ending(["leeds depot", "york depot"]) == " depot"
    assert common_ending(["brown trout", "pike"]) == ""
    assert common_ending(["大阪センター"]) == ""
