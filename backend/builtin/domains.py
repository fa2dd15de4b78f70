"""What a table is about, guessed from its columns: so that its rows have the names people give them (domains.toml).

`how many films were released` asks for the rows of a table with a director and a runtime, though no header says film.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from backend.builtin.catalogue import ColumnInfo, TableInfo
from backend.builtin.column_names import concepts
from backend.builtin.glossary import Words, words_of
from backend.builtin.meanings import ColumnRef
from backend.builtin.words import inflections, is_japanese, key, name_words


@dataclass(frozen=True)
class Domain:
    """The clues of one field of life, what its records are called, what is done with them, and what names one of them."""

    name: str
    sure: frozenset[str]
    clues: frozenset[str]
    rows: Words
    deeds: Words
    label: str


@cache
def all_domains() -> tuple[Domain, ...]:
    """All domains, in the order of the file."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        Domain(
            name,
            _forms(one["sure"]),
            _forms(one["clues"]),
            words_of(one["rows"]),
            words_of(one["deeds"]),
            one.get("label", ""),
        )
        for name, one in data.items()
    )


def _forms(text: str) -> frozenset[str]:
    return frozenset(form for word in words_of(text) for form in inflections(key(word)))


def domains_of(table: TableInfo) -> list[Domain]:
    """The domains that a table is most surely about; none when too little speaks for any."""
    said = [_said(column) for column in table.columns]
    scores = {domain: _score(domain, said) for domain in all_domains()}
    best = max(scores.values(), default=0)
    return [domain for domain, score in scores.items() if score and score == best]


def _score(domain: Domain, said: list[tuple[frozenset[str], frozenset[str]]]) -> int:
    """Two for each column with a sure clue, one for each other column with a clue; nought where that proves nothing."""
    surely = [_holds(named, domain.sure) for named, _ in said]
    sure = sum(surely)
    likely = sum(
        _holds(named | held, domain.clues | domain.sure)
        for (named, held), certain in zip(said, surely, strict=True)
        if not certain
    )
    return 2 * sure + likely if sure or likely >= 3 else 0


def _holds(words: frozenset[str], clues: frozenset[str]) -> bool:
    if words & clues:
        return True
    japanese = [word for word in words if is_japanese(word)]
    return any(len(clue) > 1 and is_japanese(clue) and clue in word for word in japanese for clue in clues)


def _said(column: ColumnInfo) -> tuple[frozenset[str], frozenset[str]]:
    """The words and pairs of words of a column's name, and apart from them its cell values where those are few."""
    words = name_words(column.name)
    pairs = {" ".join(words[at : at + 2]) for at in range(len(words) - 1)}
    values = {key(value) for value in column.values} if column.kind == "text" else set[str]()
    return frozenset({*words, *pairs, "".join(words)}), frozenset(values)


def domain_nouns(table: TableInfo) -> set[str]:
    """What the rows of a table may be called after what it is about."""
    return {key(form) for domain in domains_of(table) for noun in domain.rows for form in inflections(noun)}


def domain_deeds(table: TableInfo) -> set[str]:
    """The verbs that say no more than that its rows are there."""
    return {key(deed) for domain in domains_of(table) for deed in domain.deeds}


def repeated_names(table: TableInfo) -> dict[str, ColumnRef]:
    """The nouns that are a column where what they name comes in several rows: films in a table of their screenings."""
    found: dict[str, ColumnRef] = {}
    for domain in domains_of(table):
        for column in table.columns:
            if (
                domain.label in concepts(column.name)[:1]
                and column.kind == "text"
                and 0 < len(column.values) < table.rows
            ):
                for noun in domain.rows:
                    for form in inflections(noun):
                        found.setdefault(key(form), ColumnRef(table.name, column.name, 1.8))
    return found
