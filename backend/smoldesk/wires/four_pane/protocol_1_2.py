"""What a client of protocol 1.2 gets: messages without what it knows nothing of, and asks as questions in words. Pure.

Such a client knows no `ask` and sends nothing but messages. So its chat's asks are put to it one after the other, each as
a text; while one is put and not answered, the next message of this client is its answer.
"""

import json
import re
from typing import Any

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.runs import Answer
from smoldesk.wires.answers import match_option, parse_yes_or_no

# The overlay types of protocol 1.2. Its clients draw whatever they are sent, so a type they do not know breaks them.
OVERLAYS = frozenset(("bitmap", "text"))
DEFINITION = frozenset(("floors", "bitmaps"))
FLOOR = frozenset(("floorId", "floorName", "floorImage", "coordinateSystem", "rectangles"))
ROOM = frozenset(("name", "topLeft", "bottomRight"))
MAP = frozenset(("floorId", "timestamp", "rectangles", "overlays"))
# The keys of protocol 1.2: of a building, its floors and rooms, of a map and its highlighted rooms.
HIGHLIGHT = frozenset(("name", "color", "strokeOpacity", "fillOpacity", "showName"))
# Message types that go to clients of 2.0 only; other new types are ignored by a client of 1.2, and may be useful.
WITHHELD = frozenset(("map_frames", "open_asks", "model_call", "mcp_app"))

# What a managed agent shows is shown to such a client like the run's own; of its steps and words it hears nothing.
NESTED_TYPES = frozenset(
    ("image", "chart", "table", "file", "map", "arrow", "highlight_room", "clear_arrows", "clear_map")
)


def to_1_2(data: dict[str, Any]) -> dict[str, Any] | None:
    """A message as a client of 1.2 gets it; None when it gets nothing."""
    if data["type"] == "nested":
        inner = data["content"]["message"]
        if inner["type"] not in NESTED_TYPES:
            return None
        data = inner | {key: value for key, value in data.items() if key not in ("type", "content")}
    if data["type"] in WITHHELD:
        return None
    if data["type"] == "json":
        text = json.dumps(data["content"], ensure_ascii=False, indent=2)
        return data | {"type": "code", "content": text, "language": "json"}
    match data["type"]:
        case "chart":
            return _picture(data)
        case "map_definition":
            return data | {"content": _building(data["content"])}
        case "map" if "points" not in data["content"]:
            return data | {"content": _drawing(data["content"])}
        case _:
            return data


def _picture(chart: dict[str, Any]) -> dict[str, Any]:
    """A chart as the image it is for a client that draws none."""
    content = chart["content"]
    remaining = {
        key: value for key, value in chart.items() if key not in ("content", "url", "imageUrl", "image")
    }
    image = {"content": chart.get("image", ""), "format": "png", "path": f"{content['name']}.png"}
    return remaining | {"type": "image", **image, "fileId": content["imageId"]}


def _building(content: dict[str, Any]) -> dict[str, Any]:
    """Images of an imported building are named so that they are found from where those of 1.2 lie."""
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
        here = (None, plain.get("floorId"))  # a room of another floor would be looked for on this one
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
# These do not matter at the end of an answer.
MARKS = ".!。"
REFUSAL_HINT = 'To refuse, answer "no" (いいえ); a reason may follow: "no: too much".'


class Questions:
    """The open asks of a chat as one client of 1.2 meets them; `put` is the one it was asked and has not answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, Ask] = {}
        self.put: Ask | None = None

    def add(self, ask: Ask) -> Ask | None:
        """Take in an ask; it is returned when it is to be put now, and comes later when another one is open."""
        if ask.kind == "client_tool":
            return None  # work for a client that knows what it is
        self._waiting[ask.id] = ask
        return self._next() if len(self._waiting) == 1 else None

    def remove(self, ask_id: str) -> Ask | None:
        """An ask ended, by any answer; returns the one to put next."""
        was_first = next(iter(self._waiting), None) == ask_id
        self._waiting.pop(ask_id, None)
        return self._next() if was_first else None

    def mark_answered(self, ask_id: str) -> None:
        """The client's answer counted: what it says from now on is no answer to this ask."""
        if self.put is not None and self.put.id == ask_id:
            self.put = None

    def _next(self) -> Ask | None:
        self.put = next(iter(self._waiting.values()), None)
        return self.put


def format_ask(ask: Ask) -> str:
    """The question as Markdown, and how to answer it."""
    lines = [f"**{_plain(ask.prompt) or 'An answer is needed.'}**"]
    if ask.code_line:
        lines.append(_fenced(ask.code_line, "python"))
    if ask.arguments:  # the line of code may show names where these are the values
        lines.append(_fenced(json.dumps(ask.arguments, ensure_ascii=False, indent=1), "json"))
    if ask.input_type == "selection":
        lines += [f"{number}. {_plain(option)}" for number, option in enumerate(ask.options, 1)]
    lines.append(_answer_hint(ask))
    return "\n\n".join(lines)


def read_reply(ask: Ask, message: str) -> Answer:
    """The answer a plain message gives to an ask. Raises BadInput, which says what is expected, when it gives none."""
    if ask.input_type in ("text", "password"):
        return Answer(True, message)
    if ask.input_type == "selection" and (option := match_option(ask, message, MARKS)) is not None:
        return Answer(True, option)
    answer = parse_yes_or_no(message, YES if ask.input_type == "confirmation" else frozenset(), NO, MARKS)
    if answer is None:
        raise BadInput("That is no answer to the open question.", _answer_hint(ask), code="bad_answer")
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
    """One line of text that Markdown leaves alone."""
    return re.sub(r"([\\`*_\[\]<>#&])", r"\\\1", " ".join(text.split()))


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
