"""What is read as a question about the building, and what is none; no desk, no code."""

from typing import Any

import pytest

from smoldesk.agents import OwnFiles, desk_catalogue
from smoldesk.analyst.building.selected_rooms import NOTE, selected_in, spelled_out
from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Intent,
    PlayRooms,
    Refusal,
    Ways,
)
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.buildings.building import Building
from smoldesk.messages import RoomRef
from smoldesk.store.selections import note_of
from smoldesk.tools.datasets import Datasets

CATALOGUE = desk_catalogue(Building.load(), Datasets.bundled(), OwnFiles())
LEXICON = Lexicon(CATALOGUE)
TOOLS = frozenset(("find_route", "nearest", "where_is", "list_rooms", "color_rooms", "play_rooms"))


def read(*requests: str, selected: tuple[tuple[str, str], ...] = (), tools: frozenset[str] = TOOLS) -> Intent:
    return read_talk(list(requests), LEXICON, [selected] * len(requests), tools).intent


def route(start: str, goal: str, **limits: Any) -> Ways:
    return Ways("find_route", (("start", start), ("goal", goal), *limits.items()))


def near(kind: str, start: str) -> Ways:
    return Ways("nearest", (("kind", kind), ("start", start)))


READ: dict[str, Intent] = {
    "How do I get to the meeting room from Room1?": route("Room1", "meeting room"),
    "the lift is closed, how do I get from Room1 to the Library?": route("Room1", "Library", avoid="lift"),
    "How do I get from Room1 to the Library? The lift is closed.": route("Room1", "Library", avoid="lift"),
    "How do I get from Room1 to the Library if the lift and the Hallway are closed?": route(
        "Room1", "Library", avoid="lift, Hallway"
    ),
    "show the route from Garage to Office, avoiding the stairs": route("Garage", "Office", accessible=True),
    "take me from Room2 to the server room by wheelchair": route("Room2", "server room", accessible=True),
    "way from the Kitchen to the Lounge without using the lift": route("Kitchen", "Lounge", avoid="lift"),
    "Room1 から Library まで": route("Room1", "Library"),
    "Kitchenから図書室への道順": route("Kitchen", "図書室"),
    "どうやってRoom1からLibraryに行けばいい？": route("Room1", "Library"),
    "車椅子でGarageからLoungeまで行きたい": route("Garage", "Lounge", accessible=True),
    "LibraryからGarageまで、エレベーターを使わずに行きたい": route("Library", "Garage", avoid="エレベーター"),
    "エレベーターが故障しているので、GarageからOfficeまでの行き方を教えて": route(
        "Garage", "Office", avoid="エレベーター"
    ),
    "nearest toilet from the Library": near("toilet", "Library"),
    "which toilet is closest to Room1": near("toilet", "Room1"),
    "How do I get from the Office to the nearest toilet?": near("toilet", "Office"),
    "図書室から一番近いトイレは？": near("トイレ", "図書室"),
    "which rooms are on the second floor?": Ways("list_rooms", (("floor", "2F"),)),
    "list all rooms": Ways("list_rooms", (("floor", ""),)),
    "地下1階の部屋の一覧を見せて": Ways("list_rooms", (("floor", "B1"),)),
    "where is the Kitchen?": Ways("where_is", (("name", "Kitchen"),)),
    "キッチンはどこですか": Ways("where_is", (("name", "キッチン"),)),
}


@pytest.mark.parametrize("request_", READ)
def test_questions_about_the_building(request_: str) -> None:
    assert read(request_) == READ[request_]


@pytest.mark.parametrize(
    "request_",
    [
        "what is the way to compute the mean?",
        "average temperature per room",
        "total fare from First to Third",
        "which rooms are warmest?",
        "where was the highest temperature?",
        "部屋ごとの平均温度",
        "play track 2",
        "BGMを再生して",
        "how many passengers went from Southampton to Cherbourg?",
        "Show an arrow to the left in the Kitchen",
    ],
)
def test_what_only_sounds_like_one_is_none(request_: str) -> None:
    assert not isinstance(read(request_), Ways | PlayRooms)
    assert read(request_) == read(request_, tools=frozenset()), "what it was before the tools"


def test_an_agent_without_the_tools_is_not_asked_for_them() -> None:
    for request in READ:
        assert not isinstance(read(request, tools=frozenset()), Ways)


def test_a_start_that_is_left_out_is_asked_for_and_then_taken() -> None:
    asked = read("nearest toilet?")
    assert isinstance(asked, Refusal) and asked.reason == "where_from"
    assert read("nearest toilet?", "from the Library") == near("toilet", "Library")
    assert read("How do I get to the Lounge without stairs?", "from Room1") == route(
        "Room1", "Lounge", accessible=True
    )
    assert read("一番近いトイレは？", "図書室からです") == near("トイレ", "図書室")
    assert not isinstance(read("nearest toilet?", "average temperature per room"), Ways)


def test_the_one_selected_room_is_the_start() -> None:
    library = (("2F", "Library"),)
    assert read("nearest toilet?", selected=library) == near("toilet", "Library (2F)")
    assert read("How do I get from here to the Kitchen?", selected=library) == route(
        "Library (2F)", "Kitchen"
    )
    assert read("ここからKitchenまで行くには", selected=library) == route("Library", "Kitchen")
    two = read("nearest toilet?", selected=(*library, ("1F", "Room1")))
    assert isinstance(two, Refusal) and two.reason == "where_from"


def test_what_is_closed_may_be_said_after_a_route_and_adds_up() -> None:
    first = "How do I get from Room1 to the Library?"
    assert read(first, "the lift is closed") == route("Room1", "Library", avoid="lift")
    assert read(first, "and without stairs?") == route("Room1", "Library", accessible=True)
    closed = read(first, "the lift is closed", "the Hallway is blocked")
    assert closed == route("Room1", "Library", avoid="lift, Hallway")
    assert not isinstance(read("average temperature per room", "the lift is closed"), Ways)


def played(*requests: str) -> PlayRooms:
    intent = read(*requests)
    assert isinstance(intent, PlayRooms), intent
    return intent


@pytest.mark.parametrize(
    ("request_", "grain", "last", "colours"),
    [
        ("colour the rooms by average temperature and play last week day by day", "day", 7, True),
        ("部屋を平均気温で色分けして、先週を日ごとに再生して", "day", 7, True),
        ("play the temperature per day", "day", 0, False),
        ("animate humidity hourly for the last 3 days", "hour", 3, False),
        ("play the maximum temperature week by week", "week", 0, False),
        ("湿度を週ごとに再生して", "week", 0, False),
        ("過去3日間の気温を1時間ごとに再生してください", "hour", 3, False),
        ("play the temperature of the last two weeks", "day", 14, False),
    ],
)
def test_what_is_played(request_: str, grain: str, last: int, colours: bool) -> None:
    intent = played(request_)
    assert (intent.data.grain, intent.last, intent.colours) == (grain, last, colours)
    assert (intent.data.groups, intent.data.date) == (("roomname",), "date")


def test_play_alone_goes_on_from_figures_by_room() -> None:
    coloured = read("colour the rooms by average humidity")
    assert isinstance(coloured, ColourRooms)
    assert played("colour the rooms by average humidity", "play it day by day").rooms == coloured
    assert played("average temperature per room", "play last week").data.measures == ("Temperature",)
    assert not isinstance(read("play it day by day"), PlayRooms)


def test_after_playing_other_questions_go_on_as_after_a_colouring() -> None:
    intent = read("play the temperature per day", "play the humidity per day", "play last week")
    assert isinstance(intent, PlayRooms)
    assert (intent.data.measures, intent.last) == (("Humidity",), 7)


# --- selected rooms ----------------------------------------------------------------------------------------------


def test_a_note_is_read_back_whatever_rooms_are_called() -> None:
    names = ["Kitchen", "A, B (1F)", "Hall (old)", "会議室、大"]
    rooms = {"1F": names, "2F": ["Kitchen"]}
    selected = [("1F", name) for name in names] + [("2F", "Kitchen")]
    note = note_of([RoomRef(floor_id=floor, name=name) for floor, name in selected])
    assert note.startswith(NOTE)
    assert selected_in(f"What is warm?\n\n(Note: {note})", rooms) == tuple(selected)
    assert selected_in(f"(Note: {NOTE}Nowhere (9F))", rooms) == ()
    assert selected_in("no note", rooms) == ()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("average temperature of the selected rooms", "average temperature of Kitchen and Room1"),
        ("what is the temperature in these rooms?", "what is the temperature in Kitchen and Room1?"),
        ("colour the selected rooms by humidity", "colour the rooms Kitchen and Room1 by humidity"),
        ("how warm is it here?", "how warm is it in Kitchen and Room1?"),
        ("選択した部屋の平均気温は？", "KitchenとRoom1の平均気温は？"),
        ("ここの湿度は？", "KitchenとRoom1の湿度は？"),
        ("average temperature per room", "average temperature per room"),
    ],
)
def test_selected_rooms_are_spelled_out(said: str, meant: str) -> None:
    assert spelled_out(said, (("1F", "Kitchen"), ("1F", "Room1"))) == meant
    assert spelled_out(said, ()) == said


def test_selected_rooms_filter_a_question() -> None:
    selected = (("1F", "Kitchen"), ("1F", "Room1"))
    for question in ("average temperature of the selected rooms", "選択した部屋の平均気温は？"):
        intent = read(question, selected=selected)
        assert isinstance(intent, DataIntent)
        assert [one.values for one in intent.filters] == [("Kitchen", "Room1")]
    none = read("average temperature of the selected rooms")
    assert isinstance(none, Refusal) and none.reason == "no_selection"
