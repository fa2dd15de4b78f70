"""Cells of one letter that stand in words of every request; which one it is among some; who sold most."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

STALL = """日付,曜日,品目,種類,単価（円）,販売数(個),売上[円],天気,気温℃,店員
2024/7/6,土,かき氷,甘味,300,31,9300,晴,31,原
2024/7/7,日,焼きそば,軽食,450,22,9900,晴,33,林
2024/7/8,月,かき氷,甘味,300,12,3600,雨,24,原
2024/7/13,土,あんみつ,甘味,400,15,6000,曇,28,林
2024/8/3,土,焼きそば,軽食,450,40,18000,晴,34,森
2024/8/4,日,たこ焼き,軽食,500,35,17500,晴,35,森
"""


def read(*talk: str) -> DataIntent:
    found = intent(STALL, *talk)
    assert isinstance(found, DataIntent), found
    return found


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("月別の売上推移を折れ線で", ()),
        ("売上が一番高かった日はいつ？", ()),
        ("気温が30度以上の日の売上合計", (("気温℃", ("30",)),)),
        ("一番暑かった日", ()),
        ("雨の日の売上", (("天気", ("雨",)),)),
        ("曜日が日の売上合計", (("曜日", ("日",)),)),
        ("土曜の販売数の合計", (("日付", ("Saturday",)),)),
    ],
)
def test_a_day_is_no_sunday(asked: str, kept: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    found = tuple((one.column, tuple(map(str, one.values))) for one in read(asked).filters)
    assert [column for column, _ in found] == [column for column, _ in kept]
    assert not any(column == "曜日" for column, _ in found) or found == kept


def test_a_table_without_dates_has_its_weekdays_by_their_names() -> None:
    found = intent("曜日,客数\n月,10\n火,12\n日,40\n", "日曜の客数")
    assert isinstance(found, DataIntent) and found.filters == (Filter("曜日", "==", ("日",)),)


@pytest.mark.parametrize(
    ("asked", "measure", "groups", "order"),
    [
        ("一番売上が低い店員は", "売上[円]", ("店員",), "asc"),
        ("最も販売数の少ない品目は？", "販売数(個)", ("品目",), "asc"),
        ("最も売上の高い店員", "売上[円]", ("店員",), "desc"),
        ("甘味の中で一番安いのは何ですか", "単価（円）", ("品目",), "asc"),
        ("軽食のうち最も売上が少ないものは", "売上[円]", ("品目",), "asc"),
        ("店員の中で最も売上が少ないのは", "売上[円]", ("店員",), "asc"),
        ("かき氷を一番売ったのは誰？", "販売数(個)", ("店員",), "desc"),
        ("一番売った人は誰？", "販売数(個)", ("店員",), "desc"),
        ("誰が一番焼きそばを売りましたか", "販売数(個)", ("店員",), "desc"),
    ],
)
def test_which_one_of_them(asked: str, measure: str, groups: tuple[str, ...], order: str) -> None:
    found = read(asked)
    assert (found.measures, found.groups, found.order) == ((measure,), groups, order)


def test_how_two_sides_differ_compares_them() -> None:
    found = read("雨の日と晴の日で売上はどう違う？")
    assert (found.measures, found.groups) == (("売上[円]",), ("天気",))


@pytest.mark.parametrize("word", ["客単価", "粗利"])
def test_a_figure_of_its_own_is_not_made_of_its_letters(word: str) -> None:
    found = intent(STALL, f"{word}を教えて")
    assert isinstance(found, Refusal) and word in found.words
