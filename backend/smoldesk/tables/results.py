"""Tool results beside text and JSON: a table file in the chat's folder, or rows.

The code that called the tool runs in a child process, so results travel as JSON frames. `to_frame` encodes them; the
child turns them into data frames. No bytes of a file pass through.
"""

import math
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import DeskError

_PREVIEW_ROWS = 20


class NotSendable(DeskError):
    """Tool result that is neither a table nor JSON."""

    code = "bad_tool_result"


@dataclass(frozen=True)
class TableFile:
    """CSV file in the chat's folder: its name, its number of rows without the header, its columns."""

    name: str
    rows: int
    columns: list[str]

    def __str__(self) -> str:
        return f"{self.name}: {self.rows} rows, columns {', '.join(self.columns)}"


@dataclass(frozen=True)
class Rows:
    """Small table by value; `truncated` if there were more rows."""

    columns: list[str]
    rows: list[list[JsonValue]]
    truncated: bool = False

    def __str__(self) -> str:
        lines = [" | ".join(self.columns)]
        lines += [" | ".join(_cell(value) for value in row) for row in self.rows[:_PREVIEW_ROWS]]
        if len(self.rows) > _PREVIEW_ROWS:
            lines.append(f"... {len(self.rows) - _PREVIEW_ROWS} more rows")
        count = "1 row" if len(self.rows) == 1 else f"{len(self.rows)} rows"
        lines.append(f"({count}, cut off: there are more)" if self.truncated else f"({count})")
        return "\n".join(lines)


def to_frame(value: object) -> dict[str, JsonValue]:
    """Encode a result as JSON for the child, with `kind` "table_file", "rows" or "json".

    Raises NotSendable with the place and type of a value that JSON cannot represent, such as NaN or a key that is not
    text.
    """
    if isinstance(value, TableFile):
        return {"kind": "table_file", "name": value.name}
    if isinstance(value, Rows):
        return {
            "kind": "rows",
            "columns": list[JsonValue](value.columns),
            "rows": list[JsonValue](value.rows),
        }
    _require_json(value)
    return {"kind": "json", "value": cast(JsonValue, value)}


def _cell(value: JsonValue) -> str:
    return "" if value is None else str(value)


def _require_json(value: object) -> None:
    # A stack instead of recursion: a deep value is refused, it does not overflow Python's.
    todo: list[tuple[str, Any, int]] = [("the result", value, 0)]
    while todo:
        where, item, depth = todo.pop()
        if depth > 50:
            raise NotSendable("The tool's result is nested deeper than 50 levels.")
        if isinstance(item, dict):
            for key, inner in cast(dict[Any, Any], item).items():
                if not isinstance(key, str):
                    kind = type(key).__name__
                    raise NotSendable(f"In {where}, the key {key!r} is of type {kind}, not text.")
                todo.append((f"{where}[{key!r}]", inner, depth + 1))
        elif isinstance(item, list | tuple):
            items = cast(list[Any], item)
            todo += [(f"{where}[{i}]", inner, depth + 1) for i, inner in enumerate(items)]
        elif isinstance(item, float) and not math.isfinite(item):
            raise NotSendable(f"{where} is {item}, which JSON cannot represent.")
        elif not (item is None or isinstance(item, str | int | float | bool)):
            raise NotSendable(
                f"{where} is of type {type(item).__name__}, which cannot be sent to the code.",
                hint="Tools return text, numbers, lists and dicts of them, Rows or a TableFile.",
            )
