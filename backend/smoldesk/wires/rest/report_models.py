"""What the routes of reports take and answer: pins, and what each shows in short."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from smoldesk.export.pins import MAX_SEQ, MOST_PINS, Pin
from smoldesk.messages import Column, Shape

ReportFormat = Literal["html", "markdown", "notebook"]


class ReportRequest(Shape):
    """Body of PUT /api/chats/{id}/report: all of it, in place of what was read as `version` (0: there was none)."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    version: Annotated[int, Field(ge=0, le=MAX_SEQ, strict=True)]
    pins: Annotated[list[Pin], Field(max_length=MOST_PINS)]


class Preview(Shape):
    """What a part shows: an answer's `text`, the first rows of a table, or the address of a `picture` (of a map: the SVG)."""

    text: str | None = None
    columns: list[Column] | None = None
    rows: list[list[JsonValue]] | None = None
    row_count: int | None = None
    picture: str | None = None
    name: str | None = None


class PreviewedPin(Pin):
    """A part with what it shows."""

    preview: Preview


class RunFile(Shape):
    """A file that stood in for the input `name`, and what it is called itself."""

    name: str
    source: str


class RunSummary(Shape):
    """The report on other files; `madeAt` in seconds since the epoch."""

    number: int
    made_at: float
    files: list[RunFile]


class ReportInfo(Shape):
    """A chat's report as it is: `inputs` are the files that its code reads, `runs` it on other files, newest first."""

    version: int
    pins: list[PreviewedPin]
    inputs: list[str]
    runs: list[RunSummary]


class PartAgain(PreviewedPin):
    """A part, what came of it on other files, and that (`after`) when it is other than it was (`preview`).

    It `gaveNothing` where its code showed nothing of its kind. `cells` are (row, column) of changed cells among the first
    rows of a table.
    """

    state: Literal["same", "changed", "failed", "kept"]
    why: str
    gave_nothing: bool
    after: Preview | None = None
    cells: list[tuple[int, int]] | None = None


class RunInfo(Shape):
    """A report on other files, part by part."""

    number: int
    files: list[RunFile]
    parts: list[PartAgain]


class RunCreated(Shape):
    """The number of a new version."""

    number: int


class ReportChanged(Shape):
    """A report that was changed: its new version."""

    version: int
