"""Parsing of four-pane client frames. Any other input raises BadInput with the expected form."""

import json
from typing import Annotated, Any, cast, get_args

from pydantic import Field, TypeAdapter

from smoldesk.chats import MAX_SELECTED, ChatPolicy
from smoldesk.errors import BadInput
from smoldesk.events import AskScope
from smoldesk.messages import MAX_CLOSURES, Closure, RoomRef
from smoldesk.wires.answers import checked_about, checked_attachments, checked_reading
from smoldesk.wires.bodies import parse_json
from smoldesk.wires.four_pane.models import (
    Answer,
    AnswerAgain,
    BranchOff,
    Cancel,
    ChangeClosures,
    ClearArrows,
    ClientFrame,
    KeepReading,
    RunCode,
    SelectLayer,
    SelectRooms,
    SendMessage,
    SetPolicy,
    ShowVersion,
)

FRAME_TYPES = (
    "message",
    "answer",
    "cancel",
    "policy",
    "selection",
    "clear_arrows",
    "closures",
    "show_layer",
    "run_code",
    "branch",
    "answer_again",
    "show_version",
    "keep_reading",
)
EXPECTED = f'Expected {{"message": "..."}} or {{"type": {" | ".join(map(json.dumps, FRAME_TYPES))}, ...}} as JSON text.'
EXPECTED_ROOMS = 'Expected a list of {"floorId": "1F", "name": "Kitchen"}, empty for none.'
EXPECTED_CLOSURES = (
    f'Expected at most {MAX_CLOSURES} of {{"kind": "room", "floorId": "1F", "rooms": ["Kitchen"]}}, '
    '{"kind": "door", "floorId": "1F", "rooms": ["Hallway", "Kitchen"], "at": {"x": 395, "y": 100}}, '
    '{"kind": "link", "linkId": "lift"} or {"kind": "floor", "floorId": "2F"}.'
)
_CLOSURES = TypeAdapter(Annotated[list[Closure], Field(max_length=MAX_CLOSURES)])


def read_frame(text: str | None, data: bytes | None, limit: int) -> ClientFrame:
    """Parse one frame of a client; `limit` is the longest text in bytes. Raises BadInput."""
    if text is None:
        raise BadInput(f"The frame is binary ({len(data or b'')} bytes).", EXPECTED, code="binary_frame")
    # The length in characters first, so that a huge text is not encoded just to be refused.
    if len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit:
        raise BadInput(
            f"The message is too long ({len(text)} characters).", f"At most {limit} bytes.", code="too_large"
        )
    frame: Any = parse_json(text, EXPECTED)
    if not isinstance(frame, dict):
        raise BadInput(f"The frame is a JSON {_kind(frame)}.", EXPECTED, code="not_an_object")
    return _read_object(frame)  # pyright: ignore[reportUnknownArgumentType]


def _read_object(frame: dict[str, Any]) -> ClientFrame:
    kind = frame.get("type", "message")
    match kind:
        case "message":
            message_id = _message_id(frame)
            reading = checked_reading(frame.get("reading"))
            about = checked_about(frame.get("about"))
            attachments = checked_attachments(frame.get("attachments"))
            message = _text(frame, "message")
            return SendMessage(message, "type" in frame, message_id, reading, about, attachments)
        case "run_code":
            return RunCode(_text(frame, "code"), _message_id(frame))
        case "branch":
            after = frame.get("after", False)
            if not isinstance(after, bool):
                raise BadInput(
                    f"`after` is a JSON {_kind(after)}.", "Expected true or false.", code="wrong_type"
                )
            return BranchOff(
                _text(frame, "runId"),
                _text(frame, "message"),
                _message_id(frame),
                after,
                checked_reading(frame.get("reading")),
                checked_about(frame.get("about")),
                checked_attachments(frame.get("attachments")),
            )
        case "answer_again":
            return AnswerAgain(_text(frame, "runId"), _text(frame, "message"), _message_id(frame))
        case "show_version":
            return ShowVersion(_text(frame, "runId"))
        case "answer":
            granted = frame.get("granted")
            if not isinstance(granted, bool):
                raise BadInput("An answer needs `granted`.", "Expected true or false.", code="bad_answer")
            reason = frame.get("reason", "")
            if not isinstance(reason, str):
                raise BadInput("`reason` is not text.", "Expected a string.", code="bad_answer")
            scope = _read_choice(frame.get("scope", "call"), get_args(AskScope), "scope")
            return Answer(_text(frame, "askId"), granted, frame.get("value"), reason, cast("AskScope", scope))
        case "policy":
            policy = _read_choice(frame.get("policy"), get_args(ChatPolicy), "policy")
            return SetPolicy(_text(frame, "tool"), cast("ChatPolicy", policy))
        case "cancel":
            return Cancel(_text(frame, "runId"))
        case "selection":
            return SelectRooms(_rooms(frame))
        case "clear_arrows":
            return ClearArrows()
        case "closures":
            return ChangeClosures(_closures(frame, "close"), _closures(frame, "reopen"))
        case "show_layer":
            return SelectLayer(None if frame.get("layer", "") is None else _text(frame, "layer"))
        case "keep_reading":
            return KeepReading(_text(frame, "runId"), _index(frame))
        case _:
            raise BadInput(f"The type {str(kind)[:40]!r} is unknown.", EXPECTED, code="unknown_type")


def _message_id(frame: dict[str, Any]) -> str | None:
    return _text(frame, "clientMessageId") if "clientMessageId" in frame else None


def _index(frame: dict[str, Any]) -> int | None:
    index = frame.get("index", "missing")
    if index is not None and (not isinstance(index, int) or isinstance(index, bool)):
        raise BadInput(
            f"`index` is {json.dumps(index)[:40]}.",
            "Expected the number of a reading, counted from 0, or null for none of them.",
            code="wrong_type",
        )
    return index


def _rooms(frame: dict[str, Any]) -> list[RoomRef]:
    rooms = frame.get("rooms")
    if rooms is None:
        raise BadInput("`rooms` is missing.", EXPECTED_ROOMS, code="missing_field")
    if not isinstance(rooms, list):
        raise BadInput(f"`rooms` is a JSON {_kind(rooms)}.", EXPECTED_ROOMS, code="wrong_type")
    room_list = cast("list[Any]", rooms)
    if len(room_list) > MAX_SELECTED:
        raise BadInput(
            f"`rooms` has {len(room_list)} entries.",
            f"At most {MAX_SELECTED} can be selected.",
            code="too_many_rooms",
        )
    selected: list[RoomRef] = []
    for number, room in enumerate(room_list):
        try:
            selected.append(RoomRef.model_validate(room, strict=True, by_alias=True, by_name=False))
        except ValueError:  # pydantic's ValidationError is one
            raise BadInput(f"`rooms[{number}]` is not a room.", EXPECTED_ROOMS, code="wrong_type") from None
    return selected


def _closures(frame: dict[str, Any], name: str) -> list[Closure]:
    try:
        # As JSON, where the strict mode takes a list for a tuple, and refuses the texts "inf" and "1" as numbers.
        text = json.dumps(frame.get(name, []))
        return _CLOSURES.validate_json(text, strict=True, by_alias=True, by_name=False)
    except ValueError as fault:  # pydantic's ValidationError is one
        raise BadInput(
            f"`{name}` is not a list of closures.", EXPECTED_CLOSURES, code="wrong_type"
        ) from fault


def _read_choice(value: Any, expected: tuple[str, ...], name: str) -> str:
    if value not in expected:
        actual = "missing" if value is None else json.dumps(value)[:40]
        raise BadInput(
            f"`{name}` is {actual}.", f"Expected one of: {', '.join(expected)}.", code="bad_choice"
        )
    return str(value)


def _text(frame: dict[str, Any], name: str) -> str:
    value = frame.get(name)
    if value is None:
        raise BadInput(f"`{name}` is missing.", EXPECTED, code="missing_field")
    if not isinstance(value, str):
        raise BadInput(f"`{name}` is a JSON {_kind(value)}.", "Expected a string.", code="wrong_type")
    if not value.strip():
        raise BadInput(f"`{name}` is empty.", "Expected text.", code="empty")
    return value


def _kind(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return names.get(type(value), "null")  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
