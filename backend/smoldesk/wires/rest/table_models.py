"""Models of the routes of shown tables: views, rows and column profiles."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, model_validator

from smoldesk.messages import RowView, Shape
from smoldesk.messages.selection import MAX_PLACE, Column, Ranges
from smoldesk.tables.inside.table_groups import MAX_WIDTH

MAX_ROWS = 1000
MAX_KEYS, MAX_MEASURES = 3, 6


class TableView(RowView):
    """View of a table: sorted rows that match all `filters` and contain all words of `search`; some or all `columns`."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    columns: Annotated[list[Column], Field(min_length=1, max_length=300)] | None = None

    def question(self) -> dict[str, Any]:
        """Return the view as a request to the process that reads the table."""
        return self.model_dump(mode="json", by_alias=False)


class RowsRequest(TableView):
    """Body of POST /api/chats/{id}/tables/{id}/rows."""

    offset: Annotated[int, Field(ge=0, le=MAX_PLACE)] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_ROWS)] = 200


class CellRequest(Shape):
    """Body of POST /api/chats/{id}/tables/{id}/behind: a cell of the first rows, its row from 0."""

    row: Annotated[int, Field(ge=0, le=MAX_ROWS)]
    column: Annotated[str, Field(max_length=1_000)]


class GroupKey(Shape):
    """Column whose values are groups; of dates their periods, with a `step`."""

    column: Column
    step: Literal["", "year", "month", "day"] = ""


class GroupMeasure(Shape):
    """Measure of a group's rows: their number (`rows`), or one of the values of a `column`."""

    measure: Literal["rows", "sum", "mean", "median", "min", "max", "filled", "distinct"]
    column: Column | None = None


class GroupSort(Shape):
    """Order by a column of the result, from 0."""

    column: Annotated[int, Field(ge=0, le=MAX_WIDTH)]
    descending: bool = False


class GroupsRequest(Shape):
    """Body of POST /api/chats/{id}/tables/{id}/groups: `values` of the rows of a view, `by` columns and `across` one.

    Without `by` it returns only totals. `ranges` limits the rows to places in the view.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    view: RowView = RowView()
    ranges: Ranges | None = None
    by: Annotated[list[GroupKey], Field(default_factory=list, max_length=MAX_KEYS)]
    across: GroupKey | None = None
    values: Annotated[list[GroupMeasure], Field(min_length=1, max_length=MAX_WIDTH)]
    sort: Annotated[list[GroupSort], Field(default_factory=list, max_length=3)]

    @model_validator(mode="after")
    def _limit_width(self) -> "GroupsRequest":
        if (self.by or self.across) and len(self.values) > MAX_MEASURES:
            raise ValueError(f"at most {MAX_MEASURES} `values` with `by` or `across`")
        return self

    def question(self) -> dict[str, Any]:
        """Return the request to the process that reads the table."""
        return self.model_dump(mode="json", by_alias=False)


class GroupsPage(Shape):
    """Groups of a view: the first `rows` of `group_count`, with the group's values and its measures, and the `totals`.

    With a column across, `across` are the shown ones of its `across_count` values; a row has the measures for each of
    them, and then those of the complete group.
    """

    table_id: str
    rows: list[list[JsonValue]]
    totals: list[JsonValue]
    group_count: int
    across: list[JsonValue] | None
    across_count: int


class ColumnFacts(Shape):
    """Profile of a column: `missing` cells and an estimate of `distinct` values.

    Numbers and times have `counts` in equal steps from `least` to `most`. Other columns have their most frequent `values`
    with counts, unless nearly all values differ.
    """

    missing: int
    distinct: int
    least: int | float | str | None = None
    most: int | float | str | None = None
    counts: list[int]
    values: list[tuple[JsonValue, int]]


class TableProfile(Shape):
    """Profiles of a table's columns, in order."""

    table_id: str
    columns: list[ColumnFacts]
