"""Host of the sandbox: runs the tools that a cell calls and receives its output.

`DirectTools` is the default host of an executor: it calls on the thread that runs the cell.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from smoldesk.stopping import StopFlag

if TYPE_CHECKING:
    from pydantic import JsonValue

    from smoldesk.sandbox.frames import Work


# What the desk does for the code in a child without a tool of the run: by name, with what the code sends, which is
# untrusted. It may raise, as a tool.
Services = Mapping[str, Callable[["Mapping[str, JsonValue]", StopFlag], "JsonValue"]]


@dataclass(frozen=True)
class ToolRequest:
    """A call made by the code of a cell. Everything but `call_id` and `source` comes from the child and is
    untrusted.

    `tool` is one of the run's tools; arguments come by name in `kwargs`, as JSON data; `line` is the line
    (1-based) of the cell that called, and `source` that line of the code that the host sent, if it has
    that many.
    """

    call_id: str
    tool: str
    args: "list[JsonValue]"
    kwargs: "dict[str, JsonValue]"
    line: int | None
    source: str | None


class ToolHost(Protocol):
    """Served on the run's own thread while the cell waits; the cell's clock stands meanwhile."""

    def call(self, request: ToolRequest) -> "dict[str, JsonValue]":
        """Run the tool; returns one of

        - `{"kind": "json", "value": ...}`: the value itself
        - `{"kind": "rows", "columns": [...], "rows": [[...], ...]}`: becomes a DataFrame
        - `{"kind": "table_file", "name": "..."}`: a CSV file in the chat's folder; becomes a DataFrame

        An exception is raised in the cell under the same name (a RuntimeError of that name unless builtin;
        `ToolDenied` can be caught by that name); `errors.Stopped` ends the cell.
        """
        ...

    def printed(self, text: str) -> None:
        """Receive a piece of the cell's output."""
        ...

    def worked(self, work: "Work") -> None:
        """Receive the progress or the end of a long query of the cell; each that started ends, at the latest with its
        cell.

        May raise errors.Stopped, which has no effect: a stopped cell is notified anyway.
        """
        ...


class DirectTools:
    """A ToolHost over plain callables by name (smolagents tools are callables); prints are not shown live."""

    def __init__(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        self._tools = tools

    def call(self, request: ToolRequest) -> "dict[str, JsonValue]":
        return encoded(self._tools[request.tool](*request.args, **request.kwargs))

    def printed(self, text: str) -> None:
        return

    def worked(self, work: "Work") -> None:
        return


@dataclass(frozen=True)
class RowTable:
    """A small table by value, which code gets as a DataFrame."""

    columns: list[str]
    rows: "list[list[JsonValue]]"


@dataclass(frozen=True)
class ParquetTable:
    """A table in a Parquet file of the chat's folder, which code gets as a DataFrame."""

    name: str


def encoded(value: Any) -> "dict[str, JsonValue]":
    """Return a tool's result or a variable encoded for the child: tables as rows, everything else as JSON.

    Raises TypeError for other values.
    """
    if isinstance(value, RowTable):
        return {"kind": "rows", "columns": [*value.columns], "rows": [[*row] for row in value.rows]}
    if isinstance(value, ParquetTable):
        return {"kind": "parquet", "name": value.name}
    # By attributes: isinstance would need an import of pandas, which a server may never use otherwise.
    if hasattr(value, "iloc") and hasattr(value, "columns"):
        split = value.to_dict("split", index=False)
        return {
            "kind": "rows",
            # pandas allows numbers and tuples as labels; JSON and the child's shapes have text.
            "columns": [str(name) for name in split["columns"]],
            "rows": _plain(split["data"]),
        }
    return {"kind": "json", "value": _plain(value)}


def _plain(value: Any) -> "JsonValue":
    # The round trip makes keys text and tuples lists, so the host checks what the child will receive.
    return cast("JsonValue", json.loads(json.dumps(value, default=_other)))


def _other(value: Any) -> Any:
    """Return a value that json does not know: dates and paths as text, numpy's numbers and arrays as Python's."""
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
