"""A look at a table (looks_english, looks_japanese, ...) becomes its intent: the rows it is about are read as any request's."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from smoldesk.analyst.english.looks_english import looks_in_english
from smoldesk.analyst.english.repeats_english import repeats_in_english
from smoldesk.analyst.english.types_english import types_in_english
from smoldesk.analyst.intents import (
    DataIntent,
    Intent,
    Reading,
    Refusal,
)
from smoldesk.analyst.japanese.looks_japanese import looks_in_japanese
from smoldesk.analyst.japanese.repeats_japanese import repeats_in_japanese
from smoldesk.analyst.meanings import (
    ColumnRef,
    RowNoun,
    TableRef,
    ValueRef,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.talk.follow_looks import follows_look
from smoldesk.analyst.words.look import Look
from smoldesk.analyst.words.text import is_japanese, key, tidy

Read = Callable[[str, Intent | None], Reading]
_ALL = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|entire|whole|full list|complete list)\b|全部|全て"
    r"|すべて|全件|全員|全行|残らず",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:those|them|these|that)\b|(?:その|この)(?:うち|中)|それら|これら", re.IGNORECASE)
_PER_GROUP = re.compile(
    r"\b(?:rows?|records?|entries|ones?|sample|\d+) ((?:per|(?:of|for|in|from|by) (?:each|every)) [\w ]+)"
    r"|([^のは、]+(?:ごと|毎|別)に?の?)、?(?:最[初後]|末尾|先頭|ランダム|無作為)",
    re.IGNORECASE,
)
"""Some rows of each group, which nothing here can show."""
_OWN = 2.9
"""The strength of a column that is called just so, not by another word for it."""
_EVERYTHING = 5
"""How many rows the words of the grammar ask for in place of a look that names no number."""


_FROM_TOP = re.compile(r"上から\d+")
"""上から3つだけ after a ranking is the top of it, not of the table."""


def read_looks(text: str, lexicon: Lexicon, previous: Intent | None, read: Read) -> Reading | None:
    """The reading of a request that looks at a table; None for any other, which is then read by itself.

    A look whose rows were not understood is refused for these, unless the request has an answer without it.
    """
    said = tidy(text).rstrip("?？!！。. ")
    language = "ja" if is_japanese(said) else "en"
    if after := follows_look(said, previous):
        return Reading(after, language)
    if isinstance(previous, DataIntent) and previous.order and _FROM_TOP.match(said):
        return None
    refused: Reading | None = None
    for look in _looks(said):
        if look.word and own_word(look.word, lexicon):
            continue
        if look.bare and isinstance(previous, DataIntent):
            continue
        reading = _seen(look, said, previous, read)
        if isinstance(reading.intent, DataIntent):
            return replace(reading, language=language)
        alike = bool(look.columns and look.said)  # cities with the same item: no rows
        if isinstance(reading.intent, Refusal) and (alike or reading.intent.reason == "which_table"):
            return replace(reading, language=language)
        refused = reading if look.sure and look.said else refused
    if refused is None:
        return None
    plain = read(text, previous)
    if not isinstance(plain.intent, Refusal):
        return plain
    return (
        refused
        if isinstance(refused.intent, Refusal) and _names_what_was_said(refused.intent, said)
        else plain
    )


def _names_what_was_said(refusal: Refusal, said: str) -> bool:
    """A refusal of words that the request itself has, not of those that took their place."""
    return bool(refusal.words) and all(word in said and not word.isdigit() for word in refusal.words)


def seeded(reading: Reading, turn: int) -> Reading:
    """A sample that was asked for without a seed is drawn with the number of its request, and stays so."""
    intent = reading.intent
    if not isinstance(intent, DataIntent) or intent.operation != "sample" or intent.seed:
        return reading
    return replace(reading, intent=replace(intent, seed=turn))


def with_all_rows(text: str, reading: Reading) -> Reading:
    """`list all gold members`: every row that was asked for is shown, not the first ones; none of each group."""
    intent = reading.intent
    if not isinstance(intent, DataIntent) or intent.operation not in ("head", "tail", "rows", "sample"):
        return reading
    if each := _PER_GROUP.search(tidy(text)):
        word = (each[1] or each[2]).strip("? ")
        return replace(reading, intent=Refusal("too_much", (word,), table=intent.table))
    if intent.operation != "head" or intent.limit or not _ALL.search(text):
        return reading
    return replace(reading, intent=replace(intent, operation="rows"))


def saves_nothing_named(text: str) -> bool:
    """`save as csv`: what was asked before it is meant, where anything was."""
    said = tidy(text).rstrip("?？!！。. ")
    return any(look.bare for look in _looks(said))


def _looks(said: str) -> Iterator[Look]:
    if is_japanese(said):
        yield from repeats_in_japanese(said)
        yield from looks_in_japanese(said)
    else:
        yield from repeats_in_english(said)
        yield from types_in_english(said)
        yield from looks_in_english(said)


def own_word(word: str, lexicon: Lexicon) -> bool:
    """A table of samples means its own word."""
    known = lexicon.terms.get(key(word), ())
    own = {table.name for table in lexicon.catalogue.tables if not table.bundled}
    return any(
        isinstance(one, ValueRef | TableRef)
        or (isinstance(one, ColumnRef) and one.strength >= _OWN)
        or (isinstance(one, RowNoun) and word.endswith("s") and one.table in own)
        for one in known
    )


def _seen(look: Look, text: str, previous: Intent | None, read: Read) -> Reading:
    if look.whole:
        return read(look.said, previous)
    if look.columns and look.said:
        asked = read(look.said, None)
        if (
            not isinstance(asked.intent, DataIntent)
            or not _only_rows(asked.intent, look)
            or asked.intent.filters
        ):
            return replace(asked, intent=Refusal("too_much", ("same",)))
    if look.columns:
        return _of_columns(look, previous, read)
    befores = [previous] if _POINTS.search(text) else [None, previous]
    reading = read(look.said, befores[0])
    for before in befores[1:]:
        intent = reading.intent
        if isinstance(intent, Refusal) and intent.reason == "which_table" and isinstance(before, DataIntent):
            reading = read(look.said, before)
    intent = reading.intent
    if isinstance(intent, Refusal):
        return reading
    if not isinstance(intent, DataIntent) or not _only_rows(intent, look):
        return replace(reading, intent=Refusal("nothing"))
    kept = replace(intent, operation=look.operation, sort=look.sort, seed=look.seed, limit=look.limit)
    if look.operation in ("types", "memory") and (intent.filters or intent.save):
        return replace(reading, intent=Refusal("nothing"))
    return replace(reading, intent=kept)


def _only_rows(intent: DataIntent, look: Look) -> bool:
    """Whether the request names rows and nothing to compute of them."""
    plain = intent.operation == look.ends and intent.limit == (look.limit or _EVERYTHING)
    more = intent.groups or intent.measures or intent.plot or intent.order or intent.aggregates or intent.date
    return plain and not more


def _of_column(said: str, read: Read) -> Reading:
    """The different values of one column; ids are ids of a column `member_id`, too."""
    reading = read(said, None)
    if isinstance(reading.intent, Refusal) and said.endswith("s"):
        single = read(said[:-1], None)
        return single if isinstance(single.intent, DataIntent) else reading
    return reading


def _of_columns(look: Look, previous: Intent | None, read: Read) -> Reading:
    """Each column is read on its own; all of them must be of one table and under the same conditions."""
    readings = [_of_column(said, read) for said in look.columns]
    intents = [reading.intent for reading in readings]
    given = [one for one in intents if isinstance(one, DataIntent) and one.operation == "distinct"]
    if len(given) < len(intents) or not given:
        refusals = [reading for reading in readings if isinstance(reading.intent, Refusal)]
        return refusals[0] if refusals else replace(readings[0], intent=Refusal("nothing"))
    first = given[0]
    same = all((one.table, one.joined) == (first.table, first.joined) for one in given)
    conditions = [one.filters for one in given if one.filters]
    alone = all(len(one.measures) == 1 and not one.groups and not one.limit and not one.save for one in given)
    if not same or not alone or len(set(conditions)) > 1 or (look.operation == "types" and conditions):
        return replace(readings[0], intent=Refusal("nothing"))
    measures = tuple(dict.fromkeys(one.measures[0] for one in given))
    filters = conditions[0] if conditions else ()
    kept = replace(first, operation=look.operation, measures=measures, filters=filters)
    return replace(readings[0], intent=kept)
