"""Blocks of whole lines in a text, fenced code and Python tracebacks; and where it says that a file was made.

Fences are as CommonMark has them: three or more backticks or tildes, at most three spaces before. A block ends at a fence of
the same sign that is at least as long; shorter ones, and backticks inside a line, are its content. Each line of it loses as
many spaces as stood before the opening fence.

Tracebacks are recognised line by line: also chained ones, groups, and those that the text cuts off.

    Traceback (most recent call last):       (or Exception Group Traceback, drawn with + and |)
      File "x.py", line 1, in f              lines further in than the first
    ValueError: what was wrong
    <blank>
    During handling of the above exception, another exception occurred:
    <blank>
    Traceback ...                            the next of the chain

The message of an exception is one line: whether the line after it still belongs to it cannot be told.

A file is told of by `[File: p]`, `Created: p`, `Wrote: p`, when p looks like a path: "Created: a new branch for you" names
none. A path has no spaces unless brackets or quotes hold it together.
"""

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from smoldesk.output_parser.artifacts import ErrorArtifact

# an info string after backticks has none itself: "```like this```" is a word in a sentence
_OPENING = re.compile(r"( {0,3})(`{3,}+(?=[^`]*$)|~{3,}+)(.*)")
_LANGUAGE = re.compile(r"\s*\{?\s*\.?([^\s{},]*)")


@dataclass(frozen=True, slots=True)
class Fence:
    """An opening fence: what closes it, and what its block is written in."""

    sign: str
    length: int
    indent: int
    language: str

    def closed_by(self, line: str) -> bool:
        """Whether this line (without its newline) ends the block."""
        bare = line.strip(" \t")
        return (
            len(bare) >= self.length
            and not bare.strip(self.sign)
            and len(line) - len(line.lstrip(" ")) <= 3
            and not line.startswith("\t")
        )

    def unindented(self, line: str) -> str:
        """A line of the block as it was meant."""
        if not self.indent:
            return line
        spaces = len(line) - len(line.lstrip(" "))
        return line[min(spaces, self.indent) :]


def opening(line: str) -> Fence | None:
    """The fence this line opens, or None."""
    found = _OPENING.fullmatch(line)
    if found is None:
        return None
    indent, fence, info = found.groups()
    return Fence(fence[0], len(fence), len(indent), language_of(info))


def language_of(info: str) -> str:
    """The first word of an info string: "c++" of "c++ title=x", "r" of "{r, echo=FALSE}"; "text" without one."""
    found = _LANGUAGE.match(info)
    return (found[1] if found else "") or "text"


_HEADER = re.compile(r"([ \t]{0,40})(\+ Exception Group )?Traceback \(most recent call last\):[ \t]*")
_LAST = re.compile(r"(?:\| )?[ \t]*([A-Za-z_][\w.]{0,200}+)(?:: ?(.*))?")
_GROUP_LINE = re.compile(r"[ \t]*+[|+]")
_SURELY_AN_ERROR = re.compile(r".*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group)")
_CHAINS = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_Place = Literal["header", "body", "group", "last", "blank", "chain", "chain blank"]


def begins_traceback(line: str) -> bool:
    """Whether this line (without its newline) is the first of a traceback."""
    return "Traceback (most" in line and _HEADER.fullmatch(line) is not None


@dataclass
class TracebackScan:
    """One traceback, from its first line; `feed` until it gives False, then look at `found` and `unread`."""

    artifact: ErrorArtifact | None = None
    """The traceback, once it is over; None when it turned out to be a sentence that mentions one."""
    unread: list[str] = field(default_factory=list[str])
    """Lines (with their newlines) taken so far that are no part of it."""
    size: int = 0
    """Characters held."""
    _lines: list[str] = field(default_factory=list[str])
    _indent: str = ""
    _place: _Place = "header"
    _name: str = ""
    _message: str = ""

    def feed(self, line: str, end: str) -> bool:
        """Take a line and its newline ("" when it has none yet); False when the traceback is over without it."""
        place = self._next(line)
        if place is None:
            return False
        self.size += len(line) + 1
        self._place = place
        self.unread.append(line + end)
        if place in ("body", "group", "last"):
            self._lines += self.unread
            self.unread.clear()
        return True

    def over(self) -> None:
        """The text ends, or something else begins: say what this was."""
        if self._lines:
            self.artifact = ErrorArtifact("".join(self._lines).rstrip(), self._name, self._message)

    def _next(self, line: str) -> _Place | None:
        """Where in the grammar this line stands, or None when it is not part of it."""
        bare = line[len(self._indent) :] if line.startswith(self._indent) else ""
        match self._place:
            case "header" if not self.size:
                return self._match_header(line)
            case "header" | "body":
                if bare[:1] in (" ", "\t") and bare.strip():
                    return "body"
                return "last" if self._ends(bare, sure=self._place == "header") else None
            case "group":
                if _GROUP_LINE.match(line):
                    if not self._name:
                        self._ends(line.strip(), sure=True)
                    return "group"
                return "blank" if not line.strip() else None
            case "last":
                return "blank" if not line.strip() else None
            case "blank":
                return "chain" if line.strip() in _CHAINS else None
            case "chain":
                return "chain blank" if not line.strip() else None
            case "chain blank":
                return self._match_header(line)

    def _match_header(self, line: str) -> _Place | None:
        header = _HEADER.fullmatch(line)
        if header is None:
            return None
        if header[2]:
            self._name = self._message = ""
            return "group"
        self._indent = header[1]
        return "header"

    def _ends(self, line: str, sure: bool) -> bool:
        """Whether this is the line of the exception; `sure`: only when its name says so."""
        found = _LAST.fullmatch(line)
        if found is None or ((sure or found[2] is None) and not _SURELY_AN_ERROR.fullmatch(found[1])):
            return False
        self._name, self._message = found[1], (found[2] or "").strip()
        return True


# What a file reference begins with, as a pattern without groups.
MARK = r"\[(?i:file:)|(?<!\w)(?i:created|wrote):"

# Characters of a path; more are none.
LONGEST = 1024

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
