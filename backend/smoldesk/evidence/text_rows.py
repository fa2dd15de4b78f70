"""Printed text as rows: the numbers of each line, its words and dates as labels, and names from a header above it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from smoldesk.evidence.date_finder import find_dates
from smoldesk.evidence.masking import plain
from smoldesk.evidence.number_words import COUNTERS
from smoldesk.evidence.run_values import PROVISIONAL, NumberCell, ValueRow
from smoldesk.evidence.units import unit_in, unit_of

MAX_LINE = 4_000
MAX_TABLES = 40
_VALUE = re.compile(
    r"(?<![A-Za-z0-9_第])(?<!\d\.)(?<![A-Za-z0-9]-)(?!\d+[-–]\d+\s{2}|\d+\+\s{2})(?P<money>[$€£¥])?(?P<value>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
    r"(?![\d]|\.\d|:\d)"
    r"(?P<unit>[ ]?(?:%|°C|℃|km|kg|[a-zA-Z]{1,3}\b|(?:[十百]?[千万億])?(?:円|ドル)|[mb]illion\b))?(?![A-Za-z0-9_])"
)
# Text between two numbers of a sentence, not of a table's line.
_PROSE = re.compile(r"(?!\s*(?:NaN|None|True|False|<NA>)\s*$)(?:\S* ?|\s*[/,;(]\s*)[^\W\d_](?!.*\s{2}).*")
# Names at the start of a line of numbers, such as `25%`, `10代` or `3+`.
_NUMBERED_NAME = re.compile(r"\s*(\d+(?:\.\d+)?%|\d+[^\W\d_a-z][^\s\d:：]*)(?:\s{2,}|[:：]\s*)(?=-?\d)")
_CODE = re.compile(r"[=;\"]|\w\(")
_PIECES = re.compile(r"\s{2,}|[:|,;=\t│()\[\]{}\"'→\0]+|\s-\s")
_NAME_BEFORE = re.compile(r"([^\s|,;:=(){}\[\]\"'][^|,;:=(){}\[\]\"'\t]{0,60}?)[\"']?\s*[:=：]\s*[($]?\s*$")
_COUNTER = re.compile(rf"(?:[十百]?[千万億兆])?(?:{COUNTERS})")
# A line that ends what a line before it says of preliminary values.
_FINAL = re.compile(r"(?i)^\s*$|\b(?:after|corrected|final|now|total)\b|後|確定|合計")
# A label in a printed line: it has letters, or is a range such as `0-1` or `6+`.
_LABEL = re.compile(r"[^\W\d_]|^\d+(?:[-–]\d+|\+)$")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass
class _Header:
    """Names of columns above lines of numbers, and of what the lines are of."""

    columns: list[str] = field(default_factory=list[str])
    index: list[str] = field(default_factory=list[str])
    line: str = ""
    is_used: bool = False
    """Whether lines of numbers follow it."""

    def after(self, line: str) -> "_Header":
        """Return the header that a line without numbers makes of this one."""
        names = [] if _CODE.search(line) else _names(line)
        if not names:
            return self if line.strip() else _Header()
        if not self.is_used and len(names) < len(
            self.columns
        ):  # a data frame has the name of its index below
            return _Header(self.columns, names, self.line)
        return _Header(names, line=line)

    def above(self, matches: Sequence[re.Match[str]]) -> list[str]:
        """Return the names that end where the values do, as those of a printed data frame; empty for others."""
        ends = [match.end() for match in matches]
        words = {word.end(): word[0] for word in re.finditer(r"\S+", self.line)}
        if len(matches) < 2 or not {*ends} <= {*words}:
            return []
        pieces = {piece.end(): piece for piece in re.finditer(r"\S+(?: \S+)*", self.line)}
        return [
            pieces[end][0]
            if end in pieces and sum(pieces[end].start() < other <= end for other in ends) == 1
            else words[end]
            for end in ends
        ]

    def split(self, count: int) -> tuple[list[str], list[str]]:
        """Return the names of `count` numbers, and of the labels before them."""
        if self.index or len(self.columns) < count:
            return (self.columns[-count:] if len(self.columns) >= count else []), self.index
        return self.columns[len(self.columns) - count :], self.columns[: len(self.columns) - count]

    @property
    def key(self) -> list[str]:
        """Names of the columns of a printed series without a name: that of its index alone."""
        return [self.columns[0], ""] if len(self.columns) == 1 and not self.index else []


def text_tables(text: str, first_line: int = 1) -> list[list[ValueRow]]:
    """Return the rows of a text's lines that hold numbers, those of each printed table by themselves.

    At least one table, at most MAX_TABLES: rows of texts with more are one.
    """
    tables: list[list[ValueRow]] = []
    for row in _rows(text, first_line):
        last = tables[-1][-1] if tables else None
        if last is not None and row.number - last.number <= 1 and _shape(row) == _shape(last):
            tables[-1].append(row)
        else:
            tables.append([row])
    for table in tables:
        _name_by_key(table)
    return tables if 0 < len(tables) <= MAX_TABLES else [[row for table in tables for row in table]]


def _shape(row: ValueRow) -> object:
    columns = [cell.column for cell in row.cells]
    return columns if len(columns) > 1 else bool(row.labels)


def _name_by_key(table: Sequence[ValueRow]) -> None:
    """Name the rows of a table without names by its first column, if that has different whole numbers."""
    if len(table) < 2 or any(row.labels or len(row.cells) < 2 for row in table):
        return
    keys = [row.cells[0].value for row in table]
    if len({*keys}) == len(keys) and all(key.is_integer() for key in keys):
        for row in table:
            row.labels.append((row.cells[0].column or "text0", f"{row.cells[0].value:.0f}"))


def _rows(text: str, first_line: int) -> Iterator[ValueRow]:
    header, is_provisional = _Header(), False
    for number, line in enumerate(text.split("\n"), first_line):
        line = plain(line[:MAX_LINE])
        dates = [*find_dates(line)] if re.search(r"\d[-/:年月]\d?", line) else []
        masked = line
        for date in dates:
            masked = masked[: date.start] + "\0" * (date.end - date.start) + masked[date.end :]
        matches = [*_VALUE.finditer(masked)]
        if not matches:
            header = header.after(line)
            is_provisional = bool(PROVISIONAL.search(line)) or (is_provisional and not _FINAL.search(line))
            continue
        labels = [date.text for date in dates]
        if len(matches) > 1 and (name := _NUMBERED_NAME.match(masked)):
            labels, matches = [name[1], *labels], matches[1:]
            masked = "\0" * name.end() + masked[name.end() :]
        elif len(matches) > 1 and re.fullmatch(r"\s*(?:19|20)\d\d", masked[: matches[0].end()]):
            end = matches[0].end()  # a year names its line
            masked = "\0" * end + masked[end:]
            labels, matches = [matches[0]["value"], *labels], matches[1:]
        header.is_used = True
        for row in _line_rows(masked, line, matches, header, number, labels):
            row.is_provisional = is_provisional or bool(PROVISIONAL.search(line))
            yield row


def _names(line: str) -> list[str]:
    """Return the names of columns in a line without numbers; empty for a line of dashes."""
    if not _LETTER.search(line):
        return []
    if "|" in line:
        return [piece.strip() for piece in line.strip().strip("|").split("|")]
    return (
        [piece for piece in re.split(r"\s{2,}|\t", line.strip()) if piece] if "  " in line else line.split()
    )


def _line_rows(
    line: str,
    written_line: str,
    matches: Sequence[re.Match[str]],
    header: _Header,
    number: int,
    dates: list[str],
) -> Iterator[ValueRow]:
    ends = [0, *(match.end() for match in matches)]
    names = [
        _NAME_BEFORE.search(written_line[max(end, match.start() - 80) : match.start()])
        for match, end in zip(matches, ends, strict=False)
    ]
    pieces = [piece.strip(" .*-#>") for piece in _PIECES.split(_VALUE.sub("  ", line))]
    if names[0] and not any(names[1:]):
        dates = [*dates, names[0][1].strip()]
        names[0] = names[0] if len(matches) == 1 else None
    first = line[: matches[0].start()].strip()
    pieces = [
        piece
        for piece in pieces
        if _LABEL.search(piece) and (piece == first or not _COUNTER.fullmatch(piece))
    ]
    pieces = [*dates, *pieces]
    columns: list[str] = []
    dimensions: list[str] = []
    is_prose = any(
        _PROSE.fullmatch(line[first.end() : second.start()]) for first, second in pairwise(matches)
    )
    if header.columns and not any(names) and not is_prose:
        is_indexed = len(pieces) + len(matches) > len(header.columns) + len(header.index)
        if (
            is_indexed and line[:1].isdigit() and len(matches) > 1 and not header.key
        ):  # the numbered index of a data frame
            matches, names = matches[1:], names[1:]
        columns, dimensions = header.split(len(matches))
        if len(matches) == 2 and not columns:
            columns = header.key
        if placed := header.above(matches):
            columns = placed
        elif placed := header.above(matches[1:]):  # the first is the index
            columns = ["", *placed]
    written = [name[1].strip() if name else "" for name in names]
    cells = [
        _cell(match, columns[at] if at < len(columns) else written[at]) for at, match in enumerate(matches)
    ]
    labels = [piece for piece in dict.fromkeys(pieces) if piece not in written or len(matches) == 1][:6]
    if not labels and len(matches) > 1 and all(written):  # {'Tokyo': 120, 'Osaka': 95}: a row for each name
        for cell, name in zip(cells, written, strict=True):
            yield ValueRow([replace(cell, column="")], [("name", name)], number)
        return
    named = len(dimensions) == len(labels)
    yield ValueRow(
        cells, [(dimensions[at] if named else f"text{at}", label) for at, label in enumerate(labels)], number
    )


def _cell(match: re.Match[str], column: str) -> NumberCell:
    digits = match["value"].replace(",", "")
    mantissa, _, exponent = digits.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - (int(exponent) if exponent else 0)
    money, scale = match["money"] or "", match["unit"] or ""
    written = unit_of(f"{scale} {money}" if money and scale else money or scale)
    return NumberCell(float(digits), column, places, unit_in(column) if written == ("", 1.0) else written)
