"""The grammar of map commands, and the one incremental scanner that finds them in text.

    MAP_COMMAND: {json}                          a map of protocol 1.2, or points, validated
    MAP_FRAMES_COMMAND: {json}                   rooms painted over time, validated
    ARROW_COMMAND: room=R, direction=d           R any room name without a comma, d up | down | left | right
    CLEAR_ARROWS_COMMAND, CLEAR_MAP_COMMAND

A command stands in one line; words before it and several in a line are fine (`print("Done:",
draw_arrow(...))`). The two without arguments are also words a sentence may mention, so they count only when
nothing wordy surrounds them, save a label with a colon or another command. What is malformed, or names no
room of the building, is no command.

Text arrives in any pieces. Only "\\n" ends a line ("\\r" stays for the reader, who treats it as a space). A line longer
than the limit is left out as a whole, so memory stays bounded and the lines are the same however they come.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar, cast

from pydantic import BaseModel

from smoldesk.messages import (
    Arrow,
    AtRectangle,
    BitmapOverlay,
    ClearArrows,
    ClearMap,
    LegendOverlay,
    Map,
    MapFrames,
    PointsContent,
    RouteOverlay,
    TextOverlay,
)

# Characters a line may have; a playback of 50,000 painted rooms, the longest command there is, stays below.
MAX_LINE = 8_000_000


class LineScanner:
    """Feed pieces, get the lines they complete (without their newline); `flush` gives the unfinished one."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max = max_line
        self._pieces: list[str] = []
        self._length = 0

    def feed(self, text: str) -> list[str]:
        """Whole lines of the text so far."""
        *complete, rest = text.split("\n")
        lines: list[str] = []
        for end in complete:
            self._hold(end)
            lines += self.flush()
        self._hold(rest)
        return lines

    def flush(self) -> list[str]:
        """The line held back, when there is one that is not too long; the scanner is empty afterwards."""
        fits = 0 < self._length <= self._max
        line = "".join(self._pieces)
        self._pieces, self._length = [], 0
        return [line] if fits else []

    def _hold(self, piece: str) -> None:
        self._length += len(piece)
        if self._length > self._max:
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)


MapCommand = Map | MapFrames | Arrow | ClearArrows | ClearMap
AnyMessage = TypeVar("AnyMessage", bound=BaseModel)

_MARKER = re.compile(
    r"(?<![A-Za-z0-9_])(?:(?P<map>MAP_COMMAND:\s{0,9}(?=\{))|"
    r"(?P<frames>MAP_FRAMES_COMMAND:\s{0,9}(?=\{))|(?P<arrow>ARROW_COMMAND:)|"
    r"(?:(?P<arrows>CLEAR_ARROWS_COMMAND)|(?P<clear>CLEAR_MAP_COMMAND))(?![A-Za-z0-9_]))"
)
# bounded and possessive: a marker without its comma costs a constant, so a line of markers costs its length
_ARROW = re.compile(r"\s{0,9}room=([^,]{1,200}+),\s{0,9}direction=([A-Za-z]{1,9}+)")
# After so many broken maps in one line the rest of it is not read: each costs a look at all that came
# before.
_BROKEN_MAPS = 32
_NOTHING_WORDY = re.compile(r"\W*")
_OPENERS = " \t\r'\"`*([{"
_LABEL_ENDS = (":", "：", "=", ">")


def rooms_of(command: Map | MapFrames | Arrow) -> set[str]:
    """The rooms a command draws on."""
    if isinstance(command, Arrow):
        return {command.content.room}
    if isinstance(command, MapFrames):
        return {rectangle.name for frame in command.content.frames for rectangle in frame.rectangles}
    if isinstance(command.content, PointsContent):
        return set()
    drawn = {rectangle.name for rectangle in command.content.rectangles}
    for overlay in command.content.overlays:
        match overlay:
            case BitmapOverlay() | TextOverlay():
                drawn |= {overlay.position.name} if isinstance(overlay.position, AtRectangle) else set()
            case RouteOverlay():
                drawn |= {overlay.start, overlay.goal} | {step.room for step in overlay.steps if step.room}
            case LegendOverlay():
                pass
    return drawn


class _CommandMatch(NamedTuple):
    """A command's place in its line; `bare` ones have to be looked at in their surroundings."""

    start: int
    end: int
    command: MapCommand | None
    bare: bool


def validated(model: type[AnyMessage], data: object) -> AnyMessage | None:
    """The model made of this data, or None when it does not fit or could not be sent as JSON.

    Text with half a surrogate pair and nested NaN pass a model, and would fail on their way out.
    """
    try:
        message = model.model_validate(data, strict=True)
        json.dumps(message.model_dump(mode="json"), allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # ValidationError and UnicodeEncodeError are ValueErrors
        return None
    return message


class CommandScanner:
    """Text in any pieces -> the map commands in it, in order; the pieces' borders make no difference."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self._rooms = frozenset(rooms)
        self._lines = LineScanner()

    def feed(self, text: str) -> list[MapCommand]:
        """Tokens of the next piece of text."""
        return [command for line in self._lines.feed(text) for command in self._commands(line)]

    def flush(self) -> list[MapCommand]:
        """The commands of the last, unfinished line."""
        return [command for line in self._lines.flush() for command in self._commands(line)]

    def arrow(self, room: object, direction: object) -> Arrow | None:
        """An arrow, when the room and the direction exist; a direction may be written in capitals."""
        if not isinstance(room, str) or not isinstance(direction, str) or room.strip() not in self._rooms:
            return None
        return validated(Arrow, {"content": {"room": room.strip(), "direction": direction.strip().lower()}})

    def _commands(self, line: str) -> Iterator[MapCommand]:
        if "_COMMAND" not in line:
            return
        found = list(self._matches(line))
        for index, one in enumerate(found):
            before = line[found[index - 1].end if index else 0 : one.start]
            after = line[one.end : found[index + 1].start if index + 1 < len(found) else len(line)]
            if one.command is not None and (not one.bare or _stands_alone(before, after)):
                yield one.command

    def _matches(self, line: str) -> Iterator[_CommandMatch]:
        at = broken = 0
        while broken < _BROKEN_MAPS and (marker := _MARKER.search(line, at)) is not None:
            at = marker.end()
            match marker.lastgroup:
                case "map" | "frames" as kind:
                    command, at = self._map(line, at, Map if kind == "map" else MapFrames)
                    broken += command is None
                    yield _CommandMatch(marker.start(), at, command, bare=False)
                case "arrow":
                    if (arrow := _ARROW.match(line, at)) is not None:
                        at = arrow.end()
                        yield _CommandMatch(marker.start(), at, self.arrow(arrow[1], arrow[2]), bare=False)
                case "arrows":
                    yield _CommandMatch(marker.start(), at, ClearArrows(), bare=True)
                case _:
                    yield _CommandMatch(marker.start(), at, ClearMap(), bare=True)

    def _map(
        self, line: str, at: int, kind: type[Map] | type[MapFrames]
    ) -> tuple[Map | MapFrames | None, int]:
        """The map, or the playback, whose JSON begins at `at`, and where to go on.

        After broken JSON that is where it broke: no character is decoded twice. Where a drawing came from is the desk's to say.
        """
        try:
            content, end = cast("tuple[object, int]", _JSON.raw_decode(line, at))
        except json.JSONDecodeError as fault:
            return None, max(at, fault.pos)
        except RecursionError:
            return None, len(line)
        command = validated(kind, {"content": _unsigned(content)})
        if command is None or not rooms_of(command) <= self._rooms:
            return None, end
        return command, end


def _unsigned(content: object) -> object:
    """The content without a word of where it came from."""
    if not isinstance(content, dict):
        return content
    return {name: value for name, value in cast("dict[str, object]", content).items() if name != "source"}


def _stands_alone(before: str, after: str) -> bool:
    """Whether a command without arguments is meant, not mentioned."""
    if _NOTHING_WORDY.fullmatch(after) is None:
        return False
    return _NOTHING_WORDY.fullmatch(before) is not None or before.rstrip(_OPENERS).endswith(_LABEL_ENDS)


def _number(digits: str) -> float | None:
    """A finite number; anything else becomes null, which no number field takes."""
    value = float(digits)
    return value if math.isfinite(value) else None


def _parse_integer(digits: str) -> int | float | None:
    """A whole number; one too long for a page to keep exactly is any other number."""
    return int(digits) if len(digits) <= 15 else _number(digits)


def _no_number(_: str) -> None:
    """NaN and Infinity are Python's, not JSON's."""


_JSON = json.JSONDecoder(parse_float=_number, parse_int=_parse_integer, parse_constant=_no_number)
