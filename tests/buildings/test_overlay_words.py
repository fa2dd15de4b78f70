"""The little language of overlays: separators, quotes, backslashes, points."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.overlay_text import (
    Entry,
    Name,
    quoted,
    read_entries,
    read_names,
    read_point,
)
from smoldesk.errors import BadInput


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        (" ; ;", []),
        ("Exit:Room1", [Entry("Exit", "Room1")]),
        (" Exit : Room1 ; Hi:1,2 ", [Entry("Exit", "Room1"), Entry("Hi", "1,2")]),
        ("10:30:Room1", [Entry("10:30", "Room1")]),
        ("Note: fire exit:Room1", [Entry("Note: fire exit", "Room1")]),
        ('"a;b:c":Room1', [Entry("a;b:c", "Room1")]),
        ("'say \"hi\"':Room1", [Entry('say "hi"', "Room1")]),
        (r'"a\"b":Room1', [Entry('a"b', "Room1")]),
        (r"a\;b\:c:Room1", [Entry("a;b:c", "Room1")]),
        (r"C\\D:Room1", [Entry(r"C\D", "Room1")]),
        (r"C:\temp:Room1", [Entry(r"C:\temp", "Room1")]),
        ("Bob's desk:Room1", [Entry("Bob's desk", "Room1")]),
        ('5" pipe:Room1', [Entry('5" pipe', "Room1")]),
        ('Exit:"Room1"', [Entry("Exit", "Room1")]),
        ("出口：右:Room1", [Entry("出口：右", "Room1")]),
        ("出口：Room1", [Entry("出口", "Room1")]),
        ("「10:30; 会議」:Room1", [Entry("10:30; 会議", "Room1")]),
        ("『a」b』:Room1", [Entry("a」b", "Room1")]),
        (
            "Time 10:30:Room1;Time 10:45: -1.5 , 2",
            [Entry("Time 10:30", "Room1"), Entry("Time 10:45", "-1.5 , 2")],
        ),
        ('"  " : Room1', [Entry("  ", "Room1")]),
    ],
)
def test_entries_are_read(text: str, entries: list[Entry]) -> None:
    assert read_entries(text) == entries


@pytest.mark.parametrize("text", ["Exit", "Exit:", ":Room1", '"Exit:Room1', "'a'b:Room1"])
def test_a_broken_entry_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_entries(text)


def test_names_are_parted_by_commas() -> None:
    assert read_names('Room1, Kitchen、Toilet;; "Hall, east",') == [
        Name("Room1"),
        Name("Kitchen"),
        Name("Toilet"),
        Name("Hall, east"),
    ]


def test_options_follow_after_bars() -> None:
    assert read_names("Room1|fill=0.5 | Stroke = 1,Hall") == [
        Name("Room1", {"fill": "0.5", "stroke": "1"}),
        Name("Hall"),
    ]
    assert read_entries('Hi|there:1,2|offset=5,-3,size=9;Bye:"a|b"') == [
        Entry("Hi|there", "1,2", {"offset": "5,-3", "size": "9"}),
        Entry("Bye", "a|b"),
    ]


@pytest.mark.parametrize(
    ("place", "point"),
    [
        ("1,2", (1, 2)),
        (" 50.5 , -30.25 ", (50.5, -30.25)),
        ("１０，２０", (10, 20)),
        ("−10,.5", (-10, 0.5)),
        ("(1, 2)", (1, 2)),
        ("1e9,2", None),
        ("nan,1", None),
        ("1", None),
        ("Room1", None),
        ("1,2,3", None),
    ],
)
def test_points_are_told_from_rooms(place: str, point: tuple[float, float] | None) -> None:
    assert read_point(place) == point


@settings(deadline=None)
@given(st.text(min_size=1))
def test_a_quoted_text_is_read_back_unchanged(text: str) -> None:
    assert read_entries(f"{quoted(text)}:Room1;{quoted(text)} : 1,2|size=3") == [
        Entry(text, "Room1"),
        Entry(text, "1,2", {"size": "3"}),
    ]


def test_a_plain_text_needs_no_quotes() -> None:
    assert [quoted(text) for text in ("Exit", "Meet here", "a;b", " a")] == [
        "Exit",
        "Meet here",
        '"a;b"',
        '" a"',
    ]


def test_a_long_list_of_quotes_is_read_once() -> None:
    many = 20_000
    assert len(read_entries('"a":b;' * many)) == many
    with pytest.raises(BadInput):
        read_entries("'" * 40_001)
