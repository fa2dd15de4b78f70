"""Japanese words in whole classes, beside those of cues.toml and glossary.toml; verbs and adjectives in their forms.

The words are in japanese.toml. Each section of it adds to the section of the same name; what is inflected here stands
there once, in its plain form.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from smoldesk.analyst.meanings import Cue
from smoldesk.analyst.words.japanese_verbs import positive_forms

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a list with commas, in order, each once."""
    parts = (word.strip() for word in text.replace("\n", " ").split(","))
    return tuple(dict.fromkeys(word for word in parts if word))


def added(section: str) -> dict[str, tuple[str, ...]]:
    """The words that a section adds, by their key in the section of that name."""
    return {name: words_of(text) for name, text in _DATA[section].items()}


COUNTERS = tuple(sorted(words_of(_DATA["counters"]["words"]), key=len, reverse=True))
"""What follows the number of things counted, longest first."""
COUNTED: dict[str, str] = {
    counter: concept for concept, words in _DATA["counters"]["counted"].items() for counter in words_of(words)
}
"""The concept of the column that holds numbers of what is counted so: 枚 counts quantities, 票 votes."""
KINDS: dict[str, str] = {
    counter: concept for concept, words in _DATA["counters"]["kinds"].items() for counter in words_of(words)
}
"""The concept of the column whose different values are counted so: か国 counts countries, 店舗 stores."""
PEOPLE = frozenset(words_of(_DATA["rows"]["words"]))
"""Words for whoever stands in a row, whatever the table."""
SKIPPED = words_of(_DATA["skip"]["words"])


def adjectives() -> Iterator[tuple[str, tuple[Cue, ...]]]:
    """Adjectives as ranks and comparisons: 一番広い, 最も広く, 広い順に, より広い, each with what it says."""
    concepts: dict[str, str] = _DATA["adjectives"]["concepts"]
    for direction, order, sign in (("high", "desc", ">"), ("low", "asc", "<")):
        for plain in words_of(_DATA["adjectives"][direction]):
            measured = (Cue(direction, concepts[plain]),) if plain in concepts else ()
            ranked = (Cue("top", order), *measured)
            adverb = f"{plain.removesuffix('い')}く" if plain.endswith("い") else f"{plain}に"
            for most in ("一番", "最も", "いちばん", "もっとも", "1番"):
                yield f"{most}{plain}", ranked
                yield f"{most}{adverb}", ranked
                yield f"{most}{_past(plain)}", ranked
            for order_word in (
                "順",
                "順に",
                "順で",
                "順番に",
                "方から",
                "ほうから",
                "方から順に",
                "もの順",
                "もの順に",
            ):
                yield f"{plain}{order_word}", ranked
            yield f"より{plain}", (Cue("cmp", sign), *measured)
            yield f"よりも{plain}", (Cue("cmp", sign), *measured)
            if measured:
                yield plain, measured


def _past(plain: str) -> str:
    """長かった for 長い, 静かだった for 静か."""
    return f"{plain.removesuffix('い')}かった" if plain.endswith("い") else f"{plain}だった"


def auxiliaries() -> Iterator[str]:
    """Verbs of no meaning of their own, in their positive forms: になりました, してみた."""
    for verb in words_of(_DATA["auxiliaries"]["verbs"]):
        yield from positive_forms(verb)


def tying() -> Iterator[str]:
    """Words that tie a condition to its rows: 使った, 使って, 使っている, 使っていた and the nouns of such verbs."""
    for past in words_of(_DATA["tying"]["verbs"]):
        gerund = past[:-1] + ("で" if past.endswith("だ") else "て")
        yield past
        for ending in ("", "いる", "いた", "います", "いました", "いて"):
            yield gerund + ending
        yield past + "人"
    for verb in words_of(_DATA["tying"]["plain"]):
        yield from positive_forms(verb)
    yield from words_of(_DATA["tying"]["nouns"])
