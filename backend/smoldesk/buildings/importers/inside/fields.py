"""One object of the file at a known place: its members by type, and a finding for each that is not as it should be."""

import math
from collections.abc import Collection
from typing import Any, cast

from .draft import LONGEST_NAME, Unreadable, clipped, too_many
from .findings import Findings

Pair = tuple[float, float]


class Fields:
    """`data` is one JSON value that should be an object; `where` its path, "" for the whole file."""

    def __init__(self, data: Any, where: str, findings: Findings) -> None:
        self.where = where
        self.findings = findings
        self._data: dict[str, Any] = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            findings.add("expected", where, expected="object", value=kind_of(data))

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def keys(self) -> list[str]:
        """Return the names of the fields that are there."""
        return list(self._data)

    def raw(self, name: str) -> Any:
        """Return a field unchanged, or None."""
        return self._data.get(name)

    def raw_all(self) -> dict[str, Any]:
        """Return all fields unchanged."""
        return self._data

    def at(self, name: str) -> str:
        """Return the path of a member."""
        return f"{self.where}.{name}" if self.where else name

    def only(self, allowed: Collection[str]) -> None:
        """Note members that nothing is made of."""
        for name in (name for name in self._data if name not in allowed):
            self.findings.add("not_used", self.where, kind=name)

    def expected(self, name: str, expected: str, value: object) -> None:
        """Add the error that a member is not as it should be; the words are those of JSON."""
        self.findings.add("expected", self.at(name), expected=expected, value=value)

    def missing(self, name: str, expected: str) -> None:
        """Add the error that a member is missing."""
        self.findings.add("missing", self.at(name), expected=expected)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text of at most 200 characters; required unless there is a default."""
        value = self._data.get(name)
        if value is None:
            if default is None:
                self.missing(name, "text")
            return default or ""
        if not isinstance(value, str):
            self.expected(name, "text", kind_of(value))
            return ""
        if len(value) > LONGEST_NAME:
            self.expected(name, f"text ≤ {LONGEST_NAME}", len(value))
            return value[:LONGEST_NAME]
        return value

    def number(self, name: str, needed: bool = True) -> float | None:
        """Return a finite number."""
        value = self._data.get(name)
        if value is None:
            if needed:
                self.missing(name, "number")
            return None
        return as_number(value, self.at(name), self.findings)

    def flag(self, name: str, default: bool) -> bool:
        """Return a boolean field; any other value is a finding and False."""
        value = self._data.get(name, default)
        if not isinstance(value, bool):
            self.expected(name, "true / false", kind_of(value))
            return default
        return value

    def below(self, name: str) -> "Fields":
        """Return the fields of an object inside this one, with its place."""
        return Fields({} if self._data.get(name) is None else self._data[name], self.at(name), self.findings)

    def read_list(self, name: str, what: str, most: int) -> list[Any]:
        """Return a list. Raises Unreadable beyond `most` items, since the findings would be useless."""
        value = self._data.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.expected(name, "list", kind_of(value))
            return []
        items = cast("list[Any]", value)
        if len(items) > most:
            raise too_many(what, len(items), most, self.at(name))
        return items

    def objects(self, name: str, what: str, most: int) -> "list[Fields]":
        """Return the objects of a list, each with its place; other values are findings."""
        items = self.read_list(name, what, most)
        return [Fields(item, f"{self.at(name)}[{n}]", self.findings) for n, item in enumerate(items)]

    def point(self, name: str) -> Pair | None:
        """{x, y}, or [x, y]."""
        if self._data.get(name) is None:
            self.missing(name, "{x, y}")
            return None
        return as_point(self._data[name], self.at(name), self.findings)


def as_number(value: Any, where: str, findings: Findings) -> float | None:
    """Return a finite number of at most 1e9; anything else is a finding."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        findings.add("expected", where, expected="number", value=kind_of(value))
        return None
    if not (math.isfinite(value) if isinstance(value, float) else True) or abs(value) > 1e9:
        findings.add("expected", where, expected="number ≤ 1e9", value=clipped(value, 20))
        return None
    return float(value)


def as_point(value: Any, where: str, findings: Findings) -> Pair | None:
    """Return (x, y) of a JSON point, or None."""
    if isinstance(value, dict):
        fields = Fields(cast(Any, value), where, findings)
        x, y = fields.number("x"), fields.number("y")
    elif isinstance(value, list) and len(cast("list[Any]", value)) >= 2:
        pair = cast("list[Any]", value)
        x = as_number(pair[0], f"{where}[0]", findings)
        y = as_number(pair[1], f"{where}[1]", findings)
    else:
        findings.add("expected", where, expected="{x, y}", value=kind_of(cast(object, value)))
        return None
    return None if x is None or y is None else (x, y)


def kind_of(value: object) -> str:
    """Return the kind of a JSON value, for an error."""
    names: dict[type, str] = {
        dict: "object", list: "list", str: "text", bool: "true / false", int: "number", float: "number"
    }  # fmt: skip
    return names.get(type(value), "null")


def expect_object(data: Any) -> None:
    """Raise Unreadable if the file's value is not an object."""
    if not isinstance(data, dict):
        raise Unreadable(f"Expected an object at the top of the file, not {kind_of(data)}.")
