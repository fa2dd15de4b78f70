"""Map tools called in code, read from its syntax tree, never run.

For a replayed response that kept nothing but its code. A call counts once where it is written: a loop or a
variable as argument needs a run, so it gives nothing here.
"""

import ast
from collections.abc import Iterator

MAX_CODE = 100_000
"""Characters of code that are read; a cell is far shorter."""

_TOOLS = {"draw_arrow": ("room_name", "direction"), "clear_arrows": (), "clear_map": ()}


def map_calls(code: str) -> Iterator[tuple[str, tuple[object, ...]]]:
    """(tool, arguments) of each call with literal arguments, in the order they are written."""
    if len(code) > MAX_CODE:
        return
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the parser's ways to refuse a text
        return
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _tool(node)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        tool = _tool(call)
        arguments = _arguments(call, _TOOLS[tool])
        if arguments is not None:
            yield tool, arguments


def _tool(call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name in _TOOLS else ""


def _arguments(call: ast.Call, names: tuple[str, ...]) -> tuple[object, ...] | None:
    """Values in the order of `names`, or None when they are not exactly these, or not literals."""
    given: dict[str | None, ast.expr] = dict(zip(names, call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords})
    if len(call.args) + len(call.keywords) != len(names) or set(given) != set(names):
        return None
    values = tuple(given[name] for name in names)
    if not all(isinstance(value, ast.Constant) for value in values):
        return None
    return tuple(value.value for value in values if isinstance(value, ast.Constant))
