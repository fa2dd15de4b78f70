"""Place in a cell's code where the changes of a chart stand: among the arguments of the call `chart(df, spec)`, or, for a
chart of Altair or plotly, around the expression that is shown: `chart(figure, type="line")`.
"""

import ast
import io
import itertools
import linecache
import sys
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from .chart_changes import CONTROLS

_BLANK = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class CodePlace:
    """Characters `begin` to `end` of a cell's code (`file`); equal if the call has no changes yet."""

    file: str
    begin: int
    end: int


def place_of_value(file: str, value: Any) -> CodePlace | None:
    """Return the place of the expression by which the running cell `file` shows a value, or None.

    That is the argument of the call that is running (`display`, `final_answer`), else the last expression.
    """
    source = _source(file)
    if source is None:
        return None
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename != file:
        frame = frame.f_back
    names = sys.modules["__main__"].__dict__
    begin, text = 0, source
    if frame is not None:
        running = _call_of(frame, source)
        if running is None:
            return None
        names = {**names, **frame.f_locals}
        begin, text = running
    node = _display_node(text, frame is not None)
    if (
        node is None
        or not _is_single(node, names)
        or (isinstance(node, ast.Name) and names.get(node.id) is not value)
    ):
        return None
    lines = text.splitlines(keepends=True)
    end = begin + _offset(lines, node.end_lineno or 1, node.end_col_offset or 0)
    return CodePlace(file, begin + _offset(lines, node.lineno, node.col_offset), end)


def _display_node(source: str, is_call: bool) -> ast.expr | None:
    """Return the only argument of a call, or the last expression of code."""
    try:
        last = ast.parse(source).body[-1]
    except (SyntaxError, ValueError, IndexError):
        return None
    node = last.value if isinstance(last, ast.Expr) else None
    if not is_call or not isinstance(node, ast.Call):
        return node
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    return arguments[0] if len(arguments) == 1 else None


def _is_single(node: ast.expr, names: Mapping[str, Any]) -> bool:
    """Check that an expression is one chart: a method's result, a variable, or such joined by operators.

    A call of a plain function may return several.
    """
    match node:
        case ast.BinOp(left, _, right):
            return _is_single(left, names) and _is_single(right, names)
        case ast.Call(func):
            return isinstance(func, ast.Attribute)
        case ast.Name(name):
            return not isinstance(names.get(name), list | tuple | dict)
        case _:
            return False


def _source(file: str) -> str | None:
    """Return the code of a cell, if the host counts its characters alike: it has them with other ends of lines."""
    entry = linecache.cache.get(file)
    if not file.startswith("<cell ") or entry is None or len(entry) < 3:
        return None
    code = "".join(entry[2])
    return code if len(code) - 1 == entry[0] else None


def _call_of(frame: FrameType, source: str) -> tuple[int, str] | None:
    """Return where the call begins that a frame is in, and its text."""
    position = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    if position is None or None in position:
        return None
    first, last, from_byte, to_byte = position
    lines = source.splitlines(keepends=True)
    begin = _offset(lines, first or 1, from_byte or 0)
    return begin, source[begin : _offset(lines, last or 1, to_byte or 0)]


def place_of(caller: FrameType) -> CodePlace | None:
    """Return the place for changes in the call that a frame is in; None for a call without such a place."""
    file = caller.f_code.co_filename
    source = _source(file)
    running = _call_of(caller, source) if source is not None else None
    if running is None:
        return None
    begin, call = running
    span = _span(call)
    return None if span is None else CodePlace(file, begin + span[0], begin + span[1])


def _offset(lines: list[str], line: int, byte: int) -> int:
    """Return the number of characters before a position, whose column counts bytes of UTF-8."""
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:byte].decode(errors="ignore"))


def _span(source: str) -> tuple[int, int] | None:
    """Return where changes begin and end in the source of a call."""
    try:
        call = ast.parse(source, mode="eval").body
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type not in _BLANK
        ]
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None
    if not isinstance(call, ast.Call) or len(tokens) < 3 or tokens[-1].string != ")":
        return None
    lines = source.splitlines(keepends=True)
    line, column = tokens[-2].end
    end = sum(map(len, lines[: line - 1])) + column
    at = next((number for number, keyword in enumerate(call.keywords) if keyword.arg in CONTROLS), None)
    if at is None:
        return end, end
    if any(keyword.arg not in CONTROLS for keyword in call.keywords[at:]):
        return None
    return _offset(lines, call.keywords[at].lineno, call.keywords[at].col_offset), end


def with_changes(code: str, begin: int, end: int, changes: dict[str, str]) -> str:
    """Return code with these changes in a place."""
    arguments = ", ".join(f"{name}={_literal(name, changes[name])}" for name in CONTROLS if name in changes)
    if is_expression(code, begin, end):
        call = f"chart({code[begin:end]}, {arguments})"
        return code[:begin] + call + code[end:] if arguments else code
    before = code[:begin].rstrip()
    separator = "" if begin < end or not arguments else " " if before.endswith(",") else ", "
    return code[:begin] + separator + arguments + code[end:]


def is_expression(code: str, begin: int, end: int) -> bool:
    """Check whether a place has an expression, and not arguments of `chart`."""
    try:
        ast.parse(f"(\n{code[begin:end]}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return begin < end


def is_place(code: str, begin: int, end: int) -> bool:
    """Check whether code has a place for changes there."""
    return end <= len(code) and (is_expression(code, begin, end) or "chart(" in code[:begin])


def _literal(name: str, value: str) -> str:
    return value if name == "top" and value.isdecimal() else repr(value)
