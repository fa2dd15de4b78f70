"""Codes that name rows, however they are written: `a102` and `order 102` of `A-102`; also those that are not there."""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import ROW_NAMED, ValueRef
from smoldesk.analyst.reading.row_ids import id_columns, plain_code, same_shape
from smoldesk.analyst.request.called_rows import (
    Named,
    is_called,
    known_codes,
    noun_before,
)
from smoldesk.analyst.request.mentions import Request
from smoldesk.analyst.tables.catalogue import TableInfo

_CODE = re.compile(
    r"(?<![A-Za-z0-9/.-])[A-Za-z]{0,6}(?:[-_/ ]?\d[A-Za-z0-9]{0,11}){1,3}(?![A-Za-z0-9]|[-./]\d)"
)


_WORD = re.compile(
    r"(?:an?|at|in|on|of|to|by|nos?|top|for|and|or|is|are|was|last|first|over|under|than|from|with|the|next|only|id|day|week"
    r"|month|year|room|floor|class|grade|level|about|above|below|after|before|until|least|most|up|q) ",
    re.IGNORECASE,
)
"""Words that are no letters of a code, where a space stands behind them."""


def row_codes(request: Request, own: list[TableInfo]) -> Iterator[Named]:
    """`a102`, `order A-999`: codes of a column of codes, also those that are not there."""
    written = [
        said
        for said in _CODE.finditer(request.text)
        if re.match("[a-z]", plain_code(said[0])) and not _WORD.match(said[0])
    ]
    if not written:
        return
    columns = [
        (table, column, {plain_code(value): value for value in known_codes(table, column)})
        for table in own
        for column in id_columns(table)
        if column.kind == "text"
    ]
    for said in written:
        code = plain_code(said[0])
        refs = [
            ValueRef(table.name, column.name, values[code], ROW_NAMED)
            for table, column, values in columns
            if code in values
        ]
        if not refs:
            refs = [
                ValueRef(table.name, column.name, said[0].strip(), ROW_NAMED)
                for table, column, values in columns
                if same_shape(code, list(values))
            ]
        if refs:
            before = noun_before(request, said.start())
            called = before is not None and any(
                is_called(request, before.start, before.end, table, column) for table, column, _ in columns
            )
            yield Named(before.start if before and called else said.start(), said.end(), tuple(refs))
