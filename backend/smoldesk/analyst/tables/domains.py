"""What a table is about, guessed from its columns: so that its rows have the names people give them (domain_data.py).

`how many films were released` asks for the rows of a table with a director and a runtime, though no header says film.
"""

from collections.abc import Iterator
from functools import lru_cache

from smoldesk.analyst.meanings import ColumnRef, Cue
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import (
    concepts,
    core_words,
    grades,
    plurals,
    unit_of,
)
from smoldesk.analyst.tables.domain_data import Domain, all_domains
from smoldesk.analyst.words.glossary import Words
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
)

_NEARLY = 0.5
"""The part of the best score that another domain must be above to hold, too."""
_TABLES = 256
"""Tables whose domains are kept."""
_Said = tuple[frozenset[str], frozenset[str]]


def domains_of(table: TableInfo) -> list[Domain]:
    """The domains that a table may be about, most surely first; none when too little speaks for any."""
    return list(_held(tuple(_said(column) for column in table.columns)))


@lru_cache(maxsize=_TABLES)
def _held(said: tuple[_Said, ...]) -> tuple[Domain, ...]:
    scores = {domain: score for domain in all_domains() if (score := _score(domain, said))}
    best = max(scores.values(), default=0)
    held = [domain for domain, score in scores.items() if score > best * _NEARLY]
    return tuple(sorted(held, key=lambda domain: -scores[domain]))


def _score(domain: Domain, said: tuple[_Said, ...]) -> int:
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


def _said(column: ColumnInfo) -> _Said:
    """The words and pairs of words of a column's name, and apart from them its cell values where those are few."""
    words = [word.strip("?#.") or word for word in name_words(column.name)]
    pairs = {" ".join(words[at : at + 2]) for at in range(len(words) - 1)}
    values = {key(value) for value in column.values} if column.kind == "text" else set[str]()
    return frozenset({*words, *pairs, "".join(words)}), frozenset(values)


def domain_nouns(table: TableInfo) -> set[str]:
    """What the rows of a table may be called after what it is about."""
    return {key(form) for domain in domains_of(table) for noun in domain.rows for form in inflections(noun)}


def domain_deeds(table: TableInfo) -> set[str]:
    """The verbs that say no more than that its rows are there."""
    return {key(deed) for domain in domains_of(table) for deed in domain.deeds}


def domain_pads(table: TableInfo) -> set[str]:
    """The words that say nothing more right beside the name of a column: the water of a water temperature."""
    return {key(pad) for domain in domains_of(table) for pad in domain.pads}


def spoken_names(table: TableInfo) -> Iterator[tuple[str, ColumnRef]]:
    """What columns are called in speech where a table is about such things: the strength says how surely."""
    nouns = domain_nouns(table)
    for domain in domains_of(table):
        for column in table.columns:
            if column.is_id:
                continue
            for first, grade in grades(column.name, domain.names).items():
                words = next(words for words in domain.names if words[0] == first)
                if grade >= _NAMED and column.kind in _kinds(words):
                    place = min(
                        (words.index(one) for one in _spellings(column.name) if one in words), default=10
                    )
                    ref = ColumnRef(table.name, column.name, 1.2 + 1.1 * grade - 0.02 * place)
                    said = {form for word in words for form in plurals(key(word))}
                    yield from ((form, ref) for form in sorted(said - (nouns - set(name_words(column.name)))))


def _spellings(name: str) -> tuple[str, str]:
    return " ".join(core_words(name)), " ".join(name_words(name))


_NAMED = 0.7
"""How surely a column must answer to a list; a word in the middle of its name does not do."""


_FIGURES = frozenset(("price", "cost", "amount", "fee", "quantity", "weight", "distance", "duration", "age", "score", "rating",
                      "salary", "attendance", "views", "料金", "金額", "数量", "重さ", "距離", "時間", "点数"))  # fmt: skip


@lru_cache(maxsize=4096)
def _kinds(words: Words) -> tuple[str, ...]:
    """The kinds of columns that a list can be the names of: one with a unit or a figure in it is of numbers."""
    if any(unit_of(word) or word in _FIGURES or word.startswith("how ") for word in words):
        return ("number",)
    if any(word.endswith((" date", "日", "日時")) or word == "date" for word in words):
        return ("date", "text")
    return ("number", "text", "date", "bool")


def ranking_words(table: TableInfo) -> dict[str, tuple[Cue, Cue]]:
    """Words that rank the rows (won, heaviest), with the end they look at and the column they look along."""
    found: dict[str, tuple[Cue, Cue]] = {}
    for domain in domains_of(table):
        for rank in domain.ranks:
            if column := _called(rank.column, domain, table):
                order = "asc" if rank.lowest else "desc"
                cues = Cue("top", order), Cue("rank", f"{table.name}\n{column.name}\n{order}")
                for word in rank.words:
                    found.setdefault(key(word), cues)
    return found


def _called(name: str, domain: Domain, table: TableInfo) -> ColumnInfo | None:
    """The column of numbers that a domain calls so, by its list of names or by its own; the surest one."""
    graded = [
        (grades(column.name, (*domain.names, (name,))).get(name, 0.0), -place, column)
        for place, column in enumerate(table.columns)
        if column.kind == "number" and not column.is_id
    ]
    best = max(graded, key=lambda one: one[:2], default=None)
    return best[2] if best and best[0] >= _NAMED else None


def repeated_names(table: TableInfo) -> dict[str, ColumnRef]:
    """The nouns that are a column where what they name comes in several rows: films in a table of their screenings.

    Boats, too, in a table of trips with a column Boat Name.
    """
    found: dict[str, ColumnRef] = {}
    again = [one for one in table.columns if one.kind == "text" and 0 < len(one.values) < table.rows]
    for domain in domains_of(table):
        for column in again:
            labelled = domain.label in concepts(column.name)[:1]
            for noun in domain.rows:
                if labelled or _is_name_of(noun, column):
                    for form in inflections(noun):
                        found.setdefault(key(form), ColumnRef(table.name, column.name, 1.8))
    return found


def _is_name_of(noun: str, column: ColumnInfo) -> bool:
    words = name_words(column.name)
    return len(words) == 2 and words[1] in ("name", "title") and words[0] in inflections(noun)
