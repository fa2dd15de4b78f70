"""Shapes of JSON that nobody trusts: each reader takes a value as it is and gives it back, or raises Mismatch. Pure.

Nothing is converted: true is no number, "1" is none, and an object has just the fields that were named.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")
Reader = Callable[[Any], T]


class Mismatch(Exception):
    """The value has another shape; the words say what was expected and repeat nothing of the value."""


def text(longest: int) -> Reader[str]:
    """A string of at most so many characters."""

    def read(value: Any) -> str:
        if type(value) is not str or len(value) > longest:
            raise Mismatch(f"no text of at most {longest:,} characters")
        return value

    return read


def integer(least: int, most: int) -> Reader[int]:
    """A whole number in this range, both ends included."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Mismatch(f"no whole number from {least} to {most}")
        return value

    return read


def boolean(value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise Mismatch("neither true nor false")
    return value


def string_choice(*values: str) -> Reader[Any]:
    """One of these strings."""

    def read(value: Any) -> Any:
        if type(value) is not str or value not in values:
            raise Mismatch(f"none of {', '.join(values)}")
        return value

    return read


def optional(inner: Reader[T]) -> Reader[T | None]:
    """The same, or null."""
    return lambda value: None if value is None else inner(value)


def array(inner: Reader[T], most: int | None = None) -> Reader[list[T]]:
    """An array of these, at most so many."""

    def read(value: Any) -> list[T]:
        if type(value) is not list:
            raise Mismatch("no array")
        items = cast("list[Any]", value)
        if most is not None and len(items) > most:
            raise Mismatch(f"more than {most:,} items")
        return [inner(item) for item in items]

    return read


def record(make: Callable[..., T], **fields: Reader[Any]) -> Reader[T]:
    """An object with exactly these fields, as what `make` makes of them."""

    def read(value: Any) -> T:
        if type(value) is not dict:
            raise Mismatch("no object")
        given = cast("dict[str, Any]", value)
        if given.keys() != fields.keys():
            raise Mismatch(f"not the fields {', '.join(fields) or 'of none'}")
        return make(**{name: inner(given[name]) for name, inner in fields.items()})

    return read


def scalar(value: Any) -> bool | int | float | str | None:
    """A value that is no array and no object."""
    if isinstance(value, dict | list):
        raise Mismatch("no single value")
    return cast("bool | int | float | str | None", value)


def anything(value: Any) -> Any:
    """Whatever JSON can say."""
    return value


def name_to_anything(value: Any) -> dict[str, Any]:
    """An object with any fields."""
    if type(value) is not dict:
        raise Mismatch("no object")
    return cast("dict[str, Any]", value)
