"""Kinds of rooms in words of ten languages: "toilet", お手洗い, WC Herren. The words are data, in `kinds.toml`. Pure."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from smoldesk.buildings.names import fold, spelled
from smoldesk.messages import MapDefinitionContent, Rectangle

# Kind -> language -> its words, from kinds.toml.
_WORDS: dict[str, dict[str, list[str]]] = {
    kind: {
        language: [word.strip() for word in " ".join(line.split()).split(",")]
        for language, line in by.items()
    }
    for kind, by in tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8")).items()
}
# Kind -> its words in all languages, English first; a kind from a file also is its own word.
KINDS: dict[str, tuple[str, ...]] = {
    kind: tuple(word for words in by.values() for word in words) for kind, by in _WORDS.items()
}

# Kind -> the wider kind that its rooms have, too.
WIDER = {
    **dict.fromkeys(("women's toilet", "men's toilet", "accessible toilet", "unisex toilet"), "toilet"),
    **dict.fromkeys(("electrical", "mechanical"), "technical"),
    "break": "lounge",
    **dict.fromkeys(("restaurant", "canteen", "cafe", "fast food", "food court", "bar"), "food"),
}

# Number or remark at the end of a name. Each text has one division only, so that matching ends.
_AT_END = re.compile(r"(?:\s+(?=[-\w]*\d)[^\s(]+|\s*\([^)]*\))+$")
_WIDE_ENDS = (" room", " rooms", " closet", " equipment")
# First character of the scripts that put no space between words.
_UNSPACED = "\u2e80"
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
# Kinds that people pass through and do not count as rooms to be in.
CIRCULATION = ("corridor", "hall", "stairs", "lift", "escalator", "ramp", "exit")


def _spellings(word: str) -> Iterator[str]:
    """Yield a word, and what is typed for it without umlauts and accents: buero and buro for Büro."""
    yield (name := fold(word))
    if not name.isascii() and name[0] < _UNSPACED:
        yield name.translate(_UMLAUTS)
        yield "".join(char for char in unicodedata.normalize("NFD", name) if not unicodedata.combining(char))


_KIND_OF: dict[str, str] = {}
for _kind, _names in KINDS.items():
    for _name in _names:
        for _spelling in _spellings(_name):
            _KIND_OF.setdefault(_spelling, _kind)
# German names end with their kind: Großraumbüro.
_GERMAN = frozenset(fold(word) for words in _WORDS.values() for word in words.get("de", ()) if len(word) > 3)
# By the first two letters: a large building has 100,000 names, and hundreds of words each are too many to look for.
_BY_START: dict[str, list[str]] = {}
for _word in _KIND_OF:
    _BY_START.setdefault(_word[:2], []).append(_word)
# As some files write them: conveniencestore.
_JOINED = {word.replace(" ", ""): kind for word, kind in _KIND_OF.items()}


def kind_name(kind: str, language: str = "en", count: int = 1) -> str:
    """Return the word for a kind, in English in the plural for another count than 1: "meeting rooms", 会議室."""
    words = _WORDS.get(kind, {})
    if language == "ja":
        return next(iter((*words.get("ja", ()), *words.get("en", ()))), kind)
    name = next(iter(words.get("en", ())), kind)
    if count == 1 or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def find_kind(text: str) -> str | None:
    """Return the kind that a word means ("restrooms", "お手洗い"), or None."""
    word = spelled(text)
    for start in ("nearest ", "closest ", "the ", "a ", "an ", "最寄りの", "一番近い", "近くの"):
        word = word.removeprefix(start)
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((kind for form in forms if (kind := _KIND_OF.get(form) or _JOINED.get(form))), None)


def kind_of(room: Rectangle) -> str | None:
    """Return a room's kind from its file, else from its name."""
    return find_kind(room.kind) or fold(room.kind) if room.kind else kind_of_name(room.name)


def kinds_of(room: Rectangle) -> list[str]:
    """Return all kinds of a room: its own, those of its file's words, that of its name, and the wider ones."""
    kinds = [kind_of(room), *(find_kind(word) or fold(word) for word in room.kinds or ())]
    by_name = [kind for name in (room.name, *(room.names or {}).values()) if (kind := kind_of_name(name))]
    kinds += [kind for kind in by_name if kind not in CIRCULATION]
    found = [kind for kind in kinds if kind]
    return list(dict.fromkeys((*found, *(WIDER[kind] for kind in found if kind in WIDER))))


def kind_of_name(text: str) -> str | None:
    """Return the kind in a room's name ("Staff kitchen 2"), or None."""
    if kind := find_kind(text):
        return kind
    name = _AT_END.sub("", spelled(text))
    # The last word of "elevator equipment room" says that it is no lift.
    ends = name.endswith(_WIDE_ENDS)
    matches = [(len(word), _KIND_OF[word]) for word in _words_in(name) if not ends or name.endswith(word)]
    return max(matches)[1] if matches else None


def kinds_in(building: MapDefinitionContent) -> list[str]:
    """Return the kinds in a building, links and exits included, in the order of `KINDS`."""
    kinds = {kind for floor in building.floors for room in floor.rectangles if (kind := kind_of(room))}
    kinds |= {link.kind for link in building.links or []}
    kinds |= {"exit" for floor in building.floors for door in floor.doors or [] if len(door.rooms) == 1}
    order = list(KINDS)
    return sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))


def _words_in(name: str) -> Iterator[str]:
    """Yield `kitchen` of "staff kitchen 2", トイレ of 男子トイレ; never a word inside a word of letters."""
    for at in range(len(name)):
        for word in (*_BY_START.get(name[at], ()), *_BY_START.get(name[at : at + 2], ())):
            before, after = name[at - 1 : at] if at else "", name[at + len(word) : at + len(word) + 1]
            alone = word[0] >= _UNSPACED or not (
                (_is_letter(before) and word not in _GERMAN) or _is_letter(after)
            )
            if alone and name.startswith(word, at):
                yield word


def _is_letter(char: str) -> bool:
    """Return whether a character belongs to a word with letters of a script that has spaces."""
    return char.isalpha() and char < _UNSPACED
