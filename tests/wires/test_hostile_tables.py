"""Table files made to harm or confuse, on a real desk: an error or a bounded table, nothing lost, others unaffected."""

import gzip
import io
import threading
import zipfile
from collections.abc import Iterator

import pandas as pd
import pytest

from smoldesk.tables.inside.archives import MAX_UNPACKED
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.wires.test_file_cards import NUMBER, Chat

pytestmark = pytest.mark.long

OPERATIONS = pd.DataFrame(
    {
        "average": [1.5, 2.5, 3.5, 5.0] * 10,
        "sum": [2.5, 1.5, 7.5, 4.75] * 10,
        "by": ["top", "where", "and", "is"] * 10,
        "top": ["count", "share", "of", "or"] * 10,
        "correlation": [8.5, 1.5, 3.5, 4.5] * 10,
        "number of rows": range(3, 43),
        "合計": ["平均", "別", "ごと", "最大"] * 10,
    }
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    # a busy machine reads 10,000 columns for more than the usual 60 s
    with live_desk(tmp_path_factory.mktemp("hostile"), sandbox_preload=ANALYSIS, cell_seconds=200) as live:
        yield live


def is_shown(chat: Chat, question: str, expected: float) -> bool:
    text, rows = chat.answer(question)
    numbers = [float(item.replace(",", "")) for item in NUMBER.findall(text)]
    numbers += [float(cell) for row in rows for cell in row if isinstance(cell, int | float)]
    return any(abs(number - expected) <= 0.006 for number in numbers)


RELATION = OPERATIONS["average"].corr(OPERATIONS["correlation"])


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            {
                "average `average` by `by`": 5.0,
                "correlation of `average` and `correlation`": RELATION,
                "average sum by `by`": 7.5,
            },
        ),
        (
            "ja",
            {
                "`by`別の`average`の平均": 5.0,
                "`average`と`correlation`の相関": RELATION,
                "`by`別のsumの平均": 7.5,
            },
        ),
    ],
)
def test_a_file_whose_headers_are_operations_is_asked_about_and_answered(
    desk: LiveDesk, language: str, expected: dict[str, float]
) -> None:
    chat = Chat(desk)
    chat.upload("average.csv", OPERATIONS.to_csv(index=False).encode())
    [table] = chat.card("average.csv", language)["tables"]
    assert table["questions"] == [*expected]
    for question, figure in expected.items():
        assert is_shown(chat, question, figure), question


def test_ten_thousand_columns_are_a_bounded_card_and_more_are_refused(desk: LiveDesk) -> None:
    chat = Chat(desk)
    heads = [f"measure {at}" for at in range(10_000)]
    rows = "".join(",".join(str(at * row % 97 + 0.5) for at in range(10_000)) + "\n" for row in range(1, 9))
    chat.upload("wide.csv", f"{','.join(heads)}\n{rows}".encode())
    card = chat.card("wide.csv")
    assert card["problems"] == []
    [table] = card["tables"]
    assert (table["width"], table["rowCount"], len(table["questions"])) == (10_000, 8, 3)
    assert len(table["columns"]) == 300
    assert all(len(row) <= 200 for row in table["rows"])
    assert is_shown(chat, "average of `measure 3`", 13.5 + 0.5)
    chat.upload("wider.csv", f"{','.join([*heads, 'x'])}\n".encode())
    assert "10,001 columns; at most 10,000" in chat.card("wider.csv")["problems"][0]


def test_bombs_and_zips_of_zips_are_explained_while_others_are_answered(desk: LiveDesk) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("inner.zip", b"PK\x05\x06" + b"\0" * 18)
    row = b"1,2\n" * 5_000_000
    bomb = gzip.compress(row) * (MAX_UNPACKED // len(row) + 1)
    assert len(bomb) < 2_000_000
    hostile, other = Chat(desk), Chat(desk)
    attacks = {
        "bomb.csv.gz": (bomb, "unpacks to more than 300,000,000 bytes"),
        "zips.zip": (inner.getvalue(), "inner.zip"),
    }

    def attack() -> None:
        for name, (content, _text) in attacks.items():
            hostile.upload(name, content)

    thread = threading.Thread(target=attack)
    thread.start()
    other.upload("t.csv", b"shop,sold\nNorth,1\nSouth,2\n")
    assert "3" in other.ask("total sold")
    thread.join()
    for name, (content, text) in attacks.items():
        card = hostile.card(name)
        assert (card["tables"], card["isTableFile"]) == ([], True)
        assert text in "".join(card["problems"])
        stored = hostile.http.get(f"/chats/{hostile.id}/files/{name}")
        assert stored.content == content


@pytest.mark.parametrize("size", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_features_are_read_or_explained_and_others_are_answered(desk: LiveDesk, size: int) -> None:
    feature = b'{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}'
    content = b'{"type":"FeatureCollection","features":[' + b",".join([feature] * size) + b"]}"
    hostile, other = Chat(desk), Chat(desk)
    thread = threading.Thread(target=hostile.upload, args=("million.geojson", content))
    thread.start()
    other.upload("t.csv", b"shop,sold\nNorth,1\nSouth,2\n")
    assert "3" in other.ask("total sold")
    thread.join()
    card = hostile.card("million.geojson")
    if card["tables"]:
        assert card["tables"][0]["rowCount"] == size
    else:
        assert "memory" in "".join(card["problems"]) or "took longer" in "".join(card["problems"])


def test_totals_that_disagree_with_their_rows_stay_and_are_asked_about(desk: LiveDesk) -> None:
    chat = Chat(desk)
    chat.upload("sales.csv", b"shop,sold,cost\nNorth,1,10\nSouth,2,20\nWest,4,30\nTotal,9,60\n")
    card = chat.card("sales.csv")
    [table] = card["tables"]
    lines = [line["text"] for line in card["readAs"]["leftOut"]]
    questions = [(item["about"], item["value"]) for item in card["readAs"]["questions"]]
    assert (table["rowCount"], lines, questions) == (4, [], [("total", "5: Total, 9, 60")])
    assert is_shown(chat, "total sold", 16)


def test_a_table_in_an_archive_is_chosen_renamed_and_asked_about(desk: LiveDesk) -> None:
    chat = Chat(desk)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("north.csv", "item,sold\na,1\nb,2\n")
        archive.writestr("south.csv", "item,sold\na,10\nb,20\n")
        archive.writestr("south.jsonl", '{"item": "a", "left": 7}\n')
    chat.upload("shops.zip", out.getvalue())
    card = chat.card("shops.zip")
    assert [table["name"] for table in card["tables"]] == ["north", "south", "south_2"]
    assert card["readAs"]["sheets"] == ["north.csv", "south.csv", "south.jsonl"]
    assert chat.sql("SELECT SUM(sold) FROM south") == [[30]]
    assert is_shown(chat, "total left", 7)
    chosen = chat.change("shops.zip", readAs={"sheet": "south.csv"}).json()
    assert [table["name"] for table in chosen["tables"]] == ["south"]
    assert is_shown(chat, "total sold", 30)
    assert chat.change("shops.zip", readAs={"sheet": "west.csv"}).status_code == 409

    chat.upload("more.csv.gz", gzip.compress("店舗;価格\n東京;5\n大阪;6\n".encode("cp932")))
    assert chat.sql("SELECT SUM(価格) FROM more") == [[11]]
    assert is_shown(chat, "価格の合計", 11)
    assert chat.change("more.csv.gz", name="prices").json()["name"] == "prices.csv.gz"
