"""Japanese that speaks of what columns hold, of other tables than any it was written beside; and what stays declined."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import (
    DataIntent,
    Intent,
    Reading,
    Refusal,
)
from smoldesk.analyst.japanese.heard_alike import heard_alike
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.bracketed_words import said_once
from tests.analyst.small_tables import described

EXAMS = """受験番号,所属課,受験日,試験点,合否,形式
A1,営業課,2024-05-13,78,合格,会場
A2,開発課,2024-05-13,52,不合格,自宅
A3,営業課,2024-05-20,91,合格,自宅
A4,開発課,2024-06-03,80,合格,会場
"""
STALL = """日付,弁当,仕入数,販売個数,天候,単価
2024-04-01,唐揚げ,20,20,晴れ,500
2024-04-02,鮭,15,12,雨,550
2024-04-03,唐揚げ,18,18,晴れ,500
"""
PETS = """来院日,動物種,名前,体重kg,予防接種済,診察料
2025-01-06,犬,ポチ,8.2,○,3500
2025-01-06,猫,ミケ,4.1,×,2800
2025-01-07,犬,レオ,24.5,×,12400
"""
GYM = """member_id,check_in,activity,duration_min,discount
M1,2024-06-03 08:27,Pool,60,0%
M2,2024-06-03 19:05,Yoga,90,10%
M1,2024-06-04 10:12,Pool,45,0%
"""
SHOP = """Order ID,Site Name,Product,Unit Cost (JPY),Qty,Discontinued,オペレーター
1,Umeda,pen,120,3,no,森
2,Namba,desk,9800,1,yes,林
3,Umeda,lamp,2400,2,no,森
"""
INN = """予約番号,宿泊日,部屋,人数,料金
R1,2024-07-05,和室,2,32000
R2,2024-07-06,洋室,1,18000
R3,2024-07-06,和室,1,21000
"""


def lexicon(table: str) -> Lexicon:
    return Lexicon(Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F"))


def reading(table: str, question: str) -> Reading:
    return read_talk([question], lexicon(table))


def intent(table: str, question: str) -> Intent:
    return reading(table, question).intent


@pytest.mark.parametrize(
    ("table", "said", "plain"),
    [
        (EXAMS, "課ごとの平均点", "課ごとの試験点の平均"),
        (EXAMS, "最高点は?", "試験点の最大は?"),
        (EXAMS, "80点以上とった人の数", "試験点が80以上の人の数"),
        (EXAMS, "点数が60点未満の人は何人", "試験点が60未満の人は何人"),
        (EXAMS, "合格者の割合", "合否が合格の割合"),
        (EXAMS, "落ちた人は何人", "不合格の人は何人"),
        (STALL, "全部で何個売れた?", "販売個数の合計は?"),
        (STALL, "唐揚げは何個売れましたか", "唐揚げの販売個数の合計は?"),
        (STALL, "完売したのは何回?", "販売個数が仕入数と等しいのは何回?"),
        (STALL, "何弁当ありますか", "弁当は何種類?"),
        (PETS, "予防接種を受けてない猫は何匹?", "予防接種がない猫は何匹?"),
        (PETS, "予防接種した犬は何匹?", "予防接種がある犬は何匹?"),
        (GYM, "平均時間が一番長いactivityは?", "duration_minの平均が一番長いactivityは?"),
        (GYM, "会員は全部で何人来てる?(重複なしで)", "member_idは何種類?"),
        (GYM, "朝9時より前に来たのは何回?", "午前9時より前に来たのは何回?"),
        (GYM, "午前中(12時前)に来たのは何回", "12時より前に来たのは何回"),
        (SHOP, "サイトべつの件数", "Site Name別の件数"),
        (SHOP, "廃番になってない商品は何品目", "Discontinuedがnoの商品は何品目"),
        (INN, "1人での予約は何件?", "人数が1の予約は何件?"),
        (INN, "二人での宿泊は何件?", "人数が2の予約は何件?"),
    ],
)
def test_what_columns_hold_is_read_as_these_columns(table: str, said: str, plain: str) -> None:
    read = intent(table, said)
    assert isinstance(read, DataIntent), read
    assert read == intent(table, plain)


@pytest.mark.parametrize(
    ("table", "said", "word"),
    [
        (EXAMS, "英検の点数は?", "英検"),
        (STALL, "何個捨てた?", "捨"),
        (STALL, "洗い物代の合計は?", "代"),
        (INN, "満室だったのは何日?", "満室"),
        (PETS, "狂犬病の注射を打ってない犬は何匹?", "注射"),
        (SHOP, "サイトの評価は?", "評価"),
    ],
)
def test_what_no_column_holds_is_named(table: str, said: str, word: str) -> None:
    read = intent(table, said)
    assert isinstance(read, Refusal), read
    assert any(word in one for one in read.words)


@pytest.mark.parametrize(
    ("table", "said", "heard"),
    [
        (EXAMS, "試験点の標準変差", ("標準変差", "標準偏差")),
        (EXAMS, "所属化ごとの試験点の平均", ("所属化", "所属課")),
        (EXAMS, "試験点のヒストグラフ", ("ヒストグラフ", "ヒストグラム")),
        (SHOP, "オペごとの件数", ("オペ", "オペレーター")),
    ],
)
def test_words_that_sound_alike_are_read_and_told(table: str, said: str, heard: tuple[str, str]) -> None:
    read = reading(table, said)
    assert isinstance(read.intent, DataIntent), read.intent
    assert heard in read.mended


def test_a_thing_of_its_own_is_no_short_form_of_a_column() -> None:
    prints = "日付,パンフレット,部数\n2024-05-01,春,20\n2024-05-02,夏,30\n2024-05-03,春,10\n"
    assert isinstance(intent(prints, "パンごとの部数の合計"), Refusal)


@pytest.mark.parametrize("said", ["試験店の平均と面接点", "コレステロールの平均"])
def test_words_that_sound_otherwise_are_left(said: str) -> None:
    written, heard = heard_alike(said, lexicon(EXAMS))
    assert "面接点" in written or not heard


def test_brackets_are_read_once_only_where_they_say_the_same() -> None:
    known = lexicon(EXAMS)

    def read(said: str) -> Intent:
        return read_talk([said], known).intent

    assert said_once("落第(不合格)の人は何人", read) == "不合格の人は何人"
    assert said_once("営業課(自宅)の人は何人", read) == ""
    assert said_once("営業課(満点)の人は何人", read) == ""


def test_a_superlative_before_a_word_for_the_rows_picks_one_row_with_its_columns() -> None:
    read = intent(PETS, "一番重い動物の名前と診察料は?")
    assert isinstance(read, DataIntent)
    assert (read.operation, read.measures, read.order) == ("top", ("体重kg", "名前", "診察料"), "desc")
    grouped = intent(PETS, "動物種ごとの平均体重")
    assert isinstance(grouped, DataIntent) and grouped.groups == ("動物種",)


def test_a_cell_with_a_sign_is_compared_as_the_number_it_is_read_as() -> None:
    read = intent(GYM, "discountが0%なのは何件?")
    assert isinstance(read, DataIntent), read
    assert [one.values for one in read.filters] == [(0.0,)]


def test_people_are_counted_where_the_rows_are_called_after_people_alone() -> None:
    cars = "車種,価格,入庫日\nノート,112,2024-03-02\nフィット,98,2024-03-05\n"
    assert isinstance(intent(cars, "土日に買った人は何人?"), Refusal)
    assert isinstance(intent(EXAMS, "6月に受けた人は何人?"), DataIntent)
