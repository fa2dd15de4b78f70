"""A building whose rooms are called by numbers: questions about it, and tables that name its rooms."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.desk_server import live_desk
from tests.support.plans import floor, room, system
from tests.support.ws_client import Message, WsClient, of_type

NAMES = ["2101", "2102", "2103", "0104", "E001"]
TABLE = "room,temperature,people\n2101,21.5,3\n2102,23,1\n2101,22.5,2\n104,19,4\n2199,30,1\n"


def plan() -> dict[str, Any]:
    """Five rooms in a row; 2103 is also called Ada's room, and アダの部屋 in Japanese."""
    rooms = [room(name, 10 * at, 0, 10 * at + 10, 10 + at) for at, name in enumerate(NAMES)]
    rooms[2] |= {"aliases": ["Ada's room"], "names": {"ja": "アダの部屋"}}
    rooms[3] |= {"kind": "shop", "kinds": ["bakery"]}
    rooms[4] |= {"kind": "restroom", "kinds": ["female toilet"]}
    return {"floors": [floor(rectangles=rooms, doors=[], metresPerUnit=1, coordinateSystem=system(50, 20))]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WsClient]:
    with live_desk(tmp_path_factory.mktemp("desk"), max_children=1) as live, WsClient(live.ws_url) as item:
        item.hello()
        with live.client(timeout=60) as http:
            raw = ("plan.json", json.dumps(plan()).encode())
            sent = http.post("/api/buildings", files={"file": raw})
            assert sent.status_code == 201, sent.text
            chosen = {"buildingId": sent.json()["buildingId"]}
            assert http.patch(f"/api/chats/{item.chat_id}", json=chosen).is_success
            item.until("map_definition")
            table = {"file": ("climate.csv", TABLE.encode())}
            assert http.post(f"/api/chats/{item.chat_id}/files", files=table).is_success
        yield item


def asked(client: WsClient, request: str) -> tuple[str, list[Message]]:
    """The answer, and what was drawn."""
    messages = client.ask(request)
    return str(messages[-1]["content"]["text"]), of_type(messages, "map")


@pytest.mark.parametrize("request_", ["paint the rooms by temperature", "部屋をtemperatureで色分けして"])
def test_a_column_of_room_numbers_paints_the_plan_unnamed(client: WsClient, request_: str) -> None:
    _, [drawn] = asked(client, request_)
    painted = {item["name"]: item["value"] for item in drawn["content"]["rectangles"]}
    assert painted == {"2101": 22.0, "2102": 23.0, "0104": 19.0}


def test_room_numbers_are_names_in_questions_drawings_and_routes(client: WsClient) -> None:
    text, [drawn] = asked(client, "highlight 2101, E001 and 2177")
    assert [item["name"] for item in drawn["content"]["rectangles"]] == ["2101", "E001"]
    assert "no room '2177'" in text
    text, [drawn] = asked(client, "how big is room ２１０２?")
    assert "2102 is on floor 1F" in text and "110 m²" in text
    text, [drawn] = asked(client, "アダの部屋はどこ？")
    assert [item["name"] for item in drawn["content"]["rectangles"]] == ["2103"]
    text, [drawn] = asked(client, "how do I get from 2101 to Ada's room via E001?")
    steps = [step["room"] for step in drawn["content"]["overlays"][0]["steps"] if step["action"] == "walk"]
    assert steps == ["E001"]


def test_rooms_take_the_colours_of_numbers_in_the_request(client: WsClient) -> None:
    for request in (
        "colour these: 2101 3, 2102 9, Ballroom 4",
        "この表で色分けして\n部屋,値\n2101,3\n2102,9",
    ):
        text, [drawn] = asked(client, request)
        assert {item["name"]: item["value"] for item in drawn["content"]["rectangles"]} == {
            "2101": 3,
            "2102": 9,
        }
        assert "2102" in text
        assert ("no room 'Ballroom'" in text) == ("Ballroom" in request)


@pytest.mark.parametrize(
    ("request_", "rooms"),
    [("where is the bakery?", ["0104"]), ("パン屋はどこ？", ["0104"]), ("女子トイレを見せて", ["E001"])],
)
def test_a_room_is_found_by_any_word_for_what_it_is(
    client: WsClient, request_: str, rooms: list[str]
) -> None:
    _, [drawn] = asked(client, request_)
    assert [item["name"] for item in drawn["content"]["rectangles"]] == rooms


def test_what_the_plan_does_not_know_is_named_and_nothing_stays_drawn(client: WsClient) -> None:
    asked(client, "how do I get from 2101 to 2102?")
    for request, word in (
        ("show floor -1", "-1"),
        ("is 2101 vacant today", "vacant"),
        ("closest unicorn bakery", "unicorn"),
    ):
        messages = client.ask(request)
        assert word in messages[-1]["content"]["text"]
        assert of_type(messages, "clear_map") and not of_type(messages, "map"), request
        assert not of_type(messages, "highlight_room"), request


def test_an_unknown_room_takes_the_former_route_off_the_map(client: WsClient) -> None:
    messages = client.ask("how do I get from 2101 to 2199?")
    assert "There is no room '2199'" in messages[-1]["content"]["text"]
    assert not of_type(messages, "map") and of_type(messages, "clear_map")
