"""How many rows each thing has, asked in English: `customers with more than two orders`, `tickets per agent on average`."""

import re
from collections.abc import Iterator
from typing import Literal, cast

from smoldesk.analyst.english.number_patterns import (
    AFTER,
    ARE_REPEAT,
    BEFORE,
    DENIED,
    DOES,
    FIGURES,
    HEAD,
    LONGEST,
    NO_ROWS,
    NO_VERBS,
    OCCURS,
    ON_AVERAGE,
    PER,
    RATE,
    REPEAT,
    SIGNS,
    STOPS,
    TAIL,
    TIMES,
    WITH_ROWS,
    WORDS,
)
from smoldesk.analyst.intents import Aggregate, Comparison, PerThing
from smoldesk.analyst.words.numbered import Numbered
from smoldesk.analyst.words.row_verbs import BUYERS, asks_of_buyers, is_usual


def numbers_in_english(text: str) -> Iterator[Numbered]:
    """Those things that have so many rows, or the average number of rows that one has."""
    if len(text) > LONGEST:
        return
    before = BEFORE.match(text)
    later = f" {before[1]}" if before else ""
    said = TAIL.sub("", text[before.end() :] if before else text)
    if again := ARE_REPEAT.fullmatch(said) or REPEAT.fullmatch(said):
        yield from _again(again, later)
        return
    if often := TIMES.fullmatch(said):
        yield from _often(often, later)
        return
    if found := WITH_ROWS.fullmatch(said):
        yield from _with_rows(found, later)
        return
    for form in (DOES, ON_AVERAGE, PER):
        if figure := form.fullmatch(said):
            yield from _figure(figure, later)
            return


def _again(said: re.Match[str], later: str) -> Iterator[Numbered]:
    parts = said.groupdict()
    thing, word, rest = (
        said["thing"] or parts.get("thing2") or "",
        (said["word"] or "").lower(),
        parts.get("rest") or "",
    )
    if _stops(thing):
        return
    per = PerThing("==", 1) if word.startswith("one") else PerThing(">=", 2)
    yield Numbered(_things(thing, ""), (f"how many rows{rest}{later}",), _shared(said, per), word=word)


def _often(said: re.Match[str], later: str) -> Iterator[Numbered]:
    thing, verb, of, rest = said["thing"], said["verb"].lower(), said["object"], said["rest"]
    first = of.strip().partition(" ")[0]
    if is_usual(first) and not is_usual(verb) and not said["aux"]:  # parcel types sent only once
        thing, verb, of = f"{thing} {verb}", first, of.strip().removeprefix(first)
    of = _bare(of)
    if _stops(thing) or verb in NO_VERBS or _stops(of, DENIED) or RATE.match(rest):
        return
    if said["many"]:
        per = PerThing(">=", 2)
    elif said["once"]:
        number = ("once", "twice", "thrice").index(said["once"].lower()) + 1
        per = PerThing(_sign(said, ""), number)
    else:
        per = PerThing(_sign(said, said["after"] or said["later"] or ""), _number(said["n"]))
    plain = f"how many {of or 'rows'}{rest}{later}"
    told = f"how many rows{' were' if not of else ''} {verb}{' ' + of if of else ''}{rest}{later}"
    if (
        verb in OCCURS
        and (per.comparison, per.number) in ((">", 1), (">=", 2), ("==", 2))
        and not rest
        and not later
    ):
        return  # what comes again in a column
    yield Numbered(
        _things(thing, verb),
        (plain,),
        _shared(said, per),
        (told,),
        f"{verb} {of}".strip(),
        is_usual(verb),
    )


def _with_rows(said: re.Match[str], later: str) -> Iterator[Numbered]:
    verb, noun = (said["verb"] or "").strip().lower(), said["noun"]
    done = verb.partition(" ")[0]
    if _stops(said["thing"]) or done in NO_VERBS or not (verb or said["aux"]) or NO_ROWS.match(noun):
        return
    head = HEAD.match(noun)
    per = (
        PerThing(">=", 2) if said["many"] else PerThing(_sign(said, said["after"] or ""), _number(said["n"]))
    )
    told = (f"how many {head['head']} were {done}{head['rest'] or ''}{later}",) if head and done else ()
    yield Numbered(
        _things(said["thing"], done),
        (f"how many {noun}{later}",),
        _shared(said, per),
        told,
        verb,
        not done or is_usual(done),
    )


def _figure(said: re.Match[str], later: str) -> Iterator[Numbered]:
    parts = said.groupdict()
    thing, noun, one = said["thing"], said["noun"], (parts.get("one") or "").lower()
    if "verb" in parts:
        if not (parts["first"] or parts["last"] or one.endswith(("average", "typical", "median"))):
            return
        figure: Aggregate = "median" if one.endswith("median") else "mean"
    else:
        if (
            "counted" in parts and not parts["counted"] and not noun.endswith("s")
        ):  # mean exam by year: a column's figure
            return
        figure = FIGURES[(parts.get("figure") or "average").lower()]
    if _stops(thing.split()[0]) or _stops(noun) or re.search(r"\b(?:per|each|than)\b", thing):
        return
    verb, rest = (parts.get("verb") or "").lower(), parts.get("rest") or ""
    usual = verb in ("", "have", "get", "has") or is_usual(verb)
    told = () if not verb or usual else (f"how many {noun} were {verb}{rest}{later}",)
    things = (f"how many different {thing}", f"number of rows per {thing}")
    measure = (
        noun if "figure" in parts and not parts["counted"] else ""
    )  # average sales per day, of a column Sales
    rows = (f"how many {noun}{rest}{later}",)
    yield Numbered(things, rows, PerThing(figure=figure), told, verb, usual, measure=measure)


def _stops(said: str, stops: frozenset[str] = STOPS) -> bool:
    words = said.lower().split()
    return words != ["who"] and (bool(stops & set(words)) or "n't" in said)


def _shared(said: re.Match[str], per: PerThing) -> PerThing:
    asked: Literal["names", "share"] = "share" if said["share"] else "names"
    return PerThing(per.comparison, per.number, asked=asked)


def _sign(said: re.Match[str], after: str) -> Comparison:
    return SIGNS[said["sign"].lower()] if said["sign"] else AFTER.get(after.lower(), cast(Comparison, "=="))


def _number(said: str) -> int:
    word = said.lower()
    return int(word) if word.isdigit() else 1 if word == "a single" else WORDS.index(word) + 1


def _bare(said: str) -> str:
    """The object of a verb without what says nothing: a ticket, with us."""
    return re.sub(
        r"^(?:an?|the|any|some|something|us|with us|from us|up|in|it|here)(?: |$)",
        "",
        said.strip(),
        flags=re.I,
    )


def _things(thing: str, verb: str) -> tuple[str, ...]:
    """Requests for the different things; people are those who do it."""
    if thing.lower() not in ("who", "people", "persons", "person", "everyone", "anyone", "those"):
        return (f"how many different {thing}", f"number of rows per {thing}")
    asked = (f"who {verb} the most rows",) if verb else ()
    if asks_of_buyers(verb):
        return (*(f"how many different {one}" for one in BUYERS), *asked, "who has the most rows")
    return (*asked, "who has the most rows")
