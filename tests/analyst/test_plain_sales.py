"""Sales and staff asked about in plain words: pieces sold, deals counted, one row's other columns, bars of a histogram."""

import pytest

from tests.analyst.small_tables import SmallDesk

SOLD = "Day,Item,Clerk,Pieces,Takings (USD)\n" + "\n".join(
    f"2024-0{month}-1{month},{item},{clerk},{pieces},{money}"
    for month, item, clerk, pieces, money in (
        (1, "Mug", "Ola", 4, 20),
        (1, "Vase", "Per", 1, 60),
        (2, "Mug", "Per", 7, 35),
        (3, "Bowl", "Ola", 2, 18),
        (3, "Vase", "Ola", 3, 170),
    )
)
NURSES = "名前,病棟,夜勤(回),担当年数\n" + "\n".join(
    f"{name},{ward},{nights},{years}"
    for name, ward, nights, years in (
        ("森田 葉子", "東", 4, 12),
        ("原 進", "西", 9, 3),
        ("岡 さくら", "東", 6, 7),
        ("西川 武", "北", 2, 20),
    )
)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("sold"), data=SOLD)


@pytest.fixture(scope="module")
def nurses(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("nurses"), data=NURSES)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many mugs did Per sell?", "Total Pieces (Item = Mug, Clerk = Per): 7."),
        ("how many vases were sold in march", "Total Pieces (month(Day) = 3, Item = Vase): 3."),
        ("how many sales were over 30 dollars", "3 rows in data (Takings (USD) > 30)."),
        ("best selling item", "Highest total Pieces: Mug (11)."),
        ("best-selling item of Ola", "Highest total Pieces: Mug (4)."),
    ],
)
def test_pieces_and_deals(sold: SmallDesk, question: str, said: str) -> None:
    assert sold.ask(question).first == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("夜勤が一番多い人の病棟は", "最も大きい夜勤(回): 9 (西)"),
        ("担当年数が一番短い人の名前", "最も小さい担当年数: 3 (原 進)"),
        ("岡さくらの夜勤", "岡 さくらの夜勤(回): 6。"),
        ("西川武さんの病棟は", "西川 武の病棟: 北。"),
    ],
)
def test_one_of_the_staff(nurses: SmallDesk, question: str, said: str) -> None:
    assert nurses.ask(question).first.startswith(said)


@pytest.mark.parametrize(
    ("question", "bars"),
    [("histogram of takings with 4 bins", 4), ("distribution of pieces in 3 buckets", 3)],
)
def test_the_bars_of_a_histogram(sold: SmallDesk, question: str, bars: int) -> None:
    (axes,) = sold.ask(question).axes
    assert len(axes.patches) == bars


def test_the_bars_of_a_histogram_in_japanese(nurses: SmallDesk) -> None:
    (axes,) = nurses.ask("夜勤のヒストグラムを5区間で").axes
    assert len(axes.patches) == 5


def test_bars_of_no_histogram_are_declined(sold: SmallDesk) -> None:
    seen = sold.ask("average takings in 10 bins")
    assert not seen.tables
    assert "bins" in seen.first
