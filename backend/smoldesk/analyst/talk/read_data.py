"""A request about a table becomes its intent, on its own or after the one before."""

from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Derived,
    Intent,
    Language,
    Refusal,
)
from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RoomRef,
    RowNoun,
    TableRef,
    Unknown,
    ValueRef,
    cues,
)
from smoldesk.analyst.questions.assemble import assemble, base
from smoldesk.analyst.questions.check import checked
from smoldesk.analyst.questions.derived import derive, said_by, with_derived
from smoldesk.analyst.questions.how_much import SPENT, asks_money
from smoldesk.analyst.questions.named_rows import told_of_named
from smoldesk.analyst.reading.choose_table import choose_table, without_bundled
from smoldesk.analyst.reading.collect import collect
from smoldesk.analyst.reading.resolve import Item, resolve, stray_words
from smoldesk.analyst.reading.row_columns import rows_by_their_names
from smoldesk.analyst.reading.tying_words import not_people, untied
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.talk.follow_up import continues_data
from smoldesk.analyst.talk.merge_data import merge_data


def read_data(request: Request, language: Language, catalogue: Catalogue, previous: Intent | None) -> Intent:
    mentions = request.mentions
    if not catalogue.tables:
        return Refusal("no_tables")
    if request.unknown and _names_dataset(mentions):
        return Refusal("no_dataset", tuple(request.unknown), tuple(table.name for table in catalogue.tables))
    if previous is None and "save" in cues(mentions, "op") and not _has_subject(mentions):
        return Refusal("nothing_to_save")
    last = previous.data if isinstance(previous, ColourRooms) else previous
    usual = last.table if isinstance(last, DataIntent) else ""
    catalogue = without_bundled(request.text, mentions, catalogue)
    table = choose_table(mentions, catalogue, usual)
    if request.unknown:
        shown = table if isinstance(table, TableInfo) and _certain(mentions, table) else None
        columns = _own_columns(shown) if shown else ()
        said = _not_known(mentions, shown)
        return Refusal("unknown", said, columns, shown.name if shown else "")
    if isinstance(table, Refusal):
        return (
            table
            if any(m.says("agg", "op", "plot", "noun") or m.all(RowNoun) for m in mentions)
            else Refusal("nothing")
        )
    kept = last.derived if isinstance(last, DataIntent) and last.table == table.name else ()
    table = with_derived(table, kept)
    made = derive(rows_by_their_names(resolve(mentions, table), table), table, request.text)
    items, table = made.items, made.table
    strays = stray_words(items)
    if (
        strays
        and (rooms := room_column(table, list(catalogue.room_names)))
        and _all_rooms_named(items, strays)
    ):
        return Refusal("no_value", tuple(strays), tuple(table.column(rooms).values), table.name)
    if strays:
        return Refusal("no_column", tuple(strays), _own_columns(table), table.name)
    ties = [word for word in untied(items, table) if not (word in SPENT and asks_money(request.text))]
    if ties := ties or not_people(items, table):
        return Refusal("too_much", tuple(ties), table=table.name)
    draft = collect(table, items, language, request.text)
    if isinstance(last, DataIntent) and continues_data(draft, last):
        merged = merge_data(draft, base(draft), last)
        merged = merged if isinstance(merged, Refusal) else told_of_named(merged, table)
        return _checked(merged, table, (*kept, *made.derived))
    if (
        draft.save
        and not draft.names_table
        and not draft.free()
        and not draft.aggregates
        and not draft.operations
        and not (draft.groups or draft.filters or draft.grain or draft.rows)
    ):
        return Refusal("nothing_to_save")
    return _checked(assemble(draft), table, made.derived)


def _not_known(mentions: tuple[Mention, ...], table: TableInfo | None) -> tuple[str, ...]:
    """The words that nothing knows, and those that only another table knows."""
    strays = {item.mention.start for item in resolve(mentions, table) if item.stray} if table else set[int]()
    return tuple(one.text for one in mentions if one.first(Unknown) or one.start in strays)


def _own_columns(table: TableInfo) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns if not is_duration(column))


def _checked(
    intent: DataIntent | Refusal, table: TableInfo, derived: tuple[Derived, ...]
) -> DataIntent | Refusal:
    return intent if isinstance(intent, Refusal) else checked(said_by(intent, derived), table)


def _all_rooms_named(items: list[Item], strays: list[str]) -> bool:
    return all(item.mention.all(RoomRef) for item in items if item.mention.text in strays)


def _has_subject(mentions: tuple[Mention, ...]) -> bool:
    """True when a request names something to compute or a table, rather than `it`."""
    kinds = (ColumnRef, ValueRef, TableRef, RowNoun)
    rows = {"head", "tail"} & set(cues(mentions, "op"))
    return bool(rows) or any(
        mention.says("agg") or any(mention.all(kind) for kind in kinds) for mention in mentions
    )


def _certain(mentions: tuple[Mention, ...], table: TableInfo) -> bool:
    refs = [ref for mention in mentions for ref in (*mention.all(ColumnRef), *mention.all(TableRef))]
    return any(ref.table == table.name for ref in refs)


def _names_dataset(mentions: tuple[Mention, ...]) -> bool:
    """`load the iris data`: the unknown word stands where a table's name would."""
    return any(m.says("noun") or m.cue("op") == "load" for m in mentions) and not any(
        m.all(ColumnRef) or m.all(ValueRef) or m.all(TableRef) for m in mentions
    )


def room_column(table: TableInfo, rooms: list[str]) -> str | None:
    """The column of a table that holds names of these rooms."""
    return next((column.name for column in table.columns if set(column.values) & set(rooms)), None)
