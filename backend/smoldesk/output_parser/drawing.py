"""Map commands of a response, without duplicates and in order, and the rooms that its answer names.

Commands occur in tool results, printed output and the answer; one that occurs in several of them counts once. A response
without tool results (protocol 1.2) has the calls of its code read from the syntax tree; the code is never run. Each call
counts once; a call in a loop or with a variable as argument would need a run, so it is ignored.
"""

import ast
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import BaseModel

from smoldesk.messages import (
    Arrow,
    ClearArrows,
    ClearMap,
    HighlightRoom,
    Map,
    MapContent,
    MapFrames,
    MapFramesContent,
    RoomsContent,
    Source,
)
from smoldesk.output_parser.commands import (
    CommandScanner,
    MapCommand,
    rooms_of,
    validated,
)
from smoldesk.output_parser.rooms import RoomFinder

# Maximum characters of code that is parsed; a cell is far shorter.
MAX_CODE = 100_000

_EXACT = {"draw_arrow": ("room_name", "direction"), "clear_arrows": (), "clear_map": ()}
# In the order of the positional parameters; the later parameters are keyword-only.
_SHOW_MAP = ("floor_id", "highlight_rooms", "room_colors", "show_names", "bitmap_overlays", "text_overlays")


@dataclass(frozen=True)
class MapCall:
    """Call of a map tool with literal arguments, by name."""

    tool: str
    arguments: dict[str, object]


def map_calls(code: str) -> Iterator[MapCall]:
    """Yield the calls with literal arguments, in source order."""
    if len(code) > MAX_CODE:
        return
    try:
        tree = ast.parse(code)
    # All that ast.parse raises on bad or deeply nested code.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _tool(node)]
    # ast.walk is breadth-first: sorting restores the order of the source.
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        arguments = _arguments(call)
        if arguments is not None:
            yield MapCall(_tool(call), arguments)


def _tool(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name in _EXACT or name == "show_map" else ""


def _arguments(call: ast.Call) -> dict[str, object] | None:
    """Return the arguments by name, or None if they do not match the tool or are not literals."""
    exact = _EXACT.get(_tool(call))
    names = _SHOW_MAP if exact is None else exact
    values: dict[str | None, ast.expr] = dict(zip(names, call.args, strict=False))
    values.update({keyword.arg: keyword.value for keyword in call.keywords})
    # More arguments than parameters, a repeated one, or `**arguments` (the key None).
    if len(values) != len(call.args) + len(call.keywords) or None in values:
        return None
    if (exact is None and "floor_id" not in values) or (exact is not None and set(values) != set(exact)):
        return None
    if not all(isinstance(value, ast.Constant) for value in values.values()):
        return None
    return {str(name): value.value for name, value in values.items() if isinstance(value, ast.Constant)}


# Callback that runs `show_map`, whose result is a text, for code of a replayed response; never raises.
Perform = Callable[[MapCall], str]


@dataclass(frozen=True)
class DrawnLayers:
    """Drawing state of a run: rooms with a highlight, overlay or arrow, and whether the last command cleared the map."""

    rooms: frozenset[str] = frozenset()
    cleared: bool = False

    def after(self, messages: Iterable[BaseModel]) -> "DrawnLayers":
        """Return the drawing state after a step's messages."""
        rooms, cleared = set(self.rooms), self.cleared
        for message in messages:
            match message:
                case Map() | MapFrames() | Arrow():
                    rooms |= rooms_of(message)
                    cleared = False
                case ClearMap():
                    rooms, cleared = set[str](), True
                case ClearArrows():
                    cleared = True
                case _:
                    pass
        return DrawnLayers(frozenset(rooms), cleared)


# Minimum of the limit on highlighted rooms, for small buildings.
MIN_ROOM_LIMIT = 4


def highlighted(answer: str, finder: RoomFinder, drawing: DrawnLayers) -> list[HighlightRoom]:
    """Return a highlight of the rooms that an answer names and the run has not drawn on.

    The result is empty if the run cleared the map last, or if the answer lists most of the building.
    """
    named = finder.named_in(answer)
    if drawing.cleared or len(named) > max(MIN_ROOM_LIMIT, len(finder) / 2):
        return []
    rooms = [room for room in named if room not in drawing.rooms]
    return [HighlightRoom(content=RoomsContent(rooms=rooms))] if rooms else []


class CommandReader:
    """Reader of a response's map commands."""

    def __init__(self, rooms: Iterable[str], perform: Perform | None) -> None:
        self._rooms = frozenset(rooms)
        self._perform = perform

    def commands(self, response: Mapping[str, object], codes: Sequence[str]) -> list[MapCommand]:
        """Return the commands in order, without duplicates and without arrows that are already on the map."""
        if "tool_results" in response:
            results, sources = _as_list(response["tool_results"]), _as_list(response.get("tool_sources"))
            sources += [None] * (len(results) - len(sources))
            commands = [
                with_source(command, source)
                for result, source in zip(results, sources, strict=False)
                for command in self._scan(result)
            ]
        else:
            commands = [command for code in codes for command in self._called(code)]
        for text in (response.get("raw_output"), response.get("text")):
            commands = merged(commands, self._scan(text))
        return without_standing_arrows(commands)

    def _scan(self, text: object) -> list[MapCommand]:
        if not isinstance(text, str):
            return []
        scanner = CommandScanner(self._rooms)
        return [*scanner.feed(text), *scanner.flush()]

    def _called(self, code: str) -> list[MapCommand]:
        commands: list[MapCommand | None] = []
        for call in map_calls(code):
            match call.tool:
                case "draw_arrow":
                    room, direction = call.arguments["room_name"], call.arguments["direction"]
                    commands.append(CommandScanner(self._rooms).arrow(room, direction))
                case "clear_arrows":
                    commands.append(ClearArrows())
                case "clear_map":
                    commands.append(ClearMap())
                case _:
                    commands += self._scan(self._perform(call)) if self._perform else []
        return [command for command in commands if command is not None]


def with_source(command: MapCommand, source: object) -> MapCommand:
    """Add the source (step and line of code) to a map or playback; return other commands unchanged."""
    if not isinstance(command, Map | MapFrames) or not isinstance(
        command.content, MapContent | MapFramesContent
    ):
        return command
    if source is None or (valid_source := validated(Source, source)) is None:
        return command
    content = command.content.model_copy(update={"source": valid_source})
    return command.model_copy(update={"content": content})


def _as_list(value: object) -> list[object]:
    return list(cast(Sequence[object], value)) if isinstance(value, list | tuple) else []


def _key(command: MapCommand) -> str:
    """Serialise a command without its source, so that equal drawings compare equal."""
    return command.model_dump_json(exclude={"content": {"source"}})


def without_standing_arrows(commands: Iterable[MapCommand]) -> list[MapCommand]:
    """Drop arrows that are already on the map; clearing commands reset them."""
    standing: set[tuple[str, str]] = set()
    remaining: list[MapCommand] = []
    for command in commands:
        if isinstance(command, Arrow):
            arrow = (command.content.room, command.content.direction)
            if arrow in standing:
                continue
            standing.add(arrow)
        elif isinstance(command, ClearArrows | ClearMap):
            standing.clear()
        remaining.append(command)
    return remaining


def merged(returned: Sequence[MapCommand], printed: Sequence[MapCommand]) -> list[MapCommand]:
    """Merge two lists; each command occurs as often as in the list that has it more often.

    A tool result that was also printed counts once. If the orders differ, that of `returned` applies; commands that were
    only
    printed keep their place among the printed ones.
    """
    returned_keys = list(map(_key, returned))
    printed_keys = list(map(_key, printed))
    places: dict[str, deque[int]] = {}
    for index, key in enumerate(returned_keys):
        places.setdefault(key, deque()).append(index)
    # A multiset intersection: a command printed once and returned twice is shared once.
    shared = Counter(returned_keys) & Counter(printed_keys)
    together: list[MapCommand] = []
    done = 0
    for command, key in zip(printed, printed_keys, strict=True):
        if shared[key] == 0:
            together.append(command)
            continue
        shared[key] -= 1
        place = places[key].popleft()
        if place >= done:
            together += returned[done : place + 1]
            done = place + 1
    return [*together, *returned[done:]]
