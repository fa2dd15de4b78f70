"""Shapes of untrusted JSON: each reader returns a value unchanged or raises Mismatch. Pure.

Values are not converted: true is not a number, nor is "1", and an object has exactly the named fields.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")
Reader = Callable[[Any], T]


class Mismatch(Exception):
    """The value has another shape; the message names what was expected and repeats nothing of the value."""


def text(longest: int) -> Reader[str]:
    """Return a reader of strings with at most `longest` characters."""

    def read(value: Any) -> str:
        if type(value) is not str or len(value) > longest:
            raise Mismatch(f"no text of at most {longest:,} characters")
        return value

    return read


def integer(least: int, most: int) -> Reader[int]:
    """Return a reader of integers from `least` to `most`, both included."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Mismatch(f"no whole number from {least} to {most}")
        return value

    return read


def boolean(value: Any) -> bool:
    """Return a boolean. Raises Mismatch."""
    if type(value) is not bool:
        raise Mismatch("neither true nor false")
    return value


def string_choice(*values: str) -> Reader[Any]:
    """Return one of these strings."""

    def read(value: Any) -> Any:
        if type(value) is not str or value not in values:
            raise Mismatch(f"none of {', '.join(values)}")
        return value

    return read


def optional(inner: Reader[T]) -> Reader[T | None]:
    """Return a reader that also accepts null."""
    return lambda value: None if value is None else inner(value)


def array(inner: Reader[T], most: int | None = None) -> Reader[list[T]]:
    """Return a reader of arrays with at most `most` items."""

    def read(value: Any) -> list[T]:
        if type(value) is not list:
            raise Mismatch("no array")
        items = cast("list[Any]", value)
        if most is not None and len(items) > most:
            raise Mismatch(f"more than {most:,} items")
        return [inner(item) for item in items]

    return read


def record(make: Callable[..., T], **fields: Reader[Any]) -> Reader[T]:
    """Return a reader of objects with exactly these fields, converted by `make`."""

    def read(value: Any) -> T:
        if type(value) is not dict:
            raise Mismatch("no object")
        given = cast("dict[str, Any]", value)
        if given.keys() != fields.keys():
            raise Mismatch(f"not the fields {', '.join(fields) or 'of none'}")
        return make(**{name: inner(given[name]) for name, inner in fields.items()})

    return read


def scalar(value: Any) -> bool | int | float | str | None:
    """Return a value that is neither array nor object. Raises Mismatch."""
    if isinstance(value, dict | list):
        raise Mismatch("no single value")
    return cast("bool | int | float | str | None", value)


def anything(value: Any) -> Any:
    """Return any JSON value."""
    return value


def name_to_anything(value: Any) -> dict[str, Any]:
    """Return an object with any fields. Raises Mismatch."""
    if type(value) is not dict:
        raise Mismatch("no object")
    return cast("dict[str, Any]", value)
