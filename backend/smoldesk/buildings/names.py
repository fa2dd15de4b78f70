"""Comparison of names: case, spaces and full-width letters do not matter; abbreviations of plans in full. Pure."""

import re
import unicodedata

_ABBREVIATIONS = {
    "rm": "room", "rms": "rooms", "conf": "conference", "mtg": "meeting", "off": "office", "ofc": "office", "ofce": "office",
    "stor": "storage", "stg": "storage", "elec": "electrical", "elect": "electrical",
    "mech": "mechanical", "jan": "janitor", "rr": "restroom", "lav": "lavatory", "kitch": "kitchen",
    "corr": "corridor", "vest": "vestibule", "elev": "elevator", "lib": "library", "recep": "reception", "recept": "reception",
    "ctr": "center", "equip": "equipment", "svr": "server", "srv": "server",
    "clsrm": "classroom", "classrm": "classroom", "clrm": "classroom", "lect": "lecture", "aud": "auditorium",
    "util": "utility", "caf": "cafeteria", "lab": "laboratory", "labs": "laboratories", "admin": "administration",
    "maint": "maintenance", "bath": "bathroom", "wkshp": "workshop", "w/c": "wc", "gym": "gymnasium",
}  # fmt: skip
# conferenceroom, but not classroom
_JOINED_ROOM = re.compile(r"(ing|ion|ence|ure|age|udy|aff|ver)(rooms?)\b")
# Two words of at least three letters each; a name such as McDonald is one.
_CAPITALS = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})")
_DIGITS_BEHIND = re.compile(r"(?<=[a-z])(?=\d)")
_WORD = re.compile(r"[^\W\d_]+(?:/c\b)?")
# A letter behind digits that looks like a Latin one: 510а is typed as 510a.
_NUMBERED = re.compile(r"(?<=\d)[авекмнорстух]\b")
_LATIN = str.maketrans("авекмнорстух", "abekmhopctyx")


def fold(text: str) -> str:
    """Return the common form of a name's spellings: NFKC, no case, single spaces, Latin letters in numbers."""
    name = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return name if name.isascii() else _NUMBERED.sub(lambda match: match[0].translate(_LATIN), name)


def apart(text: str) -> str:
    """Return a name with the words that capitals join as words: Meeting Room 1 of MeetingRoom1."""
    return _DIGITS_BEHIND.sub(" ", _CAPITALS.sub(" ", text)) if _CAPITALS.search(text) else text


def spelled(text: str) -> str:
    """Return the folded form of a name with its abbreviations in full: "conference room" of "CONF. RM", wc of W.C."""
    plain = re.sub(r"\b([a-z])\.(?=[a-z]\b)", r"\1", fold(apart(text)).replace("_", " "))
    plain = re.sub(r"(?<=[a-z])\.(?=\s|$)", "", plain)
    plain = _JOINED_ROOM.sub(r"\1 \2", plain)
    return _WORD.sub(lambda match: _ABBREVIATIONS.get(match[0], match[0]), plain)
