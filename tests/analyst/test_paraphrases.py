"""Ways of asking that are rewritten before anything is read."""

from pathlib import Path

import pytest

from smoldesk.analyst.request.shorthand import written_out
from tests.analyst.small_tables import SmallDesk

STAFF = """Name,Team,Salary,Age,Joined
Ann,Sales,52000,31,2019-04-01
Bob,Design,48000,45,2018-02-01
Cid,Sales,,29,2021-09-15
Dee,Design,61000,52,2015-06-30
"""


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("which rows dont have a team", "which rows without team"),
        ("which orders havent been paid", "which orders not paid"),
        ("jobs that were never finished", "jobs that not finished"),
        ("hey, how many ppl are there lol", "how many people are there "),
        ("the first three rows", "the first 3 rows"),
        ("over 40k miles", "over 40000 miles"),
        ("but ignore the cancelled ones", "without the cancelled ones"),
        ("how much older is Bob than Ann", "difference in average age between Bob and Ann"),
        ("how much more do managers earn than clerks?", "difference in average salary between managers and clerks?"),
        ("how much higher is Ann's average salary than Bob's?", "difference in average salary between Ann and Bob?"),
        ("how much less did we spend in june than in may", "difference in total amount of june and may"),
        ("do tents or stoves cost more", "which of tents and stoves has the highest average price"),
    ],
)  # fmt: skip
def test_english(said: str, written: str) -> None:
    assert written_out(said) == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("給料の合計っていくら", "給料の合計はいくら"),
        ("6月と7月で残業の合計は何時間違う？", "6月と7月の残業の合計の差？"),
        ("部署別の棒ぐらふ", "部署別の棒グラフ"),
        ("佐藤さんの分だけで", "佐藤だけで"),
        ("何人いるか教えてほしい", "何人いるか"),
        ("1人あたりの平均給料", "平均給料"),
        ("20歳から29歳までの人数", "20歳以上29歳以下の人数"),
        ("年齢が未入力の人は誰", "年齢が空欄の人は誰"),
        ("年齢が空欄ではない人", "年齢がある人"),
        ("東京も同じように", "東京も"),
        ("女性に絞って", "女性だけ"),
    ],
)
def test_japanese(said: str, written: str) -> None:
    assert written_out(said) == written


@pytest.mark.parametrize(
    "said",
    ["average salary by team", "the one with the most rows", "チームごとの給料の平均", "年齢が40歳以上の人"],
)
def test_plain_requests_stay_as_they_are(said: str) -> None:
    assert written_out(said) == said


@pytest.mark.parametrize("said", ["rows with 'dont have a team'", "名前が「に絞って」の行"])
def test_quotations_stay_as_they_are(said: str) -> None:
    assert written_out(said) == said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("how much older is Design than Sales on average?", "18.50"),
        ("which rows dont have a salary", "Salary = blank"),
        ("salaryが入ってない人は誰？", "Salary = blank"),
        ("how many ppl are over 40", "2"),
    ],
)
def test_they_are_answered(tmp_path: Path, said: str, told: str) -> None:
    assert told in SmallDesk(tmp_path, staff=STAFF).ask(said).text
