"""SQL and other text that a Spark server parses: only queries pass, and none that runs code there.

Spark has no read-only session. A query is sent as `SELECT * FROM (query)`, whose grammar has no place for a command or a
second statement, so Spark's own parser refuses both.
"""

import json
import re
from typing import Any, cast

from smoldesk.tools.databases.values import QueryFailed

_COMMENTS = re.compile(r"\A(?:\s+|--[^\n\r]*(?:[\n\r]|\Z)|/\*.*?\*/)*", re.DOTALL)
_BEGINNINGS = {"select", "with", "values", "table", "from", "("}
_NAME = r"(?:`[^`]+`|\w+)(?:\s*\.\s*(?:`[^`]+`|\w+))*"
# Commands that only list: complete statements of names, which need no parentheses around them.
_LISTING = re.compile(
    rf"(?:show\s+(?:tables|views|databases|schemas|catalogs|columns)(?:\s+(?:in|from)\s+{_NAME})?"
    rf"|(?:describe|desc)\s+(?:table\s+)?(?:extended\s+)?{_NAME})\s*",
    re.IGNORECASE,
)
# Functions that call any Java, names built during parsing (of such a function, too), and TRANSFORM ... USING 'program'.
_RUNS_CODE = re.compile(r"\b(?:java_method|try_reflect|reflect|identifier)\b|\busing\b(?!\s*\()")
# Of `FROM table WITH (options)`; options may name classes to load.
_OPTIONS = re.compile(r"\bwith\b(?!\s+[\w`])")
# A literal that is one in every reading: nothing in it can end it, or begin or end a comment or another literal.
_LITERAL = re.compile(r"'[^'\"`\\/*\-\n\r$]*'")
# Formats of files. Others connect elsewhere (jdbc), listen (socket) or are names of classes.
FORMATS = frozenset(("parquet", "csv", "json", "orc", "text", "avro", "xml", "delta", "iceberg"))
_SETTINGS = frozenset(
    ("spark.sql.session.timezone", "spark.sql.shuffle.partitions", "spark.sql.ansi.enabled")
)
# What PySpark reads. Others may hold secrets: those of catalogs, of Hadoop, the server's own token.
_READABLE_SETTINGS = (
    *("spark.sql.session.", "spark.sql.execution.", "spark.sql.ansi.", "spark.sql.timestamptype"),
    *("spark.sql.repl.", "spark.sql.pyspark.", "spark.sql.connect.", "spark.sql.shuffle."),
    *(
        "spark.sql.leafnodedefaultparallelism",
        "spark.connect.session.",
        "spark.python.sql.",
        "spark.app.name",
    ),
)


def check_query(query: str) -> str:
    """Return the statement to send for a query. Raises QueryFailed for anything else."""
    bare = _bare(query)
    if is_listing(query):
        return bare
    begin = _COMMENTS.sub("", bare)
    match = re.match(r"\w+|\(|", begin)
    word = match.group().casefold() if match else ""
    if word not in _BEGINNINGS:
        raise QueryFailed(f"only reading is allowed, by a SELECT; this begins with {word[:40]!r}")
    check_expression(bare)
    # On lines of its own: the last line of the query may be a comment, which would swallow the parenthesis.
    return f"SELECT * FROM (\n{bare}\n)"


def is_listing(query: str) -> bool:
    """Check whether a statement only lists tables, columns or schemas."""
    return bool(_LISTING.fullmatch(_bare(query)))


def _bare(query: str) -> str:
    return query.strip().rstrip(";").rstrip()


def check_expression(text: str) -> None:
    """Raise QueryFailed for SQL that may run code at the server or read its environment."""
    check_name(text)
    # as the server folds letters: its keywords are looked up in capitals
    folded = _LITERAL.sub("''", text).upper().casefold()
    if match := _RUNS_CODE.search(folded) or _OPTIONS.search(folded):
        raise QueryFailed(f"{match.group()!r} is not allowed: it may run code at the server")


def check_name(text: str) -> None:
    """Raise QueryFailed for a variable, which Spark replaces before it parses: ${env:...} has the server's secrets."""
    if "${" in text:
        raise QueryFailed("'${' is not allowed: the server would replace it by a variable of its own")


def check_function(name: str) -> None:
    """Raise QueryFailed for a function that runs code."""
    check_name(name)
    if _RUNS_CODE.search(name.upper().casefold()):
        raise QueryFailed(f"the function {name[:60]!r} is not allowed: it may run code at the server")


def check_collection(name: str) -> None:
    """Raise QueryFailed for a function other than those that PySpark makes lists and dicts of."""
    if name not in ("array", "map"):
        raise QueryFailed(f"a parameter of a query is a single value here, not {name[:60]!r} of values")


def check_format(name: str) -> None:
    """Raise QueryFailed for a data source other than files."""
    if name.casefold() not in FORMATS:
        raise QueryFailed(
            f"the format {name[:60]!r} is not allowed; allowed are {', '.join(sorted(FORMATS))}"
        )


def check_option(key: str) -> None:
    """Raise QueryFailed for an option of Hadoop or of a library: those name classes, keys and hosts."""
    if not key.replace("_", "").isalnum():
        raise QueryFailed(f"the option {key[:60]!r} is not allowed")


def check_schema(text: str) -> None:
    """Raise QueryFailed for a type that is a class of the server."""
    check_name(text)
    if text.lstrip()[:1] not in ("{", '"', "["):
        return
    try:
        todo: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError):
        raise QueryFailed("a schema is not JSON") from None
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            item = cast("dict[str, Any]", item)
            if item.get("type") == "udt":
                raise QueryFailed("types with a class of their own are not allowed")
            todo += item.values()
        elif isinstance(item, list):
            todo += cast("list[Any]", item)


def check_key(key: str) -> None:
    """Raise QueryFailed for a setting that may hold a secret."""
    if not key.casefold().startswith(_READABLE_SETTINGS):
        raise QueryFailed(f"the setting {key[:60]!r} is not readable here")


def check_setting(key: str) -> None:
    """Raise QueryFailed for a setting that cannot be changed here."""
    if key.casefold() not in _SETTINGS:
        raise QueryFailed(f"the setting {key[:60]!r} cannot be changed; {', '.join(sorted(_SETTINGS))} can")
