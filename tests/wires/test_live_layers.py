"""Live layers: values that clients post, as every page of the chat gets them."""

import json
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.store import layers as rows
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

NOON = "2026-05-01T12:00:0"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Generator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


def post(live: LiveDesk, chat_id: str, rows: Any, layer: str = "temperature", **query: str) -> httpx.Response:
    url = f"{live.url}/api/chats/{chat_id}/layers/{layer}"
    if isinstance(rows, str):
        return httpx.post(url, content=rows, headers={"Content-Type": "text/csv"}, params=query, timeout=60)
    return httpx.post(url, json=rows, params=query, timeout=60)


def row(room: str | int, value: Any, second: int = 0) -> dict[str, Any]:
    return {"room": room, "time": f"{NOON}{second}Z", "value": value}


def test_posted_values_reach_every_page_and_survive_a_restart(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page:
        answer = post(
            live, page.chat_id, [row("kitchen", 21), row("Attic", 9), row("Attic", 8)], unit="°C"
        ).json()
        assert answer == {"accepted": 1, "rooms": 1, "unknown": ["Attic"], "unknownValues": 2, "tooOld": 0}
        [layer] = page.until("layers")["content"]["layers"]
        assert layer["name"] == "temperature" and layer["state"] == "live" and layer["unknownValues"] == 2

        page.send(type="show_layer", layer="temperature")
        shown = page.until("layer_shown")["content"]
        assert shown["picture"]["rectangles"][0]["name"] == "Kitchen", "for a replay, which has no values"
        first = page.until("layer_values")["content"]
        assert first["reset"] and first["rooms"] == [{"floorId": "1F", "name": "Kitchen"}]
        assert [frame["values"] for frame in first["frames"]] == [[21.0]]
        assert first["legend"]["title"] == "temperature" and first["legend"]["unit"] == "°C"

        # Out of order, twice, as CSV; the later row of two wins.
        csv = f"value,room,time\n18,Room1,{NOON}2Z\n25,Kitchen,{NOON}3Z\n26,Kitchen,{NOON}3Z\n19,Room1,{NOON}1Z\n"
        assert post(live, page.chat_id, csv).json()["accepted"] == 4
        more = page.until("layer_values")["content"]
        names = [room["name"] for room in more["rooms"]]
        frames = [
            {names[at]: value for at, value in zip(frame["places"], frame["values"], strict=True)}
            for frame in more["frames"]
        ]
        assert frames == [{"Room1": 19.0}, {"Room1": 18.0}, {"Kitchen": 26.0}] and not more["reset"]
        chat_id = page.chat_id
        kinds = [
            json.loads(line)["event"]["type"]
            for line in httpx.get(f"{live.url}/api/chats/{chat_id}/events").text.splitlines()
        ]
        assert kinds == ["layer_shown"], "values are no events"
    with live_desk(tmp_path) as live, WsClient(live.ws_url, f"?chat={chat_id}&after=0").greeted() as page:
        values = page.until("layer_values")["content"]
        assert values["reset"] and len(values["frames"]) == 4
        with WsClient(live.ws_url).greeted() as other:
            other.send(type="show_layer", layer="temperature")
            assert other.until("error")["code"] == "unknown_layer", "a layer of another chat"
            assert httpx.get(f"{live.url}/api/chats/{other.chat_id}/layers").json() == {"layers": []}
        assert httpx.delete(f"{live.url}/api/chats/{chat_id}/layers/temperature").status_code == 204
        assert page.until("layers")["content"]["layers"] == []


def test_an_agent_shows_a_layer_and_hears_which_there_are(tmp_path: Path) -> None:
    cell = "print(show_layer('co3'))\nprint(show_layer('co2'))\nfinal_answer('done')"
    with (
        live_desk(tmp_path, lambda: ScriptedModel([code(cell)])) as live,
        WsClient(live.ws_url).greeted() as page,
    ):
        post(live, page.chat_id, [row("Kitchen", 400), row("Room1", 900)], "co2")
        messages = page.ask("Show live CO2")
        printed = "".join(message["content"] for message in messages if message["type"] == "printed")
        assert "no live layer 'co3'. Layers: co2." in printed
        assert "The map shows co2: 2 rooms, 400 to 900, last at 2026-05-01T12:00:00Z." in printed
        assert [message["content"]["layer"] for message in messages if message["type"] == "layer_shown"] == [
            "co2"
        ]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ([], "no rows"),
        ({"rows": 3}, "no rows"),
        ([row("Kitchen", 1), row("Kitchen", "warm")], "Row 2: `value` is 'warm'"),
        ([row("Kitchen", True)], "Row 1: `value` is True"),
        ([{"room": "Kitchen", "value": 1, "time": "9999-01-01"}], "later than now"),
        ([{"room": "Kitchen", "value": 1, "time": "soon"}], "`time` is 'soon'"),
        ([{"room": "", "value": 1}], "`room`"),
        ([[["Kitchen"], None, 1]], "`room`"),
        ([row("Kitchen", 1)] * 20_001, "20,001 rows"),
        ("time,value\n1,2\n", "does not name the columns"),
        ("room,value\nKitchen,\n", "Row 1: `value` is ''"),
        ('room,value\n"' + "x" * 200_000, "not CSV"),
    ],
)
def test_malformed_rows_are_refused_and_nothing_is_stored(live: LiveDesk, body: Any, says: str) -> None:
    chat_id = httpx.post(f"{live.url}/api/chats").json()["id"]
    answer = post(live, chat_id, body)
    assert answer.status_code == 400 and says in answer.text, answer.text
    assert httpx.get(f"{live.url}/api/chats/{chat_id}/layers").json() == {"layers": []}


def test_hostile_requests_are_refused(live: LiveDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    chat_id = httpx.post(f"{live.url}/api/chats").json()["id"]
    url = f"{live.url}/api/chats/{chat_id}/layers"
    assert httpx.post(f"{url}/t", content=b"[" * 100_000).json()["error"]["code"] in ("too_deep", "not_json")
    assert httpx.post(f"{url}/t", content=b'[{"room":"Kitchen","value":NaN}]').status_code == 400
    assert httpx.post(f"{url}/t", content=b" " * 2_000_001).status_code == 413
    assert post(live, chat_id, [row("Kitchen", 1)], "<b>x<").json()["error"]["code"] == "bad_name"
    assert post(live, "c_none", [row("Kitchen", 1)]).status_code == 404
    monkeypatch.setattr(rows, "MOST", 1)
    assert post(live, chat_id, [row("Kitchen", 1)], "layer").status_code == 200
    assert post(live, chat_id, [row("Kitchen", 1)], "one more").json()["error"]["code"] == "too_many_layers"


def test_a_flood_is_merged_and_other_chats_go_on(live: LiveDesk) -> None:
    with WsClient(live.ws_url).greeted() as page, httpx.Client(timeout=60) as client:
        url = f"{live.url}/api/chats/{page.chat_id}/layers/flood"
        client.post(url, json=[row("Kitchen", 0)])
        page.send(type="show_layer", layer="flood")
        page.until("layer_values")
        now = time.time()
        rooms = [{"room": f"nobody {at}", "time": now, "value": at} for at in range(2_000)]
        for number in range(8):  # each waits for its batch
            flood = [{"room": "Kitchen", "time": now, "value": number * 1_000 + at} for at in range(1_000)]
            answer = client.post(url, json=[*flood, *rooms])
            assert answer.json()["accepted"] == 1_000 and len(answer.json()["unknown"]) == 10
        last = page.until("layer_values")["content"]
        while last["frames"][-1]["values"] != [7_999.0]:
            last = page.until("layer_values")["content"]
        status = client.get(f"{live.url}/api/chats/{page.chat_id}/layers").json()["layers"][0]
        assert status["unknownValues"] == 16_000 and len(status["unknown"]) == 10
        other = httpx.post(f"{live.url}/api/chats").json()["id"]
        assert post(live, other, [row("Kitchen", 1)]).status_code == 200
