"""A question that is read in several ways gets the answer of each; a person keeps one, and is asked before a file is saved."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.offers import arranged
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import Desk
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.ws_client import Message, WsClient, of_type

UNSURE = "children in third class, fare"
CHOSEN = "average fare where who is child and class is Third"


@pytest.fixture(scope="module", params=["code", pytest.param("tools", marks=pytest.mark.slow)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp(request.param), agent=request.param, max_children=1) as live:
        yield live


def ask(client: WsClient, message: str) -> list[Message]:
    client.say(message)
    return client.until_closed()


def test_an_unclear_question_is_answered_in_each_of_its_readings(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        received = ask(client, UNSURE)
        assert not of_type(received, "ask")
        [text] = of_type(received, "text")
        assert "Average fare: 29.55" in text["content"] and "reading" not in text["content"]
        [message] = of_type(received, "alternatives")
        first, *others = message["content"]["alternatives"]
        assert first["sentence"] == CHOSEN and first["outputs"] == []
        assert first["reading"] == of_type(received, "reading")[0]["content"]
        grouped = next(other for other in others if "by class" in other["sentence"])
        assert [output["type"] for output in grouped["outputs"]] == ["table", "text"]
        assert grouped["outputs"][0]["url"] and "Highest average fare" in grouped["outputs"][1]["html"]
        marked = "".join(piece["text"] for piece in grouped["pieces"] if piece.get("differs"))
        assert "by class" in marked and "fare" not in marked
        assert grouped["reading"]["query"]["groups"] == [{"column": "class"}]
        closing = of_type(received, "run")[-1]["content"]
        assert closing["state"] == "finished" and grouped["sentence"] in closing["text"]


def test_the_kept_reading_is_edited_by_the_next_question(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        received = ask(client, UNSURE)
        [message] = of_type(received, "alternatives")
        sentences = [entry["sentence"] for entry in message["content"]["alternatives"]]
        index = next(at for at, sentence in enumerate(sentences) if "by class" in sentence)
        client.send(type="keep_reading", runId=message["runId"], index=index)
        kept = client.until("reading_kept")["content"]
        assert kept == {"runId": message["runId"], "index": index}
        followed = of_type(ask(client, "and the median?"), "reading")[0]["content"]["query"]
        assert followed["groups"] == [{"column": "class"}] and followed["measures"][0]["fn"] == "median"


def test_without_a_click_the_opened_reading_is_edited(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        ask(client, UNSURE)
        followed = of_type(ask(client, "and the median?"), "reading")[0]["content"]["query"]
        assert "groups" not in followed and followed["measures"][0]["fn"] == "median"


def test_none_of_these_leaves_nothing_to_go_on_from(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        [message] = of_type(ask(client, UNSURE), "alternatives")
        assert "not understood" in message["content"]["declined"]["content"]
        client.send(type="keep_reading", runId=message["runId"], index=None)
        client.until("reading_kept")
        assert "I do not know" in of_type(ask(client, "and the median?"), "text")[-1]["content"]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"index": 9}, "unknown_reading"),
        ({"index": "first"}, "wrong_type"),
        ({}, "wrong_type"),
        ({"index": 0, "runId": "r_000000000000000000000000"}, "not_found"),
    ],
)
def test_a_reading_that_was_not_shown_cannot_be_kept(
    live: LiveDesk, frame: dict[str, object], code: str
) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        [message] = of_type(ask(client, UNSURE), "alternatives")
        client.send(**({"type": "keep_reading", "runId": message["runId"]} | frame))
        assert client.until("error")["code"] == code


def test_a_file_is_saved_only_after_the_person_chose(live: LiveDesk) -> None:
    with WsClient(live.ws_url) as client:
        client.hello()
        client.say(f"{UNSURE}, save as csv")
        card = client.until("ask")["content"]
        assert f"{CHOSEN} save as csv" in card["options"] and card["options"][-1] == "None of these"
        client.send(type="answer", askId=card["askId"], granted=True, value="None of these")
        received = client.until_closed()
        assert "not understood" in of_type(received, "text")[-1]["content"] and not of_type(received, "file")


def test_an_unknown_word_beside_a_per_is_tried_as_names_not_as_numbers(tmp_path: Path) -> None:
    numbers = {f"n{at}": [at, 2, 3, 5] for at in range(8)}
    desk = Desk(tmp_path, runs=pd.DataFrame({"driver": ["Aoi", "Ken", "Aoi", "Rei"], **numbers}))
    offered = read_talk([UserTurn("total n3 by chauffeurs")], desk.catalogue).candidates[:3]
    assert "total n3 by driver" in [sentence_of(item.query, "en") for item in offered]
    offered = read_talk([UserTurn("乗務員ごとのn3の合計")], desk.catalogue).candidates[:3]
    assert "driver別のn3の合計" in [sentence_of(item.query, "ja") for item in offered]


def test_the_answers_of_all_readings_come_from_one_piece_of_code(desk: Desk) -> None:
    received = desk.ask(UNSURE)
    assert "Average fare" in received.answer and not received.calls
    assert any("by class" in sentence for sentence in received.others)


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
    assert isinstance(read.intent, Query) and not read.uncertain


@pytest.mark.parametrize("message", ["Show me the measurement dataset", "titanicのデータを表示して"])
def test_a_named_table_is_shown_and_not_asked_about(desk: Desk, message: str) -> None:
    read = read_talk([UserTurn(message)], desk.catalogue)
    assert isinstance(read.intent, Query) and read.intent.kind == "rows" and not read.uncertain


def test_words_that_only_other_readings_leave_out_are_known(tmp_path: Path) -> None:
    """The best interpretation counts rows and leaves 合計 out; the one that is opened sums, and keeps it."""
    sales = pd.DataFrame({"店舗": ["東京", "大阪"] * 2, "月": [1, 1, 2, 2], "金額": [120, 80, 150, 95]})
    outcome = read_talk([UserTurn("売上を店舗ごとに合計して")], Desk(tmp_path, 売上=sales).catalogue)
    assert sentence_of(outcome.shown[0].query, "ja") == "店舗別の金額の合計"
    assert outcome.intent == outcome.shown[0].query
    assert len(outcome.shown) > 1 and outcome.unused_terms == ()
