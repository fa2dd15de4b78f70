"""Every message of the four-pane wire, as one discriminated union of small frozen models.

A message is one JSON object `{"type", "content", ...}` for the page. What is here is what an event stores; the wire
adds what only it knows (seq, runId, timestamp, url or base64 of a file, sanitised html). JSON keys are camelCase,
save in `debug`, whose inside keeps the names of protocol 1.2. To add a type, start here: the type checker then
lists every place to visit. This file imports nothing of ours.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Direction = Literal["up", "down", "left", "right"]
RunState = Literal["queued", "running", "waiting", "stopping", "finished", "failed", "cancelled"]


class Shape(BaseModel):
    """Base of all wire shapes: frozen, closed, camelCase outside and snake_case inside."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


# --- chat pane ---------------------------------------------------------------------------------------------------


class UserMessage(Shape):
    """Echo of what a person sent, queued or not; `ahead` counts the runs it waits for."""

    type: Literal["user_message"] = "user_message"
    content: str
    ahead: int = 0


class Text(Shape):
    """What the agent answers (`answer`), or something the desk has to say (`notice`). Markdown."""

    type: Literal["text"] = "text"
    content: str
    tone: Literal["answer", "notice"] = "answer"


class Code(Shape):
    """A code block; `step` is a label such as "Step 1"."""

    type: Literal["code"] = "code"
    content: str
    language: str = "python"
    step: str | None = None


class Image(Shape):
    """An image by file id; the wire adds `url`, or fills `content` with base64 for protocol 1.2."""

    type: Literal["image"] = "image"
    content: str = ""
    format: Literal["png", "jpg", "jpeg", "gif", "bmp", "svg"]
    path: str | None = None
    file_id: str
    width: int | None = None
    height: int | None = None


class Column(Shape):
    """One column of a table; `kind` decides alignment and formatting on the page."""

    name: str
    kind: Literal["number", "text", "date", "bool"]


class TableContent(Shape):
    """First rows of a table; the rest is paged from `/api/chats/{id}/tables/{tableId}`."""

    table_id: str
    name: str
    columns: list[Column]
    rows: list[list[JsonValue]]
    row_count: int


class Table(Shape):
    type: Literal["table"] = "table"
    content: TableContent


class FileContent(Shape):
    file_id: str
    name: str
    size: int
    media_type: str


class File(Shape):
    """A file that came into the chat, uploaded or produced; the wire adds `url`."""

    type: Literal["file"] = "file"
    content: FileContent


class Error(Shape):
    """What went wrong, in words; `code` is stable, `hint` says what to do."""

    type: Literal["error"] = "error"
    content: str
    code: str = "desk_error"
    hint: str = ""


# --- map pane ----------------------------------------------------------------------------------------------------


class XY(Shape):
    """A point in a floor's virtual coordinates."""

    x: float
    y: float


class Corner(Shape):
    """One corner of a floor image: pixels (px, py) and virtual coordinates (x, y)."""

    px: float
    py: float
    x: float
    y: float


class CoordinateSystem(Shape):
    top_left: Corner
    bottom_right: Corner


class Rectangle(Shape):
    """A named room of a floor, in virtual coordinates."""

    name: str
    top_left: XY
    bottom_right: XY


class Floor(Shape):
    floor_id: str
    floor_name: str
    floor_image: str
    coordinate_system: CoordinateSystem
    rectangles: list[Rectangle]


class Bitmap(Shape):
    bitmap_id: str
    bitmap_name: str
    bitmap_file: str


class MapDefinitionContent(Shape):
    floors: list[Floor]
    bitmaps: list[Bitmap]


class MapDefinition(Shape):
    """The building: sent once, right after a client connects."""

    type: Literal["map_definition"] = "map_definition"
    content: MapDefinitionContent


class AtRectangle(Shape):
    type: Literal["rectangle"] = "rectangle"
    name: str


class AtCoordinate(Shape):
    type: Literal["coordinate"] = "coordinate"
    x: float
    y: float


Position = Annotated[AtRectangle | AtCoordinate, Field(discriminator="type")]


class MapRectangle(Shape):
    """How one room is highlighted."""

    name: str
    color: Colour = "#0066ff"
    stroke_opacity: float = Field(1.0, ge=0, le=1)
    fill_opacity: float = Field(0.3, ge=0, le=1)
    show_name: bool = True


class BitmapOverlay(Shape):
    type: Literal["bitmap"] = "bitmap"
    bitmap_id: str
    position: Position
    offset: XY | None = None


class TextOverlay(Shape):
    type: Literal["text"] = "text"
    text: str
    font_size: float = 14
    color: Colour = "#000000"
    background_color: Colour | None = None
    position: Position
    offset: XY | None = None


Overlay = Annotated[BitmapOverlay | TextOverlay, Field(discriminator="type")]


class MapContent(Shape):
    floor_id: str
    timestamp: str
    rectangles: list[MapRectangle] = []
    overlays: list[Overlay] = []


class Map(Shape):
    """Show this floor with these highlights and overlays; replaces the map command before it."""

    type: Literal["map"] = "map"
    content: MapContent


class ArrowContent(Shape):
    room: str
    direction: Direction


class Arrow(Shape):
    """Draw a direction arrow in the middle of a room."""

    type: Literal["arrow"] = "arrow"
    content: ArrowContent


class Empty(Shape):
    """`{}`: the commands below carry nothing."""


class ClearArrows(Shape):
    type: Literal["clear_arrows"] = "clear_arrows"
    content: Empty = Empty()


class ClearMap(Shape):
    """Remove highlights, overlays and arrows."""

    type: Literal["clear_map"] = "clear_map"
    content: Empty = Empty()


# --- debug pane --------------------------------------------------------------------------------------------------


class DebugContent(BaseModel):
    """First message of a step's batch; keys stay snake_case as in protocol 1.2."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent_response: dict[str, JsonValue]
    parsed_outputs: list[dict[str, JsonValue]]
    output_count: int


class Debug(Shape):
    type: Literal["debug"] = "debug"
    content: DebugContent


# --- live extras of protocol 2.0 -----------------------------------------------------------------------------------


class Isolation(Shape):
    """How far model-written code is kept from this machine; `label` is what the badge says."""

    isolated: bool
    label: str
    reasons: list[str] = []


class ChatContent(Shape):
    chat_id: str
    protocol: Literal["2.0"] = "2.0"
    title: str
    model: str
    agent: str
    isolation: Isolation
    files: list[FileContent]
    tools: list[str]


class Chat(Shape):
    """The chat a socket is attached to; second message after connect."""

    type: Literal["chat"] = "chat"
    content: ChatContent


class RunContent(Shape):
    run_id: str
    state: RunState
    text: str | None = None
    step: int | None = None
    notes: list[str] = []


class Run(Shape):
    """State of a run. The one with finished, failed or cancelled is the last message of its run."""

    type: Literal["run"] = "run"
    content: RunContent


class Delta(Shape):
    """A piece of what the model is writing: prose or code of the step under way."""

    type: Literal["delta"] = "delta"
    content: str
    kind: Literal["text", "code"]
    step: int


class Printed(Shape):
    """Output of the cell under way, as it is printed."""

    type: Literal["printed"] = "printed"
    content: str
    step: int


class ToolContent(Shape):
    call_id: str
    tool: str
    state: Literal["called", "returned", "failed"]
    arguments: dict[str, JsonValue] | None = None
    line: int | None = None
    result: str | None = None
    step: int


class Tool(Shape):
    """One tool call: announced, then returned or failed under the same callId."""

    type: Literal["tool"] = "tool"
    content: ToolContent


class AskContent(Shape):
    ask_id: str
    kind: Literal["approval", "input", "client_tool"]
    tool: str | None
    call_id: str | None
    arguments: dict[str, JsonValue]
    code_line: str | None
    prompt: str
    input_type: Literal["confirmation", "selection", "text", "password"]
    options: list[str]
    default: str | None
    expires_at: str


class AskMessage(Shape):
    """A run waits for an answer from outside."""

    type: Literal["ask"] = "ask"
    content: AskContent


class AskClosedContent(Shape):
    ask_id: str
    granted: bool
    reason: str


class AskClosedMessage(Shape):
    type: Literal["ask_closed"] = "ask_closed"
    content: AskClosedContent


StepOutput = Annotated[
    Code | Image | Table | File | Map | Arrow | ClearArrows | ClearMap | Text | Error,
    Field(discriminator="type"),
]
"""What the OutputParser may make of a step, and an event may store as shown."""

Message = Annotated[
    UserMessage
    | Text
    | Code
    | Image
    | Table
    | File
    | Error
    | MapDefinition
    | Map
    | Arrow
    | ClearArrows
    | ClearMap
    | Debug
    | Chat
    | Run
    | Delta
    | Printed
    | Tool
    | AskMessage
    | AskClosedMessage,
    Field(discriminator="type"),
]


def as_json(message: Shape) -> dict[str, Any]:
    """The message as plain JSON data; absent optional fields are left out, as protocol 1.2 clients expect."""
    return message.model_dump(mode="json", exclude_none=True)
