"""Run of a report on other files: each code cell again, in a fresh jailed process with the new files under the old
names.

The chat's process, folder and log stay unchanged. Tools of the desk are not called: their recorded results are used,
and parts that come from tools alone keep their content.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smoldesk import messages as m
from smoldesk.charts import changed_spec, picture_of
from smoldesk.errors import DeskError, Stopped
from smoldesk.export.chat_source import InputFile
from smoldesk.export.map_svg import MapState
from smoldesk.export.notebook import runs
from smoldesk.export.pins import Part, Report
from smoldesk.export.turns import Step, Turn
from smoldesk.export.verify import NEEDS, answer_of, figures, fresh_process, last_line, prepare, same
from smoldesk.folders import opened_inside
from smoldesk.sandbox.cell import CellChart, CellFailed, CellResult, CellTable
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.store.files import FileStore

if TYPE_CHECKING:
    from smoldesk.sandbox.executor import SandboxExecutor

MAX_PICTURE = 20 * 1024 * 1024
MAX_SPEC = 64 * 1024 * 1024
State = Literal["same", "changed", "failed", "kept"]


class Again(m.Shape):
    """Result of one part: the new content if it changed; `why` if it failed or was kept.

    `gave_nothing` is true if its code showed nothing of the same kind in its place.
    """

    state: State
    why: str = ""
    gave_nothing: bool = False
    answer: str | None = None
    table: m.Table | None = None
    chart: m.Chart | None = None
    image: m.Image | None = None

    @property
    def content(self) -> "str | m.Table | m.Chart | m.Image | None":
        return self.answer or self.table or self.chart or self.image


@dataclass(frozen=True)
class _CellOutcome:
    """Result of a cell, or its fault."""

    result: CellResult | None
    fault: str = ""


class GeneratedFiles:
    """Files created during a run; `discard` deletes those that the result does not use."""

    def __init__(self, files: FileStore) -> None:
        self._files = files
        self._ids: list[str] = []
        self.path = files.path

    def keep(self, folder: Path, relative: str) -> str:
        file_id, _ = self._files.keep(folder, relative, MAX_PICTURE)
        self._ids.append(file_id)
        return file_id

    def keep_bytes(self, data: bytes) -> str:
        self._ids.append(self._files.keep_bytes(data, MAX_SPEC))
        return self._ids[-1]

    def discard(self, but: str = "") -> None:
        """Delete all files whose ids do not occur in this text."""
        for file_id in self._ids:
            if file_id not in but:
                self._files.discard(file_id)


# Id of a run, and the index of a step in it.
Key = tuple[str, int]


def run_again(
    report: Report,
    inputs: Sequence[InputFile],
    children: Children,
    chats: Path,
    files: GeneratedFiles,
    stop: StopFlag,
) -> list[Again]:
    """Return the result of each part with these inputs. Raises DeskError, Stopped."""
    turns = list(report.turns())
    places: dict[int, Key] = {}
    for at, part in enumerate(report.parts):
        # Parts without a cell (maps, and answers that no code gave) stay as they are.
        if (place := _place(part, turns)) is not None:
            places[at] = place
    results: dict[int, Again] = {}
    with fresh_process(children, chats, inputs, stop) as (executor, folder):
        prepare(executor, inputs, turns)
        for turn in turns:
            for number, step in enumerate(turn.steps):
                if not runs(turn, step):
                    continue
                outcome = _run_step(executor, step)
                for at, place in places.items():
                    if place == (turn.run_id, number):
                        results[at] = _part_result(
                            report.parts[at], step, outcome, folder, report, files, stop
                        )
    return [results.get(at) or _unchanged(part) for at, part in enumerate(report.parts)]


def _unchanged(part: Part) -> Again:
    if part.pin.kind == "text":
        return Again(state="kept", why="Kept as it was: a person wrote it.")
    what = "drawn" if isinstance(part.content, MapState) else "written"
    return Again(state="kept", why=f"Kept as it was: it is {what} by the agent, not by code alone.")


def _place(part: Part, turns: Sequence[Turn]) -> Key | None:
    """Return the cell that a part comes from; for an answer the last cell of its turn."""
    if part.turn is None:
        return None
    turn = next(turn for turn in turns if turn.run_id == part.turn.run_id)
    if part.step is None:
        last = max((at for at, step in enumerate(turn.steps) if runs(turn, step)), default=None)
        return None if last is None else (turn.run_id, last)
    number = next((at for at, step in enumerate(turn.steps) if part.pin.seq in step.seqs), None)
    return None if number is None or not runs(turn, turn.steps[number]) else (turn.run_id, number)


def _run_step(executor: "SandboxExecutor", step: Step) -> _CellOutcome:
    try:
        executor(step.code or "")
    except CellFailed as fault:
        return _CellOutcome(None, last_line(str(fault)))
    except Stopped:
        raise
    except DeskError as fault:
        return _CellOutcome(None, fault.message)
    return _CellOutcome(executor.last)


def _part_result(
    part: Part,
    step: Step,
    outcome: _CellOutcome,
    folder: Path,
    report: Report,
    files: GeneratedFiles,
    stop: StopFlag,
) -> Again:
    if outcome.result is None:
        return Again(state="failed", why=outcome.fault)
    needs = next((line for line in outcome.result.printed.splitlines() if NEEDS in line), "")
    if needs:
        return Again(state="kept", why=f"Kept as it was: {needs.strip('[]')}")
    try:
        content = _content(part, step, outcome.result, folder, files, stop)
    except DeskError as fault:
        return Again(state="failed", why=fault.message)
    if content is None:
        if part.step is None:
            return _unchanged(part)
        why = f"The code produced no {part.pin.kind} in this place."
        return Again(state="failed", why=why, gave_nothing=True)
    if _is_same(part, content, report, files):
        return Again(state="same")
    kind = "answer" if isinstance(content, str) else content.type
    return Again.model_validate({"state": "changed", kind: content})


def _content(
    part: Part, step: Step, result: CellResult, folder: Path, files: GeneratedFiles, stop: StopFlag
) -> "str | m.Table | m.Chart | m.Image | None":
    """Return a part's new content: the first table for the first table, and so on; None if there is none."""
    if part.step is None:
        return answer_of(result) if result.is_final_answer else None
    before = [piece for piece, seq in zip(step.pieces, step.seqs, strict=True) if seq < part.pin.seq]
    place = sum(piece.type == part.pin.kind for piece in before)
    match part.content:
        case m.Table():
            tables = [item for item in result.answer_items if isinstance(item, CellTable)]
            return _table(tables[place]) if place < len(tables) else None
        case m.Chart():
            charts = [item for item in result.answer_items if isinstance(item, CellChart)]
            return _chart(charts[place], folder, files, stop) if place < len(charts) else None
        case m.Image() as image:
            pictures = figures(result)
            if place >= len(pictures):
                return None
            return image.model_copy(
                update={"file_id": files.keep(folder, pictures[place].path), "width": None, "height": None}
            )
        case _:
            return None


def _table(table: CellTable) -> m.Table:
    columns = [m.Column(name=str(column["name"]), kind=column["kind"]) for column in table.columns]  # pyright: ignore[reportArgumentType]
    content = m.TableContent(
        table_id="", name=table.name, columns=columns, rows=table.rows, row_count=table.row_count
    )
    return m.Table(content=content)


def _chart(chart: CellChart, folder: Path, files: GeneratedFiles, stop: StopFlag) -> m.Chart:
    with (
        opened_inside(folder, chart.path, MAX_SPEC) as descriptor,
        open(descriptor, "rb", closefd=False) as file,
    ):
        spec = changed_spec(file.read(MAX_SPEC), chart.changes).spec
    picture = picture_of(spec, stop)
    content = m.ChartContent(
        spec_id=files.keep_bytes(spec.encode()),
        image_id=files.keep_bytes(picture.png),
        name=chart.name,
        description=chart.title,
        width=picture.width,
        height=picture.height,
        rows=chart.rows,
        shown=chart.plotted_rows,
        reduced=chart.reduced or None,
    )
    return m.Chart(content=content)


def _is_same(
    part: Part, now: "str | m.Table | m.Chart | m.Image", report: Report, files: GeneratedFiles
) -> bool:
    match part.content, now:
        case str(then), str():
            return then.strip() == now.strip()
        case m.Table(content=then), m.Table(content=new):
            names = ([column.name for column in then.columns], [column.name for column in new.columns])
            return names[0] == names[1] and then.row_count == new.row_count and same(then.rows, new.rows)
        case m.Chart(content=then), m.Chart(content=new):
            old = report.source.path(then.spec_id)
            return old is not None and same(
                json.loads(old.read_bytes()), json.loads(files.path(new.spec_id).read_bytes())
            )
        case m.Image(), m.Image():
            old = report.source.path(part.content.file_id)
            return old is not None and old.read_bytes() == files.path(now.file_id).read_bytes()
        case _:
            return False


def changed_cells(then: m.TableContent, now: m.TableContent) -> Iterator[tuple[int, int]]:
    """Yield (row, column) of the cells of `now` that differ from `then`, among the first rows of both."""
    at = {column.name: place for place, column in enumerate(then.columns)}
    for row, values in enumerate(now.rows):
        for place, column in enumerate(now.columns):
            old = at.get(column.name)
            if old is None or row >= len(then.rows) or not same(then.rows[row][old], values[place]):
                yield row, place
