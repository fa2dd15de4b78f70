"""What the routes of sources take and answer."""

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, SecretStr

from smoldesk.messages import Column, Filter, Shape
from smoldesk.tools.databases import Page

MOST_ROWS = 1_000
MOST_PLACE = 10_000_000
LongName = Annotated[str, Field(max_length=300)]


class SourceInfo(Shape):
    """One database. `address` is without its password; it and `kind` are empty for one that the operator named.

    `problem` says why it cannot be read at all; `removable` that a person may remove it.
    """

    name: str
    kind: str
    address: str
    removable: bool
    problem: str


class SourceList(Shape):
    """The operator's first. `may_add`: this desk lets its people add and remove them."""

    sources: list[SourceInfo]
    may_add: bool


class NewSource(Shape):
    """Body of POST /api/sources. `url` is SQLAlchemy's, of a server; its password may come apart, as it is.

    `readOnlyAccount` says that the account cannot write: needed for all kinds but PostgreSQL, which is kept from it.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=40)]
    url: Annotated[SecretStr, Field(min_length=1, max_length=2_000)]
    password: Annotated[SecretStr | None, Field(max_length=2_000)] = None
    read_only_account: bool = False


class NameList(Shape):
    """Names of schemas or tables; `count` counts those that were left out, too."""

    names: list[str]
    count: int


class ColumnList(Shape):
    """Columns of a table, in their order."""

    columns: list[Column]


class SourceSort(Shape):
    """An order by one column."""

    column: LongName
    descending: bool = False


class SourceFilter(Filter):
    """A filter as shown tables have it, of a column by its name."""

    column: LongName  # pyright: ignore[reportIncompatibleVariableOverride] - it is frozen


class SourceView(Shape):
    """Rows of a table that fit all `filters` and hold all words of `search` somewhere, in an order.

    Without `sort` the database gives rows as it likes; without `columns` all of them.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    table: Annotated[str, Field(min_length=1, max_length=300)]
    schema_name: Annotated[str, Field(max_length=300, alias="schema")] = ""
    sort: list[SourceSort] = Field(default_factory=list[SourceSort], max_length=10)
    filters: list[SourceFilter] = Field(default_factory=list[SourceFilter], max_length=50)
    search: Annotated[str, Field(max_length=200)] = ""
    columns: list[LongName] = Field(default_factory=list[LongName], max_length=300)

    def page(self, offset: int, limit: int) -> Page:
        """As a database is asked."""
        sort = [(order.column, order.descending) for order in self.sort]
        return Page(
            self.schema_name, self.table, sort, offset, limit, self.filters, self.search, self.columns
        )


class SourceRowsRequest(SourceView):
    """Body of POST /api/sources/{name}/rows."""

    offset: Annotated[int, Field(ge=0, le=MOST_PLACE)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 100


class SourceRows(Shape):
    """Rows of a table from `offset` on; `more` follow."""

    columns: list[str]
    rows: list[list[JsonValue]]
    offset: int
    more: bool
