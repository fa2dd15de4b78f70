"""What English calls a column of days by what was done then: `issue date`, `date of issue` of Issued, `paid date` of Paid on.

Each name is another wording of the whole header, so that of two columns of days the one whose deed was said is meant.
"""

import re
from collections.abc import Iterator, Sequence

_STRENGTH = 2.4
_ENDS = ("on", "at", "date", "day", "time", "datetime", "timestamp")
_NOUNS = {
    "admit": ("admission",), "adopt": ("adoption",), "approve": ("approval",), "arrive": ("arrival",), "bear": ("birth",),
    "cancel": ("cancellation",), "close": ("closure",), "collect": ("collection",), "complete": ("completion",),
    "create": ("creation",), "deliver": ("delivery",), "depart": ("departure",), "enrol": ("enrolment", "enrollment"),
    "expire": ("expiry", "expiration"), "inspect": ("inspection",), "install": ("installation",), "pay": ("payment",),
    "publish": ("publication",), "receive": ("receipt",), "register": ("registration",), "renew": ("renewal",),
    "resolve": ("resolution",), "sell": ("sale", "sales"), "ship": ("shipment",), "submit": ("submission",),
    "vaccinate": ("vaccination",), "discover": ("discovery",), "acquire": ("acquisition",), "buy": ("purchase",),
    "produce": ("production",), "donate": ("donation",), "serve": ("service",), "treat": ("treatment",),
}  # fmt: skip
_IRREGULAR = {"paid": "pay", "sold": "sell", "bought": "buy", "sent": "send", "built": "build", "made": "make",
              "taken": "take", "seen": "see", "found": "find", "held": "hold", "left": "leave", "born": "bear",
              "begun": "begin", "given": "give", "caught": "catch", "grown": "grow", "lent": "lend"}  # fmt: skip


def dated_names(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Other names of a column of days with these words, each with its strength; nothing for a header without a deed."""
    yield from _phrasal(words)
    said = deeds(words)
    for deed in said[:1]:
        yield f"{deed} on", _STRENGTH
        yield f"{deed} on date", _STRENGTH
    for deed in said:
        for form in (f"{deed} date", f"{deed} day", f"date of {deed}", f"date {deed}"):
            yield form, _STRENGTH


_PARTICLES = ("up", "in", "out", "off", "down", "over")


def _phrasal(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """signups, sign-up date of Signed up; drop-off of Dropped off on."""
    rest = [word for word in words if word not in _ENDS]
    if len(rest) != 2 or rest[1] not in _PARTICLES:
        return
    for verb in _IRREGULAR.get(rest[0], ""), *_verbs(rest[0])[:1], rest[0] if rest[0].endswith("k") else "":
        for noun in (f"{verb}{rest[1]}", f"{verb}-{rest[1]}", f"{verb} {rest[1]}") if verb else ():
            yield from ((form, _STRENGTH) for form in (noun, f"{noun}s", f"{noun} date", f"{noun} day"))


def deeds(words: Sequence[str]) -> tuple[str, ...]:
    """issued, issue, issuing of such a header, first as it says it; nothing where it says no more than that it holds days."""
    rest = list(words)
    while rest and rest[-1] in _ENDS:
        rest.pop()
    if rest[:1] == ["date"]:
        rest.pop(0)
    if not 1 <= len(rest) <= 2 or not all(re.fullmatch("[a-z]+", word) for word in rest):
        return ()
    ahead = "".join(f"{word} " for word in rest[:-1])
    return tuple(dict.fromkeys(ahead + form for form in (rest[-1], *_forms(rest[-1]))))


def _forms(deed: str) -> Iterator[str]:
    """issue, issuing of issued; admission, admitted of admit; payment of paid."""
    for verb in (*_verbs(deed), deed):
        yield verb
        yield verb.removesuffix("e") + "ing"
        yield from _NOUNS.get(verb, ())
        yield from (verb.removesuffix("e") + "ed" for _ in _NOUNS.get(verb, ()))


def _verbs(deed: str) -> tuple[str, ...]:
    if deed in _IRREGULAR:
        return (_IRREGULAR[deed],)
    if deed.endswith("ied"):
        return (deed[:-3] + "y",)
    if not deed.endswith("ed") or len(deed) < 5:
        return ()
    bare = deed[:-2]
    return (bare, f"{bare}e", *((bare[:-1],) if bare[-1] == bare[-2] else ()))
