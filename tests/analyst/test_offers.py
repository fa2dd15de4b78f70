"""A question that is read in several ways is asked back: a card with sentences, and what is chosen is computed."""

from collections.abc import Iterator

import pytest

from tests.analyst.desk import Desk
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import Message, WsClient, of_type

UNSURE = "children in third class, fare"
CHOSEN = "average fare where who is child and class is Third"


@pytest.fixture(scope="module", params=["code", "tools"])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp(request.param), agent=request.param, max_children=1) as live:
        yield live


def ask_of(client: WsClient) -> Message:
    client.say(UNSURE)
    return client.until("ask")["content"]


def text(client: WsClient) -> str:
    return str(of_type(client.until_closed(), "text")[-1]["content"])


def test_readings_are_offered_as_sentences_and_the_chosen_one_is_computed(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        ask = ask_of(client)
        assert (ask["kind"], ask["inputType"]) == ("input", "selection")
        assert CHOSEN in ask["options"] and ask["options"][-1] == "None of these"
        assert len(set(ask["options"])) == len(ask["options"]) <= 4
        client.send(type="answer", askId=ask["askId"], granted=True, value=CHOSEN)
        assert "Average fare: " in (answer := text(client)) and "who = child" in answer


def test_none_of_these_and_no_answer_compute_nothing(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        ask = ask_of(client)
        client.send(type="answer", askId=ask["askId"], granted=True, value="None of these")
        assert "not understood" in text(client)
        ask = ask_of(client)
        client.send(type="answer", askId=ask["askId"], granted=False)
        assert "computed nothing" in text(client)


def test_where_nobody_can_be_asked_the_sentences_are_told(desk: Desk) -> None:
    seen = desk.ask(UNSURE)
    assert CHOSEN in seen.answer and not seen.calls
