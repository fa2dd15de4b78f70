"""State of a client's request: its own part, and the selected rooms. Pure.

State is shared both ways: the client returns the desk's state with its changes. The desk's parts (map, tables,
images, charts, files) come from the chat's log, so a client's changes there are ignored, except `map.selected`.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.chats import DEEPEST_SHARED, DESK_PARTS, MAX_SELECTED, MAX_SHARED
from smoldesk.errors import BadInput
from smoldesk.messages import RoomRef, as_json
from smoldesk.runs.asks.answers import is_deeper

LISTS = DESK_PARTS[1:]
EXPECTED = 'Expected an object, and in it, where rooms are to be selected, {"map": {"selected": [{"floorId", "name"}]}}.'


@dataclass(frozen=True)
class ClientState:
    """State of a request; `client_state` is the client's own part.

    `is_full_state`: it was made from the desk's snapshot, so missing keys were removed. `rooms` are to be selected;
    None if the selection is that of the desk's state.
    """

    client_state: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    is_full_state: bool = False
    rooms: list[RoomRef] | None = None


def read_state(state: object) -> ClientState:
    """Read the state of a RunAgentInput. Raises BadInput if it is not an object, too large or too deep."""
    if state is None:
        return ClientState()
    if not isinstance(state, dict):
        raise BadInput("`state` is not a JSON object.", EXPECTED, code="bad_state")
    state_ = cast("dict[str, Any]", state)
    client_parts = {name: value for name, value in state_.items() if name not in DESK_PARTS}
    if is_deeper(client_parts, DEEPEST_SHARED):
        raise BadInput("`state` is nested too deeply.", EXPECTED, code="bad_state")
    if len(json.dumps(client_parts, ensure_ascii=False)) > MAX_SHARED:
        hint = f"At most {MAX_SHARED} characters beside the desk's own parts."
        raise BadInput("`state` is too long.", hint, code="too_large")
    return ClientState(client_parts, len(client_parts) < len(state_), _rooms(state_.get("map")))


def _rooms(drawn: object) -> list[RoomRef] | None:
    """Return the rooms of a `map`, unless they are those that its tag names."""
    about = cast("dict[str, Any]", drawn) if isinstance(drawn, dict) else {}
    if "selected" not in about:
        return None
    selected = about["selected"]
    if not isinstance(selected, list) or len(cast("list[object]", selected)) > MAX_SELECTED:
        message = f"`state.map.selected` is not a list of at most {MAX_SELECTED} rooms."
        raise BadInput(message, EXPECTED, code="bad_state")
    try:
        rooms = [
            RoomRef.model_validate(room, strict=True, by_alias=True, by_name=False)
            for room in cast("list[object]", selected)
        ]
    except ValueError:
        raise BadInput(
            "`state.map.selected` has an item that is not a room.", EXPECTED, code="bad_state"
        ) from None
    return None if about.get("selectedTag") == tag_of(rooms) else rooms


def tag_of(rooms: Sequence[RoomRef]) -> str:
    """Return the names a selection, so that a client that sends it back unchanged does not select it anew."""
    return hashlib.sha256(json.dumps([as_json(room) for room in rooms]).encode()).hexdigest()[:12]
