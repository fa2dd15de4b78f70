"""Questions over two tables: asked to be joined, or naming columns that only both of them together have."""

import re
from collections.abc import Callable
from dataclasses import replace

from smoldesk.analyst.intents import (
    DataIntent,
    Intent,
    Join,
    Refusal,
)
from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Meaning,
    Mention,
    RowNoun,
    Skip,
    TableRef,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.questions.asked_when import about
from smoldesk.analyst.questions.joins import joined_name, joined_table, shared_columns
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.talk.follow_up import opens

Read = Callable[[Request, Catalogue], Intent]
_LACKING = ("no_column", "which_table", "which_column", "two_numbers")
"""Why one table alone could not answer."""
_BY = ("on", "by", "using", "via", "over", "on the", "by the", "using the")


def read_joined(request: Request, catalogue: Catalogue, previous: Intent | None, read: Read) -> Intent:
    """What `read` makes of a request, over two tables together where it asks for that or cannot do with one."""
    request = _joined_by_people(request, catalogue)
    mentions = request.mentions
    asked = any(mention.cue("op") == "join" and not _is_own(mention) for mention in mentions)
    tables = _tables(mentions, catalogue)
    if asked:
        if len(tables) != 2:
            own = tuple(table.name for table in catalogue.tables)
            return Refusal("which_table", choices=tuple(table.name for table in tables) or own)
        join = _join(mentions, *tables)
        return join if isinstance(join, Refusal) else _read(join, request, catalogue, read)
    leans = opens(request.text) or any(mention.says("follow") for mention in mentions)
    if isinstance(previous, DataIntent) and previous.joined and leans:
        return _read(previous.joined, request, catalogue, read)
    plain = read(request, catalogue)
    needed = isinstance(plain, Refusal) and plain.reason in _LACKING and not request.unknown
    if not needed or len(tables) != 2:
        return plain
    join = _join(mentions, *tables)
    both = plain if isinstance(join, Refusal) else _read(join, request, catalogue, read)
    return plain if isinstance(both, Refusal) else both


_VERB = re.compile(
    r"\b(?:when|who|did|does|do|has|have|had|since)\b(?!.*\b(?:tables?|files?|datasets?)\b).*\bjoin(?:s|ed)?\b",
    re.IGNORECASE,
)


def _joined_by_people(request: Request, catalogue: Catalogue) -> Request:
    """`when did Ana join`: what people do, which a column of days tells, and no joining of tables."""
    if not _VERB.search(request.text):
        return request
    return replace(request, mentions=tuple(_as_day(mention, catalogue) for mention in request.mentions))


def _as_day(mention: Mention, catalogue: Catalogue) -> Mention:
    if mention.cue("op") != "join" or mention.all(ColumnRef):
        return mention
    days = tuple(
        ColumnRef(table.name, column.name, 2.9)
        for table in catalogue.tables
        for column in table.columns
        if column.kind == "date" and about("join", column) and column.name.lower() not in ("date", "day")
    )
    return replace(mention, meanings=days or (Unknown(),))


def _is_own(mention: Mention) -> bool:
    """`joined`, of a column called so: a day, no joining of tables."""
    return any(ref.strength >= 2.75 for ref in mention.all(ColumnRef))


def _tables(mentions: tuple[Mention, ...], catalogue: Catalogue) -> list[TableInfo]:
    """The two tables in question: both named, or the two that together hold most words, or the only two there are."""
    own = [table for table in catalogue.tables if not table.bundled and not table.produced]
    named = {ref.table for mention in mentions for ref in mention.all(TableRef)}
    said = [table for table in catalogue.tables if table.name in named]
    if len(said) == 2:
        return said
    words = {
        table.name: {
            index
            for index, mention in enumerate(mentions)
            if any(ref.table == table.name for ref in (*mention.all(ColumnRef), *mention.all(ValueRef)))
        }
        for table in own
    }
    holding = [table for table in own if words[table.name]]
    if len(holding) == 2 and all(table in holding for table in said):
        return holding
    return own if len(own) == 2 else []


def _join(mentions: tuple[Mention, ...], left: TableInfo, right: TableInfo) -> Join | Refusal:
    """The longer table first; the key that is named, or the only evident one."""
    if right.rows > left.rows:
        left, right = right, left
    keys = shared_columns(left, right)
    said = [pair for pair in keys if any(_names_key(mention, left, pair[0]) for mention in mentions)]
    keys = said if len(said) == 1 else keys
    other = any(_names_other(mention, {left.name, right.name}, said) for mention in mentions)
    if len(keys) != 1 or other:
        choices = [one for one, _ in keys] or [
            *(c.name for c in left.columns),
            *(c.name for c in right.columns),
        ]
        return Refusal("no_key", (left.name, right.name), tuple(choices))
    return Join(left.name, right.name, *keys[0])


def _names_key(mention: Mention, left: TableInfo, column: str) -> bool:
    """`on customer id`, 顧客IDで: the key of a join rather than a column to compute with."""
    leads = mention.lead.rstrip().endswith(tuple(f" {word}" for word in _BY)) or mention.lead.strip() in _BY
    japanese = not mention.text.isascii() or not mention.lead.isascii()
    found = any(ref.table == left.name and ref.column == column for ref in mention.all(ColumnRef))
    return found and (leads or japanese)


def _names_other(mention: Mention, tables: set[str], said: list[tuple[str, str]]) -> bool:
    """`on city`, where the city is in one of the tables only."""
    leads = mention.lead.rstrip().endswith((" on", " using", " on the", " using the"))
    return leads and not said and any(ref.table in tables for ref in mention.all(ColumnRef))


def _read(join: Join, request: Request, catalogue: Catalogue, read: Read) -> Intent:
    table = joined_table(join, catalogue)
    names = {join.left, join.right}
    asked = any(mention.cue("op") == "join" for mention in request.mentions)
    left = catalogue.table(join.left)
    mentions: list[Mention] = []
    for mention in request.mentions:
        if mention.cue("op") == "join" or (asked and _names_key(mention, left, join.left_key)):
            meanings: tuple[Meaning, ...] = (Skip(),)
        else:
            meanings = tuple(_over(one, join, table) for one in mention.meanings if _kept(one, names))
        mentions.append(replace(mention, meanings=meanings or (Skip(),)))
    if asked:  # that they are joined is worth seeing, even when nothing is asked of them
        mentions.append(Mention(len(request.text), len(request.text), "", (TableRef(table.name),)))
    intent = read(Request(request.text, tuple(mentions)), replace(catalogue, tables=[table]))
    return replace(intent, joined=join) if isinstance(intent, DataIntent) else intent


def _kept(meaning: Meaning, names: set[str]) -> bool:
    if isinstance(meaning, ColumnRef | ValueRef | TableRef):
        return meaning.table in names
    return not (isinstance(meaning, Cue) and meaning.kind == "op" and meaning.value == "join")


def _over(meaning: Meaning, join: Join, table: TableInfo) -> Meaning:
    """A meaning in one of the two tables as one in both together."""
    if isinstance(meaning, ColumnRef | ValueRef):
        column = meaning.column
        if meaning.table == join.right:
            suffixed = f"{column} ({join.right})"
            names = {one.name for one in table.columns}
            column = join.left_key if column == join.right_key else suffixed if suffixed in names else column
        return replace(meaning, table=joined_name(join), column=column)
    if isinstance(meaning, TableRef | RowNoun) and meaning.table in (join.left, join.right):
        return replace(meaning, table=joined_name(join))
    return meaning
