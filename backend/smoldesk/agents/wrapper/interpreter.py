"""Tool `python_interpreter`: runs code for tool-calling agents, in the same sandbox as for code agents.

The chat's child process keeps the variables, the desk's tools are functions there, and calls from code pass the run's gate
like any other. The model knows only the description, which matches the prompt of a CodeAgent.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.code_agent import FINAL_ANSWER
from smoldesk.agents.wrapper.observation import (
    INTERPRETER,
    CodeFaulted,
    CodeRan,
    code_result,
)
from smoldesk.agents.wrapper.run_executor import Executor
from smoldesk.agents.wrapper.step_report import StepReport
from smoldesk.errors import BadInput, Stopped
from smoldesk.sandbox.cell import CellFailed
from smoldesk.sandbox.executors import EXECUTORS, is_sandbox
from smoldesk.tools.policy import DeskTool


class Cells:
    """Runner of one run's code. Each cell is reported as it ends, because a later one may overwrite its files."""

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        tools: Sequence[DeskTool],
        calls: ToolCalls,
        report: StepReport,
        clean_text: Callable[[str], str],
        variables: Mapping[str, Any],
    ) -> None:
        """Set up the runner. The executor is created for the first code: a run that only calls tools starts no process.

        `clean_text` turns a text into the model's version of it; `variables` are set before the first cell.
        """
        self._variables = dict(variables)
        self._make_executor = make_executor
        self._tools = {tool.name: tool for tool in [*tools, FINAL_ANSWER]}
        self._calls = calls
        self._report = report
        self._clean_text = clean_text
        self._executor: Executor | None = None

    def run(self, code: str) -> CodeRan:
        """Run one cell. Raises CodeFaulted, Stopped, or DeskError when no process is available."""
        error: str | None = None
        try:
            return code_result(self._ready()(code), self._clean_text)
        except CellFailed as fault:
            error = str(fault)
            raise CodeFaulted(error, str(self._ready().state["_print_outputs"])) from fault
        except Stopped:
            raise
        except Exception as fault:  # no process is available: both the model and the person see the error
            error = str(fault)
            raise
        finally:
            self._report.add_cell(code, self._executor.last if self._executor else None, error)
            self._calls.end_prints()

    def _ready(self) -> Executor:
        if self._executor is None:
            self._executor = self._make_executor()
            self._executor.send_variables(self._variables)
            self._executor.send_tools(self._tools)
        return self._executor


class PythonInterpreter(DeskTool):
    """Tool of one run; without `cells` it can be described, but not called."""

    name = INTERPRETER
    inputs: ClassVar = {"code": {"type": "string", "description": "the Python code to run"}}
    output_type = "string"

    def __init__(
        self,
        tools: Sequence[DeskTool],
        executor: str = "sandbox",
        cells: Cells | None = None,
    ) -> None:
        self.description = description([tool.name for tool in tools], executor)
        self._cells = cells
        super().__init__()

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        code = arguments.get("code")
        if not isinstance(code, str) or not code.strip():
            raise BadInput(f"{INTERPRETER} takes its code as text.", "Expected Python code in `code`.")

    def forward(self, code: str) -> Any:
        assert self._cells is not None, "this tool was built for its description only"
        return self._cells.run(code)


IN_THE_SANDBOX = (
    "Variables stay between messages, too. The working directory holds the chat's files, read by their "
    'names: pd.read_csv("sales.csv"); what code writes there is shown to the person. display(x) shows the person a '
    "DataFrame as a table and a figure as an image; open matplotlib figures are shown by themselves; chart(df, spec) "
    "makes an interactive chart of a DataFrame and a Vega-Lite spec (a dict without data); sql(query) runs one "
    "SELECT (DuckDB) over these files, the bundled datasets and DataFrames in variables, all by their names, and gives the "
    'whole result as a DataFrame; duckdb can be imported. explain_change(df, "sales", over="year", before=2023, after=2024) '
    'shows which categories made a sum differ (how="mean" for a mean), as exact parts. There is no network.'
)


def description(tools: Sequence[str], executor: str) -> str:
    """Return the description for a model; `tools` are the names of tools that code can call."""
    sentences = [
        "Runs Python code and gives what it printed and the value of its last expression. Use it for every question "
        "about data: computing, statistics, tables, plots. Numbers come from code that ran, never from memory. "
        "`selection` holds the rooms selected on the map, a list of {floor, name}. "
        "pandas, numpy, matplotlib, seaborn and scikit-learn can be imported. Variables stay from call to call.",
        IN_THE_SANDBOX if is_sandbox(executor) else EXECUTORS[executor].description,
    ]
    if (is_sandbox(executor) or EXECUTORS[executor].is_local) and tools:
        example = 'df = load_dataset("titanic") is a DataFrame there. ' if "load_dataset" in tools else ""
        sentences.append(
            f"In the code these tools are functions with the same arguments: {', '.join(tools)}. {example}"
            "What they return stays whole in the code, where a call of its own gives you only its text."
        )
    sentences.append(
        "An error comes back as text: mend the code and call again. final_answer(x) in code ends the code; it answers the "
        "person when this is the step's only call."
    )
    return " ".join(sentences)
