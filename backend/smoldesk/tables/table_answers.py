"""What a process that reads a stored table may say, believed only in the right shape."""

import base64
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.errors import BadInput, DeskError

T = TypeVar("T", bound=BaseModel)
Short = Annotated[str, StringConstraints(max_length=1_000)]


class TableResponse(BaseModel):
    """What every answer has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TableOpened(TableResponse):
    """The table is open: how many rows it has, and its columns."""

    type: Literal["opened"]
    rows: Annotated[int, Field(ge=0)]
    columns: Annotated[list[dict[str, Any]], Field(max_length=2_000)]


class TableFault(TableResponse):
    """A question, or the table, that cannot be answered, and why."""

    type: Literal["fault"]
    code: Short
    message: Short
    hint: Short
    id: int = 0


class TablePiece(TableResponse):
    """A part of a file, in base64."""

    type: Literal["piece"]
    data: str
    id: int


class TableDone(TableResponse):
    """The end of a file."""

    type: Literal["answer"]
    id: int


class TableRows(TableResponse):
    """Rows of a view of a table, and how many the view has in all."""

    type: Literal["answer"]
    rows: list[list[JsonValue]]
    row_count: Annotated[int, Field(ge=0)]
    id: int


class ColumnProfile(TableResponse):
    """What one column holds; `counts` of equal steps from `least` to `most`, or its most frequent `values`."""

    missing: Annotated[int, Field(ge=0)]
    distinct: Annotated[int, Field(ge=0)]
    least: int | float | Short | None
    most: int | float | Short | None
    counts: Annotated[list[int], Field(max_length=100)]
    values: Annotated[list[tuple[JsonValue, int]], Field(max_length=100)]


class TableColumns(TableResponse):
    """What the columns of a table hold, in their order."""

    type: Literal["answer"]
    columns: Annotated[list[ColumnProfile], Field(max_length=2_000)]
    id: int


class TableUnread(DeskError):
    """The process that reads a stored table ended, took too long, or made no sense."""

    code = "table_unanswered"


def read_piece(body: bytes) -> bytes | None:
    """A piece of a file; None at its end. Raises BadInput, ValidationError."""
    if body.startswith(b'{"type":"piece"'):
        return base64.b64decode(TablePiece.model_validate_json(body).data, validate=True)
    read_answer(TableDone, body)
    return None


def read_answer(shape: type[T], body: bytes) -> T:
    """An answer of this shape; raises BadInput with the fault that came instead, TableUnread for what makes no sense."""
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
    """The refusal of a question whose process ended or made no sense."""
    message = "it gave an answer that makes no sense" if isinstance(fault, ValidationError) else str(fault)
    return TableUnread(f"The table could not be read: {message[:300]}.", "Try again.")
