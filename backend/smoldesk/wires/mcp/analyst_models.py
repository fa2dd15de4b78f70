"""Input and output schemas of the analyst's tools, as clients see them. Addresses are paths of this desk."""

from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue

AnswerState = Literal["finished", "failed", "cancelled", "waiting"]


class OfferedFile(BaseModel):
    """File for the question: a new one with `data` or a `data:` URI, else a file of this or another chat."""

    name: str = Field(
        default="", description="File name such as sales.csv; alone, a file that the chat has already."
    )
    data: str | None = Field(default=None, description="Its bytes in base64.")
    uri: str | None = Field(default=None, description="data:... or smoldesk://chats/{chat_id}/files/{name}.")


class AnswerColumn(BaseModel):
    """A column: number, text, date or bool."""

    name: str
    kind: str


class AnswerTable(BaseModel):
    """First rows of a table; `url` has pages of all rows, `uri` is the table as a resource."""

    id: str
    name: str
    columns: list[AnswerColumn]
    rows: list[list[JsonValue]]
    row_count: int
    url: str
    uri: str


class AnswerChart(BaseModel):
    """Chart as a Vega-Lite spec with its rows; `spec` is null if it is too large, and `url` has it."""

    name: str
    description: str
    spec: dict[str, Any] | None
    url: str
    image_url: str


class AnswerFile(BaseModel):
    """Image or other file of the answer."""

    name: str
    media_type: str
    url: str


class AnswerRoom(BaseModel):
    """Highlighted room; `value` is the number that its colour shows, `agent` its author if several agents drew."""

    name: str
    color: str
    value: float | None = None
    agent: str | None = None


class AnswerArrow(BaseModel):
    """An arrow in a room."""

    room: str
    direction: str
    agent: str | None = None


class AnswerMap(BaseModel):
    """The chat's map after the answer; `uri` is its image, an SVG."""

    floor_id: str
    floor: str
    rooms: list[AnswerRoom]
    arrows: list[AnswerArrow]
    overlays: list[dict[str, JsonValue]] = Field(
        [],
        description="Words, pictures, routes and legends, as the page's messages have them, and whose each is.",
    )
    points: list[dict[str, JsonValue]] = Field([], description="Marked places: x, y, name, agent.")
    layers: list[str] = Field(
        description="The agents that drew, in the order in which they lie on each other."
    )
    uri: str


class WaitingFor(BaseModel):
    """Open ask of the run. `how` explains how to answer it."""

    ask_id: str
    kind: str
    prompt: str
    tool: str | None = None
    arguments: dict[str, JsonValue] = {}
    input_type: str
    options: list[str] = []
    expires_at: str
    how: str


class AnalystAnswer(BaseModel):
    """Answer of an agent. While `state` is waiting, `asks` are open, and the run continues after they are answered."""

    chat_id: str = Field(description="Give it with the next question to go on in the same chat.")
    run_id: str
    state: AnswerState
    text: str
    error: str | None = None
    tables: list[AnswerTable] = []
    charts: list[AnswerChart] = []
    images: list[AnswerFile] = []
    files: list[AnswerFile] = []
    alternatives: list[dict[str, JsonValue]] = Field(
        default=[],
        description="Readings of an unclear question, as the page's messages have them; the first one is answered.",
    )
    evidence: dict[str, JsonValue] | None = Field(
        default=None,
        description="Figures of the answer and where the run produced each, as the page's messages have them.",
    )
    map: AnswerMap | None = None
    asks: list[WaitingFor] = []
