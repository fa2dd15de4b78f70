"""Tools called directly, on the thread that runs the cell: for an executor that was given no ToolHost."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from smoldesk.sandbox.tool_host import ToolRequest

if TYPE_CHECKING:
    from pydantic import JsonValue


class DirectTools:
    """A ToolHost over plain callables by name (smolagents tools are callables); prints are not shown live."""

    def __init__(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        self._tools = tools

    def call(self, request: ToolRequest) -> "dict[str, JsonValue]":
        return encoded(self._tools[request.tool](*request.args, **request.kwargs))

    def printed(self, text: str) -> None:
        return


def encoded(value: Any) -> "dict[str, JsonValue]":
    """A tool's result or a variable for the child: tables as rows, everything else as JSON.

    Raises TypeError when it is neither.
    """
    if hasattr(value, "iloc") and hasattr(value, "columns"):
        split = value.to_dict("split", index=False)
        return {
            "kind": "rows",
            "columns": [str(name) for name in split["columns"]],
            "rows": _plain(split["data"]),
        }
    return {"kind": "json", "value": _plain(value)}


def _plain(value: Any) -> "JsonValue":
    return cast("JsonValue", json.loads(json.dumps(value, default=_other)))


def _other(value: Any) -> Any:
    """What json does not know: dates and paths as text, numpy's numbers and arrays as Python's."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return str(value)
    if isinstance(value, set | frozenset | tuple):
        return list(cast("set[Any]", value))
    accepted = "text, numbers, lists, dicts and tables"
    raise TypeError(f"a {type(value).__name__} cannot be passed to the cell; accepted are {accepted}")
