"""What the routes of shown tables take and answer: a view of a table, its rows, what its columns hold."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue

from smoldesk.messages import RowView, Shape
from smoldesk.messages.selection import MOST_PLACE, Column

MOST_ROWS = 1000


class TableView(RowView):
    """Rows that fit all `filters` and hold all words of `search` somewhere, in an order; some `columns`, or all."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    columns: Annotated[list[Column], Field(min_length=1, max_length=300)] | None = None

    def question(self) -> dict[str, Any]:
        """As the process that reads the table is asked."""
        return self.model_dump(mode="json", by_alias=False)


class RowsRequest(TableView):
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
