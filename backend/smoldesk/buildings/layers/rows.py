"""Readings of a live layer, from JSON rows, CSV text and MQTT messages. Each fault names the row, counted from 1. Pure."""

import csv
import io
import math
import time as clock
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from smoldesk.errors import BadInput
from smoldesk.messages.strict_json import read_strict_json

# Maximum rows of one request.
MAX_ROWS = 20_000
# Maximum characters of a room's name and of a time.
LONGEST_ROOM, LONGEST_TIME = 200, 60
# A value must be smaller, without its sign: colours are made of differences, which must be finite.
LARGEST_VALUE = 1e300
# Seconds that a time may be ahead of the server's clock. A later one would hide all that follow.
AHEAD = 3_600.0
# Times above this are in milliseconds: in seconds it is in the year 5138.
_MILLISECONDS = 1e11
EXPECTED = (
    'Expected rows such as {"room": "Kitchen", "time": "2026-05-01T10:00:00Z", "value": 21.5}, as a JSON array, '
    'in {"rows": [...]} or as CSV with the columns room, time, value. Without a time it is now.'
)


class RoomValue(NamedTuple):
    """One value of a room; `time` in seconds since the epoch."""

    room: str
    time: float
    value: float


def readings_of_rows(rows: Any, now: float) -> list[RoomValue]:
    """Return the readings of JSON rows: objects, or lists of room, time and value. Raises BadInput."""
    if isinstance(rows, Mapping) and isinstance(cast("Mapping[str, Any]", rows).get("rows"), list):
        rows = cast("Mapping[str, Any]", rows)["rows"]
    if not isinstance(rows, list):
        raise BadInput("The body has no rows.", EXPECTED, code="bad_rows")
    items = cast("list[Any]", rows)
    _check_count(len(items))
    return [_reading(item, number, now) for number, item in enumerate(items, 1)]


def readings_of_csv(text: str, now: float) -> list[RoomValue]:
    """Return the readings of CSV text with a header. Raises BadInput."""
    lines = csv.reader(io.StringIO(text), strict=True)  # a quote that never ends is no CSV
    try:
        header = [name.strip().lower() for name in next(lines, list[str]())]
        places = {name: header.index(name) for name in ("room", "time", "value") if name in header}
        if "room" not in places or "value" not in places:
            raise BadInput("The first line does not name the columns.", EXPECTED, code="bad_rows")
        return [*_of_lines(lines, places, now)]
    except csv.Error as fault:
        raise BadInput(f"This is not CSV: {fault}.", EXPECTED, code="bad_rows") from None


def readings_of_message(payload: bytes, room: str | None, now: float) -> list[RoomValue]:
    """Return the readings of an MQTT message: a number, or JSON. `room` is that of its topic, if it names one.

    Raises BadInput.
    """
    try:
        value = read_strict_json(payload)
    except (ValueError, RecursionError):
        raise BadInput("The message is neither a number nor JSON.", EXPECTED, code="bad_rows") from None
    if isinstance(value, list) or (isinstance(value, Mapping) and "rows" in value):
        return readings_of_rows(value, now)
    row = dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {"value": value}
    if room is not None:
        row.setdefault("room", room)
    return [_reading(row, 1, now)]


def _check_count(count: int) -> None:
    if count == 0:
        raise BadInput("There are no rows.", EXPECTED, code="bad_rows")
    if count > MAX_ROWS:
        raise BadInput(f"There are {count:,} rows.", f"At most {MAX_ROWS:,} at once.", code="too_many_rows")


def _of_lines(lines: Iterable[Sequence[str]], places: Mapping[str, int], now: float) -> Iterator[RoomValue]:
    count = 0
    for cells in lines:
        if not any(cells):
            continue
        count += 1
        if count > MAX_ROWS:
            _check_count(count)
        row = {name: cells[place] for name, place in places.items() if place < len(cells)}
        if "time" in row and not row["time"].strip():
            del row["time"]
        yield _reading(row, count, now)
    _check_count(count)


def _reading(row: Any, number: int, now: float) -> RoomValue:
    if isinstance(row, list) and len(cast("list[Any]", row)) == 3:
        row = dict(zip(("room", "time", "value"), cast("list[Any]", row), strict=True))
    if not isinstance(row, Mapping):
        raise BadInput(f"Row {number} is not an object.", EXPECTED, code="bad_rows")
    fields = cast("Mapping[str, Any]", row)
    room = fields.get("room")
    if isinstance(room, int) and not isinstance(room, bool):  # rooms are often numbers
        room = str(room)
    if not isinstance(room, str) or not room.strip() or len(room) > LONGEST_ROOM:
        raise BadInput(f"Row {number}: `room` is not the name of a room.", EXPECTED, code="bad_rows")
    return RoomValue(
        room.strip(), _time(fields.get("time"), number, now), _value(fields.get("value"), number)
    )


def _value(value: Any, number: int) -> float:
    figure = math.nan
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            figure = float(value)
        except (ValueError, OverflowError):
            figure = math.nan
    if not math.isfinite(figure):
        raise BadInput(f"Row {number}: `value` is {_quoted(value)}, not a number.", EXPECTED, code="bad_rows")
    if abs(figure) >= LARGEST_VALUE:
        raise BadInput(
            f"Row {number}: `value` is {_quoted(value)}, too large.",
            f"Expected a number between -{LARGEST_VALUE:g} and {LARGEST_VALUE:g}.",
            code="bad_rows",
        )
    return figure


def _time(value: Any, number: int, now: float) -> float:
    if value is None:
        return now
    seconds = _seconds(value)
    if seconds is None or not seconds >= 0:
        raise BadInput(
            f"Row {number}: `time` is {_quoted(value)}.",
            "Expected ISO 8601 (without an offset it is UTC) or seconds since 1970.",
            code="bad_rows",
        )
    if seconds > now + AHEAD:
        raise BadInput(
            f"Row {number}: `time` {_quoted(value)} is later than now ({time_text(now)}).",
            "Expected a time of the past.",
            code="bad_rows",
        )
    return seconds


def _seconds(value: Any) -> float | None:
    if isinstance(value, str) and len(value) <= LONGEST_TIME:
        try:
            moment = datetime.fromisoformat(value.strip())
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            pass
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return value / 1000 if value > _MILLISECONDS else float(value)
    return None


def time_text(seconds: float) -> str:
    """Return a time in ISO 8601, in UTC."""
    return clock.strftime("%Y-%m-%dT%H:%M:%SZ", clock.gmtime(seconds))


def _quoted(value: Any) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
