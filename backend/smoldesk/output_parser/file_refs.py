"""Where a text says that a file was made: `[File: p]`, `Created: p`, `Wrote: p`, when p looks like a path.

"Created: a new branch for you" names no file. A path has no spaces unless brackets or quotes hold it together.
"""

import re
from typing import NamedTuple

MARK = r"\[(?i:file:)|(?<!\w)(?i:created|wrote):"
"""What a file reference begins with, as a pattern without groups."""

LONGEST = 1024
"""Characters of a path; more are none."""

_BRACKETED = re.compile(rf"\s{{0,9}}([^\[\]\n]{{1,{LONGEST}}}+)\]")
_QUOTED = re.compile(
    rf"""[ \t]{{0,9}}(?:"([^"]{{1,{LONGEST}}}+)"|'([^']{{1,{LONGEST}}}+)'|`([^`]{{1,{LONGEST}}}+)`)"""
)
_WORD = re.compile(rf"[ \t]{{0,9}}([^\s\"'`]{{1,{LONGEST}}}+)(?=\s|$)")

_ENDING = re.compile(r"[^./\\][.][A-Za-z0-9_~-]{0,15}[A-Za-z][A-Za-z0-9_~-]{0,15}$")
_DOTFILE = re.compile(r"(?:^|[/\\])\.[A-Za-z][\w.-]*$")
_ROOTED = re.compile(r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|\\\\)[^\s/\\]")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.m", "p.m", "etc", "vs"})
_AFTER = ".,;:!?)。、"


class FileRef(NamedTuple):
    """A path, and where its mention ends in the line."""

    path: str
    end: int


def file_ref(line: str, at: int, bracketed: bool) -> FileRef | None:
    """The path after a mark that ends at `at`, or None when what stands there looks like none."""
    if bracketed:
        found = _BRACKETED.match(line, at)
        path = found[1].strip() if found else ""
        return FileRef(path, found.end()) if found and looks_like_path(path) else None
    if (quoted := _QUOTED.match(line, at)) is not None:
        path = (quoted[1] or quoted[2] or quoted[3]).strip()
        return FileRef(path, quoted.end()) if looks_like_path(path) else None
    if (word := _WORD.match(line, at)) is None:
        return None
    path = word[1].rstrip(_AFTER)
    return FileRef(path, word.end()) if looks_like_path(path) else None


def looks_like_path(text: str) -> bool:
    """A path from a root, or a name with an ending that has a letter in it; no web address, no abbreviation."""
    if not text or _ADDRESS.match(text) or text.lower().rstrip(".") in _ABBREVIATIONS:
        return False
    if _ROOTED.match(text):
        return True
    return _ENDING.search(text) is not None or _DOTFILE.search(text) is not None
