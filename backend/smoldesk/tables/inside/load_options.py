"""Pandas' options for reading one block of a file, and the notes and questions about its other lines. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from .block import LONGEST_NAMES, Block
from .cell_kinds import Grid, line_text
from .file_notes import Place, Value
from .shapes import Problem, literal

# Maximum characters of the options of a table; beyond them no lines in its middle are skipped.
LONGEST_OPTIONS = 11_000
# Maximum columns that are selected by number.
MAX_CHOSEN = 500
MAX_SKIPPED_LINES = 30
# Maximum questions about one file.
MAX_QUESTIONS = 8
# From MANY doubtful lines on, one question covers all, at most MAX_AT_ONCE lines.
MANY, MAX_AT_ONCE = 3, 100
LONGEST_LINE = 80
PREVIEW_CELLS = 6


def layout_options(block: Block, grid: Grid, is_skipped: Callable[[int], bool]) -> dict[str, Any]:
    """Return `skiprows`, `nrows`, `header`, `names` and `usecols`; `is_skipped` knows the rows that pandas skips by
    itself.
    """
    natural = bool(block.names) and not block.heads
    start = block.names[-1] if natural else block.body[0] if block.body else len(grid)
    last = block.body[-1] if block.body else start
    body = {*block.body, *([start] if natural else [])}
    last = len(grid) - 1 if block.goes_on else last
    gone = [row for row in range(start, last + 1) if row not in body and not is_skipped(row)]
    if block.goes_on:  # blank lines stay, as those that were not looked at
        gone = [row for row in gone if row in block.skipped_rows]
    if len(literal([*range(start), *gone])) > LONGEST_OPTIONS:
        back = {row for row, why in block.skipped_rows.items() if row > start and why != "told"} | {*gone}
        block.retained_rows = sorted(back)
        block.body = sorted({*block.body, *back})
        block.skipped_rows = {row: why for row, why in block.skipped_rows.items() if row not in back}
        gone, last = [], max(last, block.body[-1])
    options: dict[str, Any] = {}
    if gone:
        options["skiprows"] = [*range(start), *gone]
    elif not all(map(is_skipped, range(start))):
        options["skiprows"] = start
    if not block.goes_on and any(not is_skipped(row) for row in range(last + 1, len(grid))):
        options["nrows"] = len(block.body)
    if not natural:
        options["header"] = None
        heads = block.heads or [f"column_{at + 1}" for at in block.columns]
        if len(literal(heads)) <= LONGEST_NAMES:
            options["names"] = heads
    width = max((len(grid[row]) for row in body), default=0)
    if block.columns != list(range(width)) and (not natural or len(block.columns) <= MAX_CHOSEN):
        options["usecols"] = block.columns
    return options


def skipped_lines(block: Block, grid: Grid, sheet: str = "") -> list[dict[str, Any]]:
    """Return `line`, `why` and `text` of the lines of a table that are not its rows."""
    rows = sorted(block.skipped_rows.items())
    return [{"line": label(row, sheet), "why": why, "text": preview_row(grid[row])} for row, why in rows]


def questions_of(block: Block, grid: Grid, sheet: str = "") -> list[dict[str, Any]]:
    """Return the questions about a table's lines: `about`, `value`, and `choices`, each with the options it sets and
    its text.
    """
    questions: list[dict[str, Any]] = []
    if rows := block.doubts.get("header"):
        lines = [
            {"told": {"header": row + 1}, "shows": f"{row + 1}: {preview_row(grid[row])}"} for row in rows[:4]
        ]
        value = str(block.names[-1] + 1) if block.names else "0"
        questions.append(
            {"about": "header", "value": value, "choices": [*lines, {"told": {"header": 0}, "shows": ""}]}
        )
    for about in ("total", "note"):
        rows = block.doubts.get(about, [])
        for some in [[row] for row in rows] if len(rows) < MANY else [rows[:MAX_AT_ONCE]]:
            options = [
                {"told": {"lines": {label(row, sheet): keep for row in some}}, "shows": shows}
                for keep, shows in ((False, "leave"), (True, "keep"))
            ]
            value = "; ".join(f"{row + 1}: {preview_row(grid[row])}" for row in some[:MANY])
            more = f" … +{len(rows) - MANY}" if len(some) > MANY else ""
            questions.append({"about": about, "value": value + more, "choices": options})
    return questions


def layout_problems(block: Block) -> list[Problem]:
    """Report lines that stay rows although they look otherwise, and parts of the table that are read differently
    than meant.
    """
    problems: list[Problem] = []
    if block.retained_rows:
        code = "not_rows_cut" if block.goes_on else "not_rows_many"
        place: Place = {"line": block.retained_rows[0] + 1}
        problems.append(Problem(code, {"n": len(block.retained_rows)}, place))
    if block.goes_on and block.has_neighbours:
        problems.append(Problem("beside", place={"line": block.names[0] + 1} if block.names else {}))
    if block.numbers:
        values: dict[str, Value] = {"n": len(block.numbers), "name": block.numbers[0][:80]}
        problems.append(Problem("lost_zeros", values))
    return problems


def label(row: int, sheet: str) -> str:
    """Return a line's name in options and notes: "12", in a workbook "Sheet!12"."""
    return f"{sheet}!{row + 1}" if sheet else str(row + 1)


def preview_row(row: Sequence[Any]) -> str:
    """Return the first cells of a line as text."""
    texts = [line_text(cell) for cell in row]
    preview = ", ".join([text for text in texts if text][:PREVIEW_CELLS])
    return preview if len(preview) <= LONGEST_LINE else preview[: LONGEST_LINE - 1] + "…"
