"""Tokens of errands: a letter for each kind, so that the rules are regular expressions over letters.

P a word of paying, M an amount of money, N a number, T to, I in, F for, o を, E each, A and, W weather, L where am I, B
music, S set or play, O stop, Z another day, `!` a condition or a negation, X other words: names and descriptions.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.mentions import MAX_PHRASE_UNITS
from smoldesk.analyst.money import MONEY_IN, NUMBER_IN, QUOTED_IN, read_money, read_number
from smoldesk.analyst.requests import Request

_LETTERS = {
    "pay": "P", "to": "T", "in": "I", "for": "F", "object": "o", "each": "E", "weather": "W", "where": "L", "music": "B",
    "set": "S", "stop": "O", "later": "Z", "not": "!", "polite": "", "tail": "",
}  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
# Maximum letters of a word whose dot does not end a sentence: Dr., Mrs.
MAX_TITLE = 3
_ENDS = "。?!.？！"


@dataclass(frozen=True)
class Token:
    """Span of a request: its letter, text, value, and offsets."""

    letter: str
    text: str
    value: float = 0.0
    currency: str = ""
    start: int = 0
    end: int = 0


def tokens_of(request: Request) -> list[Token]:
    """Return the tokens of a request, without polite words."""
    tokens: list[Token] = []
    for token in _pieces(request):
        if not token.letter:
            continue
        last = tokens[-1] if tokens else None
        between = request.text[last.end : token.start] if last is not None else ""
        dot = last is not None and between.strip() == "."
        title = dot and last is not None and (between == "." or len(last.text.split()[-1]) <= MAX_TITLE)
        is_separate = between.strip() and not title
        if token.letter == "X" and last is not None and last.letter == "X" and not is_separate:
            tokens[-1] = Token("X", request.text[last.start : token.end], start=last.start, end=token.end)
        elif token.letter == "A" and last is not None and last.letter == "A":
            continue
        else:
            tokens.append(token)
    music = any(item.letter == "B" for item in tokens)
    return [item for item in tokens if item.letter != "N" or music or item.text.casefold() not in _ORDINALS]


def _pieces(request: Request) -> Iterator[Token]:
    text, units, at = request.text, request.units, 0
    spans = {match.start(): match for match in reversed(list(MONEY_IN.finditer(text)))}
    quotes = {match.start(): match for match in QUOTED_IN.finditer(text)}
    while at < len(units):
        unit = units[at]
        # The order matters: a quoted text may contain an amount, and an amount contains a number.
        if quote := quotes.get(unit.start):
            yield Token("X", quote[0][1:-1], start=quote.start(), end=quote.end())
            at = _after(request, quote.end())
            continue
        if match := spans.get(unit.start):
            money = read_money(match[0])
            if money is not None:
                yield Token("M", match[0], money.amount, money.currency, match.start(), match.end())
                at = _after(request, match.end())
                continue
        if number := NUMBER_IN.match(text, unit.start):
            yield Token("N", number[0], read_number(number[0]), "", number.start(), number.end())
            at = max(at + 1, _after(request, number.end()))
            continue
        kind, end = _longest(request, at)
        start, stop = unit.start, units[end - 1].end
        if kind == "and" or unit.key in ",、;&":
            yield Token("A", text[start:stop], start=start, end=stop)
        elif unit.raw in _ORDINALS and end == at + 1:
            yield Token("N", unit.raw, _ORDINALS[unit.raw], "", start, stop)
        elif kind is not None:
            yield Token(_LETTERS[kind], text[start:stop], start=start, end=stop)
        elif unit.key not in _ENDS:
            yield Token("X", text[start:stop], start=start, end=stop)
        at = end


def _after(request: Request, end: int) -> int:
    """Return the index of the first unit at or after an offset."""
    return next((n for n, unit in enumerate(request.units) if unit.start >= end), len(request.units))


def _longest(request: Request, at: int) -> tuple[str | None, int]:
    """Return the kind and end of the longest errand phrase that starts at `at`."""
    keys = [unit.key for unit in request.units[at : at + MAX_PHRASE_UNITS]]
    for size in range(len(keys), 0, -1):
        for meaning in lexicon().meanings.get(tuple(keys[:size]), ()):
            if meaning.kind == "errand" and not _inside_a_word(request, at, at + size, meaning.value):
                return meaning.value, at + size
            if meaning.kind == "and" and request.raw(at, at + size) not in ("x", "n", "×"):
                return "and", at + size
    return None, at + 1


def _inside_a_word(request: Request, first: int, end: int, kind: str) -> bool:
    """Return whether a Japanese particle is part of a longer word: に in くに."""
    unit = request.units[first]
    return unit.is_japanese and kind in ("to", "object", "and") and unit.start not in request.starts


@dataclass(frozen=True)
class Errands:
    """Errands in the order of the request; each is one tool call."""

    errands: tuple[ToolCall, ...]
