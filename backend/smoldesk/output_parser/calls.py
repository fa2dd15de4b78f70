"""Map tools called in code, read from its syntax tree, never run.

For a replayed response that kept nothing but its code. A call counts once where it is written: a loop or a
variable as argument needs a run, so it gives nothing here.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CODE = 100_000
"""Characters of code that are read; a cell is far shorter."""

_EXACT = {"draw_arrow": ("room_name", "direction"), "clear_arrows": (), "clear_map": ()}
_SHOW_MAP = ("floor_id", "highlight_rooms", "room_colors", "show_names", "bitmap_overlays", "text_overlays")
"""In the order in which they may stand without a name; what came later is given by name."""


@dataclass(frozen=True)
class MapCall:
    """One call with literal arguments, by their names."""

    tool: str
    arguments: dict[str, object]


def map_calls(code: str) -> Iterator[MapCall]:
    """The calls with literal arguments, in the order they are written."""
    if len(code) > MAX_CODE:
        return
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the parser's ways to refuse a text
        return
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _tool(node)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        arguments = _arguments(call)
        if arguments is not None:
            yield MapCall(_tool(call), arguments)


def _tool(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name in _EXACT or name == "show_map" else ""


def _arguments(call: ast.Call) -> dict[str, object] | None:
    """Values by name, or None when they are not what the tool takes, or not literals."""
    exact = _EXACT.get(_tool(call))
    names = _SHOW_MAP if exact is None else exact
    given: dict[str | None, ast.expr] = dict(zip(names, call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords})
    if len(given) != len(call.args) + len(call.keywords) or None in given:
        return None
    if (exact is None and "floor_id" not in given) or (exact is not None and set(given) != set(exact)):
        return None
    if not all(isinstance(value, ast.Constant) for value in given.values()):
        return None
    return {str(name): value.value for name, value in given.items() if isinstance(value, ast.Constant)}
