"""The `sql_engine` tool: one SELECT over the bundled datasets and the tables in the chat's folder, or over a database.

Queries run in one of two places, and neither trusts the text of a query: a jailed child, in which DuckDB reads the
bundled datasets and the files that people uploaded or code wrote (`FolderTables`), and the operator's databases
(`Databases`). Both are passed in.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from pydantic import JsonValue

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.stopping import StopFlag
from smoldesk.tables.folder_tables import BundledTable, ChatTables
from smoldesk.tables.inside.sqlite_reading import MAX_ROWS, SECONDS
from smoldesk.tables.results import Rows
from smoldesk.tools.bundled_tables import bundled_tables
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import ToolContext

if TYPE_CHECKING:
    from smoldesk.tools.databases.spark.spark_connection import SparkConnection

T = TypeVar("T")


def run_query(
    datasets: Datasets, query: str, *, seconds: float = SECONDS, stop: StopFlag | None = None
) -> Rows:
    """Run one reading statement over the datasets alone; raises BadInput saying what is wrong, with the tables there are.

    `stop` ends it early, with DeskError.
    """
    with tempfile.TemporaryDirectory(prefix="smoldesk-sql-") as made:
        folder = Path(made)
        return ChatTables(folder, folder).query(query, bundled_tables(datasets), seconds, stop=stop)


# Name shown as the source of progress.
ENGINE = "DuckDB"


class FolderTables(Protocol):
    """Tables in the files of one chat's folder, read in a jailed child."""

    def files(self) -> list[str]:
        """Return the names of the files that may hold tables, but for copies of bundled ones; nothing is opened."""
        ...

    def query(
        self,
        query: str,
        bundled: Sequence[BundledTable],
        *,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = ...,
    ) -> Rows:
        """Run one read-only statement over these tables and the bundled ones. Raises BadInput.

        `on_progress` receives the finished share of a long query.
        """
        ...


class Databases(Protocol):
    """The operator's databases, by name."""

    def names(self) -> list[str]: ...

    def outline(self) -> str:
        """Return a few lines for a prompt: every database with its tables and columns; empty without any."""
        ...

    def cached_tables(self) -> Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]:
        """Return each database with its tables and their columns, as far as they are known; never waits."""
        ...

    def select_all(self, name: str, table: str) -> str:
        """Return the SELECT of a listed table's rows, in the database's dialect. Raises NotFound."""
        ...

    def query(
        self,
        name: str,
        query: str,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = ...,
    ) -> Rows:
        """Run one reading statement; raises BadInput, NotFound naming the databases."""
        ...

    def spark_names(self) -> list[str]:
        """Return the names of those that are Spark."""
        ...

    def ask_spark(self, name: str, function: "Callable[[SparkConnection], T]") -> T:
        """Call a function with a Spark source's connection. Raises NotFound, BadInput, Unavailable."""
        ...


class SqlEngine(LongTool):
    """`sql_engine`: what the seed knows as sql_engine(query), with an optional database."""

    name = "sql_engine"
    plays_live: ClassVar[bool] = True
    about = (
        f"One SELECT (DuckDB) over bundled datasets and table files of the folder; a DataFrame of at most {MAX_ROWS:,} rows. "
        "`sales 2024.csv` is the table sales_2024; other names stand in double quotes.\n"
        "{more}"
        'Example: df = sql_engine(query="SELECT sex, avg(fare) AS fare FROM titanic GROUP BY sex")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "query": {"type": "string", "description": ""},
        "database": {
            "type": "string",
            "description": "a connected database, in its own SQL dialect",
            "nullable": True,
        },
    }
    output_type = "object"

    def __init__(
        self,
        datasets: Datasets,
        files: FolderTables | None = None,
        databases: Databases | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        """`stop` ends a query that is under way."""
        self.datasets = datasets
        self.files = files
        self.databases = databases
        self.stop = stop
        self.description = self.about.format(more=_connected(databases) if databases else "")
        super().__init__()

    def forward(self, query: str, database: str | None = None) -> Rows:
        """Run a query. Raises BadInput with tables and columns, NotFound with the databases' names, Stopped."""
        return self._answer(query, database, _ignore_progress)

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Rows:
        """Run a query in a run, and report the progress of a long one."""
        query, database = arguments.get("query"), arguments.get("database")
        return self._answer(
            query, database, lambda share: context.report_progress(ENGINE, "running", share=share)
        )

    def _answer(self, query: object, database: object, on_progress: Callable[[float], None]) -> Rows:
        try:
            return (
                self._connected(str(database), str(query), on_progress)
                if database
                else self._here(str(query), on_progress)
            )
        except DeskError:
            if self.stop is not None:
                self.stop.check()
            raise

    def _here(self, query: str, on_progress: Callable[[float], None]) -> Rows:
        if not query.strip():
            raise BadInput("The query is empty.", hint=_describe_tables(self.datasets))
        if self.files is None:
            return run_query(self.datasets, query, stop=self.stop)
        return self.files.query(query, bundled_tables(self.datasets), stop=self.stop, on_progress=on_progress)

    def _connected(self, name: str, query: str, on_progress: Callable[[float], None]) -> Rows:
        if self.databases is None or not self.databases.names():
            raise NotFound(
                f"There is no database {name[:60]!r}.",
                hint="None is connected; leave `database` out for the datasets and files.",
            )
        if not query.strip():
            raise BadInput("The query is empty.", hint="Write one SELECT statement.")
        return self.databases.query(name, query, self.stop, on_progress)


def _ignore_progress(_share: float) -> None:
    pass


def _describe_tables(datasets: Datasets) -> str:
    tables = "; ".join(f"{name}({', '.join(datasets.columns(name))})" for name in datasets.names())
    return f"Tables: {tables}."


def _connected(databases: Databases) -> str:
    outline = databases.outline()
    return f"Databases, reached with database=NAME:\n{outline}\n" if outline else ""
