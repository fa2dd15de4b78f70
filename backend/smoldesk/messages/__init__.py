"""Every message of the four-pane wire, as one discriminated union of small frozen models.

A message is one JSON object `{"type", "content", ...}` for the page. What is here is what an event stores; the wire
adds what only it knows (seq, runId, timestamp, url or base64 of a file, sanitised html). JSON keys are camelCase,
save in `debug`, whose inside keeps the names of protocol 1.2. To add a type, start here: the type checker then
lists every place to visit. This room imports nothing of ours.

- `shape`: the base, and the words several panes share.
- `chat_pane`, `map_pane`: what these panes show; `building`: the plan; `closures`: its closed parts; `layers`: live layers.
- `evidence`: the figures of an answer, and where they come from.
- `selection`: rows of a chart or a table that a person points at.
- `live`: the debug pane, the chat, its runs and what they do right now.
"""

from typing import Annotated, Literal

from pydantic import Field

from smoldesk.messages.answer_evidence import (
    Evidence,
    EvidenceContent,
    EvidencePlace,
    EvidenceStatus,
    FigureEvidence,
    Operation,
)
from smoldesk.messages.building import (
    XY,
    Bitmap,
    CoordinateSystem,
    Corner,
    Door,
    Floor,
    Georeference,
    Link,
    LinkKind,
    MapDefinition,
    MapDefinitionContent,
    Rectangle,
    RoomRef,
    Stop,
)
from smoldesk.messages.chat_pane import (
    Alternative,
    Alternatives,
    AlternativesContent,
    Chart,
    ChartChanged,
    ChartChangedContent,
    ChartContent,
    Code,
    Column,
    Error,
    File,
    FileContent,
    FileNote,
    Image,
    Json,
    McpApp,
    McpAppContent,
    Reading,
    ReadingChip,
    ReadingChoice,
    ReadingContent,
    ReadingKept,
    ReadingKeptContent,
    SentencePiece,
    Table,
    TableContent,
    TableFacts,
    Text,
    UserMessage,
    VersionShown,
    VersionShownContent,
)
from smoldesk.messages.closures import (
    MAX_CLOSURES,
    MAX_SCENARIO_NAME,
    MAX_SCENARIOS,
    Closure,
    ClosuresMessage,
    ClosureState,
    Scenario,
)
from smoldesk.messages.layers import (
    LayerFrame,
    Layers,
    LayersContent,
    LayerShown,
    LayerStatus,
    LayerValues,
    LayerValuesContent,
    ShownLayer,
)
from smoldesk.messages.live import (
    AskClosedContent,
    AskClosedMessage,
    AskContent,
    AskMessage,
    Branch,
    BranchContent,
    Chat,
    ChatContent,
    CodeLimits,
    Debug,
    DebugContent,
    Delta,
    Isolation,
    ModelCall,
    ModelCallContent,
    Note,
    NoteFacts,
    Notices,
    NoticesContent,
    OpenAsk,
    OpenAsks,
    OpenAsksContent,
    ParameterContent,
    Policy,
    PolicyContent,
    Printed,
    PromptProgress,
    PromptProgressContent,
    Run,
    RunContent,
    Tool,
    ToolContent,
    ToolProgress,
    ToolProgressContent,
    WatchNotice,
)
from smoldesk.messages.map_pane import (
    MAX_FRAMES,
    MAX_POINTS,
    Arrow,
    ArrowContent,
    AtCoordinate,
    AtRectangle,
    BitmapOverlay,
    ClearArrows,
    ClearMap,
    FloorChange,
    Frame,
    GeoPoint,
    HighlightRoom,
    LegendOverlay,
    LegendStop,
    Map,
    MapContent,
    MapFrames,
    MapFramesContent,
    MapRectangle,
    Overlay,
    PlanPoint,
    PointsContent,
    Position,
    RoomsContent,
    RouteLeg,
    RouteOverlay,
    RouteStep,
    Source,
    TextOverlay,
)
from smoldesk.messages.selection import (
    ChartRange,
    ChartSelection,
    Filter,
    RowSelection,
    RowView,
    SortBy,
    TableSelection,
)
from smoldesk.messages.shape import (
    Colour,
    Direction,
    Empty,
    RunState,
    Shape,
    as_json,
)

__all__ = [
    "MAX_CLOSURES",
    "MAX_FRAMES",
    "MAX_POINTS",
    "MAX_SCENARIOS",
    "MAX_SCENARIO_NAME",
    "XY",
    "Alternative",
    "Alternatives",
    "AlternativesContent",
    "Arrow",
    "ArrowContent",
    "AskClosedContent",
    "AskClosedMessage",
    "AskContent",
    "AskMessage",
    "AtCoordinate",
    "AtRectangle",
    "Bitmap",
    "BitmapOverlay",
    "Branch",
    "BranchContent",
    "Chart",
    "ChartChanged",
    "ChartChangedContent",
    "ChartContent",
    "ChartRange",
    "ChartSelection",
    "Chat",
    "ChatContent",
    "ClearArrows",
    "ClearMap",
    "Closure",
    "ClosureState",
    "ClosuresMessage",
    "Code",
    "CodeLimits",
    "Colour",
    "Column",
    "CoordinateSystem",
    "Corner",
    "Debug",
    "DebugContent",
    "Delta",
    "Direction",
    "Door",
    "Empty",
    "Error",
    "Evidence",
    "EvidenceContent",
    "EvidencePlace",
    "EvidenceStatus",
    "FigureEvidence",
    "File",
    "FileContent",
    "FileNote",
    "Filter",
    "Floor",
    "FloorChange",
    "Frame",
    "GeoPoint",
    "Georeference",
    "HighlightRoom",
    "Image",
    "Isolation",
    "Json",
    "LayerFrame",
    "LayerShown",
    "LayerStatus",
    "LayerValues",
    "LayerValuesContent",
    "Layers",
    "LayersContent",
    "LegendOverlay",
    "LegendStop",
    "Link",
    "LinkKind",
    "Map",
    "MapContent",
    "MapDefinition",
    "MapDefinitionContent",
    "MapFrames",
    "MapFramesContent",
    "MapRectangle",
    "McpApp",
    "McpAppContent",
    "Message",
    "ModelCall",
    "ModelCallContent",
    "Nested",
    "NestedContent",
    "Note",
    "NoteFacts",
    "Notices",
    "NoticesContent",
    "OpenAsk",
    "OpenAsks",
    "OpenAsksContent",
    "Operation",
    "Overlay",
    "ParameterContent",
    "PlanPoint",
    "PointsContent",
    "Policy",
    "PolicyContent",
    "Position",
    "Printed",
    "PromptProgress",
    "PromptProgressContent",
    "Reading",
    "ReadingChip",
    "ReadingChoice",
    "ReadingContent",
    "ReadingKept",
    "ReadingKeptContent",
    "Rectangle",
    "RoomRef",
    "RoomsContent",
    "RouteLeg",
    "RouteOverlay",
    "RouteStep",
    "RowSelection",
    "RowView",
    "Run",
    "RunContent",
    "RunState",
    "Scenario",
    "SentencePiece",
    "Shape",
    "ShownLayer",
    "SortBy",
    "Source",
    "StepOutput",
    "Stop",
    "Table",
    "TableContent",
    "TableFacts",
    "TableSelection",
    "Text",
    "TextOverlay",
    "Tool",
    "ToolContent",
    "ToolProgress",
    "ToolProgressContent",
    "UserMessage",
    "VersionShown",
    "VersionShownContent",
    "WatchNotice",
    "as_json",
    "outputs_in",
]

# Messages that the OutputParser makes of a step, and that an event stores as shown.
StepOutput = Annotated[
    Code
    | Image
    | Table
    | Chart
    | File
    | McpApp
    | Json
    | Reading
    | Alternatives
    | Evidence
    | Map
    | MapFrames
    | HighlightRoom
    | Arrow
    | ClearArrows
    | ClearMap
    | Text
    | Error,
    Field(discriminator="type"),
]


def outputs_in(message: StepOutput | Debug) -> list[StepOutput | Debug]:
    """Return a message, or in place of alternatives the messages of their answers."""
    if isinstance(message, Alternatives):
        return [output for alternative in message.content.alternatives for output in alternative.outputs]
    return [message]


class NestedContent(Shape):
    """`message` is what the managed `agent` would have told as an agent of its own; `within` is the callId it works for.

    The wire completes it as any message.
    """

    within: str
    agent: str
    message: Annotated[
        StepOutput | Debug | Run | Delta | PromptProgress | ModelCall | Printed | Tool | ToolProgress,
        Field(discriminator="type"),
    ]


class Nested(Shape):
    """A managed agent works for a call of the run, and has steps, texts, calls and outputs of its own."""

    type: Literal["nested"] = "nested"
    content: NestedContent


Message = Annotated[
    UserMessage
    | Text
    | Code
    | Image
    | Table
    | Chart
    | File
    | McpApp
    | Json
    | Reading
    | Alternatives
    | Evidence
    | ReadingKept
    | VersionShown
    | ChartChanged
    | Error
    | MapDefinition
    | Map
    | MapFrames
    | HighlightRoom
    | Arrow
    | ClearArrows
    | ClearMap
    | ClosuresMessage
    | LayerShown
    | Layers
    | LayerValues
    | Debug
    | Chat
    | Run
    | Delta
    | PromptProgress
    | ModelCall
    | Printed
    | Tool
    | ToolProgress
    | Nested
    | AskMessage
    | AskClosedMessage
    | OpenAsks
    | Notices
    | Policy
    | Branch,
    Field(discriminator="type"),
]
