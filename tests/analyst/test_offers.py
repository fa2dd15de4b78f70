"""A question that is read in several ways is asked back: a card with sentences, and what is chosen is computed."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.offers import arranged
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import ANSWERED, read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
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


def test_an_unknown_word_beside_a_per_is_tried_as_names_not_as_numbers(tmp_path: Path) -> None:
    numbers = {f"n{at}": [at, 2, 3, 5] for at in range(8)}
    desk = Desk(tmp_path, runs=pd.DataFrame({"driver": ["Aoi", "Ken", "Aoi", "Rei"], **numbers}))
    offered = read_talk([UserTurn("total n3 by chauffeurs")], desk.catalogue).candidates[:3]
    assert "total n3 by driver" in [sentence_of(item.query, "en") for item in offered]
    offered = read_talk([UserTurn("乗務員ごとのn3の合計")], desk.catalogue).candidates[:3]
    assert "driver別のn3の合計" in [sentence_of(item.query, "ja") for item in offered]


def test_where_nobody_can_be_asked_the_sentences_are_told(desk: Desk) -> None:
    received = desk.ask(UNSURE)
    assert CHOSEN in received.answer and not received.calls


def test_groups_in_another_order_are_no_other_reading(tmp_path: Path) -> None:
    shops = {
        "店舗": ["札幌", "福岡"] * 20,
        "分類": ["茶", "菓子", "菓子", "茶"] * 10,
        "売上": list(range(40)),
    }
    desk = Desk(tmp_path, shops=pd.DataFrame(shops))
    offered = arranged(list(read_talk([UserTurn("店舗と分類別の売上合計")], desk.catalogue).candidates))[:3]
    groups = [frozenset(group.column for group in reading.query.groups) for reading in offered]
    assert len(set(groups)) == len(groups), groups


def test_what_is_asked_by_names_alone_with_nothing_near_is_answered(tmp_path: Path) -> None:
    plan = {"team": ["A", "B"] * 20, "actual": list(range(40)), "budget": [20] * 40}
    desk = Desk(tmp_path, plan=pd.DataFrame(plan))
    read = read_talk([UserTurn("where actual exceeded budget")], desk.catalogue)
    assert isinstance(read.intent, Query) and read.confidence < ANSWERED


@pytest.mark.parametrize("message", ["Show me the measurement dataset", "titanicのデータを表示して"])
def test_a_named_table_is_shown_and_not_asked_about(desk: Desk, message: str) -> None:
    read = read_talk([UserTurn(message)], desk.catalogue)
    assert isinstance(read.intent, Query) and read.intent.kind == "rows" and read.confidence < ANSWERED
