"""A request that was not understood is read again in plainer words; a word that may be a condition never goes."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.english.plain_english import plain_english
from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.japanese.plain_japanese import plain_japanese
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.request import shorthand
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import tidy
from tests.analyst.small_tables import described
from tests.exams.case import read_cases
from tests.exams.generate import path_of

SPENDING = (
    "日付,費目,内容,支出,支払い方法\n"
    '2024年9月1日(日),住居,家賃,"82,000円",口座振替\n'
    '2024年9月2日(月),食費,食材,"4,350円",カード\n'
    '2024年9月7日(土),食費,外食,"3,120円",現金\n'
    '2024年10月2日(水),水道光熱,電気代,"6,210円",口座振替\n'
    '2024年10月5日(土),食費,外食,"2,400円",現金\n'
)


def read(*questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(SPENDING)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("少ない順に3台ご案内ください", "少ない順に3台"),
        ("平均面積ってどんくらい", "平均面積ってどのくらい"),
        ("上位3件をお知らせください", "上位3件"),
        ("5月に納めてくれたのは何軒", "5月は何軒"),
        ("極端に高い車があると思うのですが、どれですか", "極端に高い車、どれですか"),
        ("納入日が入っとらん世帯", "納入日が入っていない世帯"),
    ],
)
def test_words_of_asking_go(said: str, plain: str) -> None:
    assert plain_japanese(said, lambda word: False) == plain


@pytest.mark.parametrize(
    "said", ["使っていない支出", "売れた商品", "返品された注文", "壊れた荷物", "解約した会員"]
)
def test_what_may_be_a_condition_stays(said: str) -> None:
    assert plain_japanese(said, lambda word: False) == said


@pytest.mark.parametrize(
    "question",
    ["食費って全部でいくら使ってる?", "食費はいくら?", "食費にいくら払った?", "食費は合わせていくらでしたか"],
)
def test_how_much_is_the_sum_of_the_only_money(question: str) -> None:
    found = read(question)
    assert isinstance(found, DataIntent), found
    assert (found.operation, found.measures, found.aggregates) == ("aggregate", ("支出",), ("sum",))
    assert [one.values for one in found.filters] == [("食費",)]


def test_how_much_two_months_are_apart() -> None:
    found = read("電気代、9月と10月でいくら違う?")
    assert isinstance(found, DataIntent), found
    assert (found.operation, found.measures) == ("difference", ("支出",))


def test_the_only_measure_needs_no_name() -> None:
    found = read("費目別の合計を多い順で")
    assert isinstance(found, DataIntent), found
    assert (found.measures, found.aggregates, found.groups) == (("支出",), ("sum",), ("費目",))


@pytest.mark.parametrize(
    "question",
    [
        "返品された支出は何件?",
        "ポイントはいくら貯まった?",
        "来月の支出はいくらになりそう?",
        "食費のカロリーの合計は?",
    ],
)
def test_what_the_table_does_not_hold_is_still_declined(question: str) -> None:
    assert isinstance(read(question), Refusal)


def test_days_may_end_with_their_day_of_the_week() -> None:
    found = read("月ごとの支出の合計は?")
    assert isinstance(found, DataIntent), found
    assert (found.date, found.grain) == ("日付", "month")
    weekend = read("土日の支出の合計は?")
    assert isinstance(weekend, DataIntent), weekend
    assert weekend.filters


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "is there a correlation between length and downloads? give me the number",
            "is there a correlation between length and downloads",
        ),
        ("how many different opponents have we faced", "how many different opponents we"),
        ("average time, in minutes?", "average time"),
        ("flights more than half an hour late?? how many", "how many flights more than 30 minutes late"),
    ],
)
def test_words_of_asking_go_in_english(said: str, plain: str) -> None:
    assert plain_english(said, lambda word: False) == plain


@pytest.mark.parametrize(
    "said",
    ["orders that were cancelled", "rooms that were not used", "trips we never took", "items returned"],
)
def test_what_may_be_a_condition_stays_in_english(said: str) -> None:
    assert plain_english(said, lambda word: False) == said


def test_a_text_without_japanese_letters_is_read_without_japanese_patterns() -> None:
    spoken = [form for form, _ in shorthand._FORMS if form.pattern in shorthand._OF_JAPANESE]
    asked = [turn for case in read_cases(path_of("dev")) for turn in case.turns if turn.isascii()]
    assert len(spoken) > 100 and len(asked) > 100
    assert not [(turn, form.pattern) for turn in asked for form in spoken if form.search(tidy(turn))]
