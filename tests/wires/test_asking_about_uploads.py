"""The built-in analyst is asked about what a person uploaded: odd names, names twice, names of datasets, broken files."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.desk_server import live_desk
from tests.support.ws_client import WsClient, of_type

FILES = {
    "weather.csv": "city,wind\nTokyo,3\nOsaka,5\n",
    "weather.tsv": "city\train\nTokyo\t3\nOsaka\t5\nKobe\t1\n",
    "売上.csv": "店舗,金額\n渋谷,3\n",
    "売上 (2).csv": "店舗,金額\n渋谷,3\n新宿,4\n",
    "titanic.csv": "name,age\nJack,20\nRose,17\n",
    "bookings.csv": "guest,hotel,nights\n"
    + "".join(f"Guest {n} Lopez,Hotel {chr(65 + n % 26)}{n} Inn,{n}\n" for n in range(60))
    + "Blue Lagoon Ltd.,Sea View,7\nBlue Lagoon Ltd.,Hill Top,5\nYui Tanaka,Sea View,11\n田中太郎,Sea View,13\n",
    "stock.json": '{"a": [1,\n {"b": }]}',
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WsClient]:
    """A chat that has the files."""
    with live_desk(tmp_path_factory.mktemp("desk")) as live, WsClient(live.ws_url) as client:
        chat = client.hello()
        for name, content in FILES.items():
            sent = httpx.post(
                f"{live.url}/api/chats/{chat}/files", files={"file": (name, content.encode())}, timeout=60
            )
            assert sent.json()["name"] == name
        yield client


def answer(client: WsClient, question: str) -> str:
    client.say(question)
    return str(of_type(client.until_closed(), "text")[-1]["content"])


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many rows does weather have?", "2 rows in weather"),
        ("How many rows are in weather.tsv?", "3 rows in weather (weather.tsv)"),
        ("売上の行数は？", "売上の行数: 1"),
        ("売上 (2)の行数は？", "売上 (2)の行数: 2"),
        ("sum of nights of Blue Lagoon Ltd", "12"),
        ("sum of nights of Yui Tanaka", "11"),
        ("sum of nights of Lopez", "'Lopez'"),
        ("sum of nights of Nakamura", "'Nakamura'"),
        ("田中さんの泊数の合計は？", "13"),
        ("How many rows are in the titanic dataset?", "2 rows in titanic"),
        (
            "What is in stock.json?",
            "No table could be read from 'stock.json'. Line 2, column 8: Expecting value",
        ),
        ("stockを分析して", "「stock.json」 から表を読み取れませんでした。Line 2, column 8: Expecting value"),
    ],
)
def test_a_file_is_known_by_its_name(client: WsClient, question: str, said: str) -> None:
    assert said in answer(client, question)


def test_a_refusal_leaves_the_map_alone(client: WsClient) -> None:
    """What it suggests instead names no room: the desk highlights the rooms that an answer names."""
    client.say("What is in stock.json?")
    messages = client.until_closed()
    assert "Things to try" in of_type(messages, "text")[-1]["content"]
    assert of_type(messages, "highlight_room") == []
