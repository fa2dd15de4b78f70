"""Columns named after what was done to things, said as a sentence: `loaves were sold` of Loaves sold, `the queen not seen`.

And figures said by their unit: `how many tonnes of paper`, of a column `Paper (t)`. A rule needs the very words of the column,
so that a table without it keeps the request as it is.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import core_words, units
from smoldesk.analyst.words.text import key

_DONE = re.compile("[a-z]+(?:ed|en|wn|ld|nt|pt|ut|de|un|ught)")
_WERE = "(?:was|were|is|are|got|has been|have been|had been)"
_BOUND = (
    r"(?:(?:at least|at most|more than|fewer than|less than|over|under|above|below|up to|exactly|only) )?\d[\d,.]*"
    r"(?: (?:or|and) (?:more|fewer|less|over|under|above|below))?"
)
_FLOWS = frozenset(
    (
        "energy",
        "power",
        "electricity",
        "kwh",
        "water",
        "gas",
        "fuel",
        "heat",
        "steam",
        "diesel",
        "petrol",
        "current",
    )
)
_FLOWED = "delivered|supplied|dispensed|consumed|transferred|drawn|generated|provided|metered|pumped|discharged|taken"
"""What flows is measured where it goes in or out: the verb says no more than the column does."""
_UNITS = {
    "tonne": "tonnes?|tons?", "kilogram": "kilos?|kgs?|kilograms?", "gram": "grams?", "litre": "litres?|liters?",
    "kilometre": "kms?|kilometres?|kilometers?", "kilowatt hour": "kwhs?|kilowatt hours?",
}  # fmt: skip


def done_columns(table: TableInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """Patterns, and the words of a column that stand in their place."""
    done = [
        (words[0], words[1], column)
        for column in table.columns
        if len(words := core_words(column.name)) == 2 and words[0].isascii() and _DONE.fullmatch(words[1])
    ]
    heaps = [(thing, deed) for thing, deed, column in done if column.kind == "number" and not column.is_id]
    for thing, deed in heaps:
        for other in [second for first, second in heaps if first == thing and second != deed]:
            asked = (
                rf"^how many {thing} (?:{_WERE} )?{deed},? (?:but|and) (?:{_WERE} )?(?:not|never) {other}\b"
            )
            yield (
                re.compile(asked, re.I),
                f"difference between total {thing} {deed} and total {thing} {other}",
            )
        yield re.compile(rf"\b{thing} {_WERE} {deed}\b", re.I), f"{thing} {deed}"
        counted = rf"\b{deed} ({_BOUND}) {thing}\b(?! {deed})"  # affected at least 500 customers
        yield re.compile(counted, re.I), rf"with {thing} {deed} \1"
        yield from _bounded(thing, deed)
    for thing, deed, column in done:
        if no := _denial(column):
            said = rf"\b(?:{_WERE}|with|had|where) (?:the )?{thing} (?:{_WERE} )?(?:not|n't|never) {deed}\b"
            yield re.compile(said, re.I), f"with {thing} {deed} {no}"
    for column in table.columns:
        flow = core_words(column.name)[:1]
        if column.kind == "number" and flow and flow[0] in _FLOWS:
            yield re.compile(rf"\b({'|'.join(core_words(column.name))}) (?:{_FLOWED})\b", re.I), r"\1"
    for column in table.columns:
        said = "|".join(_UNITS[unit] for unit in units(column.name) if unit in _UNITS)
        words = core_words(column.name)
        if said and column.kind == "number" and all(re.fullmatch("[a-z]+", word) for word in words):
            yield (
                re.compile(rf"\bhow many (?:{said}) of (?:the )?{' '.join(words)}\b", re.I),
                f"total {' '.join(words)}",
            )


def _bounded(thing: str, deed: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """`who ask for under 80k` of a column Salary asked: the verb in any form, right before an amount of it."""
    if deed.endswith("ed"):
        bare = deed.removesuffix("ed")
        forms = f"(?:{bare}|{bare}e|{bare}s|{bare}es|{bare}ing|{deed})"
        amount = r"(?:under|over|above|below|up to|at least|at most|(?:more|less) than) [$€£]?\d[\d,.]*k?"
        yield re.compile(rf"\b{forms} (?:for )?({amount})(?![\w%])", re.I), rf"with {thing} {deed} \1"


def _denial(column: ColumnInfo) -> str:
    """How a column of yes and no says no."""
    if column.kind == "number" or not column.yes_no:
        return ""
    return next((value for value in column.values if key(value) in ("no", "n", "false")), "")
