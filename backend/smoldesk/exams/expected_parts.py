"""Parts of a saved answer: figures, tables and drawings. spec/reference/suites.md has the format."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, JsonValue, StringConstraints

MAX_FIGURES, MAX_TABLES, MAX_ROWS, MAX_COLUMNS, MAX_DRAWINGS = 1_000, 50, 200, 500, 2_000

Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Line = Annotated[str, StringConstraints(max_length=1_000)]


class Closed(BaseModel):
    """Base of the parts of a question: an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class ExpectedFigure(Closed):
    """Figure of an answer as written, its value, and the row and column of the table it came from."""

    text: Short
    value: FiniteFloat | None = None
    row: Line = ""
    column: Line = ""


class ExpectedTable(Closed):
    """Table of an answer: its columns and first rows, and the number of all rows."""

    name: Line
    columns: Annotated[list[Line], Field(max_length=MAX_COLUMNS)]
    rows: Annotated[list[list[JsonValue]], Field(max_length=MAX_ROWS)]
    row_count: Annotated[int, Field(ge=0)]


DrawingKind = Literal["floor", "room", "arrow", "route", "text", "icon", "frame", "points", "chart", "image"]


class ExpectedDrawing(Closed):
    """Drawing on the map, a chart with its data, or a picture."""

    kind: DrawingKind
    name: Line
    facts: dict[str, JsonValue] = {}


Figures = Annotated[list[ExpectedFigure], Field(max_length=MAX_FIGURES)]
Tables = Annotated[list[ExpectedTable], Field(max_length=MAX_TABLES)]
Drawings = Annotated[list[ExpectedDrawing], Field(max_length=MAX_DRAWINGS)]


class PartResult(BaseModel):
    """Comparison of one part: what was expected, and what the answer has."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["text", "figure", "table", "drawing"]
    name: str
    expected: str
    got: str
    holds: bool
