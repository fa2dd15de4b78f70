"""Tools that the client does: tracks there are, positions on this earth, and what a client is believed of them."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.tables.results import to_frame
from smoldesk.tools.demo.client_tools import TRACKS, ChangeBgm, GetLocation
from smoldesk.tools.policy import ClientToolFailed


@pytest.mark.parametrize("track", [0, *TRACKS])
def test_every_track_and_silence_are_taken(track: int) -> None:
    ChangeBgm().check({"track": track})
    report = ChangeBgm().received({"track": track})
    assert report == {"success": True, "track": track, "message": report["message"]}
    assert report["message"] == f"The BGM is track {track} ({TRACKS[track]})." if track else "The BGM is off."


@pytest.mark.parametrize("track", [-1, max(TRACKS) + 1, 1.0, 1.5, True, "1", None, [1]])
def test_other_tracks_never_reach_a_client_and_are_not_believed(track: Any) -> None:
    with pytest.raises(BadInput, match="Expected 1 Morning, 2 Rain, 3 Focus, 4 Night, or 0 for off"):
        ChangeBgm().check({"track": track})
    with pytest.raises(BadInput, match="Expected 1 Morning"):
        ChangeBgm().received({"track": track})


def test_a_client_may_say_it_in_its_words() -> None:
    report = ChangeBgm().received({"success": True, "track": 2, "message": "トラック2を再生中", "volume": 3})
    assert report == {"success": True, "track": 2, "message": "トラック2を再生中"}
    assert len(str(ChangeBgm().received({"track": 1, "message": "x" * 10_000})["message"])) == 200


@pytest.mark.parametrize(
    ("message", "report"), [("no sound here", "no sound here"), ("", "could not change")]
)
def test_a_client_that_failed_is_an_error_of_the_call(message: str, report: str) -> None:
    with pytest.raises(ClientToolFailed, match=report):
        ChangeBgm().received({"success": False, "track": 1, "message": message})


@pytest.mark.parametrize(
    "value", [None, "ok", 1, [], {}, {"track": 1, "success": "yes"}, {"track": 1, "message": 7}]
)
def test_an_answer_that_says_nothing_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="Expected"):
        ChangeBgm().received(value)


def test_nobody_waits_long_for_music() -> None:
    assert ChangeBgm.client_seconds == 30


HERE = {"latitude": 35.6812, "longitude": 139.7671, "accuracy": 12.5}


@given(st.floats(-90, 90), st.floats(-180, 180), st.floats(0, 1e7))
def test_every_position_is_taken(latitude: float, longitude: float, accuracy: float) -> None:
    place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
    assert GetLocation().received(dict(place)) == place
    to_frame(place)


def test_what_else_a_client_sends_is_left_out() -> None:
    assert GetLocation().received({**HERE, "city": "Tokyo", "speed": None}) == HERE


WRONG: list[Any] = [None, "35,139", 7, True, [35, 139, 1], {}, {"coords": HERE}]
WRONG += [{key: value for key, value in HERE.items() if key != name} for name in HERE]
WRONG += [
    {**HERE, name: value}
    for name in HERE
    for value in (None, "1", True, [1], {}, math.nan, math.inf, -math.inf)
]
WRONG += [{**HERE, "latitude": 90.001}, {**HERE, "latitude": -91}, {**HERE, "longitude": 180.5}]
WRONG += [{**HERE, "longitude": -181}, {**HERE, "accuracy": -0.1}, {**HERE, "latitude": 10**400}]


@pytest.mark.parametrize("value", WRONG)
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="Expected"):
        GetLocation().received(value)
