"""The one lexicon: what words of both languages mean, whatever the tables are. Data in TOML beside the old rooms for now."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.units import key_of

FILES = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Meaning:
    """What a phrase may mean: its kind (agg, op, per, cmp, top, plot, ...), and which of the kind."""

    kind: str
    value: str = ""


def phrases(line: str) -> list[str]:
    """The phrases of an entry, which are separated by commas."""
    return [one.strip() for one in " ".join(str(line).split()).split(",") if one.strip()]


@dataclass
class Lexicon:
    """Phrases by their keys, and concepts: groups of words that stand for one another."""

    meanings: dict[tuple[str, ...], list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    concepts: list[list[tuple[str, ...]]] = field(default_factory=list[list[tuple[str, ...]]])
    concept_of: dict[tuple[str, ...], list[int]] = field(default_factory=lambda: defaultdict(list))
    value_concepts: list[list[tuple[str, ...]]] = field(default_factory=list[list[tuple[str, ...]]])
    adjectives: dict[tuple[str, ...], tuple[tuple[str, ...], bool]] = field(
        default_factory=dict[tuple[str, ...], tuple[tuple[str, ...], bool]]
    )
    """Adjective -> (concept's first word, whether a low figure is meant)."""
    units: dict[tuple[str, ...], str] = field(default_factory=dict[tuple[str, ...], str])
    additive: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    rows_of: dict[str, set[tuple[str, ...]]] = field(default_factory=dict[str, set[tuple[str, ...]]])
    """What one row is called, by a word of the table's name."""
    row_nouns: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    skip: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    stop: set[str] = field(default_factory=set[str])
    """Words that may stand uncovered: articles, auxiliaries, する."""
    abbreviations: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    averaged: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    colours: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Words by `#RRGGBB`."""
    measures: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    """What units measure: factors by unit."""
    endings: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """What a header may end in without being called so: name, id, 名, 番号."""
    value_endings: list[str] = field(default_factory=list[str])
    lists: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    bad_high: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])

    def add(self, words: Iterable[str], meaning: Meaning) -> None:
        """Give phrases a meaning."""
        for phrase in words:
            key = key_of(phrase)
            if key and meaning not in self.meanings[key]:
                self.meanings[key].append(meaning)

    def concept_words(self, key: tuple[str, ...]) -> set[tuple[str, ...]]:
        """All words that stand for this one."""
        return {word for number in self.concept_of.get(key, ()) for word in self.concepts[number]}


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read once."""
    cues = tomllib.loads((FILES / "cues.toml").read_text(encoding="utf-8"))
    glossary = tomllib.loads((FILES / "glossary.toml").read_text(encoding="utf-8"))
    lex = Lexicon()
    for name, line in cues["cues"].items():
        kind, _, value = name.partition(":")
        lex.add(phrases(line), Meaning(kind, value))
    for phrase in ("内訳", "breakdown", "break down", "tally"):  # groups, not one figure
        key = key_of(phrase)
        lex.meanings[key] = [one for one in lex.meanings[key] if one.kind != "agg"]
        lex.add([phrase], Meaning("op", "breakdown"))
    lex.add(["済み", "済", "有", "有り", "可"], Meaning("with"))
    lex.add(["ワースト"], Meaning("top", "worst"))
    for kind in ("colours", "icons"):
        for value, line in cues[kind].items():
            lex.add(phrases(line), Meaning(kind.rstrip("s"), value))
    lex.colours = {value: phrases(line) for value, line in cues["colours"].items()}
    lex.lists = {name: frozenset(phrases(line)) for name, line in cues["lists"].items()}
    lex.stop = {word for line in cues["stop"].values() for word in phrases(line)}
    for line in cues["skip"].values():
        for phrase in phrases(line):
            lex.skip.add(key_of(phrase))
    for line in glossary["columns"]:
        group = [key_of(word) for word in phrases(line)]
        for word in group:
            lex.concept_of[word].append(len(lex.concepts))
        lex.concepts.append(group)
    lex.value_concepts = [[key_of(word) for word in phrases(line)] for line in glossary["values"]]
    low = {key_of(word) for word in phrases(glossary["low_adjectives"])}
    for concept, line in glossary["adjectives"].items():
        for phrase in phrases(line):
            lex.adjectives[key_of(phrase)] = (key_of(concept), key_of(phrase) in low)
    for unit, line in glossary["units"].items():
        for phrase in phrases(line):
            lex.units[key_of(phrase)] = unit
    lex.measures = list(glossary["unit_measures"].values())
    lex.endings = [key_of(word) for word in phrases(glossary["endings"])]
    lex.value_endings = phrases(glossary["value_endings"])
    lex.additive = {key_of(word) for word in phrases(glossary["additive"])}
    lex.bad_high = {key_of(word) for word in phrases(glossary["worse_when_high"])}
    lex.averaged = {key_of(word) for word in phrases(glossary["averaged"])}
    for rule, line in [
        *glossary["idioms"].items(),
        ("* < 0", "negative, マイナスの, 負の"),
        ("* > 0", "positive, プラスの"),
    ]:
        lex.add(phrases(line), Meaning("idiom", rule))
    for short, line in glossary["abbreviations"].items():
        lex.abbreviations[short] = phrases(line)
    lex.rows_of = {
        name: {key_of(word) for word in phrases(line)} for name, line in glossary["row_nouns"].items() if name
    }
    for line in [*glossary["nouns"], *glossary["row_nouns"].values()]:
        lex.row_nouns |= {key_of(word) for word in phrases(line)}
    return lex
