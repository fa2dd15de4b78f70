"""What the sandbox needs from above: somebody who runs the tools a cell calls, and hears what it prints."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pydantic import JsonValue


@dataclass(frozen=True)
class ToolRequest:
    """A call made by the code of a cell. Everything but `call_id` and `source` was said by the child:
    untrusted.

    `tool` is one of the run's tools; arguments come by name in `kwargs`, as JSON data; `line` is the line
    (1-based) of the cell that called, and `source` that line of the code the host itself sent, when it can be
    told.
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
        """A piece of the cell's output, as it arrives."""
        ...
