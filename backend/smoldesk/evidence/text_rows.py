"""Printed text as rows: the numbers of each line, its words and dates as labels, and names from a header above it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from smoldesk.evidence.date_finder import find_dates
from smoldesk.evidence.masking import plain
from smoldesk.evidence.number_words import COUNTERS
from smoldesk.evidence.run_values import NumberCell, ValueRow
from smoldesk.evidence.units import unit_in, unit_of

MAX_LINE = 4_000
_VALUE = re.compile(
    r"(?<![A-Za-z0-9_第])(?<!\d\.)(?P<money>[$€£¥])?(?P<value>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
    r"(?![\d]|\.\d|:\d)(?P<unit>[ ]?(?:%|°C|℃|km|kg|[a-zA-Z]{1,3}\b|円|ドル))?(?![A-Za-z0-9_])"
)
_PIECES = re.compile(r"\s{2,}|[:|,;=\t│()\[\]{}\"'→\0]+|\s-\s")
_NAME_BEFORE = re.compile(r"([^\s|,;:=(){}\[\]\"'][^|,;:=(){}\[\]\"'\t]{0,60}?)[\"']?\s*[:=：]\s*[($]?\s*$")
_COUNTER = re.compile(COUNTERS)
_LETTER = re.compile(r"[^\W\d_]")


@dataclass
class _Header:
    """Names of columns above lines of numbers, and of what the lines are of."""

    columns: list[str] = field(default_factory=list[str])
    index: list[str] = field(default_factory=list[str])

    def after(self, line: str) -> "_Header":
        """Return the header that a line without numbers makes of this one."""
        names = _names(line)
        if not names:
            return self if line.strip() else _Header()
        if self.columns and len(names) < len(self.columns):  # a data frame has the name of its index below
            return _Header(self.columns, names)
        return _Header(names)

    def split(self, count: int) -> tuple[list[str], list[str]]:
        """Return the names of `count` numbers, and of the labels before them."""
        if self.index or len(self.columns) < count:
            return (self.columns[-count:] if len(self.columns) >= count else []), self.index
        return self.columns[len(self.columns) - count :], self.columns[: len(self.columns) - count]


def text_rows(text: str, first_line: int = 1) -> Iterator[ValueRow]:
    """Yield the rows of a text's lines that hold numbers."""
    header = _Header()
    for number, line in enumerate(text.split("\n"), first_line):
        line = plain(line[:MAX_LINE])
        dates = [*find_dates(line)] if re.search(r"\d[-/:年月]\d?", line) else []
        masked = line
        for date in dates:
            masked = masked[: date.start] + "\0" * (date.end - date.start) + masked[date.end :]
        matches = [*_VALUE.finditer(masked)]
        if not matches:
            header = header.after(line)
            continue
        labels = [date.text for date in dates]
        if len(matches) > 1 and re.fullmatch(r"\s*(?:19|20)\d\d", masked[: matches[0].end()]):
            labels, matches = [matches[0]["value"], *labels], matches[1:]  # a year names its line
        yield from _line_rows(masked, line, matches, header, number, labels)


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
    if len(matches) == 1 and names[0]:
        dates = [*dates, names[0][1].strip()]
    pieces = [*dates, *(piece for piece in pieces if _LETTER.search(piece) and not _COUNTER.fullmatch(piece))]
    columns: list[str] = []
    dimensions: list[str] = []
    if header.columns and not any(names):
        is_indexed = len(pieces) + len(matches) > len(header.columns) + len(header.index)
        if is_indexed and line[:1].isdigit() and len(matches) > 1:  # the numbered index of a data frame
            matches, names = matches[1:], names[1:]
        columns, dimensions = header.split(len(matches))
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
    written = unit_of(match["money"] or match["unit"] or "")
    return NumberCell(float(digits), column, places, unit_in(column) if written == ("", 1.0) else written)
