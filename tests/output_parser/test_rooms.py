"""Names of rooms in text of any language."""

from cProfile import Profile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.output_parser.rooms import RoomFinder

ROOMS = [
    "Room1",
    "Room10",
    "Kitchen",
    "Living room (east)",
    "会議室",
    "大会議室",
    "キッチン",
    "C++ Lab",
    "A.B*",
    "2F",
    "107",
    "224",
]
finder = RoomFinder(ROOMS)


@pytest.mark.parametrize(
    ("text", "rooms"),
    [
        ("The Kitchen and Room1.", ["Kitchen", "Room1"]),
        ("Room1, kitchen, ROOM1", ["Room1", "Kitchen"]),
        ("左矢印がKitchenに描かれました。", ["Kitchen"]),
        ("Kitchen은 따뜻하다", ["Kitchen"]),
        ("Kitchenette, preKitchen, Kitchen_2, Kitchens, kitchen2", []),
        ("Kitchen-side (Kitchen's)", ["Kitchen"]),
        ("Room10 is not the other", ["Room10"]),
        ("Room100", []),
        ("Ｋｉｔｃｈｅｎと ｒｏｏｍ１０", ["Kitchen", "Room10"]),
        ("会議室で", ["会議室"]),
        ("大会議室で", ["大会議室"]),
        ("大会議室と会議室", ["大会議室", "会議室"]),
        ("キッチンは", ["キッチン"]),
        ("キッチンカウンターとシステムキッチン", []),
        ("ｷｯﾁﾝ", ["キッチン"]),
        ("the living\n  Room (East)", ["Living room (east)"]),
        ("in the C++ lab, a.b* but not axb*", ["C++ Lab", "A.B*"]),
        ("é2F 2F", ["2F"]),
        ("Room 224, 107 m away, has 224.6 m² and 107 people", ["224"]),
        ("Rooms 107 and 224", ["107", "224"]),
        ("224号室と107 (1F)", ["224", "107"]),
        ("", []),
    ],
)
def test_rooms_are_found_as_words_of_their_language(text: str, rooms: list[str]) -> None:
    assert finder.named_in(text) == rooms


def test_a_building_without_rooms_names_none() -> None:
    assert RoomFinder([]).named_in("Kitchen") == RoomFinder(["", " "]).named_in("a  b") == []


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=6), max_size=6), st.text(max_size=40))
def test_nothing_raises_and_only_rooms_are_found(rooms: list[str], text: str) -> None:
    named = RoomFinder(rooms).named_in(text)
    assert set(named) <= set(rooms) and len(named) == len(set(named))


def test_two_thousand_rooms_are_looked_up_as_often_as_twenty() -> None:
    """The cost of a text is counted in calls of functions: it does not grow with the number of rooms."""
    text = "The Room 12 of wing 5 is warm; rooms are many. " * 200
    counts: list[int] = []
    for number in (20, 2_000):
        finder = RoomFinder(f"Room {index} of wing {index % 7}" for index in range(number))
        calls = Profile()
        assert calls.runcall(finder.named_in, text) == ["Room 12 of wing 5"]
        counts.append(sum(entry.callcount for entry in calls.getstats()))
    assert counts[0] == counts[1]
