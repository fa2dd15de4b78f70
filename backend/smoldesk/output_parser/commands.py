"""Grammar of map commands, and the incremental scanner that finds them in text.

    MAP_COMMAND: {json}                          a map of protocol 1.2, or points, validated
    MAP_FRAMES_COMMAND: {json}                   rooms painted over time, validated
    ARROW_COMMAND: room=R, direction=d           R any room name without a comma, d up | down | left | right
    CLEAR_ARROWS_COMMAND, CLEAR_MAP_COMMAND

A command fits in one line. A line may contain text before a command, and several commands (`print("Done:",
draw_arrow(...))`). A sentence may mention the two commands without arguments, so these count only without words around
them, except a label with a colon or another command. Malformed commands, and commands with rooms outside the building,
are ignored.

Text may arrive in pieces of any size. Only "\\n" ends a line ("\\r" is passed on; the reader treats it as a space). A
line longer than the limit is dropped entirely, so memory is bounded and the lines do not depend on the pieces.
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

# Maximum characters of a line; a playback of 50,000 painted rooms, the longest command, stays below.
MAX_LINE = 8_000_000


class LineScanner:
    """Buffer that splits fed pieces into lines (without newlines); `flush` returns the unfinished line."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max = max_line
        self._pieces: list[str] = []
        self._length = 0

    def feed(self, text: str) -> list[str]:
        """Return the lines that `text` completes."""
        *complete, partial = text.split("\n")
        lines: list[str] = []
        for end in complete:
            self._hold(end)
            lines += self.flush()
        self._hold(partial)
        return lines

    def flush(self) -> list[str]:
        """Return the buffered line, unless it is empty or too long, and reset the scanner."""
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
# Bounded and possessive: a marker without its comma costs a constant, so a line of markers costs its length.
_ARROW = re.compile(r"\s{0,9}room=([^,]{1,200}+),\s{0,9}direction=([A-Za-z]{1,9}+)")
# Maximum broken maps per line; the remainder is skipped. JSONDecodeError counts the newlines up to the error, so each
# broken map costs the length of the line before it.
_BROKEN_MAPS = 32
_NOTHING_WORDY = re.compile(r"\W*")
_OPENERS = " \t\r'\"`*([{"
_LABEL_ENDS = (":", "：", "=", ">")


def rooms_of(command: Map | MapFrames | Arrow) -> set[str]:
    """Return the rooms that a command draws on."""
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
    """Span of a command in its line; a `bare` one, without arguments, counts only if it stands alone."""

    start: int
    end: int
    command: MapCommand | None
    bare: bool


def validated(model: type[AnyMessage], data: object) -> AnyMessage | None:
    """Validate `data` against `model`; return None if it does not fit or cannot be sent as JSON.

    Lone surrogates and nested NaN pass validation, and would fail during serialisation.
    """
    try:
        message = model.model_validate(data, strict=True)
        json.dumps(message.model_dump(mode="json"), allow_nan=False, ensure_ascii=False).encode()
    # ValidationError and UnicodeEncodeError are subclasses of ValueError.
    except (ValueError, RecursionError):
        return None
    return message


class CommandScanner:
    """Incremental scanner that yields the map commands of a text in order, regardless of its pieces."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self._rooms = frozenset(rooms)
        self._lines = LineScanner()

    def feed(self, text: str) -> list[MapCommand]:
        """Return the commands of the lines that `text` completes."""
        return [command for line in self._lines.feed(text) for command in self._commands(line)]

    def flush(self) -> list[MapCommand]:
        """Return the commands of the last, unfinished line."""
        return [command for line in self._lines.flush() for command in self._commands(line)]

    def arrow(self, room: object, direction: object) -> Arrow | None:
        """Return an arrow if the room and the direction exist; the direction may be in capitals."""
        if not isinstance(room, str) or not isinstance(direction, str) or room.strip() not in self._rooms:
            return None
        return validated(Arrow, {"content": {"room": room.strip(), "direction": direction.strip().lower()}})

    def _commands(self, line: str) -> Iterator[MapCommand]:
        if "_COMMAND" not in line:
            return
        matches = list(self._matches(line))
        for index, current in enumerate(matches):
            before = line[matches[index - 1].end if index else 0 : current.start]
            after = line[current.end : matches[index + 1].start if index + 1 < len(matches) else len(line)]
            if current.command is not None and (not current.bare or _stands_alone(before, after)):
                yield current.command

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
        """Decode the map or playback whose JSON starts at `at`; return it and the index to continue at.

        After invalid JSON that index is the error's position, so no character is decoded twice. The `source` field is
        dropped:
        only smoldesk sets it.
        """
        try:
            content, end = cast("tuple[object, int]", _JSON.raw_decode(line, at))
        except json.JSONDecodeError as fault:
            return None, max(at, fault.pos)
        except RecursionError:
            return None, len(line)
        # As JSON, because a strict model takes no dict for a dataclass such as XY.
        try:
            command = kind.model_validate_json(json.dumps({"content": _unsigned(content)}), strict=True)
        except (ValueError, RecursionError):
            command = None
        if command is None or not rooms_of(command) <= self._rooms:
            return None, end
        return command, end


def _unsigned(content: object) -> object:
    if not isinstance(content, dict):
        return content
    return {name: value for name, value in cast("dict[str, object]", content).items() if name != "source"}


def _stands_alone(before: str, after: str) -> bool:
    if _NOTHING_WORDY.fullmatch(after) is None:
        return False
    return _NOTHING_WORDY.fullmatch(before) is not None or before.rstrip(_OPENERS).endswith(_LABEL_ENDS)


def _number(digits: str) -> float | None:
    """Return a finite number, or None, which validation rejects in number fields."""
    value = float(digits)
    return value if math.isfinite(value) else None


def _parse_integer(digits: str) -> int | float | None:
    """Parse an integer; one of more than 15 digits, inexact in JavaScript, becomes a float."""
    return int(digits) if len(digits) <= 15 else _number(digits)


def _no_number(_: str) -> None:
    """Reject NaN and Infinity, which Python's decoder accepts and JSON does not have."""


_JSON = json.JSONDecoder(parse_float=_number, parse_int=_parse_integer, parse_constant=_no_number)
