"""From a talk's requests to what the last one asks for. Start here to follow a question through the analyst.

text -> mentions -> (map | data | talk) intent, unless the text is an errand. A follow-up builds on the last intent that had an
answer; since reading is a pure function of the requests, a restart or another process reads the same.
"""

from dataclasses import replace
from typing import cast

from backend.builtin.assemble import assemble, base
from backend.builtin.catalogue import Catalogue, TableInfo
from backend.builtin.check import checked
from backend.builtin.draft import collect
from backend.builtin.follow_errand import continue_errand
from backend.builtin.follow_up import continues_data, continues_map, merge_data, merge_map
from backend.builtin.intents import (
    ColourRooms,
    DataIntent,
    Draw,
    Help,
    Intent,
    Language,
    ListDatasets,
    MapIntent,
    Plot,
    Reading,
    Refusal,
)
from backend.builtin.lexicon import Lexicon
from backend.builtin.meanings import (
    BrokenFile,
    ColumnRef,
    Cue,
    FloorRef,
    Mention,
    RoomRef,
    RowNoun,
    TableRef,
    ValueRef,
    cues,
    found,
)
from backend.builtin.mentions import Request, read_mentions
from backend.builtin.read_errands import read_errands
from backend.builtin.read_joins import read_joined
from backend.builtin.read_map import all_rooms, is_map_request, read_map
from backend.builtin.resolve import Item, choose_table, resolve, stray_words
from backend.builtin.saved_files import without_saved
from backend.builtin.words import has_hiragana, is_japanese

_LONGEST_TALK = 30


def read_talk(requests: list[str], lexicon: Lexicon) -> Reading:
    """What the last request asks for, with the requests before it as context (the 30 last ones)."""
    previous: Intent | None = None
    reading = Reading(Refusal("nothing"), "en")
    said = ""
    for request in requests[-_LONGEST_TALK:]:
        completed = continue_errand(request, said, reading.intent, lexicon)
        reading, said = completed or read_request(request, lexicon, previous), request
        if isinstance(reading.intent, DataIntent | MapIntent | ColourRooms):
            previous = reading.intent
    return replace(reading, turn=max(1, len(requests)))


def read_request(text: str, lexicon: Lexicon, previous: Intent | None = None) -> Reading:
    """What one request asks for, after `previous`; of files that code saved only what nothing else can answer."""
    given = without_saved(text, lexicon, previous)
    if given is None:
        return _read_request(text, lexicon, previous)
    reading = _read_request(text, given, previous)
    if not isinstance(reading.intent, Refusal):
        return reading
    other = _read_request(text, lexicon, previous)
    return reading if isinstance(other.intent, Refusal) else other


def _read_request(text: str, lexicon: Lexicon, previous: Intent | None) -> Reading:
    if errand := read_errands(text, lexicon):
        return errand
    request = _plain_marks(read_mentions(text, lexicon))
    language = language_of(request)
    mended = tuple((mention.text, mention.read_as) for mention in request.mentions if mention.read_as)
    return Reading(_intent(request, language, lexicon.catalogue, previous), language, mended)


def _plain_marks(request: Request) -> Request:
    """`average maths mark` marks nothing on the map: a word of a table is one beside a word of computing."""
    if not any(mention.says("agg", "per", "top") for mention in request.mentions) or found(
        request.mentions, RoomRef
    ):
        return request
    kept = tuple(
        replace(mention, meanings=tuple(m for m in mention.meanings if m != Cue("map", "highlight")))
        if mention.all(ColumnRef) and mention.cue("map") == "highlight"
        else mention
        for mention in request.mentions
    )
    return replace(request, mentions=kept)


def language_of(request: Request) -> Language:
    """Japanese when it has hiragana, or kanji and katakana beyond the names and cell values it mentions."""
    text = request.text
    if has_hiragana(text):
        return "ja"
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
    on_map = "map" in cues(mentions, "map") and _colours_by_figure(mentions)
    if on_map or is_map_request(mentions):
        if _colours_by_figure(mentions):
            return _colour_rooms(request, language, catalogue)
        return read_map(mentions, catalogue, language)
    if _asks_for_datasets(mentions) and not request.unknown:
        return ListDatasets()
    return read_joined(
        request, catalogue, previous, lambda said, tables: _data(said, language, tables, previous)
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


def _colours_by_figure(mentions: tuple[Mention, ...]) -> bool:
    """True when rooms are to be drawn by a figure: a measure or `warmest`, and no colour of their own."""
    measured = any(
        mention.says("high", "low")
        or (mention.all(ColumnRef) and mention.cue("map") not in ("rooms", "floor"))
        for mention in mentions
    )
    rooms = any(mention.cue("map") == "rooms" for mention in mentions)
    return measured and (rooms or "map" in cues(mentions, "map")) and not cues(mentions, "colour")


def _colour_rooms(request: Request, language: Language, catalogue: Catalogue) -> Intent:
    """Rooms of a floor coloured by a figure: the data part is read as a question per room."""
    kept = tuple(
        mention
        for mention in request.mentions
        if not mention.all(FloorRef)
        and mention.cue("map") not in ("highlight", "map", "floor", "icon", "text")
    )
    intent = _data(Request(request.text, kept), language, catalogue, None)
    if not isinstance(intent, DataIntent):
        return intent
    if intent.date:
        return Refusal("too_much", (intent.grain or intent.date,))
    floors = found(request.mentions, FloorRef)
    table = catalogue.table(intent.table)
    for floor in [floors[0].floor] if floors else [catalogue.current_floor, *catalogue.rooms]:
        rooms = catalogue.rooms.get(floor, [])
        if column := _room_column(table, rooms):
            order = intent.order or ("asc" if "min" in intent.aggregates else "desc")
            if intent.operation == "aggregate" and "share" not in intent.aggregates:
                aggregates = intent.aggregates[:1]
                data = replace(intent, groups=(column,), aggregates=aggregates, plot="", order="", limit=0)
                said_top = any(mention.says("top") for mention in request.mentions)
                return ColourRooms(floor, tuple(rooms), data, order if said_top else "")
            return Refusal("which_column", choices=_numbers(table), table=table.name)
    return Refusal("no_column", ("room",), tuple(column.name for column in table.columns), table.name)


def _numbers(table: TableInfo) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns if column.kind == "number")


def _room_column(table: TableInfo, rooms: list[str]) -> str | None:
    """The column of a table that holds names of these rooms."""
    return next((column.name for column in table.columns if set(column.values) & set(rooms)), None)


def _data(request: Request, language: Language, catalogue: Catalogue, previous: Intent | None) -> Intent:
    mentions = request.mentions
    if not catalogue.tables:
        return Refusal("no_tables")
    if request.unknown and _names_dataset(mentions):
        return Refusal("no_dataset", tuple(request.unknown), tuple(table.name for table in catalogue.tables))
    if previous is None and "save" in cues(mentions, "op") and not _has_subject(mentions):
        return Refusal("nothing_to_save")
    last = previous.data if isinstance(previous, ColourRooms) else previous
    usual = last.table if isinstance(last, DataIntent) else ""
    table = choose_table(mentions, catalogue, usual)
    if request.unknown:
        shown = table if isinstance(table, TableInfo) and _certain(mentions, table) else None
        columns = tuple(column.name for column in shown.columns) if shown else ()
        return Refusal("unknown", tuple(request.unknown), columns, shown.name if shown else "")
    if isinstance(table, Refusal):
        return (
            table
            if any(m.says("agg", "op", "plot", "noun") or m.all(RowNoun) for m in mentions)
            else Refusal("nothing")
        )
    items = resolve(mentions, table)
    strays = stray_words(items)
    if (
        strays
        and (rooms := _room_column(table, list(all_rooms(catalogue))))
        and _all_rooms_named(items, strays)
    ):
        return Refusal("no_value", tuple(strays), tuple(table.column(rooms).values), table.name)
    if strays:
        return Refusal("no_column", tuple(strays), tuple(column.name for column in table.columns), table.name)
    draft = collect(table, items, language, request.text)
    if isinstance(last, DataIntent) and continues_data(draft, last):
        return _checked(merge_data(draft, base(draft), last), table)
    if (
        draft.save
        and not draft.names_table
        and not draft.free()
        and not draft.aggregates
        and not draft.operations
        and not (draft.groups or draft.filters or draft.grain or draft.rows)
    ):
        return Refusal("nothing_to_save")
    return _checked(assemble(draft), table)


def _checked(intent: DataIntent | Refusal, table: TableInfo) -> DataIntent | Refusal:
    return intent if isinstance(intent, Refusal) else checked(intent, table)


def _all_rooms_named(items: list[Item], strays: list[str]) -> bool:
    return all(item.mention.all(RoomRef) for item in items if item.mention.text in strays)


def _has_subject(mentions: tuple[Mention, ...]) -> bool:
    """True when a request names something to compute or a table, rather than `it`."""
    kinds = (ColumnRef, ValueRef, TableRef, RowNoun)
    return any(mention.says("agg") or any(mention.all(kind) for kind in kinds) for mention in mentions)


def _certain(mentions: tuple[Mention, ...], table: TableInfo) -> bool:
    refs = [ref for mention in mentions for ref in (*mention.all(ColumnRef), *mention.all(TableRef))]
    return any(ref.table == table.name for ref in refs)


def _names_dataset(mentions: tuple[Mention, ...]) -> bool:
    """`load the iris data`: the unknown word stands where a table's name would."""
    return any(m.says("noun") or m.cue("op") == "load" for m in mentions) and not any(
        m.all(ColumnRef) or m.all(ValueRef) or m.all(TableRef) for m in mentions
    )
