"""Lattice of a request's possible mentions for one table, and the best sequences of mentions (interpretations)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz, process

from smoldesk.analyst.lexicon import Meaning, lexicon
from smoldesk.analyst.names import split_names
from smoldesk.analyst.requests import Request, cut_penalty, phrases_in
from smoldesk.analyst.schema import Column, TableSchema, Term
from smoldesk.analyst.times import dates_in
from smoldesk.analyst.translations import translated
from smoldesk.analyst.units import is_dictionary_word, japanese_suffixes, key_of, lemma, normalized, roots

# Maximum units of a phrase that is looked up.
MAX_PHRASE_UNITS = 12
# Partial interpretations kept at each unit.
BEAM = 24
# Concepts of adjectives of size; these also rank groups by their number of rows.
SIZES = (("amount",), ("size",), ("number",), ("count",), ("quantity",), ("total",), ("sales",))
# Columns that words for money refer to; the first one in the table is used.
WORTHS = ("sales", "amount", "total", "revenue", "price", "fee", "cost")
SCALES = {"千": 1e3, "万": 1e4, "億": 1e8, "k": 1e3, "thousand": 1e3, "million": 1e6, "m": 1e6}
# Maximum columns that a word may relate to; with more it does not distinguish them.
MAX_RELATED = 4
# Minimum strength of a mention; below it, its words count as unknown.
MIN_STRENGTH = 0.42
_HIGH, _LOW = ("max", "high", "最高", "最大"), ("min", "low", "最低", "最小")
_MOST = ("一番", "いちばん", "最も", "もっとも")
_DENIALS = ("未", "非", "不", "無")
_PADS = ("light", "pad", "follow", "back", "adds", "greet")
# A score, the mentions that gave it, and the units left uncovered.
_Path = tuple[float, tuple["Mention", ...], tuple[int, ...]]


@dataclass(frozen=True)
class Mention:
    """Meaning of the units from `first` up to `end`; `strength` is the certainty of the match."""

    first: int
    end: int
    kind: str
    value: object = ""
    column: Column | None = field(default=None)
    strength: float = 1.0

    @property
    def is_guess(self) -> bool:
        """True for a column that an unexplained word is tried as."""
        return str(self.value).endswith("guess")

    def is_a(self, kind: str, *values: str) -> bool:
        return self.kind == kind and (not values or self.value in values)


@dataclass(frozen=True)
class Interpretation:
    """Sequence of mentions that do not overlap, and the content that none of them covers."""

    mentions: tuple[Mention, ...]
    score: float
    uncovered: tuple[str, ...]
    # Indexes of `uncovered` among the units of the request.
    uncovered_units: tuple[int, ...] = ()


# Last lattice of each schema: one request is read several times. Weak keys let the schema cache drop a schema.
_LAST: WeakKeyDictionary[TableSchema, tuple[Request, list[Mention]]] = WeakKeyDictionary()


def lattice(request: Request, schema: TableSchema, more: Iterable[Mention] = ()) -> list[Mention]:
    """Return all possible mentions of the units, and the mentions in `more`."""
    last = _LAST.get(schema)
    if last is None or last[0] is not request:
        last = _LAST[schema] = (request, _lattice(request, schema))
    return [*more, *last[1]]


def _lattice(request: Request, schema: TableSchema) -> list[Mention]:
    units, counts = request.units, [unit.counts for unit in request.units]
    mentions: list[Mention] = []
    for first in range(len(units)):
        key: tuple[str, ...] = ()
        for end in range(first + 1, min(first + MAX_PHRASE_UNITS, len(units)) + 1 if counts[first] else 0):
            if counts[end - 1]:
                key = (*key, units[end - 1].key)
                mentions += _Phrase(request, schema, first, end, key).mentions()
                base_start, base = request.bases.get(end, (-1, ()))
                if base_start >= first:  # 重かった as 重い
                    as_base = (*key[: len(key) - (end - base_start)], *base)
                    mentions += _Phrase(request, schema, first, end, as_base).mentions()
    mentions += quoted_names(request, schema)
    mentions += units_and_scales(request, schema)
    dates = dates_in(request.text, units)
    mentions += (Mention(*span, "date", when, None, sure) for span, when, sure in dates)
    headers = (column.name.casefold() for column in schema.columns)
    yearly = schema.dates or any("year" in header or "年" in header for header in headers)
    for number, unit in enumerate(units):
        if unit.is_number:
            year = yearly and len(unit.key) == 4 and unit.key[:2] in ("19", "20")
            sure = 0.6 if year else 0.9
            mentions.append(Mention(number, number + 1, "number", float(unit.key), None, sure))
    mentions += _denied(request, schema)
    for column, spans in split_names(request, schema):
        mentions += (Mention(*span, "pad", "header", column, 0.95) for span in spans[:-1])
        mentions.append(Mention(*spans[-1], "column", "", column, 0.88))
    suffixes = japanese_suffixes(request.text)
    for mention in [mention for mention in mentions if mention.kind == "value" and mention.end < len(units)]:
        start = units[mention.end].start
        meanings = lexicon().meanings.get(key_of(request.text[start : suffixes.get(start, start)]), ())
        if start in suffixes and not any(meaning.kind == "per" for meaning in meanings):  # the 2年 of 2年生
            end = request.until(suffixes[start])
            mentions.append(replace(mention, end=end, strength=max(0.85, mention.strength - 0.03)))
    mentions += list(_near(request, schema, mentions))
    covered = request.free | _covered(mentions)
    if schema.room_column:  # the colour of a drawing is no word of the table: 赤 is not its Brightness
        drawn = (span for *span, meaning in phrases_in(request) if meaning.kind == "colour")
        covered |= {n for first, end in drawn for n in range(first, end)}
    mentions += (
        Mention(first, end, term.kind, term.value, term.column, term.strength)
        for first, end, term in translated(request, schema, covered)
    )
    # "Over time" compares nothing, also beside a column called time.
    trends = {
        mention.first for mention in mentions if mention.kind == "time" and mention.end - mention.first > 1
    }
    return [
        mention
        for mention in mentions
        if mention.strength >= MIN_STRENGTH and not (mention.kind == "cmp" and mention.first in trends)
    ]


@dataclass
class _Phrase:
    """Span of a request, and the key that it is looked up by."""

    request: Request
    schema: TableSchema
    first: int
    end: int
    key: tuple[str, ...]
    cut: float = 0.0

    def mentions(self) -> Iterator[Mention]:
        """Yield all meanings of the span."""
        lex, key = lexicon(), self.key
        meanings, terms = lex.meanings.get(key, ()), self.schema.terms.get(key, ())
        if not (meanings or terms or key in lex.adjectives or key in lex.skip):
            return
        self.cut = cut_penalty(self.request, self.first, self.end)
        quoting = "`" in self.request.text and not {m.kind for m in meanings} <= {"pad", "light", "noun"}
        exact = any(term.strength >= 0.97 and term.kind in ("column", "value") for term in terms)
        for meaning in meanings:  # a header or a cell outranks the general meanings of a word
            outranked = exact and not quoting and meaning.kind != "per"
            if not outranked and self.schema.speaks(meaning.kind, meaning.value):
                yield from self._meant(meaning)
        for term in terms:
            if not (quoting and term.kind in ("column", "value")) and self._stands(term):
                yield self._of(term.kind, term.value, term, term.strength - self._bent(term))
        if key in lex.adjectives:
            yield from self.by_adjective()
        if key in lex.skip and not all(n in self.request.free for n in range(self.first, self.end)):
            yield self._of("pad", "skip", None, 0.5)

    def _of(self, kind: str, value: object, term: Term | None, strength: float) -> Mention:
        return Mention(self.first, self.end, kind, value, term.column if term else None, strength - self.cut)

    def _columns(self, *concept: str) -> list[Term]:
        return [term for term in self.schema.terms.get(concept, ()) if term.kind == "column"]

    def _meant(self, meaning: Meaning) -> Iterator[Mention]:
        """Yield the mentions of a lexicon meaning in this table."""
        kind, value, key = meaning.kind, meaning.value, self.key
        concept = next(iter(lexicon().adjectives.get(key, ([], False))[0]), ())
        if kind == "top" and concept:
            has_column = any(term.strength >= 0.5 for term in self._described()[0])
            if has_column and (concept not in SIZES or len(concept) > 1):
                return  # the adjective names a column; "the oldest" does not count rows
            if concept not in SIZES:
                yield self._of(kind, value, None, 0.6)  # the longest repair, with hours of repair only
                return
        if kind == "worth" and self.schema.takings:
            yield self._of("column", "worth", Term("column", 0.9, self.schema.takings[1]), 0.9)
        elif kind == "worth" and not value:
            for word in WORTHS:
                numbers = list(filter(_is_number, self._columns(word)))
                yield from (self._of("column", "worth", term, 0.75 * term.strength) for term in numbers)
            money = [number for number in self.schema.numbers if number.unit in lexicon().lists["money"]]
            yield from (self._of("column", "worth", Term("column", 0.7, column), 0.7) for column in money[:1])
        elif kind == "light" and value:
            yield from (self._of("column", "", term, 0.62 * term.strength) for term in self._columns(value))
        elif kind == "idiom":
            numbers = (term for term in self._columns(*value.rsplit(" ", 2)[0].split()) if _is_number(term))
            yield from (self._of("idiom", value, term, 0.9 * term.strength) for term in numbers)
        elif kind == "agg" and (figures := self._counted(value)):
            yield self._of(kind, value, None, 0.6)
            yield from (self._of("column", "", term, 0.9) for term in figures)
        elif kind == "noun":
            yield self._of("pad", "noun", None, 0.9)
        elif kind in _PADS:
            yield self._of("pad", kind, None, 0.6)
        elif kind == "more" and self.request.units[self.end - 1].raw.endswith("est"):
            return  # a superlative, not a comparative
        elif kind == "more" and self._ranks():
            yield self._of("top", "desc" if value == ">" else "asc", None, 0.95)
        elif kind != "selection" or self.schema.selected:
            terms = self.schema.terms.get(key, ()) if kind == "plot" else ()
            named = any(term.kind in ("column", "row") for term in terms)
            yield self._of(kind, value, None, 0.55 if named else 0.95)  # the plots of an allotment

    def _ranks(self) -> bool:
        """Return whether a comparative asks for the first of all: which place had more rain, compared with nothing named."""
        raws = {unit.raw for unit in self.request.units}
        behind = tuple(unit.key for unit in self.request.units[self.end : self.end + 1])
        return (
            not raws.isdisjoint(("which", "who"))
            and "than" not in raws
            and behind not in lexicon().adjectives
        )

    def _counted(self, value: str) -> list[Term]:
        """Return the column that has the asked counts or shares already: the `count` or `rate` of each row."""
        headers = lexicon().lists.get(f"{value}_headers", ())
        columns = (column for column in self.schema.numbers if " ".join(key_of(column.name)) in headers)
        return [Term("column", 1.0, column) for column in columns][:1]

    def _stands(self, term: Term) -> bool:
        """Return whether the words mean this term of the table."""
        if term.kind == "row" and all(n in self.request.free for n in range(self.first, self.end)):
            return False  # the show of `show the rows`
        before = self.request.units[self.first - 1].key if self.first else ""
        short = len(self.key) == 1 and term.kind == "column" and term.strength < 0.7
        if short and "\u3400" <= before <= "\u9fff":
            return False  # the 種 of 犬種 does not mean 動物種
        # The article in `a month` does not mean grade A, nor the m of `100 m` the men.
        letter = term.kind == "value" and len(self.key) == 1 == len(self.key[0]) and self.key[0].isascii()
        # Nor does `was` mean the team WAS, or `are` the element Be.
        is_free = len(self.key) == 1 and self.key[0].isascii() and self.first in self.request.free
        letter = letter or (term.kind == "value" and is_free)
        return not letter or self.request.raw(self.first, self.end) == term.value

    def _bent(self, term: Term) -> float:
        """Return the penalty of a cell that only resembles the word: `opened` for Open."""
        text, cell = self.request.raw(self.first, self.end).casefold(), term.value.casefold()
        return 0.12 * (term.kind == "value" and text.isascii() and text not in (cell, f"{cell}s"))

    def _described(self) -> tuple[list[Term], bool]:
        """Return the figures and dates of an adjective: of its first concept that the table has; True if these are times."""
        for concept in lexicon().adjectives[self.key][0]:
            described = ((term, term.column) for term in self._columns(*concept))
            if fitting := [
                term for term, column in described if column and (column.is_number or column.is_date)
            ]:
                return fitting, concept[0] in ("year", "date")
        return [], False

    def by_adjective(self) -> Iterator[Mention]:
        """Yield the columns of an adjective, with its degree: `est` for a superlative, `er` for a comparative."""
        units, first, end = self.request.units, self.first, self.end
        low = lexicon().adjectives[self.key][1]
        raw, before = units[end - 1].raw, units[first - 1].raw if first else ""
        top = raw.endswith("est") or before in ("most", "least") or raw.startswith("最")
        top = top or self.request.text[: units[first].start].endswith(_MOST)
        if end < len(units) and units[end].raw == "順":
            top, end = True, end + 1  # 重い順に
        degree = "est" if top else "er" if raw.endswith("er") or before in ("more", "less") else "plain"
        low ^= before in ("least", "less")
        terms, is_since = self._described()
        for term in terms:
            if (column := term.column) is not None and (column.is_number or degree == "est"):
                strength = min(0.97, term.strength + 0.1) - self.cut
                is_low = low != is_since  # the oldest began first
                value = f"{degree} {'asc' if is_low else 'desc'}"
                strength += 0.02 * is_extreme(column, not is_low)
                yield Mention(first, end, "adjective", value, column, strength)


def is_extreme(column: Column, is_high: bool) -> bool:
    """Return whether a header says that its figures are the highest, or the lowest, of a time: temp_max."""
    return any(word in column.name.casefold() for word in (_HIGH if is_high else _LOW))


def _is_number(term: Term) -> bool:
    return term.column is not None and term.column.is_number


# Words between a column and its value in backquotes.
IS = ("is", "is not", "が")
_QUOTED = re.compile(r"`([^`]+)`")
# Strength of a name in backquotes: above every other meaning of its words.
QUOTED_STRENGTH = 1.5


def quoted_names(request: Request, schema: TableSchema) -> Iterator[Mention]:
    """Yield columns and values in backquotes; a value after a column belongs to that column."""
    columns = {normalized(column.name): column for column in schema.columns}
    last: Column | None = None
    before = 0
    for match in _QUOTED.finditer(request.text):
        inside, name = request.inside(match.start(), match.end()), match[1]
        if not inside:
            continue
        joined = request.text[before : match.start()].strip(" `")
        before = match.end()
        span = (inside[0], inside[-1] + 1)
        if name in columns and not (last is not None and name in last.info.values and joined in IS):
            last = columns[name]
            yield Mention(*span, "column", "", last, QUOTED_STRENGTH)
        elif name == normalized(schema.info.name):
            yield Mention(*span, "table", "", None, QUOTED_STRENGTH)
        elif last is not None and name in (last.info.yes_no or ()):
            yield Mention(*span, "value", name, last, QUOTED_STRENGTH)
        else:
            keys = dict.fromkeys((key_of(name), key_of(name, camel=False)))
            terms = [term for key in keys for term in schema.terms.get(key, ())]
            values = [term for term in terms if term.kind == "value" and normalized(term.value) == name]
            for term in ([term for term in values if term.column == last] or values)[:1]:
                yield Mention(*span, "value", term.value, term.column, QUOTED_STRENGTH)


def _denied(request: Request, schema: TableSchema) -> Iterator[Mention]:
    """Yield words that negate a yes-or-no column by a prefix: unpaid, 未納."""
    for number, unit in enumerate(request.units):
        key, end = (unit.raw.removeprefix("un"),), number + 1
        if unit.raw in _DENIALS and end < len(request.units):
            key, end = (request.units[end].key,), end + 1
        elif not (unit.is_word and unit.raw.startswith("un")):
            continue
        related = (term for root in roots(key[0]) for term in schema.by_root.get(root, ()))
        terms = [*schema.terms.get((lemma(key[0]),), ()), *related]
        columns = dict.fromkeys(term.column for term in terms if term.kind == "column")
        flags = [(c, c.info.yes_no[1]) for c in columns if c is not None and c.info.yes_no]
        if len(flags) == 1:
            yield Mention(number, end, "value", flags[0][1], flags[0][0], 0.85)


def _covered(mentions: Iterable[Mention]) -> set[int]:
    """Return the units that a mention of some strength covers."""
    strong = (mention for mention in mentions if mention.strength >= 0.5)
    return {unit for mention in strong for unit in range(mention.first, mention.end)}


def _near(request: Request, schema: TableSchema, mentions: list[Mention]) -> Iterator[Mention]:
    """Yield corrections of uncovered words to words of the table or the lexicon; the distance lowers their strength."""
    covered, lex = request.free | _covered(mentions), lexicon()
    for number, unit in enumerate(request.units):
        misspelling = unit.key
        if number in covered or not unit.is_word or len(misspelling) < 3:
            continue
        verb = misspelling != unit.raw or unit.raw.endswith(("ed", "ing"))
        related = [term for root in roots(unit.raw) for term in schema.by_root.get(root, ())]
        if not related and len(short := schema.short_for(misspelling)) == 1:
            related = [replace(short[0], strength=0.55)]
        related = list(dict.fromkeys(related)) if len(related) <= MAX_RELATED else []
        if not related and len(cells := schema.cells_within(misspelling)) == 1:  # the herbi of herbivores
            yield Mention(number, number + 1, "value", cells[0].value, cells[0].column, 0.65)
        # "who booked" means the Booker column, but "the tool that is borrowed" does not mean the Borrower.
        asks_who = not {"who", "whom", "whose"}.isdisjoint(other.raw for other in request.units)
        for candidate in related:
            name = candidate.column.name.casefold() if candidate.column else ""
            if asks_who or not (verb and name.endswith(("er", "or"))):
                yield Mention(number, number + 1, "column", "", candidate.column, candidate.strength)
        if related or len(misspelling) < 4 or is_dictionary_word(unit.raw):
            continue
        words = schema.like(misspelling)
        for word, score, _ in process.extract(
            misspelling, words, scorer=fuzz.ratio, score_cutoff=80, limit=2
        ):
            if (word[0] != misspelling[0] and score < 88) or (len(misspelling) < 6 and score < 85):
                continue
            span, key = (number, number + 1), (word,)
            for term in schema.terms.get(key, ()):
                strength = term.strength * score / 100 - 0.15
                yield Mention(*span, term.kind, term.value, term.column, strength)
            for meaning in lex.meanings.get(key, ()):
                if meaning.kind not in ("pad", "light") and (meaning.kind != "top" or score >= 88):
                    yield Mention(*span, meaning.kind, meaning.value, None, 0.9 * score / 100 - 0.15)


def readings(request: Request, schema: TableSchema, more: Iterable[Mention] = ()) -> list[Interpretation]:
    """Return the best sequences of mentions, the best first, by a beam search over the units."""
    units = request.units
    starting: dict[int, list[Mention]] = {}
    for mention in lattice(request, schema, more):
        starting.setdefault(mention.first, []).append(mention)
    beams: list[list[_Path]] = [[] for _ in range(len(units) + 1)]
    beams[0] = [(0.0, (), ())]
    for at in range(len(units)):
        free, weight = at in request.free, 0.4 if units[at].is_japanese else 1.0
        for score, mentions, uncovered in sorted(beams[at], key=lambda path: -path[0])[:BEAM]:
            left = uncovered if free else (*uncovered, at)
            beams[at + 1].append((score - weight * (not free), mentions, left))
            for mention in starting.get(at, ()):
                is_content = mention.kind != "pad"
                indexes = [
                    n for n in range(mention.first, mention.end) if is_content or n not in request.free
                ]
                size = sum(0.45 if units[n].is_japanese else 1.0 for n in indexes)
                # The constant favours one long mention over several short ones.
                gain = size * mention.strength - 0.25
                beams[mention.end].append((score + gain, (*mentions, mention), uncovered))
    results: list[Interpretation] = []
    for score, mentions, uncovered in sorted(beams[-1], key=lambda path: -path[0])[:BEAM]:
        named = {mention.column for mention in mentions if mention.kind == "column"}
        if any(mention.value == "header" and mention.column not in named for mention in mentions):
            continue  # a part of a header without the rest of it
        guessed = [n for mention in mentions if mention.is_guess for n in range(mention.first, mention.end)]
        texts = _texts(request, sorted((*uncovered, *guessed)))
        results.append(Interpretation(mentions, score, texts, uncovered))
    return results


def _texts(request: Request, uncovered_units: Iterable[int]) -> tuple[str, ...]:
    """Return the uncovered units as texts; adjacent Japanese characters form one."""
    texts: list[str] = []
    before = -2
    for number in uncovered_units:
        unit = request.units[number]
        text = request.text[unit.start : unit.end]
        if unit.is_japanese and before == number - 1 and texts:
            texts[-1] += text
        else:
            texts.append(text)
        before = number if unit.is_japanese else -2
    return tuple(texts)


def units_and_scales(request: Request, schema: TableSchema) -> Iterator[Mention]:
    """Yield mentions of units and multipliers of numbers."""
    for first in range(len(request.units)):
        yield from _beside_number(request, first)
        for end in range(first + 1, min(first + 4, len(request.units)) + 1):
            yield from _Counter(request, schema, first, end).mentions()


def _beside_number(request: Request, first: int) -> Iterator[Mention]:
    """Yield what a unit means beside a number: an ordinal, a multiplier, a Japanese counter."""
    units, key = request.units, request.units[first].key
    number = first - 1 - (first > 1 and units[first - 1].key in SCALES)  # the 人 of 4万人
    behind_number = first > 0 and units[number].is_number
    before_number = first + 1 < len(units) and units[first + 1].is_number
    if before_number and key in ("first", "last"):  # "the first 20", even if a cell is First
        yield Mention(first, first + 1, "op", "head" if key == "first" else "tail", None, 1.1)
    if not behind_number:
        return
    if key in ("th", "st", "nd", "rd"):
        yield Mention(first, first + 1, "pad", "ordinal", None, 0.95)
    if key in SCALES:
        yield Mention(first, first + 1, "scale", SCALES[key], None, 0.95)
    if _is_kanji(key) and key not in "月日年" and key not in SCALES and (key,) not in lexicon().units:
        yield Mention(first, first + 1, "unit", "", None, 0.75)


def _is_kanji(key: str) -> bool:
    return "\u3400" <= key <= "\u9fff"


class _Counter:
    """Span that may be a unit of measure or a Japanese counter, alone or behind 何."""

    def __init__(self, request: Request, schema: TableSchema, first: int, end: int) -> None:
        self.units, self.schema, self.first, self.end = request.units, schema, first, end
        self.key = request.units[first].key
        span = tuple(unit.key for unit in request.units[first:end])
        self.unit = lexicon().units.get(span)
        self.of_unit = [term.column for term in schema.terms.get(span, ()) if term.kind == "column"]

    def mentions(self) -> Iterator[Mention]:
        """Yield the mentions."""
        before = self.units[self.first - 1].key if self.first else ""
        if before == "何" and self.key != "種":  # 何種類 are different values
            yield from self._asked()
        if not self.unit:
            return
        if self.first and self.units[self.first - 1].raw == "in" and not self.of_unit:
            yield Mention(self.first, self.end, "pad", "in unit", None, 0.97)
        after_number = self.first > 0 and (self.units[self.first - 1].is_number or before in SCALES)
        following = self.units[self.end : self.end + 1]
        ahead = any(unit.is_number for unit in following) and self.key in ("$", "€", "£", "¥")
        if after_number or ahead:
            yield Mention(self.first, self.end, "unit", self.unit, None, 0.97)

    def _asked(self) -> Iterator[Mention]:
        """Yield the meanings of 何 and a counter: a column, a share, the figure itself, or a count."""
        at, end = self.first - 1, self.end
        columns = (self.of_unit if self.unit else []) or self._counted_columns()
        for column in columns:  # 何kg, 何枚 of 枚数
            yield Mention(at, end, "column", "", column, 1.0 if len(columns) == 1 else 0.8)
        size = end - self.first
        is_counter = (size == 1 and _is_kanji(self.key)) or (size == 2 and self.key in "ヶか箇")
        times = [
            c for c in self.schema.columns if c.info.role == "time" and self.key == "年" and not c.is_date
        ]
        for column in times:  # 何年 of 調査年
            yield Mention(at, end, "column", "", column, 0.95)
        if self.key == "%":
            yield Mention(at, end, "agg", "share", None, 0.95)
        elif self.unit not in (None, "day", "month", "week"):
            yield Mention(at, end, "which", "", None, 0.9)  # 何歳, 何キロ: the figure itself
        elif self.unit or is_counter:
            strength = 0.6 if columns else 0.9 if self.unit else 0.85
            yield Mention(at, end, "agg", "count", None, strength)

    def _counted_columns(self) -> list[Column | None]:
        """Return the columns whose header has the counter: 生産数（個）."""
        if self.end != self.first + 1:
            return []
        names = ((number, normalized(number.name)) for number in self.schema.numbers)
        return [number for number, name in names if f"{self.key}数" in name or f"({self.key})" in name]
