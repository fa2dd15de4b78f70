"""Frames as the host reads them: the size and shape of each are checked before it is used.

A frame is 4 bytes of length (big endian) and that many bytes of JSON. `FrameReader` cuts the stream, `parse`
turns a body into one of the shapes below, or raises BadFrame; its caller then ends the child.
"""

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from smoldesk.sandbox.inside.channel import MAX_FRAME
from smoldesk.sandbox.shapes import (
    Mismatch,
    Reader,
    anything,
    array,
    boolean,
    integer,
    name_to_anything,
    optional,
    record,
    scalar,
    string_choice,
    text,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

MAX_DEPTH = 60
MAX_COLUMNS = 1_000
PREVIEW_ROWS = 50
MAX_PARTS = 100
SHORT = 1_000
LONG = 64 * 1024


class BadFrame(Exception):
    """Invalid frame from the child; the message names the problem without repeating the content."""


@dataclass(frozen=True)
class Ready:
    """The child has imported its packages and takes cells."""


@dataclass(frozen=True)
class OfCell:
    """`cell` is the host's secret name of the running cell; frames under another one are refused."""

    cell: str


@dataclass(frozen=True)
class Printed(OfCell):
    """Text that the cell printed."""

    text: str


@dataclass(frozen=True)
class FileItem:
    """A file that the cell shows, by its path in the folder."""

    path: str
    size: int
    kind: Literal["figure", "file"]


@dataclass(frozen=True)
class ColumnItem:
    """A column of a shown table; `type` is Arrow's, `as_text` when its values were of no one type."""

    name: str
    kind: Literal["number", "text", "date", "bool"]
    type: str
    as_text: bool


@dataclass(frozen=True)
class TableItem:
    """A table that the cell shows: its first rows, and a Parquet file with all of them."""

    name: str
    path: str
    columns: list[ColumnItem]
    rows: list[list[bool | int | float | str | None]]
    row_count: int


@dataclass(frozen=True)
class ChartItem:
    """A chart that the cell shows: a Vega-Lite spec with its rows, as JSON in a file.

    `changes` apply to that spec; `at` is empty, or the two ends of their place in the cell's code.
    """

    name: str
    title: str
    path: str
    rows: int
    shown: int
    reduced: Literal["", "sampled", "aggregated"]
    changes: "dict[str, JsonValue]"
    at: list[int]


@dataclass(frozen=True)
class Display(OfCell):
    """Output items of the cell."""

    item: FileItem | TableItem | ChartItem


@dataclass(frozen=True)
class Call(OfCell):
    """A call of a tool that lives in the server."""

    id: int
    tool: str
    args: "list[JsonValue]"
    kwargs: "dict[str, JsonValue]"
    line: int | None


@dataclass(frozen=True)
class Work(OfCell):
    """A query of the cell's own that takes long, `id` its number among the child's calls: how far it is, or how it ended."""

    id: int
    name: Literal["sql"]
    query: str
    line: int | None
    state: Literal["running", "finished", "failed"]
    percent: int
    words: str


@dataclass(frozen=True)
class PartItem:
    """Part of an answer; `item` is the number of a shown item, -1 for other kinds."""

    kind: Literal["markdown", "plain", "data", "item", "more"]
    caption: str
    text: str
    item: int
    value: "JsonValue"


@dataclass(frozen=True)
class Answer(OfCell):
    """The final answer, sent when it is given: it counts even if the cell never comes to its end."""

    output: str
    value: "JsonValue"
    parts: list[PartItem]


@dataclass(frozen=True)
class AlternativeAnswer(OfCell):
    """The answer of a block of the cell, one of several; without `parts` it has none, perhaps for an `error`."""

    sentence: str
    error: str
    output: str
    value: "JsonValue"
    parts: list[PartItem]


@dataclass(frozen=True)
class Fault:
    """Error of a cell: type, message and line."""

    name: str
    message: str
    traceback: str
    line: int | None


@dataclass(frozen=True)
class Done(OfCell):
    """The cell is over; nothing follows until the next one."""

    output: str | None
    value: "JsonValue"
    parts: list[PartItem]
    error: Fault | None


ChildFrame = Ready | Printed | Display | Call | Work | Answer | AlternativeAnswer | Done

_SHORT, _LONG = text(SHORT), text(LONG)
_LINE = optional(integer(1, 10**9))
_FAULT = record(Fault, name=_SHORT, message=_LONG, traceback=_LONG, line=_LINE)
_COLUMN = record(
    ColumnItem,
    name=_SHORT,
    kind=string_choice("number", "text", "date", "bool"),
    type=text(200),
    as_text=boolean,
)
_FILE = record(FileItem, kind=string_choice("figure", "file"), path=_SHORT, size=integer(-(2**63), 2**63))
_TABLE = record(
    TableItem,
    name=_SHORT,
    path=_SHORT,
    columns=array(_COLUMN, MAX_COLUMNS),
    rows=array(array(scalar), PREVIEW_ROWS),
    row_count=integer(0, 10**12),
)


_CHART = record(
    ChartItem,
    name=_SHORT,
    title=_SHORT,
    path=_SHORT,
    rows=integer(0, 10**12),
    shown=integer(0, 10**12),
    reduced=string_choice("", "sampled", "aggregated"),
    changes=name_to_anything,
    at=array(integer(0, 10**9), 2),
)


def _item(value: Any) -> FileItem | TableItem | ChartItem:
    kind = cast("dict[str, Any]", value).get("kind") if isinstance(value, dict) else None
    if kind in ("table", "chart"):
        fields = cast("dict[str, Any]", value)
        read: Reader[TableItem] | Reader[ChartItem] = _TABLE if kind == "table" else _CHART
        return read({key: fields[key] for key in fields if key != "kind"})
    return _FILE(value)


_PARTS = array(
    record(
        PartItem,
        kind=string_choice("markdown", "plain", "data", "item", "more"),
        caption=_SHORT,
        text=_LONG,
        item=integer(-1, 10**6),
        value=anything,
    ),
    MAX_PARTS,
)

_FRAMES: dict[str, Reader[ChildFrame]] = {
    "ready": record(Ready),
    "printed": record(Printed, cell=_SHORT, text=text(128 * 1024)),
    "shown": record(Display, cell=_SHORT, item=_item),
    "call": record(
        Call,
        cell=_SHORT,
        id=integer(1, 2**53),
        tool=_SHORT,
        args=array(anything),
        kwargs=name_to_anything,
        line=_LINE,
    ),
    "work": record(
        Work,
        cell=_SHORT,
        id=integer(1, 2**53),
        name=string_choice("sql"),
        query=text(2_000),
        line=_LINE,
        state=string_choice("running", "finished", "failed"),
        percent=integer(0, 100),
        words=_SHORT,
    ),
    "answer": record(Answer, cell=_SHORT, output=_LONG, value=anything, parts=_PARTS),
    "alternative": record(
        AlternativeAnswer,
        cell=_SHORT,
        sentence=_SHORT,
        error=_SHORT,
        output=_LONG,
        value=anything,
        parts=_PARTS,
    ),
    "done": record(
        Done, cell=_SHORT, output=optional(_LONG), value=anything, parts=_PARTS, error=optional(_FAULT)
    ),
}


class FrameReader:
    """Cuts a stream of bytes into bodies; never holds more than one frame and the data of one read."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Frames of the next bytes. Raises BadFrame."""
        self._buffer += data

    def next(self) -> bytes | None:
        """Return the next complete body, or None. Raises BadFrame if the announced length is too large."""
        if len(self._buffer) < 4:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > MAX_FRAME:
            raise BadFrame(f"a frame of {length:,} bytes (at most {MAX_FRAME:,} are taken)")
        if len(self._buffer) < 4 + length:
            return None
        body = bytes(self._buffer[4 : 4 + length])
        del self._buffer[: 4 + length]
        return body

    @property
    def empty(self) -> bool:
        return not self._buffer


def parse(body: bytes) -> ChildFrame:
    """Parse a frame. Raises BadFrame for an invalid one."""
    try:
        data = json.loads(body, parse_constant=_no_constant)
        return _frame(_tidied(data, 0))
    except RecursionError:
        raise BadFrame("JSON nested too deeply") from None
    except Mismatch as fault:
        raise BadFrame(f"an unknown frame ({fault})") from None
    except ValueError:  # invalid UTF-8, invalid JSON, or a number that is too large
        raise BadFrame("something that is not JSON") from None


def _frame(data: Any) -> ChildFrame:
    if not isinstance(data, dict):
        raise Mismatch("no object")
    fields = cast("dict[str, Any]", data)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in _FRAMES:
        raise Mismatch("its type")
    return _FRAMES[kind](fields)


def encode(frame: dict[str, Any]) -> bytes:
    """Return a frame of the host, ready to send. Raises ValueError if it is too large, TypeError if it is not JSON."""
    body = json.dumps(frame, separators=(",", ":")).encode("ascii")
    if len(body) > MAX_FRAME:
        raise ValueError(f"{len(body):,} bytes are more than the {MAX_FRAME:,} that one frame holds")
    return struct.pack(">I", len(body)) + body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _tidied(value: Any, depth: int) -> Any:
    """Return the same data with lone surrogates replaced (they cannot be stored or sent), to a limited depth."""
    if depth > MAX_DEPTH:
        raise BadFrame("JSON nested too deeply")
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_tidied(item, depth + 1) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value)
        return {_tidied(key, depth + 1): _tidied(item, depth + 1) for key, item in pairs.items()}
    return value
