"""Japanese that turns round or directs: what was not done, what is written, money in and money out, kinds of rows."""

import pytest

from tests.analyst.small_tables import SmallDesk

CLINIC = "visit_no,Urgency,Age,Minutes waited,Admitted\n" + "\n".join(
    f"K{n:02d},{('high', 'low')[n % 2]},{20 + n},{n * 5},{'yes' if n in (2, 4, 7) else 'no'}"
    for n in range(1, 13)
)
PROMO = "Push,Medium,Spend (EUR),Clicks\n" + "\n".join(
    f"P{n},{('Radio', 'Poster', 'Web')[n % 3]},{100 + n},{n * 7}" for n in range(1, 10)
)
STALLS = "日付,屋台,売上(円),天気\n" + "\n".join(
    f"2024-05-{n:02d},{('東', '西', '南')[n % 3]},{9000 + n * 10},晴れ" for n in range(1, 10)
)
PURSE = "日付,店名,費目,支払方法,金額(円),備考\n" + "\n".join(
    f"2024-06-{n:02d},{('朝日堂', '緑屋', '丸山商店')[n % 3]},{('食費', '雑費')[n % 2]},{('現金', 'カード')[n % 2]},"
    f"{500 + n * 100},{'贈り物' if n in (3, 8) else ''}"
    for n in range(1, 11)
)
STOCK = "品名,商品カテゴリ,在庫数\n椅子,家具,4\n机,家具,2\nペン,文具,90\n鍋,台所,7\n"
TABLES = {"clinic": CLINIC, "promo": PROMO, "stalls": STALLS, "purse": PURSE, "stock": STOCK}


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SmallDesk]:
    return {name: SmallDesk(tmp_path_factory.mktemp(name), data=text) for name, text in TABLES.items()}


@pytest.mark.parametrize(
    ("table", "asked", "told"),
    [
        ("clinic", "入院しなかった患者は何人?", ("9",)),
        ("clinic", "入院した患者は何人?", ("3", "yes")),
        ("clinic", "highなのに入院しなかった患者のvisit_noは?", ("K06", "K08", "K10", "K12")),
        ("purse", "備考が書いてある行は何件?", ("2",)),
        ("purse", "備考が記入されている行は何件?", ("2",)),
        ("purse", "一番高い支払いはどの店?", ("1,500", "緑屋")),
        ("purse", "一番高い支払いの金額は?", ("1,500",)),
        ("purse", "店は全部で何種類ありますか?", ("3種類",)),
        ("stock", "商品カテゴリー別の在庫数の合計", ("文具（90）",)),
        ("stalls", "屋台別の売上の合計", ("27,",)),
    ],
)
def test_it_is_answered(desks: dict[str, SmallDesk], table: str, asked: str, told: tuple[str, ...]) -> None:
    answer = desks[table].ask(asked).first
    assert all(part in answer for part in told), answer


@pytest.mark.parametrize(
    ("table", "asked", "missing"),
    [
        ("promo", "売上が一番多いMediumは?", "売上"),
        ("promo", "Mediumごとの売上はどうなっていますか?", "売上"),
        ("promo", "What is the revenue by medium?", "revenue"),
        ("stalls", "支出が一番多い屋台は?", "支出"),
    ],
)
def test_money_of_the_other_direction_is_declined(
    desks: dict[str, SmallDesk], table: str, asked: str, missing: str
) -> None:
    answer = desks[table].ask(asked).first
    assert missing in answer
    assert not any(char in answer for char in ("合計が", "Total", "平均が"))
