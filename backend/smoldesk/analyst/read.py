"""From a talk's requests to what the last one asks for. Start here to follow a question through the analyst.

text -> mentions -> (map | data | talk) intent, unless the text is an errand. A follow-up builds on the last intent that had an
answer; since reading is a pure function of the requests, a restart or another process reads the same.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from smoldesk.analyst.building.read_building import read_building
from smoldesk.analyst.building.read_map import is_map_request, read_map
from smoldesk.analyst.building.read_rooms import colour_rooms, colours_by_figure
from smoldesk.analyst.building.selected_rooms import Spot
from smoldesk.analyst.english.both_sides import both_sides
from smoldesk.analyst.english.listed_cells import by_figure, listed_cells
from smoldesk.analyst.english.opinions import asks_opinion
from smoldesk.analyst.english.opposite_verbs import opposite_verbs, unknown_side
from smoldesk.analyst.errands.follow_errand import continue_errand
from smoldesk.analyst.errands.read_errands import read_errands
from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Draw,
    Help,
    Intent,
    Language,
    ListDatasets,
    MapIntent,
    PlayRooms,
    Plot,
    Reading,
    Refusal,
)
from smoldesk.analyst.japanese.cells_in_heads import cell_endings
from smoldesk.analyst.japanese.heard_alike import heard_alike
from smoldesk.analyst.japanese.whole_words import with_whole_words
from smoldesk.analyst.meanings import (
    BrokenFile,
    ColumnRef,
    Cue,
    Mention,
    RoomRef,
    RowNoun,
    TableRef,
    Unknown,
    ValueRef,
    cues,
    found,
)
from smoldesk.analyst.reading.beside_columns import beside_columns
from smoldesk.analyst.reading.called_columns import called_columns
from smoldesk.analyst.request.mentions import Request, read_mentions
from smoldesk.analyst.request.number_ranges import cut_into_ranges, said_in_ranges
from smoldesk.analyst.request.numbered_rows import numbered_rows
from smoldesk.analyst.request.plain_mentions import plain_mentions
from smoldesk.analyst.request.plain_words import NOT_HEARD, plainer_words
from smoldesk.analyst.request.without_zeros import without_zeros
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.counted_things import counted_things
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.tables.near_words import near_words
from smoldesk.analyst.talk.follow_up import (
    begins,
    continues_map,
    merge_map,
    points_back,
)
from smoldesk.analyst.talk.lost_turns import builds_on_lost
from smoldesk.analyst.talk.read_data import read_data
from smoldesk.analyst.talk.read_joins import read_joined
from smoldesk.analyst.talk.read_looks import (
    read_looks,
    saves_nothing_named,
    seeded,
    with_all_rows,
)
from smoldesk.analyst.talk.read_numbers import read_numbers
from smoldesk.analyst.talk.regrouped import counts_nothing_asked, regrouped
from smoldesk.analyst.talk.saved_files import without_saved
from smoldesk.analyst.talk.that_one import about_that_one
from smoldesk.analyst.words.bracketed_words import said_once
from smoldesk.analyst.words.text import is_japanese, key, tidy

_LONGEST_TALK = 30


def read_talk(
    requests: list[str],
    lexicon: Lexicon,
    selections: Sequence[tuple[Spot, ...]] = (),
    tools: frozenset[str] = frozenset(),
) -> Reading:
    """What the last request asks for, with the requests before it as context (the 30 last ones).

    `selections` are the rooms that were selected when each was asked, `tools` those that can answer.
    """
    catalogue = replace(lexicon.catalogue, tools=tools)
    selected = dict(enumerate(selections))
    previous: Intent | None = None
    reading = Reading(Refusal("nothing"), "en")
    said, last = "", reading.intent
    for place, given in list(enumerate(requests))[-_LONGEST_TALK:]:
        read = partial(read_request, lexicon=lexicon, previous=previous)
        rooms = selected.get(place, ())
        request, completed = read_building(given, rooms, catalogue, reading.intent, previous, read)
        completed = completed or continue_errand(request, said, reading.intent, lexicon)
        reading = completed or read(request)
        mended: Reading | None = None
        again = partial(_read_after, lexicon=lexicon)
        if not completed and (mended := regrouped(said, last, request, again)):
            reading = mended
        elif isinstance(last, Refusal) and said and counts_nothing_asked(request, reading.intent):
            reading = replace(reading, intent=Refusal("nothing"))
        nothing = previous is None and isinstance(last, Refusal) and bool(said)
        if nothing and not mended and _leans_on_nothing(request, reading.intent):
            reading = replace(reading, intent=Refusal("nothing"))
        if lost := builds_on_lost(said, last, previous, reading.intent):
            reading = replace(reading, intent=lost)
        reading = seeded(reading, place + 1)
        said, last = request, reading.intent
        if isinstance(reading.intent, PlayRooms):
            previous = reading.intent.rooms
        if isinstance(reading.intent, DataIntent | MapIntent | ColourRooms):
            previous = reading.intent
    return replace(reading, turn=max(1, len(requests)))


def _read_after(text: str, previous: Intent | None, lexicon: Lexicon) -> Reading:
    return read_request(text, lexicon, previous)


_ALSO = re.compile(r"も(?:(?:同じように|同じく|同様に)(?:して|出して|お願い(?:します)?)?)?[。?？]?$")
"""数学も: what is asked of it was asked before."""


_ONLY = re.compile(r"(?:only|just)\b", re.IGNORECASE)
"""`only the claimed ones` asks for no share of anything."""


def _leans_on_nothing(request: str, intent: Intent) -> bool:
    """True for `and only on weekends` where the question before it had no answer to build on."""
    if not isinstance(intent, DataIntent):
        return False
    if _ALSO.search(tidy(request)) or saves_nothing_named(request):
        return True
    if _ONLY.match(tidy(request)) and intent.aggregates == ("share",) and intent.unnamed:
        return True
    return (
        begins(tidy(request))
        or points_back(tidy(request))
        or (intent.operation == "head" and bool(intent.filters) and not intent.limit)
    )


def read_request(text: str, lexicon: Lexicon, previous: Intent | None = None) -> Reading:
    """What one request asks for, after `previous`: how many rows things have, a look at a table, or anything else."""

    def read(said: str, before: Intent | None) -> Reading:
        return _read_given(said, lexicon, before)

    if numbers := read_numbers(text, lexicon, previous, read):
        return numbers
    look = read_looks(text, lexicon, previous, read)
    return with_all_rows(text, look or _read_given(text, lexicon, previous))


def _read_given(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    """In the words of the tables' own columns of yes and no; a verb beside one that no cell says is named."""
    own = [table for table in lexicon.catalogue.tables if not table.bundled and not table.produced]
    known = partial(_of_tables, lexicon=lexicon)
    said = opposite_verbs(text, own, known, partial(_means_rows, lexicon=lexicon))
    said = by_figure(
        listed_cells(said, partial(_is_cell, lexicon=lexicon)), partial(_is_figure, lexicon=lexicon)
    )
    reading = _read_before_saved(said, lexicon, previous)
    table = next((one for one in own if one.name == getattr(reading.intent, "table", "")), None)
    if table and isinstance(reading.intent, DataIntent) and (verb := unknown_side(said, table, known)):
        return replace(reading, intent=Refusal("unknown", (verb,), table=table.name))
    return reading


def _read_before_saved(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    """Of files that code saved only what nothing else can answer."""
    given = without_saved(text, lexicon, previous)
    if given is None:
        return _read_twice(text, lexicon, previous)
    reading = _read_twice(text, given, previous)
    if not isinstance(reading.intent, Refusal):
        return reading
    other = _read_twice(text, lexicon, previous)
    return reading if isinstance(other.intent, Refusal) else other


def _means_rows(word: str, lexicon: Lexicon) -> bool:
    """Whether it is a word for the rows of a table, or what a column calls them, and no cell of one."""
    known = lexicon.terms.get(key(word), ())
    return any(isinstance(one, RowNoun | ColumnRef) for one in known) and not any(
        isinstance(one, ValueRef) for one in known
    )


def _is_cell(word: str, lexicon: Lexicon) -> bool:
    """Whether a cell is called so."""
    return any(isinstance(one, ValueRef) for one in lexicon.terms.get(key(word), ()))


def _is_figure(word: str, lexicon: Lexicon) -> bool:
    """Whether it names a column of numbers for sure, and nothing that is not one."""
    named = [
        one for one in lexicon.terms.get(key(word), ()) if isinstance(one, ColumnRef) and one.strength >= 2.0
    ]
    own = {
        table.name: table for table in lexicon.catalogue.tables if not table.bundled and not table.produced
    }
    found = [own[one.table].column(one.column) for one in named if one.table in own]
    return bool(found) and all(
        one.kind == "number" and not (one.is_id or one.is_flag or one.yes_no) for one in found
    )


def _of_tables(word: str, lexicon: Lexicon) -> bool:
    """Whether a column or a cell is called so."""
    return any(isinstance(one, ColumnRef | ValueRef) for one in lexicon.terms.get(key(word), ()))


def _read_twice(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    """As it stands, and where that is not understood in plainer words; the first refusal counts if both are refused."""
    reading = _read_plainer(text, lexicon, previous)
    if isinstance(reading.intent, Refusal) and reading.intent.reason in NOT_HEARD and is_japanese(text):
        said, heard = heard_alike(text, lexicon)
        if heard:
            second = _read_plainer(said, lexicon, previous)
            if not isinstance(second.intent, Refusal | Help):
                return replace(second, mended=(*second.mended, *heard))
        if once := said_once(text, lambda said: _read_plainer(said, lexicon, previous).intent):
            return replace(_read_plainer(once, lexicon, previous), language=reading.language)
    return reading


def _read_plainer(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    reading = _read_request(text, lexicon, previous)
    for plainer in plainer_words(text, reading.intent, lexicon):
        second = _read_request(plainer, lexicon, previous)
        if not isinstance(second.intent, Refusal | Help):
            return replace(second, language=reading.language)
    return reading


def _read_request(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    if errand := read_errands(text, lexicon):
        return errand
    if ranges := said_in_ranges(text, lexicon):
        plain = _read_request(ranges.text, lexicon, previous)
        return replace(plain, intent=cut_into_ranges(plain.intent, ranges, lexicon.catalogue))
    if nought := without_zeros(
        text, lexicon.catalogue, previous, lambda rest: _read_request(rest, lexicon, previous).intent
    ):
        return Reading(
            nought[1], "ja" if is_japanese(text) else "en", _read_request(nought[0], lexicon, previous).mended
        )
    if one := about_that_one(text, previous, lexicon):
        return Reading(one, "ja")
    said = numbered_rows(read_mentions(text, lexicon), lexicon.catalogue)
    request = _plain_names(_plain_marks(said))
    counted = counted_things(request.mentions, request.text, lexicon.catalogue)
    beside = beside_columns(counted, lexicon.catalogue)
    beside = called_columns(beside, lexicon.catalogue)
    request = replace(request, mentions=near_words(plain_mentions(beside), lexicon.catalogue))
    language = language_of(request)
    mended = tuple((mention.text, mention.read_as) for mention in request.mentions if mention.read_as)
    intent = _intent(request, language, lexicon.catalogue, previous)
    intent = both_sides(intent, text, lexicon.catalogue)
    if isinstance(intent, Refusal):
        intent = with_whole_words(
            intent, request.mentions, request.text, cell_endings(lexicon.catalogue.tables)
        )
    return Reading(intent, language, mended)


def _plain_names(request: Request) -> Request:
    """`members by plan` asks nothing of the map: a word that is a column's own name is one, unless others speak of the map."""
    mapped = [mention for mention in request.mentions if mention.says("map", "dir")]
    sure = 2.2 if any(mention.says("agg", "per") for mention in request.mentions) else 2.75  # 間取り別
    named = [
        mention
        for mention in mapped
        if mention.cue("map") not in ("rooms", "floor")
        and any(ref.strength >= sure for ref in (*mention.all(ColumnRef), *mention.all(ValueRef)))
    ]
    if not named or len(named) < len(mapped) or found(request.mentions, RoomRef):
        return request
    kept = tuple(
        replace(
            mention,
            meanings=tuple(
                m for m in mention.meanings if not (isinstance(m, Cue) and m.kind in ("map", "dir"))
            ),
        )
        if mention in named
        else mention
        for mention in request.mentions
    )
    return replace(request, mentions=kept)


def _plain_marks(request: Request) -> Request:
    """`average maths mark` marks nothing on the map: a word of a table is one beside a word of computing."""
    if found(request.mentions, RoomRef):
        return request
    if _asks_colour(request):
        return replace(request, mentions=tuple(map(_unknown_colour, request.mentions)))
    if not any(mention.says("agg", "per", "top") for mention in request.mentions):
        return request
    kept = tuple(
        replace(mention, meanings=tuple(m for m in mention.meanings if m != Cue("map", "highlight")))
        if mention.all(ColumnRef) and mention.cue("map") == "highlight"
        else mention
        for mention in request.mentions
    )
    return replace(request, mentions=kept)


_COLOUR = re.compile(
    r"^(?:and )?(?:what|which) colou?rs? (?:is|was|are|were|does|do|did|has|have)\b", re.IGNORECASE
)


def _asks_colour(request: Request) -> bool:
    """`what colour is the Polo` asks for a column, whatever there is on the map."""
    return bool(_COLOUR.search(request.text)) and not any(
        mention.cue("map") in ("map", "floor", "rooms") for mention in request.mentions
    )


def _unknown_colour(mention: Mention) -> Mention:
    if mention.cue("map") != "highlight":
        return mention
    kept = tuple(m for m in mention.meanings if not (isinstance(m, Cue) and m.kind in ("map", "dir")))
    return replace(mention, meanings=kept or (Unknown(),))


def language_of(request: Request) -> Language:
    """Japanese when it has hiragana, or kanji and katakana beyond the names and cell values it mentions."""
    text = request.text
    for mention in reversed(request.mentions):
        if mention.all(ColumnRef) or mention.all(ValueRef) or mention.all(TableRef):
            text = text[: mention.start] + text[mention.end :]
    if is_japanese(text):
        return "ja"
    return (
        "ja"
        if is_japanese(request.text) and not any(char.isascii() and char.isalpha() for char in text)
        else "en"
    )


def _intent(request: Request, language: Language, catalogue: Catalogue, previous: Intent | None) -> Intent:
    mentions = request.mentions
    if talk := _talk(request):
        return talk
    if (broken := found(mentions, BrokenFile)) and "save" not in cues(mentions, "op"):
        return Refusal("broken_file", (broken[0].name,), (catalogue.broken[broken[0].name],))
    if thought := asks_opinion(request.text):
        return Refusal("beyond", (thought,))
    if beyond := [
        m.text
        for m in mentions
        if m.says("beyond") and not (m.all(ColumnRef) or m.all(ValueRef) or m.all(TableRef))
    ]:
        return Refusal("beyond", tuple(beyond))
    if drawn := cues(mentions, "draw"):
        if not request.unknown:
            return _drawn(drawn, cues(mentions, "plot"))
    elif "random" in cues(mentions, "map") and "scatter" in cues(mentions, "plot"):
        return Draw("random", "scatter")
    if continues_map(mentions, previous) and isinstance(previous, MapIntent) and not request.unknown:
        return merge_map(previous, mentions)
    on_map = "map" in cues(mentions, "map") and colours_by_figure(mentions)
    if on_map or is_map_request(mentions):
        if colours_by_figure(mentions):
            return colour_rooms(request, language, catalogue)
        return read_map(mentions, catalogue, language)
    if _asks_for_datasets(mentions) and not request.unknown:
        return ListDatasets()
    return read_joined(
        request, catalogue, previous, lambda said, tables: read_data(said, language, tables, previous)
    )


def _drawn(said: list[str], plots: list[str]) -> Draw:
    """Waves, or random data in the kind of plot that was asked for."""
    if "random" in said:
        return Draw("random", cast(Plot, next((plot for plot in plots if plot != "auto"), "scatter")))
    return Draw("both" if {"sine", "cosine"} <= set(said) else "cosine" if "cosine" in said else "sine")


def _talk(request: Request) -> Intent | None:
    """A greeting or a question about the analyst itself, with nothing else in it."""
    mentions = request.mentions
    if not mentions:
        return Refusal("nothing") if request.text.strip(" ?!？！。.") else Help(greeting=False)
    if all(mention.says("greet", "help", "follow", "and") for mention in mentions) and any(
        mention.says("greet", "help") for mention in mentions
    ):
        return Help(greeting=not any(mention.says("help") for mention in mentions))
    return None


def _asks_for_datasets(mentions: tuple[Mention, ...]) -> bool:
    if any(mention.all(ColumnRef) or mention.all(TableRef) for mention in mentions):
        return False
    if "datasets" in cues(mentions, "op"):
        return True
    said = cues(mentions, "noun")
    others = [m for m in mentions if not m.says("noun", "which", "follow", "and") and not m.all(RowNoun)]
    return bool(said) and not others
