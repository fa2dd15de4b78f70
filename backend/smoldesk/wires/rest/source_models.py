"""Models of the routes of data sources."""

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, SecretStr

from smoldesk.messages import Column, Filter, Shape
from smoldesk.tools.databases import Page

MAX_ROWS = 1_000
MAX_PLACE = 10_000_000
LongName = Annotated[str, Field(max_length=300)]


class SourceInfo(Shape):
    """Database. `address` has no password; it and `kind` are empty for databases of the operator.

    `problem` is the reason if it cannot be read; `removable` if a person may remove it.
    """

    name: str
    kind: str
    address: str
    removable: bool
    problem: str


class SourceList(Shape):
    """Databases, the operator's first. `may_add` if users of this desk may add and remove them."""

    sources: list[SourceInfo]
    may_add: bool


class NewSource(Shape):
    """Body of POST /api/sources. `url` is a SQLAlchemy URL of a server; its password may be in `password`, unescaped.

    `readOnlyAccount` confirms that the account cannot write. PostgreSQL does not need it: its transactions are read-only.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=40)]
    url: Annotated[SecretStr, Field(min_length=1, max_length=2_000)]
    password: Annotated[SecretStr | None, Field(max_length=2_000)] = None
    read_only_account: bool = False


class NameList(Shape):
    """Names of schemas or tables; `count` includes the omitted ones."""

    names: list[str]
    count: int


class ColumnList(Shape):
    """Columns of a table, in order."""

    columns: list[Column]


class SourceSort(Shape):
    """Sort order by one column."""

    column: LongName
    descending: bool = False


class SourceFilter(Filter):
    """Filter as for shown tables, with the column by name."""

    column: LongName  # pyright: ignore[reportIncompatibleVariableOverride] - it is frozen


class SourceView(Shape):
    """View of a table: rows that match all `filters` and contain all words of `search`.

    Without `sort` the order is the database's; without `columns` the view has all columns.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    table: Annotated[str, Field(min_length=1, max_length=300)]
    schema_name: Annotated[str, Field(max_length=300, alias="schema")] = ""
    sort: list[SourceSort] = Field(default_factory=list[SourceSort], max_length=10)
    filters: list[SourceFilter] = Field(default_factory=list[SourceFilter], max_length=50)
    search: Annotated[str, Field(max_length=200)] = ""
    columns: list[LongName] = Field(default_factory=list[LongName], max_length=300)

    def page(self, offset: int, limit: int) -> Page:
        """Return the view as a page of a database query."""
        sort = [(order.column, order.descending) for order in self.sort]
        return Page(
            self.schema_name, self.table, sort, offset, limit, self.filters, self.search, self.columns
        )


class SourceRowsRequest(SourceView):
    """Body of POST /api/sources/{name}/rows."""

    offset: Annotated[int, Field(ge=0, le=MAX_PLACE)] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_ROWS)] = 100


class SourceRows(Shape):
    """Rows of a table from `offset`; `more` if others follow."""

    columns: list[str]
    rows: list[list[JsonValue]]
    offset: int
    more: bool
