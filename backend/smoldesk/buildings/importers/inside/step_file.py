"""StepFile of a STEP physical file (ISO 10303-21), the text form of IFC: attributes by entity, without geometry.

The file is scanned once. Attributes are parsed when a record is asked for, since most of a file is geometry that the
IFC library reads.
"""

import codecs
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from smoldesk.tables.inside.encodings import detect

from .draft import Unreadable

END = b"END-ISO-10303-21"
_COMMENT = re.compile(rb"'[^']*+'|/\*.*?\*/", re.DOTALL)
# Doubled quotation marks are two strings here. Possessive, so that a hostile file costs linear time.
_RECORD = re.compile(
    rb"#(\d{1,18})\s*+=\s*+(?:([A-Z][A-Z0-9_]*+)\s*+\(([^';]*+(?:'[^']*+'[^';]*+)*+);|([A-Z(]))"
)
_SCHEMA = re.compile(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'")
_TOKEN = re.compile(
    rb"\s*+(?:'((?:[^']|'')*+)'|#(\d{1,18})|\.([A-Za-z0-9_]+)\.|([+-]?\d[\d.]*+(?:[eE][+-]?\d+)?)|([$*])|([(),])"
    rb"|([A-Z][A-Z0-9_]*+)|\"([0-9A-F]*+)\")"
)
_ESCAPE = re.compile(
    r"\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P[A-I]\\|\\\\"
)
MAX_DEPTH = 20


class StepRef(int):
    """Number of another record, `#12`."""


@dataclass(frozen=True)
class StepRecord:
    """One entity: its number, its type in capitals, and its attributes in the order of the schema."""

    id: int
    kind: str
    values: list[Any]

    def value(self, position: int) -> Any:
        """Return an attribute, None if it is unset or missing."""
        return self.values[position] if position < len(self.values) else None

    def text(self, position: int) -> str:
        """Return an attribute as text, "" without one."""
        value = self.value(position)
        return " ".join(value.split()) if isinstance(value, str) else ""

    def number(self, position: int) -> float | None:
        """Return an attribute as a number, also behind its type: `IFCRATIOMEASURE(0.3048)`."""
        value = self.value(position)
        if isinstance(value, list) and len(values := cast("list[Any]", value)) == 1:
            value = values[0]
        return value if isinstance(value, float) and math.isfinite(value) else None

    def ref(self, position: int) -> StepRef | None:
        """Return an attribute that names another record."""
        value = self.value(position)
        return value if isinstance(value, StepRef) else None

    def refs(self, position: int) -> list[StepRef]:
        """Return an attribute that is a list of records, or one."""
        value = self.value(position)
        values = cast("list[Any]", value) if isinstance(value, list) else [value]
        return [item for item in values if isinstance(item, StepRef)]


class StepFile:
    """All records of a file by number and type. Raises Unreadable if the file is cut off."""

    def __init__(self, data: bytes) -> None:
        if END not in data[-65_536:]:
            raise Unreadable(
                "The file ends early: the line END-ISO-10303-21 is missing. Export or send it again."
            )
        self._data = _COMMENT.sub(_string_only, data) if b"/*" in data else data
        schema = _SCHEMA.search(self._data[:65_536])
        self.schema = schema[1].decode("ascii", "replace").upper() if schema else ""
        self._ids, self._spans, self._kinds = self._scan()
        self._order = np.argsort(self._ids, kind="stable")
        self._encoding = ""

    def of(self, *kinds: str) -> Iterator[StepRecord]:
        """Yield the records of these types, in the order of the file."""
        for place in sorted(place for kind in kinds for place in self._kinds.get(kind, [])):
            yield self._record(place)

    def get(self, ref: int | None) -> StepRecord | None:
        """Return a record, None if the file lacks it."""
        if ref is None:
            return None
        at = int(np.searchsorted(self._ids, ref, sorter=self._order))
        if at == len(self._order) or self._ids[self._order[at]] != ref:
            return None
        return self._record(int(self._order[at]))

    def _scan(self) -> "tuple[Any, Any, dict[str, list[int]]]":
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        kinds: dict[str, list[int]] = {}
        for match in _RECORD.finditer(self._data):
            if match[4] is not None:
                if match[4] == b"(":
                    continue  # an instance of several types, which IFC does not use
                raise Unreadable(
                    f"StepRecord #{match[1].decode()} does not end. Export or send the file again."
                )
            kinds.setdefault(match[2].decode(), []).append(len(ids))
            ids.append(int(match[1]))
            spans.append((match.start(2), match.end(3)))
        return np.array(ids, dtype=np.int64), np.array(spans, dtype=np.int64).reshape(-1, 2), kinds

    def _record(self, place: int) -> StepRecord:
        start, end = (int(offset) for offset in self._spans[place])
        text = self._data[start:end]
        kind, _, attributes = text.partition(b"(")
        return StepRecord(int(self._ids[place]), kind.strip().decode(), self._values(attributes))

    def _values(self, text: bytes) -> list[Any]:
        """Parse the attributes after their opening parenthesis; what cannot be parsed ends them."""
        top: list[Any] = []
        stack = [top]
        for match in _TOKEN.finditer(text):
            string, ref, enum, number, unset, sign, _, binary = match.groups()
            if sign == b"(":
                inner: list[Any] = []
                stack[-1].append(inner)
                stack.append(inner)
                if len(stack) > MAX_DEPTH:
                    break
            elif sign == b")":
                stack.pop()
                if not stack:
                    break
            elif sign != b"," and (value := self._value(string, ref, enum, number, unset, binary)) is not ...:
                stack[-1].append(value)
        return top

    def _value(self, string: Any, ref: Any, enum: Any, number: Any, unset: Any, binary: Any) -> Any:
        """Return the value of a token; `...` for a type before its value, such as IFCLABEL."""
        if string is not None:
            return decode_string(self._text(string))
        if ref is not None:
            return StepRef(ref)
        if enum is not None:
            return enum.decode()
        if number is not None:
            return float(number)
        if unset is not None or binary is not None:
            return None
        return ...

    def _text(self, raw: bytes) -> str:
        """Decode bytes beyond ASCII, which the standard does not allow but programs write."""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            if not self._encoding:
                self._encoding = detect(io.BufferedReader(io.BytesIO(self._data))).name
            return raw.decode(self._encoding, "replace")


def decode_string(text: str) -> str:
    r"""Replace the escapes of ISO 10303-21: `''`, `\X2\`, `\X4\`, `\X\` and `\S\`."""
    return _ESCAPE.sub(_unescaped, text.replace("''", "'")) if "\\" in text else text.replace("''", "'")


def _unescaped(match: "re.Match[str]") -> str:
    if match[1] is not None:
        return bytes.fromhex(match[1]).decode("utf-16-be", "replace")
    if match[2] is not None:
        return codecs.decode(bytes.fromhex(match[2]), "utf-32-be", "replace")
    if match[3] is not None:
        return chr(int(match[3], 16))
    if match[4] is not None:
        return chr(ord(match[4]) | 0x80)
    return "\\" if match[0] == "\\\\" else ""


def _string_only(match: "re.Match[bytes]") -> bytes:
    return match[0] if match[0][:1] == b"'" else b" "
