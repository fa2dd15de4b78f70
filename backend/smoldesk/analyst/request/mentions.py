"""A request becomes mentions: one pass from left to right, the longest known term first, typos mended last.

Works alike for English words and for Japanese without spaces. What matches nothing stays as an Unknown
mention: the readers decline rather than skip it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from smoldesk.analyst.english.bounds_apart import bounds_apart
from smoldesk.analyst.english.counted_money import counted_money
from smoldesk.analyst.english.let_go import let_go, named_whole
from smoldesk.analyst.english.longest_to import longest_to
from smoldesk.analyst.english.rate_nouns import rate_nouns
from smoldesk.analyst.japanese.kana_spellings import with_kana_spellings
from smoldesk.analyst.japanese.katakana import with_sounds
from smoldesk.analyst.japanese.leftovers import without_leftovers
from smoldesk.analyst.japanese.okurigana import with_known_spellings
from smoldesk.analyst.japanese.spoken_columns import with_spoken_columns
from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Meaning,
    Mention,
    Quoted,
    Skip,
    Unit,
    Unknown,
    ValueRef,
    When,
)
from smoldesk.analyst.reading.fragments import with_fragments
from smoldesk.analyst.request.initials import with_initials, with_long_words
from smoldesk.analyst.request.names import misspelt_names, parts_of_names
from smoldesk.analyst.request.shortened import shortened
from smoldesk.analyst.request.shorthand import written_out
from smoldesk.analyst.request.split_names import split_names
from smoldesk.analyst.tables.domain_data import vocabulary
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.spans import LATIN, patterns
from smoldesk.analyst.words.text import (
    cuts_word,
    fits_edge,
    key,
    level,
    stem,
    tidy,
)

_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|「([^」]+)」|『([^』]+)』")
_SCRIPTS = tuple(map(re.compile, (r"[\u30a0-\u30ffー]+", r"[\u4e00-\u9fff々]", r"[\u3040-\u309f]+", r"\w")))
_SUFFIXES = "数率別毎各順"
_DENIED = re.compile(r"い?(?:な[いくか]|ません)")
_CUT = {
    "て": _DENIED,
    "で": _DENIED,
    "と": re.compile("っ[たて]"),
    "人": re.compile("数"),
    "部": re.compile("門"),
}
"""What a term must not be cut off from: 点検して from いない, 以上と from った, 泊まった人 from 数."""
_DONE = re.compile(r"[\u4e00-\u9fff々]{2,}(?=[しさ])")
_KANJI = re.compile(r"[\u4e00-\u9fff々]+")
_TYPO_SCORE = 86.0
_LONGEST_REQUEST = 4000


@dataclass(frozen=True)
class Request:
    """A tidied request and its mentions, in order and without overlap; words without meaning are left out."""

    text: str
    mentions: tuple[Mention, ...]

    @property
    def unknown(self) -> list[str]:
        return [mention.text for mention in self.mentions if mention.first(Unknown)]


def read_mentions(request: str, lexicon: Lexicon) -> Request:
    """All mentions of a request. Very long requests are read to their first 4,000 characters."""
    text = written_out(tidy(request[:_LONGEST_REQUEST]), lambda word: level(word) in lexicon.terms)
    text = with_long_words(with_initials(text, lexicon), lexicon)
    text = with_known_spellings(with_spoken_columns(text, lexicon), lexicon)
    text = with_kana_spellings(text, lexicon)
    text = with_spoken_columns(text, lexicon)  # also of what was written in another spelling
    text = counted_money(longest_to(text, lexicon), lexicon)
    mentions = _merge_unknown(list(_scan(text, lexicon)))
    said = level(text)
    mentions = with_fragments(bounds_apart(mentions, text, lexicon), text, lexicon)
    mentions = parts_of_names(split_names(mentions, text, lexicon), said, lexicon)
    mentions = let_go(mentions, text, lexicon)
    mended = misspelt_names([_mend(mention, lexicon) for mention in mentions], said, lexicon)
    mended = rate_nouns(shortened(mended, text, lexicon), lexicon)
    mended = named_whole(without_leftovers(with_sounds(mended, lexicon), text), text, lexicon)
    said = text.lower()
    kept = [
        replace(mention, lead=said[max(0, mention.start - 24) : mention.start])
        for mention in mended
        if not _empty(mention)
    ]
    return Request(text, tuple(kept))


def _empty(mention: Mention) -> bool:
    return all(isinstance(meaning, Skip) for meaning in mention.meanings)


def _scan(text: str, lexicon: Lexicon) -> Iterator[Mention]:
    levelled = level(text)
    quotes = {match.start(): match for match in _QUOTED.finditer(text)}
    at = 0
    while at < len(levelled):
        if quote := quotes.get(at):
            said = next(group for group in quote.groups() if group is not None)
            term = key(said)
            known = [*lexicon.terms.get(term, []), *lexicon.only_quoted.get(term, [])]
            known = [meaning for meaning in known if not isinstance(meaning, Skip | Cue)]
            values = [replace(ref, needs_column=False) for ref in lexicon.values_called(term)]
            yield Mention(at, quote.end(), said, (Quoted(said), *known, *values))
            at = quote.end()
            continue
        if mention := _term(text, levelled, at, lexicon):
            yield mention
            at = mention.end
            continue
        at += 1


def _term(text: str, levelled: str, at: int, lexicon: Lexicon) -> Mention | None:
    """The mention that starts here, or None on a space or a punctuation mark."""
    end, meanings = _longest(levelled, at, lexicon)
    if names := _written_as_name(text, at, end, lexicon):
        return Mention(at, end, text[at:end], names)
    for pattern, meaning in patterns(levelled, at):
        if pattern == end and isinstance(meaning, When) and (cells := _days_as_cells(meanings, lexicon)):
            meanings = cells
        elif pattern > end or (pattern == end and isinstance(meaning, When)):
            end, meanings = pattern, (meaning,)
        elif pattern == end and isinstance(meanings[0], When):
            meanings = (*meanings, meaning)  # a year may be a number
    if not meanings:
        end = _word_end(levelled, at)
        if end == at:
            return None
        meanings = (Unknown(),)
    return Mention(at, end, text[at:end], meanings)


def _days_as_cells(meanings: tuple[Meaning, ...], lexicon: Lexicon) -> tuple[Meaning, ...]:
    """Saturday and 土曜日 are cells of a table that has no dates."""
    cells = [one for one in meanings if isinstance(one, ValueRef)]
    if not cells:
        return ()
    dated = {
        table.name
        for table in lexicon.catalogue.tables
        if any(column.kind == "date" for column in table.columns)
    }
    return tuple(one for one in cells if one.table not in dated)


def _written_as_name(text: str, at: int, end: int, lexicon: Lexicon) -> tuple[Meaning, ...]:
    """`what did Max deliver`, of a driver: a word of computing with a capital is the cell so written."""
    said = text[at:end]
    if not at or not said[:1].isupper() or text.istitle() or text.isupper():
        return ()
    known = lexicon.only_quoted.get(level(said), ())
    return tuple(one for one in known if isinstance(one, ValueRef) and one.value == said)


def _longest(levelled: str, at: int, lexicon: Lexicon) -> tuple[int, tuple[Meaning, ...]]:
    for end in range(min(len(levelled), at + lexicon.longest), at, -1):
        if (
            not cuts_word(levelled, end)  # the cheapest question first: most ends lie within a word
            and (meanings := lexicon.meant(levelled[at:end]))
            and _fits(levelled, at, end, meanings)
            and not _hides(levelled[at:end], meanings, lexicon)
            and not _cuts(levelled, at, end, meanings, lexicon)
        ):
            return end, tuple(meanings)
    return at, ()


def _hides(term: str, meanings: list[Meaning], lexicon: Lexicon) -> bool:
    """退会した of a table with a column 退会, or a value 返却, says that first of all."""
    ties = all(isinstance(meaning, Cue) and meaning.kind in ("light", "deed") for meaning in meanings)
    stem_of = _DONE.match(term) if ties else None
    known = lexicon.terms.get(stem_of.group(), []) if stem_of else []
    return any(
        isinstance(one, ValueRef) or (isinstance(one, ColumnRef) and one.strength >= 2.5) for one in known
    )


def _cuts(levelled: str, at: int, end: int, meanings: list[Meaning], lexicon: Lexicon) -> bool:
    """`outliers in total paid`: the last word of `in total` begins the name of a column."""
    last = levelled.rfind(" ", at, end) + 1
    if last <= at or not all(isinstance(one, Cue) for one in meanings):
        return False
    first = end if any(one == Cue("unit", one.value) for one in meanings if isinstance(one, Cue)) else end + 1
    ends = (
        place
        for place in range(min(len(levelled), last + 60), first - 1, -1)
        if fits_edge(levelled, last, place)
    )
    return any(
        isinstance(one, ColumnRef) and one.strength >= 2.8
        for place in ends
        for one in lexicon.terms.get(levelled[last:place], ())
    )


def _fits(levelled: str, at: int, end: int, meanings: list[Meaning]) -> bool:
    """True when a term stands alone; a unit may follow its number closely: 5km."""
    if fits_edge(levelled, at, end):
        cut = end - at > 1 and _CUT.get(levelled[end - 1])
        return not (cut and cut.match(levelled, end))
    closely = at > 0 and levelled[at - 1].isdigit() and any(isinstance(one, Unit) for one in meanings)
    return closely and fits_edge(" " + levelled[at:], 1, end - at + 1)


def _word_end(levelled: str, at: int) -> int:
    if match := LATIN.match(levelled, at):
        return match.end()
    return next((match.end() for pattern in _SCRIPTS if (match := pattern.match(levelled, at))), at)


def _merge_unknown(mentions: list[Mention]) -> list[Mention]:
    """Unknown kanji swallow the weak kanji they touch: 使用量 stays one word."""
    merged: list[Mention] = []
    for mention in mentions:
        last = merged[-1] if merged else None
        if last and last.end == mention.start and (_swallows(last, mention) or _swallows(mention, last)):
            merged[-1] = Mention(last.start, mention.end, last.text + mention.text, (Unknown(),))
        else:
            merged.append(mention)
    return merged


def _swallows(unknown: Mention, other: Mention) -> bool:
    if not unknown.first(Unknown):
        return False
    if other.first(Unknown):
        return unknown.text.isascii() == other.text.isascii()
    kanji = _KANJI.fullmatch(unknown.text) and _KANJI.fullmatch(other.text)
    weak = _empty(other) or (
        len(other.text) == 1
        and all(isinstance(m, Cue) or (isinstance(m, ValueRef) and m.needs_column) for m in other.meanings)
    )
    return bool(kanji) and weak and other.text not in _SUFFIXES


def _mend(mention: Mention, lexicon: Lexicon) -> Mention:
    """An unknown word that is nearly a known one is read as that one; digits must agree."""
    if not mention.first(Unknown) or len(mention.text) < 5:
        return mention
    from rapidfuzz import fuzz, process

    word = level(mention.text)
    if word.isascii() and (known := lexicon.stems.get(stem(word))):
        return replace(mention, meanings=tuple(lexicon.terms[known]))
    if word in vocabulary():  # a driver is no drier
        return mention
    guesses = lexicon.guesses_of(len(word))
    best = process.extractOne(word, guesses, scorer=fuzz.ratio, score_cutoff=_TYPO_SCORE)
    best = best or _slip(word, guesses)
    if best is None or _digits(best[0]) != _digits(word) or _negates(word, best[0]):
        return mention
    return replace(mention, meanings=tuple(lexicon.terms[best[0]]), read_as=best[0])


def _slip(word: str, guesses: list[str]) -> tuple[str, float, int] | None:
    """A known word with two neighbouring letters the other way round, or another vowel: meidan, avarage, hieght."""
    if not (word.isascii() and word.isalpha()):
        return None
    first = bisect_left(guesses, word[0])  # they are sorted
    for at in range(first, bisect_left(guesses, chr(ord(word[0]) + 1))):
        known = guesses[at]
        if len(known) == len(word) and known.isascii():
            off = [place for place, (a, b) in enumerate(zip(known, word, strict=True)) if a != b]
            swapped = len(off) == 2 and off[1] == off[0] + 1 and known[off[0]] == word[off[1]]
            swapped = swapped and known[off[1]] == word[off[0]]
            pair = {known[off[0]], word[off[0]]} if len(off) == 1 and len(word) >= 7 else {""}
            if swapped or pair <= set("aeiouy") or pair == {"m", "n"}:  # maximun
                return known, 100.0, at
    return None


def _negates(word: str, known: str) -> bool:
    """`irregular` is no typo of regular, nor `unpaid` of paid."""
    return word != known and (word.endswith(known) or known.endswith(word))


def _digits(word: str) -> list[str]:
    return re.findall(r"\d", word)
