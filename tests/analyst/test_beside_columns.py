"""Words that a table reads in two ways are read as their neighbours ask, and who asks for rows gets rows."""

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
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

ORDERS = (
    "注文ID,届け日,店舗,花,本数,金額,カード,受け渡し,公開,参加回数\n"
    "F1,2023-02-10,駅前店,バラ,12,5500,有,配達,Y,3\n"
    "F2,2024-02-14,本店,ユリ,10,3300,無,店頭,N,1\n"
    "F3,2024-03-02,本店,キク,8,2800,,店頭,Y,2\n"
    "F4,2024-03-09,駅前店,ラン,3,9800,無,配達,Y,5\n"
)
HOUSES = "世帯番号,世帯主,班,納入日\n1,大野,1班,2024-04-07\n2,栗原,1班,\n3,水野,2班,2024-04-09\n4,星野,2班,\n"


def read(text: str, *questions: str) -> Intent:
    table = described("data", pd.read_csv(StringIO(text)))
    return read_talk(list(questions), Lexicon(Catalogue([table], {}, {}, [], "1F"))).intent


def data(text: str, *questions: str) -> DataIntent:
    found = read(text, *questions)
    assert isinstance(found, DataIntent), found
    return found


def test_a_columns_own_name_is_no_synonym_of_a_cell() -> None:
    found = data(ORDERS, "店舗別の売上合計を知りたいです")
    assert (found.groups, found.filters, found.aggregates) == (("店舗",), (), ("sum",))


def test_a_letter_is_the_cell_of_the_column_before_it() -> None:
    found = data(ORDERS, "公開がNの注文は何件?")
    assert found.filters == (Filter("公開", "==", ("N",)),)


def test_what_the_rows_did_is_counted() -> None:
    found = data(ORDERS, "店舗別の参加件数を出して")
    assert (found.groups, found.measures, found.aggregates) == (("店舗",), (), ("count",))
    assert data(ORDERS, "参加回数の合計").measures == ("参加回数",)


@pytest.mark.parametrize("question", ["納入日が空欄の世帯はどこ?", "納入日が入っとらん世帯はどこかね"])
def test_where_a_cell_is_blank_the_rows_are_listed(question: str) -> None:
    found = data(HOUSES, question)
    assert (found.operation, found.filters) == ("head", (Filter("納入日", "==", (), "blank"),))


def test_blank_is_not_the_cell_that_says_no() -> None:
    assert data(ORDERS, "カードが未入力の注文はどれ?").filters == (Filter("カード", "==", (), "blank"),)
    assert data(ORDERS, "カードが無の注文はどれ?").filters == (Filter("カード", "==", ("無",)),)


def test_how_many_blanks_stays_a_count() -> None:
    assert data(HOUSES, "納入日の欠損値はいくつ?").operation == "missing"


def test_which_one_is_a_row_and_how_much_a_figure() -> None:
    which = data(ORDERS, "バラを除いて一番大きい金額って何だった?")
    assert (which.operation, which.measures, which.limit) == ("top", ("金額",), 1)
    assert data(ORDERS, "一番大きい金額はいくら?").aggregates == ("max",)


def test_each_of_two_years_or_months() -> None:
    assert data(ORDERS, "2023年と2024年でそれぞれ何件?").grain == "year"
    assert data(ORDERS, "2月と3月の注文数をそれぞれお願いします").grain == "month"


def test_whether_or_not_is_a_group() -> None:
    assert data(ORDERS, "公開かどうかで金額の平均を比べてください").groups == ("公開",)


def test_what_is_added_keeps_the_groups() -> None:
    found = data(ORDERS, "店舗別の件数を出してください", "平均金額もつけてもらえますか")
    assert (found.groups, found.aggregates) == (("店舗",), ("mean",))


def test_names_are_the_only_column_of_names() -> None:
    found = data(HOUSES, "1班の名前を教えてください")
    assert (found.operation, found.measures) == ("distinct", ("世帯主",))
    assert isinstance(read(HOUSES, "1班の電話番号を教えて"), Refusal)


def test_a_day_without_a_month_is_no_figure() -> None:
    found = read(ORDERS, "2月10日までと16日以降で、金額の合計をそれぞれ出して")
    assert isinstance(found, Refusal | DataIntent)
    assert isinstance(found, Refusal) or all(one.column == "届け日" for one in found.filters)
