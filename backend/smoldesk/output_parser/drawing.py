"""What a response draws on the map: every command once and in order, and the rooms its answer names.

Commands come from what tools returned, from what was printed and from the answer; a command that went through
several of them is one. A response that kept no tool results (protocol 1.2) has its calls read from the syntax tree of its
code, never run: a call counts once where it is written; a loop or a variable as argument needs a run, so it gives nothing.
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

# Characters of code that are read; a cell is far shorter.
MAX_CODE = 100_000

_EXACT = {"draw_arrow": ("room_name", "direction"), "clear_arrows": (), "clear_map": ()}
# In the order in which they may stand without a name; what came later is given by name.
_SHOW_MAP = ("floor_id", "highlight_rooms", "room_colors", "show_names", "bitmap_overlays", "text_overlays")


@dataclass(frozen=True)
class MapCall:
    """One call with literal arguments, by their names."""

    tool: str
    arguments: dict[str, object]


def map_calls(code: str) -> Iterator[MapCall]:
    """The calls with literal arguments, in the order they are written."""
    if len(code) > MAX_CODE:
        return
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the parser's ways to refuse a text
        return
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _tool(node)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        arguments = _arguments(call)
        if arguments is not None:
            yield MapCall(_tool(call), arguments)


def _tool(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name in _EXACT or name == "show_map" else ""


def _arguments(call: ast.Call) -> dict[str, object] | None:
    """Values by name, or None when they are not what the tool takes, or not literals."""
    exact = _EXACT.get(_tool(call))
    names = _SHOW_MAP if exact is None else exact
    given: dict[str | None, ast.expr] = dict(zip(names, call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords})
    if len(given) != len(call.args) + len(call.keywords) or None in given:
        return None
    if (exact is None and "floor_id" not in given) or (exact is not None and set(given) != set(exact)):
        return None
    if not all(isinstance(value, ast.Constant) for value in given.values()):
        return None
    return {str(name): value.value for name, value in given.items() if isinstance(value, ast.Constant)}


# Runs a map tool that only answers in words (`show_map`), for code that is replayed; never raises.
Perform = Callable[[MapCall], str]


@dataclass(frozen=True)
class DrawnLayers:
    """What a run drew so far: rooms that carry a highlight, an overlay or an arrow; whether it cleared last."""

    rooms: frozenset[str] = frozenset()
    cleared: bool = False

    def after(self, messages: Iterable[BaseModel]) -> "DrawnLayers":
        """The drawing with a step's messages on it."""
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


# So many rooms are always pointed at, however small the building is.
LISTED = 4


def highlighted(answer: str, finder: RoomFinder, drawing: DrawnLayers) -> list[HighlightRoom]:
    """The rooms an answer names and the run has not drawn on; none when the last it did was clearing the map.

    An answer that lists most of the building points at none of them.
    """
    named = finder.named_in(answer)
    if drawing.cleared or len(named) > max(LISTED, len(finder) / 2):
        return []
    rooms = [room for room in named if room not in drawing.rooms]
    return [HighlightRoom(content=RoomsContent(rooms=rooms))] if rooms else []


class CommandReader:
    """Finds a response's commands."""

    def __init__(self, rooms: Iterable[str], perform: Perform | None) -> None:
        self._rooms = frozenset(rooms)
        self._perform = perform

    def commands(self, response: Mapping[str, object], codes: Sequence[str]) -> list[MapCommand]:
        """Each command once and in order; an arrow that still stands is not drawn again."""
        if "tool_results" in response:
            told, sources = _as_list(response["tool_results"]), _as_list(response.get("tool_sources"))
            sources += [None] * (len(told) - len(sources))
            commands = [
                with_source(command, source)
                for result, source in zip(told, sources, strict=False)
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
    """A map or a playback that says which step and line of code drew it; anything else as it is."""
    if not isinstance(command, Map | MapFrames) or not isinstance(
        command.content, MapContent | MapFramesContent
    ):
        return command
    if source is None or (known := validated(Source, source)) is None:
        return command
    content = command.content.model_copy(update={"source": known})
    return command.model_copy(update={"content": content})


def _as_list(value: object) -> list[object]:
    return list(cast(Sequence[object], value)) if isinstance(value, list | tuple) else []


def _key(command: MapCommand) -> str:
    """What two commands have in common that draw the same, wherever they came from."""
    return command.model_dump_json(exclude={"content": {"source"}})


def without_standing_arrows(commands: Iterable[MapCommand]) -> list[MapCommand]:
    """The commands without arrows that stand already: the same arrow twice is one until arrows are cleared."""
    standing: set[tuple[str, str]] = set()
    kept: list[MapCommand] = []
    for command in commands:
        if isinstance(command, Arrow):
            arrow = (command.content.room, command.content.direction)
            if arrow in standing:
                continue
            standing.add(arrow)
        elif isinstance(command, ClearArrows | ClearMap):
            standing.clear()
        kept.append(command)
    return kept


def merged(returned: Sequence[MapCommand], printed: Sequence[MapCommand]) -> list[MapCommand]:
    """Both lists as one: each command as often as in the list that has it more often, orders kept.

    A tool result that was printed too is one command. Where the orders disagree, that of `returned` counts;
    what was only printed comes where it was printed among the others.
    """
    returned_keys = list(map(_key, returned))
    printed_keys = list(map(_key, printed))
    places: dict[str, deque[int]] = {}
    for index, key in enumerate(returned_keys):
        places.setdefault(key, deque()).append(index)
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
