"""Blocks of complete lines in a text (fenced code, Python tracebacks), and mentions of created files.

Fences follow CommonMark: three or more backticks or tildes after at most three spaces. A fence of the same character and at
least the same length closes the block; shorter fences, and backticks inside a line, are content. Each line loses as many
spaces as precede the opening fence.

Tracebacks are recognised line by line, including chained ones, groups and truncated ones:

    Traceback (most recent call last):       (or Exception Group Traceback, drawn with + and |)
      File "x.py", line 1, in f              lines with a deeper indent than the first
    ValueError: message
    <blank>
    During handling of the above exception, another exception occurred:
    <blank>
    Traceback ...                            the next traceback of the chain

The message of an exception is one line, because the grammar does not show whether the next line belongs to it.

File mentions are `[File: p]`, `Created: p` and `Wrote: p`, if p looks like a path: "Created: a new branch for you" is not
a mention. A path contains spaces only between brackets or quotes.
"""

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from smoldesk.output_parser.artifacts import ErrorArtifact

# CommonMark: the info string of a backtick fence contains no backtick. "```like this```" is inline code in a sentence.
_OPENING = re.compile(r"( {0,3})(`{3,}+(?=[^`]*$)|~{3,}+)(.*)")
_LANGUAGE = re.compile(r"\s*\{?\s*\.?([^\s{},]*)")


@dataclass(frozen=True, slots=True)
class Fence:
    """Opening fence: its character, length, indent and language."""

    sign: str
    length: int
    indent: int
    language: str

    def closed_by(self, line: str) -> bool:
        """Return whether `line` (without its newline) closes the block."""
        bare = line.strip(" \t")
        return (
            len(bare) >= self.length
            and not bare.strip(self.sign)
            and len(line) - len(line.lstrip(" ")) <= 3
            and not line.startswith("\t")
        )

    def unindented(self, line: str) -> str:
        """Strip the opening fence's indent from a line of the block."""
        if not self.indent:
            return line
        spaces = len(line) - len(line.lstrip(" "))
        # CommonMark: a line with less indent than the fence keeps its text and loses only its spaces.
        return line[min(spaces, self.indent) :]


def opening(line: str) -> Fence | None:
    """Return the fence that `line` opens, or None."""
    match = _OPENING.fullmatch(line)
    if match is None:
        return None
    indent, fence, info = match.groups()
    return Fence(fence[0], len(fence), len(indent), language_of(info))


def language_of(info: str) -> str:
    """Return the first word of an info string: "c++" of "c++ title=x", "r" of "{r, echo=FALSE}"; "text" if it is empty."""
    match = _LANGUAGE.match(info)
    return (match[1] if match else "") or "text"


_HEADER = re.compile(r"([ \t]{0,40})(\+ Exception Group )?Traceback \(most recent call last\):[ \t]*")
_LAST = re.compile(r"(?:\| )?[ \t]*([A-Za-z_][\w.]{0,200}+)(?:: ?(.*))?")
_GROUP_LINE = re.compile(r"[ \t]*+[|+]")
_SURELY_AN_ERROR = re.compile(r".*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group)")
_CHAINS = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_LineRole = Literal["header", "body", "group", "last", "blank", "chain", "chain blank"]


def begins_traceback(line: str) -> bool:
    """Return whether `line` (without its newline) is the header of a traceback."""
    return "Traceback (most" in line and _HEADER.fullmatch(line) is not None


@dataclass
class TracebackScan:
    """Scanner of one traceback; call `feed` until it returns False, then read `artifact` and `unread`."""

    # Set by `finish`; stays None if the header turned out to be a sentence that mentions a traceback.
    artifact: ErrorArtifact | None = None
    # Lines (with newlines) that were fed but may not belong to the traceback.
    unread: list[str] = field(default_factory=list[str])
    # Characters fed so far.
    size: int = 0
    _lines: list[str] = field(default_factory=list[str])
    _indent: str = ""
    _place: _LineRole = "header"
    _name: str = ""
    _message: str = ""

    def feed(self, line: str, end: str) -> bool:
        """Add a line and its newline ("" if the text ends in it); return False if the traceback ended before the line."""
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

    def finish(self) -> None:
        """Build the artifact from the lines so far, if any belong to a traceback."""
        if self._lines:
            self.artifact = ErrorArtifact("".join(self._lines).rstrip(), self._name, self._message)

    def _next(self, line: str) -> _LineRole | None:
        """Return the role of `line` in the grammar, or None if the line does not belong to the traceback."""
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
                    # The first exception of a group gives name and message; the lines after it belong to its
                    # members.
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

    def _match_header(self, line: str) -> _LineRole | None:
        header = _HEADER.fullmatch(line)
        if header is None:
            return None
        if header[2]:
            self._name = self._message = ""
            return "group"
        self._indent = header[1]
        return "header"

    def _ends(self, line: str, sure: bool) -> bool:
        """Return whether `line` names the exception; with `sure`, only if the name ends like one (Error, Warning...)."""
        match = _LAST.fullmatch(line)
        if match is None or ((sure or match[2] is None) and not _SURELY_AN_ERROR.fullmatch(match[1])):
            return False
        self._name, self._message = match[1], (match[2] or "").strip()
        return True


# Start of a file reference, as a pattern without groups: the caller embeds it in a larger one.
MARK = r"\[(?i:file:)|(?<!\w)(?i:created|wrote):"

# Maximum characters of a path.
MAX_PATH = 1024

# Possessive quantifiers (`+}`) never backtrack: a line of marks without a closing bracket costs its length
# once.
_BRACKETED = re.compile(rf"\s{{0,9}}([^\[\]\n]{{1,{MAX_PATH}}}+)\]")
_QUOTED = re.compile(
    rf"""[ \t]{{0,9}}(?:"([^"]{{1,{MAX_PATH}}}+)"|'([^']{{1,{MAX_PATH}}}+)'|`([^`]{{1,{MAX_PATH}}}+)`)"""
)
_WORD = re.compile(rf"[ \t]{{0,9}}([^\s\"'`]{{1,{MAX_PATH}}}+)(?=\s|$)")

_ENDING = re.compile(r"[^./\\][.][A-Za-z0-9_~-]{0,15}[A-Za-z][A-Za-z0-9_~-]{0,15}$")
_DOTFILE = re.compile(r"(?:^|[/\\])\.[A-Za-z][\w.-]*$")
_ROOTED = re.compile(r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|\\\\)[^\s/\\]")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.m", "p.m", "etc", "vs"})
_AFTER = ".,;:!?)。、"


class FileRef(NamedTuple):
    """Path, and the index in the line after its mention."""

    path: str
    end: int


def file_ref(line: str, at: int, bracketed: bool) -> FileRef | None:
    """Return the path after a mark that ends at `at`, or None if the text there does not look like a path."""
    if bracketed:
        match = _BRACKETED.match(line, at)
        path = match[1].strip() if match else ""
        return FileRef(path, match.end()) if match and looks_like_path(path) else None
    if (quoted := _QUOTED.match(line, at)) is not None:
        path = (quoted[1] or quoted[2] or quoted[3]).strip()
        return FileRef(path, quoted.end()) if looks_like_path(path) else None
    if (word := _WORD.match(line, at)) is None:
        return None
    path = word[1].rstrip(_AFTER)
    return FileRef(path, word.end()) if looks_like_path(path) else None


def looks_like_path(text: str) -> bool:
    """Return whether `text` starts at a root or has a suffix with a letter; addresses and abbreviations do not count."""
    if not text or _ADDRESS.match(text) or text.lower().rstrip(".") in _ABBREVIATIONS:
        return False
    if _ROOTED.match(text):
        return True
    return _ENDING.search(text) is not None or _DOTFILE.search(text) is not None
