"""smolagents' executor interface over a child process.

On the desk, the agent wrapper hands in the chat's child, its tool host and its stop flag. In anyone's own
code:

    from smolagents import CodeAgent
    from smoldesk import SandboxExecutor

    with CodeAgent(tools=[...], model=model, executor=SandboxExecutor()) as agent:
        agent.run("...")

The code then runs at native speed in a jailed process of its own, its variables stay from step to step and
from run to run, and tools and managed agents run here, in the thread that called `agent.run`.
"""

import contextlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from smolagents.local_python_executor import CodeOutput, PythonExecutor
from smolagents.utils import truncate_content

from smoldesk.errors import Stopped
from smoldesk.sandbox.cell import CellError, CellFailed, CellResult
from smoldesk.sandbox.cell_run import CellRun
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.losses import loss
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.slots import Slot
from smoldesk.sandbox.tool_host import DirectTools, ToolHost, encoded
from smoldesk.stopping import StopFlag

# Characters of a cell's output for the model, as in smolagents' own executor; the person sees all of it.
MODEL_OUTPUT_CHARACTERS = 50_000
REPLACED = "[the Python process was replaced: variables of earlier cells are gone]\n"


class SandboxExecutor(PythonExecutor):
    """Runs the cells of one run. `last` is the full result of the latest cell; `state["_print_outputs"]` what
    it printed, which smolagents reads when a cell fails. `clean_text` prepares printed
    text for the model.

    Calling raises CellFailed (the model reads its text), `errors.Stopped` once `stop` is set, or DeskError
    when no process can be had. Call `cleanup` when the run is over.
    """

    def __init__(
        self,
        child: Child | None = None,
        host: ToolHost | None = None,
        stop: StopFlag | None = None,
        clean_text: Callable[[str], str] = str,
        *,
        folder: Path | None = None,
        imports: Sequence[str] | None = None,
        **limits: Any,
    ) -> None:
        """Over a chat's `child`; without one, over a child of its own, in `folder` or a temporary one.

        `limits` are those of `Children` (cell_seconds, grace_seconds, preload, limits, ...) and, like `folder`,
        for a child of its own only. Without a `host` tools are called directly. `cleanup` ends what was made
        here, as does the end of this process. `imports` are the modules that cells may import, by default all.
        """
        self._closing = contextlib.ExitStack()
        self._child = child or _create_child(self._closing, folder, limits)
        self.last: CellResult | None = None
        self.state: dict[str, Any] = {"_print_outputs": ""}
        self.value_is_answer = False
        """Whether the last value of a cell is an answer, as in a person's own cell."""
        self._stop = stop or StopFlag()
        self._clean_text = clean_text
        self._has_private_stop = stop is None
        self._host = host
        self._tools: dict[str, Callable[..., Any]] = {}
        self._variables: dict[str, Any] = {}
        self._equip_again = True
        self._ran_in: ChildProcess | None = None
        self._imports = None if imports is None else [*imports]
        self._open = True
        self._child.holders += 1

    def send_variables(self, variables: dict[str, Any]) -> None:
        """Variables for the cells: JSON data and tables; raises TypeError naming one that is neither."""
        self._variables = {name: _variable(name, value) for name, value in variables.items()}
        self._equip_again = True

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Set the run's tools (and managed agents); their proxies are sent before the next cell."""
        self._tools = dict(tools)
        self._equip_again = True

    def __call__(self, code_action: str) -> CodeOutput:
        self.last, self.state["_print_outputs"] = None, ""
        self._stop.check()
        host = self._host or DirectTools(self._tools)
        # a place first, then a process: so no more processes are needed at once than there are places
        place = Slot(self._child.slots, self._stop, host.printed)
        with place, self._child.in_use(self._stop) as process:
            replaced = self._ran_in not in (None, process)
            self._equip(process)
            self._ran_in = process
            tools = frozenset(self._tools) - {"final_answer"}
            cell = CellRun(self._child, process, host, self._stop, tools, place)
            self.last = cell.run(code_action, self.value_is_answer)
        result = self.last
        printed = truncate_content(self._clean_text(result.printed), MODEL_OUTPUT_CHARACTERS)
        printed = REPLACED + printed if replaced else printed
        self.state["_print_outputs"] = printed
        if result.stopped:
            raise Stopped(cell.stop_reason)
        if result.error is not None:
            raise CellFailed(result.error)
        return CodeOutput(output=self._output(result), logs=printed, is_final_answer=result.is_final_answer)

    def cleanup(self) -> None:
        """End the run: the child may be evicted, and a private child ends. Can be called again."""
        if self._open:
            self._open = False
            self._child.holders -= 1
            self._closing.close()
            if self._has_private_stop:
                self._stop.close()

    @property
    def process_id(self) -> int | None:
        """The number of the process the cells run in, when there is one."""
        return self._child.process.pid if self._child.process else None

    def _output(self, result: CellResult) -> Any:
        """For smolagents: an answer's value as itself, else in words; None for a cell without a value."""
        if result.is_final_answer:
            return result.output if result.value is None else result.value
        return self._clean_text(result.output) if result.output else None

    def _equip(self, process: ChildProcess) -> None:
        """Send tools and variables, once per run and again to a new process."""
        if process.equipped_for is self and not self._equip_again:
            return
        tools = [_spec(name, tool) for name, tool in self._tools.items() if name != "final_answer"]
        try:
            process.send(
                {
                    "type": "equip",
                    "tools": tools,
                    "variables": self._variables,
                    "imports": self._imports,
                }
            )
        except ChildGone as fault:
            reason = self._child.end(loss("ended", f" ({fault})"))
            message = f"{reason}; run the code again"
            raise CellFailed(CellError("ProcessEnded", message, message, code="process_ended")) from None
        process.equipped_for, self._equip_again = self, False


def _create_child(closing: contextlib.ExitStack, folder: Path | None, limits: dict[str, Any]) -> Child:
    """Create a child of its own, which `closing` ends."""
    place = folder or Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-")))
    children = closing.enter_context(contextlib.closing(Children(max_children=1, **limits)))
    return children.child("local", place)


def _spec(name: str, tool: Any) -> dict[str, Any]:
    """Return the description of a tool from which the child makes a proxy."""
    return {
        "name": name,
        "description": str(getattr(tool, "description", "")),
        "inputs": getattr(tool, "inputs", {}),
        "output_type": getattr(tool, "output_type", "any"),
    }


def _variable(name: str, value: Any) -> dict[str, Any]:
    try:
        return dict(encoded(value))
    except (TypeError, ValueError, RecursionError) as fault:
        raise TypeError(f"variable {name!r}: {fault}") from None
