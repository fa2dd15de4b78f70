"""Executors that an agent brings: code of its runs goes there instead of the sandbox."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from smolagents.local_python_executor import CodeOutput, LocalPythonExecutor, PythonExecutor
from smolagents.remote_executors import RemotePythonExecutor

from smoldesk.sandbox.cell import CellResult
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.tool_host import ToolHost
from smoldesk.stopping import StopFlag


class KeptExecutor(ForeignExecutor):
    """A person's executor for one run, behind the desk's stop; it stays with its agent when the run ends.

    An executor elsewhere gets the tools themselves, since it sends their source; they run there without approval.
    """

    def __init__(self, inner: Any, host: ToolHost, stop: StopFlag, own_tools: Mapping[str, Any]) -> None:
        self.last: CellResult | None = None
        self.state: dict[str, Any] = {"_print_outputs": ""}
        self._inner = inner
        self._host = host
        self._stop = stop
        self._own_tools = own_tools

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        self._inner.send_tools(dict(self._own_tools if is_remote(self._inner) else tools))

    def cleanup(self) -> None:
        """Keep the executor: it is cleaned up with its agent."""


class OwnAnswers(PythonExecutor):
    """Sandbox for an agent with its own `final_answer` tool, which turns each answer of the code into the agent's."""

    def __init__(self, inner: Any, final_answer: Callable[[Any], Any]) -> None:
        self._inner = inner
        self._final_answer = final_answer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        self._inner.send_tools(tools)

    def send_variables(self, variables: dict[str, Any]) -> None:
        self._inner.send_variables(variables)

    def __call__(self, code_action: str) -> CodeOutput:
        done = self._inner(code_action)
        if not done.is_final_answer:
            return done
        answer = self._final_answer(done.output)
        if self._inner.last is not None:
            self._inner.last = replace(self._inner.last, output=str(answer), parts=[])
        return CodeOutput(output=answer, logs=done.logs, is_final_answer=True)


def is_remote(executor: Any) -> bool:
    """Return whether code runs on another machine or in a container, away from the server."""
    return isinstance(executor, RemotePythonExecutor)


def is_replaced(executor: Any) -> bool:
    """Return whether the sandbox takes the executor's place: smolagents' own interpreter, which does not isolate."""
    return executor is None or type(executor) is LocalPythonExecutor
