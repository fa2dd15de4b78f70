"""Models of the routes of reports: pins with previews."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from smoldesk.export.pins import MAX_PINS, MAX_SEQ, MAX_TITLE, Pin
from smoldesk.messages import Column, Shape

ReportFormat = Literal["html", "markdown", "notebook"]


class ReportRequest(Shape):
    """Body of PUT /api/chats/{id}/report: the complete report, which replaces `version` (0 for a new report)."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    version: Annotated[int, Field(ge=0, le=MAX_SEQ, strict=True)]
    pins: Annotated[list[Pin], Field(max_length=MAX_PINS)]
    title: Annotated[str | None, Field(max_length=MAX_TITLE)] = None


class Preview(Shape):
    """Preview of a part: an answer's `text`, the first rows of a table, or the address of a `picture` (SVG for a map)."""

    text: str | None = None
    columns: list[Column] | None = None
    rows: list[list[JsonValue]] | None = None
    row_count: int | None = None
    picture: str | None = None
    name: str | None = None


class PreviewedPin(Pin):
    """Part with its preview."""

    preview: Preview


class RunFile(Shape):
    """File that replaced the input `name`; `source` is its own name."""

    name: str
    source: str


class RunSummary(Shape):
    """Run of the report on other files; `madeAt` is in seconds since the epoch."""

    number: int
    made_at: float
    files: list[RunFile]


class ReportInfo(Shape):
    """Report of a chat: `inputs` are the files that its code reads, `runs` those on other files, newest first."""

    version: int
    title: str
    pins: list[PreviewedPin]
    inputs: list[str]
    runs: list[RunSummary]


class PartAgain(PreviewedPin):
    """Part with its result on other files: `preview` is the old content, `after` the new one if it differs.

    `gaveNothing` if its code showed no output of this kind. `cells` are (row, column) of changed cells in the first rows of
    a table.
    """

    state: Literal["same", "changed", "failed", "kept"]
    why: str
    gave_nothing: bool
    after: Preview | None = None
    cells: list[tuple[int, int]] | None = None


class RunInfo(Shape):
    """Run of a report on other files, with its parts."""

    number: int
    files: list[RunFile]
    parts: list[PartAgain]


class RunCreated(Shape):
    """Number of a new run."""

    number: int


class ReportChanged(Shape):
    """New version of a changed report."""

    version: int
