"""Pages of a database's table as SQL of its own dialect: what is looked for is bound, never written into the SQL.

The filters and their words are those of shown tables (tables/inside/table_view.py). A column's kind is the database's word.
"""

import datetime
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smoldesk.errors import BadInput
from smoldesk.messages import Column, Filter

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, ColumnElement, Dialect, Select

MAX_SEARCH_TERMS = 10
# Special characters of a LIKE pattern;
# escapes them.
_LIKE = "%_/\\"
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?\s*", re.ASCII)


@dataclass(frozen=True)
class Page:
    """Rows of one table that are wanted: `sort` has names of columns, and whether each descends.

    They fit all `filters` and hold all words of `search` somewhere.
    """

    schema: str
    table: str
    sort: Sequence[tuple[str, bool]] = ()
    offset: int = 0
    limit: int = 100
    filters: Sequence[Filter] = ()
    search: str = ""
    columns: Sequence[str] = ()
    """Names of those that are wanted; all without any."""

    @property
    def has_conditions(self) -> bool:
        """Whether the kinds of the table's columns have to be known."""
        return bool(self.filters or self.search.split())


def page_select(page: Page, columns: Sequence[Column], is_loose: bool = False) -> "Select[Any]":
    """Return the SELECT of a page, with one row more to detect its end. Raises BadInput for a filter that fits no
    column.

    `is_loose`: every value may be of another kind than its column, as in SQLite.
    """
    from sqlalchemy import TableClause, column, literal_column, select

    everything: ColumnClause[Any] = literal_column("*")
    selected: list[ColumnClause[Any]] = [column(name) for name in page.columns]
    query: Select[Any] = select(*(selected or [everything]))
    query = query.select_from(TableClause(page.table, schema=page.schema or None))
    query = query.where(*(_condition(item, columns, is_loose) for item in page.filters))
    query = query.where(*(_anywhere(word, columns) for word in page.search.split()[:MAX_SEARCH_TERMS]))
    named: list[tuple[ColumnClause[Any], bool]] = [(column(name), descends) for name, descends in page.sort]
    query = query.order_by(*(item.desc() if descends else item.asc() for item, descends in named))
    # SQL Server allows OFFSET only with ORDER BY, so the first page has none.
    return query.limit(page.limit + 1).offset(page.offset or None)


def compiled(query: "Select[Any]", dialect: "Dialect") -> tuple[str, dict[str, Any]]:
    """Return the SQL and its named parameters, for a driver that is used without SQLAlchemy."""
    # Some dialects leave LIMIT to SQLAlchemy's own execution ("post-compile" parameters), which is not used here.
    compiled_query = query.compile(dialect=quote_safely(dialect), compile_kwargs={"render_postcompile": True})
    return str(compiled_query), dict(compiled_query.params)


def select_all(table: str, dialect: "Dialect") -> str:
    """Return the SELECT of all rows of a table, as a database lists it: with its schema, if that is not the usual one."""
    names = quote_safely(dialect).identifier_preparer
    return f"SELECT * FROM {'.'.join(map(names.quote, table.split('.', 1)))}"


def quote_safely(dialect: "Dialect") -> "Dialect":
    """Fix a dialect's quoting so that names cannot end their quotes: some drivers double another character."""
    names: Any = dialect.identifier_preparer
    names.escape_quote, names.escape_to_quote = names.final_quote, names.final_quote * 2
    return dialect


def _condition(row_filter: Filter, columns: Sequence[Column], is_loose: bool) -> "ColumnElement[bool]":
    from sqlalchemy import column, or_

    of = find_column(row_filter.column, columns)
    is_: ColumnClause[Any] = column(of.name)
    match row_filter.op:
        case "empty" | "filled":
            blank = or_(is_.is_(None), _text(is_) == "") if of.kind == "text" else is_.is_(None)
            return blank if row_filter.op == "empty" else ~blank
        case "in":
            if not isinstance(row_filter.value, list) or not row_filter.value:
                raise _bad(of, "`in` takes a list of values")
            some = [
                is_.is_(None) if value is None else _compared(of, "eq", value, is_loose)
                for value in row_filter.value
            ]
            return or_(*some)
        case "contains" | "starts":
            start = "" if row_filter.op == "starts" else "%"
            return _like(is_, start, str(row_filter.value))
        case _:
            return _compared(of, row_filter.op, row_filter.value, is_loose)


def _compared(of: Column, op: str, value: Any, is_loose: bool) -> "ColumnElement[bool]":
    """Return a comparison. A day means all of it: up to a day is up to its end, and equal to it is within it."""
    import operator

    from sqlalchemy import and_, case, column, func, or_

    is_: ColumnClause[Any] = column(of.name)
    begin = _literal(of, value)
    if of.kind == "date" and not isinstance(begin.value, datetime.datetime):
        try:
            end = _literal(of, (begin.value + datetime.timedelta(days=1)).isoformat())
        except OverflowError:
            raise _bad(of, "there is no later day") from None
        match op:
            case "eq":
                return and_(is_ >= begin, is_ < end)
            case "ne":
                return or_(is_ < begin, is_ >= end)
            case "le":
                return is_ < end
            case "gt":
                return is_ >= end
            case _:
                pass
    compare: Any = getattr(operator, op)
    # SQLite compares by the kind of the stored value, and every number is less than every text.
    if is_loose and _NUMBER.fullmatch(str(value)):
        return case(
            (func.typeof(is_) == "text", compare(is_, begin)),
            else_=compare(is_, _number(of, str(value).strip())),
        )
    return compare(is_, begin)


def _literal(of: Column, value: Any) -> Any:
    """Return a value of the column's kind, bound. Raises BadInput."""
    from sqlalchemy import BindParameter
    from sqlalchemy.types import NullType

    if isinstance(value, list | dict) or value is None:
        raise _bad(of, "it takes one value")
    text, bound = str(value).strip(), BindParameter[Any]
    if of.kind == "number":
        return bound(None, _number(of, text), unique=True)
    if of.kind == "bool":
        if text.lower() not in ("true", "false"):
            raise _bad(of, f"{text[:40]!r} is neither true nor false")
        return bound(None, text.lower() == "true", unique=True)
    if of.kind == "date":
        try:
            day = datetime.date.fromisoformat(text) if len(text) <= 10 else None
            return bound(None, day or datetime.datetime.fromisoformat(text), unique=True)
        except ValueError:
            raise _bad(of, f"{text[:40]!r} is not a date such as 2024-01-31") from None
    return bound(None, _clean(str(value)), type_=NullType(), unique=True)  # the database knows the type


def _number(of: Column, text: str) -> int | float:
    try:
        # 19 digits may exceed 64 bits, which drivers refuse; a float does not.
        if text.lstrip("+-").isdecimal() and len(text) < 19:
            return int(text)
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _bad(of, f"{text[:40]!r} is not a number")
    return number


def _anywhere(word: str, columns: Sequence[Column]) -> "ColumnElement[bool]":
    """Return the condition that any column contains a word; numbers and days only if it has a digit."""
    from sqlalchemy import column, false, or_

    digits = any(character.isdigit() for character in word)
    places = [column for column in columns if column.kind == "text" or (digits and column.kind != "bool")]
    return or_(false(), *(_like(column(place.name), "%", word) for place in places))


def _like(is_: "ColumnClause[Any]", start: str, text: str) -> "ColumnElement[bool]":
    """Return a LIKE that ignores case. It escapes only where necessary: not every database supports ESCAPE."""
    from sqlalchemy import String, func, literal

    plain = _clean(text)
    special = any(character in plain for character in _LIKE)
    # The slash first, or the slashes that escape the others would be escaped again.
    for character in "/%_" if special else "":
        plain = plain.replace(character, f"/{character}")
    # Whether LIKE ignores case differs between databases, and ILIKE is not standard SQL.
    pattern = func.lower(literal(f"{start}{plain}%", String()))
    return func.lower(_text(is_)).like(pattern, escape="/" if special else None)


def _text(is_: "ColumnClause[Any]") -> "ColumnElement[str]":
    from sqlalchemy import String, cast

    # Oracle and SQL Server allow no longer VARCHAR and NVARCHAR in a cast.
    return cast(is_, String(4_000))


def _clean(text: str) -> str:
    # PostgreSQL's text has no NUL, and half a surrogate pair cannot be encoded.
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def find_column(wanted: int | str, columns: Sequence[Column]) -> Column:
    """By its place or its name; raises BadInput."""
    for place, column in enumerate(columns):
        if wanted in (place, column.name):
            return column
    names = ", ".join(column.name for column in columns[:20])
    raise BadInput(
        f"This table has no column {str(wanted)[:80]!r}.",
        f"Its columns: {names}."[:600],
        code="unknown_column",
    )


def _bad(of: Column, message: str) -> BadInput:
    return BadInput(f"The filter of {of.name[:80]!r} cannot be used: {message}.", code="bad_filter")
