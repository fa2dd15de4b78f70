"""Questions about the building and figures on the plan, asked of a real desk of each kind in both languages."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from smoldesk.buildings.palettes import scale_for
from smoldesk.tools.datasets import Datasets
from tests.support.desk_server import live_desk
from tests.support.ws_client import Message, WsClient, of_type


@pytest.fixture(scope="module", params=["code", "tools"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WsClient]:
    folder = tmp_path_factory.mktemp(request.param)
    with live_desk(folder, agent=request.param, max_children=1) as live, WsClient(live.ws_url) as item:
        item.hello()
        yield item


def asked(client: WsClient, request: str) -> list[Message]:
    client.say(request)
    messages = client.until_closed()
    assert messages[-1]["content"]["state"] == "finished", messages[-1]
    assert not of_type(messages, "error"), messages
    return messages


def answer(messages: Sequence[Message]) -> str:
    return str(messages[-1]["content"]["text"])


def route(messages: Sequence[Message]) -> dict[str, Any]:
    """The route of the only map."""
    [drawn] = of_type(list(messages), "map")
    [overlay] = drawn["content"]["overlays"]
    assert overlay["type"] == "route"
    return overlay


@pytest.mark.parametrize(
    "request_",
    [
        "How do I get from Room1 to the meeting room on 2F without stairs?",
        "Room1から2階の会議室まで階段を使わずに行くには？",
    ],
    ids=["en", "ja"],
)
def test_a_way_without_stairs_takes_the_lift(client: WsClient, request_: str) -> None:
    messages = asked(client, request_)
    result = route(messages)
    assert (result["start"], result["goal"], result["accessible"]) == ("Room1", "Meeting Room", True)
    assert [(item["kind"], item["fromFloorId"], item["toFloorId"]) for item in result["changes"]] == [
        ("lift", "1F", "2F")
    ]
    assert not [step for step in result["steps"] if step.get("kind") == "stairs"]
    message = answer(messages)
    assert f"{result['length']:.0f} m" in message
    assert len(message.splitlines()) == 1 + len(result["steps"])
    if request_.isascii():
        assert message.startswith("From Room1 (1F) to Meeting Room (2F)") and "take the lift to 2F" in message
    else:
        assert message.startswith("Room1からMeeting Roomまで") and "エレベーターで2階へ" in message
        assert "through the door" not in message
    assert not of_type(messages, "highlight_room"), "the rooms it passes are drawn by the route"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("How do I get from the Garage to the Lounge?", "the lift is closed"),
        ("GarageからLoungeまでの行き方を教えて", "エレベーターが故障しています"),
    ],
    ids=["en", "ja"],
)
def test_what_is_closed_is_gone_around_also_when_it_is_said_afterwards(
    client: WsClient, first: str, then: str
) -> None:
    asked(client, first)
    result = route(asked(client, then))
    assert (result["start"], result["goal"]) == ("Garage", "Lounge")
    assert {item["kind"] for item in result["changes"]} == {"stairs"}


@pytest.mark.parametrize(
    ("request_", "from_"),
    [("nearest toilet?", "from the Library"), ("一番近いトイレは？", "図書室から")],
    ids=["en", "ja"],
)
def test_the_nearest_of_a_kind_needs_to_know_from_where(client: WsClient, request_: str, from_: str) -> None:
    messages = asked(client, request_)
    assert not of_type(messages, "map")
    assert "from where" in answer(messages).lower() or "どこから" in answer(messages)
    result = route(asked(client, from_))
    assert (result["start"], result["goal"]) == ("Library", "Toilet")


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("where is the server room?", "Server Room is on floor B1"),
        ("サーバー室はどこ？", "Server Room（サーバー室）は地下1階にあります。"),
        ("how big is the server room?", "Its area is "),
        ("サーバー室の広さは？", "広さは"),
    ],
)
def test_where_a_room_is(client: WsClient, request_: str, text: str) -> None:
    messages = asked(client, request_)
    assert text in answer(messages)
    [drawn] = of_type(messages, "map")
    assert (drawn["content"]["floorId"], drawn["content"]["rectangles"][0]["name"]) == ("B1", "Server Room")


@pytest.mark.parametrize("request_", ["which rooms are on 2F?", "2階の部屋一覧"])
def test_the_rooms_of_a_floor(client: WsClient, request_: str) -> None:
    message = answer(asked(client, request_))
    for room in ("Office", "Meeting Room", "Library", "Lounge", "Corridor"):
        assert room in message
    assert "Kitchen" not in message
    assert ("2階の部屋は5室です" in message) != request_.isascii()


def test_an_unknown_room_is_told_with_the_rooms_there_are(client: WsClient) -> None:
    message = answer(asked(client, "How do I get from the Ballroom to the Kitchen?"))
    assert "There is no room 'Ballroom'" in message
    assert "Room1, Room2" in message


def readings() -> list[tuple[str, str, float]]:
    """Day, room and temperature of each row of the bundled table, read without the desk's own code."""
    with Datasets.bundled().path("measurement").open() as file:
        rows = list(csv.DictReader(file))
    return [
        (row["date"][:10], row["roomname"], float(row["Temperature"])) for row in rows if row["Temperature"]
    ]


def means(pairs: Sequence[tuple[Any, float]]) -> dict[Any, float]:
    grouped: defaultdict[Any, list[float]] = defaultdict(list)
    for key, value in pairs:
        grouped[key].append(value)
    return {key: sum(values) / len(values) for key, values in grouped.items()}


@pytest.mark.parametrize(
    "request_",
    [
        "colour the rooms by average temperature and play last week day by day",
        "部屋を平均気温で色分けして、先週を日ごとに再生して",
    ],
    ids=["en", "ja"],
)
def test_rooms_are_coloured_and_last_week_plays_day_by_day(client: WsClient, request_: str) -> None:
    messages = asked(client, request_)
    rows = readings()
    days = sorted({day for day, _, _ in rows})[-7:]
    overall = means([(room, value) for _, room, value in rows])
    daily = means([((day, room), value) for day, room, value in rows if day in days])

    [coloured] = of_type(messages, "map")
    scale = scale_for(overall.values())
    painted = {item["name"]: item for item in coloured["content"]["rectangles"]}
    assert painted.keys() == overall.keys()
    for room, item in painted.items():
        assert item["value"] == pytest.approx(overall[room], rel=1e-6)
        assert item["color"] == scale.colour(item["value"])
    assert [item["type"] for item in coloured["content"]["overlays"]] == ["legend"]

    [played] = of_type(messages, "map_frames")
    content = played["content"]
    assert [frame["time"] for frame in content["frames"]] == days
    scale = scale_for(daily.values())
    for frame in content["frames"]:
        displayed = {item["name"]: item for item in frame["rectangles"]}
        assert displayed.keys() == overall.keys()
        for room, item in displayed.items():
            assert item["value"] == pytest.approx(daily[frame["time"], room], rel=1e-6)
            assert item["color"] == scale.colour(item["value"])
    assert content["legend"]["stops"][0]["value"] == pytest.approx(min(daily.values()))
    assert content["source"]["code"].startswith("played = play_rooms(")
    message = answer(messages)
    assert days[0] in message and days[-1] in message and "7" in message
    assert ("the last 7 days of measurement" in message) == request_.isascii()
    assert ("表の最後の7日間" in message) != request_.isascii()
    highest = max(daily, key=lambda key: daily[key])
    assert all(part in message for part in highest)


@pytest.mark.parametrize(
    ("request_", "frames"),
    [
        ("play the temperature per day", 28),
        ("気温を日ごとに再生して", 28),
        ("play it hour by hour for the last 2 days", 48),
    ],
)
def test_a_figure_plays_over_all_the_table_or_its_last_days(
    client: WsClient, request_: str, frames: int
) -> None:
    messages = asked(client, request_)
    assert not of_type(messages, "map")
    [played] = of_type(messages, "map_frames")
    assert len(played["content"]["frames"]) == frames


def test_what_there_is_no_column_for_is_not_played(client: WsClient) -> None:
    messages = asked(client, "colour the rooms by average salary and play last week day by day")
    assert not of_type(messages, "map") and not of_type(messages, "map_frames")
    assert "salary" in answer(messages)
