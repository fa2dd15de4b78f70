"""What the routes of shown tables take and answer: a view of a table, its rows, what its columns hold."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, JsonValue

from smoldesk.messages import Shape
from smoldesk.wires.rest.models import check_finite

MOST_ROWS = 1000
MOST_PLACE = 2**53

Place = Annotated[int, Field(strict=True, ge=0, lt=10_000)]
ColumnName = Annotated[str, Field(max_length=1_000)]
Column = Place | ColumnName
"""A column by its place, from 0, or by its name."""


def _finite(value: JsonValue) -> JsonValue:
    check_finite(value)
    return value


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


class TableView(Shape):
    """Rows that fit all `filters` and hold all words of `search` somewhere, in an order; some `columns`, or all."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    sort: list[SortBy] = Field(default_factory=list[SortBy], max_length=10)
    filters: list[Filter] = Field(default_factory=list[Filter], max_length=50)
    search: Annotated[str, Field(max_length=200)] = ""
    columns: Annotated[list[Column], Field(min_length=1, max_length=300)] | None = None

    def question(self) -> dict[str, Any]:
        """As the process that reads the table is asked."""
        return self.model_dump(mode="json", by_alias=False)


class RowsWanted(TableView):
    """Body of POST /api/chats/{id}/tables/{id}/rows."""

    offset: Annotated[int, Field(ge=0, le=MOST_PLACE)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 200


class ColumnFacts(Shape):
    """What a column holds: `missing` cells, about how many `distinct` values.

    Of numbers and times the `counts` of equal steps from `least` to `most`; of anything else the most frequent `values`,
    each with its count, unless nearly every one is another.
    """

    missing: int
    distinct: int
    least: int | float | str | None = None
    most: int | float | str | None = None
    counts: list[int]
    values: list[tuple[JsonValue, int]]


class TableProfile(Shape):
    """What the columns of a table hold, in their order."""

    table_id: str
    columns: list[ColumnFacts]
