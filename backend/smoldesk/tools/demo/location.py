"""The `get_location` tool: where the person is, as their client says after they agreed."""

import math
from typing import Any, ClassVar, Literal

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.policy import ClientTool

_RANGES = {"latitude": (-90.0, 90.0), "longitude": (-180.0, 180.0), "accuracy": (0.0, math.inf)}
"""Degrees, degrees, and metres around them."""


class GetLocation(ClientTool):
    """`get_location`: the client's position."""

    name = "get_location"
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
