"""Tools of others: from Python files (`smoldesk serve --tools my_tools.py`) and from entry points of `smoldesk.tools`.

A tool is what smolagents calls one: a function with `@tool`, or a class of `Tool` without arguments. One that is not
a DeskTool runs on the host without approval, as it does in smolagents; its `approval` and `runs_on`, or the
operator's SMOLDESK_TOOL_APPROVAL, change that. A tool that cannot be loaded is a BadInput with name, reason and
place.
"""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, cast, get_args

from smolagents import Tool

from smoldesk.errors import BadInput
from smoldesk.plugins import load_group
from smoldesk.tools.policy import Approval, DeskTool

GROUP = "smoldesk.tools"
EXPECTED = "Expected a function under smolagents' @tool, or a Tool whose constructor takes no arguments."


class PlainTool(DeskTool):
    """A tool of smolagents that knows nothing of the desk; called as it is."""

    skip_forward_signature_validation = True
    name = "plain_tool"
    description = ""
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"

    def __init__(self, inner: Tool) -> None:
        self.inner: Any = inner
        self.name = inner.name
        self.description = inner.description
        self.inputs = cast("dict[str, dict[str, Any]]", inner.inputs)  # pyright: ignore[reportAttributeAccessIssue]
        self.output_type = inner.output_type
        super().__init__()

    def validate_arguments(self) -> None:
        """smolagents has checked the inner one."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Set up the inner tool at its first call, as smolagents does."""
        return self.inner(*args, **kwargs)


def load_tools(files: Sequence[Path], reserved_names: Iterable[str]) -> list[DeskTool]:
    """Load the tools of these files and of all entry points; `reserved_names` are those of the desk's own.

    Raises BadInput for a tool that cannot be loaded, and for two tools of one name.
    """
    owners = dict.fromkeys(reserved_names, "the desk's own")
    tools: list[DeskTool] = []
    for where, tool in [*_of_files(files), *_of_entry_points()]:
        if tool.name in owners:
            raise BadInput(
                f"Two tools are called {tool.name!r}: one of {where}, and {owners[tool.name]}.",
                "Give one of them another name.",
                code="bad_tools",
            )
        owners[tool.name] = f"one of {where}"
        tools.append(tool)
    return tools


def _of_files(files: Sequence[Path]) -> Iterator[tuple[str, DeskTool]]:
    for file in files:
        tools = list(_tools_in(_imported(file)))
        if not tools:
            raise BadInput(f"There is no tool in {file}.", EXPECTED, code="bad_tools")
        for what in tools:
            yield str(file), _as_desk_tool(what, str(file))


def _of_entry_points() -> Iterator[tuple[str, DeskTool]]:
    for plugin in load_group(GROUP):
        if not (isinstance(plugin.loaded, Tool) or _is_tool_class(plugin.loaded)):
            raise BadInput(
                f"The entry point {plugin.name!r} of {GROUP} is not a tool ({plugin.where}).",
                f"{EXPECTED} Repair that package, or uninstall it.",
                code="bad_plugin",
            )
        yield plugin.where, _as_desk_tool(plugin.loaded, plugin.where)


def _imported(file: Path) -> ModuleType:
    name = f"smoldesk_tools_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file) if file.suffix == ".py" else None
    if spec is None or spec.loader is None or not file.is_file():
        raise BadInput(
            f"There is no Python file {file}.", "Expected the path of a .py file.", code="bad_tools"
        )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # smolagents looks a tool's source up by its module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as fault:  # a person's own file may raise anything
        del sys.modules[name]
        raise BadInput(
            f"The tools of {_place(file, fault)} cannot be loaded: {type(fault).__name__}: {fault}.",
            "Mend that line, or leave the file out.",
            code="bad_tools",
        ) from fault
    return module


def _place(file: Path, fault: BaseException) -> str:
    """Return the file with its line that failed."""
    if isinstance(fault, SyntaxError) and fault.filename == str(file):
        return f"{file}:{fault.lineno}"
    lines = [
        frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == str(file)
    ]
    return f"{file}:{lines[-1]}" if lines else str(file)


def _tools_in(module: ModuleType) -> Iterator[object]:
    """Yield the tools that the module made, and classes of tools that it wrote; those that it only imported are left out."""
    for value in vars(module).values():
        if isinstance(value, Tool) or (
            _is_tool_class(value) and cast("type", value).__module__ == module.__name__
        ):
            yield value


def _is_tool_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Tool) and not inspect.isabstract(value)


def _as_desk_tool(what: object, where: str) -> DeskTool:
    try:
        tool = cast("Any", what)() if isinstance(what, type) else what
        desk_tool = tool if isinstance(tool, DeskTool) else PlainTool(cast("Tool", tool))
        _check_policy(desk_tool, tool)
    except Exception as fault:
        name = getattr(what, "__name__", None) or getattr(what, "name", "")
        raise BadInput(
            f"The tool {name!r} of {where} cannot be made: {type(fault).__name__}: {fault}.",
            EXPECTED,
            code="bad_tools",
        ) from fault
    return desk_tool


def _check_policy(desk_tool: DeskTool, tool: Any) -> None:
    """Take the policy that a plain tool carries; raises ValueError for one that there is not."""
    for name, choices in (("approval", get_args(Approval)), ("runs_on", ("host", "client"))):
        value = getattr(tool, name, getattr(desk_tool, name))
        if value not in choices:
            raise ValueError(f"{name} is {value!r}, expected one of {', '.join(choices)}")
        if not isinstance(tool, DeskTool):
            setattr(desk_tool, name, value)
