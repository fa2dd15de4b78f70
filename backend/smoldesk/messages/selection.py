"""Rows that a person points at, and a question is then about: of a chart by ranges, of a table by the view they stand in."""

from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, JsonValue, Tag

from smoldesk.messages.shape import Shape
from smoldesk.messages.strict_json import check_finite

MAX_PLACE = 2**53

Place = Annotated[int, Field(strict=True, ge=0, lt=10_000)]
ColumnName = Annotated[str, Field(max_length=1_000)]
# A column by its index, from 0, or by its name.
Column = Place | ColumnName


def _finite(value: JsonValue) -> JsonValue:
    check_finite(value)
    return value


class ChartRange(Shape):
    """A part of a chart's rows by one field: names, or from and to, of moments as ISO texts without a zone (as drawn)."""

    field: str
    from_: float | str | None = Field(default=None, alias="from")
    to: float | str | None = None
    values: list[str] | None = None


class ChartSelection(Shape):
    """Rows of a chart that a question is about, as a person brushed them."""

    kind: Literal["chart"] = "chart"
    spec_id: str
    name: str
    ranges: list[ChartRange]

    @property
    def file_id(self) -> str:
        """Id of the file that has the rows."""
        return self.spec_id


class SortBy(Shape):
    """An order by one column; empty cells come last either way."""

    column: Column
    descending: bool = False


class Filter(Shape):
    """Rows whose cell of a column is so. `in` takes a list, in which null is an empty cell; `empty` and `filled` no value.

    A day means all of it: `le` 2024-01-31 is up to its end.
    """

    column: Column
    op: Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "starts", "empty", "filled"]
    value: Annotated[JsonValue, AfterValidator(_finite)] = None


class RowView(Shape):
    """Rows of a table that fit all `filters` and hold all words of `search` somewhere, in an order."""

    sort: list[SortBy] = Field(default_factory=list[SortBy], max_length=10)
    filters: list[Filter] = Field(default_factory=list[Filter], max_length=50)
    search: Annotated[str, Field(max_length=200)] = ""


Row = Annotated[int, Field(strict=True, ge=0, le=MAX_PLACE)]


def _ascending(ranges: list[list[int]]) -> list[list[int]]:
    places = [place for pair in ranges for place in pair]
    if any(begin >= end for begin, end in pairwise(places)):
        raise ValueError("expected ranges in ascending order, none of them empty")
    return ranges


# Ranges of rows, each from a begin to before an end.
Range = Annotated[list[Row], Field(min_length=2, max_length=2)]
Ranges = Annotated[list[Range], Field(min_length=1, max_length=1_000), AfterValidator(_ascending)]


class TableSelection(Shape):
    """Rows of a shown table that a question is about: those of a view from `begin` to before `end`, some columns by
    index. Rows selected one by one are `ranges` between `begin` and `end`.

    `name` and the `names` of the columns come from the table, not from the client.
    """

    kind: Literal["table"]
    table_id: str
    name: str = ""
    view: RowView = RowView()
    begin: Annotated[int, Field(strict=True, ge=0, le=MAX_PLACE)]
    end: Annotated[int, Field(strict=True, ge=1, le=MAX_PLACE)]
    ranges: Ranges | None = None
    columns: Annotated[list[Place], Field(min_length=1, max_length=300)]
    names: list[str] | None = None

    @property
    def file_id(self) -> str:
        """Id of the file that has the rows."""
        return self.table_id

    @property
    def all_ranges(self) -> list[tuple[int, int]]:
        """The selected rows as ranges."""
        return [(begin, end) for begin, end in self.ranges or [[self.begin, self.end]]]

    @property
    def row_count(self) -> int:
        """Number of the selected rows."""
        return sum(end - begin for begin, end in self.all_ranges)


def _kind(value: Any) -> str:
    """Return the kind of a selection; without one it is of a chart, as in the first version."""
    kind = value.get("kind", "chart") if isinstance(value, dict) else getattr(value, "kind", "chart")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return str(kind)  # pyright: ignore[reportUnknownArgumentType]


RowSelection = Annotated[
    Annotated[ChartSelection, Tag("chart")] | Annotated[TableSelection, Tag("table")], Discriminator(_kind)
]
