"""The little language of show_map's lists: `thing:place;thing:place`, with quotes and backslashes. Pure.

A thing is a bitmap's id or a text; a place is a room or `x,y`. The last free colon of an entry parts the
two, so `10:30:Room1` needs no quoting. A field that begins with a quote runs to the same quote; a backslash
takes the sign after it as it is. Reading is one pass over the text.
"""

import re
import unicodedata
from dataclasses import dataclass

from backend.errors import BadInput

_POINT = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)\s*[,、]\s*([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)")
_ESCAPABLE = ("\\", ":", ";", ",", '"', "'")


@dataclass(frozen=True)
class Entry:
    """One `thing:place`, both unquoted."""

    thing: str
    place: str


def read_entries(text: str) -> list[Entry]:
    """The entries of an overlay list, without empty ones; raises BadInput for one without thing or place."""
    entries: list[Entry] = []
    for fields in _split(text, ";", ":"):
        thing, place = ":".join(fields[:-1]).strip(), fields[-1].strip()
        if not thing and not place:
            continue
        if not thing or not place:
            raise BadInput(
                f"{clip(':'.join(fields))} does not say what to show and where.",
                hint='Write "thing:room" or "thing:x,y", several with ";" between them.',
            )
        entries.append(Entry(thing, place))
    return entries


def read_names(text: str) -> list[str]:
    """The names of a comma-separated list, without empty ones; "、" and ";" count as commas."""
    entries = _split(text.replace("、", ","), ",", ";")
    return [name for fields in entries for field in fields if (name := field.strip())]


def clip(text: str, length: int = 60) -> str:
    """The text in quotes for an error message, cut when it is long."""
    return repr(text if len(text) <= length else text[:length] + "…")


def read_point(place: str) -> tuple[float, float] | None:
    """(x, y) when the place is a coordinate, else None."""
    match = _POINT.fullmatch(unicodedata.normalize("NFKC", place).strip())
    return (float(match[1]), float(match[2])) if match else None


def _split(text: str, outer: str, inner: str) -> list[list[str]]:
    """Entries parted by `outer`, each a list of fields parted by `inner`; quotes and escapes taken off."""
    entries: list[list[str]] = [[]]
    field: list[str] = []
    blank, closed = True, False
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in (outer, inner):
            entries[-1].append("".join(field))
            field, blank, closed = [], True, False
            if sign == outer:
                entries.append([])
        elif blank and sign in "\"'":
            at = _quoted(text, at, field)
            blank, closed = False, True
        elif closed and not sign.isspace():
            raise BadInput(
                f"{sign!r} follows a closing quote in {clip(text)}.",
                hint="Put a backslash before quotes inside a text.",
            )
        else:
            if sign == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
                at += 1
            field.append(text[at])
            blank = blank and sign.isspace()
        at += 1
    entries[-1].append("".join(field))
    return entries


def _quoted(text: str, start: int, field: list[str]) -> int:
    """Read from the quote at `start` into the field; the place of the closing one."""
    quote, at = text[start], start + 1
    while at < len(text):
        if text[at] == quote:
            return at
        if text[at] == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            at += 1
        field.append(text[at])
        at += 1
    raise BadInput(
        f"The quote {quote} in {clip(text)} is never closed.", hint="Close it, or put a backslash before it."
    )
