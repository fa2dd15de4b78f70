"""Values to paint, from code: a number for each room, or for each time and room. Pure.

A tool gets JSON: a Series is a dict by its labels, a DataFrame a dict of columns. Every function raises BadInput with
the accepted shapes.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from smoldesk.buildings.overlay_text import clip
from smoldesk.errors import BadInput
from smoldesk.messages import MAX_FRAMES

# A number for each room by its given name; None for a blank.
Values = dict[str, float | None]
MAX_ROOMS = 20_000
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?(?:Z|[+-]\d\d:?\d\d)?")
_SHAPES = 'Expected {"Kitchen": 21.5, ...}, a Series by room, or two columns: df[["room", "mean"]].'
_FRAMES = (
    'Expected {"2024-05-01": {"Kitchen": 21.5, ...}, ...}, a list of {"time": ..., "values": {...}}, or three columns: '
    'df[["day", "room", "mean"]].'
)


def read_values(data: Any) -> Values:
    """Return the room -> number from a dict, a Series, two columns, a pair of lists, or a list of pairs or records."""
    return _joined(_pairs(data))


def read_frames(data: Any) -> dict[str, Values]:
    """Return the time -> room -> number, in order of time when every time is a date, else as given; at most 2,000 times."""
    rows = _timed(data)
    frames: dict[str, list[tuple[Any, Any]]] = {}
    for time, room, value in rows:
        frames.setdefault(str(time)[:60], []).append((room, value))
    if not frames:
        raise BadInput("There is no time to show.", _FRAMES)
    if len(frames) > MAX_FRAMES:
        raise BadInput(
            f"{len(frames):,} times are too many to play.", f"At most {MAX_FRAMES:,}: take longer steps."
        )
    order = sorted(frames) if all(re.match(r"\d{4}-\d\d", time) for time in frames) else list(frames)
    labels = _labels(order)
    return {label: _joined(frames[time], label) for time, label in zip(order, labels, strict=True)}


def _pairs(data: Any) -> list[tuple[Any, Any]]:
    if isinstance(data, Mapping):
        mapping = cast("Mapping[Any, Any]", data)
        columns = _columns(mapping)
        return _two_columns(columns) if columns is not None else list(mapping.items())
    items = _items(data)
    if items and all(isinstance(item, Mapping) for item in items):
        return _two_columns(_turned(cast("list[Mapping[Any, Any]]", items)))
    if len(items) == 2 and all(_is_list(item) for item in items):
        rooms, numbers = map(_items, items)
        if len(rooms) == len(numbers) and all(isinstance(room, str) for room in rooms):
            return list(zip(rooms, numbers, strict=True))
    if items and all(_is_list(item) and len(item) == 2 for item in items):
        return [(item[0], item[1]) for item in items]
    raise BadInput(f"The values are {_shape(data)}.", _SHAPES)


def _timed(data: Any) -> list[tuple[Any, Any, Any]]:
    """Return the rows of time, room and number."""
    if isinstance(data, Mapping):
        mapping = cast("Mapping[Any, Any]", data)
        columns = _columns(mapping)
        if columns is not None:
            return _three_columns(columns)
        return [(time, room, value) for time, one in mapping.items() for room, value in _pairs(one)]
    items = _items(data)
    if items and all(isinstance(item, Mapping) for item in items):
        records = cast("list[Mapping[Any, Any]]", items)
        if all({"time", "values"} <= record.keys() for record in records):
            return [
                (record["time"], room, value)
                for record in records
                for room, value in _pairs(record["values"])
            ]
        return _three_columns(_turned(records))
    if items and all(_is_list(item) and len(item) == 3 for item in items):
        return [(item[0], item[1], item[2]) for item in items]
    raise BadInput(f"The frames are {_shape(data)}.", _FRAMES)


def _columns(mapping: Mapping[Any, Any]) -> dict[str, list[Any]] | None:
    """Return a DataFrame from JSON: every value a list, all of one length; None for anything else."""
    if not mapping or not all(_is_list(value) for value in mapping.values()):
        return None
    columns = {str(name): _items(value) for name, value in mapping.items()}
    if len({len(column) for column in columns.values()}) > 1:
        raise BadInput("The columns have different lengths.", "Give every column as many values.")
    return columns


def _turned(records: Sequence[Mapping[Any, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(str(name) for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _two_columns(columns: dict[str, list[Any]]) -> list[tuple[Any, Any]]:
    texts = [name for name, column in columns.items() if _is_text(column)]
    others = [name for name in columns if name not in texts]
    if not texts or len(others) != 1:
        raise BadInput(f"The columns are {', '.join(map(clip, columns))}.", _SHAPES)
    return list(zip(columns[texts[0]], columns[others[0]], strict=True))


def _three_columns(columns: dict[str, list[Any]]) -> list[tuple[Any, Any, Any]]:
    """Time, room and number by name where names tell, else in this order; or a time and a column for each room."""
    names = list(columns)
    if len(names) == 3:
        number = next((name for name in reversed(names) if not _is_text(columns[name])), None)
        if number is not None:
            first, second = (name for name in names if name != number)
            if _is_time(columns[second]) or not _is_text(columns[second]):
                first, second = second, first
            if _is_text(columns[second]) and not _is_time(columns[second]):
                return list(zip(columns[first], columns[second], columns[number], strict=True))
    texts = [name for name in names if _is_text(columns[name])]
    if len(names) > 1 and texts in ([], names[:1]):  # a column for each room, as pivot tables have them
        times, *rooms = names
        return [(time, room, columns[room][row]) for row, time in enumerate(columns[times]) for room in rooms]
    raise BadInput(f"The columns are {', '.join(map(clip, names))}.", _FRAMES)


def _joined(pairs: list[tuple[Any, Any]], time: str = "") -> Values:
    if len(pairs) > MAX_ROOMS:
        raise BadInput(
            f"{len(pairs):,} values are too many.",
            f"Give one for each room, at most {MAX_ROOMS:,}: those of one floor, for example.",
        )
    at = f" at {time}" if time else ""
    values: Values = {}
    for room, value in pairs:
        if room is None:
            continue
        name = str(room)
        number = _number(value, name)
        if name in values and values[name] != number:
            raise BadInput(
                f"{clip(name)} has several values{at}.",
                "Give one for each room, such as df.groupby(...)[...].mean().",
            )
        values[name] = number
    return values


def _number(value: Any, name: str) -> float | None:
    """Return the number, None for a blank. Raises BadInput for anything else."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = float(value.replace(",", ""))
        except ValueError:
            raise BadInput(
                f"The value of {clip(name)} is {clip(value)}.", "Expected a number, or None for a blank."
            ) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(
            f"The value of {clip(name)} is {clip(repr(value))}.", "Expected a number, or None for a blank."
        )
    number = float(value) if abs(value) < 1e300 else math.inf
    if math.isnan(number):
        return None
    if math.isinf(number):
        raise BadInput(f"The value of {clip(name)} is not finite.", "Expected a number, or None for a blank.")
    return float(f"{number:.9g}")


def _labels(times: list[str]) -> list[str]:
    """Return the times as the page writes them beside the slider: dates if all are midnight, else with their minutes."""
    dates = [_DATE.fullmatch(time) for time in times]
    if not all(dates):
        return times
    parts = [date.groups() for date in dates if date]
    if all((minutes, float(seconds or 0)) == ("00:00", 0) for _, minutes, seconds in parts):
        labels = [day for day, _, _ in parts]
    elif all(float(seconds or 0) == 0 for _, _, seconds in parts):
        labels = [f"{day} {minutes}" for day, minutes, _ in parts]
    else:
        labels = [f"{day} {minutes}:{seconds or '00'}" for day, minutes, seconds in parts]
    return labels if len(set(labels)) == len(labels) else times


def _is_time(column: list[Any]) -> bool:
    return bool(column) and all(re.match(r"\d{4}-\d\d", str(value)) for value in column)


def _is_text(column: list[Any]) -> bool:
    """Return whether a column is text; numbers written as text are numbers."""
    return any(isinstance(value, str) and not _looks_numeric(value) for value in column)


def _looks_numeric(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _items(value: Any) -> list[Any]:
    return list(cast("Sequence[Any]", value)) if _is_list(value) else []


def _shape(data: Any) -> str:
    if _is_list(data):
        return f"a list of {len(data)}"
    return clip(repr(data))
