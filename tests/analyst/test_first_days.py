"""Rows at an end of a column of days, both ends, and all rows in their order: in English and Japanese."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

VISITS = "Visitor,Desk,Joined On,Fee\n" + "\n".join(
    f"{name},{desk},{day},{fee}"
    for name, desk, day, fee in (
        ("Ada", "north", "2023-05-04", 12),
        ("Bo", "south", "2022-11-30", 30),
        ("Cy", "north", "2024-02-17", 7),
        ("Di", "south", "2023-08-21", 19),
    )
)
BORROWED = "会員,書名,貸出日,冊数\n" + "\n".join(
    f"{name},{book},2024年{month}月{day}日,{count}"
    for name, book, month, day, count in (
        ("青木", "海の本", 3, 9, 2),
        ("石井", "山の本", 1, 5, 1),
        ("上田", "空の本", 6, 28, 4),
    )
)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("visits"), visits=VISITS)


@pytest.fixture(scope="module")
def japanese(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("borrowed"), borrowed=BORROWED)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what is the earliest joined on date?", "Earliest Joined On: 2022-11-30 (Bo)."),
        ("which visitor has the earliest joined on?", "Earliest Joined On: 2022-11-30 (Bo)."),
        ("the most recent visitor", "Latest Joined On: 2024-02-17 (Cy)."),
        ("latest joined on among the south desk", "Latest Joined On (Desk = south): 2023-08-21 (Di)."),
        ("the 2 most recent visitors", "The 2 latest values of Joined On: 2024-02-17 (Cy), 2023-08-21 (Di)."),
        ("which desk had the latest joined on", "Latest Joined On: 2024-02-17 (north)."),
        ("max joined on", "Latest Joined On: 2024-02-17 (Cy)."),
        ("what period does the data cover?", "Joined On runs from 2022-11-30 to 2024-02-17."),
        ("first and last joined on", "Joined On runs from 2022-11-30 to 2024-02-17."),
        (
            "min and max joined on in the north",
            "Joined On (Desk = north) runs from 2023-05-04 to 2024-02-17.",
        ),
    ],
)
def test_the_ends_of_the_days(english: SmallDesk, question: str, said: str) -> None:
    assert english.ask(question).first == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("最新の貸出日は?", "最も新しい貸出日: 2024-06-28"),
        ("一番早い貸出日の書名は", "最も早い貸出日: 2024-01-05 (山の本)"),
        ("貸出日が最も新しい行は", "最も新しい貸出日: 2024-06-28"),
        ("貸出日はいつからいつまで?", "貸出日: 2024-01-05から2024-06-28まで。"),
        ("データの期間は", "貸出日: 2024-01-05から2024-06-28まで。"),
    ],
)
def test_the_ends_of_the_days_in_japanese(japanese: SmallDesk, question: str, said: str) -> None:
    assert japanese.ask(question).first.startswith(said)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("sort by joined on", ["Bo", "Ada", "Di", "Cy"]),
        ("sort the visitors by joined on, newest first", ["Cy", "Di", "Ada", "Bo"]),
    ],
)
def test_rows_in_the_order_of_their_days(english: SmallDesk, question: str, names: list[str]) -> None:
    (table,) = english.ask(question).tables
    assert list(table["Visitor"]) == names


def test_only_the_first_twenty_of_many_rows_are_said(tmp_path: Path) -> None:
    rows = "\n".join(f"v{number},2024-{1 + number // 28:02d}-{1 + number % 28:02d}" for number in range(60))
    seen = SmallDesk(tmp_path, visits=f"Visit,Seen On\n{rows}").ask("sort by seen on")
    assert seen.first.startswith("60 rows by Seen On, earliest first: 2024-01-01 (v0), ")
    assert seen.first.endswith("2024-01-20 (v19), ...")
    assert len(seen.tables[0]) == 60


@pytest.mark.parametrize("question", ["who left first?", "average fee of the last one", "latest fee"])
def test_an_end_of_nothing_is_declined(english: SmallDesk, question: str) -> None:
    seen = english.ask(question)
    assert not seen.tables
    assert "2024" not in seen.first
