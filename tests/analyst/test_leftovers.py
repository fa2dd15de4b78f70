"""Japanese words that no term covers: endings and courtesies are let go, nouns are named whole."""

from pathlib import Path

import pytest

from smoldesk.analyst.japanese.leftovers import words_of
from tests.analyst.small_tables import SmallDesk

LOANS = """貸出番号,本,利用者,貸出日,返却日,備考,点数
K1,坊っちゃん,森,2024-01-05,2024-01-12,,70
K2,こころ,林,2024-01-08,,汚れ,85
K3,三四郎,森,2024-02-02,2024-02-20,,91
"""


@pytest.fixture
def desk(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, loans=LOANS)


@pytest.mark.parametrize(
    "said",
    [
        "点数の平均でしょうか",
        "ざっと点数の平均をお願い",
        "すみません、点数の平均を教えてください",
        "そもそも点数の平均ってどれくらい？",
    ],
)
def test_words_of_courtesy_change_nothing(desk: SmallDesk, said: str) -> None:
    assert "点数の平均: 82" in desk.ask(said).first


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("店員の人数", "店員"),
        ("利用者の電話番号", "電話番号"),
        ("配送料の平均", "配送料"),
        ("点数と体重の相関", "体重"),
    ],
)
def test_an_unknown_noun_is_named_whole(desk: SmallDesk, said: str, word: str) -> None:
    told = desk.ask(said)
    assert f"「{word}」" in told.text and not told.tables


def test_the_columns_offered_instead_are_those_of_the_table(desk: SmallDesk) -> None:
    assert "期間" not in desk.ask("利用者の電話番号").text


def test_words_know_where_they_stand_and_whether_they_say_anything() -> None:
    words = words_of("店員の人数です")
    assert ["店員の人数です"[one.start : one.end] for one in words] == ["店員", "の", "人数", "です"]
    assert [one.is_noun for one in words] == [True, False, True, False]
    assert [one.is_empty for one in words] == [False, True, False, True]


def test_a_denial_is_never_empty() -> None:
    assert not any(one.is_empty for one in words_of("ない") if one.plain == "ない")
