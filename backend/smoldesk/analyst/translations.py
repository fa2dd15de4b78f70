"""Words of one language that mean a name in the other: 得票 of a table with Votes, `votes` of one with 得票数."""

from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from weakref import WeakKeyDictionary

from smoldesk.analyst.dictionary import english_of
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import BRACKETS, Key, TableSchema, Term, indexed_values
from smoldesk.analyst.units import is_japanese, japanese_tokens, key_of, normalized, roots

# Strength of a name that a translation has completely.
_TRANSLATED = 0.8
# Strength that each later meaning of a word loses.
_LATER = 0.02
# Words of a request that are looked up as one, and names that a word may mean.
_MAX_WORDS = 4
_MAX_TERMS = 4
# Names of a table that are translated.
_MAX_COLUMNS = 300
_MAX_VALUES = 100


def translated(
    request: Request, schema: TableSchema, covered: AbstractSet[int]
) -> Iterator[tuple[int, int, Term]]:
    """Yield spans of uncovered words, the longest first, and what their translations mean in a table."""
    words = [word for word in _words(request) if covered.isdisjoint(range(word[0], word[1]))]
    first = 0
    while first < len(words):
        size, terms = _longest(words[first : first + _MAX_WORDS], request, schema)
        yield from ((words[first][0], words[first + size - 1][1], term) for term in terms)
        first += size


def _longest(
    words: list[tuple[int, int, str]], request: Request, schema: TableSchema
) -> tuple[int, list[Term]]:
    """Return the size of the longest run of adjacent words that means something, and what it means."""
    run = next((n for n in range(1, len(words)) if words[n - 1][1] != words[n][0]), len(words))
    for size in range(run, 0, -1):
        text = words[0][2] if size == 1 else request.raw(words[0][0], words[size - 1][1])
        if terms := _terms_of(text, schema):
            return size, terms
    return 1, []


def _words(request: Request) -> list[tuple[int, int, str]]:
    """Return the content words with their first unit, the unit after them and their base form."""
    at = {unit.start: number for number, unit in enumerate(request.units)}
    japanese = (
        (at[start], request.until(end), base if part in ("動詞", "形容詞") else request.text[start:end])
        for start, end, part, base in japanese_tokens(request.text)
        if start in at and at[start] not in request.free
    )
    english = (
        (n, n + 1, unit.key) for n, unit in enumerate(request.units) if unit.is_word and n not in request.free
    )
    return sorted((*japanese, *english))


def _terms_of(text: str, schema: TableSchema) -> list[Term]:
    """Return the terms that a word's translations mean, if they are few."""
    if not is_japanese(text):
        terms = _translations(schema).get(key_of(text), [])
    else:
        terms = [
            replace(term, strength=strength * term.strength - _LATER * number)
            for number, meaning in enumerate(english_of(text))
            for strength, term in _meant(key_of(meaning), schema)
            if not (number and term.kind == "place")  # 椅子 is an office only in the sense of a position
        ]
    best: dict[Term, Term] = {}
    for term in terms:
        name = replace(term, strength=0.0)
        if name not in best or best[name].strength < term.strength:
            best[name] = term
    return list(best.values()) if len(best) <= _MAX_TERMS else []


def _meant(key: Key, schema: TableSchema) -> Iterator[tuple[float, Term]]:
    """Yield the terms of an English meaning: by all its words, by the last one, by its root."""
    yield from ((_TRANSLATED, term) for term in _named(key, schema))
    if len(key) > 1:
        # A bakery shop is no shop like others.
        yield from ((0.85 * _TRANSLATED, term) for term in _named(key[-1:], schema) if term.kind != "place")
    elif key:
        yield from ((_TRANSLATED, term) for root in roots(key[0]) for term in schema.by_root.get(root, ()))


def _named(key: Key, schema: TableSchema) -> list[Term]:
    """Return the terms of a name, but no cell that has the name as a part: 飛行 is not `Executive Jet Aviation`."""
    return [term for term in schema.terms.get(key, ()) if term.kind != "value" or term.strength >= 0.97]


_TRANSLATIONS: WeakKeyDictionary[TableSchema, dict[Key, list[Term]]] = WeakKeyDictionary()


def _translations(schema: TableSchema) -> dict[Key, list[Term]]:
    """Return the terms of a table's Japanese names by their English meanings."""
    if schema not in _TRANSLATIONS:
        terms: dict[Key, list[Term]] = defaultdict(list)
        for column in schema.columns[:_MAX_COLUMNS]:
            _add(terms, column.name, Term("column", _TRANSLATED, column))
            for value in (column.info.values or indexed_values(schema.info, column.name))[:_MAX_VALUES]:
                _add(terms, value, Term("value", _TRANSLATED, column, value))
        _TRANSLATIONS[schema] = terms
    return _TRANSLATIONS[schema]


def _add(terms: dict[Key, list[Term]], name: str, term: Term) -> None:
    """Add the English meanings of a name, or of its last word."""
    if not is_japanese(name):
        return
    plain = normalized(BRACKETS.sub("", name))
    words = [plain[start:end] for start, end, _, _ in japanese_tokens(plain)]
    for text in ((plain, 1.0), *(("".join(words[at:]), 0.85) for at in range(1, len(words)))):
        for number, meaning in enumerate(english_of(text[0])):
            terms[key_of(meaning)].append(replace(term, strength=text[1] * term.strength - _LATER * number))
