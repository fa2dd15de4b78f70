"""Text tables that DuckDB reads directly as our readers would: which ones, and with which options."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from .blank_words import BLANK_TEXTS, BLANKS, LETTERS, SIGNS
from .column_types import SAMPLE, may_be_typed
from .csv_files import detect_layout
from .opening import kind_of, open_plain
from .text_lines import MAX_COMPLETE_BYTES

MAX_COLUMNS = 1_000
# Bytes inspected of a file longer than MAX_COMPLETE_BYTES.
HEAD = 1 << 18
_LONG_NUMBER = re.compile(r"[-+]?\d{19,}")


def is_text(name: str) -> bool:
    """Check by the name's suffix whether a file is a text table."""
    return name.lower().endswith((".csv", ".tsv", ".tab"))


def plain_separator(path: Path) -> str | None:
    """Return the separator of a text table that DuckDB reads directly, by its first lines; None for any other file.

    Raises Unreadable if it is not a table.
    """
    if not is_text(path.name):
        return None
    with open_plain(path, lambda _share: None) as file:
        head = file.read(MAX_COMPLETE_BYTES + 1)
    if kind_of(head):  # our readers know what it is
        return None
    is_complete = len(head) <= MAX_COMPLETE_BYTES
    if not is_complete:
        head = head[: head.rfind(b"\n", 0, HEAD) + 1] or head
    layout = detect_layout(io.BufferedReader(io.BytesIO(head)), is_complete=is_complete)  # pyright: ignore[reportArgumentType]
    heads = layout.heads
    plain = (
        layout.encoding.name in ("utf-8", "utf-8-sig")
        and layout.encoding.bad is None
        and len(layout.tables) == 1
        and set(layout.tables[0].options) <= {"sep", "encoding"}
        and 1 < len(heads) <= MAX_COLUMNS
        and all(heads)
        and len({head.casefold() for head in heads}) == len(heads)
        and not may_be_typed(heads, [layout.rows[row] for row in layout.tables[0].block.body[: SAMPLE + 1]])
        and not any(_LONG_NUMBER.fullmatch(field) for row in layout.rows for field in row)
    )
    return layout.separator if plain else None


def guessed(name: str, separator: str) -> str:
    """Return a `read_csv` that guesses types by the first rows. Only ISO days and times are converted: 01/02/2024
    stays text.
    """
    kinds = "['BOOLEAN', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR']"
    formats = "dateformat = '%Y-%m-%d', timestampformat = '%Y-%m-%d %H:%M:%S'"
    return f"read_csv({_options(name, separator)}, auto_type_candidates = {kinds}, {formats})"


def with_times(connection: Any, name: str, separator: str, columns: list[list[str]]) -> list[list[str]]:
    """Return the columns with those as TIMESTAMP that are ISO times in the first rows, which `guessed` leaves as text: with
    fractions of a second, with a T. Raises duckdb.Error.
    """
    texts = [head for head, kind in columns if kind == "VARCHAR"]
    if not texts:
        return columns
    conditions = ", ".join(
        f"bool_and(regexp_full_match({text}, '{duck.TIME}') AND TRY_CAST({text} AS TIMESTAMP) IS NOT NULL) "
        f"FILTER (WHERE {text} IS NOT NULL)"
        for text in map(duck.name, texts)
    )
    rows = f"SELECT * FROM {typed(name, separator, columns)} LIMIT {SAMPLE}"
    are_times = dict(
        zip(texts, connection.execute(f"SELECT {conditions} FROM ({rows})").fetchone(), strict=True)
    )
    return [[head, "TIMESTAMP" if are_times.get(head) else kind] for head, kind in columns]


def typed(name: str, separator: str, columns: list[Any]) -> str:
    """Return a `read_csv` with known columns and types ([name, type])."""
    types = ", ".join(f"{duck.text(head)}: {duck.text(kind)}" for head, kind in columns)
    return f"read_csv({_options(name, separator)}, auto_detect = false, columns = {{{types}}})"


def texts_hold_words(connection: Any, name: str, separator: str, columns: list[Any]) -> bool:
    """Check whether a column of text has words such as "NA" or "***", which DuckDB could only read as missing everywhere.

    Reads all of the file. Raises duckdb.Error.
    """
    texts = [duck.name(head) for head, kind in columns if kind == "VARCHAR"]
    if not texts:
        return False
    types = ", ".join(f"{duck.text(head)}: 'VARCHAR'" for head, _kind in columns)
    options = _options(name, separator, blanks=("",))
    words = ", ".join(duck.text(word) for word in BLANKS if word not in BLANK_TEXTS)
    signs = ", ".join(map(duck.text, sorted(SIGNS | LETTERS)))
    condition = " OR ".join(f"{text} IN ({words}) OR lower(trim({text})) IN ({signs})" for text in texts)
    reads = f"read_csv({options}, auto_detect = false, columns = {{{types}}})"
    return connection.execute(f"SELECT 1 FROM {reads} WHERE {condition} LIMIT 1").fetchone() is not None


def _options(name: str, separator: str, blanks: Sequence[str] = BLANKS) -> str:
    listed = ", ".join(map(duck.text, blanks))
    return (
        f"{duck.text(name)}, delim = {duck.text(separator)}, header = true, quote = '\"', escape = '\"', "
        f"comment = '', skip = 0, nullstr = [{listed}]"
    )
