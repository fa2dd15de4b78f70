"""Proxies of the host's tools: real signature and docstring here, the work on the host.

A call sends one frame and waits for its reply; two threads take turns, and calls after the cell are refused.
"""

import builtins
import contextlib
import inspect
import sys
import threading
from collections.abc import Callable
from typing import Any

from .channel import Channel, Frame
from .encoding import argument_to_json
from .interrupts import Interrupts
from .work import MAX_QUERY, Work

TYPES: dict[str, Any] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": float,
    "array": list,
    "object": dict,
    "null": None,
}


class Stopped(BaseException):
    """The run was asked to stop while a tool call waited. Not an Exception: it should pass `except
    Exception`.
    """


class FinalAnswer(BaseException):
    """The answer is given; ends the cell. Not an Exception, so that `except Exception` lets it pass."""


class ToolDenied(RuntimeError):
    """A person, an expiry or a policy said no; the tool never ran. Code knows it by this name."""


class Desk:
    """The line to the host's tools for the running cell; `flush_output` sends what was printed so far."""

    def __init__(self, channel: Channel, interrupts: Interrupts, flush_output: Callable[[], None]) -> None:
        self._channel = channel
        self._flush_output = flush_output
        self._deferred = interrupts.deferred
        self._turn = threading.Lock()
        self._cell: str | None = None
        self._file = ""
        self._calls = 0
        self._over: Callable[[], bool] = lambda: False
        self._on_file: Callable[[str], None] = lambda _name: None

    def begin(self, cell: str, file: str, over: Callable[[], bool], on_file: Callable[[str], None]) -> None:
        """Start a cell. `over` reports whether it has answered; `on_file` receives result files."""
        self._over, self._on_file = over, on_file
        self._cell, self._file = cell, file

    def end(self) -> None:
        """Refuse calls from now on; one under way in another thread is waited for."""
        with self._deferred, self._turn:
            self._cell = None

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Run a tool on the host; raises what it raised, by name."""
        if self._over():
            raise FinalAnswer
        kwargs = {name: _argument(tool, name, value) for name, value in arguments.items()}
        self._flush_output()  # the call may wait for a person, who should read the output before
        with self._deferred, self._turn:
            if self._cell is None:
                raise RuntimeError(f"{tool} was called after the cell was over")
            self._calls += 1
            frame: Frame = {
                "type": "call",
                "cell": self._cell,
                "id": self._calls,
                "tool": tool,
                "args": [],
                "kwargs": kwargs,
                "line": _line_in(self._file),
            }
            self._channel.send(frame)
            reply = self._channel.receive()
        return self._result(reply)

    def work(self, name: str, query: str) -> Work:
        """Long work that the cell does itself, of which the host hears; of a cell that is over, it hears nothing."""
        cell, line = self._cell, _line_in(self._file)
        with self._deferred, self._turn:
            self._calls += 1
            number = self._calls

        def send(state: str, share: float, label: str) -> None:
            about: Frame = {"name": name, "query": query[:MAX_QUERY], "line": line, "words": label}
            percent = int(round(100 * share, 6))  # .29 times 100 is a bit less than 29
            frame = {"type": "work", "cell": cell, "id": number, "state": state, "percent": percent}
            with self._deferred, self._turn, contextlib.suppress(OSError):  # a forked process has no channel
                if cell is not None and self._cell == cell:
                    self._channel.send(frame | about)

        return Work(send)

    def _result(self, reply: Frame) -> Any:
        if reply["type"] == "stopped":
            raise Stopped(reply["reason"])
        if reply["type"] == "raised":
            raise _exception(reply["name"], reply["message"])
        result = reply["result"]
        match result["kind"]:
            case "table_file":
                import pandas as pd

                self._on_file(result["name"])
                return pd.read_csv(result["name"])
            case "rows":
                import pandas as pd

                return pd.DataFrame(result["rows"], columns=result["columns"])
            case _:
                return result["value"]


def make_proxy(spec: dict[str, Any], desk: Desk) -> Callable[..., Any]:
    """Return a function with the tool's name, signature and docstring that calls it on the host."""
    name: str = spec["name"]
    signature = _signature(spec)

    def proxy(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as fault:
            raise TypeError(f"{name}{_short(signature)}: {fault}") from None
        return desk.call(name, bound.arguments)

    proxy.__name__ = proxy.__qualname__ = name
    proxy.__doc__ = _docstring(spec)
    proxy.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
    return proxy


def _signature(spec: dict[str, Any]) -> inspect.Signature:
    """Return the parameters in the tool's order; an optional one may be left out, then the tool's own default holds."""
    parameters: list[inspect.Parameter] = []
    for name, about in spec["inputs"].items():
        default = None if about.get("nullable") else inspect.Parameter.empty
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        if default is inspect.Parameter.empty and any(
            p.default is not inspect.Parameter.empty for p in parameters
        ):
            kind = inspect.Parameter.KEYWORD_ONLY  # Python allows no required one after an optional one
        if parameters and parameters[-1].kind is inspect.Parameter.KEYWORD_ONLY:
            kind = inspect.Parameter.KEYWORD_ONLY
        annotation = TYPES.get(str(about.get("type")), Any)
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
    returns = TYPES.get(str(spec.get("output_type")), Any)
    return inspect.Signature(parameters, return_annotation=returns)


def _short(signature: inspect.Signature) -> str:
    return f"({', '.join(signature.parameters)})"


def _docstring(spec: dict[str, Any]) -> str:
    lines = [str(spec.get("description", ""))]
    if spec["inputs"]:
        lines += ["", "Args:"]
        lines += [f"    {name}: {about.get('description', '')}" for name, about in spec["inputs"].items()]
    return "\n".join(lines)


def _argument(tool: str, name: str, value: Any) -> Any:
    try:
        return argument_to_json(value)
    except (TypeError, ValueError) as fault:
        raise type(fault)(f"{tool}(): argument {name!r}: {fault}") from None


def _line_in(file: str) -> int | None:
    """Return the line of the cell that led here: the outermost, which is nearest to what a person would point at."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    line: int | None = None
    while frame is not None:
        if frame.f_code.co_filename == file:
            line = frame.f_lineno
            break
        frame = frame.f_back
    return line


def _exception(name: str, message: str) -> Exception:
    """Return an exception as the host named it: the builtin one, or a RuntimeError of that name."""
    builtin = getattr(builtins, name, None)
    if isinstance(builtin, type) and issubclass(builtin, Exception):
        try:
            return builtin(message)
        except TypeError:  # some builtin exceptions want more than a message
            return RuntimeError(f"{name}: {message}")
    error_class = type(
        name if name.isidentifier() else "ToolError", (RuntimeError,), {"__module__": "__main__"}
    )
    return error_class(message)
