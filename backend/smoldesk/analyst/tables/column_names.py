"""What a column may be called: its name without units, its parts, its abbreviations, and its words in the glossary."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from smoldesk.analyst.meanings import Cue, Skip
from smoldesk.analyst.tables.dated_names import dated_names
from smoldesk.analyst.tables.english_compounds import prefixed
from smoldesk.analyst.tables.english_headers import japanese_names, reference_names
from smoldesk.analyst.tables.english_names import english_names, english_references, takes_time
from smoldesk.analyst.tables.header_words import short_words
from smoldesk.analyst.tables.misspelt_headers import as_meant
from smoldesk.analyst.tables.money_names import money_names
from smoldesk.analyst.tables.sized_names import sized_names
from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.cells import cells_called
from smoldesk.analyst.words.grammar import grammar
from smoldesk.analyst.words.slips import plainest
from smoldesk.analyst.words.text import (
    bracketed,
    inflections,
    is_japanese,
    key,
    name_words,
)

_NAMES = 4096
"""Names of columns whose words are kept: tables come and go, a server stays."""


_FIGURE_WORDS = frozenset(("avg", "average", "mean", "max", "min", "maximum", "minimum", "total", "median"))
"""What is no name without the word behind it: the heart rate of `avg hr` is no average of hours."""
_SCALE = re.compile(r"/\d+")
"""What a mark is out of: rating /5."""


def plurals(phrase: str) -> list[str]:
    """A phrase with its last word in singular and plural, first as it is."""
    *rest, last = phrase.split(" ")
    forms = [f"{last}s"] if rest and last == "in" else []  # check-ins
    return [" ".join([*rest, form]) for form in [*inflections(last), *forms]]


def _is_unit(word: str) -> bool:
    return unit_of(word) is not None


def unit_of(word: str) -> str | None:
    """The unit a word stands for, or None."""
    return _UNIT_OF.get(word)


_UNIT_OF = {word: unit for unit, words in reversed(glossary.UNITS.items()) for word in words}
"""Each word of a unit; the first unit in the glossary has it where several do."""


def _tells_unit(words: list[str]) -> bool:
    """Whether the last word of a name is a unit, or what a mark is out of; the hour of `miles per hour` is neither."""
    return bool(_SCALE.fullmatch(words[-1])) or (_is_unit(words[-1]) and words[-2] != "per")


def core_words(name: str) -> list[str]:
    """A column name's words as they were meant, without trailing units; Latin units glued to Japanese are cut too."""
    return _without_units([as_meant(word) for word in name_words(name)])


def _without_units(words: list[str]) -> list[str]:
    if words and is_japanese(words[-1]):
        bare = re.sub(r"(?<=[^\x00-\x7f])[a-z%°]+$", "", words[-1])
        words[-1] = bare or words[-1]
    while len(words) > 1 and not set(words[:-1]) <= _FIGURE_WORDS and _tells_unit(words):
        words.pop()
    if len(words) > 1 and words[0] in ("is", "has", "was"):
        words = words[1:]
    return [word.strip("?#") or word for word in words]


def units(name: str) -> set[str]:
    """The units a column name states, in brackets or as its last word."""
    return set(_units(name))


@lru_cache(maxsize=4096)
def _units(name: str) -> frozenset[str]:
    words = name_words(name)
    said = [*bracketed(name), words[-1] if words else ""]
    tail = re.search(r"(?<=[^\x00-\x7f])[a-z%°]+$", said[-1])
    if tail:
        said.append(tail.group())
    return frozenset(unit for word in said if (unit := unit_of(word)))


def grades(name: str, lists: Sequence[glossary.Words]) -> dict[str, float]:
    """The lists of words that a column name answers to, by their first word, each with how surely it does (0 to 1)."""
    core = " ".join(core_words(name))
    if not core:
        return {}
    spelled = _spelled_out(core.split(" "))
    parts = core.split(" ")
    joined = core.replace(" ", "")
    whole = " ".join(name_words(name))  # visits last month: no unit is left out
    sure: dict[str, float] = {}

    def offer(words: glossary.Words, grade: float) -> None:
        sure[words[0]] = max(grade, sure.get(words[0], 0.0))

    for words in lists:
        if core in words or joined in words or whole in words:
            offer(words, 1.0)
        elif set(_whole_names(core)) & set(words):
            offer(words, 0.95)
        elif parts[-1] in words:
            offer(words, 0.8)
        elif spelled & set(words):
            offer(words, 0.75)
        elif is_japanese(core) and any(
            len(word) > 1 and is_japanese(word) and core.endswith(word) for word in words
        ):
            offer(words, 0.7)
        elif is_japanese(core) and any(
            len(word) > 1 and is_japanese(word) and word in core for word in words
        ):
            offer(words, 0.5)
        elif set(parts) & set(words):
            offer(words, 0.3)
    return sure


@lru_cache(maxsize=_NAMES)
def graded_concepts(name: str) -> dict[str, float]:
    """The concepts a column name answers to, by their first word, best first, each with how surely it does (0 to 1)."""
    sure = grades(name, glossary.COLUMNS)
    if takes_time(name_words(name)):
        sure["duration"] = max(0.75, sure.get("duration", 0.0))
    for unit in sorted(units(name)):
        if unit in glossary.UNIT_CONCEPTS:
            sure.setdefault(glossary.UNIT_CONCEPTS[unit], 0.4)
    return dict(sorted(sure.items(), key=lambda one: -one[1]))


@lru_cache(maxsize=_NAMES)
def concepts(name: str) -> tuple[str, ...]:
    """The concepts a column name answers to, by their first word, best first."""
    return tuple(graded_concepts(name))


def _longs(word: str) -> tuple[str, ...]:
    """What a word of a header may stand for: itself, or what it is short for."""
    bare = word.strip(".")
    if bare in glossary.ABBREVIATIONS:
        return glossary.ABBREVIATIONS[bare]
    return (short_words()[bare], word) if bare in short_words() else (word,)


def _percentages(words: list[str]) -> list[str]:
    """`bonus percentage` and `percent bonus` of `bonusPct`, `Bonus %`: what is a part already, not to be made one."""
    if len(words) < 2 or (words[-1] not in ("pct", "perc") and unit_of(words[-1]) != "percent"):
        return []
    wholes = _whole_names(" ".join(words[:-1]))
    said = ("percentage", "percent", "pct", "per cent")
    return [name for whole in sorted(wholes) for one in said for name in (f"{whole} {one}", f"{one} {whole}")]


def _whole_names(core: str) -> set[str]:
    """A whole name with its abbreviations written out."""
    longs = [_longs(word) for word in core.split(" ")]
    whole = {" ".join(choice) for choice in product(*longs)}
    averaged = {re.sub(r"^(?:avg|average|mean) ", "", one) for one in whole}  # avgSessionDuration
    return whole | averaged


_GRAMMAR = frozenset(("cmp", "per", "and", "or", "not", "without", "with", "which", "top", "sort", "vs"))


_PLAIN = frozenset(("last", "next", "this", "previous", "prev", "current", "latest", "new", "old", "per"))
"""What says nothing by itself of the column in whose name it stands: last of `Visits last month`."""


def _is_grammar(term: str) -> bool:
    """True for a word that a part of a name must not take from the grammar: `avg` of `avg fare`."""
    if term in _PLAIN:
        return True
    known = grammar().get(term, [])
    return any(
        isinstance(one, Skip)
        or (isinstance(one, Cue) and (one.kind in _GRAMMAR or one == Cue("agg", "mean")))
        for one in known
    )


def suits(concept: str, kind: str) -> bool:
    """False where a measure would stand for a category, or a text for a measure: a floor area is no district."""
    if kind == "number":
        return concept not in glossary.CATEGORIES
    if kind in ("text", "date"):
        return concept not in glossary.MEASURES
    return True


@lru_cache(maxsize=_NAMES)
def column_terms(name: str, is_id: bool = False, kind: str = "") -> dict[str, float]:
    """Every term that may stand for a column called `name`, with its strength; an id answers to its whole name only."""
    strengths: dict[str, float] = {}

    def offer(term: str, strength: float) -> None:
        for form in dict.fromkeys((*plurals(term), plainest(term))):
            strengths[form] = max(strength, strengths.get(form, 0.0))

    core = core_words(name)
    plain = " ".join(core).strip(" ?#.")
    offer(key(name), 3.0)
    offer(" ".join(name_words(name)), 3.0)
    offer(plain, 2.9)
    offer(" ".join(_without_units(name_words(name))), 2.9)
    if len(core) > 1 and core[-1] in ("flag", "yn"):  # damage_flag
        offer(" ".join(core[:-1]), 2.6)
        for term, strength in _in_japanese(core[:-1], core[:-1]):
            offer(term, strength)
    if is_id:
        for term in (*reference_names(core), *english_references(name_words(name))):
            offer(key(term), 2.6)
        return strengths
    offer("".join(core), 2.9)
    for long in _whole_names(" ".join(core)):
        offer(long, 2.8)
    for long in _percentages(name_words(name)):
        offer(long, 2.8)
    for part in _spelled_out(core) - _whole_names(" ".join(core)):
        if not _is_grammar(part):
            offer(part, 1.6 if any(whole.endswith(part) for whole in _whole_names(" ".join(core))) else 1.1)
    offer("".join(name_words(name)), 2.9)
    for other in _said_otherwise(core):
        offer(other, 2.2)
    if "/" in plain:
        offer(plain.replace("/", " per "), 2.9)
    for words in (*(one for one in glossary.VALUES if plain in one), *cells_called(plain)):
        for word in words:  # is_cancelled: cancellation, キャンセル
            offer(key(word), 2.3)
    for concept, grade in graded_concepts(name).items():
        if not suits(concept, kind):
            continue
        words = next(words for words in glossary.COLUMNS if words[0] == concept)
        place = next((words.index(form) for form in (" ".join(core), "".join(core)) if form in words), 10)
        for word in words:
            offer(key(word), 1.2 + 1.2 * grade - 0.02 * place)
    for term, strength in _japanese_compounds(name_words(name)):
        offer(term, strength)
    for said in bracketed(name):  # Visits (last month)
        for term, strength in _japanese_compounds([*name_words(name), *said.split()]):
            offer(term, strength)
    for noun in _EVENTS.get(plain, ()):
        offer(noun, 2.2)
    for term, strength in (*_in_japanese(core, name_words(name)), *money_names(plain)):
        offer(term, strength)
    for term, strength in english_names(name_words(name)):
        offer(term, strength)
    for term, strength in sized_names(core, units(name)) if kind == "number" else ():
        offer(term, strength)
    for term, strength in dated_names(core) if kind == "date" else ():
        offer(term, strength)
    for word in parts_of(core):
        if not _is_grammar(word):
            offer(word, 1.5 if plain.endswith(word) else 1.0)
    for unit in units(name):
        for word in _MONEY_WORDS if unit in ("yen", "ten thousand yen", "dollar", "euro") else ():
            offer(word, 1.2)
        for word in glossary.UNITS[unit]:
            if len(word) > 2:
                offer(word, 1.2)
    return strengths


def _in_japanese(core: list[str], words: list[str]) -> Iterator[tuple[str, float]]:
    """Japanese names of a header without its unit and with it: 遅延 and 遅延日数 of `delay_days`."""
    for said in (core,) if words == core else (core, words):
        yield from ((key(name), strength) for name, strength in japanese_names(said))  # CPU負荷


_SUMS = ("total", "amount")
_VERBS = {
    "ends": "end",
    "starts": "start",
    "begins": "begin",
    "expires": "expire",
    "opens": "open",
    "closes": "close",
}


def _said_otherwise(core: list[str]) -> list[str]:
    """`amount paid` for Total paid, `leases end` for Lease ends."""
    if len(core) != 2 or not all(word.isascii() for word in core):
        return []
    first, last = core
    if (first in _SUMS) != (last in _SUMS):
        other = last if first in _SUMS else first
        return [form for word in _SUMS for form in (f"{word} {other}", f"{other} {word}")]
    return [f"{form} {_VERBS[last]}" for form in inflections(first)[1:]] if last in _VERBS else []


_EVENTS = {
    "visits": ("来館", "来館回数", "来店", "来店回数", "来院回数", "訪問回数", "利用回数", "来訪回数"),
    "orders": ("注文", "注文数", "注文回数"), "purchases": ("購入回数", "購入数"), "logins": ("ログイン回数",),
    "calls": ("通話回数", "電話回数"), "sessions": ("利用回数",),
}  # fmt: skip


def _japanese_compounds(core: list[str]) -> Iterator[tuple[str, float]]:
    """月会費 of `monthly fee`, 先月の来館 of `visits last month`."""
    for prefixes, rest in prefixed(core):
        name = " ".join(rest)
        for words in glossary.COLUMNS:
            if name in words or rest[-1] in words:
                said = [word for word in words if is_japanese(word)]
                yield from ((prefix + word, 2.4) for prefix in prefixes for word in said)
        for noun in _EVENTS.get(rest[-1], ()):
            yield from ((prefix + noun, 2.4) for prefix in prefixes)


_MONEY_WORDS = ("お金", "金額")


def _spelled_out(core: list[str]) -> set[str]:
    """A name with its abbreviations written out: `start stn` is start station."""
    longs = [_longs(word) for word in core]
    whole = {" ".join(choice) for choice in product(*longs)}
    return whole | {
        " ".join(choice[start:end])
        for choice in product(*longs)
        for start in range(len(choice))
        for end in range(start + 1, len(choice) + 1)
        if choice[start:end] != tuple(core[start:end])
    }


def parts_of(core: list[str]) -> set[str]:
    """Parts of a name that may stand for it: runs of its words, and a Japanese word without its ending."""
    parts = {
        " ".join(core[start:end]) for start in range(len(core)) for end in range(start + 1, len(core) + 1)
    }
    for word in core:
        if "/" in word:
            parts |= set(word.split("/"))  # visits/month
        if is_japanese(word):
            for ending in glossary.ENDINGS:
                if word.endswith(ending) and len(word) - len(ending) >= 2:
                    parts.add(word.removesuffix(ending))
            for beginning in ("最終", "総", "平均"):
                if word.startswith(beginning):
                    parts |= parts_of([word.removeprefix(beginning)])
            if pieces := re.findall(r"[ァ-ヶー]{2,}|[\u4e00-\u9fff]{2,}", word):
                parts |= set(pieces) | {half for piece in pieces for half in _halves(piece)} | _runs(word)
    long = {part.strip("?.#") for part in parts if len(part.strip("?.#")) > (1 if is_japanese(part) else 2)}
    return long | {word[-1] for word in core if len(word) > 1 and word[-1] in glossary.HEADS}


def _runs(word: str) -> set[str]:
    """ベスト更新 of 自己ベスト更新: words of kanji and of katakana that stand together, but not all of them."""
    pieces = re.findall(r"[ァ-ヶー]{2,}|[\u4e00-\u9fff]{2,}|[^ァ-ヶー\u4e00-\u9fff]+", word)
    return {
        "".join(pieces[start:end])
        for start in range(len(pieces))
        for end in range(start + 2, len(pieces) + 1)
        if end - start < len(pieces)
    }


def _halves(piece: str) -> tuple[str, ...]:
    """返却 and 方法 of 返却方法: four kanji are two words of two."""
    return (piece[:2], piece[2:]) if len(piece) == 4 and not re.search(r"[ァ-ヶー]", piece) else ()
