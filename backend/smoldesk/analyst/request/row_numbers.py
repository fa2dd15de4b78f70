"""Numbers that name rows: behind what the rows, or their ids, are called, in a list with such a one, or among the known ids.

A number that can be a limit, an amount or a day is none. An id that is not there is one, too: the code says so.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import (
    ColumnRef,
    RoomRef,
    RowNoun,
    Unit,
)
from smoldesk.analyst.reading.row_ids import id_columns, row_id
from smoldesk.analyst.request.called_rows import (
    MARK,
    Columns,
    Named,
    is_called,
    noun_before,
    refs_of,
)
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
)

_NUMBER = re.compile(
    r"(?:(?<=\bno\.)|(?<![A-Za-z0-9_.,$£€¥%/:+-]))(?P<mark>#|№)? ?(?P<number>\d{1,12})(?![A-Za-z0-9_%$€£]|[.,:/-]\d)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r" ?(?:以上|以下|以内|未満|超|より|件|個|回|人|名|円|つ|本|枚|点|年|月|日|時|分|秒|歳|代|台|冊|社|店|位|割|倍"
    r"|週|か月|ヶ月|泊|行|列|%|号室|階|番目|から\d|〜|~|or (?:more|less|fewer|above|below|over|under|higher|lower)\b"
    r"|and (?:over|above|below|under|up|more)\b|(?:to|-|–) ?\d)",
    re.IGNORECASE,
)
_BEHIND_JA = re.compile(r"番(?!目|線|台)(?:の(?P<noun>[^\x00-\x7fのはがを、。?？]{1,8}))?|号(?!室)")
_NEXT = re.compile(
    rf"(?: ?(?:,|and|&|or|vs\.?|versus|with|と|、|・|や|か|対)){{1,2}} ?(?:the )?{MARK}? ?"
    r"(?P<number>\d{1,12})(?![A-Za-z0-9_%]|[.,:/-]\d)",
    re.IGNORECASE,
)
_BARE_JA = re.compile(r"(?:^|[、。はがのと])$")
_BEHIND_BARE_JA = re.compile(r"[のはとをがって、。?？]|より|$")
_LIMIT = re.compile(
    r"\b(?:between|from|over|under|above|below|than|least|most|top|bottom|first|last|next|exceeds?|reach(?:es|ed)?|exactly"
    r"|equals?|per|every|around|roughly|nearly|almost|only|random|up|until|till|since|before|after|within"
    r"|or|plus|minus|times) ?$",
    re.IGNORECASE,
)
"""What makes a limit or an amount of the number behind it."""


def row_numbers(request: Request, tables: list[TableInfo], own: list[TableInfo]) -> Iterator[Named]:
    """Numbers behind a noun, and those in a list with the one before."""
    text, last = request.text, 0
    for said in _NUMBER.finditer(text):
        counted = _COUNTED.match(text, said.end())
        if said.start() < last or (counted and not (last and counted[0] == "より")):
            continue
        start, end, columns = _named(request, said, last > 0, tables, own)
        number = said["number"]
        if not columns:
            continue
        if len(number) < 3 and any(one.start == end + 1 and one.first(Unit) for one in request.mentions):
            continue  # fish 3 kg
        listed = _NEXT.match(text, end)
        if listed is not None and _COUNTED.match(text, listed.end()):
            listed = None
        if not said["mark"] and not listed and _is_plural(text[start:], number, columns):
            continue
        yield Named(start, end, refs_of(number, columns))
        while listed is not None:
            place, end = listed.start("number"), listed.end()
            close = _BEHIND_JA.match(text, end)
            end = close.start() + 1 if close else end
            yield Named(place, end, refs_of(listed["number"], columns))
            listed = _NEXT.match(text, end)
            if listed is not None and _COUNTED.match(text, listed.end()):
                listed = None
        last = end


def _named(
    request: Request, said: re.Match[str], named: bool, tables: list[TableInfo], own: list[TableInfo]
) -> tuple[int, int, Columns]:
    """From where to where a number names a row, and the columns whose number it is."""
    text, start, end = request.text, said.start(), said.end()
    if behind := _BEHIND_JA.match(text, end):
        nouned = behind["noun"] and [
            pair
            for table in tables
            for column in id_columns(table)
            if (pair := (table, column))
            and is_called(request, behind.start("noun"), behind.end("noun"), table, column)
        ]
        if nouned:
            return start, behind.end("noun"), nouned
        end = behind.start() + 1
    before = noun_before(request, start)
    if before is not None:
        found = [
            (table, column)
            for table in tables
            for column in id_columns(table)
            if is_called(request, before.start, before.end, table, column)
        ]
        own_word = set(inflections(key(before.text)))  # a ticket is no invoice where both are numbered
        exact = [pair for pair in found if own_word & {*name_words(pair[1].name), *name_words(pair[0].name)}]
        if found:
            return before.start, end, exact or found
        columns = [
            table.column(ref.column)
            for table in tables
            for ref in before.all(ColumnRef)
            if ref.table == table.name
        ]
        flags = all(column.yes_no or column.kind == "date" for column in columns)  # who delivered 70425
        if before.all(RowNoun) or before.all(RoomRef) or not flags:
            return start, end, []
    bare = [
        (table, column) for table in own if (column := row_id(table)) is not None and column.kind == "number"
    ]
    marked = re.search(rf"(?:^| ){MARK} ?$", text[: said.start("number")], re.IGNORECASE)
    denied = (
        marked and marked[0].strip().lower() == "no" and re.match(" [a-z]", text[end:])
    )  # no 3 star hotels
    if marked and len(bare) == 1 and not denied:
        return marked.start() + (text[marked.start()] == " "), end, bare
    if len(bare) != 1 or not _is_bare_id(text, said, end, behind is not None, named, *bare[0]):
        return start, end, []
    return start, end, bare


def _is_plural(said: str, number: str, columns: Columns) -> bool:
    """`show orders 5` can be a limit; `order 5`, `orders no. 5` and 注文5 cannot."""
    noun = re.match(r"[a-z]+(?= \d)", said, re.IGNORECASE)
    if noun is None:
        return False
    word = noun[0].lower()
    plural = word.endswith("s") and len(inflections(word)) > 1 and not word.endswith(("ss", "us", "is"))
    return plural and not any(len(number) > 2 and _holds(column, number) for _, column in columns)


def _holds(column: ColumnInfo, number: str) -> bool:
    return number in column.values or f"{number}.0" in column.values


def _is_bare_id(
    text: str, said: re.Match[str], end: int, counted: bool, named: bool, table: TableInfo, column: ColumnInfo
) -> bool:
    """`what category is 1009`, 1002の金額は, 12番の部署: among the ids that are known, and among no other numbers."""
    number = said["number"]
    known = _holds(column, number)
    others = [one for one in table.columns if one.kind == "number" and one != column]
    if counted:
        return known or not column.values
    if not known or len(number) < 3 or any(_holds(one, number) for one in others):
        return False
    year = len(number) == 4 and 1900 <= int(number) <= 2100
    if year and any(one.kind == "date" for one in table.columns):
        return False
    before = text[: said.start()]
    listed = _NEXT.match(text, end)
    if listed is not None and _holds(column, listed["number"]) and not _LIMIT.search(before):
        return True
    if is_japanese(text):
        return (
            bool(_BARE_JA.search(before.rstrip()))
            and not text.startswith("から", end)
            and bool(_BEHIND_BARE_JA.match(text, end))
        )
    other = re.search(r"\bthan ?$", before) and named
    return bool(other or not _LIMIT.search(before)) and not re.match(r" [a-z]+s\b", text[end:])
