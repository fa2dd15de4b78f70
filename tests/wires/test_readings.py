"""A message that brings its reading: over the socket and over HTTP it is answered as the reading says, also by what follows."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import WsClient, of_type

MEDIAN = {"table": "titanic", "measures": [{"fn": "median", "column": "fare"}]}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("readings")) as live:
        yield live


def test_an_answer_is_corrected_over_the_socket(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        client.say("average fare in titanic")
        (reading,) = of_type(client.until_closed(), "reading")
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
        client.say("and by class?")
        (reading,) = of_type(client.until_closed(), "reading")
        assert reading["content"]["query"] == MEDIAN | {"kind": "groups", "groups": [{"column": "class"}]}


def test_a_run_over_http_takes_a_reading(live: LiveDesk) -> None:
    chat = httpx.post(f"{live.url}/api/chats").json()["id"]
    body = {"message": "whatever these words say", "reading": MEDIAN}
    assert httpx.post(f"{live.url}/api/chats/{chat}/runs", json=body).status_code == 202
    with WsClient(live.ws_url, f"?chat={chat}&after=0") as client:
        client.hello()
        assert "Median fare" in of_type(client.until_closed(), "text")[-1]["content"]


@pytest.mark.parametrize(
    ("reading", "code"),
    [([1], "bad_reading"), ("text", "bad_reading"), ({"x": "y" * 20_000}, "too_large")],
    ids=["array", "text", "large"],
)
def test_what_is_no_reading_is_refused_in_the_form_of_the_wire(
    live: LiveDesk, reading: Any, code: str
) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        client.send(type="message", message="hello", reading=reading)
        assert client.until("error")["code"] == code
    chat = httpx.post(f"{live.url}/api/chats").json()["id"]
    refused = httpx.post(f"{live.url}/api/chats/{chat}/runs", json={"message": "hello", "reading": reading})
    assert refused.status_code in (400, 413, 422) and refused.json()["error"]["message"]


def test_a_reading_of_what_is_not_there_is_declined_and_the_next_question_is_answered(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        client.send(type="message", message="average fare", reading=MEDIAN | {"table": "gone"})
        messages = client.until_closed()
        assert "no table 'gone'" in of_type(messages, "text")[-1]["content"]
        assert of_type(messages, "reading") == []
        client.say("average fare in titanic")
        assert "Average fare" in of_type(client.until_closed(), "text")[-1]["content"]
