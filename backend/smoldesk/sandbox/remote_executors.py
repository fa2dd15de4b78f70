"""smolagents' own executors at the desk, for who chooses them (SMOLDESK_EXECUTOR): ast, docker, e2b.

`ast` interprets code inside the server: slow, not isolated, without figures; the desk's tools work. `docker`
and `e2b` run code elsewhere, where the desk's tools cannot be called: they get none but `final_answer`, and
the chat's files stay here.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from smolagents.local_python_executor import CodeOutput, LocalPythonExecutor, PythonExecutor

from smoldesk.errors import DeskError
from smoldesk.sandbox.cell import CellError, CellFailed, CellResult
from smoldesk.sandbox.tool_host import ToolHost, ToolRequest
from smoldesk.stopping import StopFlag

Borrowed = Literal["ast", "docker", "e2b"]
IMPORTS = ["json", "numpy.*", "pandas.*", "matplotlib.*", "seaborn.*", "scipy.*", "sklearn.*"]
"""What interpreted code may import besides smolagents' own harmless list."""


class BorrowedExecutor(PythonExecutor):
    """Runs the cells of one run in another executor; `last` and `state` as `SandboxExecutor` has them.

    Raises DeskError when that executor cannot be had (its package or service is missing).
    """

    def __init__(self, kind: Borrowed, host: ToolHost, stop: StopFlag) -> None:
        self.last: CellResult | None = None
        self.state: dict[str, Any] = {"_print_outputs": ""}
        self._kind = kind
        self._host = host
        self._stop = stop
        self._inner: Any = _made(kind)

    def send_variables(self, variables: dict[str, Any]) -> None:
        self._inner.send_variables(variables=variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        here = self._kind == "ast"
        kept = {name: tool for name, tool in tools.items() if here or name == "final_answer"}
        self._inner.send_tools({name: self._through_host(name, tool) for name, tool in kept.items()})

    def __call__(self, code_action: str) -> CodeOutput:
        self.last, self.state["_print_outputs"] = None, ""
        self._stop.check()
        try:
            done: CodeOutput = self._inner(code_action)
        except Exception as fault:  # whatever that executor raises is what the model reads
            self._stop.check()
            inner_state: Any = getattr(self._inner, "state", {})
            printed = str(inner_state.get("_print_outputs", ""))
            self.state["_print_outputs"] = printed
            error = CellError(type(fault).__name__, str(fault), str(fault))
            self.last = CellResult(printed=printed, error=error)
            raise CellFailed(error) from fault
        self._stop.check()
        self.state["_print_outputs"] = done.logs
        if done.logs:
            self._host.printed(done.logs)
        words = "" if done.output is None else str(done.output)
        self.last = CellResult(printed=done.logs, output=words, is_final_answer=done.is_final_answer)
        return done

    def cleanup(self) -> None:
        """End what runs elsewhere."""
        end = getattr(self._inner, "cleanup", None)
        if end is not None:
            end()

    def _through_host(self, name: str, tool: Any) -> Any:
        """A callable that has the host run the tool, through its gate; `final_answer` is smolagents' business."""
        if name == "final_answer":
            return tool
        return _proxy(name, self._host)


def _proxy(name: str, host: ToolHost) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        request = ToolRequest(f"{name}", name, list(args), kwargs, None, None)
        result: dict[str, Any] = host.call(request)
        if result["kind"] == "json":
            return result["value"]
        if result["kind"] == "rows":
            names = result["columns"]
            return [dict(zip(names, row, strict=False)) for row in result["rows"]]
        return result["name"]

    call.__name__ = name
    return call


def _made(kind: Borrowed) -> Any:
    """The executor; smolagents brings it, another package or a service may have to help."""
    if kind == "ast":
        # without its time limit, which runs code on a thread of its own, where no tool may be called from
        return LocalPythonExecutor(additional_authorized_imports=IMPORTS, timeout_seconds=None)
    try:
        from smolagents.monitoring import AgentLogger, LogLevel
        from smolagents.remote_executors import DockerExecutor, E2BExecutor

        make = DockerExecutor if kind == "docker" else E2BExecutor
        return make(additional_imports=[], logger=AgentLogger(level=LogLevel.OFF))
    except Exception as fault:  # a missing package, a daemon that is not there, a key that is wrong
        raise DeskError(
            f"The executor {kind!r} cannot be had: {str(fault)[:300]}.",
            "Install what it needs (see smolagents' documentation), or unset SMOLDESK_EXECUTOR.",
            code="executor_unavailable",
        ) from fault
