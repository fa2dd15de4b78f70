"""What English calls a column after the shape of its name: `nightly rate` of Rate / night, `closing time` of Hours to close.

Each name is another wording of the whole header, never a part of it.
"""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.words.text import inflections

_WHOLE, _PART = 2.4, 2.2
_SPANS = {"night": "nightly", "day": "daily", "week": "weekly", "month": "monthly", "pcm": "monthly", "year": "yearly",
          "hour": "hourly", "quarter": "quarterly"}  # fmt: skip
_CHARGED = ("rate", "price", "fee", "charge", "cost", "rent", "tariff", "pay", "wage")
_LASTING = frozenset(
    (
        "seconds",
        "secs",
        "sec",
        "minutes",
        "mins",
        "min",
        "hours",
        "hrs",
        "hr",
        "days",
        "weeks",
        "months",
        "time",
    )
)
_TAKES = _LASTING - {"weeks", "months"}
_VERBS = {
    "prep": "prepare", "preparation": "prepare", "delivery": "deliver", "response": "respond", "resolution": "resolve",
    "assembly": "assemble", "production": "produce", "installation": "install", "completion": "complete",
    "recovery": "recover", "processing": "process", "drying": "dry", "fermentation": "ferment", "build": "build",
    "setup": "set up", "service": "serve", "baking": "bake", "cooking": "cook", "loading": "load", "boarding": "board",
}  # fmt: skip
"""What takes the time that a header names by a noun."""
_DEEDS = {
    **dict.fromkeys(("practised", "practiced"), ("practice", "practise", "practising", "practicing")),
    "studied": ("study", "studying"), "worked": ("work", "working"), "played": ("play", "playing"),
    "trained": ("training",), "driven": ("driving", "drive"), "spent": ("spending",), "slept": ("sleep", "sleeping"),
    "taught": ("teaching",), "flown": ("flying", "flight"), "watched": ("watching", "viewing"), "billed": ("billing",),
    "streamed": ("streaming",), "rehearsed": ("rehearsal", "rehearsing"), "cycled": ("cycling",), "run": ("running",),
    "volunteered": ("volunteering", "volunteer"), "travelled": ("travel", "travelling"), "read": ("reading",),
}  # fmt: skip
"""How the time is called that was spent so: the practice time of `Minutes practised`."""


def english_names(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Other names of a header that has these words, each with its strength; nothing for other headers."""
    words = [part for word in words for part in re.split(r"(/)", word) if part]
    if len(words) < 2 or not all(word.isascii() for word in words):
        return
    yield from _each(words)
    if takes_time(words):
        yield from _time_to(words[0], words[2])
    if len(words) == 2 and words[1] in _TAKES and (verb := _VERBS.get(words[0])):
        yield from ((name, _WHOLE) for name in (f"time to {verb}", f"{words[1]} to {verb}"))
        yield f"to {verb}", _PART
    if len(words) == 2 and words[0] in _LASTING and (nouns := _DEEDS.get(words[1])):
        yield from ((f"{noun} {what}", _WHOLE) for noun in nouns for what in ("time", words[0]))
    if len(words) == 2 and words[1] in ("taken", "spent") and words[0] == "time":
        yield from ((name, _WHOLE) for name in ("duration", f"time {words[1]}"))
    if len(words) == 2 and words[1] in ("in", "out"):
        put = "input" if words[1] == "in" else "output"
        yield f"{words[0]} {put}", _WHOLE
        yield f"{words[0]} weight {words[1]}", _PART


_ALIKE = (
    ("no", "number", "#", "nr"),
    ("ref", "reference", "reference number"),
    ("id", "id number"),
    ("code",),
)


def english_references(words: Sequence[str]) -> Iterator[str]:
    """`tracking numbers`, `the refs` and `booking references` for columns that number the rows: tracking_no, Booking ref."""
    words = [word.strip(".") or word for word in words]
    if (
        len(words) < 2
        or not any(words[-1] in group for group in _ALIKE)
        or not all(word.isascii() for word in words)
    ):
        return
    what = " ".join(words[:-1])
    same = next(group for group in _ALIKE if words[-1] in group)
    yield from (f"{what} {word}" for word in same)
    yield from (word for word in same if word in ("ref", "reference", "id", "code"))


def takes_time(words: Sequence[str]) -> bool:
    """`Hours to close`, `Mins to resolve`: how long something took."""
    return len(words) == 3 and words[0] in _LASTING and words[1] == "to"


def _each(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """`nightly rate` and `rate a night` of `rate per night`."""
    at = next((place for place, word in enumerate(words) if word in ("per", "/") and place), 0)
    if at and at + 2 == len(words) and (span := _SPANS.get(words[at + 1])):
        what, each = " ".join(words[:at]), words[at + 1]
        yield f"{span} {what}", _WHOLE
        for tie in ("per", "a", "each"):
            yield f"{what} {tie} {each}", _WHOLE
        others = _CHARGED if words[at - 1] in _CHARGED else ()
        for other in others:
            yield f"{span} {other}", _PART
            yield f"{other} per {each}", _PART
        yield what, _WHOLE
    elif len(words) == 2 and words[1] == "pcm":
        yield f"monthly {words[0]}", _WHOLE


def _time_to(unit: str, verb: str) -> Iterator[tuple[str, float]]:
    """`closing time`, `time to close` and `hours to close` of `hours to close`."""
    bare = verb.removesuffix("e")
    doing = [f"{bare}ing", f"{verb}ing", verb, *_NOUNS.get(verb, ())]
    for what in dict.fromkeys(("time", unit, *inflections(unit))):
        yield f"{what} to {verb}", _WHOLE
        yield f"{what} taken to {verb}", _WHOLE
        for form in doing:
            yield f"{form} {what}", _WHOLE


_NOUNS = {"resolve": ("resolution",), "close": ("closure",), "deliver": ("delivery",), "complete": ("completion",),
          "respond": ("response",), "reply": ("reply",), "respond first": ("response",), "repair": ("repair",),
          "fix": ("fix",), "process": ("processing",)}  # fmt: skip
