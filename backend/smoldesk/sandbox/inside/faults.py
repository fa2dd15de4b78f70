"""An exception in words a model and a person can use: what, on which line of the cell, and no paths of the
host.
"""

import builtins
import re
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from typing import Any

MAX_MESSAGE = 4_000
MAX_TRACEBACK = 16_000
LIBRARY_FRAMES = 3
# Optional packages, and the extras that install them.
EXTRAS = {"polars": "smoldesk[polars]"}


# pandas' parser of CSV reports a lack of memory in its own class.
OUT_OF_MEMORY = re.compile("C error: out of memory", re.IGNORECASE)


def less_memory() -> str:
    """Return what a cell can do instead of holding so much in memory."""
    return (
        f"{_limit()}Use less: SQL over the file (duckdb.sql(\"SELECT ... FROM 'file.csv'\") reads it in pieces), "
        "only the columns needed (usecols=), rows in pieces (chunksize=), or `del` what is not needed."
    )


def _limit() -> str:
    try:
        import resource
    except ImportError:  # Windows
        return ""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return "" if limit == resource.RLIM_INFINITY else f"Code has {limit // 1024**2:,} MiB of memory here. "


def describe(fault: BaseException, file: str, folder: Path) -> dict[str, Any]:
    """Return an exception as JSON data: name, message, traceback, and the line of `file` it came from (or null)."""
    name = type(fault).__name__[:200]
    try:
        summary = traceback.TracebackException.from_exception(fault, lookup_lines=False)
        message = _message(fault)
        frames = [frame for frame in summary.stack if not _ours(frame.filename)]
        line = _line(fault, frames, file)
        text = _text(frames, name, message)
    except Exception as second:  # __str__ of an exception the cell made may raise anything
        message, line = f"(its message could not be read: {type(second).__name__})", None
        text = f"{name}: {message}"
    return {
        "name": name,
        "message": _clean(message, folder)[:MAX_MESSAGE],
        "traceback": _clean(text, folder)[:MAX_TRACEBACK],
        "line": line,
    }


def _message(fault: BaseException) -> str:
    """str(fault), with the nearest name that exists (newer Pythons say it themselves, when they print)."""
    if isinstance(fault, SyntaxError):
        return str(fault.msg)
    message = str(fault)
    if isinstance(fault, MemoryError) or OUT_OF_MEMORY.search(message):
        return f"{message}{'. ' if message else ''}{less_memory()}"
    wrong = getattr(fault, "name", None)
    if isinstance(fault, ModuleNotFoundError) and wrong in EXTRAS:
        return f"{message}. It comes with an extra of the desk, {EXTRAS[wrong]}; pandas and duckdb are there without."
    near = get_close_matches(wrong, _available_names(fault), n=1) if isinstance(wrong, str) else []
    return f"{message}. Did you mean: '{near[0]}'?" if near else message


def _available_names(fault: BaseException) -> list[str]:
    """Return the names that exist where the missing name was looked up."""
    if isinstance(fault, AttributeError):
        return dir(fault.obj)
    trace = fault.__traceback__
    if not isinstance(fault, NameError) or trace is None:
        return []
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    return [*frame.f_locals, *frame.f_globals, *dir(builtins)]


def _line(fault: BaseException, frames: list[traceback.FrameSummary], file: str) -> int | None:
    if isinstance(fault, SyntaxError) and fault.filename == file:
        return fault.lineno
    lines = [frame.lineno for frame in frames if frame.filename == file]
    return lines[0] if lines else None


def _text(frames: list[traceback.FrameSummary], name: str, message: str) -> str:
    lines = ["Traceback (most recent call last):"] if frames else []
    last_cell = max((n for n, frame in enumerate(frames) if frame.filename.startswith("<cell ")), default=-1)
    library = frames[last_cell + 1 :]
    left_out = len(library) - LIBRARY_FRAMES
    for number, frame in enumerate(frames):
        if left_out > 0 and last_cell < number <= last_cell + left_out:
            if number == last_cell + 1:
                lines.append(f"  … {left_out} more inside the library")
            continue
        lines.append(f"  File {frame.filename}, line {frame.lineno}, in {frame.name}")
        if frame.line:
            lines.append(f"    {frame.line[:300]}")
    return "\n".join([*lines[:400], f"{name}: {message}"])


def _ours(filename: str) -> bool:
    return filename.startswith(f"{Path(__file__).parents[2]}/")


def _clean(text: str, folder: Path) -> str:
    """Without the host's paths: the chat's folder becomes `.`, packages their names."""
    text = text.replace(f"{folder}/", "").replace(str(folder), ".")
    text = re.sub(r"[^\s'\"]*/(?:site|dist)-packages/", "", text)
    return text.replace(f"{Path(traceback.__file__).parent}/", "").replace(f"{sys.prefix}/", "")
