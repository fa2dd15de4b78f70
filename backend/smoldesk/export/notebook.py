"""Jupyter notebook of a chat (nbformat 4.5), written cell by cell.

Questions and answers are Markdown; each step's code is a cell with its recorded outputs. The first code cell lists
the input files by hash. The second has stand-ins for functions of the desk (inside/stand_ins.py), so that the
notebook runs in any Jupyter without smoldesk.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from textwrap import indent
from typing import Any, BinaryIO

from smoldesk import messages as m
from smoldesk.export.cell_outputs import RASTER, display, outputs_of
from smoldesk.export.chat_source import ChatSource, InputFile
from smoldesk.export.map_svg import MapState
from smoldesk.export.markdown_pages import Pictures, report_parts, work_parts
from smoldesk.export.pins import Report
from smoldesk.export.safe_markdown import fenced, literal, quoted, safe_markdown
from smoldesk.export.turns import ITS_TURN, NOTHING, Step, ToolUse, Turn
from smoldesk.tools.recorded_calls import RecordedCalls

# Maximum bytes of an input file that is embedded in the notebook, and of all embedded ones.
# Modules of charts/inside that a notebook contains for changed charts; each uses those before it.
CHANGE_MODULES = (
    "chart_size",
    "chart_view",
    "chart_core",
    "chart_heatmaps",
    "chart_controls",
    "chart_changes",
)
MAX_INPUT = 256 * 1024
MAX_INPUTS = 2 * 1024 * 1024
# Maximum characters of a recorded tool result.
MAX_RECORDED = 100_000
Cell = dict[str, Any]


@dataclass(frozen=True)
class Stamp:
    """Result of running a cell again: `reproduced`, `differs` or `failed`, and the reason."""

    state: str
    why: str = ""


def _note(recorded: RecordedCalls, call: ToolUse) -> None:
    """Record a call."""
    recorded.add(call.tool, call.arguments, _result(call))


def _source(recorded: RecordedCalls) -> str:
    """Return the Python source of `RECORDED`."""
    tools = "".join(f"    {tool!r}: [{_calls(results)}],\n" for tool, results in recorded.calls.items())
    return f"RECORDED = {{\n{tools}}}\n" if tools else "RECORDED = {}\n"


def _calls(results: Mapping[str, list[Any]]) -> str:
    lines = "".join(f"\n        ({key!r}, {result!r})," for key, result in results.items())
    return f"{lines}\n    " if lines else ""


def _result(call: ToolUse) -> tuple[str, Any] | None:
    if not call.is_over or len(call.text) > MAX_RECORDED:
        return None
    if call.failed is not None:
        return "failed", call.failed
    if call.tool == "load_dataset":
        return "table", call.text.partition(":")[0]
    # The stand-in of `sql_engine` runs the query again over the files.
    return None if call.tool == "sql_engine" else ("value", call.returned)


def code_cells(source: ChatSource) -> Iterator[tuple[str, Turn, Step]]:
    """Yield (id, turn, step) of each cell that a notebook runs, in order."""
    number = 0
    for turn in source.shown_turns():
        for step in turn.steps:
            if runs(turn, step):
                number += 1
                yield f"cell-{number}", turn, step


def runs(turn: Turn, step: Step) -> bool:
    """Check whether a step is a cell to run: it has code that ended."""
    return bool(step.code) and step.is_over and not (turn.state == "stopped" and step is turn.steps[-1])


def inputs_source(inputs: Sequence[InputFile]) -> str:
    """Return the cell that lists the input files and embeds the small ones."""
    contents: dict[str, str] = {}
    room = MAX_INPUTS
    for file in inputs:
        if file.path is not None and file.size <= min(MAX_INPUT, room):
            # `mtime=0`: the same file gives the same notebook.
            contents[file.name] = base64.b64encode(gzip.compress(file.path.read_bytes(), mtime=0)).decode()
            room -= file.size
    hashes = {file.name: file.sha256 for file in inputs}
    return f"INPUTS = {_lines(hashes)}\nCONTENTS = {_lines(contents)}\n\n{_inside('input_files')}"


def stand_ins_source(turns: Iterable[Turn]) -> str:
    """Return the cell of stand-ins, with the recorded results of these turns."""
    recorded = RecordedCalls()
    has_changes = explains = False
    for turn in turns:
        for step in turn.steps:
            has_changes |= any(isinstance(piece, m.Chart) and piece.content.changes for piece in step.pieces)
            explains |= "explain_change" in (step.code or "")
            for call in step.calls:
                _note(recorded, call)
    inlined = _modules("charts", *CHANGE_MODULES) if has_changes else ""
    if explains:
        modules = _modules("charts", "chart_forms")
        modules += _modules("tables", "decomposition", "change_query", "explained_change")
        # In a function, where no variable of a later cell replaces its parts.
        body = indent(f"{modules}\nreturn explain_change\n", "    ")
        inlined += f"def _explain_change():\n{body}\n\nexplain_change = _explain_change()\n\n"
    return f"{_source(recorded)}\n{inlined}{_inside('stand_ins')}"


def _modules(package: str, *names: str) -> str:
    """Return the source of modules that run in cells, as one: `apply_changes` of changed charts, `explain_change`."""
    modules = resources.files(f"smoldesk.{package}.inside")
    texts = [modules.joinpath(f"{name}.py").read_text("utf-8") for name in names]
    own_imports = re.compile(r"^ *from (?:\.|smoldesk\b)\S* import (?:\([^)]*\)|.*)\n", re.MULTILINE)
    return "Spec = dict\n" + "\n".join(own_imports.sub("", text) for text in texts)


def _lines(names: Mapping[str, str]) -> str:
    """Return a Python dict with a line for each name."""
    return (
        "{"
        + "".join(f"\n    {name!r}: {value!r}," for name, value in names.items())
        + ("\n}" if names else "}")
    )


def _inside(name: str) -> str:
    text = resources.files("smoldesk.export.inside").joinpath(f"{name}.py").read_text("utf-8")
    # Without the lines for our own type checker and linter.
    return "".join(line for line in text.splitlines(True) if not line.startswith(("# type:", "# ruff:")))


def write_notebook(
    source: ChatSource,
    target: BinaryIO,
    stamps: Mapping[str, Stamp] | None = None,
    report: Report | None = None,
) -> None:
    """Write the notebook of a chat or of its report; with `stamps`, cells with these ids show their result."""
    facts = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "smoldesk": {"title": source.title, "exported_at": source.written_at.isoformat()},
    }
    # The frame is written by hand around the cells, so that one cell at a time is in memory.
    start = {"nbformat": 4, "nbformat_minor": 5, "metadata": facts}
    target.write(json.dumps(start, ensure_ascii=False)[:-1].encode() + b', "cells": [\n')
    for number, cell in enumerate(_cells(source, stamps) if report is None else _report_cells(report)):
        text = json.dumps(cell, ensure_ascii=False, indent=1, allow_nan=False)
        target.write((b",\n" if number else b"") + text.encode("utf-8", "replace"))
    target.write(b"\n]}\n")


def _cells(source: ChatSource, stamps: Mapping[str, Stamp] | None) -> Iterator[Cell]:
    yield _markdown("title", _title(source, stamps))
    yield _code("inputs", inputs_source(source.inputs))
    yield _code("stand-ins", stand_ins_source(source.shown_turns()))
    number = at = 0
    pictures = _AttachedPictures(source)
    for at, turn in enumerate(source.shown_turns(), 1):
        yield _markdown(f"question-{at}", _question(turn))
        map_state = source.empty_map(turn.seq)
        for step in turn.steps:
            name = f"turn-{at}-step-{step.number}"
            if runs(turn, step):
                number += 1
                stamp = stamps.get(f"cell-{number}") if stamps is not None else None
                yield _step_cell(source, step, f"cell-{number}", map_state, stamp)
            elif text := _describe_step(step):
                yield _markdown(name, text)
            yield from _work_cells(step, pictures, f"{name}-work", map_state)
        if text := _answer(turn):
            yield _markdown(f"answer-{at}", text)
    if not at:
        yield _markdown("nothing", NOTHING)


def _work_cells(step: Step, pictures: "_AttachedPictures", name: str, map_state: MapState) -> Iterator[Cell]:
    """Yield the work of managed agents as text: it ran in other variables, so a notebook cannot run it."""
    parts = list(work_parts(pictures, step, map_state))
    if parts:
        note = (
            "*The code of managed agents is shown, not run: its caller gets the answers that were recorded.*"
        )
        cell = _markdown(name, "\n\n".join([note, *parts]))
        attachments = pictures.drain()
        yield cell | ({"attachments": attachments} if attachments else {})


class _AttachedPictures(Pictures):
    """Pictures stored as attachments of a Markdown cell, which `attachment:` addresses."""

    def __init__(self, source: ChatSource) -> None:
        super().__init__(source)
        self._attachments: dict[str, dict[str, str]] = {}

    def keep(self, data: bytes, ending: str, number: int) -> str:
        name = f"{number:03}.{ending}"
        self._attachments[name] = {RASTER.get(ending, "image/svg+xml"): base64.b64encode(data).decode()}
        return f"attachment:{name}"

    def drain(self) -> dict[str, dict[str, str]]:
        """Return the attachments since the last call."""
        attachments, self._attachments = self._attachments, {}
        return attachments


def _report_cells(report: Report) -> Iterator[Cell]:
    """Yield the report's text, then the code up to the last cell that a part came from."""
    pictures = _AttachedPictures(report.source)
    for number, text in enumerate(report_parts(report, pictures)):
        cell = _markdown(f"part-{number}", text)
        attachments = pictures.drain()
        yield cell | ({"attachments": attachments} if attachments else {})
    turns = list(report.turns())
    if not any(runs(turn, step) for turn in turns for step in turn.steps):
        return
    yield _markdown("computed", "## How it was computed")
    yield _code("inputs", inputs_source(report.inputs))
    yield _code("stand-ins", stand_ins_source(turns))
    number = 0
    for turn in turns:
        map_state = report.source.empty_map(turn.seq)
        for step in turn.steps:
            if runs(turn, step):
                number += 1
                cell = _step_cell(report.source, step, f"cell-{number}", map_state, None)
                # The log's outputs belong to the old files.
                yield cell | ({"outputs": []} if report.ran_again else {})


def _step_cell(source: ChatSource, step: Step, name: str, map_state: MapState, stamp: Stamp | None) -> Cell:
    outputs = outputs_of(source, step, map_state)
    metadata: dict[str, Any] = {"smoldesk": {"step": step.number}}
    if stamp is not None:
        metadata["smoldesk"]["verified"] = {"state": stamp.state, "why": stamp.why}
        status_text = f"**Verified: {stamp.state}.** {literal(stamp.why)}".strip()
        plain = f"Verified: {stamp.state}. {stamp.why}".strip()
        outputs = [display({"text/markdown": status_text, "text/plain": plain}), *outputs]
    if step.error is not None:
        # nbclient continues after a cell with this tag.
        metadata["tags"] = ["raises-exception"]
    return _code(name, step.code or "", outputs, metadata)


def _title(source: ChatSource, stamps: Mapping[str, Stamp] | None) -> str:
    lines = [
        f"# {literal(source.title)}",
        f"Exported from smoldesk on {source.written_at:%Y-%m-%d %H:%M} UTC.",
    ]
    if source.open_runs:
        lines.append("A run was going on: the notebook ends where the chat was then.")
    if stamps is not None:
        states = [stamp.state for stamp in stamps.values()]
        counts = ", ".join(f"{states.count(state)} {state}" for state in ("reproduced", "differs", "failed"))
        lines.append(f"Verified: its cells were run in a fresh process. {counts}.")
    return "\n\n".join(lines)


def _question(turn: Turn) -> str:
    if turn.is_code:
        return "### Code that the person ran"
    attached = f"\n\nWith {literal(', '.join(turn.attachments))}" if turn.attachments else ""
    return f"## {ITS_TURN if turn.is_talk else 'Question'}\n\n{quoted(turn.question)}{attached}"


def _describe_step(step: Step) -> str:
    """Describe a step that is not run: stopped code, or tools called without code."""
    parts = [f"Code that did not come to its end:\n\n{fenced(step.code, 'python')}"] if step.code else []
    if not step.code:
        parts += [f"Called {literal(call.tool)}:\n\n{fenced(call.format_call())}" for call in step.calls]
    if step.printed:
        parts.append(fenced(step.printed))
    return "\n\n".join(parts)


def _answer(turn: Turn) -> str:
    """Return the answer, after the questions to people on the way."""
    parts = [f"- {literal(prompt)}: {literal(outcome)}" for prompt, outcome in turn.asks]
    if turn.answer:
        parts.append(("\n" if parts else "") + safe_markdown(turn.answer))
    parts += [f"\n*{literal(note)}*" for note in (turn.seal, turn.note) if note]
    if turn.fault:
        parts.append(("\n" if parts else "") + f"**{turn.state.capitalize()}.** {literal(turn.fault)}")
    if turn.state == "running":
        parts.append(("\n" if parts else "") + "*This run was going on when the chat was exported.*")
    return "\n".join(parts)


def _markdown(name: str, text: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text}


def _code(name: str, code: str, outputs: Sequence[Cell] = (), metadata: Cell | None = None) -> Cell:
    cell = {"cell_type": "code", "id": name, "metadata": metadata or {}, "source": code}
    return cell | {"execution_count": None, "outputs": list(outputs)}
