"""`did Tom win`, `how many times has each team won`, `who won the final`, of a column called Winner: those who stand in it.

A table without such a column, or with cells that say how a match ended, keeps its words.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.text import (
    inflections,
    key,
    name_words,
    plain_name,
)

Rule = tuple[re.Pattern[str], str]
_WINNERS = frozenset(("winner", "winners", "victor", "champion"))
_WON = r"(?:win|won|wins)(?! (?:more|most|less|least|fewer|fewest|by)\b)"
_DID = r"(?:did|does|do|has|have|had)"
_NEVER = r"(?:n't| not| never)"
_EACH = r"(?:each|every)(?: (?:of the )?(?:person|player|one|team|side|club|winner|competitor|contestant|of them))?"


def winners(table: TableInfo) -> Iterator[Rule]:
    """The patterns for a table that has one column of winners, by its cells."""
    columns = [
        one for one in table.columns if one.kind == "text" and _WINNERS & set(name_words(one.name)[-1:])
    ]
    if len(columns) == 1 and not any("won" in name_words(one.name) for one in table.columns):
        yield from _by_each(columns[0])
        yield from _of_one(columns[0], table)


def _by_each(column: ColumnInfo) -> Iterator[Rule]:
    name = plain_name(column.name)
    often = rf"^how (?:many times|often|many [a-z]+) {_DID} {_EACH} {_WON}(?=[?.! ]*$)"
    yield re.compile(often, re.I), f"number of rows by {name}"
    yield (
        re.compile(r"^(?:and )?who (?:has )?won (?=(?:the|on|in|at)\b(?! most| least))", re.I),
        f"{name} of ",
    )


def _of_one(column: ColumnInfo, table: TableInfo) -> Iterator[Rule]:
    """A cell beside the verb, the longest first; what is asked stays before it."""
    name = plain_name(column.name)
    cells = "|".join(re.escape(cell) for cell in sorted(column.values, key=len, reverse=True) if cell.strip())
    if not cells:
        return
    who, which = rf"(?:the )?({cells})", "(?:(?:that|which) )?"
    played = {form for one in table.columns if one.kind == "text" for form in inflections(key(one.name))}
    times = "|".join(["many times", "often", *(f"many {re.escape(one)}" for one in sorted(played) if one)])
    yield re.compile(rf"\bhow (?:{times}) (?={_DID} {who}\b)", re.I), "how many rows "
    yield re.compile(rf"\b{which}{_DID}{_NEVER} {who} {_WON}", re.I), rf"where {name} is not \1"
    yield re.compile(rf"\b{which}{who} {_DID}{_NEVER} (?:ever )?{_WON}", re.I), rf"where {name} is not \1"
    yield re.compile(rf"\b(?:not|n't) won by {who}(?!\w)", re.I), rf"where {name} is not \1"
    yield re.compile(rf"\b{_DID} {who} (?:ever )?{_WON}", re.I), rf"where {name} is \1"
    yield (
        re.compile(rf"\b(?:(?:that|which) )?(?:was |were )?won by {who}(?!\w)", re.I),
        rf"where {name} is \1",
    )
    yield re.compile(rf"\b(?:that|which) {who} (?:has |had )?{_WON}", re.I), rf"where {name} is \1"
