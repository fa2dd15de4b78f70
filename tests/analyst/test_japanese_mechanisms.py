"""Whole classes of Japanese on tables nobody has seen: counters, verb forms, row nouns, written cells."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.words.japanese_verbs import positive_forms
from tests.analyst.test_unseen_tables import filters, intent, run

FARM = """収穫日,畑,作物,収穫量(kg),箱数,等級
2024-06-01,東畑,トマト,120.5,12,秀
2024-06-02,西畑,きゅうり,80,8,優
2024-06-02,東畑,なす,60,6,秀
2024-06-04,西畑,トマト,99,9,優
"""
SHELTER = """施設,品目,数量,点検
本館,毛布,120,済
別館,毛布,80,未
本館,飲料水,300,済
別館,乾電池,60,未
"""


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("運ぶ", {"運んだ", "運んでいる", "運ばれた", "運びました", "運んできた"}),
        ("届ける", {"届けた", "届けている", "届けられた"}),
        ("備蓄する", {"備蓄した", "備蓄してる", "備蓄されている"}),
        ("行く", {"行った", "行きました"}),
        ("来る", {"来た", "来ました", "来られた"}),
        ("走る", {"走った", "走られた"}),
    ],
)
def test_a_verb_is_made_into_its_positive_forms(verb: str, forms: set[str]) -> None:
    made = set(positive_forms(verb))
    assert forms <= made
    assert not any(form.endswith(("ない", "なかった", "ません")) for form in made)


@pytest.mark.parametrize(
    ("table", "question", "measures", "figure"),
    [
        (FARM, "トマトは全部で何箱ですか", ("箱数",), "sum"),
        (FARM, "トマトの箱数の合計は何箱", ("箱数",), "sum"),
        (FARM, "東畑の記録は何件", (), "count"),
        (SHELTER, "毛布は何枚備蓄してる?", ("数量",), "sum"),
        (SHELTER, "本館以外の数量の合計は何個でしょうか", ("数量",), "sum"),
        (SHELTER, "数量の最大は何本になりますか", ("数量",), "max"),
        (SHELTER, "本館は何件ありましたか", (), "count"),
    ],
)
def test_a_counter_asks_for_rows_or_for_the_column_that_holds_such_numbers(
    table: str, question: str, measures: tuple[str, ...], figure: str
) -> None:
    read = intent(table, question)
    assert isinstance(read, DataIntent), read
    assert (read.measures, read.aggregates) == (measures, (figure,))


def test_a_negation_denies_what_stands_before_it_alone() -> None:
    assert filters(FARM, "東畑以外で秀は何件") == [("畑", "!=", "東畑"), ("等級", "==", "秀")]
    assert filters(SHELTER, "点検していないものは何件?") == [("点検", "==", "未")]


def test_a_product_of_two_columns_is_no_pair_of_totals() -> None:
    read = intent(FARM, "箱数×収穫量の合計はいくらになりますか")
    assert isinstance(read, DataIntent) and read.aggregates == ("sum",)
    assert [one.columns for one in read.derived] == [("箱数", "収穫量(kg)")]


def test_a_verb_that_is_a_condition_of_its_own_is_declined() -> None:
    assert isinstance(intent(SHELTER, "壊れた毛布は何枚"), Refusal)


CALLS = """受付日時,窓口,内容,対応時間(分),完了
2024-05-01 09:12,総務,道路,12,はい
2024-05-01 13:40,総務,水道,7,いいえ
2024-05-02 10:05,土木,道路,25,はい
"""
DONORS = """donor_id,venue,blood_type,age,volume_ml
D1,Hall,A,33,400
D2,Hall,O,51,200
D3,Gym,A,28,400
"""


@pytest.mark.parametrize(
    ("table", "question", "wanted"),
    [
        (CALLS, "道路についての受付は何件ありましたか", [("内容", "==", "道路")]),
        (CALLS, "10分以上かかった受付の件数", [("対応時間(分)", ">=", 10.0)]),
        (DONORS, "30歳以上の献血者は何人でしょうか", [("age", ">=", 30.0)]),
    ],
)
def test_rows_are_called_by_the_only_date_and_by_the_family_of_the_columns(
    table: str, question: str, wanted: list[tuple[str, str, object]]
) -> None:
    read = intent(table, question)
    assert isinstance(read, DataIntent) and read.aggregates == ("count",), read
    assert not read.groups and not read.date
    assert filters(table, question) == wanted


def test_a_figure_wins_over_the_name_of_the_rows() -> None:
    read = intent(FARM, "東畑の収穫量の合計は")
    assert isinstance(read, DataIntent) and read.measures == ("収穫量(kg)",)


def test_a_noun_of_another_trade_names_no_rows() -> None:
    assert isinstance(intent(FARM, "電話は何件ありましたか"), Refusal)


WRITTEN = """測定日,地点,重さ,人数(人),時間
R6.1.5,川上 ,5.9kg,４０,12分
R6.1.20,川上,4.1kg,35,８分
R6.2.3,川下,10kg,６,20分
"""
YEARLESS_DAYS = """配達日,営業所,個数
11月18日,本町,3
11月20日,港南,5
12月2日,本町,1
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("重さの平均は", "6.67"),
        ("人数の合計は", "81"),
        ("時間の最大は", "20"),
        ("1月の重さの合計は", "10"),
        ("川上の重さの合計は", "10"),
        ("地点別の件数", "2"),
    ],
)
def test_cells_written_with_units_wide_digits_short_eras_and_spaces_are_computed_with(
    question: str, said: str
) -> None:
    assert said in run(WRITTEN, question)


def test_spaces_around_values_are_told() -> None:
    assert "空白" in run(WRITTEN, "地点別の件数")


def test_days_without_a_year_are_compared_but_have_no_weekday() -> None:
    assert "8" in run(YEARLESS_DAYS, "11月の個数の合計は")
    assert "年がない" in run(YEARLESS_DAYS, "11月18日から11月30日までの個数の合計は")
    assert isinstance(intent(YEARLESS_DAYS, "曜日別の個数の合計"), Refusal)
    assert isinstance(intent(YEARLESS_DAYS, "2024年の個数の合計"), Refusal)


LUNCHES = """提供日,会場,主食,提供数(食),満足度(点),残食量(kg)
2024-05-07,東,ごはん,40,80,3.5
2024-05-07,西,ごはん,50,70,4.1
2024-05-08,東,パン,41,60,9
2024-05-09,西,めん,39,90,1.2
"""


def test_different_days_are_counted() -> None:
    assert ": 1" in run(LUNCHES, "ごはんの日は何日ありましたか")
    assert ": 2" in run(LUNCHES, "満足度が70点以上の日は何日")
    assert ": 2" in run(LUNCHES, "パンじゃない日は何日?")


def test_days_are_not_counted_where_the_table_holds_times_or_no_condition_is_said() -> None:
    assert isinstance(intent(CALLS, "道路の受付は何日"), Refusal)
    assert isinstance(intent(LUNCHES, "平均提供数は何日"), Refusal)


def test_a_number_with_a_counter_is_compared_with_the_column_of_that_counter() -> None:
    assert filters(LUNCHES, "東で80点以上は何件") == [("満足度(点)", ">=", 80.0), ("会場", "==", "東")]
    assert filters(LUNCHES, "45食以上の行は何件") == [("提供数(食)", ">=", 45.0)]


def test_the_number_of_things_is_the_column_of_them_beside_a_figure() -> None:
    read = intent(LUNCHES, "会場別の提供数の平均食数")
    assert isinstance(read, DataIntent) and (read.measures, read.aggregates) == (("提供数(食)",), ("mean",))


def test_worst_follows_the_adjective_beside_it_and_is_declined_where_nobody_can_tell() -> None:
    read = intent(LUNCHES, "残食量が多かった日ワースト3")
    assert isinstance(read, DataIntent) and (read.order, read.limit) == ("desc", 3)
    worst = intent(LUNCHES, "満足度のワースト2")
    assert isinstance(worst, DataIntent) and (worst.order, worst.limit) == ("asc", 2)


CLUB = """会員番号,入会日,プラン,性別,年齢,利用回数,支払額(円),退会
M1,2023-04-01,レギュラー,男,34,12,8800,いいえ
M2,2023-06-12,デイ,女,51,8,4200,はい
M3,2024-01-20,レギュラー,女,28,3,8800,いいえ
"""


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("退会した人の平均年齢は?", [("退会", "==", "はい")]),
        ("女性で10回以上利用した人は何人?", [("利用回数", ">=", 10.0), ("性別", "==", "女")]),
        ("デイ以外で5000円未満の支払いは何件", [("支払額(円)", "<", 5000.0), ("プラン", "!=", "デイ")]),
    ],
)
def test_a_verb_does_not_hide_a_column_nor_a_counter_an_age(
    question: str, wanted: list[tuple[str, str, object]]
) -> None:
    assert filters(CLUB, question) == wanted


def test_cases_are_counted_even_beside_an_amount() -> None:
    read = intent(CLUB, "デイ以外で5000円未満の支払いは何件")
    assert isinstance(read, DataIntent) and read.aggregates == ("count",)


def test_people_of_a_column_are_added_up() -> None:
    table = "出動日,署,負傷者数\n2024-05-01,北,1\n2024-05-02,南,3\n"
    read = intent(table, "負傷者は全部で何人でしたか")
    assert isinstance(read, DataIntent) and (read.measures, read.aggregates) == (("負傷者数",), ("sum",))


RAIL = """日付,路線,乗車人員(人),降車人員(人),遅延(分),荷重(kg)
2024-04-01,本線,1200,1100,0,20
2024-04-02,支線,300,310,12,31
2024-05-03,本線,1250,1180,3,12
"""


def test_a_counter_that_two_columns_carry_is_asked_about() -> None:
    read = intent(RAIL, "本線は何人が乗車しましたか")
    assert isinstance(read, Refusal) and read.choices == ("乗車人員(人)", "降車人員(人)")


def test_a_unit_that_no_column_is_measured_in_is_declined() -> None:
    assert isinstance(intent(SHELTER, "毛布は何kg"), Refusal)


def test_an_average_point_is_that_of_the_column_of_points() -> None:
    table = "学校,教科,点数,費用(円)\n一中,数学,80,100\n二中,英語,55,200\n一中,英語,71,100\n"
    read = intent(table, "平均点が一番高い教科は?")
    assert isinstance(read, DataIntent)
    assert (read.measures, read.aggregates, read.groups) == (("点数",), ("mean",), ("教科",))


def test_another_month_takes_the_place_of_the_one_before() -> None:
    read = intent(RAIL, "4月の遅延の合計は?", "じゃあ5月は?")
    assert isinstance(read, DataIntent) and [one.values for one in read.filters] == [(5.0,)]


def test_an_english_question_with_japanese_names_is_answered_in_english() -> None:
    table = "担当医,待ち時間(分)\n伊東,10\n佐藤,20\n"
    assert "average" in run(table, "what's the average 待ち時間 for each 担当医?").lower()
    assert "平均" in run(table, "担当医ごとの待ち時間の平均")
