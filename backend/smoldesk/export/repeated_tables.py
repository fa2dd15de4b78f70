"""Markdown tables of an answer that repeat tables shown beside it. Pure.

Tables are compared cell by cell, as values: numbers may be rounded or grouped, blanks have several names, and the index
of a data frame may stand in front.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from smoldesk import messages as m
from smoldesk.export.cell_outputs import cell_text
from smoldesk.export.safe_markdown import MAX_MARKDOWN
from smoldesk.export.turns import Turn

BLANKS = {"", "-", "–", "—", "nan", "none", "null", "nat", "<na>"}
_MIDNIGHT = re.compile(r"(?<=^\d{4}-\d\d-\d\d)[t ]00:00(:00(\.0+)?)?z?$")
# A line that introduces what follows it.
_INTRODUCES = re.compile(r"[:：]\W*$")

Rows = Sequence[Sequence[str]]


def answer_of(turn: Turn) -> str:
    """Return the answer of a turn without the tables that its steps show."""
    pieces = (piece for step in turn.steps for piece in step.shown_pieces)
    return without_repeated(turn.answer, [piece.content for piece in pieces if isinstance(piece, m.Table)])


def without_repeated(markdown: str, tables: Sequence[m.TableContent]) -> str:
    """Return Markdown without tables that repeat one of `tables`, and without the line that introduces such a table, if
    other text remains.
    """
    if not tables or "|" not in markdown or len(markdown) > MAX_MARKDOWN:
        return markdown
    lines, blocks = markdown.split("\n"), _blocks(markdown)
    repeated = {
        at for at, block in enumerate(blocks) if any(_repeats(_cells(block), table) for table in tables)
    }
    titles = {
        at - 1
        for at in repeated
        if at > 0 and blocks[at - 1][0].type == "paragraph_open" and _INTRODUCES.search(_text(blocks[at - 1]))
    }
    if len(repeated | titles) < len(blocks):
        repeated |= titles
    for at in sorted(repeated, reverse=True):
        begin, end = blocks[at][0].map or (0, 0)
        del lines[begin:end]
    return "\n".join(lines).strip("\n") if repeated else markdown


def _blocks(markdown: str) -> list[list[Token]]:
    """Return the tokens of each block that is in no other one."""
    blocks: list[list[Token]] = []
    for token in _parser().parse(markdown):
        if token.level == 0 and token.nesting >= 0:
            blocks.append([token])
        else:
            blocks[-1].append(token)
    return blocks


def _cells(block: Sequence[Token]) -> Rows:
    """Return the texts of a table's cells, its head first; of any other block none."""
    rows: list[list[str]] = []
    for token in block if block[0].type == "table_open" else ():
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_text([token]))
    return rows


def _text(tokens: Iterable[Token]) -> str:
    return " ".join(
        "".join(child.content or " " for child in token.children or ()) for token in tokens if token.children
    ).strip()


def _repeats(rows: Rows, table: m.TableContent) -> bool:
    """Check whether rows of text, the head first, are the shown rows of a table."""
    if len(rows) != len(table.rows) + 1:
        return False
    if len(rows[0]) == len(table.columns) + 1 and rows[0][0] == "":  # the index of a data frame
        rows = [row[1:] for row in rows]
    expected = [[column.name for column in table.columns], *table.rows]
    return all(
        len(row) == len(values) and all(map(_is_written, row, values))
        for row, values in zip(rows, expected, strict=True)
    )


def _is_written(text: str, value: Any) -> bool:
    """Check whether a text is a value as people write it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(InvalidOperation, ValueError, OverflowError):
            written, exact = Decimal(text.replace(",", "").replace("−", "-")), Decimal(repr(value))
            unit = Decimal(1).scaleb(int(written.as_tuple().exponent))
            return abs(written - exact) <= unit / 2
        return False
    plain = _plain(text)
    return plain == _plain(cell_text(value)) or (value is None and plain in BLANKS)


def _plain(text: str) -> str:
    return _MIDNIGHT.sub("", " ".join(unicodedata.normalize("NFKC", text).split()).lower())


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
