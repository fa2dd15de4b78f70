"""One agent response (a dict) -> the messages the page shows for it, in a fixed order.

The dict is what `agent_wrapper` gathers for a step, or one replayed from protocol 1.2; any key may be missing
and any value may be junk: what does not fit is left out, and nothing here raises. The caller says what the
response *is* (which files are images, which tables were shown); this file only turns it into messages.
"""

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from backend.messages import (
    ClearArrows,
    ClearMap,
    Code,
    Column,
    Error,
    File,
    FileContent,
    Image,
    StepOutput,
    Table,
    TableContent,
    Text,
)
from backend.output_parser.calls import map_calls
from backend.output_parser.commands import CommandScanner, MapCommand, validated


class OutputParser:
    """Knows the building's rooms (the names a command may use); keeps no state between calls."""

    def __init__(self, rooms: Sequence[str]) -> None:
        self._rooms = frozenset(rooms)

    def parse(self, agent_response: Mapping[str, Any]) -> list[StepOutput]:
        """Messages in page order: code, tables, images, files, map commands, error, text."""
        response: Mapping[str, object] = agent_response
        return [
            *_codes(response),
            *_tables(response),
            *_images(response),
            *_files(response),
            *self._map_commands(response),
            *_error(response),
            *_text(response),
        ]

    def _map_commands(self, response: Mapping[str, object]) -> list[MapCommand]:
        """From tool results and what was printed, each command once; from the code only when there is
        neither."""
        if "tool_results" not in response and "raw_output" not in response:
            return [command for code in _code_texts(response) for command in self._called(code)]
        results = _items(response.get("tool_results"))
        returned = [command for result in results for command in self._scan(result)]
        return merged(returned, self._scan(response.get("raw_output")))

    def _scan(self, text: object) -> list[MapCommand]:
        if not isinstance(text, str):
            return []
        scanner = CommandScanner(self._rooms)
        return [*scanner.feed(text), *scanner.flush()]

    def _called(self, code: str) -> Iterator[MapCommand]:
        scanner = CommandScanner(self._rooms)
        for tool, arguments in map_calls(code):
            match tool, arguments:
                case "draw_arrow", (room, direction):
                    if (arrow := scanner.arrow(room, direction)) is not None:
                        yield arrow
                case "clear_arrows", _:
                    yield ClearArrows()
                case _:
                    yield ClearMap()


def merged(returned: Sequence[MapCommand], printed: Sequence[MapCommand]) -> list[MapCommand]:
    """Both lists as one: each command as often as in the list that has it more often, orders kept.

    A tool result that was printed too is one command. Where the orders disagree, that of `returned` counts;
    what was only printed comes where it was printed among the others.
    """
    returned_keys = [command.model_dump_json() for command in returned]
    printed_keys = [command.model_dump_json() for command in printed]
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


def _codes(response: Mapping[str, object]) -> Iterator[Code]:
    seen: set[str] = set()
    for entry in _items(response.get("code_steps")):
        code = _field(entry, "code")
        if not isinstance(code, str) or not code.strip() or code in seen:
            continue
        seen.add(code)
        step = _field(entry, "step")
        yield Code(content=_unicode(code), step=_unicode(step) if isinstance(step, str) and step else None)


def _code_texts(response: Mapping[str, object]) -> list[str]:
    codes = (_field(entry, "code") for entry in _items(response.get("code_steps")))
    return [code for code in codes if isinstance(code, str)]


def _tables(response: Mapping[str, object]) -> Iterator[Table]:
    for entry in _items(response.get("tables")):
        fields = _fields(entry, TableContent)
        fields["columns"] = [
            column if isinstance(column, Column) else _fields(column, Column)
            for column in _items(fields.get("columns"))
        ]
        fields["rows"] = [[_clean(cell) for cell in _items(row)] for row in _items(fields.get("rows"))]
        if (content := validated(TableContent, fields)) is not None:
            yield Table(content=content)


def _images(response: Mapping[str, object]) -> Iterator[Image]:
    for entry in _items(response.get("images")):
        fields = _fields(entry, Image) | {"type": "image", "content": ""}
        if isinstance(kind := fields.get("format"), str):
            fields["format"] = kind.lower()
        if (image := validated(Image, fields)) is not None:
            yield image


def _files(response: Mapping[str, object]) -> Iterator[File]:
    for entry in _items(response.get("files")):
        if (content := validated(FileContent, _fields(entry, FileContent))) is not None:
            yield File(content=content)


def _error(response: Mapping[str, object]) -> Iterator[Error]:
    error = response.get("error")
    if isinstance(error, str) and error.strip():
        yield Error(content=_unicode(error), code="code_error")


def _text(response: Mapping[str, object]) -> Iterator[Text]:
    text = response.get("text")
    if isinstance(text, int | float):
        text = str(text)
    if isinstance(text, str) and text.strip():
        yield Text(content=_unicode(text))


def _items(value: object) -> list[object]:
    return list(cast(Sequence[object], value)) if isinstance(value, list | tuple) else []


def _field(entry: object, name: str) -> object:
    return cast(Mapping[object, object], entry).get(name) if isinstance(entry, Mapping) else None


def _fields(entry: object, shape: type[BaseModel]) -> dict[str, object]:
    """The fields of `entry` (snake_case, as inside the house) that the shape knows."""
    return {name: _clean(value) for name in shape.model_fields if (value := _field(entry, name)) is not None}


def _clean(value: object) -> object:
    """A plain value as JSON can carry it: a number that is none becomes an empty cell."""
    if isinstance(value, str):
        return _unicode(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _unicode(text: str) -> str:
    """Text that can be sent: half of a surrogate pair, which Python allows and UTF-8 does not, becomes
    "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")
