"""Addresses of databases: read, checked, and opened as the kind that each is. No fault repeats an address."""

import contextlib
import importlib
import importlib.util
from typing import TYPE_CHECKING

from smoldesk.errors import BadInput
from smoldesk.tools.databases.inspected import Database
from smoldesk.tools.databases.spark.spark_address import SCHEME, check_encryption, spark_url

if TYPE_CHECKING:
    from sqlalchemy import URL

# Kinds that a person may add: servers that know the desk only by the credentials in the address. Only the operator adds
# files (SQLite, DuckDB) and services that accept the identity of this machine.
SERVERS = frozenset(
    (
        *(
            "postgresql",
            "cockroachdb",
            "redshift",
            "mysql",
            "mariadb",
            "starrocks",
            "mssql",
            "oracle",
            "db2",
            "hana",
        ),
        *(
            "clickhouse",
            "clickhousedb",
            "trino",
            "presto",
            "sc",
            "impala",
            "databricks",
            "snowflake",
            "exa",
        ),
        *("teradatasql", "vertica"),
    )
)
WAREHOUSES = frozenset(
    (
        *("clickhouse", "clickhousedb", "trino", "presto", "sc", "impala", "databricks", "snowflake"),
        *("redshift", "exa", "teradatasql", "vertica"),
    )
)
# Factor of the query time limit for these databases: they read more data than one machine holds.
PATIENCE = 12
# Query parameters allowed in a person's address: none that reads a file here, loads a plug-in or runs a program.
PARAMETERS = frozenset(
    (
        *("host", "port", "sslmode", "charset", "schema", "catalog", "role", "warehouse", "http_path"),
        *("secure", "use_ssl"),
    )
)
# Spark's and Hive's Thrift server, which Spark Connect replaced.
REPLACED = "hive"
EXAMPLE = 'It looks like "postgresql+psycopg://user:password@host/database" or "sqlite:////path/file.db".'


def read_address(name: str, address: str) -> "URL":
    """Parse an address. Raises BadInput for an invalid one, and for a kind that was replaced."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    url: URL | None = None
    with contextlib.suppress(ArgumentError, ValueError):
        url = make_url(address)
    if url is None:
        raise BadInput(
            f"The address of the database {name!r} is not an SQLAlchemy URL.",
            hint=EXAMPLE,
            code="bad_address",
        )
    if url.get_backend_name() == REPLACED:
        raise BadInput(
            f"The database {name!r} is a Thrift server of Hive or Spark, which is not supported any more; "
            "Spark Connect (sc://host:15002) replaces it.",
            hint="Start sbin/start-connect-server.sh beside Spark, and add its address (spec/reference/sources.md).",
            code="thrift_replaced",
        )
    if url.get_backend_name() == SCHEME:
        url = spark_url(name, url)
        check_encryption(name, url)
    return url


def without_password(url: "URL") -> str:
    """Return an address without its password."""
    from sqlalchemy import URL

    public_url = URL.create(url.drivername, url.username, None, url.host, url.port, url.database, url.query)
    return public_url.render_as_string()


def check_of_a_person(name: str, url: "URL") -> None:
    """Raise BadInput for an address that only the operator may configure."""
    kind = url.get_backend_name()
    if kind not in SERVERS:
        raise BadInput(
            f"A database of the kind {kind[:40]!r} cannot be added here.",
            hint=f"Expected one of: {', '.join(sorted(SERVERS))}. A file is uploaded to a chat, or named by the "
            "operator in SMOLDESK_SQL_URLS.",
            code="bad_address",
        )
    if not url.host and not (kind == "postgresql" and url.query.get("host")):
        raise BadInput(f"The address of {name!r} names no host.", hint=EXAMPLE, code="bad_address")
    strange = sorted(set(url.query) - PARAMETERS)
    if strange:
        raise BadInput(
            f"The address of {name!r} says what only the operator may say: {', '.join(strange)[:200]}.",
            hint=f"Behind the ? may stand: {', '.join(sorted(PARAMETERS))}.",
            code="bad_address",
        )


def check_driver(name: str, url: "URL") -> None:
    """Import the driver of an address. Raises BadInput if it is not installed."""
    from sqlalchemy.exc import NoSuchModuleError

    try:
        if url.get_backend_name() == "postgresql":
            _require_psycopg(name)
        elif url.get_backend_name() == SCHEME:
            importlib.import_module("grpc")
        else:
            url.get_dialect().import_dbapi()
    except (ImportError, NoSuchModuleError):
        raise BadInput(
            f"The driver for {url.drivername[:60]!r} is not installed, so {name!r} cannot be read.",
            hint="Its operator installs it with pip beside smoldesk (spec/reference/sources.md names some).",
            code="driver_missing",
        ) from None


def open_database(name: str, url: "URL", read_only_account: bool, seconds: float) -> Database:
    """Return a database without connecting. Raises BadInput for a kind that cannot be kept from writing."""
    kind = url.get_backend_name()
    if kind == "sqlite":
        from smoldesk.tools.databases.sqlite import Sqlite

        if not url.database or url.database == ":memory:":
            raise BadInput(f"The database {name!r} of SMOLDESK_SQL_URLS names no file.")
        return Sqlite(url.database, seconds)
    if kind == "postgresql":
        _require_psycopg(name)
        from smoldesk.tools.databases.postgres import Postgres

        return Postgres(url, seconds)
    if not read_only_account:
        raise BadInput(
            f"The desk cannot keep {kind} from writing, so it does not connect to {name!r}.",
            hint="Give it an account that may only read, and say so: in SMOLDESK_SQL_READ_ONLY_ACCOUNTS, or where the "
            "source is added.",
            code="account_may_write",
        )
    if kind in WAREHOUSES:
        seconds *= PATIENCE
    if kind == SCHEME:
        from smoldesk.tools.databases.spark.source import SparkConnect

        return SparkConnect(url, seconds)
    from smoldesk.tools.databases.other import GenericDatabase

    return GenericDatabase(url, seconds)


def _require_psycopg(name: str) -> None:
    if importlib.util.find_spec("psycopg") is None:
        raise BadInput(
            f"The database {name!r} needs psycopg, which is not here.",
            hint="Install smoldesk with its extra: smoldesk[postgres].",
            code="driver_missing",
        )
