"""Values that a run produced, from its events, as rows with labels. Pure; bounded, for runs that produce millions."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import JsonValue

from smoldesk import messages as m
from smoldesk.evidence.number_words import UNITS
from smoldesk.evidence.units import SHARE, unit_in, unit_of

TOTAL = re.compile(r"(?i)^(?:grand )?totals?\b|^all\b|^sum\b|合計|総計|^計$")
PROVISIONAL = re.compile(
    r"(?i)\b(?:before|preliminary|provisional|initial|initially|uncorrected|original|originally|draft|raw|previously)\b"
    r"|(?i:\byesterday\b|\bfirst pass\b)"
    r"|速報|暫定|当初|元の|(?:訂正|修正|補正|締め|締切|除去|更新|反映|追加|見直し|確定)前|前[)）】:：]*\s*$"
)
MAX_VALUES = 50_000
MAX_TEXT = 400_000
# Rows of one value of JSON, and its deepest part.
MAX_JSON = 5_000
DEEPEST = 8


@dataclass(slots=True)
class NumberCell:
    """A value. `places` are its decimals as written, None for a computed number; `unit` as in `Figure`.

    It `is_integral` if its column has whole numbers alone, as counts do.
    """

    value: float
    column: str = ""
    places: int | None = None
    unit: tuple[str, float] = ("", 1.0)
    path: tuple[str | int, ...] = ()
    is_integral: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether all values of its column are whole, and none was rounded."""
        return self.is_integral and not self.places


@dataclass(slots=True)
class ValueRow:
    """Values that share labels; a label is one of a dimension, such as the column that holds it."""

    cells: list[NumberCell]
    labels: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    number: int = 0
    """Index of a table's row, or line of a text (from 1)."""
    is_provisional: bool = False
    """Whether the run says that it is of before a correction."""


@dataclass(slots=True)
class ValueSource:
    """A table, text or data that a run produced. `place` has what its values' places share.

    With `is_complete` no row is missing. `name` is that of a table, `row_count` its rows.
    """

    place: m.EvidencePlace
    rows: list[ValueRow]
    name: str = ""
    columns: list[str] = field(default_factory=list[str])
    is_complete: bool = False
    row_count: int | None = None
    text: str = ""
    """Text in which dates are looked for."""
    total_rows: tuple[int, ...] = ()
    """Rows that hold the totals of others."""

    def __post_init__(self) -> None:
        """Find the columns of whole numbers, and the rows of totals."""
        self.total_rows = tuple(
            at for at, row in enumerate(self.rows) if any(TOTAL.search(label) for _, label in row.labels)
        )
        cells = [cell for row in self.rows for cell in row.cells]
        fractions = {cell.column for cell in cells if not cell.value.is_integer()}
        for cell in cells:
            cell.is_integral = cell.column not in fractions

    def place_of(self, row: ValueRow, cell: NumberCell) -> m.EvidencePlace:
        """Return the place of a value."""
        match self.place.kind:
            case "cell" | "chart":
                change: dict[str, Any] = {"row": row.number, "column": cell.column}
            case "room":
                change = {"room": row.labels[0][1] if row.labels else None}
            case "data":
                change = {"path": list(cell.path)}
            case "tool" if cell.path:
                change = {"path": list(cell.path)}
            case "code":  # the line of the expression
                change = {}
            case _:
                change = {"line": row.number}
        return self.place.model_copy(update=change)


# Words of a question or a printed line that say the scale of all values.
_SCALE_OF_ALL = re.compile(
    r"(?i)\b(in (?:thousands|millions|billions)\b(?: of \w+)?)"
    r"|\(((?:thousand|million|billion)s? \w+)\)"
    r"|(?m:^[ \t]*[(（]?([^\W\d][^\n\d()（）:：,、]{0,20})[)）]?[ \t]*$)|単位\s*[はが:：]?\s*(\w+)"
)


def with_scale(sources: Sequence[ValueSource], question: str) -> None:
    """Give columns without a unit the one that the question or a printed line says of all values."""
    for text in [question, *(source.text[:MAX_TEXT] for source in sources)]:
        units = [unit_of(next(filter(None, match.groups()))) for match in _SCALE_OF_ALL.finditer(text)]
        unit = next((unit for unit in units if unit[1] >= 1_000 and unit[0] != "time"), ("", 1.0))
        for cell in (
            cell for source in sources for row in source.rows for cell in row.cells if unit[1] != 1.0
        ):
            if cell.unit == ("", 1.0) and not SHARE.search(cell.column):
                cell.unit = unit


def is_number(value: object) -> bool:
    """Return whether a value is a finite number, and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def table_source(table: m.TableContent, place: m.EvidencePlace) -> ValueSource:
    """Return the first rows of a shown table."""
    names = [column.name for column in table.columns]
    keys = {index for index, column in enumerate(table.columns) if column.kind != "number"}
    # The number that pandas gives a row names no row.
    numbering = {index for index in (0,) if names[:1] == ["index"] and index not in keys}
    first = len(numbering)
    keys |= {
        index for index in range(first, len(names)) if index not in keys and _is_key(table, index, first)
    }
    units = [unit_in(name) for name in names]
    rows: list[ValueRow] = []
    is_provisional = bool(PROVISIONAL.search(table.name.replace("_", " ")))
    for number, values in enumerate(table.rows):
        cells = [
            NumberCell(float(cast("float", value)), names[index], None, units[index])
            for index, value in enumerate(values[: len(names)])
            if is_number(value) and index not in numbering
        ]
        labels = [
            (names[index], label_text(value))
            for index, value in enumerate(values[: len(names)])
            if index in keys and value is not None
        ]
        rows.append(ValueRow(cells, labels, number, is_provisional))
    return ValueSource(place, rows, table.name, names, len(table.rows) >= table.row_count, table.row_count)


_KEY_NAMES = re.compile(
    r"(?i)\b(?:year|month|p?class|day|hour|week|quarter|grade)\b|(?:(?<![前今去昨翌来0-9])年|(?<!\d)月|時|級|クラス|階)[度代別台]?$|曜"
)


def _is_key(table: m.TableContent, index: int, first: int) -> bool:
    """Return whether a column of whole numbers names its rows, as years do."""
    values = [row[index] for row in table.rows if index < len(row) and row[index] is not None]
    are_integers = all(is_number(value) and float(cast("float", value)).is_integer() for value in values)
    is_named = bool(_KEY_NAMES.search(table.columns[index].name))
    return (
        are_integers
        and bool(values)
        and (is_named or (index == first and len({*map(str, values)}) == len(values)))
    )


def label_text(value: JsonValue) -> str:
    """Return the text of a label; whole numbers without a point, days without a midnight."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return re.sub(r"[T ]00:00(:00)?(\.0+)?Z?$", "", str(value))


def data_rows(value: JsonValue) -> Iterator[ValueRow]:
    """Yield the numbers of JSON data, as rows with the keys that lead to them as labels."""
    count = 0
    stack: list[tuple[JsonValue, tuple[str | int, ...]]] = [(value, ())]
    while stack and count < MAX_JSON:
        part, path = stack.pop()
        members: Sequence[tuple[str | int, JsonValue]] = (
            [*part.items()]
            if isinstance(part, dict)
            else [*enumerate(part)]
            if isinstance(part, list)
            else []
        )
        cells = [
            NumberCell(float(cast("float", item)), str(key), None, unit_in(str(key)), (*path, key))
            for key, item in members
            if is_number(item)
        ]
        labels = [(str(key), item) for key, item in members if isinstance(item, str) and len(item) < 80]
        labels += [(f"#{depth}", key) for depth, key in enumerate(path) if isinstance(key, str)]
        if cells:
            yield ValueRow(cells, labels, count)
        count += 1
        if len(path) < DEEPEST:
            stack += [
                (item, (*path, key)) for key, item in reversed(members) if isinstance(item, dict | list)
            ]
    if is_number(value):
        yield ValueRow([NumberCell(float(cast("float", value)))])


def parsed_json(text: str) -> JsonValue:
    """Return the data of a text that is JSON; None for any other."""
    if text[:1] not in "{[" or len(text) > MAX_TEXT:
        return None
    try:
        return cast(JsonValue, json.loads(text))
    except (ValueError, RecursionError):
        return None


def map_rows(content: m.MapContent) -> Iterator[ValueRow]:
    """Yield the values of rooms, and lengths and times of ways."""
    title, unit = "", ("", 1.0)
    for overlay in content.overlays:
        if isinstance(overlay, m.LegendOverlay):
            title, unit = overlay.title, UNITS.get(overlay.unit.lower(), unit_in(overlay.title))
        if isinstance(overlay, m.RouteOverlay):
            labels = [("start", overlay.start), ("goal", overlay.goal)]
            yield ValueRow(
                [NumberCell(overlay.length, "length", None, UNITS.get(overlay.unit, ("", 1.0)))], labels
            )
            if overlay.seconds is not None:
                yield ValueRow([NumberCell(overlay.seconds, "seconds", None, UNITS["s"])], labels)
    for room in content.rectangles:
        if room.value is not None:
            yield ValueRow([NumberCell(room.value, title, None, unit)], [("room", room.name)])


def bounded(sources: Iterable[ValueSource]) -> list[ValueSource]:
    """Return the newest sources that hold at most MAX_VALUES values together, in their order."""
    newest: list[ValueSource] = []
    count = 0
    for source in reversed([*sources]):
        count += sum(len(row.cells) for row in source.rows)
        if count > MAX_VALUES and newest:
            break
        if count > MAX_VALUES:
            source.rows = source.rows[: MAX_VALUES // max(1, len(source.columns))]
            source.is_complete = False
        newest.append(source)
    return newest[::-1]
