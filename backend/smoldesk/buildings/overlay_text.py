"""The little language of the map's lists: `thing:place|option=value;thing:place`, with quotes and backslashes. Pure.

A thing is a bitmap's id or a text; a place is a room or `x,y`. The last free colon of an entry parts the
two, so `10:30:Room1` needs no quoting. Options follow the place, each after a `|`. A field that begins with
a quote (", ' or 「) runs to the closing one; a backslash takes the sign after it as it is. Reading is one
pass over the text; `quoted` writes a text so that it is read back unchanged.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from smoldesk.errors import BadInput

_NUMBER = r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)"
_POINT = re.compile(rf"{_NUMBER}\s*[,、]\s*{_NUMBER}")
_NEXT_OPTION = re.compile(r",\s*(?=[A-Za-z_]+\s*=)")
_CLOSING = {'"': '"', "'": "'", "「": "」", "『": "』"}
_ESCAPABLE = frozenset("\\:;,|\"'「」『』")


@dataclass(frozen=True)
class Entry:
    """One `thing:place`, both unquoted, with its options by name (in lower case)."""

    thing: str
    place: str
    options: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Name:
    """One name of a list of names, unquoted, with its options."""

    text: str
    options: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class _Field:
    """Text before a separator (`end`, empty at the end of an entry), with its surrounding blanks."""

    text: str
    end: str
    quoted: bool

    @property
    def plain(self) -> str:
        return self.text if self.quoted else self.text.strip()


def read_entries(text: str) -> list[Entry]:
    """Parse the entries of an overlay list, without empty ones. Raises BadInput for one without thing or place."""
    return [_entry(fields) for fields in _split(text, ";", ":|") if _has_content(fields)]


def read_names(text: str) -> list[Name]:
    """Parse the names of a comma-separated list, without empty ones; "、" and ";" count as commas."""
    names: list[Name] = []
    for fields in _split(text, ",、;", "|"):
        if _has_content(fields):
            names.append(Name(fields[0].plain, _options(fields[1:])))
    return names


def quoted(text: str) -> str:
    """Return the text so that it parses back unchanged, in quotes only if necessary."""
    if text and text == text.strip() and not _ESCAPABLE & set(text) and "：" not in text:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def clip(text: str, length: int = 60) -> str:
    """Return the text in quotes for an error message, shortened if it is long."""
    return repr(text if len(text) <= length else text[:length] + "…")


def read_point(place: str) -> tuple[float, float] | None:
    """(x, y) when the place is a coordinate such as "10,-2.5" or "(10, 20)", else None."""
    plain = unicodedata.normalize("NFKC", place).replace("−", "-").strip()
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1].strip()
    match = _POINT.fullmatch(plain)
    return (float(match[1]), float(match[2])) if match else None


def _has_content(fields: list[_Field]) -> bool:
    return any(option.plain or option.end for option in fields)


def _entry(fields: list[_Field]) -> Entry:
    at = max((index for index, option in enumerate(fields) if option.end == ":"), default=-1) + 1
    thing, place = _thing(fields[:at]), fields[at].plain
    if not at:  # a full-width colon serves where there is no other
        thing, _, place = (part.strip() for part in place.rpartition("："))
    if not thing or not place:
        source_text = "".join(option.text + option.end for option in fields)
        raise BadInput(
            f"{clip(source_text)} does not say what to show and where.",
            hint='Write "thing:room" or "thing:x,y", several with ";" between them.',
        )
    return Entry(thing, place, _options(fields[at + 1 :]))


def _thing(fields: list[_Field]) -> str:
    """Return the fields before the last colon as one text; unquoted blanks at its ends are removed."""
    text = "".join(option.text + option.end for option in fields).removesuffix(":")
    if fields and not fields[0].quoted:
        text = text.lstrip()
    return text if fields and fields[-1].quoted else text.rstrip()


def _options(fields: list[_Field]) -> dict[str, str]:
    """`name=value` of each field; a comma before another `name=` parts options, too."""
    options: dict[str, str] = {}
    for option in fields:
        for piece in _NEXT_OPTION.split(option.plain):
            name, sign, value = (part.strip() for part in piece.partition("="))
            if not sign or not value:
                raise BadInput(
                    f"{clip(piece)} is not an option.",
                    hint='Write options as "|name=value", such as "|size=18".',
                )
            options[name.casefold()] = value
    return options


def _split(text: str, outer: str, inner: str) -> list[list[_Field]]:
    """Entries parted by a sign of `outer`, each the fields parted by signs of `inner`; quotes and escapes taken off."""
    entries: list[list[_Field]] = [[]]
    signs: list[str] = []
    blank, closed = True, False
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in outer or sign in inner:
            entries[-1].append(_Field("".join(signs), sign if sign in inner else "", closed))
            signs, blank, closed = [], True, False
            if sign in outer:
                entries.append([])
        elif blank and sign in _CLOSING:
            signs.clear()
            at = _quoted(text, at, signs)
            blank, closed = False, True
        elif closed and not sign.isspace():
            raise BadInput(
                f"{sign!r} follows a closing quote in {clip(text)}.",
                hint="Put a backslash before quotes inside a text.",
            )
        elif not closed:
            if sign == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
                at += 1
            signs.append(text[at])
            blank = blank and sign.isspace()
        at += 1
    entries[-1].append(_Field("".join(signs), "", closed))
    return entries


def _quoted(text: str, start: int, signs: list[str]) -> int:
    """Read from the quote at `start` to the closing one into `signs`; the place of the latter."""
    closing, at = _CLOSING[text[start]], start + 1
    while at < len(text):
        if text[at] == closing:
            return at
        if text[at] == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            at += 1
        signs.append(text[at])
        at += 1
    raise BadInput(
        f"The quote {text[start]} in {clip(text)} is never closed.",
        hint="Close it, or put a backslash before it.",
    )
