"""All terms a request may hold, with what each can mean, for one catalogue.

The words of the grammar and the glossary are the same for every chat and are built once; a catalogue
adds its tables, columns, cell values, rooms and floors. Terms are keys in the sense of `words.key`.
"""

import re
from collections.abc import Iterable
from copy import copy
from functools import cache, lru_cache
from itertools import product

from backend.builtin import cues, glossary
from backend.builtin.catalogue import Catalogue, ColumnInfo, TableInfo
from backend.builtin.meanings import (
    BrokenFile,
    ColumnRef,
    Cue,
    FloorRef,
    IconRef,
    Meaning,
    RoomRef,
    RowNoun,
    Skip,
    TableRef,
    Unit,
    ValueRef,
)
from backend.builtin.value_index import LONGEST_NAME, ValueIndex
from backend.builtin.words import bracketed, fits_edge, inflections, is_japanese, key, name_words, stem

_ORDINALS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th")}
_NUMERIC = re.compile(r"[-+]?[\d.,:/ ]*")
_LONGEST_VALUE = 60

_COMPUTING = frozenset(
    ("agg", "op", "change", "per", "grain", "time", "cmp", "range", "top", "sort", "plot", "not")
)

Terms = dict[str, list[Meaning]]


class Lexicon:
    """Terms to meanings, the longest term's length, and the single words a typo may have meant."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.terms: Terms = {term: list(meanings) for term, meanings in _grammar().items()}
        for table in catalogue.tables:
            self._add_table(table)
        self._add_building()
        for file in catalogue.broken:
            bare = key(file.rpartition(".")[0])
            self._add({key(file)} if bare in self.terms else {key(file), bare}, BrokenFile(file))
        self.only_quoted = {
            term: values for term, meanings in self.terms.items() if (values := _only_quoted(meanings))
        }
        for term, values in self.only_quoted.items():
            self.terms[term] = [meaning for meaning in self.terms[term] if meaning not in values]
        self.stems: dict[str, str] = {}
        for term, meanings in self.terms.items():
            if (
                term.isascii()
                and term.isalpha()
                and any(isinstance(m, ColumnRef | ValueRef) for m in meanings)
            ):
                self.stems.setdefault(stem(term), term)
        self.longest = max(map(len, self.terms))
        self._indexes: list[tuple[str, ValueIndex]] | None = None
        self._has_indexes = any(table.index is not None for table in catalogue.tables)
        if self._has_indexes:
            self.longest = max(self.longest, LONGEST_NAME)
        self.guesses = sorted(
            term
            for term, meanings in self.terms.items()
            if len(term) >= 5
            and " " not in term
            and not any(isinstance(meaning, Skip) for meaning in meanings)
        )

    def for_run(self, catalogue: Catalogue) -> "Lexicon":
        """The same terms for an equal catalogue, which brings the values of its columns itself."""
        made = copy(self)
        made.catalogue = catalogue
        made._indexes = None
        made._has_indexes = any(table.index is not None for table in catalogue.tables)
        made.longest = max(self.longest, LONGEST_NAME) if made._has_indexes else self.longest
        return made

    def indexes(self) -> list[tuple[str, ValueIndex]]:
        """The values of columns of text, by table; loaded with the first request that asks."""
        if self._indexes is None:
            tables = self.catalogue.tables
            self._indexes = [(table.name, table.index()) for table in tables if table.index is not None]
        return self._indexes

    def meant(self, term: str) -> list[Meaning] | None:
        """What a term of the grammar, a name or a cell value means; a value of many only where nothing else is meant."""
        known = self.terms.get(term)
        if not self._has_indexes or (known and not all(map(_leaves_room, known))):
            return known
        values = self.values_called(term)
        if not values or (not known and self._is_said(term)):
            return known
        return [*(known or []), *(ref for ref in values if not _same(ref, known or []))]

    def values_called(self, term: str) -> list[ValueRef]:
        """The values of exactly this key in columns of many; those of few are among the terms."""
        short = len(term) <= 2 and not is_japanese(term)
        return [
            ValueRef(table, found.column, found.value, 3.0, short)
            for table, index in self.indexes()
            for found in index.exactly(term)
            if not self.catalogue.table(table).column(found.column).values
        ]

    def _is_said(self, term: str) -> bool:
        """Whether a value reads as words of the grammar and of the table, as `total sales` does: then these are meant."""
        at, computes = 0, False
        while at < len(term):
            ends = (end for end in range(len(term), at, -1) if fits_edge(term, at, end))
            end = next((end for end in ends if term[at:end] in self.terms), 0)
            if not end and term[at] != " ":
                return False
            said = self.terms[term[at:end]] if end else []
            computes |= any(isinstance(meaning, Cue) and meaning.kind in _COMPUTING for meaning in said)
            at = end or at + 1
        return computes

    def _add(self, terms: Iterable[str], meaning: Meaning) -> None:
        for term in terms:
            if term and meaning not in self.terms.setdefault(term, []):
                self.terms[term].append(meaning)

    def _add_table(self, table: TableInfo) -> None:
        stem = re.sub(r"\.\w{1,5}$", "", table.name)
        names = {key(table.name), key(stem), key(table.file), *_plurals(" ".join(name_words(stem)))}
        self._add(names, TableRef(table.name))
        words = name_words(stem)
        for name, nouns in glossary.ROW_NOUNS.items():
            if name in words:
                self._add(map(key, nouns), RowNoun(table.name))
        for name, others in glossary.TABLE_NAMES.items():
            if name in words:
                self._add(map(key, others), TableRef(table.name))
        if words:  # a table called orders holds orders
            self._add(row_synonyms(words[-1]), RowNoun(table.name))
        for column in table.columns:
            for term, strength in column_terms(column.name, column.is_id).items():
                self._add([term], ColumnRef(table.name, column.name, strength))
            self._add(_row_nouns(column, table.rows), RowNoun(table.name))
            for value in column.values:
                self._add_value(table, column, value)

    def _add_value(self, table: TableInfo, column: ColumnInfo, value: str) -> None:
        term = key(value)
        if column.kind == "date" or column.yes_no or not term or len(term) > _LONGEST_VALUE:
            return
        ordinal = column.kind == "number" and term in ("1", "2", "3") and "class" in concepts(column.name)
        if ordinal:
            term = _ORDINALS[int(term)][0]
        elif _NUMERIC.fullmatch(term):
            return
        short = len(term) <= 2 and not is_japanese(term)
        for form in _plurals(term):
            strength = (2.5 if ordinal else 3.0) - 0.1 * (form != term)
            self._add([form], ValueRef(table.name, column.name, value, strength, short))
        for ending in glossary.VALUE_ENDINGS:  # 東京 for 東京都
            if term.endswith(ending) and len(term) - len(ending) >= 2:
                bare = term.removesuffix(ending)
                self._add([bare], ValueRef(table.name, column.name, value, 2.6))
        for words in glossary.VALUES:
            if term in words and not (ordinal and column.kind == "text"):
                bonus = 3.5 - 0.1 * words.index(term) - ordinal
                said = [word for word in words if len(word) > 1 or is_japanese(word)]
                self._add(map(key, said), ValueRef(table.name, column.name, value, bonus))

    def _add_building(self) -> None:
        for floor, rooms in self.catalogue.rooms.items():
            for room in rooms:
                spaced = re.sub(r"(?<=[a-z])(?=\d)", " ", key(room))
                forms = {key(room), spaced}
                forms |= {key(word) for words in glossary.VALUES if key(room) in words for word in words}
                self._add(forms, RoomRef(floor, room))
            self._add(_floor_terms(floor, self.catalogue.floor_names.get(floor, "")), FloorRef(floor))
        for bitmap in self.catalogue.bitmaps:
            if not bitmap.startswith("arrow_"):
                named = cues.ICONS.get(bitmap, "").split(",")
                self._add({key(bitmap), *map(key, named)} - {""}, IconRef(bitmap))


def _only_quoted(meanings: list[Meaning]) -> list[Meaning]:
    """The cell values among what a word of computing means, `Total` beside `total`: they need quotes."""
    if not any(isinstance(meaning, Cue) and meaning.kind in ("agg", "per") for meaning in meanings):
        return []
    return [meaning for meaning in meanings if isinstance(meaning, ValueRef)]


def _leaves_room(meaning: Meaning) -> bool:
    """Whether a word may be a name beside this: another cell value, a colour, a direction."""
    return isinstance(meaning, ValueRef) or (isinstance(meaning, Cue) and meaning.kind in ("dir", "colour"))


def _same(ref: ValueRef, known: Iterable[Meaning]) -> bool:
    same = (one for one in known if isinstance(one, ValueRef) and one.table == ref.table)
    return any(one.column == ref.column and one.value == ref.value for one in same)


@cache
def _grammar() -> Terms:
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


def _plurals(phrase: str) -> list[str]:
    """A phrase with its last word in singular and plural, first as it is."""
    *rest, last = phrase.split(" ")
    return [" ".join([*rest, form]) for form in inflections(last)]


def _is_unit(word: str) -> bool:
    return unit_of(word) is not None


def unit_of(word: str) -> str | None:
    """The unit a word stands for, or None."""
    return next((unit for unit, words in glossary.UNITS.items() if word in words), None)


def core_words(name: str) -> list[str]:
    """A column name's words without trailing units; Latin units glued to Japanese are cut too."""
    words = name_words(name)
    if words and is_japanese(words[-1]):
        bare = re.sub(r"(?<=[^\x00-\x7f])[a-z%°]+$", "", words[-1])
        words[-1] = bare or words[-1]
    while len(words) > 1 and _is_unit(words[-1]):
        words.pop()
    if len(words) > 1 and words[0] in ("is", "has", "was"):
        words = words[1:]
    return [word.strip("?#") or word for word in words]


def units(name: str) -> set[str]:
    """The units a column name states, in brackets or as its last word."""
    words = name_words(name)
    said = [*bracketed(name), words[-1] if words else ""]
    tail = re.search(r"(?<=[^\x00-\x7f])[a-z%°]+$", said[-1])
    if tail:
        said.append(tail.group())
    return {unit for word in said if (unit := unit_of(word))}


@lru_cache(maxsize=4096)
def concepts(name: str) -> tuple[str, ...]:
    """The concepts a column name answers to, by their first word, best first."""
    core = " ".join(core_words(name))
    if not core:
        return ()
    spelled = _spelled_out(core.split(" "))
    last = core.split(" ")[-1]
    exact = [words[0] for words in glossary.COLUMNS if core in words]
    joined = core.replace(" ", "")
    exact += [words[0] for words in glossary.COLUMNS if joined in words or spelled & set(words)]
    ending = [words[0] for words in glossary.COLUMNS if last in words]
    inside = [
        words[0]
        for words in glossary.COLUMNS
        if is_japanese(core) and any(len(word) > 1 and is_japanese(word) and word in core for word in words)
    ]
    measured = [
        glossary.UNIT_CONCEPTS[unit] for unit in sorted(units(name)) if unit in glossary.UNIT_CONCEPTS
    ]
    some = [words[0] for words in glossary.COLUMNS if set(core.split(" ")) & set(words)]
    return tuple(dict.fromkeys([*exact, *ending, *inside, *measured, *some]))


@lru_cache(maxsize=4096)
def column_terms(name: str, is_id: bool = False) -> dict[str, float]:
    """Every term that may stand for a column called `name`, with its strength; an id answers to its whole name only."""
    strengths: dict[str, float] = {}

    def offer(term: str, strength: float) -> None:
        for form in _plurals(term):
            strengths[form] = max(strength, strengths.get(form, 0.0))

    core = core_words(name)
    plain = " ".join(core).strip(" ?#.")
    offer(key(name), 3.0)
    offer(" ".join(name_words(name)), 3.0)
    offer(plain, 2.9)
    if is_id:
        return strengths
    offer("".join(core), 2.9)
    for long in _spelled_out(core):
        offer(long, 2.8)
    offer("".join(name_words(name)), 2.9)
    for words in glossary.VALUES:  # is_cancelled: cancellation, キャンセル
        if plain in words:
            for word in words:
                offer(key(word), 2.3)
    for rank, concept in enumerate(concepts(name)):
        words = next(words for words in glossary.COLUMNS if words[0] == concept)
        place = next((words.index(form) for form in (" ".join(core), "".join(core)) if form in words), 10)
        for word in words:
            offer(key(word), 2.4 - 0.02 * place - 0.2 * (rank > 0))
    for word in parts_of(core):
        if not any(isinstance(meaning, Skip) for meaning in _grammar().get(word, [])):
            offer(word, 1.5 if plain.endswith(word) else 1.0)
    for unit in units(name):
        for word in glossary.UNITS[unit]:
            if len(word) > 3:
                offer(word, 1.2)
    return strengths


def _spelled_out(core: list[str]) -> set[str]:
    """A name with its abbreviations written out: `start stn` is start station."""
    longs = [glossary.ABBREVIATIONS.get(word.strip("."), (word,)) for word in core]
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
        if is_japanese(word):
            for ending in glossary.ENDINGS:
                if word.endswith(ending) and len(word) - len(ending) >= 2:
                    parts.add(word.removesuffix(ending))
            for beginning in ("最終", "総", "平均"):
                if word.startswith(beginning):
                    parts |= parts_of([word.removeprefix(beginning)])
            if pieces := re.findall(r"[ァ-ヶー]{3,}|[\u4e00-\u9fff]{2,}", word):
                parts |= set(pieces)
    return {part.strip("?.#") for part in parts if len(part.strip("?.#")) > (1 if is_japanese(part) else 2)}


def _row_nouns(column: ColumnInfo, rows: int) -> set[str]:
    """What the rows are called after their id or a measure: `Order ID` gives orders, `ride minutes` gives rides."""
    words = name_words(column.name)
    if column.is_id:
        if (
            column.values and len(column.values) < rows
        ):  # the same id in several rows: it numbers something else
            return set()
        noun = re.sub(r"(?:番号|コード|id|#)$", "", words[0]) if is_japanese(words[0]) else words[0]
        return row_synonyms(noun) if len(noun) > 1 and noun != words[-1] else set()
    if column.kind == "text" or len(words) < 2 or is_japanese(words[0]):
        return set()
    return {form for form in row_synonyms(words[0]) if form.endswith("s") or is_japanese(form)}


def row_synonyms(noun: str) -> set[str]:
    """A noun in singular and plural with its other words in both languages: order, orders, 注文."""
    same = [
        noun,
        *(word for words in glossary.NOUNS if set(inflections(noun)) & set(words) for word in words),
    ]
    return {key(form) for word in same for form in inflections(word)}


def _floor_terms(floor: str, name: str) -> set[str]:
    terms = {key(floor), key(name), f"floor {key(floor)}"}
    if match := re.fullmatch(r"(\d+)f", key(floor)):
        number = int(match.group(1))
        terms |= {f"{number}階", f"floor {number}", f"{number} floor", f"level {number}", f"{number}階フロア"}
        terms |= {f"{word} floor" for word in _ORDINALS.get(number, (f"{number}th",))}
        if number == 1:
            terms |= {"ground floor", "一階"}
        terms |= {f"{'一二三四五六七八九'[number - 1]}階"} if 1 <= number <= 9 else set()
    elif match := re.fullmatch(r"b(\d+)f?", key(floor)):
        number = int(match.group(1))
        terms |= {f"b{number}", f"b{number}f", f"地下{number}階", f"basement {number}"}
        terms |= {"basement", "地下", "地階", "地下室", "basement floor"} if number == 1 else set()
    return terms - {""}
