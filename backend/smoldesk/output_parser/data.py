"""What counts as data in a text, and reading it: objects and arrays, as plain values that JSON can carry.

`{}`, `[]`, `[7]` and `[[7]]` are too little to tell data from prose (a footnote, an empty pair of brackets), so they stay
text, save in a fence that says json. Numbers JSON has no room for (NaN, 1e999) and too deep nesting are no data.
"""

import json
import math
import re
from typing import Final, cast

from pydantic import JsonValue

from smoldesk.output_parser.json_tokens import MAX_DEPTH, JsonScan


class NoData:
    """What stands for "this is not data", where None is a value."""


NO_DATA: Final = NoData()

# Brackets that may begin data, as a pattern without groups: most brackets of prose are told by the next sign.
OPENING = r'\{(?=[ \t]*+(?:["}]|$))|\[(?=[ \t]*+(?:[\[{"\-0-9\]]|true|false|null|$))'

# Characters an answer that is data may have as JSON; a larger one is told as text only.
MAX_DATA = 1_000_000

# Characters the C decoder is given to find a value in; a longer one is followed token by token first.
WINDOW = 4_096

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


def _constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_float=_float, parse_constant=_constant)


def value_in_line(text: str, at: int) -> tuple[JsonValue | NoData, int] | None:
    """A short object or array that begins at `at`, and where it ends; None when that takes a closer look."""
    # of a window: a decoder that fails counts all the lines before, which would make a line of brackets quadratic
    window = text[at : at + WINDOW]
    try:
        value, length = _DECODER.raw_decode(window)
    except (ValueError, RecursionError):
        return None
    source = window[:length]
    if source.count("[") + source.count("{") > MAX_DEPTH:
        return None  # perhaps too deep: only counting levels tells
    return (_sendable(value, source) if _is_enough(value) else NO_DATA), at + length


def data_of(text: str) -> JsonValue | NoData:
    """The data of a text that is one object or array of at most MAX_DEPTH levels; NO_DATA for `[7]` and the like."""
    value = any_data_of(text)
    return value if _is_enough(value) else NO_DATA


def any_data_of(text: str) -> JsonValue | NoData:
    """The data of a text that is one object or array, however little it holds; levels are counted here."""
    text = text.strip()
    if text[:1] not in ("{", "[") or JsonScan().feed(text).state != "ended":
        return NO_DATA
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return NO_DATA
    return _sendable(value, text)


def plain_data(value: object) -> JsonValue:
    """The value when it is an object or array with something in it that JSON can carry, else None; MAX_DATA holds."""
    if not isinstance(value, dict | list) or not value:
        return None
    try:
        text = json.dumps(cast(object, value))
    except (TypeError, ValueError, RecursionError):
        return None
    data = any_data_of(text) if len(text) <= MAX_DATA else NO_DATA
    return None if isinstance(data, NoData) else data


def _is_enough(value: object) -> bool:
    """Whether there is more in it than brackets around one number."""
    while isinstance(value, list):
        items = cast(list[object], value)
        if len(items) != 1:
            return bool(items)
        value = items[0]
        if isinstance(value, str):
            return True
    return isinstance(value, dict) and bool(cast(object, value))


def _sendable(value: object, source: str) -> JsonValue:
    """The value without halves of surrogate pairs, which Python reads and UTF-8 cannot write."""
    if source.isascii() and _HALF_PAIR.search(source) is None:
        return cast(JsonValue, value)
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return cast(JsonValue, json.loads(text))
