"""Spark's types, as an answer has them: their kind for the page, and their names in Spark's SQL."""

from typing import Literal

from smoldesk.tools.databases.spark.wire import Value, fields, first, text

Kind = Literal["number", "text", "date", "bool"]
# Fields of DataType.
_SIMPLE: dict[int, tuple[Kind, str]] = {
    1: ("text", "void"),
    2: ("text", "binary"),
    3: ("bool", "boolean"),
    4: ("number", "tinyint"),
    5: ("number", "smallint"),
    6: ("number", "int"),
    7: ("number", "bigint"),
    8: ("number", "float"),
    9: ("number", "double"),
    11: ("text", "string"),
    12: ("text", "char"),
    13: ("text", "varchar"),
    14: ("date", "date"),
    15: ("date", "timestamp"),
    16: ("date", "timestamp_ntz"),
    17: ("text", "interval"),
    18: ("text", "interval year to month"),
    19: ("text", "interval day to second"),
    25: ("text", "variant"),
    28: ("text", "time"),
}
_DECIMAL, _ARRAY, _STRUCT, _MAP = 10, 20, 21, 22
MAX_DEPTH = 10


def spelled(data_type: Value | None, depth: int = 0) -> tuple[Kind, str]:
    """Return a type's kind and name."""
    parts = list(fields(data_type)) if isinstance(data_type, bytes) else []
    if len(parts) != 1 or depth > MAX_DEPTH:
        return "text", "unknown"
    number, _, value = parts[0]
    if number == _DECIMAL:
        return "number", f"decimal({_digits(value, 2)},{_digits(value, 1)})"
    if number == _ARRAY:
        return "text", f"array<{_inner(value, 1, depth)}>"
    if number == _MAP:
        return "text", f"map<{_inner(value, 1, depth)},{_inner(value, 2, depth)}>"
    if number == _STRUCT and isinstance(value, bytes):
        members = [item for at, _, item in fields(value) if at == 1 and isinstance(item, bytes)]
        names = (f"{text(first(item, 1))}:{_inner(item, 2, depth)}" for item in members)
        return "text", f"struct<{','.join(names)}>"
    return _SIMPLE.get(number, ("text", "unknown"))


def _inner(value: Value, number: int, depth: int) -> str:
    return spelled(first(value, number) if isinstance(value, bytes) else None, depth + 1)[1]


def _digits(value: Value, number: int) -> int:
    digits = first(value, number) if isinstance(value, bytes) else None
    return digits if isinstance(digits, int) else 0
