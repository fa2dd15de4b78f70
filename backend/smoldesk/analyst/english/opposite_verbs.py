"""`released and kept fish`, of a yes/no column Released: the verb that says its no, alone or beside that of its yes."""

import re
from collections.abc import Callable, Iterable

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import core_words
from smoldesk.analyst.words.text import plain_name

_PAIRS = """
released kept, released retained, returned kept, sold unsold, paid unpaid, paid outstanding, passed failed,
approved rejected, approved denied, approved declined, accepted rejected, accepted declined, present absent,
attended missed, delivered undelivered, insured uninsured, employed unemployed, vaccinated unvaccinated,
resolved unresolved, solved unsolved, opened unopened, active inactive, completed unfinished, finished unfinished,
married unmarried, licensed unlicensed, furnished unfurnished, used unused, confirmed unconfirmed,
verified unverified, assigned unassigned, registered unregistered, won lost, survived died,
cancelled active, canceled active, churned active, cancelled running, expired active, signed unsigned"""
_PARTNERS: dict[str, set[str]] = {}
for _pair in _PAIRS.replace("\n", " ").split(","):
    _one, _other = _pair.split()
    _PARTNERS.setdefault(_one, set()).add(_other)
    _PARTNERS.setdefault(_other, set()).add(_one)
_BE = "(?:(?:was|were|is|are|got|have been|had been) )?"
_VERSUS = r"(?:vs\.?|versus|against|compared (?:to|with)|as opposed to)"
_AND = rf",? (?:and|or|than|{_VERSUS}) (?:how many |how much |the |those |ones )?(?:(?!not\b)[a-z]+ )??"
_APART = re.compile(r"\b(?:between|difference|than|more|less|fewer|higher|lower|or)\b", re.I)
_HOW_MANY = re.compile(r"^(?:and )?how many\b", re.I)


Known = Callable[[str], bool]


def opposite_verbs(text: str, tables: Iterable[TableInfo], known: Known, rows: Known) -> str:
    """The request with such verbs written by the column's own word; a verb that is `known` of the tables stays.

    `rows` tells the words that mean the rows.
    """
    for table in tables:
        for column in table.columns:
            word = _word(column)
            for other in sorted(_PARTNERS.get(word, ())):
                if not known(other) and re.search(rf"\b{other}\b", text, re.I):
                    text = _both(text, word, other, plain_name(column.name), rows)
                    text = re.sub(rf"\b(?:not|n't) {other}\b", word, text, flags=re.I)
                    text = re.sub(rf"\b{other}\b", f"not {word}", text, flags=re.I)
    return text


def _both(text: str, word: str, other: str, name: str, rows: Known) -> str:
    """`released and kept fish` are two groups; `between released and kept` and `released or kept` stay as they are."""
    if _APART.search(text):
        return text
    for first, second in ((word, other), (other, word)):
        said = re.compile(rf" ?\b{_BE}{first}{_AND}{_BE}{second}\b", re.I)
        if found := said.search(text):
            before, after = text[: found.start()], text[found.end() :].rstrip("?!. ")
            noun = re.match(r" ([a-z]+)\b", after)
            if noun and rows(noun[1].lower()):
                of = re.search(r" (?:of|for|between)(?: the)?$", before)
                before = before[: of.start()] if of else before
                after = after[noun.end() :] if of else f" rows{after[noun.end() :]}"
            return f"{before}{after} by {name}"
    return text


def unknown_side(text: str, table: TableInfo, known: Known) -> str:
    """`compare released and eaten fish`: the verb beside the column's own that no cell says; else empty."""
    for column in table.columns:
        if not (word := _word(column)):
            continue
        sides = (
            rf"\b{word} (?:and|or|{_VERSUS}) ([a-z]+(?:ed|en))\b(?! (?:by|for|than|at|over|under|\d))",
            rf"\b([a-z]+(?:ed|en)) (?:and|or|{_VERSUS}) {word}\b",
        )
        for side in sides:
            if (said := re.search(side, text, re.I)) and not known(said[1].lower()):
                return said[1]
    return ""


def _word(column: ColumnInfo) -> str:
    """The one word of a column of yes and no."""
    if not (column.kind == "bool" or column.yes_no or column.is_flag):
        return ""
    words = core_words(column.name)
    single = len(words) == 1 or (len(words) == 2 and words[0] in ("is", "was", "has"))
    return words[-1] if single and words[-1].isascii() else ""
