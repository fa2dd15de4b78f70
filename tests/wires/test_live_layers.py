"""Live layers: values that clients post, as every page of the chat gets them."""

import json
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from smoldesk.buildings.layers.room_names import RoomNames
from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.chats import LiveLayers, layer_memory
from smoldesk.chats.layer_batches import LayerBatches
from smoldesk.errors import Conflict
from smoldesk.events import LayerShown
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
        assert "layer" not in page.until("layer_shown")["content"], "its last values do not stay"
        page.until("layers", layers=[])
        # A layer that agents.toml has no more: the page must know that none is there.
        live.desk.store.submit(lambda tx: tx.append(chat_id, [LayerShown(layer="co2")])).result()
        with WsClient(live.ws_url, f"?chat={chat_id}&after=0").greeted() as late:
            late.until("layers", layers=[])


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
        ([row("Kitchen", 1), row("Room1", -1e308)], "Row 2: `value` is -1e+308, too large"),
        ([row("Kitchen", True)], "Row 1: `value` is True"),
        ([{"room": "Kitchen", "value": 1, "time": "9999-01-01"}], "later than now"),
        ([{"room": "Kitchen", "value": 1, "time": "soon"}], "`time` is 'soon'"),
        ([{"room": "", "value": 1}], "`room`"),
        ([[["Kitchen"], None, 1]], "`room`"),
        ([row("Kitchen", 1)] * 20_001, "20,001 rows"),
        ("time,value\n1,2\n", "does not name the columns"),
        ("room,value\nKitchen,\n", "Row 1: `value` is ''"),
        ('room,value\n"Kitchen,1\n', "not CSV"),
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


def test_a_failed_write_refuses_its_values_and_pages_follow_what_is_stored(
    live: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, full = rows.save_frames, [True]

    def save_if_not_full(*args: Any) -> None:
        if args[2] and full.pop():
            raise OperationalError("INSERT", {}, Exception("disk full"))
        save(*args)

    with WsClient(live.ws_url).greeted() as page:
        for value in range(3):  # versions that the layer has no more when it is read again
            assert post(live, page.chat_id, [row("Kitchen", value)]).status_code == 200
        page.send(type="show_layer", layer="temperature")
        page.until("layer_values")
        monkeypatch.setattr(rows, "save_frames", save_if_not_full)
        answer = post(live, page.chat_id, [row("Kitchen", 66)])
        assert answer.json()["error"]["code"] == "not_stored" and "INSERT" not in answer.text
        assert page.until("layer_values")["content"]["frames"][0]["values"] == [2.0]
        full.append(False)
        assert post(live, page.chat_id, [row("Kitchen", 30)]).status_code == 200
        assert page.until("layer_values")["content"]["frames"][0]["values"] == [30.0]


def test_pages_follow_a_layer_that_memory_has_no_room_for(
    live: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layer_memory, "MAX_IN_MEMORY", 1)
    with WsClient(live.ws_url).greeted() as page:
        for value in range(3):
            post(live, page.chat_id, [row("Kitchen", value)])
        page.send(type="show_layer", layer="temperature")
        page.until("layer_values")
        other = httpx.post(f"{live.url}/api/chats").json()["id"]
        assert post(live, other, [row("Kitchen", 1)]).status_code == 200
        assert post(live, page.chat_id, [row("Room1", 7, second=1)]).status_code == 200
        seen = page.until("layer_values")["content"]
        assert seen["reset"] and [frame["values"] for frame in seen["frames"]] == [[2.0], [7.0]]


def test_a_layer_that_is_deleted_refuses_what_waits_and_is_made_again_by_what_comes(
    live: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    layers = LiveLayers(live.desk.store, live.desk.buildings)
    chat_id = httpx.post(f"{live.url}/api/chats").json()["id"]
    values = [RoomValue("Kitchen", time.time(), 1.0)]
    with monkeypatch.context() as patch:
        patch.setattr(LayerBatches, "note", lambda *_: None)  # nothing is stored
        _, stored = layers.add(chat_id, "co2", values)
        layers.remove(chat_id, "co2")
        with pytest.raises(Conflict, match="was deleted"):
            stored.result(0)

    resolve = RoomNames.resolve

    def resolve_while_deleted(names: RoomNames, *args: Any) -> Any:
        monkeypatch.setattr(RoomNames, "resolve", resolve)
        layers.remove(chat_id, "co2")
        return resolve(names, *args)

    monkeypatch.setattr(RoomNames, "resolve", resolve_while_deleted)
    _, stored = layers.add(chat_id, "co2", values)
    assert not stored.cancel(), "a client that goes away ends nothing: others wait for the same batch"
    assert stored.result(60) == 0
    [status] = layers.statuses(chat_id)
    assert status.rooms == 1
    layers.close()


def test_pages_come_and_go_while_names_are_looked_for_and_survive_a_store_that_fails(
    live: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve, started, goes_on = RoomNames.resolve, threading.Event(), threading.Event()
    statuses, faults = live.desk.layers.statuses, [OperationalError("SELECT", {}, Exception("gone"))]

    def resolve_slowly(names: RoomNames, building: Any, requested: set[str]) -> Any:
        if "slow" in requested:
            started.set()
            assert goes_on.wait(60)
        return resolve(names, building, requested)

    def fail_once(chat_id: str) -> Any:
        if faults:
            raise faults.pop()
        return statuses(chat_id)

    monkeypatch.setattr(RoomNames, "resolve", resolve_slowly)
    slow = httpx.post(f"{live.url}/api/chats").json()["id"]
    with ThreadPoolExecutor(1) as pool:
        posted = pool.submit(post, live, slow, [row("slow", 1)])
        assert started.wait(60)
        try:
            monkeypatch.setattr(live.desk.layers, "statuses", fail_once)
            with WsClient(live.ws_url).greeted() as page:
                assert post(live, page.chat_id, [row("Kitchen", 1)]).status_code == 200
                assert page.until("layers")["content"]["layers"][0]["rooms"] == 1 and not faults
        finally:
            goes_on.set()
        assert posted.result(60).json()["unknown"] == ["slow"]
