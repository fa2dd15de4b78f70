"""Check of requests that a cell's PySpark session sends: rewritten with the fields of the allow-list, or refused.

The request comes from code that a model wrote. It is read on the server, outside the jail, and written again field by field,
so that Spark reads exactly what was checked.
"""

from collections.abc import Callable, Iterator

from smoldesk.tools.databases.spark import sql_text
from smoldesk.tools.databases.spark.file_paths import FILE_CHECKS
from smoldesk.tools.databases.spark.message_rules import MESSAGES
from smoldesk.tools.databases.spark.wire import BYTES, BadEncoding, Value, field, fields
from smoldesk.tools.databases.values import QueryFailed

# In bytes; the data of createDataFrame count.
MAX_REQUEST = 4_000_000
MAX_FIELDS = 100_000
MAX_DEPTH = 400
REQUESTS = {
    "ExecutePlan": "ExecutePlanRequest",
    "AnalyzePlan": "AnalyzePlanRequest",
    "Config": "ConfigRequest",
}
_TEXTS: dict[str, Callable[[str], object]] = {
    "expression": sql_text.check_expression,
    "name": sql_text.check_name,
    "table": sql_text.check_name,
    "path": sql_text.check_name,
    "function": sql_text.check_function,
    "collection": sql_text.check_collection,
    "format": sql_text.check_format,
    "option": sql_text.check_option,
    "schema": sql_text.check_schema,
    "key": sql_text.check_key,
    "setting": sql_text.check_setting,
}


def checked_request(method: str, request: bytes, file_paths: bool = False) -> bytes:
    """Return a request without session, user and operation, which the caller sets. Raises QueryFailed.

    With `file_paths` it may read files of the server.
    """
    if method not in REQUESTS:
        raise QueryFailed(f"{method[:60]!r} is not allowed; a session here only reads")
    if len(request) > MAX_REQUEST:
        raise QueryFailed(f"the plan has {len(request):,} bytes; at most {MAX_REQUEST:,} are allowed")
    try:
        return _Check(file_paths).message(REQUESTS[method], request)
    except BadEncoding as fault:
        raise QueryFailed(f"the plan cannot be read: {fault}") from None


class _Check:
    def __init__(self, file_paths: bool) -> None:
        self._count = 0
        self._file_checks = {} if file_paths else FILE_CHECKS

    def message(self, kind: str, data: bytes, depth: int = 0) -> bytes:
        """Return a message with its checked fields. Raises QueryFailed, BadEncoding."""
        if depth > MAX_DEPTH:
            raise QueryFailed(f"the plan is nested deeper than {MAX_DEPTH} levels")
        rules = MESSAGES[kind]
        parts: list[bytes] = []
        for number, wire, value in fields(data):
            self._add()
            if number not in rules:
                raise QueryFailed(_refusal(kind, number))
            name, type_ = rules[number]
            if not type_:
                parts.append(field(number, value, wire))
            elif type_ != "drop":
                if wire != BYTES or not isinstance(value, bytes):
                    raise BadEncoding(f"{kind}.{name} is a number")
                # No function between this one and itself: a deep plan may use most of Python's stack.
                is_message = type_ in MESSAGES
                inner = self.message(type_, value, depth + 1) if is_message else self._checked(type_, value)
                parts.append(field(number, inner))
        return b"".join(parts)

    def _checked(self, type_: str, value: bytes) -> bytes:
        """Return plain values or a text, checked. Raises QueryFailed, BadEncoding."""
        if type_.startswith("flat"):
            return b"".join(self._flat(value, int(type_[4:])))
        text = _decoded(value)
        if check := self._file_checks.get(type_):
            check(text)
        if type_ == "query":
            return sql_text.check_query(text).encode()
        _TEXTS[type_](text)
        return value

    def _flat(self, data: bytes, last: int) -> Iterator[bytes]:
        for number, wire, value in fields(data):
            self._add()
            if number > last:
                raise QueryFailed("the plan has a field that is not allowed")
            yield field(number, value, wire)

    def _add(self) -> None:
        self._count += 1
        if self._count > MAX_FIELDS:
            raise QueryFailed(f"the plan has more than {MAX_FIELDS:,} parts")


def _decoded(value: Value) -> str:
    try:
        return value.decode() if isinstance(value, bytes) else ""
    except UnicodeDecodeError:
        raise BadEncoding("a text is not UTF-8") from None


def _refusal(kind: str, number: int) -> str:
    """Return why a field is refused, by the name that PySpark's users know, if there is one."""
    if kind == "Command":
        return f"a command is not allowed (number {number}): a session here only reads"
    if kind.startswith("Parameter"):
        return "a parameter of a query is a single value here, or a list of them"
    if (kind, number) in _NAMED:
        return f"{_NAMED[kind, number]} are not allowed: code of a cell runs in the cell, not at the server"
    return f"the field {number} of {kind} is not allowed"


_NAMED = {
    ("Relation", 28): "mapInPandas and mapInArrow",
    ("Relation", 31): "functions for groups (applyInPandas)",
    ("Relation", 32): "functions for two groups (cogroup)",
    ("Relation", 34): "functions with a state",
    ("Relation", 38): "table functions (UDTF)",
    ("Expression", 15): "functions of your own (UDF)",
    ("Expression", 20): "typed functions of Scala",
}
