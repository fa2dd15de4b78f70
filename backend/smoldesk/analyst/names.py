"""Names of a table's columns, cells and rows: phrases by key, each with its strength."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import BRACKETS, Column, Key, TableSchema, Term
from smoldesk.analyst.units import (
    is_dictionary_word,
    is_japanese,
    japanese_tokens,
    key_of,
    lemma,
    normalized,
    roots,
    units_of,
)

IN_BRACKETS = re.compile(r"[(\[（【](.*?)[)\]）】]")
# Words for groups: units per picker are no Units Picked.
_PER = re.compile(r"\b(?:per|by)\b|ごと|別|毎")
_NUMBER = re.compile(r"^-?[\d.,]+")
_SEPARATORS = re.compile(r"[_\s/・]")
# Last words of headers that are hardly units: the minimum of temp_min, the year of birth_year.
_NO_SIGNS = ("min", "second", "hour", "day", "week", "month", "year", "degree", "foot", "pound", "mi", "in")
# Factors before a counter: 千人.
_SCALES = "十百千万億兆"
# Strength of a table's name that is also a word of a column: any meaning as a column comes first.
WEAK_TABLE = 0.55
# Maximum units from the first to the last word of a header that stand apart.
MAX_APART = 10


def schema_of(table: TableInfo) -> TableSchema:
    """Return the terms of a table."""
    headers = {info.name for info in table.columns}
    # Beside temp_max, the min of temp_min is no minute.
    lows = {
        header for header in headers if (high := header.replace("min", "max")) != header and high in headers
    }
    units = ("" if info.name in lows else _unit(info) for info in table.columns)
    columns = [Column(info, info.name, unit) for info, unit in zip(table.columns, units, strict=True)]
    schema = TableSchema(table, columns)
    parts: dict[Key, list[str]] = defaultdict(list)
    measured: dict[str, list[Column]] = defaultdict(list)
    for column in columns:
        for key, strength in _names(column.name, column.name in lows).items():
            schema.terms[key].append(Term("column", strength, column))
        for key in _parts(column.name):
            parts[key].append(column.name)
        if column.is_number and column.unit not in ("", "percent") and not column.is_id:
            measured[column.unit].append(column)
        if column.is_number and column.name.endswith("年"):
            schema.terms["year",].append(Term("column", 0.55, column))
    _add_twins(schema)
    totals = lexicon().suggested["totals"]
    for key, names in parts.items():
        if len(names) > 2:  # the medals of medals.gold, medals.silver and medals.total
            names = [name for name in names if not totals.isdisjoint((part,) for part in key_of(name))]
        best_strength = max((term.strength for term in schema.terms.get(key, ())), default=0.0)
        for name in names if best_strength < 0.85 and len(names) <= 2 else ():
            is_prefix = len(names) == 1 and key_of(name)[: len(key)] == key
            strength = 0.82 if is_prefix and 0 < best_strength < 0.82 else 0.6 if len(names) == 1 else 0.5
            schema.terms[key].append(Term("column", strength, schema.column(name)))
    # A unit names its column if only one has it: total km, minutes by member.
    for unit_key, unit in lexicon().units.items():
        if len(measured.get(unit, ())) == 1 and unit_key not in schema.terms:
            schema.terms[unit_key].append(Term("column", 0.65, measured[unit][0]))
    for column in columns:
        _add_values(schema, column)
        _add_classes(schema, column)
    _add_subject(schema)
    _add_table(schema)
    return schema


def _add_twins(schema: TableSchema) -> None:
    """Let the name of a column of codes mean the texts that they stand for: 曜日 of 1 and 月 means 曜日区分."""
    texts = [
        column for column in schema.columns if column.info.kind == "text" and len(column.info.values) > 1
    ]
    for column in schema.columns if texts else ():
        plain, size = key_of(BRACKETS.sub(" ", column.name)), len(column.info.values)
        alike = (
            text
            for text in texts
            if len(text.info.values) == size and key_of(text.name)[: len(plain)] == plain
        )
        if column.is_number and (text := next(alike, None)):
            schema.terms[plain] = [Term("column", 1.0, text), Term("column", 0.8, column)]


def _unit(info: ColumnInfo) -> str:
    """Return the unit in a header, or the one that all cells of a column of numbers have: 100m."""
    units, last = lexicon().units, _SEPARATORS.split(info.name)[-1]
    for text in (*IN_BRACKETS.findall(info.name), last):
        if unit := units.get(key_of(text)) or units.get(key_of(_SEPARATORS.split(text)[0])):
            return unit
    endings = {_NUMBER.sub("", value).strip() for value in info.values if info.kind == "number"}
    ending = endings.pop() if len(endings) == 1 else ""
    return units.get(key_of(ending), "") if ending else ""


def unit_sign(header: str) -> str:
    """Return the unit of a header as it is written there, such as 千円 or kWh; empty without one."""
    for text in map(str.strip, IN_BRACKETS.findall(header)):
        if key_of(text) in lexicon().units or text.lstrip(_SCALES) in lexicon().counters:
            return text
    text = "".join(_SEPARATORS.split(header.strip())[1:][-1:])
    is_sign = (len(text) > 1 or is_japanese(text)) and text.casefold() not in _NO_SIGNS
    return text if is_sign and (key_of(text) in lexicon().units or text in lexicon().counters) else ""


def _names(header: str, is_low: bool = False) -> dict[Key, float]:
    """Return the keys of a complete column name, with their strengths; that of a minimum does not end in minutes."""
    lex, strengths = lexicon(), dict[Key, float]()
    bare = normalized(BRACKETS.sub(" ", header))
    plain, japanese = key_of(bare), is_japanese(header)

    def add(strength: float, *keys: Key) -> None:
        for key in keys:
            if key and strengths.get(key, 0) < strength:
                strengths[key] = strength

    add(1.0, key_of(header), key_of(bare, camel=False), plain)
    if len(plain) > 1 and plain[-1:] in lex.suggested["extremes"] and not japanese:
        add(0.6, plain[:-1], *lex.synonyms(plain[:-1]))  # the temperature of temp_max
    if len(plain) > 1 and plain[-1:] in lex.units and not (japanese or is_low):
        plain = plain[:-1]
        add(0.97, plain)
    add(0.85, *_without_endings(plain))
    # Abbreviations and their long forms.
    plain = tuple(part for word in plain for part in _split(word))
    longer = [[word, *lex.abbreviations.get(word, [])[:2]] for word in plain]
    for spelled in product(*longer) if any(len(spellings) > 1 for spellings in longer) else ():
        key = tuple(part for word in spelled for part in key_of(word))
        tails = [key[-size:] for size in range(1, len(key))]
        add(0.95, key)
        add(0.8, *lex.synonyms(key))
        add(0.6, *tails)
        add(0.55, *(word for tail in tails for word in lex.synonyms(tail)))
    # Of two columns, the one with the concept's first word is meant.
    for number in lex.concept_of.get(plain, ()):
        later = lex.concepts[number].index(plain)
        add(0.8 - 0.1 * min(later, 3) if later else 0.88, *lex.concepts[number])
    sizes = range(2 if japanese else 1, len(plain))
    if not japanese:
        add(0.8, *(plain[:size] for size in range(2, len(plain))))  # opening weekend of opening_weekend_us
    heads = [plain[:size] for size in sizes] if japanese else []
    pieces = [*heads, *(plain[-size:] for size in sizes)]
    add(0.55, *(word for piece in pieces for word in lex.synonyms(piece)))
    return strengths


def _split(word: str) -> tuple[str, ...]:
    """Return the parts of a word that ends in an abbreviation: body and wt of bodywt."""
    if len(word) < 5 or not word.isascii() or is_dictionary_word(word):
        return (word,)
    for size in range(2, len(word) - 2):
        if word[-size:] in lexicon().abbreviations and is_dictionary_word(word[:-size]):
            return word[:-size], word[-size:]
    return (word,)


def _joined(word: str) -> Key:
    """Return the two words of one that no dictionary has: bird and strike of birdstrikes."""
    if len(word) < 6 or not word.isascii() or is_dictionary_word(word):
        return (word,)
    pairs = ((word[:size], word[size:]) for size in range(3, len(word) - 2))
    both = (pair for pair in pairs if is_dictionary_word(pair[0]) and is_dictionary_word(pair[1]))
    return next(((first, lemma(second)) for first, second in both), (word,))


# Last words of the headers of ids: Order ID, 申請No.
_IDS: tuple[Key, ...] = (("id",), ("no",), ("number",), key_of("コード"))


def _without_endings(key: Key) -> Iterator[Key]:
    """Yield a key without common endings of names: customer of `customer name`."""
    for ending in lexicon().endings:
        if len(key) > len(ending) and key[-len(ending) :] == ending:
            yield key[: -len(ending)]


def _parts(header: str) -> set[Key]:
    """Return the content words of a header with several words."""
    plain = normalized(BRACKETS.sub(" ", header)).strip()
    if not is_japanese(plain):
        keys = key_of(plain)
        return {(key,) for key in keys if len(key) > 2 and not key.isdigit()} if len(keys) > 1 else set()
    nouns = _nouns(plain.rpartition("の")[2])  # the 母 of 母の年齢 alone does not mean an age
    joined_keys = {key_of("".join(nouns[first:end])) for first, end in combinations(range(len(nouns) + 1), 2)}
    last = key_of(nouns[-1]) if nouns else ()  # 署 of 管轄署
    kanji = {last} if last and "\u3400" <= last[0] <= "\u9fff" else set[Key]()
    return {key for key in joined_keys if len(key) >= 2} | kanji


def _nouns(header: str) -> list[str]:
    """Return the nouns of a Japanese header, without a unit at its end."""
    nouns = [header[start:end] for start, end, part, _ in japanese_tokens(header) if part == "名詞"]
    return nouns[:-1] if nouns and key_of(nouns[-1]) in lexicon().units else nouns


@lru_cache(maxsize=4_000)
def _header_words(header: str) -> list[frozenset[str]]:
    """Return the forms of each content word of a header."""
    plain = normalized(BRACKETS.sub(" ", header)).strip()
    if is_japanese(plain):
        return [frozenset((noun,)) for noun in _nouns(plain)]
    words = [unit for unit in units_of(plain) if unit.counts and unit.raw not in lexicon().stop]
    is_span = sum(unit.is_number and len(unit.key) == 2 for unit in words) == 2  # the years 85 and 99
    centuries = ("", "19", "20") if is_span else ("",)
    spelled = (frozenset(f"{century}{unit.key}" for century in centuries) for unit in words)
    return [
        f if unit.is_number else roots(unit.raw) | {unit.key} for unit, f in zip(words, spelled, strict=True)
    ]


def split_names(request: Request, schema: TableSchema) -> Iterator[tuple[Column, list[tuple[int, int]]]]:
    """Yield columns whose words stand apart in a request, with their spans: 母の平均年齢, grossed in the US."""
    spans: dict[str, tuple[int, int]] = {}
    numbers = ((n, n + 1, unit.key) for n, unit in enumerate(request.units) if unit.is_number)
    for first, end, word in (*request.words, *numbers):
        for form in roots(word) | roots(lemma(word)) if word.isascii() else (word,):
            spans.setdefault(form, (first, end))
    for column in schema.columns:
        words = _header_words(column.name)
        places = [next((spans[form] for form in forms if form in spans), None) for forms in words]
        for at, forms in enumerate(words if None in places else ()):  # the avail of `available seats`
            shorter = (form for form in spans for short in forms if len(short) > 3 and form.startswith(short))
            places[at] = places[at] or next((spans[form] for form in shorter), None)
        named = [place for place in places if place is not None]
        if len(named) < 2 or len(named) < len(places) or len({*named}) < len(named):
            continue
        first, end = min(named)[0], max(named)[1]
        text = request.raw(first, end).casefold()
        cut = named == sorted(named) and _PER.search(text) and not _PER.search(column.name.replace("_", " "))
        if end - first <= MAX_APART and not cut and key_of(text) not in schema.terms:
            # The column is no number of its header: the 85 of `incidents between 1985 and 1999`.
            named.sort(key=lambda place: not request.units[place[0]].is_number)
            yield column, list(_joined_spans(request, named))


def _joined_spans(request: Request, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield spans, those beside each other as one: 00-14, fatal accidents."""
    first, end = spans[0]
    for start, stop in spans[1:]:
        if start < end or any(unit.counts for unit in request.units[end:start]):
            yield first, end
            first = start
        end = stop
    yield first, end


def _add_values(schema: TableSchema, column: Column) -> None:
    info, lex = column.info, lexicon()
    # The words yes and no have other meanings in a request, ○ and × do not.
    if info.kind != "text" or (info.yes_no and info.yes_no[1].isalnum()):
        return
    parts: dict[Key, set[str]] = defaultdict(set)
    for value in schema.values_of(column):
        key = key_of(value)
        if not key:
            continue
        is_step = any(meaning.kind == "grain" for meaning in lex.meanings.get(key, ()))  # 月 of 月ごと
        letter = len(key) == 1 == len(key[0]) and (key[0].isascii() or key in lex.units or is_step)
        if letter:  # grade A
            schema.terms[*key_of(info.name), *key].append(Term("value", 0.95, column, value))
        for value_key in {key, key_of(value, camel=False)}:
            schema.terms[value_key].append(Term("value", 0.4 if letter else 1.0, column, value))
        value_synonyms = {word for group in lex.value_concepts if key in group for word in group} - {key}
        for strength, synonyms in ((0.75, value_synonyms), (0.6, lex.synonyms(key) - {key})):
            for word in synonyms:
                schema.terms[word].append(Term("value", strength, column, value))
        for part in _parts_of_value(value, key):
            means = part in lex.meanings or part in lex.adjectives or part in lex.row_nouns
            if not (is_dictionary_word(part[0]) and means):
                parts[part].add(
                    value
                )  # not the long of Long-nosed armadillo, the Company of PTT Public Company
    table_key = key_of(schema.info.name)
    rows = set[str]() if _names_column(schema, table_key) else set(table_key)
    for key, named in parts.items():
        for value in named if len(named) <= 3 and not set(key) & rows else ():
            schema.terms[key].append(Term("value", 0.7 if len(named) == 1 else 0.55, column, value))


def _add_classes(schema: TableSchema, column: Column) -> None:
    """Add nouns for what the values of a column are, unless a header has them: the country of Entity."""
    values = {*schema.values_of(column)} if column.info.kind == "text" else set[str]()
    for nouns, members in lexicon().classes:
        if len(values & members) > 1 and not any(schema.terms.get(noun) for noun in nouns):
            for noun in nouns:
                schema.terms[noun].append(Term("column", 0.82, column))


def _add_subject(schema: TableSchema) -> None:
    """Name the only figure, `value`, by the constant or the name of its table, as statistics offices do: 人口."""
    figures = [c for c in schema.columns if c.is_number and c.info.role == "measure"]
    if len(figures) != 1 or key_of(figures[0].name) not in (("value",), ("値",)):
        return
    for column in schema.columns:
        for value in column.info.values if column.info.role == "constant" and not column.is_number else ():
            schema.terms[key_of(value)] = [Term("column", 0.9, figures[0])]
    schema.terms[key_of(schema.info.name)].append(Term("column", 0.85, figures[0]))


def _parts_of_value(value: str, key: Key) -> Iterator[Key]:
    """Yield short forms of a cell: 田中 of 田中太郎, 新宿 of 新宿支店, single words of several."""
    if not is_japanese(value):
        for part in key if len(key) > 1 else ():
            if len(part) > 2 and not part.isdigit() and part not in lexicon().stop:
                yield (part,)
        return
    # A Japanese name: most family names have two characters.
    if 3 <= len(value) <= 5 and all("\u3400" <= char <= "\u9fff" for char in value):
        yield key_of(value[:2])
    for ending in lexicon().value_endings:
        if value.endswith(ending) and len(value) - len(ending) >= 2:
            yield key_of(value.removesuffix(ending))


def _add_table(schema: TableSchema) -> None:
    """Add the names of the table and its rows; a word that a column's name has too means the column."""
    name, lex, terms = schema.info.name, lexicon(), schema.terms
    key = key_of(name)
    # With a noun for tables or the ending of the file, the table alone is meant: the sales table, 残業の表.
    for noun in (key_of(noun) for noun in lex.lists["table_nouns"]):
        terms[(*key, *noun)].append(Term("table", 1.0))
        terms[(*key, "の", *noun)].append(Term("table", 1.0))
    if schema.info.file:
        terms[key_of(schema.info.file)].append(Term("table", 1.0))
    # "volunteer hours" of volunteer hours.csv is the column Hours, too.
    shared = any(_names_column(schema, words) for words in (key, *((word,) for word in key)))
    terms[key].append(Term("table", WEAK_TABLE if shared else 1.0))
    words = tuple(part for word in key for part in _joined(word))  # the strikes of birdstrikes
    for first, end in combinations(range(len(words) + 1), 2):
        part = words[first:end]
        long_enough = len(part[0]) > 2 or (is_japanese(name) and end - first > 1)
        if long_enough:
            terms[part].append(Term("row", WEAK_TABLE if _names_column(schema, part) else 0.75))
    for column in schema.columns:  # the header of an id names the rows: Order ID, 患者ID
        header = key_of(BRACKETS.sub(" ", column.name)) if column == schema.row_id else ()
        shorter = [header[: -len(end)] for end in _IDS if header[-len(end) :] == end]
        shorter += [key_of(column.name[:-1])] if column.name.endswith("日") and len(column.name) == 3 else []
        for noun in (*_without_endings(header), *shorter):  # and the 試合 of 試合日
            if noun:
                terms[noun].append(Term("row", 0.9))
        quantity = BRACKETS.findall(column.name) if column.info.role == "period" else []
        for part in {part for text in quantity for part in _parts(text[1:-1]) | {key_of(text[1:-1])}}:
            terms[part].append(Term("row", 0.9))  # the 人口 of 2010年（人口）
        owner = _nouns(normalized(column.name).partition("の")[0]) if "の" in column.name else []
        if owner and key_of(owner[-1]) not in terms:  # the 赤ちゃん of 赤ちゃんの性別
            terms[key_of(owner[-1])].append(Term("row", 0.6))
    for word in lex.synonyms(key) - {key} if not shared else ():
        terms[word].append(Term("table", 0.9))
    for table, nouns in lex.rows_of.items():
        for noun in nouns if table in name.casefold() and not shared else ():
            terms[noun].append(Term("row", 0.9))
    for noun in lex.row_nouns:
        terms[noun].append(Term("row", 0.5))
    for join in schema.info.joined:  # the city of the customers
        terms[key_of(join.table)].append(Term("table", WEAK_TABLE))


def _names_column(schema: TableSchema, key: Key) -> bool:
    """Return whether words are the name of a column or a part of it."""
    named = any(term.kind == "column" and term.strength >= 0.75 for term in schema.terms.get(key, ()))
    headers = (key_of(column.name) for column in schema.columns)
    return named or any(key == header[at : at + len(key)] for header in headers for at in range(len(header)))
