"""Lexicon: meanings of words in both languages, independent of the tables. Its data are cues.toml and glossary.toml."""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from smoldesk.analyst.units import key_of

FILES = Path(__file__).resolve().parent
Key = tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """Possible meaning of a phrase: its kind (agg, op, per, cmp, top, plot, ...), and its value within the kind."""

    kind: str
    value: str = ""


def phrases(line: str) -> list[str]:
    """Split an entry into its phrases, which are separated by commas."""
    return [phrase.strip() for phrase in " ".join(str(line).split()).split(",") if phrase.strip()]


def _keys(line: str) -> list[Key]:
    return [key_of(phrase) for phrase in phrases(line)]


class Lexicon:
    """Phrases by key, and concepts: groups of synonyms."""

    def __init__(self, cues: dict[str, Any], glossary: dict[str, Any]) -> None:
        self.meanings: dict[Key, list[Meaning]] = defaultdict(list)
        for name, line in cues["cues"].items():
            kind, _, value = name.partition(":")
            self.add(phrases(line), Meaning(kind, value))
        for key in _keys(cues["lists"]["breakdown"]):  # these ask for groups, not for one figure
            self.meanings[key] = [meaning for meaning in self.meanings[key] if meaning.kind != "agg"]
            self.meanings[key].append(Meaning("op", "breakdown"))
        for kind in ("colours", "icons"):
            for value, line in cues[kind].items():
                self.add(phrases(line), Meaning(kind.rstrip("s"), value))
        for rule, line in glossary["idioms"].items():
            self.add(phrases(line), Meaning("idiom", rule))
        self.colours = {value: phrases(line) for value, line in cues["colours"].items()}
        self.lists = {name: frozenset(phrases(line)) for name, line in cues["lists"].items()}
        # Words that need no mention: articles, auxiliaries, する.
        self.stop = {word for line in cues["stop"].values() for word in phrases(line)}
        self.skip = {key for line in cues["skip"].values() for key in _keys(line)}
        self.concepts = [_keys(line) for line in glossary["columns"]]
        self.concept_of: dict[Key, list[int]] = defaultdict(list)
        for number, group in enumerate(self.concepts):
            for word in group:
                self.concept_of[word].append(number)
        # Nouns for what some values are, by these values: country of Japan and France.
        self.classes = [(_keys(nouns), {*phrases(line)}) for nouns, line in glossary["classes"].items()]
        self.value_concepts = [_keys(line) for line in glossary["values"]]
        low = {*_keys(glossary["low_adjectives"])}
        lines = glossary["adjectives"].items()
        # Adjective -> (first words of its concepts, whether it means a low figure).
        self.adjectives: dict[Key, tuple[list[Key], bool]] = {}
        for concept, line in lines:
            for key in _keys(line):
                self.adjectives.setdefault(key, ([], key in low))[0].append(key_of(concept))
        self.units = {key: unit for unit, line in glossary["units"].items() for key in _keys(line)}
        # Words of headers by the question that suits their columns.
        self.suggested = {name: {*_keys(line)} for name, line in glossary["suggested"].items()}
        # What is counted, as headers have it: 人, 世帯.
        self.counters = {*phrases(glossary["counters"])}
        self._measures: dict[str, dict[str, float]] = glossary["unit_measures"]
        # For each measured quantity, the factors of its units.
        self.measures = list(self._measures.values())
        self.money = self._measures["money"]
        # Last words of headers that people leave out: name, id, 名, 番号.
        self.endings = _keys(glossary["endings"])
        self.value_endings = phrases(glossary["value_endings"])
        self.countable, self.averaged = {*_keys(glossary["countable"])}, {*_keys(glossary["averaged"])}
        self.additive = {*_keys(glossary["additive"])} | self.countable
        self.bad_high = {*_keys(glossary["worse_when_high"])}
        self.abbreviations = {short: phrases(line) for short, line in glossary["abbreviations"].items()}
        rows = glossary["row_nouns"]
        # Nouns for one row, by a word of the table's name.
        self.rows_of = {name: {*_keys(line)} for name, line in rows.items() if name}
        # Nouns for one row of any table.
        self.any_rows = {*_keys(rows[""])}
        self.row_nouns = {key for line in [*glossary["nouns"], *rows.values()] for key in _keys(line)}

    def add(self, terms: Iterable[str], meaning: Meaning) -> None:
        """Add a meaning to phrases."""
        for phrase in terms:
            key = key_of(phrase)
            if key and meaning not in self.meanings[key]:
                self.meanings[key].append(meaning)

    def measures_of(self, kind: str) -> Collection[str]:
        """Return the units of a quantity: time, length, money."""
        return self._measures[kind].keys()

    def synonyms(self, key: Key) -> set[Key]:
        """Return all synonyms of a key, including itself."""
        return {word for number in self.concept_of.get(key, ()) for word in self.concepts[number]}


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon, which is read once."""
    texts = ((FILES / f"{name}.toml").read_text("utf-8") for name in ("cues", "glossary"))
    return Lexicon(*map(tomllib.loads, texts))
