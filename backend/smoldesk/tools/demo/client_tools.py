"""Client tools: `change_bgm` plays quiet background music, `get_location` returns the person's position."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.policy import ClientTool, ClientToolFailed

TRACKS = {1: "Morning", 2: "Rain", 3: "Focus", 4: "Night"}
OFF = 0
_TRACK_LIST = ", ".join(f"{number} {name}" for number, name in TRACKS.items())
_LONGEST_MESSAGE = 200


class ChangeBgm(ClientTool):
    """`change_bgm`: plays a track on the client, or turns the music off."""

    name = "change_bgm"
    is_demo: ClassVar[bool] = True
    client_seconds: ClassVar[float] = 30
    description = (
        f"Changes the background music on the person's page. Tracks: {_TRACK_LIST}; {OFF} turns it off. "
        "Returns a dict with success, track and message.\n"
        "Example: bgm = change_bgm(track=1)"
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "track": {"type": "integer", "description": f"Number of the track, {OFF} for none."},
    }
    output_type = "object"

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        _track(arguments.get("track"), "The track")

    def forward(self, track: int) -> dict[str, JsonValue]:
        raise NotImplementedError

    def received(self, value: JsonValue) -> dict[str, JsonValue]:
        """Return {success, track, message} from the client's {track}, with its own success and message if given.

        Raises BadInput, and ClientToolFailed if the client reports a failure.
        """
        if not isinstance(value, dict):
            raise BadInput("The client did not say what it plays.", "Expected an object with track.")
        message, success = value.get("message"), value.get("success", True)
        if not (message is None or isinstance(message, str)) or not isinstance(success, bool):
            raise BadInput(
                "The client's answer cannot be read.",
                "Expected success to be true or false, message to be text.",
            )
        message = (message or "")[:_LONGEST_MESSAGE]
        if not success:
            raise ClientToolFailed(message or "The client could not change the music.")
        track = _track(value.get("track"), "The client's track")
        return {"success": True, "track": track, "message": message or _describe_track(track)}


def _track(value: JsonValue, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (value != OFF and value not in TRACKS):
        raise BadInput(f"{what} is unknown.", f"Expected {_TRACK_LIST}, or {OFF} for off.")
    return value


def _describe_track(track: int) -> str:
    return "The BGM is off." if track == OFF else f"The BGM is track {track} ({TRACKS[track]})."


# Degrees, degrees, and metres.
_RANGES = {"latitude": (-90.0, 90.0), "longitude": (-180.0, 180.0), "accuracy": (0.0, math.inf)}


class GetLocation(ClientTool):
    """`get_location`: the client's position."""

    name = "get_location"
    is_demo: ClassVar[bool] = True
    approval: ClassVar[Literal["never", "once", "always"]] = "always"
    description = (
        "Tells where the person is, from their device. They are asked first; a denial raises ToolDenied, a "
        "device that does not tell raises an error: report it, do not try again. Returns a dict with latitude, "
        "longitude (degrees) and accuracy (metres).\n"
        "Example: place = get_location()"
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "object"

    def forward(self) -> dict[str, JsonValue]:
        raise NotImplementedError

    def received(self, value: JsonValue) -> dict[str, JsonValue]:
        """{latitude, longitude, accuracy}; what else the client knows is left out. Raises BadInput."""
        if not isinstance(value, dict):
            raise BadInput("The client sent no position.", f"Expected an object with {', '.join(_RANGES)}.")
        return {name: _number(value.get(name), name, *bounds) for name, bounds in _RANGES.items()}


def _number(value: JsonValue, name: str, least: float, most: float) -> int | float:
    expected = f"Expected {'at least 0' if most == math.inf else f'{least:g} to {most:g}'}."
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(f"The client's {name} is not a number.", expected)
    if not least <= value <= most or value == math.inf:
        raise BadInput(f"The client's {name} is out of range.", expected)
    return value
