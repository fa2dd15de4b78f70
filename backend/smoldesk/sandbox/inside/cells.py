"""One cell: run statement by statement in a module that stays, its last value caught like in a notebook.

Statement by statement, so that an answer ends the cell even when the code around it swallows every exception.
"""

import __future__

import ast
import builtins
import linecache
import os
import re
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .alternatives import AlternativeBlocks
from .answers import AnswerParts, Part
from .cell_imports import builtins_of
from .channel import Channel, Frame
from .duckdb_in_cells import DuckConnections
from .faults import describe
from .interrupts import Interrupts
from .other_tables import in_pandas
from .outputs import Outputs, as_value, format_value
from .printing import OutputCollector
from .tools import Desk, FinalAnswer, ToolDenied, make_proxy

FUTURE_FLAGS = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
# Python's line ends; `splitlines` knows more.
LINE_ENDS = re.compile(r"\r\n|\r|\n")


class Cells:
    """The namespace of a chat, and the running of cells in it."""

    def __init__(self, channel: Channel, interrupts: Interrupts, printing: OutputCollector) -> None:
        self._channel = channel
        self._interrupts = interrupts
        self._printing = printing
        self._desk = Desk(channel, interrupts, printing.flush)
        self.work = self._desk.work
        self.call = self._desk.call
        self.outputs = Outputs(self._show, printing.write)
        self._folder = Path.cwd()
        self._module = types.ModuleType("__main__")
        self._module.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = self._module
        self._proxies: dict[str, Callable[..., Any]] = {}
        self._cell = ""
        self.file = ""
        """Name of the running cell's code in tracebacks."""
        self._answered = False
        self._alternatives = AlternativeBlocks(self.outputs, interrupts, self._send_alternative)
        builtins.display = self.outputs.display  # type: ignore[attr-defined]  # as in a notebook
        builtins.alternative = self._alternatives.block  # type: ignore[attr-defined]
        builtins.input = _no_input
        builtins.ToolDenied = ToolDenied  # type: ignore[attr-defined]

    # --- before cells ---------------------------------------------------------------------------------------

    def enter(self, folder: Path) -> None:
        """Belong to a chat: its folder is the working directory and the home."""
        os.chdir(folder)
        self._folder = Path.cwd()
        os.environ["HOME"] = str(self._folder)
        sys.path.append(str(self._folder))
        DuckConnections(self._folder, self._interrupts).await_import()

    def equip(
        self, tools: list[dict[str, Any]], variables: dict[str, Any], imports: "list[str] | None" = None
    ) -> None:
        """Put a run's tools and variables into the namespace, and take away tools it no longer has.

        `imports` are the modules that cells may import; None: all.
        """
        names = self._module.__dict__
        names["__builtins__"] = builtins_of(imports)
        for name, proxy in self._proxies.items():
            if names.get(name) is proxy:
                del names[name]
        self._proxies = {spec["name"]: make_proxy(spec, self._desk) for spec in tools}
        names.update({name: _variable(value, self._folder) for name, value in variables.items()})
        names.update(self._proxies)
        names["final_answer"] = self._answer

    # --- a cell ---------------------------------------------------------------------------------------------

    def run(self, frame: Frame) -> None:
        """Run one cell and send its result; exactly one `done` frame ends it in every case."""
        self._cell, self._answered = frame["cell"], False
        file = self.file = f"<cell {frame['number']}>"
        done: Frame = {
            "type": "done",
            "cell": self._cell,
            "output": None,
            "value": None,
            "parts": [],
            "error": None,
        }
        self._printing.begin(self._cell)
        try:
            fault = self._interruptible(frame, file, done)
        except KeyboardInterrupt as late:  # it came in the last steps in there; a second one cannot come
            fault = late
        if fault is not None and not self._answered:
            done["error"] = describe(fault, file, self._folder)
        self._desk.end()
        self._printing.end()
        self._channel.send(done)

    def _interruptible(self, frame: Frame, file: str, done: Frame) -> BaseException | None:
        """Run the part of a cell that SIGINT may end, outputs included. Return the exception that ended it early."""
        fault: BaseException | None = None
        try:
            self._interrupts.arm(frame["interrupts"])
            fault = self._work(frame["code"], frame["is_answer"], file, done)
            self.outputs.finish()
        except BaseException as late:  # an interrupt after the cell's own code, or an output that failed
            fault = fault or late
        finally:
            self._interrupts.disarm()
        return fault

    def _work(self, code: str, is_answer: bool, file: str, done: Frame) -> BaseException | None:
        """Run the code; returns the exception that ended it, if one did. With `is_answer` its last value is the answer."""
        os.chdir(self._folder)
        self.outputs.begin(self._folder, self._cell, self._module.__dict__)
        self._alternatives.begin()
        self._desk.begin(self._cell, file, lambda: self._answered, self.outputs.skip_file)
        linecache.cache[file] = (len(code), None, [f"{line}\n" for line in LINE_ENDS.split(code)], file)
        try:
            value, name = self._execute(code, file)
            self._alternatives.check()
            value = in_pandas(value)
            if value is not None and not self._answered:
                if is_answer:
                    done["parts"] = self._parts(value)
                else:
                    self.outputs.show(value, name)
                done["output"], done["value"] = format_value(value), as_value(value)
        except FinalAnswer:
            return None
        except BaseException as fault:
            # the cell's code may raise anything: it is what the model gets to read
            return fault
        return None

    def _execute(self, code: str, file: str) -> tuple[Any, str]:
        """Run all statements; returns the value of the last one if it is an expression, and its source."""
        tree = ast.parse(code, file)
        names = self._module.__dict__
        flags = 0
        value: Any = None
        for step in _steps(tree, quiet=code.rstrip().endswith(";")):
            compiled = compile(
                step, file, "eval" if isinstance(step, ast.Expression) else "exec", flags, True
            )
            flags |= compiled.co_flags & FUTURE_FLAGS
            value = eval(compiled, names)
            self.outputs.between_statements()
            if self._answered:
                return None, ""
        return value, ast.unparse(tree.body[-1])[:80] if value is not None else ""

    # --- what a cell can do besides Python ------------------------------------------------------------------

    def _answer(self, *args: Any, **kwargs: Any) -> None:
        """Give the final answer; ends the cell. The first answer counts."""
        if not self._answered:
            values = [*args, *kwargs.values()]
            if len(values) != 1:
                raise TypeError(f"final_answer() takes one value, {len(values)} were given")
            value = in_pandas(values[0])
            answer = {"parts": self._parts(value), "output": format_value(value), "value": as_value(value)}
            if not self._alternatives.take(answer):
                self._channel.send({"type": "answer", "cell": self._cell, **answer})
                self._answered = True
        raise FinalAnswer

    def _send_alternative(self, fields: dict[str, Any]) -> None:
        self._channel.send({"type": "alternative", "cell": self._cell, **fields})

    def _parts(self, value: Any) -> list[Part]:
        answer = AnswerParts(self.outputs)
        answer.add(value)
        return answer.parts

    def _show(self, item: dict[str, Any]) -> None:
        self._channel.send({"type": "shown", "cell": self._cell, "item": item})


def _steps(tree: ast.Module, quiet: bool) -> Iterator[ast.Module | ast.Expression]:
    """Yield the statements one by one; a last expression as such, unless a semicolon silences it."""
    for place, statement in enumerate(tree.body):
        last = place == len(tree.body) - 1
        if last and not quiet and isinstance(statement, ast.Expr):
            yield ast.Expression(statement.value)
        else:
            yield ast.Module([statement], type_ignores=[])


def _variable(value: dict[str, Any], folder: Path) -> Any:
    """Return a variable from the host's encoding: JSON data, or a table by its rows or in a file of the folder."""
    if value["kind"] == "parquet":
        import pandas as pd

        return pd.read_parquet(folder / value["name"])
    if value["kind"] == "rows":
        import pandas as pd

        return pd.DataFrame(value["rows"], columns=value["columns"])
    return value["value"]


def _no_input(_prompt: object = "") -> str:
    raise RuntimeError("input() is not available here: put the question into final_answer")
