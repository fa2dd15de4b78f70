"""Request as units, with the boundaries of its Japanese words, its optional units, and the meanings of its phrases."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from smoldesk.analyst.lexicon import Meaning, lexicon
from smoldesk.analyst.units import Unit, japanese_tokens, key_of, normalized, units_of

# Words for what no plan knows: when, who, sell.
BEYOND_PLAN = Meaning("beyond", "plan")
# Polite forms of nouns: お母さん, お客様.
_POLITE = re.compile(r"お(.+?)(?:さん|さま|様|ちゃん)?$")
_FREE = ("助詞", "助動詞", "記号", "フィラー", "感動詞", "連体詞", "接続詞")


@dataclass(frozen=True)
class Request:
    """Request as units; `starts` and `ends` are the boundaries of its Japanese words."""

    text: str
    units: tuple[Unit, ...]
    # Units without meaning of their own, which need no mention.
    free: frozenset[int]
    starts: frozenset[int]
    ends: frozenset[int]
    # Inflected Japanese words by the unit after them: first unit, and key of the base form.
    bases: Mapping[int, tuple[int, tuple[str, ...]]]

    def raw(self, first: int, end: int) -> str:
        return self.text[self.units[first].start : self.units[end - 1].end]

    def inside(self, start: int, end: int) -> list[int]:
        """Return the indexes of the units that start in a span of the text."""
        return [n for n, unit in enumerate(self.units) if start <= unit.start < end]

    def until(self, offset: int) -> int:
        """Return the index of the first unit at or behind a position of the text."""
        return next((n for n, unit in enumerate(self.units) if unit.start >= offset), len(self.units))

    @cached_property
    def words(self) -> list[tuple[int, int, str]]:
        """English content words and Japanese nouns, with their first unit and the unit after them."""
        words = [(n, n + 1, unit.raw) for n, unit in enumerate(self.units) if unit.is_word]
        at = {unit.start: number for number, unit in enumerate(self.units)}
        nouns = (token for token in japanese_tokens(self.text) if token[2] == "名詞" and token[0] in at)
        return [
            *(word for word in words if word[0] not in self.free),
            *((at[noun[0]], self.until(noun[1]), _base(self.text, *noun)) for noun in nouns),
        ]


def request_of(text: str) -> Request:
    """Split a text into a request."""
    plain = normalized(text)
    units, tokens = units_of(plain), japanese_tokens(plain)
    word_at = {at: (plain[start:end], part) for start, end, part, _ in tokens for at in range(start, end)}
    free = frozenset(
        n for n in range(len(units)) if _is_free(units, n, word_at) and not _is_acronym(plain, units[n])
    )
    at = {unit.start: number for number, unit in enumerate(units)}
    unit_after = {unit.end: number + 1 for number, unit in enumerate(units)}
    bases = {
        unit_after[end]: (at[start], key_of(base))
        for start, end, base in ((*token[:2], _base(plain, *token)) for token in tokens)
        if base != plain[start:end] and start in at and end in unit_after
    }
    starts, ends = frozenset(word[0] for word in tokens), frozenset(word[1] for word in tokens)
    return Request(plain, units, free, starts, ends, bases)


def _base(text: str, start: int, end: int, part: str, base: str) -> str:
    """Return the base form of a Japanese word: 重い of 重かった, 母 of お母さん, 低い of 低カロリー."""
    word = text[start:end]
    if part == "接頭詞":
        return f"{word}い"
    if part == "名詞":
        return _POLITE.sub(r"\1", word) if word[:1] == "お" else word
    return base if part in ("動詞", "形容詞") else word


def _is_acronym(text: str, unit: Unit) -> bool:
    """Check whether a word stands in capitals among others that do not: US in "how much did US spending grow"."""
    word = text[unit.start : unit.end]
    return len(word) > 1 and word.isascii() and word.isupper() and any(char.islower() for char in text)


def _is_free(units: tuple[Unit, ...], number: int, word_at: dict[int, tuple[str, str]]) -> bool:
    lex, unit = lexicon(), units[number]
    if unit.is_word:
        following = units[number + 1 : number + 2]
        # The D of Dライン is part of a name.
        letter = len(unit.raw) == 1 and bool(following) and following[0].is_japanese
        return not letter and (unit.key in lex.stop or unit.raw in lex.stop or (unit.key,) in lex.skip)
    if not unit.is_japanese:
        return not unit.is_number
    word, part = word_at.get(unit.start, ("", ""))
    if any(meaning.kind == "per" for meaning in lex.meanings.get(key_of(word), ())):
        return False  # ごと asks for groups
    return part in _FREE or (word != "" and all("ぁ" <= char <= "ん" for char in word)) or word in lex.stop


_VERBS = ("動詞", "形容詞", "副詞")


def is_verb(request: Request, first: int, end: int) -> bool:
    """Return whether a span begins with a verb or an adverb, by its part of speech or its form."""
    unit = request.units[first]
    if unit.is_japanese:
        tokens, stop = japanese_tokens(request.text), request.units[end - 1].end
        return any(part in _VERBS for start, _, part, _ in tokens if unit.start <= start < stop)
    before = request.units[first - 1].raw if first else ""
    return unit.raw.endswith(("ed", "ing", "ly")) or before in lexicon().lists["before_verbs"]


def runs(indexes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of each run of adjacent indexes."""
    for _, run in groupby(enumerate(indexes), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1] + 1


def cut_penalty(request: Request, first: int, end: int) -> float:
    """Return the penalty of a mention that starts or ends inside a Japanese word."""
    units = request.units
    loss = 0.3 * (units[first].is_japanese and units[first].start not in request.starts)
    loss += 0.3 * (units[end - 1].is_japanese and units[end - 1].end not in request.ends)
    return loss if end - first < 4 else loss / 2


def phrases_in(request: Request, longest: int = 5) -> Iterator[tuple[int, int, Meaning]]:
    """Yield the possible meanings of all phrases of a request, with their spans."""
    keys = [unit.key for unit in request.units]
    for first in range(len(keys)):
        for end in range(first + 1, min(first + longest, len(keys)) + 1):
            for meaning in lexicon().meanings.get(tuple(keys[first:end]), ()):
                yield first, end, meaning


def has_phrase(request: Request, *kinds: str) -> bool:
    """Return whether a phrase of the request can have one of these kinds."""
    return any(meaning.kind in kinds for _, _, meaning in phrases_in(request, 6))


def beyond_tables(request: Request) -> str:
    """Return a word that asks for reasons, the future or opinions, which tables do not contain; empty without one."""
    for first, end, meaning in phrases_in(request):
        if meaning == Meaning("beyond") and not cut_penalty(request, first, end):
            return request.raw(first, end)
    return ""
