"""Tables of single deals in Japanese: how many there are, what they came to, which was the first."""

import pytest

from tests.analyst.small_tables import SmallDesk

DEALS = "受付番号,受付日,品名,区分,単価(円),個数,メモ\n" + "\n".join(
    f"U{place},2024年{month}月{day}日,{what},{kind},{price},{number},{note}"
    for place, (month, day, what, kind, price, number, note) in enumerate(
        (
            (2, 11, "鉢", "陶器", 900, 2, ""),
            (1, 30, "皿", "陶器", 400, 6, "急ぎ"),
            (3, 5, "箸", "木工", 250, 4, ""),
            (3, 9, "盆", "木工", 1500, 1, ""),
        )
    )
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("deals"), deals=DEALS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("3月の受付数は", "dealsの行数: 2"),
        ("空欄は何個", "dealsには1列に合計3個の空白があります"),
        ("金額の合計は", "単価(円) × 個数の合計: 6,700"),
        ("合計金額が一番大きい行は", "最も大きい単価(円) × 個数: 2,400 (皿)"),
        ("皿の平均個数", "個数の平均（品名 = 皿）: 6"),
        ("一番古い受付の品名は", "最も早い受付日: 2024-01-30 (皿)"),
        ("最も新しい受付は", "最も新しい受付日: 2024-03-09 (盆)"),
    ],
)
def test_deals_are_counted_and_added_up(desk: SmallDesk, question: str, said: str) -> None:
    assert desk.ask(question).first.startswith(said)


def test_the_number_of_deals_of_each_kind(desk: SmallDesk) -> None:
    (table,) = desk.ask("区分別の受付数").tables
    assert dict(zip(table["区分"], table.iloc[:, -1], strict=True)) == {"陶器": 2, "木工": 2}


@pytest.mark.parametrize("question", ["合計受付時間は", "受付数値の平均は"])
def test_another_word_with_that_beginning_is_declined(desk: SmallDesk, question: str) -> None:
    seen = desk.ask(question)
    assert not seen.tables
    assert "行数:" not in seen.first
