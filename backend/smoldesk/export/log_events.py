"""Events of a log, each checked against those before it and rewritten for this desk."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, JsonValue, ValidationError

from smoldesk import messages as m
from smoldesk.events import (
    AnyEvent,
    BuildingChosen,
    ChartChanged,
    FileAdded,
    FileChanged,
    FileRemoved,
    ModelCalled,
    Nested,
    RoomsSelected,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunQueued,
    RunStarted,
    Shown,
    StateShared,
    StepFinished,
    ToolProgress,
    unnested,
)
from smoldesk.export.log_format import FILE_ID, Line, broken
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.store.chat_choices import MAX_SHARED
from smoldesk.store.run_options import RunOptions
from smoldesk.store.transaction import plain

# Maximum open runs of a log, and maximum open calls and asks of one run: they stay in memory.
MAX_OPEN = 1_000
STATES: dict[type[Any], str] = {RunFinished: "finished", RunFailed: "failed", RunCancelled: "cancelled"}
LOG_ENDS = "the log ends while this run was going on"
Row = Mapping[str, Any]


class _Call(BaseModel):
    name: str
    arguments: JsonValue
    id: str


class _Fault(BaseModel):
    type: str
    message: str


class _Memory(BaseModel):
    """Memory of a step, as agents/wrapper/memory.py reads it back."""

    model_output: str | None
    code_action: str | None
    tool_calls: list[_Call]
    observations: str | None
    error: _Fault | None
    is_final_answer: bool


@dataclass
class LogEvents:
    """Accepts events in order. `buildings` and `prompts` map ids of the log to those of this desk."""

    buildings: dict[str, str | None] = field(default_factory=dict[str, str | None])
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    last: int = 0
    ended_at: float = 0.0
    building_id: str | None = None
    selection: str | None = None
    _run_count: int = 0
    _open: dict[str, tuple[dict[str, Any], OpenEnds]] = field(default_factory=dict[str, Any])

    def take(self, number: int, line: Line) -> tuple[AnyEvent, Row | None]:
        """Return the event as stored here, and the row of the run that it closes. Raises BadInput."""
        event = line.event
        assert event is not None
        if line.seq != self.last + 1 or line.at is None or line.at.tzinfo is None or line.at.year < 1971:
            raise broken(number, "its seq does not follow the previous one, or it has no valid time")
        if not all(FILE_ID.fullmatch(file_id) for file_id in files_of(event)):
            raise broken(number, "the id of its file is invalid")
        self.last, self.ended_at = line.seq, line.at.timestamp()
        event = self._here(number, event, line.run_id)
        return event, self._note(number, event, line.run_id)

    def ends(self) -> Iterator[tuple[str, Row, list[RunEvent]]]:
        """Yield for each run that is still open: its id, its row, and the events that close it."""
        for run_id, (row, open_ends) in self._open.items():
            failed = RunFailed(code="log_ended", message=f"{LOG_ENDS[0].upper()}{LOG_ENDS[1:]}.")
            closing = [*open_ends.closing(LOG_ENDS, "stop"), failed]
            yield run_id, row | {"state": "failed", "changed_at": self.ended_at}, closing

    def _here(self, number: int, event: AnyEvent, run_id: str | None) -> AnyEvent:
        """Return an event with this desk's ids, and note its effects on its run and the map."""
        match event:
            case RunQueued():
                self._begin(number, event, run_id)
            case RunStarted(reading=reading, about=about) if run_id in self._open:
                row = self._open[run_id][0]
                options = RunOptions.read(row["options"])
                row["options"] = options.model_copy(update={"reading": reading, "about": about}).to_column()
            case StepFinished():
                try:
                    _Memory.model_validate(event.memory)
                except ValidationError:
                    raise broken(number, "the memory of its step is invalid") from None
            case ModelCalled(then=then, response=response):
                names = {"then": [self.prompts.get(prompt_id, prompt_id) for prompt_id in then]}
                return event.model_copy(
                    update=names | {"response": self.prompts.get(response or "", response)}
                )
            # The context id names a thread with a remote agent, which the new chat must not continue.
            case ToolProgress(context_id=str()):
                return event.model_copy(update={"context_id": None})
            case Nested(event=inner):
                return event.model_copy(update={"event": self._here(number, inner, run_id)})
            case BuildingChosen():
                self.building_id, self.selection = self.buildings.get(event.building_id or ""), None
                return event.model_copy(update={"building_id": self.building_id})
            case RoomsSelected(rooms=rooms):
                dumped = [room.model_dump(mode="json") for room in rooms]
                self.selection = json.dumps(dumped) if rooms else None
            case StateShared(state=state) if len(json.dumps(state, ensure_ascii=False)) > MAX_SHARED:
                raise broken(number, f"its shared state is longer than {MAX_SHARED} characters")
            case _:
                pass
        return event

    def _begin(self, number: int, event: RunQueued, run_id: str | None) -> None:
        if run_id is None or run_id in self._open or len(self._open) >= MAX_OPEN:
            raise broken(number, f"its run has no id or is open already, or {MAX_OPEN} runs are open")
        self._run_count += 1
        row = {"id": run_id, "position": self._run_count, "message": plain(event.message)}
        options = RunOptions(attachments=event.attachments or None, is_code=event.is_code or None)
        options = options.model_copy(update={"version_of": event.version_of})
        self._open[run_id] = (row | {"created_at": self.ended_at, "options": options.to_column()}, OpenEnds())

    def _note(self, number: int, event: AnyEvent, run_id: str | None) -> Row | None:
        if not isinstance(event, RunEvent):
            if run_id is not None:
                raise broken(number, f"an event of type {event.type} belongs to no run, but it names one")
            return None
        if run_id is None or run_id not in self._open:
            raise broken(number, "its run has not started or has ended")
        ends = self._open[run_id][1]
        ends.note([event])
        if ends.count > MAX_OPEN:
            raise broken(number, f"its run has more than {MAX_OPEN} open calls and asks")
        if (state := STATES.get(type(event))) is None:
            return None
        return self._open.pop(run_id)[0] | {"state": state, "changed_at": self.ended_at}


def files_of(event: AnyEvent) -> list[str]:
    """Return the ids of the files that an event shows."""
    event = unnested(event)
    match event:
        case FileAdded(file=file) | FileChanged(file=file):
            return [file.file_id]
        case FileRemoved(file_id=file_id):
            return [file_id]
        case ChartChanged(spec_id=spec_id, chart=chart):
            return [spec_id, *_files_of(m.Chart(content=chart))]
        case Shown(message=message):
            return [file_id for output in m.outputs_in(message) for file_id in _files_of(output)]
        case _:
            return []


def _files_of(message: m.StepOutput | m.Debug) -> list[str]:
    match message:
        case m.Image(file_id=file_id):
            return [file_id]
        case m.Chart(content=chart):
            return [chart.spec_id, chart.image_id, *([chart.base_id] if chart.base_id else [])]
        case m.Table(content=table):
            return [table.table_id]
        case m.McpApp(content=app):
            return [
                stored_id for stored_id in (app.page_id, app.facts_id, app.result_id) if stored_id is not None
            ]
        case m.File(content=file) if file.file_id:  # a file card without bytes has no id
            return [file.file_id]
        case _:
            return []
