"""Protocol buffers' wire format, as much of it as checks and builds Spark Connect's messages.

The server needs neither PySpark nor its generated classes: a message is a sequence of fields, read by number and written
again in the shortest form. https://protobuf.dev/programming-guides/encoding
"""

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_SIZES = {FIXED64: 8, FIXED32: 4}

Value = int | bytes


class BadEncoding(ValueError):
    """Bytes other than a message, or one not in the form that every parser reads alike."""


def fields(data: bytes) -> Iterator[tuple[int, int, Value]]:
    """Yield number, wire type and value of each field. Raises BadEncoding."""
    place = 0
    while place < len(data):
        tag, place = _varint(data, place, 5)
        number, kind = tag >> 3, tag & 7
        if not 0 < number < 1 << 29:
            raise BadEncoding("a field's number is out of range")
        if kind == VARINT:
            value, place = _varint(data, place, 10)
            yield number, kind, value
            continue
        if kind == BYTES:
            size, place = _varint(data, place, 5)
        elif kind in _SIZES:
            size = _SIZES[kind]
        else:
            raise BadEncoding(f"wire type {kind} is not used")
        if size > len(data) - place:
            raise BadEncoding("a field is longer than its message")
        yield number, kind, data[place : place + size]
        place += size


def field(number: int, value: Value | str | bool, kind: int | None = None) -> bytes:
    """Return one encoded field; `kind` is needed for fixed sizes only."""
    if isinstance(value, int):
        return _encoded(number << 3 | VARINT) + _encoded(value & (1 << 64) - 1)
    data = value.encode() if isinstance(value, str) else value
    if kind in _SIZES:
        return _encoded(number << 3 | kind) + data
    return _encoded(number << 3 | BYTES) + _encoded(len(data)) + data


def first(data: bytes, *path: int) -> Value | None:
    """Return the value at a path of field numbers, the last one of each as parsers do; None if there is none."""
    value: Value | None = data
    for number in path:
        if not isinstance(value, bytes):
            return None
        matches = [item for at, _, item in fields(value) if at == number]
        value = matches[-1] if matches else None
    return value


def text(value: Value | None) -> str:
    """Return a string field's text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _varint(data: bytes, place: int, most: int) -> tuple[int, int]:
    value = 0
    for index in range(most):
        if place + index >= len(data):
            raise BadEncoding("the message ends within a number")
        byte = data[place + index]
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            if value >= 1 << (64 if most == 10 else 32):
                raise BadEncoding("a number is too large")
            return value, place + index + 1
    raise BadEncoding("a number is too long")


def _encoded(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
