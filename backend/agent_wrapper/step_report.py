"""What a finished step becomes: one batch of events, debug first, from the parser's reading of the step."""

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue
from smolagents.memory import ActionStep
from smolagents.utils import truncate_content

from backend.agent_wrapper.calls import ToolCalls
from backend.agent_wrapper.context import Context
from backend.agent_wrapper.embedded_images import EmbeddedImages, png_size
from backend.agent_wrapper.memory import step_memory
from backend.agent_wrapper.shorten import shortened
from backend.errors import DeskError
from backend.events import RunEvent, Shown, StepFinished
from backend.messages import Debug, DebugContent, as_json
from backend.output_parser import Drawing, OutputParser, plain_data
from backend.sandbox.cell import CellResult, CellTable, ProducedFile

IMAGE_FORMATS = ("png", "jpg", "jpeg", "gif", "bmp", "svg")


class StepReport:
    """Writes the batch of each step of one run."""

    def __init__(self, ctx: Context, calls: ToolCalls, images: EmbeddedImages, rooms: Sequence[str]) -> None:
        self._ctx = ctx
        self._calls = calls
        self._images = images
        self._parser = OutputParser(rooms)
        self._drawing = Drawing()
        self._codes: list[str] = []
        self.answer: str | None = None
        """The text of the run's answer, once a step gave it."""

    def write(self, step: ActionStep, cell: CellResult | None) -> None:
        """Append debug, the step's messages and StepFinished, in one transaction."""
        response = self._response(step, cell)
        shown = self._parser.parse(response, self._drawing, self._codes)
        self._codes += [step.code_action] if step.code_action else []
        self._drawing = self._drawing.after(shown)
        debug = DebugContent(
            agent_response=shortened(response),
            parsed_outputs=[shortened(as_json(message)) for message in shown],
            output_count=len(shown),
        )
        usage = step.token_usage
        events: list[RunEvent] = [
            Shown(message=Debug(content=debug)),
            *(Shown(message=message) for message in shown),
        ]
        events.append(
            StepFinished(
                step=step.step_number,
                memory=step_memory(step) | {"observations": self._observations(step)},
                input_tokens=usage.input_tokens if usage else None,
                output_tokens=usage.output_tokens if usage else None,
                duration=step.timing.duration or 0.0,
            )
        )
        self._ctx.emit(*events)

    def _observations(self, step: ActionStep) -> str | None:
        """What later runs read of a step; smolagents repeats the answer in it, with the bytes of its images."""
        said = str(step.action_output)
        if self.answer is None or step.observations is None or "base64," not in said:
            return step.observations
        return step.observations.replace(truncate_content(said), self.answer)

    def _response(self, step: ActionStep, cell: CellResult | None) -> dict[str, JsonValue]:
        """The step as protocol 1.2 names its parts, with what the cell produced."""
        label = f"Step {step.step_number}"
        code: list[JsonValue] = [{"code": step.code_action, "step": label}] if step.code_action else []
        names: list[JsonValue] = ["python_interpreter"] if code else []
        images, tables, files = self._keep(cell)
        without = self._images.taken_from
        error = str(step.error) if step.error and not (cell and cell.stopped) else None
        final = without(answer_text(step.action_output, cell)) if step.is_final_answer else None
        answer = plain_data(step.action_output) if step.is_final_answer else None
        self.answer = final
        printed = without(cell.printed if cell else "")
        results: list[JsonValue] = list(self._calls.results)
        images += self._images.taken()  # those of the texts; some were kept while they were printed
        return {
            "text": final or "",
            "images": images,
            "map_data": None,
            "raw_output": printed,
            "result": final if answer is None else answer,
            "code_steps": code,
            "logs": [
                {"step_number": step.step_number, "tool_calls": names + list[JsonValue](self._calls.names)}
            ],
            "tool_results": results,
            "tables": tables,
            "files": files,
            "error": error,
            "model_output": step.model_output if isinstance(step.model_output, str) else None,
            "duration": step.timing.duration or 0.0,
        }

    def _keep(self, cell: CellResult | None) -> tuple[list[JsonValue], list[JsonValue], list[JsonValue]]:
        images: list[JsonValue] = []
        tables: list[JsonValue] = []
        files: list[JsonValue] = []
        for item in cell.shown if cell else ():
            try:
                if isinstance(item, CellTable):
                    tables.append(self._table(item))
                else:
                    self._file(item, images, files)
            except DeskError as fault:  # gone again, too large, or not a file: said, and the rest is shown
                self._calls.printed(f"\n[not shown: {fault}]\n")
        return images, tables, files

    def _table(self, table: CellTable) -> JsonValue:
        stored = self._ctx.keep_file(table.path, "table", f"{table.name}.jsonl")
        columns: list[Any] = table.columns
        rows: list[Any] = table.rows
        return {
            "table_id": stored.id,
            "name": table.name,
            "columns": columns,
            "rows": rows,
            "row_count": table.row_count,
        }

    def _file(self, item: ProducedFile, images: list[JsonValue], files: list[JsonValue]) -> None:
        ending = item.path.rpartition(".")[2].lower()
        is_image = ending in IMAGE_FORMATS
        # a figure that the code only drew lies in the hidden part of the folder, under a name of no use to people
        name = f"figure-{self._ctx.next_figure()}.{ending}" if item.path.startswith(".") else item.path
        stored = self._ctx.keep_file(item.path, "figure" if item.kind == "figure" else "produced", name)
        if is_image:
            size = png_size(self._ctx.stored_path(stored.id)) if ending == "png" else None
            width, height = size or (None, None)
            images.append(
                {"file_id": stored.id, "format": ending, "path": name, "width": width, "height": height}
            )
        else:
            files.append(
                {
                    "file_id": stored.id,
                    "name": stored.name,
                    "size": stored.size,
                    "media_type": stored.media_type,
                }
            )


def answer_text(output: Any, cell: CellResult | None) -> str:
    """The final answer as text: itself when it is text, else as Python shows it."""
    if isinstance(output, str):
        return output
    if cell is not None and cell.is_final_answer and cell.output:
        return cell.output
    return "" if output is None else str(output)
