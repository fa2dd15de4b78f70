"""Words of one language about a table in the other, by the meanings that a dictionary gives."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.dictionary import Dictionary, english_of
from smoldesk.analyst.sentence import sentence_of
from tests.analyst.test_hostile_tables import read

EDICT = """　？？？ /EDICT, EDICT_SUB(P), EDICT2 Japanese-English Electronic Dictionary Files/
乗客 [じょうきゃく] /(n) passenger/(P)/EntL1580490X/
人数 [にんずう(P);にんず] /(n) (1) the number of people/(2) many people/a large number of people/EntL1580700X/
金;黄金(iK) [きん] /(n,adj-no) (1) gold (metal)/(2) {shogi} gold general/(P)/EntL1181860X/
金 [かね] /(n) money/EntL1242590X/
増える(P);殖える [ふえる] /(v1,vi) to increase/to multiply/(P)/EntL1403310X/
"""


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "edict2"
    path.write_text(EDICT, encoding="euc_jp")
    return Dictionary(path)


@pytest.mark.parametrize(
    ("word", "meanings"),
    [
        ("乗客", ("passenger",)),
        ("じょうきゃく", ("passenger",)),
        ("人数", ("number of people", "many people")),
        ("金", ("gold", "gold general", "money")),
        ("黄金", ("gold", "gold general")),
        ("殖える", ("increase", "multiply")),
        ("乗", ()),
        ("", ()),
        ("\n乗客", ()),
        ("💺", ()),
        ("💺乗客", ()),
    ],
)
def test_a_word_has_short_meanings_without_remarks_common_entries_first(
    dictionary: Dictionary, word: str, meanings: tuple[str, ...]
) -> None:
    assert dictionary.meanings(word) == meanings


def test_the_installed_dictionary_knows_words_of_statistics() -> None:
    assert "vote" in " ".join(english_of("得票")) and "passenger" in english_of("乗客")


STRIKES = pd.DataFrame(
    {
        "Phase of flight": ["Approach", "Approach", "Climb", "Parked"],
        "Operator": ["Blue Aviation", "Red Air", "Red Air", "Red Air"],
        "Medal": ["GOLD", "SILVER", "GOLD", "GOLD"],
    }
)
VOTES = pd.DataFrame({"候補者": ["A", "B", "A"], "得票数": [5, 7, 3], "政党": ["青", "赤", "青"]})
FIRMS = pd.DataFrame({"name": ["PTT Public Company", "Ford", "Dow"], "country": ["Thailand", "US", "US"]})
JOBS = pd.DataFrame({"job": ["Actor", "Clerk"] * 3, "sex": ["m", "f"] * 3, "count": [5, 7, 3, 9, 1, 2]})


@pytest.mark.parametrize(
    ("frame", "question", "first"),
    [
        (STRIKES, "いちばん多いのは飛行のどの段階？", "Phase of flight別の行数、高い順"),
        (STRIKES, "金メダルの数は？", "MedalがGOLDの行で、行数"),
        (VOTES, "total votes by party", "total 得票数 by 政党"),
        (FIRMS, "Which country has the most companies?", "number of rows by country highest first"),
        (JOBS, "人数がいちばん多いjobは？", "job別のcountの合計、高い順"),
    ],
)
def test_words_of_the_other_language_counts_in_a_column_and_nouns_of_rows_are_understood(
    frame: pd.DataFrame, question: str, first: str
) -> None:
    outcome = read(question, frame)[0]
    assert sentence_of(outcome.shown[0].query, outcome.language) == first


def test_a_word_whose_translation_is_only_a_part_of_a_cell_stays_unknown() -> None:
    assert not any("Blue" in sentence_of(one.query, "ja") for one in read("航空の行数", STRIKES)[0].shown)
