"""JSON as its standard has it: no NaN, no Infinity, no lone surrogates, which UTF-8 and databases cannot hold."""

import json
import math
from typing import Any


def read_strict_json(text: str | bytes) -> Any:
    """Parse a JSON text, lone surrogates replaced by '?'. Raises ValueError, or RecursionError if it is nested too deep.

    RFC 8259, section 6: NaN and Infinity are not numbers, and 1e999 would become one.
    """
    return without_surrogates(json.loads(text, parse_constant=_finite, parse_float=_finite))


def without_surrogates(value: Any) -> Any:
    """Return the same JSON data with each lone surrogate replaced by '?'."""
    if isinstance(value, str):
        plain = type(value) is str and value.isascii()
        return value if plain else value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def _finite(number: str) -> float:
    if not math.isfinite(value := float(number)):
        raise ValueError(f"{number[:20]} is not a JSON number")
    return value


def check_finite(value: Any) -> None:
    """Raise ValueError for a number that JSON cannot represent, at any depth."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is not finite")
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():  # pyright: ignore
        check_finite(item)
