"""Place in a cell's code where the changes of a chart stand: among the arguments of the call `chart(df, spec)`."""

import ast
import io
import itertools
import linecache
import tokenize
from dataclasses import dataclass
from types import FrameType

from .chart_changes import CONTROLS

_BLANK = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class CodePlace:
    """Characters `begin` to `end` of a cell's code (`file`); equal if the call has no changes yet."""

    file: str
    begin: int
    end: int


def place_of(caller: FrameType) -> CodePlace | None:
    """Return the place for changes in the call that a frame is in; None for a call without such a place."""
    file, code = caller.f_code.co_filename, caller.f_code
    entry = linecache.cache.get(file)
    if not file.startswith("<cell ") or entry is None or len(entry) < 3:
        return None
    lines, size = entry[2], entry[0]
    position = next(itertools.islice(code.co_positions(), caller.f_lasti // 2, None), None)
    # The host has the code as it was sent: with other ends of lines, characters would count differently.
    if position is None or None in position or sum(map(len, lines)) - 1 != size:
        return None
    first, last, from_byte, to_byte = position
    begin = _offset(lines, first or 1, from_byte or 0)
    call = "".join(lines)[begin : _offset(lines, last or 1, to_byte or 0)]
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
    before = code[:begin].rstrip()
    separator = "" if begin < end or not arguments else " " if before.endswith(",") else ", "
    return code[:begin] + separator + arguments + code[end:]


def _literal(name: str, value: str) -> str:
    return value if name == "top" and value.isdecimal() else repr(value)
