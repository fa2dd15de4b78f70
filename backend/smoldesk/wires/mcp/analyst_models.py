"""What asking an analyst takes and gives: the schemas that clients see. Addresses are paths of this desk."""

from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue

AnswerState = Literal["finished", "failed", "cancelled", "waiting"]


class OfferedFile(BaseModel):
    """A file for the question: new with `data` or a `data:` URI, else one that the chat or another chat has."""

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
    """The first rows of a table; `url` has pages of all of them, `uri` is the same as a resource."""

    id: str
    name: str
    columns: list[AnswerColumn]
    rows: list[list[JsonValue]]
    row_count: int
    url: str
    uri: str


class AnswerChart(BaseModel):
    """A chart as a Vega-Lite spec with its rows; without `spec` it is too large to be told here and is at `url`."""

    name: str
    description: str
    spec: dict[str, Any] | None
    url: str
    image_url: str


class AnswerFile(BaseModel):
    """A picture or another file that the answer made."""

    name: str
    media_type: str
    url: str


class AnswerRoom(BaseModel):
    """A highlighted room; `value` is the figure it is coloured by, `agent` who drew it where several did."""

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
    """What the chat's map shows once the answer is there; `uri` is its picture, an SVG."""

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
    """Something the run waits for. `how` says how it is answered."""

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
    """What an agent of the desk answered. While `state` is waiting, `asks` are open and the run goes on once answered."""

    chat_id: str = Field(description="Give it with the next question to go on in the same chat.")
    run_id: str
    state: AnswerState
    text: str
    error: str | None = None
    tables: list[AnswerTable] = []
    charts: list[AnswerChart] = []
    images: list[AnswerFile] = []
    files: list[AnswerFile] = []
    map: AnswerMap | None = None
    asks: list[WaitingFor] = []
