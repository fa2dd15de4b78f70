"""Files of a Spark server's disk: refused, unless the operator's address of the source has `file_paths=true`.

Spark itself refuses paths in SQL with `FORBID`, which each session gets. Sail does not know the setting, so texts are
checked, too. Paths of object stores stay readable in plans.
"""

import re
from collections.abc import Callable

from smoldesk.tools.databases.spark.sql_text import FORMATS
from smoldesk.tools.databases.spark.wire import field
from smoldesk.tools.databases.values import QueryFailed

# ConfigRequest.operation.set.pairs
FORBID = field(3, field(1, field(1, field(1, "spark.sql.runSQLOnFiles") + field(2, "false"))))
_STORES = "s3|s3a|s3n|gs|abfs|abfss|wasb|wasbs|adl|oss|cosn|obs|hdfs"
_STORE_PATH = re.compile(rf"(?:{_STORES})://[^/:]+(?:/.*)?", re.IGNORECASE | re.DOTALL)
_GAP = r"(?:\s|/\*.*?\*/|--[^\n]*\n)*"
_SQL_PATH = re.compile(
    rf"(?<!\w)([`\"]?)(?:{'|'.join(sorted(FORMATS | {'arrow', 'binaryfile', 'image', 'libsvm'}))})\1{_GAP}\.{_GAP}[`\"]",
    re.IGNORECASE | re.DOTALL,
)
# Functions whose options, or whose arguments, name a file of the server.
_READS_FILE = re.compile(r"\b(?:from_xml|schema_of_xml|from_avro|from_protobuf|to_protobuf)\b", re.IGNORECASE)
_PATH_OPTIONS = frozenset(("path", "paths", "avroschemaurl", "rowvalidationxsdpath"))
_HINT = "files of the server are not readable here, tables and object stores (s3a://...) are"


def check_sql_paths(text: str) -> None:
    """Raise QueryFailed for SQL that names a file as a table, or calls a function that reads one."""
    if match := _SQL_PATH.search(text) or _READS_FILE.search(text):
        raise QueryFailed(f"{match.group()[:60]!r} is not allowed: {_HINT}")


def _check_path(text: str) -> None:
    if not _STORE_PATH.fullmatch(text):
        raise QueryFailed(f"the path {text[:60]!r} is not allowed: {_HINT}")


def _check_option(key: str) -> None:
    if key.casefold() in _PATH_OPTIONS:
        raise QueryFailed(f"the option {key!r} is not allowed: {_HINT}")


FILE_CHECKS: dict[str, Callable[[str], object]] = {
    "expression": check_sql_paths,
    "function": check_sql_paths,
    "option": _check_option,
    "path": _check_path,
    "query": check_sql_paths,
    "table": check_sql_paths,
}
"""By the type of a text in `message_rules`."""
