"""Columns that pandas must read as text, although their cells look like numbers. Pure."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .block import Block
from .cell_kinds import Grid, text_of
from .shapes import literal

# Maximum characters of pandas' options; further code columns are read as numbers.
# Code columns get at least MIN_CODE_CHARACTERS of them.
MAX_OPTION_CHARACTERS = 8_000
MIN_CODE_CHARACTERS = 1_500
_CODE = re.compile(r"0\d+|\d{16,}")
_POINTED_DAY = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})")


def text_columns(
    block: Block, grid: Grid, options: dict[str, Any], types: Mapping[str, str]
) -> tuple[list[str], dict[Any, str]]:
    """Return (names of columns with zero-padded codes or ids too long for a float, `dtype` for these and for days
    with points).
    """
    numbered = is_numbered(options)
    head: list[Any] = [*grid[block.names[-1]]] if block.names else []
    places = {at: place for place, at in enumerate(block.columns)}
    heads: list[Any] = options.get("names") or (
        [f"column_{at}" for at in block.columns]
        if numbered
        else [head[at] if at < len(head) else "" for at in places]
    )
    codes: list[str] = []
    pending: dict[Any, str] = {}
    room = max(MIN_CODE_CHARACTERS, MAX_OPTION_CHARACTERS - len(literal(options)))
    counts = Counter(map(str, heads))
    for at, name in zip(block.columns, heads, strict=False):
        if not isinstance(name, str) or not name or counts[name] > 1:
            continue
        cells = [cell for row in block.body if at < len(grid[row]) and text_of(cell := grid[row][at])]
        texts = [cell.strip() for cell in cells if isinstance(cell, str)]
        all_text = bool(cells) and len(texts) == len(cells)
        is_code = all_text and all(map(str.isdigit, texts)) and any(map(_CODE.fullmatch, texts))
        pointed = options.get("thousands") == "." and all_text and all(map(_POINTED_DAY.fullmatch, texts))
        text = types.get(name, "text" if is_code else "") == "text"
        if not text and not pointed:
            continue
        column = at if numbered else name
        room -= len(literal({column: "str"}))
        if room > 0:
            pending[column] = "str"
        elif text:
            block.numbers.append(name)
        if text and room > 0:
            codes.append(name)
    return codes, pending


def is_numbered(options: Mapping[str, Any]) -> bool:
    """Check whether pandas numbers the columns, because they have no names and are too many to be named."""
    return "header" in options and "names" not in options


def named(frame: Any, options: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the frame with names for numbered columns, and the suffix of the load expression that does the same."""
    if not is_numbered(options):
        return frame, ""
    return frame.add_prefix("column_"), '.add_prefix("column_")'
