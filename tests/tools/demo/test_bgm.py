"""`change_bgm`: tracks there are, and what a client may say of them."""

from typing import Any

import pytest

from smoldesk.errors import BadInput
from smoldesk.tools.demo.bgm import TRACKS, ChangeBgm
from smoldesk.tools.policy import ClientToolFailed


@pytest.mark.parametrize("track", [0, *TRACKS])
def test_every_track_and_silence_are_taken(track: int) -> None:
    ChangeBgm().check({"track": track})
    told = ChangeBgm().received({"track": track})
    assert told == {"success": True, "track": track, "message": told["message"]}
    assert told["message"] == f"The BGM is track {track} ({TRACKS[track]})." if track else "The BGM is off."


@pytest.mark.parametrize("track", [-1, max(TRACKS) + 1, 1.0, 1.5, True, "1", None, [1]])
def test_other_tracks_never_reach_a_client_and_are_not_believed(track: Any) -> None:
    with pytest.raises(BadInput, match="Expected 1 Morning, 2 Rain, 3 Focus, 4 Night, or 0 for off"):
        ChangeBgm().check({"track": track})
    with pytest.raises(BadInput, match="Expected 1 Morning"):
        ChangeBgm().received({"track": track})


def test_a_client_may_say_it_in_its_words() -> None:
    told = ChangeBgm().received({"success": True, "track": 2, "message": "トラック2を再生中", "volume": 3})
    assert told == {"success": True, "track": 2, "message": "トラック2を再生中"}
    assert len(str(ChangeBgm().received({"track": 1, "message": "x" * 10_000})["message"])) == 200


@pytest.mark.parametrize(("said", "told"), [("no sound here", "no sound here"), ("", "could not change")])
def test_a_client_that_failed_is_an_error_of_the_call(said: str, told: str) -> None:
    with pytest.raises(ClientToolFailed, match=told):
        ChangeBgm().received({"success": False, "track": 1, "message": said})


@pytest.mark.parametrize(
    "value", [None, "ok", 1, [], {}, {"track": 1, "success": "yes"}, {"track": 1, "message": 7}]
)
def test_an_answer_that_says_nothing_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="Expected"):
        ChangeBgm().received(value)


def test_nobody_waits_long_for_music() -> None:
    assert ChangeBgm.client_seconds == 30
