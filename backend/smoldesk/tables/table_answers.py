"""Answers of a process that reads a stored table, checked for their shape."""

import base64
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.errors import BadInput, DeskError
from smoldesk.tables.inside.table_groups import MAX_ACROSS, MAX_GROUPS

T = TypeVar("T", bound=BaseModel)
Short = Annotated[str, StringConstraints(max_length=1_000)]


class TableResponse(BaseModel):
    """Base of the answers: frozen, strict, without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TableOpened(TableResponse):
    """Answer to `open`: the table's number of rows and its columns."""

    type: Literal["opened"]
    rows: Annotated[int, Field(ge=0)]
    columns: Annotated[list[dict[str, Any]], Field(max_length=2_000)]


class TableFault(TableResponse):
    """Failure of a question or of the table."""

    type: Literal["fault"]
    code: Short
    message: Short
    hint: Short
    id: int = 0


class TablePiece(TableResponse):
    """Part of an exported file, in base64."""

    type: Literal["piece"]
    data: str
    id: int


class TableDone(TableResponse):
    """End of an exported file."""

    type: Literal["answer"]
    id: int


class TableRows(TableResponse):
    """Rows of a view of a table, and the number of rows in the view."""

    type: Literal["answer"]
    rows: list[list[JsonValue]]
    row_count: Annotated[int, Field(ge=0)]
    id: int


class TableGroups(TableResponse):
    """First groups of a view and their measures, the `totals` of all rows, and the numbers of groups and of values
    across.
    """

    type: Literal["answer"]
    rows: Annotated[list[list[JsonValue]], Field(max_length=MAX_GROUPS)]
    totals: list[JsonValue]
    group_count: Annotated[int, Field(ge=0)]
    across: Annotated[list[JsonValue], Field(max_length=MAX_ACROSS)] | None
    across_count: Annotated[int, Field(ge=0)]
    id: int


class ColumnProfile(TableResponse):
    """Profile of one column: `counts` of equal steps from `least` to `most`, or the most frequent `values`."""

    missing: Annotated[int, Field(ge=0)]
    distinct: Annotated[int, Field(ge=0)]
    least: int | float | Short | None
    most: int | float | Short | None
    counts: Annotated[list[int], Field(max_length=100)]
    values: Annotated[list[tuple[JsonValue, int]], Field(max_length=100)]


class TableColumns(TableResponse):
    """Profiles of a table's columns, in their order."""

    type: Literal["answer"]
    columns: Annotated[list[ColumnProfile], Field(max_length=2_000)]
    id: int


class TableUnread(DeskError):
    """The process that reads a stored table ended, timed out or sent an invalid answer."""

    code = "table_unanswered"


def read_piece(body: bytes) -> bytes | None:
    """Return a piece of a file; None at its end. Raises BadInput, ValidationError."""
    if body.startswith(b'{"type":"piece"'):
        return base64.b64decode(TablePiece.model_validate_json(body).data, validate=True)
    read_answer(TableDone, body)
    return None


def read_answer(shape: type[T], body: bytes) -> T:
    """Parse an answer of this shape.

    Raises BadInput for a fault that the process reports, TableUnread for a timeout or an invalid answer.
    """
    try:
        return shape.model_validate_json(body)
    except ValidationError as odd:
        try:
            fault = TableFault.model_validate_json(body)
        except ValidationError:
            raise unread(odd) from odd
    kind = TableUnread if fault.code == "table_unanswered" else BadInput
    raise kind(fault.message, fault.hint, code=fault.code)


def unread(fault: Exception) -> TableUnread:
    """Return the error for a question whose process ended or sent an invalid answer."""
    message = "its process sent an invalid answer" if isinstance(fault, ValidationError) else str(fault)
    return TableUnread(f"The table could not be read: {message[:300]}.", "Try again.")
