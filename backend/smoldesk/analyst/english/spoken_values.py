"""Cells and flags said otherwise than written: French of France, chain saws of chainsaw, win the raffle of won raffle."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import units
from smoldesk.analyst.words.text import (
    key,
    name_words,
    plain_name,
    tidy,
)

Rule = tuple[re.Pattern[str], str]
_OF_COUNTRIES = {
    "france": "french", "germany": "german", "italy": "italian", "spain": "spanish", "portugal": "portuguese",
    "greece": "greek", "poland": "polish", "ireland": "irish", "scotland": "scottish", "wales": "welsh",
    "england": "english", "uk": "british", "japan": "japanese", "china": "chinese", "india": "indian",
    "sweden": "swedish", "norway": "norwegian", "denmark": "danish", "finland": "finnish",
    "netherlands": "dutch", "belgium": "belgian", "austria": "austrian", "switzerland": "swiss",
    "turkey": "turkish", "russia": "russian", "usa": "american", "canada": "canadian", "mexico": "mexican",
    "brazil": "brazilian", "argentina": "argentinian", "chile": "chilean", "peru": "peruvian",
    "colombia": "colombian", "australia": "australian", "egypt": "egyptian", "kenya": "kenyan",
    "ethiopia": "ethiopian", "thailand": "thai", "vietnam": "vietnamese", "korea": "korean",
    "hungary": "hungarian", "morocco": "moroccan",
}  # fmt: skip
_PAST = {"win": "won", "wins": "won", "pay": "paid", "lose": "lost", "get": "got", "break": "broke", "sell": "sold",
         "finish": "finished", "attend": "attended", "pass": "passed", "renew": "renewed", "return": "returned"}  # fmt: skip
_FIGURE = "total|average|mean|avg|median|maximum|minimum|max|min|most|fewest"
_HEADS = ("hours", "minutes", "days", "nights", "miles", "km")


def values_said(table: TableInfo) -> Iterator[Rule]:
    """The patterns for one table."""
    own = {key(value) for column in table.columns for value in column.values}
    for column in table.columns:
        if column.kind == "text":
            for value in column.values:
                yield from _of_country(value, own)
                yield from _in_two(value)
                yield (
                    re.compile(rf"\boutside (?:of )?(?:the )?({re.escape(value)})(?!\w)", re.I),
                    r"not in \1",
                )
        if column.yes_no:
            yield from _flag(column)
    yield from _heads(table)


def _of_country(value: str, own: set[str]) -> Iterator[Rule]:
    """`French wines`, where a cell says France."""
    said = _OF_COUNTRIES.get(key(value))
    if said and said not in own:
        yield re.compile(rf"\b{said}(?= [a-z])", re.I), value


def _in_two(value: str) -> Iterator[Rule]:
    """`chain saws`, where a cell says chainsaw."""
    word = key(value)
    if re.fullmatch("[a-z]{7,20}", word):
        halves = "|".join(f"{word[:at]}[ -]{word[at:]}" for at in range(3, len(word) - 2))
        yield re.compile(rf"\b(?:{halves})(?:s|es)?\b", re.I), value


def _flag(column: ColumnInfo) -> Iterator[Rule]:
    """`win the raffle` of a column won raffle, `back late` of late back."""
    words = name_words(column.name)
    if len(words) != 2:
        return
    name = re.sub(r"[?#:]", "", tidy(column.name)).strip()
    yield re.compile(rf"\b{words[1]} {words[0]}\b", re.I), name
    for verb, past in _PAST.items():
        if words[0] == past:
            yield re.compile(rf"\b{verb} (?:the |an? |their |its )?{words[1]}\b", re.I), name


def _heads(table: TableInfo) -> Iterator[Rule]:
    """`total hours by engineer`, where one column of figures begins with Hours and no other is in hours."""
    numbers = [
        one
        for one in table.columns
        if one.kind == "number" and not one.is_id and not re.search(r"\bper\b|/", one.name)
    ]
    for head in _HEADS:
        begun = [one for one in numbers if name_words(one.name)[:1] == [head]]
        others = [
            one
            for one in numbers
            if one not in begun and (head in name_words(one.name) or head.rstrip("s") in units(one.name))
        ]
        if len(begun) == 1 and not others and len(name_words(begun[0].name)) > 1:
            name = plain_name(begun[0].name)
            rest = "|".join(map(re.escape, name_words(begun[0].name)[1:]))
            yield (
                re.compile(
                    rf"\b({_FIGURE}) {head}(?=$|[?.!, ])(?! (?:{rest})\b)(?= (?:by|per|for|of|in|on|at|each)\b|[?.! ]*$)",
                    re.I,
                ),
                rf"\1 {name}",
            )
