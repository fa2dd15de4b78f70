"""Verification of a notebook: its cells run again in a fresh jailed process, with nothing but the chat's input
files.

Each cell is compared with its recorded outputs: printed text exactly, tables by values, charts by data, pictures by
number. Tools of the desk are not called: their recorded results are used.
"""

import hashlib
import json
import math
import secrets
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from smoldesk import messages as m
from smoldesk.errors import DeskError
from smoldesk.export.chat_source import ChatSource, InputFile
from smoldesk.export.notebook import Stamp, code_cells, inputs_source, stand_ins_source
from smoldesk.export.turns import Step, Turn
from smoldesk.folders import opened_inside, place, remove_tree
from smoldesk.sandbox.cell import CellChart, CellFailed, CellResult, CellTable, ProducedFile
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag

if TYPE_CHECKING:
    from smoldesk.sandbox.executor import SandboxExecutor

# Numbers are compared to nine digits.
TOLERANCE = 1e-9
MAX_SPEC = 64 * 1024 * 1024
NEEDS = "needs the desk"


@contextmanager
def fresh_process(
    children: Children, chats: Path, files: Iterable[InputFile], stop: StopFlag | None = None
) -> Generator[tuple["SandboxExecutor", Path]]:
    """Yield an executor over a new jailed process, and its folder with only these files. Both are removed
    afterwards.

    `chats` is the parent of the chats' folders. Raises DeskError if no process can start.
    """
    # Here, not above: it imports smolagents, which would slow the server's start.
    from smoldesk.sandbox.executor import SandboxExecutor

    name = f"verify-{secrets.token_hex(8)}"
    folder = chats / name
    folder.mkdir(mode=0o700)
    try:
        for file in files:
            if file.path is not None:
                place(folder, file.name, file.path)
        executor = SandboxExecutor(children.child(name, folder), stop=stop)
        try:
            executor.send_tools({})
            yield executor, folder
        finally:
            executor.cleanup()
    finally:
        children.drop(name, "the cells are run")
        remove_tree(folder)


def prepare(executor: "SandboxExecutor", inputs: Sequence[InputFile], turns: Iterable[Turn]) -> None:
    """Run the first cells of a notebook. Raises DeskError if they fail."""
    for first in (inputs_source(inputs), stand_ins_source(turns)):
        try:
            executor(first)
        except CellFailed as fault:
            raise DeskError("The cells could not be run.", str(fault), code="not_verified") from None


def stamps_of(source: ChatSource, children: Children, chats: Path) -> dict[str, Stamp]:
    """Return a stamp for each code cell, by its id. Raises DeskError if no process can start."""
    with fresh_process(children, chats, source.inputs) as (executor, folder):
        prepare(executor, source.inputs, source.shown_turns())
        return dict(_run(source, executor, folder))


def _run(source: ChatSource, executor: "SandboxExecutor", folder: Path) -> Iterator[tuple[str, Stamp]]:
    for name, turn, step in code_cells(source):
        try:
            executor(step.code or "")
        except CellFailed as fault:
            yield name, _failed(step, str(fault))
            continue
        except DeskError as fault:
            yield name, Stamp("failed", str(fault))
            continue
        result = executor.last
        assert result is not None
        if NEEDS in result.printed:
            yield name, Stamp("differs", next(line for line in result.printed.splitlines() if NEEDS in line))
            continue
        differences = "; ".join(_differences(source, turn, step, result, folder))
        note = _note(source, step, result, folder)
        yield name, Stamp("differs", differences) if differences else Stamp("reproduced", note)


def _failed(step: Step, fault: str) -> Stamp:
    """Return the stamp of a failed cell; the same failure counts as reproduced."""
    last = last_line(fault)
    if step.error is None:
        return Stamp("failed", last)
    same = last == last_line(step.error)
    return (
        Stamp("reproduced", "it fails as it did") if same else Stamp("differs", f"it fails otherwise: {last}")
    )


def last_line(message: str) -> str:
    """Return the last line of an error, after its traceback, up to 300 characters."""
    return message.strip().splitlines()[-1][:300] if message.strip() else ""


def _differences(
    source: ChatSource, turn: Turn, step: Step, result: CellResult, folder: Path
) -> Iterator[str]:
    if step.error is not None:
        yield "it failed then, and does not now"
    if result.printed != step.printed:
        yield "the printed text differs"
    then = [piece.content for piece in step.pieces if isinstance(piece, m.Table)]
    now = [item for item in result.answer_items if isinstance(item, CellTable)]
    yield from _tables(then, now)
    charts_then = [piece.content for piece in step.pieces if isinstance(piece, m.Chart)]
    charts_now = [item for item in result.answer_items if isinstance(item, CellChart)]
    if len(charts_then) != len(charts_now):
        yield f"{len(charts_now)} charts, {len(charts_then)} then"
    for old, new in zip(charts_then, charts_now, strict=False):
        spec = _json(source.path(old.spec_id))
        if spec is None or not same(spec, _read(folder, new.path)):
            yield f"the chart {old.name} differs"
    pictures = sum(isinstance(piece, m.Image) for piece in step.pieces)
    picture_count = len(figures(result))
    if pictures != picture_count:
        yield f"{picture_count} pictures, {pictures} then"
    is_last = step is turn.steps[-1]
    if (
        is_last
        and not turn.is_code
        and result.is_final_answer
        and answer_of(result).strip() != turn.text.strip()
    ):
        yield "the answer differs"


def answer_of(result: CellResult) -> str:
    """Return the answer of a cell; `output` has only the ends of a long text, `value` all of it."""
    return result.value if isinstance(result.value, str) else result.output


def _tables(then: Sequence[m.TableContent], now: Sequence[CellTable]) -> Iterator[str]:
    if len(then) != len(now):
        yield f"{len(now)} tables, {len(then)} then"
    for old, new in zip(then, now, strict=False):
        names = [column["name"] for column in new.columns]
        if old.row_count != new.row_count or [column.name for column in old.columns] != names:
            yield f"the table {old.name} has another shape"
        elif not same(old.rows, new.rows):
            yield f"the table {old.name} has other values"


def _note(source: ChatSource, step: Step, result: CellResult, folder: Path) -> str:
    """Describe differences that do not count: other pixels, and tools that were not called again."""
    then = [_digest(source.path(piece.file_id)) for piece in step.pieces if isinstance(piece, m.Image)]
    now = [_digest(folder / figure.path) for figure in figures(result)]
    notes = ["a picture has other pixels"] if then != now else []
    tools = [call.tool for call in step.calls if call.tool != "final_answer"]
    notes += [f"not called again: {', '.join(dict.fromkeys(tools))}"] if tools else []
    return "; ".join(notes)


def figures(result: CellResult) -> list[ProducedFile]:
    """Return the figures that a cell drew, in order."""
    return [item for item in result.answer_items if isinstance(item, ProducedFile) and item.kind == "figure"]


def _digest(path: Path | None) -> str:
    if path is None or path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _json(path: Path | None) -> Any:
    if path is None or path.stat().st_size > MAX_SPEC:
        return None
    return _parsed(path.read_bytes())


def _parsed(data: bytes) -> Any:
    """Parse JSON of a log or of code; None if it is invalid."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _read(folder: Path, name: str) -> Any:
    with (
        opened_inside(folder, name, MAX_SPEC) as descriptor,
        closing(open(descriptor, "rb", closefd=False)) as file,
    ):
        return _parsed(file.read(MAX_SPEC))


def same(value: Any, other: Any) -> bool:
    """Check whether two JSON values are equal; numbers may differ in their last digits."""
    if isinstance(value, list) and isinstance(other, list):
        entries, first_items = cast("list[Any]", value), cast("list[Any]", other)
        return len(entries) == len(first_items) and all(map(same, entries, first_items))
    if isinstance(value, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", value), cast("dict[str, Any]", other)
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(value, int | float) and isinstance(other, int | float):
        return math.isclose(value, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return value == other
