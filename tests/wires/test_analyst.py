"""The built-in analyst over the wires: asked about uploads (odd names, broken files), and by messages that bring a reading."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, live_desk
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
    """What is said at the end, with what is said of other readings."""
    messages = client.ask(question)
    notes = [message["content"]["note"] for message in of_type(messages, "alternatives")]
    return "\n".join([of_type(messages, "text")[-1]["content"], *notes])


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("How many rows does weather have?", "2 rows in weather"),
        ("How many rows are in weather.tsv?", "3 rows in weather (weather.tsv)"),
        ("売上の行数は？", "売上の行数は1行です。"),
        ("売上 (2)の行数は？", "売上 (2)の行数は2行です。"),
        ("sum of nights of Blue Lagoon Ltd", "12"),
        ("sum of nights of Yui Tanaka", "11"),
        ("sum of nights of Lopez", "'Lopez'"),
        ("sum of nights of Nakamura", "'Nakamura'"),
        ("田中さんの泊数の合計は？", "13"),
        ("How many rows are in the titanic dataset?", "2 rows in titanic"),
        (
            "What is in stock.json?",
            "No table could be read from 'stock.json'. Line 2, column 8: Expected a value, found '}]}'",
        ),
        (
            "stockを分析して",
            "「stock.json」から表を読み取れませんでした。Line 2, column 8: Expected a value, found '}]}'",
        ),
    ],
)
def test_a_file_is_known_by_its_name(client: WsClient, question: str, message: str) -> None:
    assert message in answer(client, question)


def test_a_refusal_leaves_the_map_alone(client: WsClient) -> None:
    """What it suggests instead names no room: the desk highlights the rooms that an answer names."""
    messages = client.ask("What is in stock.json?")
    assert "Things to try" in of_type(messages, "text")[-1]["content"]
    assert of_type(messages, "highlight_room") == []


MEDIAN = {"table": "titanic", "measures": [{"fn": "median", "column": "fare"}]}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("readings")) as live:
        yield live


def test_an_answer_is_corrected_over_the_socket(live: LiveDesk) -> None:
    with WsClient(live.ws_url).greeted() as client:
        (reading,) = of_type(client.ask("average fare in titanic"), "reading")
        content = reading["content"]
        assert content["query"] == {"table": "titanic", "measures": [{"fn": "mean", "column": "fare"}]}
        assert content["corrected"] is False
        figures = next(chip for chip in content["chips"] if chip["part"] == "figure")["choices"]
        median = next(choice for choice in figures if choice["text"] == "median")
        client.send(
            type="message", message=median["sentence"], reading={**content["query"], **median["change"]}
        )
        messages = client.until_closed()
        (reading,) = of_type(messages, "reading")
        assert (reading["content"]["query"], reading["content"]["corrected"]) == (MEDIAN, True)
        assert "Median fare" in of_type(messages, "text")[-1]["content"]
        assert "reading of this request" not in of_type(messages, "user_message")[-1]["content"]
        (reading,) = of_type(client.ask("and by class?"), "reading")
        assert reading["content"]["query"] == MEDIAN | {"kind": "groups", "groups": [{"column": "class"}]}


def test_a_run_over_http_takes_a_reading(live: LiveDesk) -> None:
    chat = httpx.post(f"{live.url}/api/chats").json()["id"]
    body = {"message": "whatever these words say", "reading": MEDIAN}
    assert httpx.post(f"{live.url}/api/chats/{chat}/runs", json=body).status_code == 202
    with WsClient(live.ws_url, f"?chat={chat}&after=0").greeted() as client:
        assert "Median fare" in of_type(client.until_closed(), "text")[-1]["content"]


@pytest.mark.parametrize(
    ("reading", "code"),
    [([1], "bad_reading"), ("text", "bad_reading"), ({"x": "y" * 20_000}, "too_large")],
    ids=["array", "text", "large"],
)
def test_what_is_no_reading_is_refused_in_the_form_of_the_wire(
    live: LiveDesk, reading: Any, code: str
) -> None:
    with WsClient(live.ws_url).greeted() as client:
        client.send(type="message", message="hello", reading=reading)
        assert client.until("error")["code"] == code
    chat = httpx.post(f"{live.url}/api/chats").json()["id"]
    refused = httpx.post(f"{live.url}/api/chats/{chat}/runs", json={"message": "hello", "reading": reading})
    assert refused.status_code in (400, 413, 422) and refused.json()["error"]["message"]


def test_a_reading_of_what_is_not_there_is_declined_and_the_next_question_is_answered(live: LiveDesk) -> None:
    with WsClient(live.ws_url).greeted() as client:
        client.send(type="message", message="average fare", reading=MEDIAN | {"table": "gone"})
        messages = client.until_closed()
        assert "no table 'gone'" in of_type(messages, "text")[-1]["content"]
        assert of_type(messages, "reading") == []
        assert "Average fare" in of_type(client.ask("average fare in titanic"), "text")[-1]["content"]
