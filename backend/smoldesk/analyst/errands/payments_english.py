"""Payments in English: who gets how much, for what. Money does not move on half of a sentence.

Every word must find its place: a condition, a day or a second sum makes a refusal that names it.
"""

import re
from collections.abc import Callable, Sequence

from smoldesk.analyst.intents import Errand, Payment, Refusal
from smoldesk.analyst.words.money import MONEY, NUMBER, read_money

Outcome = Sequence[Errand] | Refusal | None
"""What a clause asks for; a refusal when that is not clear; None when it is no errand."""
IsData = Callable[[str], bool]
"""Says of words whether they speak of tables and figures."""

PAY = (
    r"(?:(?:make|process|send) (?:a |the )?(?:payment|transfer)(?: of| for)?"
    r"|pay|send|transfer|wire|remit|give|tip)"
)
QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|“[^”]*”|‘[^’]*’")
JOINED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")

_FOR = r"(?:(?:for|as)\s|(?:with )?(?:an? |the )?(?:note|message|description|memo|comment|reference|saying)s?:?\s)"
_EACH = r"(?:(?P<each>each|apiece)\b ?)?"
_WHAT = re.compile(rf"{_EACH}(?P<what>{_FOR}.+)?", re.I)
_SHORTLY = rf"{_FOR}(?:[^ ]+|'[^']+'|\"[^\"]+\")"
_WHOM = re.compile(
    rf"{_EACH}(?:(?P<what>{_SHORTLY}) )?to (?P<whom>.+?)(?: (?P<each2>each|apiece))?(?: (?P<what2>{_FOR}.+))?",
    re.I,
)
_NOBODY_WORDS = "him her them it someone somebody me myself everyone everybody money"
_NOBODY = frozenset(("", *_NOBODY_WORDS.split()))
_STRAY_WORDS = """
if when unless until tomorrow today tonight yesterday later every daily weekly monthly yearly after before at on from
by via using in with but not only just once twice again or per above over under below more less than average total
instead while because next last first never don't either half for as
"""
NO_NAME = frozenset(_STRAY_WORDS.split())
"""Words that no name of a person or a city is made of."""
_CONDITION = re.compile(r"\b(?:if|unless|until|when|once|twice|every|daily|weekly|monthly)\b.*", re.I)
_PARTICLE_WORDS = "of the de la van von der den di da del el al bin and y e & - 's"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())


def read_payment(verb: str, rest: str, is_data: IsData) -> Outcome:
    """What follows a verb of paying: who gets how much for what."""
    found = re.search(MONEY, rest)
    money = read_money(found[0]) if found else None
    if found is None or money is None:
        return _without_money(verb, rest, is_data)
    before = re.sub(
        r"^(?:to|of|(?:of )?the (?:sum|amount) of)\b ?| of$", "", rest[: found.start()].strip(), flags=re.I
    )
    after = rest[found.end() :].strip()
    match = (_WHAT if before else _WHOM).fullmatch(after) or _WHAT.fullmatch(after)
    said = match.groupdict() if match else {}
    names, strays = _names(before or said.get("whom") or "") if match else ([], [after])
    if strays:
        if is_data(verb):  # `tip above 5 dollars by day`, of a table with tips
            return None
        return Refusal("errand_words", tuple(strays), (money.spelled(),))
    if not names:
        return Refusal("incomplete", ("recipient",), (money.spelled(),))
    if len(names) > 1 and not (said["each"] or said.get("each2")):
        return Refusal("each_or_shared", tuple(names), (money.spelled(),))
    what = _description(said["what"] or said.get("what2") or "")
    if condition := _CONDITION.search(QUOTED.sub("", said["what"] or said.get("what2") or "")):
        return Refusal("errand_words", (condition[0],), (money.spelled(),))
    return [Payment(name, money.amount, money.currency, what) for name in names]


def _without_money(verb: str, rest: str, is_data: IsData) -> Outcome:
    """A payment that lacks its sum or its currency. Only `pay` asks for one by itself: one also sends reports."""
    pays = verb.lower() not in ("send", "give", "transfer", "tip")
    if is_data(f"{verb} {rest}"):
        return None
    number = re.match(rf"{NUMBER}(?= |$)", rest)
    if number and (
        match := re.fullmatch(r"(?P<unit>[^\W\d]+)?(?: ?to (?P<whom>.+))?", rest[number.end() :].strip())
    ):
        unit = match["unit"]
        if unit and unit.lower() not in ("to", "each"):
            return Refusal("no_currency", (unit,)) if pays else None
        if match["whom"] or pays:
            lacks = ("currency",) if match["whom"] else ("recipient", "currency")
            return Refusal("incomplete", lacks, (rest,))
        return None
    if (last := re.fullmatch(rf"(?P<whom>\S.*?) (?P<number>{NUMBER})", rest)) and pays:
        return Refusal("incomplete", ("currency",), (last[0],))
    asks = re.fullmatch(r"(?:some |the )?money(?: to (?P<whom>.+))?", rest, re.I)
    whom = (asks["whom"] or "") if asks else re.sub(r"^to ", "", rest)
    if not asks and not pays:
        return None
    names, strays = _names(re.split(rf" {_FOR}", f" {whom}", maxsplit=1, flags=re.I)[0].strip())
    if strays:
        return Refusal("errand_words", tuple(strays)) if pays else None
    return Refusal(
        "incomplete", ("amount", "currency") if names else ("recipient", "amount", "currency"), tuple(names)
    )


def _names(text: str) -> tuple[list[str], list[str]]:
    """The people of a text, and words that are no part of any name."""
    text = text.strip(" ,:")
    if quote := QUOTED.fullmatch(text):
        return [quote[0][1:-1].strip()], []
    names: list[str] = []
    strays: list[str] = []
    for name in JOINED.split(text):
        if name.lower() in _NOBODY:
            continue
        words = name.split()
        proper = words[0][0].isupper()
        wrong = [word for word in words if word.lower().strip(".,") in NO_NAME]
        wrong += [
            w for w in words[1:] if proper and w[0].islower() and w not in _PARTICLES and w not in wrong
        ]
        if (
            len(words) > 5
            or name[0].isdigit()
            or not re.fullmatch(r"[^()\[\]{}<>;:]*[^\W\d_][^()\[\]{}<>;:]*", name)
        ):
            wrong = wrong or [name]
        strays += wrong
        names.append(name)
    return names, strays


def _description(text: str) -> str:
    said = re.sub(rf"^{_FOR}", "", text, flags=re.I).strip()
    return said[1:-1].strip() if QUOTED.fullmatch(said) else said
