"""The terms of the grammar and of the glossary that are the same for every chat, built once."""

from functools import cache

from smoldesk.analyst.meanings import (
    Cue,
    Meaning,
    RowNoun,
    Skip,
    Unit,
)
from smoldesk.analyst.words import cues, glossary
from smoldesk.analyst.words.japanese import adjectives, auxiliaries, tying
from smoldesk.analyst.words.text import is_japanese, key

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
    for idiom, words in glossary.IDIOMS.items():
        add(",".join(words), Cue("idiom", idiom))
    for nouns, words in glossary.VERBS.items():
        add(",".join(words), Cue("verb", nouns))
    for unit, words in glossary.UNITS.items():
        for word in words:
            wanted = f"何{word}" if is_japanese(word) or word == "%" else f"in {word}"
            if wanted not in ("何日", "何日間", "in day", "in month", "in week"):
                add(wanted, Cue("unit", unit))
            if word.isascii() and word.isalpha():  # 何kg
                add(f"何{word}", Cue("unit", unit))
    for word, said in adjectives():
        known = terms.setdefault(key(word), [])
        known += [one for one in said if one not in known]
    add(",".join(glossary.ROW_NOUNS[""]), RowNoun())
    add(cues.SKIP, Skip())
    for word in tying():
        if not terms.get(key(word)):
            add(word, Cue("light"))
    for word in auxiliaries():
        if not terms.get(key(word)):
            add(word, Skip())
    terms[","] = [Cue("and")]
    return terms
