"""Frames as the host reads them: nothing the child says is believed before it was measured and checked.

A frame is 4 bytes of length (big endian) and that many bytes of JSON. `FrameReader` cuts the stream, `parse`
makes one of the shapes below of a body, or raises BadFrame; whoever gets that ends the child.
"""

import json
import struct
from typing import Annotated, Any, Literal, NoReturn, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from smoldesk.sandbox.inside.channel import MAX_FRAME

MAX_DEPTH = 60
MAX_COLUMNS = 1_000
PREVIEW_ROWS = 50

Short = Annotated[str, Field(max_length=1_000)]
Scalar = bool | int | float | str | None


class BadFrame(Exception):
    """The child sent something that is no frame; the message says what, without repeating it."""


class FromChild(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Ready(FromChild):
    """The child has imported its packages and takes cells."""

    type: Literal["ready"]


class OfCell(FromChild):
    """`cell` is the host's secret name of the running cell; frames under another one are refused."""

    cell: Short


class Printed(OfCell):
    type: Literal["printed"]
    text: Annotated[str, Field(max_length=128 * 1024)]


class FileItem(FromChild):
    kind: Literal["figure", "file"]
    path: Short
    size: int


class ColumnItem(FromChild):
    name: Short
    kind: Literal["number", "text", "date", "bool"]


class TableItem(FromChild):
    kind: Literal["table"]
    name: Short
    path: Short
    columns: Annotated[list[ColumnItem], Field(max_length=MAX_COLUMNS)]
    rows: Annotated[list[list[Scalar]], Field(max_length=PREVIEW_ROWS)]
    row_count: Annotated[int, Field(ge=0, le=10**12)]


class Shown(OfCell):
    type: Literal["shown"]
    item: Annotated[FileItem | TableItem, Field(discriminator="kind")]


class Call(OfCell):
    type: Literal["call"]
    id: Annotated[int, Field(ge=1, le=2**53)]
    tool: Short
    args: list[JsonValue]
    kwargs: dict[str, JsonValue]
    line: Annotated[int, Field(ge=1, le=10**9)] | None


class Answer(OfCell):
    """The final answer, sent when it is given: it counts even if the cell never comes to its end."""

    type: Literal["answer"]
    output: Annotated[str, Field(max_length=64 * 1024)]
    value: JsonValue


class Fault(FromChild):
    name: Short
    message: Annotated[str, Field(max_length=64 * 1024)]
    traceback: Annotated[str, Field(max_length=64 * 1024)]
    line: Annotated[int, Field(ge=1, le=10**9)] | None


class Done(OfCell):
    """The cell is over; nothing follows until the next one."""

    type: Literal["done"]
    output: Annotated[str, Field(max_length=64 * 1024)] | None
    value: JsonValue
    error: Fault | None


ChildFrame = Ready | Printed | Shown | Call | Answer | Done
_adapter: TypeAdapter[ChildFrame] = TypeAdapter(Annotated[ChildFrame, Field(discriminator="type")])


class FrameReader:
    """Cuts a stream of bytes into bodies; never holds more than one frame and what one read brings."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> bytes | None:
        """The next complete body, or None; raises BadFrame when one is announced that is too large."""
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
    """The frame in `body`; raises BadFrame for anything that is none."""
    try:
        data = json.loads(body, parse_constant=_no_constant)
        return _adapter.validate_python(_tidied(data, 0))
    except RecursionError:
        raise BadFrame("JSON nested too deeply") from None
    except ValidationError as fault:
        first = fault.errors(include_input=False, include_url=False)[0]
        raise BadFrame(f"an unknown frame ({first['type']})") from None
    except ValueError:  # no UTF-8, no JSON, a number nobody can hold
        raise BadFrame("something that is not JSON") from None


def encode(frame: dict[str, Any]) -> bytes:
    """A frame of the host's, ready to send; raises ValueError if too large, TypeError if not JSON."""
    body = json.dumps(frame, separators=(",", ":")).encode("ascii")
    if len(body) > MAX_FRAME:
        raise ValueError(f"{len(body):,} bytes are more than the {MAX_FRAME:,} that one frame holds")
    return struct.pack(">I", len(body)) + body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _tidied(value: Any, depth: int) -> Any:
    """The same data with half surrogates replaced (they cannot be stored or sent); bounded in depth."""
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
