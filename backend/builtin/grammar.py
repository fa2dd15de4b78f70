"""The terms of the grammar and of the glossary that are the same for every chat, built once."""

from functools import cache

from backend.builtin import cues, glossary
from backend.builtin.meanings import (
    Cue,
    Meaning,
    RowNoun,
    Skip,
    Unit,
)
from backend.builtin.words import key

Terms = dict[str, list[Meaning]]


@cache
def grammar() -> Terms:
    """Every term of both, with what it can mean."""
    terms: Terms = {}

    def add(words: str, meaning: Meaning) -> None:
        for word in words.replace("、, ,", "、").replace("\n", " ").split(","):
            if term := key(word):
                terms.setdefault(term, []).append(meaning)

    for name, words in cues.CUES.items():
        kind, _, value = name.partition(":")
        add(words, Cue(kind, value))
    for colour, words in cues.COLOURS.items():
        add(words, Cue("colour", colour))
    for unit, words in glossary.UNITS.items():
        add(",".join(words), Unit(unit))
    for concept, words in glossary.ADJECTIVES.items():
        for word in words:
            add(word, Cue("low" if word in glossary.LOW_ADJECTIVES else "high", concept))
    for concept, words in glossary.OPPOSITES.items():
        add(",".join(words), Cue("opposite", concept))
    add(",".join(glossary.ROW_NOUNS[""]), RowNoun())
    add(cues.SKIP, Skip())
    terms[","] = [Cue("and")]
    return terms
