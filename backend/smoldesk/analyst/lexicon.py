"""The one lexicon: what words of both languages mean, whatever the tables are. Its data are cues.toml and glossary.toml."""

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
    """What a phrase may mean: its kind (agg, op, per, cmp, top, plot, ...), and which of the kind."""

    kind: str
    value: str = ""


def phrases(line: str) -> list[str]:
    """The phrases of an entry, which are separated by commas."""
    return [phrase.strip() for phrase in " ".join(str(line).split()).split(",") if phrase.strip()]


def _keys(line: str) -> list[Key]:
    return [key_of(phrase) for phrase in phrases(line)]


class Lexicon:
    """Phrases by their keys, and concepts: groups of words that stand for one another."""

    def __init__(self, cues: dict[str, Any], glossary: dict[str, Any]) -> None:
        self.meanings: dict[Key, list[Meaning]] = defaultdict(list)
        for name, line in cues["cues"].items():
            kind, _, value = name.partition(":")
            self.add(phrases(line), Meaning(kind, value))
        for key in _keys(cues["lists"]["breakdown"]):  # groups, not one figure
            self.meanings[key] = [meaning for meaning in self.meanings[key] if meaning.kind != "agg"]
            self.meanings[key].append(Meaning("op", "breakdown"))
        for kind in ("colours", "icons"):
            for value, line in cues[kind].items():
                self.add(phrases(line), Meaning(kind.rstrip("s"), value))
        for rule, line in glossary["idioms"].items():
            self.add(phrases(line), Meaning("idiom", rule))
        self.colours = {value: phrases(line) for value, line in cues["colours"].items()}
        self.lists = {name: frozenset(phrases(line)) for name, line in cues["lists"].items()}
        self.stop = {word for line in cues["stop"].values() for word in phrases(line)}
        """Words that may stand uncovered: articles, auxiliaries, する."""
        self.skip = {key for line in cues["skip"].values() for key in _keys(line)}
        self.concepts = [_keys(line) for line in glossary["columns"]]
        self.concept_of: dict[Key, list[int]] = defaultdict(list)
        for number, group in enumerate(self.concepts):
            for word in group:
                self.concept_of[word].append(number)
        self.value_concepts = [_keys(line) for line in glossary["values"]]
        low = {*_keys(glossary["low_adjectives"])}
        lines = glossary["adjectives"].items()
        self.adjectives = {key: (key_of(of), key in low) for of, line in lines for key in _keys(line)}
        """Adjective -> (concept's first word, whether a low figure is meant)."""
        self.units = {key: unit for unit, line in glossary["units"].items() for key in _keys(line)}
        self._measures: dict[str, dict[str, float]] = glossary["unit_measures"]
        self.measures = list(self._measures.values())
        """What units measure: factors by unit."""
        self.endings = _keys(glossary["endings"])
        """What a header may end in without being called so: name, id, 名, 番号."""
        self.value_endings = phrases(glossary["value_endings"])
        self.additive, self.averaged = {*_keys(glossary["additive"])}, {*_keys(glossary["averaged"])}
        self.bad_high = {*_keys(glossary["worse_when_high"])}
        self.abbreviations = {short: phrases(line) for short, line in glossary["abbreviations"].items()}
        rows = glossary["row_nouns"]
        self.rows_of = {name: {*_keys(line)} for name, line in rows.items() if name}
        """What one row is called, by a word of the table's name."""
        self.any_rows = {*_keys(rows[""])}
        """What a row of any table may be called."""
        self.row_nouns = {key for line in [*glossary["nouns"], *rows.values()] for key in _keys(line)}

    def add(self, terms: Iterable[str], meaning: Meaning) -> None:
        """Give phrases a meaning."""
        for phrase in terms:
            key = key_of(phrase)
            if key and meaning not in self.meanings[key]:
                self.meanings[key].append(meaning)

    def measures_of(self, kind: str) -> Collection[str]:
        """The units that measure one thing: time, length, money."""
        return self._measures[kind].keys()

    def synonyms(self, key: Key) -> set[Key]:
        """All words that stand for this one."""
        return {word for number in self.concept_of.get(key, ()) for word in self.concepts[number]}


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read once."""
    texts = ((FILES / f"{name}.toml").read_text("utf-8") for name in ("cues", "glossary"))
    return Lexicon(*map(tomllib.loads, texts))
