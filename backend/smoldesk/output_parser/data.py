"""Detection and decoding of JSON objects and arrays in text.

`{}`, `[]`, `[7]` and `[[7]]` are too short to distinguish data from prose (a footnote, empty brackets), so they stay text,
except in a json fence. Numbers outside JSON's range (NaN, 1e999) and deep nesting are not data either.
"""

import json
import math
import re
from typing import Final, cast

from pydantic import JsonValue

from smoldesk.output_parser.json_tokens import MAX_DEPTH, JsonScan


class NoData:
    """Type of the NO_DATA sentinel; None is a valid JSON value."""


NO_DATA: Final = NoData()

# Brackets that may begin data, as a pattern without groups. The character after it excludes most brackets of prose.
OPENING = r'\{(?=[ \t]*+(?:["}]|$))|\[(?=[ \t]*+(?:[\[{"\-0-9\]]|true|false|null|$))'

# Maximum characters of an answer sent as data; a larger one is sent as text only.
MAX_DATA = 1_000_000

# Characters passed to the C decoder at once; a longer value is scanned token by token first.
WINDOW = 4_096

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def _finite_float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


def _reject_constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_float=_finite_float, parse_constant=_reject_constant)


def value_in_line(text: str, at: int) -> tuple[JsonValue | NoData, int] | None:
    """Decode a short object or array at `at`; return it and its end, or None if `JsonScan` has to decide."""
    # A JSONDecodeError counts the newlines before the error. Decoding a window instead of the whole text keeps a line
    # of brackets linear.
    window = text[at : at + WINDOW]
    try:
        value, length = _DECODER.raw_decode(window)
    except (ValueError, RecursionError):
        return None
    source = window[:length]
    if source.count("[") + source.count("{") > MAX_DEPTH:
        return None  # possibly too deep: JsonScan counts the levels
    return (_sendable(value, source) if _is_enough(value) else NO_DATA), at + length


def data_of(text: str) -> JsonValue | NoData:
    """Decode a text that is one object or array of at most MAX_DEPTH levels; return NO_DATA for `[7]` and the like."""
    value = any_data_of(text)
    return value if _is_enough(value) else NO_DATA


def any_data_of(text: str) -> JsonValue | NoData:
    """Decode a text that is one object or array, even a short one; return NO_DATA beyond MAX_DEPTH levels."""
    text = text.strip()
    if text[:1] not in ("{", "[") or JsonScan().feed(text).state != "ended":
        return NO_DATA
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return NO_DATA
    return _sendable(value, text)


def plain_data(value: object) -> JsonValue:
    """Return a non-empty object or array that JSON can represent within MAX_DATA characters, else None."""
    if not isinstance(value, dict | list) or not value:
        return None
    try:
        text = json.dumps(cast(object, value))
    except (TypeError, ValueError, RecursionError):
        return None
    data = any_data_of(text) if len(text) <= MAX_DATA else NO_DATA
    return None if isinstance(data, NoData) else data


def _is_enough(value: object) -> bool:
    """Return whether the value holds more than brackets around one number."""
    while isinstance(value, list):
        items = cast(list[object], value)
        if len(items) != 1:
            return bool(items)
        value = items[0]
        if isinstance(value, str):
            return True
    return isinstance(value, dict) and bool(cast(object, value))


def _sendable(value: object, source: str) -> JsonValue:
    """Replace lone surrogates, which Python decodes and UTF-8 cannot encode."""
    if source.isascii() and _HALF_PAIR.search(source) is None:
        return cast(JsonValue, value)
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return cast(JsonValue, json.loads(text))
