"""Fences of code blocks, as CommonMark has them: three or more backticks or tildes, at most three spaces before.

A block ends at a fence of the same sign that is at least as long; shorter ones, and backticks inside a line, are
its content. Each line of it loses as many spaces as stood before the opening fence.
"""

import re
from dataclasses import dataclass

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
