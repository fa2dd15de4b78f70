"""Output of a run, collected from its events: answer, tables, data, drawings, and their cost."""

from dataclasses import dataclass, field

from pydantic import JsonValue

from smoldesk.events import (
    ModelCalled,
    Nested,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    Shown,
    StepFinished,
    StepStarted,
)
from smoldesk.exams.expected_parts import ExpectedDrawing
from smoldesk.messages import (
    Arrow,
    Chart,
    ChartContent,
    ClearArrows,
    ClearMap,
    Evidence,
    FigureEvidence,
    HighlightRoom,
    Image,
    Json,
    Map,
    MapContent,
    MapFrames,
    MapFramesContent,
    PointsContent,
    Table,
    TableContent,
    Text,
)


@dataclass
class ExamUsage:
    """Steps, calls of the model, and tokens; `cost` in US dollars, None once a call had no known price."""

    steps: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = 0.0

    def add_call(self, call: ModelCalled, is_free: bool) -> None:
        """Count a call of the model."""
        self.calls += 1
        self.input_tokens += call.input_tokens or 0
        self.output_tokens += call.output_tokens or 0
        self.cached_tokens += call.cached_tokens or 0
        if not is_free:
            self.cost = None if self.cost is None or call.cost is None else self.cost + call.cost


@dataclass
class Produced:
    """Result of a run. `tables` are rows, `data` values of the last step; `map` and `arrows` what the map shows.

    `texts` are the parts of the answer as shown, `evidence` its figures; `shown_tables`, `charts` and `images` are those of
    all steps.
    """

    text: str = ""
    failure: str = ""
    code: str = ""
    was_stopped: bool = False
    is_closed: bool = False
    tables: list[list[list[JsonValue]]] = field(default_factory=list[list[list[JsonValue]]])
    data: list[JsonValue] = field(default_factory=list[JsonValue])
    map: MapContent | None = None
    arrows: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    texts: list[str] = field(default_factory=list[str])
    evidence: list[FigureEvidence] = field(default_factory=list[FigureEvidence])
    shown_tables: list[TableContent] = field(default_factory=list[TableContent])
    charts: list[ChartContent] = field(default_factory=list[ChartContent])
    images: int = 0
    points: PointsContent | None = None
    frames: MapFramesContent | None = None
    highlighted: list[str] = field(default_factory=list[str])
    drawings: list[ExpectedDrawing] = field(default_factory=list[ExpectedDrawing])
    """What `drawings_of` read while the chat was there."""
    prompt: str = ""
    """Hash of the first message that the model got: its instructions."""

    @property
    def answer_texts(self) -> list[str]:
        """The parts that positions of `evidence` refer to."""
        return self.texts or [self.text]

    def add(self, event: RunEvent) -> None:
        """Take in the next event of the run."""
        self.is_closed |= isinstance(event, RunFinished | RunFailed | RunCancelled)
        match event:
            case ModelCalled(then=[first, *_]) if not self.prompt:
                self.prompt = first
            case StepStarted():  # earlier steps are work towards the answer
                self.tables, self.data = [], []
            case Shown(message=message):
                self._show(message)
            case RunFinished(text=text):
                self.text = text
            case RunFailed(code=code, message=message):
                self.code, self.failure = code, f"{code}: {message}"
            case RunCancelled(reason=reason):
                self.was_stopped, self.failure = True, f"stopped: {reason}"
            case _:
                pass

    def _show(self, message: object) -> None:
        match message:
            case Text(tone="answer", agent=None, content=text):
                self.texts.append(text)
            case Evidence(content=evidence):
                self.evidence = evidence.figures
            case Chart(content=chart):
                self.charts.append(chart)
            case Image():
                self.images += 1
            case Table(content=table):
                self.tables.append([list(row) for row in table.rows])
                self.shown_tables.append(table)
            case Json(content=value):
                self.data.append(value)
            case Map(content=content):
                is_points = isinstance(content, PointsContent)
                self.map, self.points = (None, content) if is_points else (content, None)
                self.frames = None
            case MapFrames(content=frames):
                self.map, self.points, self.frames = None, None, frames
            case HighlightRoom(content=rooms):
                self.highlighted = rooms.rooms
            case Arrow(content=arrow):
                self.arrows.add((arrow.room, arrow.direction))
            case ClearArrows():
                self.arrows.clear()
            case ClearMap():
                self.map = self.points = self.frames = None
                self.highlighted = []
                self.arrows.clear()
            case _:
                pass


def count(usage: ExamUsage, event: RunEvent, is_free: bool) -> None:
    """Add what an event cost; calls of managed agents count, their steps do not."""
    inner = event.event if isinstance(event, Nested) else event
    if isinstance(inner, ModelCalled):
        usage.add_call(inner, is_free)
    usage.steps += isinstance(event, StepFinished)
