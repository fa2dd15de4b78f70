"""The lattice of mentions of a request over one table, and its best readings as sequences."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz, process

from smoldesk.analyst.lexicon import Meaning, lexicon
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.times import dates_in
from smoldesk.analyst.units import Unit, key_of, normalized, units_of, words_of

LONGEST = 12
"""Units of the longest phrase looked up."""
BEAM = 24
SIZES = (("amount",), ("size",), ("number",), ("count",), ("quantity",), ("total",), ("sales",))
"""What adjectives of size are about; they rank groups by their rows, too."""
RATES = (("rate",), ("率",))
SCALES = {"千": 1e3, "万": 1e4, "億": 1e8, "k": 1e3, "thousand": 1e3, "million": 1e6, "m": 1e6}
_FREE = ("助詞", "助動詞", "記号", "フィラー", "感動詞", "連体詞", "接続詞")


@dataclass(frozen=True)
class Mention:
    """Units `first` up to `end` stand for this; `strength` how sure the match is."""

    first: int
    end: int
    kind: str
    value: object = ""
    column: Column | None = field(default=None)
    strength: float = 1.0

    def is_a(self, kind: str, *values: str) -> bool:
        return self.kind == kind and (not values or self.value in values)


@dataclass(frozen=True)
class Reading:
    """A sequence of mentions that do not overlap, and the content that none of them covers."""

    mentions: tuple[Mention, ...]
    score: float
    uncovered: tuple[str, ...]


@dataclass(frozen=True)
class Request:
    """A request as units; `words` are the Japanese words over them."""

    text: str
    units: tuple[Unit, ...]
    free: frozenset[int]
    starts: frozenset[int]
    ends: frozenset[int]

    def raw(self, first: int, end: int) -> str:
        return self.text[self.units[first].start : self.units[end - 1].end]


def request_of(text: str) -> Request:
    """A request, taken apart."""
    plain = normalized(text)
    units = units_of(plain)
    words = words_of(plain)
    free: set[int] = set()
    starts: set[int] = set()
    ends: set[int] = set()
    kind_at: dict[int, str] = {}
    word_at: dict[int, str] = {}
    for start, end, part in words:
        starts.add(start)
        ends.add(end)
        for at in range(start, end):
            kind_at[at] = part
            word_at[at] = plain[start:end]
    lex = lexicon()
    for number, unit in enumerate(units):
        if unit.is_word:
            beside = units[number + 1 : number + 2]
            letter = (
                len(unit.raw) == 1 and bool(beside) and beside[0].is_japanese
            )  # the D of Dライン is a name
            if not letter and (unit.key in lex.stop or unit.raw in lex.stop or (unit.key,) in lex.skip):
                free.add(number)
        elif unit.is_japanese:
            word = word_at.get(unit.start, "")
            if any(one.kind == "per" for one in lex.meanings.get(key_of(word), ())):
                continue  # ごと says something
            hiragana = re.fullmatch(r"[ぁ-ん]+", word)
            if kind_at.get(unit.start) in _FREE or hiragana or word_at.get(unit.start) in lex.stop:
                free.add(number)
        elif not unit.is_number:
            free.add(number)
    return Request(plain, units, frozenset(free), frozenset(starts), frozenset(ends))


def lattice(request: Request, schema: TableSchema, more: Iterable[Mention] = ()) -> list[Mention]:
    """Every mention that the units can be, and `more` that somebody else has found."""
    lex, units = lexicon(), request.units
    keys = [unit.key for unit in units]
    found: list[Mention] = [*more]
    names_in_quotes = "`" in request.text
    for first in range(len(units)):
        for end in range(first + 1, min(first + LONGEST, len(units)) + 1):
            key = tuple(
                one for one, unit in zip(keys[first:end], units[first:end], strict=True) if _counts(unit)
            )
            if len(key) != end - first and (not _counts(units[first]) or not _counts(units[end - 1])):
                continue
            cut = cut_words(request, first, end)
            quoting = names_in_quotes and any(
                one.kind not in ("pad", "light", "noun") for one in lex.meanings.get(key, ())
            )
            exact = not quoting and any(
                term.strength >= 0.97 and term.kind in ("column", "value")
                for term in schema.terms.get(key, ())
            )
            for meaning in lex.meanings.get(key, ()):
                if exact and meaning.kind not in ("per",):
                    continue  # a header or a cell outranks whatever a word means elsewhere
                if not schema.speaks(meaning.kind, meaning.value):
                    continue
                if (
                    meaning.kind == "top"
                    and key in lex.adjectives
                    and any(
                        t.kind == "column" and t.strength >= 0.5
                        for t in schema.terms.get(lex.adjectives[key][0], ())
                    )
                ):
                    continue  # the adjective says of what
                if meaning.kind == "top" and key in lex.adjectives and lex.adjectives[key][0] not in SIZES:
                    continue  # the oldest is no count of rows
                if (
                    meaning == Meaning("agg", "share")
                    and key in RATES
                    and any(t.kind == "column" and t.strength >= 0.9 for t in schema.terms.get(key, ()))
                ):
                    continue  # a rate that is a column
                if meaning.kind == "worth":
                    for concept in ("sales", "amount", "total", "revenue"):
                        for term in schema.terms.get((concept,), ()):
                            if term.kind == "column" and term.column is not None and term.column.is_number:
                                found.append(
                                    Mention(first, end, "column", "", term.column, 0.75 * term.strength - cut)
                                )
                    continue
                if meaning.kind == "light" and meaning.value:
                    for term in schema.terms.get((meaning.value,), ()):
                        if term.kind == "column":
                            found.append(
                                Mention(first, end, "column", "", term.column, 0.62 * term.strength - cut)
                            )
                    continue
                if meaning.kind == "idiom":
                    concept = tuple(meaning.value.rsplit(" ", 2)[0].split())
                    terms = [t for t in schema.terms.get(concept, ()) if t.kind == "column"]
                    if meaning.value.startswith("*"):
                        found.append(Mention(first, end, "idiom", meaning.value, None, 0.9 - cut))
                    for term in terms:
                        found.append(
                            Mention(
                                first, end, "idiom", meaning.value, term.column, 0.9 * term.strength - cut
                            )
                        )
                    continue
                if meaning.kind == "selection" and not schema.selected:
                    continue
                if meaning.kind == "noun":
                    found.append(Mention(first, end, "pad", "noun", None, 0.9 - cut))
                elif meaning.kind in ("light", "pad", "follow", "back", "adds"):
                    found.append(Mention(first, end, "pad", meaning.kind, None, 0.6 - cut))
                elif _fits(meaning.kind, units[first:end]):
                    found.append(Mention(first, end, meaning.kind, meaning.value, None, 0.95 - cut))
            header = any(
                term.kind == "column" and term.strength >= 0.97 for term in schema.terms.get(key, ())
            )
            for term in schema.terms.get(key, ()):
                if quoting and term.kind in ("column", "value"):
                    continue  # beside names in backquotes a word that means something means it
                if header and term.kind == "column" and term.strength < 0.9:
                    continue  # the column that is called so, not one that is only like it
                if term.kind == "row" and all(number in request.free for number in range(first, end)):
                    continue  # the show of `show the rows`
                bent = 0.12 * (term.kind == "value" and _is_bent(request.raw(first, end), term.value))
                if term.kind == "column" and key in RATES and first and _ends_flag(keys[:first], schema):
                    bent += 0.3  # the cancellation rate is no Rate per Night
                found.append(
                    Mention(first, end, term.kind, term.value, term.column, term.strength - cut - bent)
                )
            if key in lex.adjectives:
                concept, low = lex.adjectives[key]
                found += _by_adjective(request, schema, first, end, concept, low, cut)
            if key in lex.skip:
                found.append(Mention(first, end, "pad", "skip", None, 0.5 - cut))
    found += quoted_names(request, schema)
    found += units_and_scales(request)
    found += dates_in(request.text, units)
    for number, unit in enumerate(units):
        if unit.is_number:
            yearly = re.fullmatch(r"(?:19|20)\d\d", unit.key) and (
                schema.dates
                or any("year" in one.name.casefold() or "年" in one.name for one in schema.columns)
            )
            found.append(Mention(number, number + 1, "number", float(unit.key), None, 0.6 if yearly else 0.9))
    found += _near(request, schema, found)
    return [one for one in found if one.strength > 0]


def says(request: Request, *kinds: str) -> bool:
    """Whether any phrase of a request can mean one of these kinds."""
    keys = [unit.key for unit in request.units]
    spans = (
        (first, end) for first in range(len(keys)) for end in range(first + 1, min(first + 6, len(keys)) + 1)
    )
    return any(
        one.kind in kinds
        for first, end in spans
        for one in lexicon().meanings.get(tuple(keys[first:end]), ())
    )


IS = ("is", "is not", "が")
"""What stands between a column and its value in backquotes."""
_QUOTED = re.compile(r"`([^`]+)`")
SURE = 1.5
"""The strength of a name in backquotes: more than anything its words could mean."""


def quoted_names(request: Request, schema: TableSchema) -> Iterator[Mention]:
    """Columns and values that stand in backquotes, as they are; a value behind its column is that column's."""
    columns = {normalized(column.name): column for column in schema.columns}
    last: Column | None = None
    before = 0
    for match in _QUOTED.finditer(request.text):
        inside = [n for n, unit in enumerate(request.units) if match.start() <= unit.start < match.end()]
        if not inside:
            continue
        joined = request.text[before : match.start()].strip(" `")
        before = match.end()
        valued = last is not None and match[1] in last.info.values and joined in IS
        if match[1] in columns and not valued:
            last = columns[match[1]]
            yield Mention(inside[0], inside[-1] + 1, "column", "", last, SURE)
            continue
        if match[1] == normalized(schema.info.name):
            yield Mention(inside[0], inside[-1] + 1, "table", "", None, SURE)
            continue
        flag = last.info.yes_no if last is not None else None
        if flag and match[1] in flag:
            yield Mention(inside[0], inside[-1] + 1, "value", match[1], last, SURE)
            continue
        held = [
            term
            for key in (key_of(match[1]), key_of(match[1], camel=False))
            for term in schema.terms.get(key, ())
            if term.kind == "value" and normalized(term.value) == match[1]
        ]
        mine = [term for term in held if term.column == last] or held
        for term in mine[:1]:
            yield Mention(inside[0], inside[-1] + 1, "value", term.value, term.column, SURE)


def beyond_tables(request: Request) -> str:
    """A word that asks for reasons, the future or opinions, which no table holds; empty without one."""
    keys = [unit.key for unit in request.units]
    for first in range(len(keys)):
        for end in range(first + 1, min(first + 5, len(keys)) + 1):
            means = lexicon().meanings.get(tuple(keys[first:end]), ())
            if any(one.kind == "beyond" for one in means) and not cut_words(request, first, end):
                return request.raw(first, end)
    return ""


def _ends_flag(keys: list[str], schema: TableSchema) -> bool:
    """Whether units end in a column of yes and no."""
    ends = (tuple(keys[-size:]) for size in (1, 2, 3))
    return any(
        term.kind == "column" and term.column is not None and term.column.info.yes_no is not None
        for key in ends
        for term in schema.terms.get(key, ())
    )


def _is_bent(said: str, value: str) -> bool:
    """Whether a word is only in its base form what a cell holds: `opened` for Open."""
    return (
        said.isascii() and said.casefold() != value.casefold() and said.casefold() != f"{value}s".casefold()
    )


def _counts(unit: Unit) -> bool:
    return unit.is_word or unit.is_number or unit.is_japanese or unit.key in "%$€£¥#&+<>=≤≥*/÷×"


def cut_words(request: Request, first: int, end: int) -> float:
    """What a mention loses by beginning or ending inside of a Japanese word."""
    units = request.units
    loss = 0.0
    if units[first].is_japanese and units[first].start not in request.starts:
        loss += 0.3
    if units[end - 1].is_japanese and units[end - 1].end not in request.ends:
        loss += 0.3
    return loss if end - first < 4 else loss / 2


def _fits(kind: str, units: tuple[Unit, ...]) -> bool:
    """A comparative is no superlative, and the other way round."""
    raw = units[-1].raw if len(units) == 1 else ""
    if kind == "top" and raw.endswith("er") and raw not in ("quieter",):
        return False
    return not (kind == "more" and raw.endswith("est"))


def _by_adjective(
    request: Request,
    schema: TableSchema,
    first: int,
    end: int,
    concept: tuple[str, ...],
    low: bool,
    cut: float,
) -> list[Mention]:
    """A column that an adjective is about; with what it does: `est` for a superlative, `er` for a comparative."""
    raw = request.units[end - 1].raw
    before = request.units[first - 1].raw if first else ""
    top = raw.endswith("est") or before in ("most", "least") or raw.startswith("最") or "番" in before
    degree = "est" if top else "er" if raw.endswith("er") or before in ("more", "less") else "plain"
    if before in ("least", "less"):
        low = not low
    return [
        Mention(
            first,
            end,
            "adjective",
            f"{degree} {'asc' if low else 'desc'}",
            term.column,
            min(0.97, term.strength + 0.1) - cut,
        )
        for term in schema.terms.get(concept, ())
        if term.kind == "column"
        and term.column is not None
        and (term.column.is_number or term.column.is_date)
    ]


def _near(request: Request, schema: TableSchema, found: list[Mention]) -> list[Mention]:
    """Words that nothing covers, mended into a word of the table or the lexicon; the distance makes them weaker."""
    covered = {at for one in found if one.strength >= 0.5 for at in range(one.first, one.end)}
    wanted = [
        (number, unit)
        for number, unit in enumerate(request.units)
        if number not in covered and number not in request.free and unit.is_word and len(unit.key) >= 4
    ]
    if not wanted:
        return []
    lex = lexicon()
    single = [key[0] for key in schema.terms if len(key) == 1 and len(key[0]) >= 4 and key[0].isalpha()]
    kinds = ("agg", "plot", "op", "grain", "top", "range", "cmp", "sort", "change", "map", "colour", "way")
    cues = [
        key[0]
        for key, means in lex.meanings.items()
        if len(key) == 1
        and len(key[0]) >= 5
        and any(one.kind in kinds and schema.speaks(one.kind, one.value) for one in means)
    ]
    cues += [key[0] for key in lex.adjectives if len(key) == 1 and len(key[0]) >= 5]
    mended: list[Mention] = []
    for number, unit in wanted:
        for word, score, _ in process.extract(
            unit.key, [*single, *cues], scorer=fuzz.ratio, score_cutoff=80, limit=2
        ):
            if (word[0] != unit.key[0] and score < 88) or (len(unit.key) < 6 and score < 85):
                continue
            if (word,) in lex.adjectives and score >= 88:
                concept, low = lex.adjectives[(word,)]
                mended += [
                    replace(one, strength=one.strength - 0.15)
                    for one in _by_adjective(request, schema, number, number + 1, concept, low, 0.0)
                ]
            for term in schema.terms.get((word,), ()):
                mended.append(
                    Mention(
                        number,
                        number + 1,
                        term.kind,
                        term.value,
                        term.column,
                        term.strength * score / 100 - 0.15,
                    )
                )
            for meaning in lex.meanings.get((word,), ()):
                if meaning.kind not in ("pad", "light") and (meaning.kind != "top" or score >= 88):
                    mended.append(
                        Mention(
                            number, number + 1, meaning.kind, meaning.value, None, 0.9 * score / 100 - 0.15
                        )
                    )
    return mended


def readings(request: Request, schema: TableSchema, more: Iterable[Mention] = ()) -> list[Reading]:
    """The best sequences of mentions, the best first."""
    units = request.units
    starting: dict[int, list[Mention]] = {}
    for mention in lattice(request, schema, more):
        starting.setdefault(mention.first, []).append(mention)
    beams: list[list[tuple[float, tuple[Mention, ...], tuple[int, ...]]]] = [
        [] for _ in range(len(units) + 1)
    ]
    beams[0] = [(0.0, (), ())]
    for at in range(len(units)):
        best = sorted(beams[at], key=lambda one: -one[0])[:BEAM]
        for score, mentions, left in best:
            cost = 0.0 if at in request.free else 0.4 if units[at].is_japanese else 1.0
            beams[at + 1].append((score - cost, mentions, left if at in request.free else (*left, at)))
            for mention in starting.get(at, ()):
                size = sum(
                    0.45 if units[n].is_japanese else 1.0
                    for n in range(mention.first, mention.end)
                    if n not in request.free or mention.kind != "pad"
                )
                gain = size * mention.strength - 0.25
                beams[mention.end].append((score + gain, (*mentions, mention), left))
    last = sorted(beams[len(units)], key=lambda one: -one[0])[:BEAM]
    return [Reading(mentions, score, _texts(request, left)) for score, mentions, left in last]


def _texts(request: Request, left: tuple[int, ...]) -> tuple[str, ...]:
    """The uncovered units as words: Japanese characters beside each other are one."""
    words: list[str] = []
    before = -2
    for number in left:
        unit = request.units[number]
        text = request.text[unit.start : unit.end]
        if unit.is_japanese and before == number - 1 and words:
            words[-1] += text
        else:
            words.append(text)
        before = number if unit.is_japanese else -2
    return tuple(words)


def units_and_scales(request: Request) -> Iterator[Mention]:
    """Mentions of units and of what multiplies a number."""
    lex = lexicon()
    keys = [unit.key for unit in request.units]
    for first in range(len(keys)):
        counted = first + 1 < len(keys) and request.units[first + 1].is_number
        if counted and keys[first] in ("first", "last"):  # the first 5, whatever cells say First
            yield Mention(first, first + 1, "op", "head" if keys[first] == "first" else "tail", None, 1.1)
        if keys[first] in ("th", "st", "nd", "rd") and first and request.units[first - 1].is_number:
            yield Mention(first, first + 1, "pad", "ordinal", None, 0.95)
        if keys[first] in SCALES and first and request.units[first - 1].is_number:
            yield Mention(first, first + 1, "scale", SCALES[keys[first]], None, 0.95)
        for end in range(first + 1, min(first + 4, len(keys)) + 1):
            unit = lex.units.get(tuple(keys[first:end]))
            counter = (
                end == first + 1
                and first
                and request.units[first].is_japanese
                and request.units[first - 1].is_number
            )
            if counter and not unit and "\u3400" <= keys[first] <= "\u9fff" and keys[first] not in "月日年":
                yield Mention(first, end, "unit", "", None, 0.75)
            asked = first and keys[first - 1] == "何"
            if asked and keys[first] == "%":
                yield Mention(first - 1, end, "agg", "share", None, 0.95)
            elif asked and unit not in (None, "day", "month", "week"):
                yield Mention(first - 1, end, "which", "", None, 0.9)  # 何歳, 何キロ: the figure itself
            elif asked and (
                unit or "\u3400" <= keys[first] <= "\u9fff" or (keys[first] in "ヶか箇" and end > first + 1)
            ):
                yield Mention(first - 1, end, "agg", "count", None, 0.85 if not unit else 0.9)
            if unit and first and request.units[first - 1].raw == "in":
                yield Mention(first, end, "pad", "in unit", None, 0.97)
            near = (first and request.units[first - 1].is_number) or (first and keys[first - 1] in SCALES)
            ahead = end < len(keys) and request.units[end].is_number and keys[first] in ("$", "€", "£", "¥")
            if unit and (near or ahead):
                yield Mention(first, end, "unit", unit, None, 0.97)
