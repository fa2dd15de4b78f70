"""An English request in plainer words, for a second reading where the first understood too little.

Clauses that only say how to answer go (`give me the number`, `give both counts`), and so do verbs that only say that a row
came to be (`faced`, `held`, `left behind`), unless they are denied or the desk knows them. plain_english.toml lists them.
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from smoldesk.analyst.tables.who_made import asks_maker

_DATA: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_HAPPENING = frozenset(_DATA["words"]["happening"].split())
_FILLING = tuple(line.strip() for line in _DATA["words"]["filling"].splitlines() if line.strip())
_TAGS = tuple(
    re.compile(rf"(?:[?.!,;:]| -|^)\s*(?:{tag})\s*[?.!]*$", re.I)
    for tag in _DATA["tags"]["words"].split("\n")
    if tag
)
_SPOKEN = tuple((re.compile(said, re.I), plain) for said, plain in _DATA["spoken"].items())
_COUNTED = re.compile(
    r"(?!.*\b(?:how many|number of|count|average|total)\b.*how many)"
    r"(?!.*\b(?:which|what|who)\b.*\b(?:most|fewest|least|\w{3,}est)\b)(.+?)(?:[,;:?.!]+| -) *(?:so |and )?how many"
    r"(?: (?:is|are|was|were) (?:that|there|they)| in all| altogether)?[?.! ]*$",
    re.IGNORECASE,
)
"""`families who stayed over two hours, how many`: what is counted stands first."""
_WORD = re.compile(r"[A-Za-z']+")
_PARTICLE = re.compile(r" (?:out|up|off|away|down|along)(?=[ ?.!,]|$)(?! of\b)", re.I)
_DENIED = re.compile(r"(?:n't|\bnot|\bnever|\bno|\bwithout)\s+(?:been |yet |ever |even )?$", re.I)
_BEFORE_VERB = re.compile(r"(?:\b(?:has|have|had|been|being|was|were|is|are|did|do|does) )+$", re.I)


_GROWING = re.compile(
    r"\b(?:how much|by what)\b.*\b(?:grow|grew|grown|fall|fell|fallen|rise|rose|drop)\b", re.I
)


_NAMES_WHICH = re.compile(
    r"(?:^|\b)(?:of|the|all|many|any|for|between|vs\.?|versus|compare|show|list|average|our|than) $", re.I
)
_A_NOUN = re.compile(
    r" (?!(?:the|an?|to|by|in|on|at|for|from|with|out|up|off|away|down|over|under|more|less|most|it|them|me|per|and|or"
    r"|before|after|during|since|each|every|is|are|was|were|did|do|does|on average|as|than|last|this|that|there)\b)[a-z]",
    re.I,
)


def _is_adjective(text: str, match: re.Match[str]) -> bool:
    """`average weight of eaten fish`: which fish they are, no verb that says only that a row came to be."""
    word = match.group().lower()
    done = word.endswith(("ed", "en", "pt", "ught", "wn"))
    return done and bool(_NAMES_WHICH.search(text[: match.start()]) and _A_NOUN.match(text, match.end()))


def _asks_about(text: str, match: re.Match[str]) -> bool:
    """`who wrote The Salt Road`, `how much did the list grow`: the verb is what is asked."""
    word = match.group().lower()
    if word in ("grow", "grew", "grown", "fall", "fell") and _GROWING.search(text):
        return True
    return bool((maker := asks_maker(text)) and maker.lower() == word)


def without_tags(text: str) -> str:
    """The request without clauses at its end that only say how to answer, and with short ways of speaking written out."""
    for said, plain in _SPOKEN:
        text = said.sub(plain, text)
    if counted := _COUNTED.match(text):
        text = f"how many {counted[1]}"
    for _ in range(2):
        for tag in _TAGS:
            if (shorter := tag.sub("", text)).strip():
                text = shorter
    return text.strip()


def plain_english(text: str, known: Callable[[str], bool]) -> str:
    """The request without such clauses and verbs; `known` tells the words that a table or the grammar knows."""
    text = without_tags(text)
    for words in _FILLING:
        text = re.sub(rf"(?<![\w']){words}(?![\w'])", " ", text, flags=re.I)
    kept: list[str] = []
    at = 0
    for match in _WORD.finditer(text):
        if match.start() < at:
            continue
        word = match.group().lower()
        before = text[at : match.start()]
        kept.append(before)
        at = match.end()
        denied = _DENIED.search("".join(kept)) or _is_adjective(text, match)
        if word not in _HAPPENING or known(word) or _asks_about(text, match) or denied:
            kept.append(match.group())
            continue
        lead = "".join(kept)
        kept = [_BEFORE_VERB.sub("", lead)]
        if (particle := _PARTICLE.match(text, at)) and not word.startswith(
            "st"
        ):  # take out; to stand out says more
            at = particle.end()
    return re.sub(r"\s+([?.!,]|$)", r"\1", re.sub(r" {2,}", " ", "".join(kept) + text[at:])).strip()
