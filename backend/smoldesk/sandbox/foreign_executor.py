"""Another executor than the sandbox for the cells of a run, behind the desk's gate and stop (`executors` lists them).

One that runs code elsewhere can call no tools of the desk: it gets none but `final_answer`, and the chat's files stay
here.
"""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from smolagents.local_python_executor import CodeOutput, PythonExecutor

from smoldesk.sandbox.cell import AnswerPart, CellAlternative, CellError, CellFailed, CellResult
from smoldesk.sandbox.executors import EXECUTORS, create_executor
from smoldesk.sandbox.tool_host import ToolHost, ToolRequest
from smoldesk.stopping import StopFlag


class ForeignExecutor(PythonExecutor):
    """Runs the cells of one run in another executor; `last` and `state` as `SandboxExecutor` has them.

    Raises DeskError when that executor cannot be had (its package or service is missing).
    """

    def __init__(self, name: str, host: ToolHost, stop: StopFlag) -> None:
        self.last: CellResult | None = None
        self.state: dict[str, Any] = {"_print_outputs": ""}
        self.value_is_answer = False
        self._is_local = EXECUTORS[name].is_local
        self._host = host
        self._stop = stop
        self._inner: Any = create_executor(name)

    def send_variables(self, variables: dict[str, Any]) -> None:
        self._inner.send_variables(variables=variables)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        local_tools = {name: tool for name, tool in tools.items() if self._is_local or name == "final_answer"}
        self._inner.send_tools({name: self._through_host(name, tool) for name, tool in local_tools.items()})

    def __call__(self, code_action: str) -> CodeOutput:
        blocks = _alternative_blocks(code_action)
        return self._run_each(blocks) if blocks else self._run(code_action)

    def _run_each(self, blocks: list[tuple[str, str]]) -> CodeOutput:
        """Run the block of each alternative as a cell of its own; the first answer is that of the cell.

        Raises CellFailed with the first error if none of them has an answer.
        """
        alternatives: list[CellAlternative] = []
        answers: list[CodeOutput] = []
        fault: CellFailed | None = None
        for sentence, code in blocks:
            parts: list[AnswerPart] = []
            error = ""
            try:
                done = self._run(code)
                if done.is_final_answer:
                    answers.append(done)
                    parts = [AnswerPart("markdown", text=str(done.output))]
            except CellFailed as failed:
                fault, error = fault or failed, failed.error.message
            alternatives.append(CellAlternative(sentence, parts, [], error))
        if not answers:
            raise fault or CellFailed(CellError("NoAnswer", "no alternative has an answer", ""))
        self.last = CellResult(
            printed=answers[0].logs,
            output=str(answers[0].output),
            is_final_answer=True,
            alternatives=alternatives,
        )
        return answers[0]

    def _run(self, code_action: str) -> CodeOutput:
        self.last, self.state["_print_outputs"] = None, ""
        self._stop.check()
        try:
            done: CodeOutput = self._inner(code_action)
        except Exception as fault:  # the model reads the executor's error, of any class
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
        output_text = "" if done.output is None else str(done.output)
        self.last = CellResult(printed=done.logs, output=output_text, is_final_answer=done.is_final_answer)
        return done

    def cleanup(self) -> None:
        """End what runs elsewhere."""
        end = getattr(self._inner, "cleanup", None)
        if end is not None:
            end()

    def _through_host(self, name: str, tool: Any) -> Any:
        """Return a callable that runs the tool on the host, through its gate; `final_answer` stays smolagents' own."""
        if name == "final_answer":
            return tool
        return _proxy(name, self._host)


def _alternative_blocks(code: str) -> list[tuple[str, str]]:
    """Return sentence and code of each `with alternative(sentence):`; empty if the cell has any other statement."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:
        return []
    blocks: list[tuple[str, str]] = []
    for statement in statements:
        match statement:
            case ast.With(
                items=[
                    ast.withitem(
                        context_expr=ast.Call(
                            func=ast.Name(id="alternative"), args=[ast.Constant(value=str(sentence))]
                        )
                    )
                ],
                body=body,
            ):
                blocks.append((sentence, "\n".join(map(ast.unparse, body))))
            case _:
                return []
    return blocks


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
