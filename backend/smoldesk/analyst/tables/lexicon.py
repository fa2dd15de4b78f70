"""All terms a request may hold, with what each can mean, for one catalogue.

The words of the grammar and the glossary are the same for every chat and are built once; a catalogue
adds its tables, columns, cell values, rooms and floors. Terms are keys in the sense of `words.key`.
"""

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import cached_property

from smoldesk.analyst.meanings import (
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
    Unknown,
    ValueRef,
)
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import column_terms, concepts, plurals
from smoldesk.analyst.tables.domains import (
    domain_deeds,
    domain_nouns,
    domain_pads,
    ranking_words,
    repeated_names,
    spoken_names,
)
from smoldesk.analyst.tables.durations import duration_terms, is_duration, with_durations
from smoldesk.analyst.tables.payers import payment_terms
from smoldesk.analyst.tables.repeated_numbers import repeated_numbers
from smoldesk.analyst.tables.row_families import family_nouns
from smoldesk.analyst.tables.row_names import (
    event_noun,
    kind_noun,
    row_nouns,
    row_synonyms,
)
from smoldesk.analyst.tables.value_index import LONGEST_NAME, ValueIndex, in_one
from smoldesk.analyst.tables.won_lost import ends_of_matches
from smoldesk.analyst.words import cues, glossary
from smoldesk.analyst.words.cells import (
    cells_meant,
    names_by_cells,
    put_together,
    said_of,
)
from smoldesk.analyst.words.grammar import Terms, grammar
from smoldesk.analyst.words.slips import plainest
from smoldesk.analyst.words.text import (
    fits_edge,
    inflections,
    is_japanese,
    key,
    level,
    name_words,
    stem,
    tidy,
)

_ORDINALS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th")}
_NUMERIC = re.compile(r"[-+]?[\d.,:/ ]*")
_NEW = ("first timers", "newcomers", "newbies")
_RETURNING = ("returning", "returners", "returnees", "repeaters", "returning ones")
_CLASS = re.compile(r"[a-z]+ ?\d{1,3}")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")  # はい stands in other words: 店舗はいくつ
_FORMAL = frozenset("年月日時分秒週人円個件回本台名数別毎各差率値中大小高低前後今全点位番度代以最何上下")
"""Single letters that stand in words of every request: a cell 日 of a column 曜日 is not what 売上が最も高い日 asks for."""
_WEEKDAYS = frozenset("月火水木金土日")
_FIGURES_OF_THEIR_OWN = ("客単価", "坪売上", "人時売上", "回転率", "来客単価", "粗利", "粗利益")
"""Where no column is called so: 客単価 is not the price 単価 of a customer 客."""
_LONGEST_VALUE = 60
_VERBS = ("verb", "light", "deed", "pad")
"""Cues of words that may be nouns as well: a book, an order."""


_SPANS = frozenset(
    ("day", "days", "week", "weeks", "month", "months", "year", "years", "日", "週", "月", "年")
)
_COMPUTING = frozenset(
    ("agg", "op", "change", "per", "grain", "time", "cmp", "range", "top", "sort", "plot", "not")
)


class Vocabulary:
    """What a lexicon and its copies for single runs have in common: all that is worked out from the terms is kept by it."""


class Lexicon:
    """Terms to meanings, the longest term's length, and the single words a typo may have meant."""

    def __init__(self, catalogue: Catalogue) -> None:
        catalogue = with_durations(catalogue)
        self.catalogue = catalogue
        self.vocabulary = Vocabulary()
        self.terms: Terms = {term: list(meanings) for term, meanings in grammar().items()}
        for table in catalogue.tables:
            self._add_table(table)
        self._add_building()
        for term in _FIGURES_OF_THEIR_OWN:
            self.terms.setdefault(term, [Unknown()])
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
                and any(isinstance(m, ColumnRef | ValueRef | RowNoun) for m in meanings)
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
            and not all(
                isinstance(meaning, Cue) and meaning.kind in ("light", "verb", "deed", "pad")
                for meaning in meanings
            )
        )
        self._guesses_of: dict[int, list[str]] = {}

    def guesses_of(self, length: int) -> list[str]:
        """The guesses whose length is within a third of this one: no word of another length is nearly one of it."""
        if length not in self._guesses_of:
            self._guesses_of[length] = [
                one for one in self.guesses if 3 * length < 4 * len(one) and 3 * len(one) < 4 * length
            ]
        return self._guesses_of[length]

    @cached_property
    def given(self) -> "Lexicon | None":
        """The same without the tables that code wrote; None when there are none of those."""
        kept = [table for table in self.catalogue.tables if not table.produced]
        if len(kept) == len(self.catalogue.tables):
            return None
        return Lexicon(replace(self.catalogue, tables=kept))

    def for_run(self, catalogue: Catalogue) -> "Lexicon":
        """The same terms for an equal catalogue, which brings the values of its columns itself."""
        made = copy(self)
        made.__dict__.pop("given", None)
        made.catalogue = catalogue = with_durations(catalogue)
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
        known = self.terms.get(term) or self.terms.get(plainest(term))
        if not self._has_indexes or (known and not all(map(_leaves_room, known))):
            return known
        values = self.values_called(term)
        if not values or (not known and self._is_said(term)):
            return known
        return [*(known or []), *(ref for ref in values if not _same(ref, known or []))]

    def values_called(self, term: str) -> list[ValueRef]:
        """The values of exactly this key in columns of many, or of one that says it in the other language.

        Those of columns of few are among the terms.
        """
        short = len(term) <= 2 and not is_japanese(term)
        called = [
            ValueRef(table, found.column, found.value, 3.0, short)
            for table, index in self.indexes()
            for found in index.exactly(term)
            if not self.catalogue.table(table).column(found.column).values
        ]
        if called or not (cells := cells_meant(term)):
            return called
        return [
            ValueRef(table, found.column, found.value, 2.9)
            for table, index in self.indexes()
            for cell in cells
            for found in index.exactly(cell)
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
            said = meaning
            if isinstance(meaning, ValueRef) and term in _FORMAL:
                said = replace(meaning, needs_column=True)
            if term and said not in self.terms.setdefault(term, []):
                self.terms[term].append(said)

    def _add_table(self, table: TableInfo) -> None:
        stem = re.sub(r"\.\w{1,5}$", "", table.name)
        names = {key(table.name), key(stem), key(table.file), *plurals(" ".join(name_words(stem)))}
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
        self._add(family_nouns(table), RowNoun(table.name, weak=True))
        for column in table.columns:
            if is_duration(column):
                self._add(map(key, duration_terms(column)), ColumnRef(table.name, column.name, 2.2))
                continue
            terms = payment_terms(column, table, column_terms(column.name, column.is_id, column.kind))
            for term, strength in terms.items():
                if term and term == event_noun(column):
                    self._add([term], RowNoun(table.name))  # 出張 of 出張先
                    continue
                if column.kind == "date" and term in _SPANS:
                    continue  # a column Month is what rows are cut by the month by
                self._add([term], ColumnRef(table.name, column.name, strength))
                if (
                    column.yes_no and term.isascii() and term.isalpha() and strength >= 2
                ):  # uninsured: insured is no
                    self._add(
                        [f"{prefix}{term}" for prefix in ("un", "non", "non ")],
                        ValueRef(table.name, column.name, column.yes_no[1], 2.9),
                    )
                if column.yes_no and is_japanese(term) and strength >= 2:  # 非会員: 会員 is no
                    self._add([f"非{term}"], ValueRef(table.name, column.name, column.yes_no[1], 2.9))
            if column.yes_no and name_words(column.name)[:1] == ["first"]:
                for words, answer in zip((_NEW, _RETURNING), column.yes_no, strict=True):
                    self._add(words, ValueRef(table.name, column.name, answer, 3.05))
            self._add(map(key, repeated_numbers(column, table)), ColumnRef(table.name, column.name, 2.6))
            self._add(row_nouns(column, table.rows), RowNoun(table.name))
            if noun := kind_noun(column):
                self._add([noun], ColumnRef(table.name, column.name, 2.2))
                self._add([noun], RowNoun(table.name, weak=True, kinds=True))
            for value in column.values:
                self._add_value(table, column, value)
            self._add_translated(table, column)
            for word, ref in ends_of_matches(table.name, column):
                self._add([word], ref)
        self._add_domain(table)

    def _add_domain(self, table: TableInfo) -> None:
        """What the rows are called and what is done with them after what the table is about, where no column says it."""

        def own(term: str) -> bool:
            return any(
                getattr(one, "table", None) == table.name and getattr(one, "strength", 3.0) >= 1.5
                for one in self.terms.get(term, ())
            )

        for term, ref in spoken_names(table):
            self._add([term], ref)
        flags = {word for column in table.columns if column.yes_no for word in name_words(column.name)}
        named = repeated_names(table)
        for noun in domain_nouns(table):
            if is_japanese(noun) and own(noun) and self._is_loose(noun, table):
                self._add([noun], RowNoun(table.name, weak=True, kinds=True))
            if (
                own(noun)
                or noun in flags
                or any(isinstance(one, Cue) and one.kind not in _VERBS for one in self.terms.get(noun, ()))
            ):
                continue
            self._add([noun], named.get(noun) or RowNoun(table.name))
        for deed in domain_deeds(table):
            known = grammar().get(deed, ())
            if not own(deed) and all(isinstance(one, Cue) and one.kind in ("verb", "light") for one in known):
                self._add([deed], Cue("deed", table.name))
        for pad in domain_pads(table):
            if not own(pad) and not grammar().get(pad):
                self._add([pad], Cue("pad", table.name))
        for word, cues_ in ranking_words(table).items():
            if not any(
                isinstance(one, ColumnRef | ValueRef) and own(word) for one in self.terms.get(word, ())
            ):
                ranked = any(isinstance(one, Cue) and one.kind == "top" for one in self.terms.get(word, ()))
                for cue in cues_[1:] if ranked else cues_:
                    self._add([word], cue)

    def _is_loose(self, noun: str, table: TableInfo) -> bool:
        """Whether a noun of rows is but another word for columns of text, none of which is called so."""
        known = self.terms.get(noun, ())
        refs = [one for one in known if isinstance(one, ColumnRef) and one.table == table.name]
        texts = all(table.column(one.column).kind == "text" and one.strength < 2.5 for one in refs)
        return bool(refs) and texts and all(isinstance(one, ColumnRef) for one in known)

    def _add_value(self, table: TableInfo, column: ColumnInfo, value: str) -> None:
        term = key(value)
        if column.kind == "date" or not term or len(term) > _LONGEST_VALUE:
            return
        if column.yes_no:
            if not _NUMERIC.fullmatch(term) and not _HIRAGANA.fullmatch(term):
                self._add([term], ValueRef(table.name, column.name, value, 3.0, needs_column=True))
            return
        ordinal = column.kind == "number" and term in ("1", "2", "3") and "class" in concepts(column.name)
        if ordinal:
            term = _ORDINALS[int(term)][0]
        elif _NUMERIC.fullmatch(term):
            return
        if term in _WEEKDAYS and _WEEKDAYS.issuperset(map(key, column.values)):
            called = ValueRef(table.name, column.name, value, 3.0)
            self._add([f"{term}曜", f"{term}曜日"], called)
            self._add([term], replace(called, needs_column=True))
            return
        if "'s" in value:  # mother's day, mothers day
            said = {level(tidy(value)), key(value.replace("'", ""))}
            self._add(said, ValueRef(table.name, column.name, value, 3.0))
        short = len(term) <= 2 and not is_japanese(term)
        counted = [f"{term}s"] if _CLASS.fullmatch(term) else []  # U12s
        for form in (*plurals(term), *counted):
            strength = (2.5 if ordinal else 3.0) - 0.1 * (form != term)
            self._add([form], ValueRef(table.name, column.name, value, strength, short))
        if (plain := plainest(term)) != term:
            self._add(plurals(plain), ValueRef(table.name, column.name, value, 2.95, short))
        if (joined := in_one(term)) != term:
            self._add([joined], ValueRef(table.name, column.name, value, 2.9))
        for ending in glossary.VALUE_ENDINGS:  # 東京 for 東京都
            if term.endswith(ending) and len(term) - len(ending) >= 2:
                bare = term.removesuffix(ending)
                self._add([bare], ValueRef(table.name, column.name, value, 2.6))
        for words in glossary.VALUES:
            if term in words and not (ordinal and column.kind == "text"):
                bonus = 3.5 - 0.1 * words.index(term) - ordinal
                said = [word for word in words if len(word) > 1 or is_japanese(word)]
                self._add(map(key, said), ValueRef(table.name, column.name, value, bonus))
                more = {
                    form for word in said if word.isascii() and len(word) > 3 for form in inflections(word)
                }
                self._add(more - set(said), ValueRef(table.name, column.name, value, bonus - 0.1))

    def _add_translated(self, table: TableInfo, column: ColumnInfo) -> None:
        """What the cells of a column are called in the other language; a word that is itself one of them stays with it."""
        if column.kind not in ("text", "number") or column.yes_no:
            return
        if column.kind == "text":
            self._add(names_by_cells(column.values), ColumnRef(table.name, column.name, 2.6))
        own = {form for value in column.values for form in plurals(key(value))}
        for value in column.values:
            if len(term := key(value)) > _LONGEST_VALUE or _NUMERIC.fullmatch(term):  # DNF among numbers
                continue
            for word, strength in said_of(term).items():
                if word not in own:
                    self._add([word], ValueRef(table.name, column.name, value, strength))
            for word in put_together(term):
                if word not in own:
                    self._add([word], ValueRef(table.name, column.name, value, 2.9))

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
