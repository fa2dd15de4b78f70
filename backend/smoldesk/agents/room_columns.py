"""Columns of room numbers in tables: integers such as 2101 are names of rooms, not quantities."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex

if TYPE_CHECKING:
    from smoldesk.analyst.catalogue import ColumnInfo

_HEADER = re.compile(
    r"\b(?:room|rooms|roomno|roomnumber|space|unit|location|raum)\b|部屋|教室|号室|室番号|場所|^室$"
)
# Share of the values that must be rooms.
_LEAST = 0.5


def may_have_rooms(header: str) -> bool:
    """Return whether a header is that of rooms: `room`, `Room No.`, 部屋番号."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\W]+", " ", header)
    return bool(_HEADER.search(fold(text)))


def as_rooms(column: "ColumnInfo", values: Sequence[str], places: PlaceIndex) -> "ColumnInfo":
    """Return a column of whole numbers that are rooms as one of texts; any other column unchanged."""
    from dataclasses import replace

    from smoldesk.analyst.catalogue import ROOM_NUMBERS

    numbers = [value.removesuffix(".0") for value in values]
    are_whole = bool(numbers) and all(number.isdigit() for number in numbers)
    if column.kind != "number" or column.form or not are_whole or not may_have_rooms(column.name):
        return column
    if sum(bool(places.named(number)) for number in numbers) < _LEAST * len(numbers):
        return column
    few = numbers if column.values else []
    return replace(column, kind="text", form=ROOM_NUMBERS, values=few, role="name")
