"""Conversion of messages for clients of protocol 1.2: without newer fields, and with asks as texts. Pure.

Such a client has no `ask` frames and sends only messages. The open asks of its chat are sent as texts, one at a time, and
the client's next message answers the current one.
"""

import json
import re
from typing import Any

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.runs import Answer
from smoldesk.wires.answers import match_option, parse_yes_or_no

# The overlay types of protocol 1.2. Its clients draw every overlay without a check, so an unknown type breaks them.
OVERLAYS = frozenset(("bitmap", "text"))
DEFINITION = frozenset(("floors", "bitmaps"))
FLOOR = frozenset(("floorId", "floorName", "floorImage", "coordinateSystem", "rectangles"))
ROOM = frozenset(("name", "topLeft", "bottomRight"))
MAP = frozenset(("floorId", "timestamp", "rectangles", "overlays"))
# The keys of protocol 1.2: of a building, its floors and rooms, of a map and its highlighted rooms.
HIGHLIGHT = frozenset(("name", "color", "strokeOpacity", "fillOpacity", "showName"))
# Message types for clients of 2.0 only. Clients of 1.2 ignore other new types, so those are sent anyway.
WITHHELD = frozenset(
    (
        *("map_frames", "closures", "open_asks", "notices", "model_call", "mcp_app"),
        *("reading_kept", "version_shown", "chart_changed", "evidence"),
        *("layers", "layer_shown", "layer_values"),
    )
)

# Nested messages of a managed agent that a client of 1.2 gets as if from the run; its steps and texts are left out.
NESTED_TYPES = frozenset(
    ("image", "chart", "table", "file", "map", "arrow", "highlight_room", "clear_arrows", "clear_map")
)


def to_1_2(data: dict[str, Any]) -> dict[str, Any] | None:
    """Return a message in the form of protocol 1.2, or None if such a client does not get it."""
    if data["type"] == "nested":
        inner = data["content"]["message"]
        if inner["type"] not in NESTED_TYPES:
            return None
        data = inner | {key: value for key, value in data.items() if key not in ("type", "content")}
    if data["type"] in WITHHELD or data.get("inText"):
        return None
    if data["type"] == "json":
        text = json.dumps(data["content"], ensure_ascii=False, indent=2)
        return data | {"type": "code", "content": text, "language": "json"}
    match data["type"]:
        case "alternatives":
            return data | {"type": "text", "content": data["content"]["note"], "tone": "notice"}
        case "chart":
            return _picture(data)
        case "map_definition":
            return data | {"content": _building(data["content"])}
        case "map" if "points" not in data["content"]:
            return data | {"content": _drawing(data["content"])}
        case _:
            return data


def _picture(chart: dict[str, Any]) -> dict[str, Any]:
    """Return a chart as an image message."""
    content = chart["content"]
    remaining = {
        key: value for key, value in chart.items() if key not in ("content", "url", "imageUrl", "image")
    }
    image = {"content": chart.get("image", ""), "format": "png", "path": f"{content['name']}.png"}
    return remaining | {"type": "image", **image, "fileId": content["imageId"]}


def _building(content: dict[str, Any]) -> dict[str, Any]:
    """Return a building with the keys of 1.2; image paths are relative to the folder of the bundled images."""
    building_id = content.get("buildingId")
    plain = _only(content, DEFINITION)
    plain["floors"] = [_floor(floor, building_id) for floor in content["floors"]]
    return plain


def _floor(floor: dict[str, Any], building_id: str | None) -> dict[str, Any]:
    plain = _only(floor, FLOOR)
    plain["rectangles"] = [_only(room, ROOM) for room in floor["rectangles"]]
    if building_id and plain["floorImage"]:
        plain["floorImage"] = f"../../../api/buildings/{building_id}/files/{plain['floorImage']}"
    return plain


def _drawing(content: dict[str, Any]) -> dict[str, Any]:
    plain = _only(content, MAP)
    if "rectangles" in plain:
        here = (None, plain.get("floorId"))  # a client of 1.2 looks up every room on this floor
        rooms = [room for room in plain["rectangles"] if room.get("floorId") in here]
        plain["rectangles"] = [_only(room, HIGHLIGHT) for room in rooms]
    if "overlays" in plain:
        plain["overlays"] = [overlay for overlay in plain["overlays"] if overlay["type"] in OVERLAYS]
    return plain


def _only(data: dict[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key in keys}


YES = frozenset(
    ["yes", "y", "ok", "okay", "allow", "approve", "true", "はい", "ええ", "うん", "承認", "許可"]
)
NO = frozenset(["no", "n", "deny", "reject", "cancel", "false", "いいえ", "いや", "だめ", "拒否", "却下"])
# Ignored at the end of an answer.
MARKS = ".!。"
REFUSAL_HINT = 'To refuse, answer "no" (いいえ); a reason may follow: "no: too much".'


class Questions:
    """Open asks of a chat for one client of 1.2; `put` is the current one, sent and not answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, Ask] = {}
        self.put: Ask | None = None

    def add(self, ask: Ask) -> Ask | None:
        """Add an ask. Return it if it must be sent now, or None while another one is open."""
        if ask.kind == "client_tool":
            return None  # work for a client that knows what it is
        self._waiting[ask.id] = ask
        return self._next() if len(self._waiting) == 1 else None

    def remove(self, ask_id: str) -> Ask | None:
        """Remove a closed ask. Return the one to send next, if any."""
        was_first = next(iter(self._waiting), None) == ask_id
        self._waiting.pop(ask_id, None)
        return self._next() if was_first else None

    def mark_answered(self, ask_id: str) -> None:
        """Record that the client answered this ask: its next message is an ordinary one."""
        if self.put is not None and self.put.id == ask_id:
            self.put = None

    def _next(self) -> Ask | None:
        self.put = next(iter(self._waiting.values()), None)
        return self.put


def format_ask(ask: Ask) -> str:
    """Return an ask as Markdown, with instructions for the answer."""
    lines = [f"**{_plain(ask.prompt) or 'An answer is needed.'}**"]
    if ask.code_line:
        lines.append(_fenced(ask.code_line, "python"))
    if ask.arguments:  # the line of code may have variables, these are their values
        lines.append(_fenced(json.dumps(ask.arguments, ensure_ascii=False, indent=1), "json"))
    if ask.input_type == "selection":
        lines += [f"{number}. {_plain(option)}" for number, option in enumerate(ask.options, 1)]
    lines.append(_answer_hint(ask))
    return "\n\n".join(lines)


def read_reply(ask: Ask, message: str) -> Answer:
    """Parse a message as the answer to an ask. Raises BadInput with the expected form."""
    if ask.input_type in ("text", "password"):
        return Answer(True, message)
    if ask.input_type == "selection" and (option := match_option(ask, message, MARKS)) is not None:
        return Answer(True, option)
    # Only a confirmation has a yes; for a selection, only a refusal is left at this point.
    answer = parse_yes_or_no(message, YES if ask.input_type == "confirmation" else frozenset(), NO, MARKS)
    if answer is None:
        raise BadInput("The text does not answer the open question.", _answer_hint(ask), code="bad_answer")
    return answer


def _answer_hint(ask: Ask) -> str:
    match ask.input_type:
        case "confirmation":
            return f'Answer "yes" (はい) to go on. {REFUSAL_HINT}'
        case "selection":
            return f"Answer with one of the options or its number, 1 to {len(ask.options)}. {REFUSAL_HINT}"
        case "text":
            return "Answer with the text: your next message is taken as it is."
        case "password":
            return "Answer with the secret: your next message is taken as it is, and not shown."


def _plain(text: str) -> str:
    """Return text as one line with Markdown's special characters escaped."""
    return re.sub(r"([\\`*_\[\]<>#&])", r"\\\1", " ".join(text.split()))


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    # CommonMark: a fence ends at a line of at least as many backticks, so it must be longer than any in the text.
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
