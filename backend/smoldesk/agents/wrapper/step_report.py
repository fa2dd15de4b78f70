"""Events of a finished step: one batch, debug first, built from the parsed output of the step."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue
from smolagents.memory import ActionStep
from smolagents.utils import truncate_content

from smoldesk.agents.wrapper.answers import (
    Piece,
    memory_note,
    parts_of,
    pieces_of,
    text_of,
    text_with_rows,
    value_parts,
)
from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages, image_entry
from smoldesk.agents.wrapper.memory import TaskNotes, step_memory
from smoldesk.agents.wrapper.nested_context import NestedContext
from smoldesk.agents.wrapper.observation import INTERPRETER
from smoldesk.agents.wrapper.other_readings import with_answers
from smoldesk.charts import changed_spec, picture_of
from smoldesk.charts.inside.chart_rules import MAX_BYTES
from smoldesk.errors import DeskError
from smoldesk.events import RunEvent, Shown, StepFinished
from smoldesk.folders import opened_inside
from smoldesk.markdown.answer_forms import Language
from smoldesk.messages import Debug, DebugContent, as_json
from smoldesk.output_parser import DrawnLayers, OutputParser, plain_data
from smoldesk.sandbox.cell import CellAlternative, CellChart, CellResult, CellTable, OutputItem, ProducedFile
from smoldesk.tools.run_context import RunContext

# Limits of the debug pane's data, which repeats other messages; cuts are marked. Characters of one text.
TEXT = 20_000
# Entries of one list.
ITEMS = 200
# Entries of a list of lists, which is a table's rows.
ROWS = 5


def shortened(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Shorten data for the debug pane; notes take the place of what was cut."""
    return {key: _cut(value) for key, value in data.items()}


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= TEXT else f"{value[:TEXT]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return shortened(value)
    if isinstance(value, list):
        most = ROWS if value and isinstance(value[0], list) else ITEMS
        items = [_cut(item) for item in value[:most]]
        return items if len(value) <= most else [*items, f"… ({len(value):,} in all)"]
    return value


IMAGE_FORMATS = ("png", "jpg", "jpeg", "gif", "bmp", "svg")


@dataclass
class StepCells:
    """Output of a step's cells: images, tables, charts and files as a response lists them."""

    codes: list[str] = field(default_factory=list[str])
    results: list[CellResult] = field(default_factory=list[CellResult])
    images: list[JsonValue] = field(default_factory=list[JsonValue])
    tables: list[JsonValue] = field(default_factory=list[JsonValue])
    charts: list[JsonValue] = field(default_factory=list[JsonValue])
    files: list[JsonValue] = field(default_factory=list[JsonValue])
    errors: list[str] = field(default_factory=list[str])
    places: dict[int, JsonValue] = field(default_factory=dict[int, JsonValue])
    """Of each shown item, by its id(): the list of a response that has it, and its index there."""

    @property
    def stopped(self) -> bool:
        return any(cell.stopped for cell in self.results)


class StepReport:
    """Writer of each step's batch, for one run."""

    def __init__(
        self,
        ctx: RunContext,
        calls: ToolCalls,
        images: EmbeddedImages,
        rooms: Sequence[str],
        model: object = None,
    ) -> None:
        """Set up the report. The built-in `model` also has its interpretation of the request."""
        self._ctx = ctx
        self._calls = calls
        self._images = images
        self._parser = OutputParser(rooms)
        self._model = model
        self._drawing = DrawnLayers()
        self._cells = StepCells()
        self._plan: str | None = None
        self._acted = False
        self.answer: str | None = None
        """Text of the run's answer, once a step gave it."""
        self.task = TaskNotes()
        """Additions to the run's task, stored with its first step."""
        self.uncertainty = ""
        """Sentence on the other readings of the request, for readers of text alone; empty if it was clear."""
        self.answer_with_rows = ""
        """The same for readers of text alone, with the first rows of tables."""
        self._note: JsonValue = None
        self.language: Language = "en"
        """Language of the desk's own words in the answer."""

    def add_cell(self, code: str, cell: CellResult | None, error: str | None = None) -> None:
        """Add ended code to the current step and store its files; `cell` is None when it never ran.

        `error` is shown to the person in addition to the step's own error.
        """
        cells = self._cells
        cells.codes.append(code)
        if cell is not None:
            cells.results.append(cell)
            self._keep(cell.answer_items, cells)
        if error is not None and not (cell and cell.stopped):
            cells.errors.append(error)

    def note_plan(self, plan: str) -> None:
        """Take note of the plan that the agent made before its next step."""
        self._plan = plan

    def write(self, step: ActionStep) -> None:
        """Emit debug, the step's messages and StepFinished, in one transaction."""
        cells, self._cells = self._cells, StepCells()
        if edits := self._calls.edits:
            step.observations = "\n".join([*([step.observations] if step.observations else []), *edits])
        response = self._response(step, cells)
        plan: dict[str, JsonValue] = {} if self._plan is None else {"plan": self._plan}
        self._plan = None
        response |= plan
        messages = self._parser.parse(response, self._drawing)
        self._drawing = self._drawing.after(messages)
        debug = DebugContent(
            agent_response=shortened(response),
            parsed_outputs=[shortened(as_json(message)) for message in messages],
            output_count=len(messages),
        )
        usage = step.token_usage
        events: list[RunEvent] = [
            Shown(message=Debug(content=debug)),
            *(Shown(message=message) for message in messages),
        ]
        events.append(
            StepFinished(
                step=step.step_number,
                memory=step_memory(step) | {"observations": self._observations(step)} | plan | self._added(),
                input_tokens=usage.input_tokens if usage else None,
                output_tokens=usage.output_tokens if usage else None,
                duration=step.timing.duration or 0.0,
            )
        )
        self._ctx.emit(*events)

    def _added(self) -> dict[str, JsonValue]:
        """Return the additions to the task, for the first step alone."""
        added, self.task = self.task, TaskNotes()
        return added.memory()

    def _observations(self, step: ActionStep) -> str | None:
        """Return a step's observations for later runs; smolagents repeats the answer in them, with the bytes of its images."""
        answer_repr = str(step.action_output)
        if self.answer is None or step.observations is None:
            return step.observations
        observations = step.observations if self._note is None else f"{step.observations}\n{self._note}"
        if "base64," not in answer_repr:
            return observations
        return observations.replace(truncate_content(answer_repr), self.answer)

    def _response(self, step: ActionStep, cells: StepCells) -> dict[str, JsonValue]:
        """Return the step's response, with the parts of protocol 1.2, its cells' output and its tools' results."""
        self._keep_added(cells)
        label = f"Step {step.step_number}"
        code: list[JsonValue] = [{"code": code, "step": label} for code in cells.codes]
        names: list[JsonValue] = [INTERPRETER] if step.code_action else []
        without = self._images.replace_images
        errors = [str(step.error)] if step.error and not cells.stopped else cells.errors
        last = cells.results[-1] if cells.results else None
        pieces = self._answer(step.action_output, last) if step.is_final_answer else []
        final = self.answer = text_of(pieces) if step.is_final_answer else None
        answer = plain_data(step.action_output) if step.is_final_answer else None
        printed = without("".join(cell.printed for cell in cells.results))
        results: list[JsonValue] = list(self._calls.results)
        answer_parts: list[JsonValue] = [
            piece if isinstance(piece, str) else cells.places[id(piece)]
            for piece in pieces
            if isinstance(piece, str) or id(piece) in cells.places
        ]
        # images embedded in texts come last; some were already stored while they were printed
        images = [*cells.images, *self._images.drain()]
        self._acted = self._acted or bool(step.tool_calls)
        return {
            "text": final or "",
            "answer_parts": answer_parts,
            "without_code": final is not None and not self._acted,
            **(self._interpretation(last) if step.is_final_answer else {}),
            "images": images,
            "map_data": None,
            "raw_output": printed,
            "result": final if answer is None else answer,
            "code_steps": code,
            "logs": [
                {"step_number": step.step_number, "tool_calls": names + list[JsonValue](self._calls.names)}
            ],
            "tool_results": results,
            "tool_sources": list[JsonValue](self._calls.sources),
            "tables": cells.tables,
            "charts": cells.charts,
            "files": cells.files,
            "error": "\n\n".join(errors) or None,
            "error_code": next((cell.error.code for cell in cells.results if cell.error is not None), None),
            "model_output": step.model_output if isinstance(step.model_output, str) else None,
            "duration": step.timing.duration or 0.0,
        }

    def _interpretation(self, cell: CellResult | None) -> dict[str, JsonValue]:
        """Return the model's interpretation of the request, and the other ones that its code computed."""
        fields: dict[str, JsonValue] = {
            "reading": getattr(self._model, "reading", None),
            "suggestions": getattr(self._model, "suggestions", None),
        }
        offered = getattr(self._model, "alternatives", None)
        if offered is None or cell is None or not cell.alternatives:
            return fields
        alternatives = with_answers(offered, cell, self._alternative)
        self.uncertainty = str(alternatives["note"])
        entries: Any = alternatives["alternatives"]
        fields["reading"], fields["alternatives"] = entries[0]["reading"], alternatives
        return fields

    def _alternative(self, alternative: CellAlternative) -> dict[str, JsonValue]:
        """Return one of several answers as a response of its own."""
        cells = StepCells()
        self._keep(alternative.output_items, cells)
        pieces = pieces_of(alternative.parts, self.language)
        without = self._images.replace_images
        return {
            "answer_parts": [
                without(piece) if isinstance(piece, str) else cells.places[id(piece)]
                for piece in pieces
                if isinstance(piece, str) or id(piece) in cells.places
            ],
            "tables": cells.tables,
            "charts": cells.charts,
            "images": cells.images,
            "files": cells.files,
        }

    def _answer(self, output: Any, cell: CellResult | None) -> list[Piece]:
        """Return the answer's texts and items, and keep them for the model and for readers of text."""
        is_value = cell is not None and not cell.is_final_answer
        parts = value_parts(cell) if cell is not None and is_value else parts_of(output, cell)
        without = self._images.replace_images
        shown = pieces_of(parts, self.language, with_sentences=not is_value)
        pieces = [without(piece) if isinstance(piece, str) else piece for piece in shown]
        self.answer_with_rows = text_with_rows(pieces, self.language)
        self._note = memory_note(parts, self.language)
        return pieces

    def _keep(self, items: Iterable[OutputItem], cells: StepCells) -> None:
        for item in items:
            if isinstance(item, ProducedFile) and self._calls.nested_file_sizes.get(item.path) == item.size:
                continue  # a managed agent made it for a call of this cell, and has shown it
            try:
                if isinstance(item, CellTable):
                    cells.tables.append(self._table(item))
                    place: JsonValue = {"tables": len(cells.tables) - 1}
                elif isinstance(item, CellChart):
                    cells.charts.append(_store_chart(self._ctx, item))
                    place = {"charts": len(cells.charts) - 1}
                else:
                    place = self._file(item, cells)
                cells.places[id(item)] = place
            except DeskError as fault:  # deleted meanwhile, too large, or not a file: note it and go on
                self._calls.printed(f"\n[not shown: {fault}]\n")

    def _keep_added(self, cells: StepCells) -> None:
        """Store files that tools put into the chat's folder, unless a cell has listed them already."""
        produced_paths = {
            item.path
            for cell in cells.results
            for item in cell.output_items
            if isinstance(item, ProducedFile)
        }
        added = [name for name in dict.fromkeys(self._calls.added) if name not in produced_paths]
        self._keep([ProducedFile(name, 0, "file") for name in added], cells)

    def _table(self, table: CellTable) -> JsonValue:
        stored = self._ctx.keep_file(table.path, "table", f"{table.name}.parquet")
        columns: list[Any] = table.columns
        rows: list[Any] = table.rows
        return {
            "table_id": stored.id,
            "name": table.name,
            "columns": columns,
            "rows": rows,
            "row_count": table.row_count,
        }

    def _file(self, item: ProducedFile, cells: StepCells) -> JsonValue:
        ending = item.path.rpartition(".")[2].lower()
        # a figure that the code only drew lies in the hidden part of the folder, under a name of no use to people
        name = f"figure-{self._ctx.next_figure()}.{ending}" if item.path.startswith(".") else item.path
        stored = self._ctx.keep_file(item.path, "figure" if item.kind == "figure" else "produced", name)
        if ending in IMAGE_FORMATS:
            cells.images.append(image_entry(self._ctx, stored.id, ending, name))
            return {"images": len(cells.images) - 1}
        about = {"name": stored.name, "size": stored.size, "media_type": stored.media_type}
        cells.files.append({"file_id": stored.id, **about})
        return {"files": len(cells.files) - 1}


def _store_chart(ctx: RunContext, chart: CellChart) -> JsonValue:
    """Store a chart as two files, its spec with rows and its picture; return its entry for a step's response.

    Raises DeskError for a chart that cannot be shown.
    """
    with (
        opened_inside(ctx.folder, chart.path, MAX_BYTES) as descriptor,
        os.fdopen(os.dup(descriptor), "rb") as file,
    ):
        base = file.read(MAX_BYTES + 1)
    changed = changed_spec(base, chart.changes)
    picture = picture_of(changed.spec, ctx.stop)
    name = f"chart-{ctx.next_figure()}"
    image = ctx.keep_bytes(picture.png, "figure", f"{name}.png")
    stored_spec = ctx.keep_bytes(changed.spec.encode(), "chart", f"{name}.json")
    # Of a managed agent's cells no page shows the code as one block.
    has_code = chart.at if changed.controls and not isinstance(ctx, NestedContext) else None
    stored_base = ctx.keep_bytes(base, "chart", f"{name}-base.json") if changed.changes else None
    return {
        "base_id": stored_base.id if stored_base else None,
        "changes": dict[str, JsonValue](changed.changes) or None,
        "code_at": [*has_code] if has_code else None,
        "spec_id": stored_spec.id,
        "image_id": image.id,
        "name": name,
        "description": chart.title,
        "width": picture.width,
        "height": picture.height,
        "rows": chart.rows,
        "shown": chart.plotted_rows,
        "reduced": chart.reduced or None,
    }
