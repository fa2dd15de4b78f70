"""Models of the routes of shown tables: views, rows and column profiles."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue

from smoldesk.messages import RowView, Shape
from smoldesk.messages.selection import MAX_PLACE, Column

MAX_ROWS = 1000


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
