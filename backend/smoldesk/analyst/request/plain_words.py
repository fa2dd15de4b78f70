"""A request that was not understood in plainer words, for a second reading: what speaks of the asking is left out."""

import re
from collections.abc import Callable, Iterator

from smoldesk.analyst.english.plain_english import plain_english, without_tags
from smoldesk.analyst.english.spoken_english import said_in_english
from smoldesk.analyst.english.spoken_spans import spoken_spans
from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.japanese.plain_japanese import plain_japanese, spoken_plainly
from smoldesk.analyst.japanese.table_sayings import said_by_table
from smoldesk.analyst.meanings import Skip
from smoldesk.analyst.reading.row_money import only_measure, row_money
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import is_japanese, key, tidy

NOT_HEARD = frozenset(
    ("unknown", "no_column", "no_value", "too_much", "which_column", "nothing", "two_groups")
)
"""Refusals for words that may say nothing; the others are about what was understood."""
_NOT_THERE = frozenset(("no_date",))
"""Refusals for what a table has not, where a word may have meant another column."""
_HOW_MUCH = re.compile(
    r"(?:は|って|が|で|の|に)?(?:、)?(?:全部で|合計で|合わせて|トータルで|全体で|みんなで)?いくら(?:ぐらい|くらい|ほど)?(?!以|か月)"
)
_APART = re.compile(
    r"(?:で|では|は|が|の)?(?:、)?いくら(?:ぐらい|くらい|ほど)?(?:違(?:う|い|った|っ)|ちが(?:う|い|った)|差が(?:ある|あり)|変わ(?:る|り|った))[^。?？]*"
)


def plainer_words(text: str, intent: Intent, lexicon: Lexicon) -> Iterator[str]:
    """Plainer requests, if there are any, for one that was refused for its words."""
    said = tidy(text)
    if _misses_how_much(said, intent) and (summed := _summed(said, intent, lexicon)):
        yield summed
        yield plain_japanese(summed, lambda word: key(word) in lexicon.terms)
    if not isinstance(intent, Refusal) or intent.reason not in NOT_HEARD | _NOT_THERE:
        return

    def known(word: str) -> bool:
        return any(not isinstance(one, Skip) for one in lexicon.terms.get(key(word), ()))

    if is_japanese(said):
        if intent.reason in _NOT_THERE:
            return
        yield from _japanese(said, known, lexicon)
        return
    if intent.reason in NOT_HEARD:
        shorter = without_tags(said)
        own = [table for table in lexicon.catalogue.tables if not table.bundled and not table.produced]
        for plainer in dict.fromkeys((*spoken_spans(said, own), shorter, plain_english(shorter, known))):
            if plainer and plainer != said:
                yield plainer
    yield from _of_tables(said, intent, known, lexicon)


def _of_tables(said: str, intent: Refusal, known: Callable[[str], bool], lexicon: Lexicon) -> Iterator[str]:
    """In the words of the table that was meant, or of the desk's own; then without what says nothing, too."""
    tables = [one for one in lexicon.catalogue.tables if one.name == intent.table]
    tables = tables or [one for one in lexicon.catalogue.tables if not one.bundled and not one.produced]
    for table in tables:
        for form in dict.fromkeys((said, without_tags(said))):
            spoken = said_in_english(form, table, row_money(table))
            if spoken != form:
                yield spoken
                if (shorter := plain_english(spoken, known)) != spoken:
                    yield shorter


def _japanese(said: str, known: Callable[[str], bool], lexicon: Lexicon) -> Iterator[str]:
    """In the words of the tables, then without what speaks of the asking, then both."""
    spoken = spoken_plainly(said)
    tables = said_by_table(spoken, lexicon)
    first = (tables, plain_japanese(said, known), plain_japanese(tables, known))
    for plainer in dict.fromkeys(first):
        if plainer and plainer != said:
            yield plainer


def _misses_how_much(said: str, intent: Intent) -> bool:
    """Whether いくら was read past: rows are listed, or nothing was understood."""
    if not _HOW_MUCH.search(said):
        return False
    return isinstance(intent, Refusal) or (isinstance(intent, DataIntent) and intent.operation == "head")


def _summed(said: str, intent: Intent, lexicon: Lexicon) -> str:
    """食費はいくら: 食費の支出の合計は, where one column is the money of a row."""
    named = intent.table if isinstance(intent, DataIntent | Refusal) else ""
    tables = lexicon.catalogue.tables
    table = next((one for one in tables if one.name == named), tables[0] if tables else None)
    column = table and (row_money(table) or only_measure(table))
    if not column or key(column.name) in key(said):
        return ""
    if _APART.search(said):
        return _APART.sub(lambda _: f"の{tidy(column.name)}の合計の差は?", said, count=1)
    return _HOW_MUCH.sub(lambda _: f"の{tidy(column.name)}の合計は", said, count=1)
