"""English that speaks of what columns hold without naming them, written with their names: for a second reading.

`window state` of a column `window`, `under 700 a month` where one column is by the month, `do first timers train less` where
a column says who is one and another how much they train. A rule looks at what the columns are, so that a table without such
a column keeps the words as they are, and they are declined.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.english.done_columns import done_columns
from smoldesk.analyst.english.spoken_amounts import amounts
from smoldesk.analyst.english.spoken_comparisons import large_numbers, moved_by_unit, spoken_comparison
from smoldesk.analyst.english.spoken_gaps import days_apart
from smoldesk.analyst.english.spoken_makers import by_whom, by_year, each_led
from smoldesk.analyst.english.spoken_values import values_said
from smoldesk.analyst.english.winners import winners
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.text import (
    inflections,
    key,
    name_words,
    plain_name,
    rewritten,
    stem,
)

Rule = tuple[re.Pattern[str], str]
_FEW = 12
_STATE = "state|status|condition|setting|position"


def said_in_english(text: str, table: TableInfo, money: ColumnInfo | None = None) -> str:
    """The request with such words written as columns of the table; else as it is."""
    if compared := spoken_comparison(text, table, money):
        return compared
    text = _COMBINED.sub(r"\1 together", large_numbers(moved_by_unit(text, table), table))
    text = rewritten(text, _rules(table))
    return re.sub(r" {2,}", " ", text).strip()


_COMBINED = re.compile(
    r"\b((?:and|or) [^,;?]+?) (?:combined|taken together|put together|added together|as a group)\b", re.I
)


def _rules(table: TableInfo) -> Iterator[Rule]:
    yield from _states(table)
    yield _OFTEN_DONE, "most common "
    yield from _sorts(table)
    yield from _rates(table)
    yield from _less(table)
    yield from _forms_of_values(table)
    yield from _months(table)
    yield from by_year(table)
    yield from by_whom(table)
    yield from each_led(table)
    yield from amounts(table)
    yield from _speakers(table)
    yield from days_apart(table)
    yield from done_columns(table)
    yield from values_said(table)
    yield from winners(table)
    yield from _rolled(table)
    yield from _held(table)


_PARTS_OF_DAYS = ("night", "evening", "afternoon", "morning")


def _held(table: TableInfo) -> Iterator[Rule]:
    """`game nights`, `Catan nights`, of dated rows with a column Game: the rows; a column of nights keeps its word."""
    named = {
        form for column in table.columns for word in name_words(column.name) for form in inflections(word)
    }
    if named & set(_PARTS_OF_DAYS) or not any(column.kind == "date" for column in table.columns):
        return
    nights = f"(?:{'|'.join(_PARTS_OF_DAYS)})s"
    for column in table.columns:
        if column.kind == "text" and not column.yes_no:
            if re.fullmatch("[a-z]{3,}", noun := key(column.name)):
                yield (
                    re.compile(rf"\b{noun} {nights}\b(?: (?:are|were) (?:recorded|listed)\b)?", re.I),
                    "rows",
                )
            for value in column.values:
                yield re.compile(rf"\b({re.escape(value)}) {nights}\b", re.I), r"\1 rows"


def _rolled(table: TableInfo) -> Iterator[Rule]:
    """`rolling mean over 3 rows, in order of date`: of the one column of days, by which it goes anyway."""
    dates = [column for column in table.columns if column.kind == "date"]
    if len(dates) == 1:
        name = re.escape(plain_name(dates[0].name))
        order = (
            r",? (?:(?:sorted |ordered )?by|(?:sorted |ordered )?(?:in|in the) order of)(?: the| its| their)?"
        )
        rolls = r"^(?=.*\b(?:rolling|moving)\b)(.+?)"
        days = rf"(?:{name}(?: date)?|date|day)"
        yield re.compile(rf"{rolls}{order} {days}(?=[?.! ]*$)", re.I), r"\1"


def _states(table: TableInfo) -> Iterator[Rule]:
    """`by window state`: what a column of few values holds, whatever it is called."""
    words = {word for column in table.columns for word in name_words(column.name)}
    if words & set(_STATE.split("|")):
        return
    for column in table.columns:
        if (
            column.kind == "bool"
            or column.yes_no
            or (column.kind == "text" and 0 < len(column.values) <= _FEW)
        ):
            yield re.compile(rf"\b({re.escape(plain_name(column.name))}) (?:{_STATE})\b", re.I), r"\1"


_OFTEN_DONE = re.compile(
    r"\bmost (?:(?:frequently|often|commonly|regularly) (?:ordered|bought|purchased|sold|seen|made|taken|given|sent)"
    r"|(?:(?:frequently|often|commonly|regularly)[ -])?(?:booked|borrowed|visited|reported|used|requested|rented"
    r"|caught|treated|reserved|diagnosed|attended|called|chosen|occurring)) (?=[a-z])",
    re.I,
)
"""`the most booked class`, `the most frequently ordered item`: that of the most rows."""
_SORTS = frozenset(("type", "types", "category", "kind", "class", "reason", "group", "name"))
_OFTEN = "(?:most|least|more|less) (?:common|frequent|popular|typical|reported|usual|often)|commonest|rarest"

_COMES = "(?:comes?|came|occurs?|occurred|appears?|appeared|happens?|happened|crops?|shows?|turns?|pops?|gets?|is|was|has)"


def _sorts(table: TableInfo) -> Iterator[Rule]:
    """`the most common issue` of a column `Issue Type`, beside rows that are called issues, too."""
    for column in table.columns:
        words = name_words(column.name)
        if column.kind == "text" and len(words) == 2 and words[1] in _SORTS and words[0].isascii():
            noun = "|".join(map(re.escape, inflections(words[0])))
            name = plain_name(column.name)
            alone = rf"(?:{noun})\b(?! (?:{'|'.join(_SORTS)}))"
            yield re.compile(rf"\b({_OFTEN}|different|distinct) {alone}", re.I), rf"\1 {name}"
            yield (
                re.compile(rf"^(what|which) {alone}(?= {_COMES}\b.*\b(?:most|least)\b)", re.I),
                rf"\1 {name}",
            )


_RATE = re.compile(
    r"(?:per|/|each|a)\s*(week|month|day|year|night|hour|km|mile|kilometre)\b|\b(pcm|pw|pa)\b", re.I
)
_SHORT = {"pcm": "month", "pw": "week", "pa": "year"}
_LY = {"monthly": "month", "weekly": "week", "daily": "day", "yearly": "year", "annual": "year", "nightly": "night",
       "hourly": "hour"}  # fmt: skip


def _rate(column: ColumnInfo) -> str:
    """What a column's figures are for each of: week of km/week, month of Rent pcm."""
    if match := _RATE.search(column.name):
        return (match[1] or _SHORT[match[2].lower()]).lower()
    return next((_LY[word] for word in name_words(column.name) if word in _LY), "")


def _rates(table: TableInfo) -> Iterator[Rule]:
    """`under 700 a month` is the one column by the month; `per week` says no more beside a column by the week."""
    found = [(column, _rate(column)) for column in table.columns if column.kind == "number"]
    dated = any(column.kind == "date" for column in table.columns)
    for column, rate in found:
        if not rate or [one for _, one in found].count(rate) > 1:
            continue
        each = rf"(?:a|an|per|each|every) {rate}"
        bound = r"((?:under|over|below|above|up to|at most|at least|(?:less|more|cheaper) than) \D?\d[\d,.]*(?: [a-z]+)?)"
        yield re.compile(rf"\b{bound} {each}\b", re.I), rf"with {plain_name(column.name)} \1"
        if not dated:
            yield re.compile(rf"\b(more|less|fewer|longer|further|most|least) {each}\b", re.I), r"\1"


def _months(table: TableInfo) -> Iterator[Rule]:
    """`top 3 months by clicks`, where a row is a month."""
    dates = [column for column in table.columns if column.kind == "date"]
    if len(dates) == 1 and name_words(dates[0].name) == ["month"] and _is_each(dates[0], table):
        yield re.compile(r"\b(top|bottom|best|worst)( \w+)? months\b", re.I), r"\1\2 rows"
        yield re.compile(r"\bin months\b", re.I), "in rows"
        yield re.compile(r"^(which|what) month (had|has|saw|was|brought|got) (?=the\b)", re.I), r"\1 row \2 "


def _is_each(column: ColumnInfo, table: TableInfo) -> bool:
    """Whether there are about as many rows as months between the first day and the last: a row is a month."""
    if len(column.span) != 2:
        return False
    first, last = ([int(part) for part in day.split("-")[:2]] for day in column.span)
    return table.rows <= (last[0] - first[0]) * 12 + last[1] - first[1] + 1


_LESS = "more|less|fewer|longer|further|higher|lower"


def _less(table: TableInfo) -> Iterator[Rule]:
    """`do first timers train less`: two groups by a column of yes and no, and a measure said by its verb."""
    flags = [column for column in table.columns if column.yes_no or column.kind == "bool"]
    measures = [one for one in table.columns if one.kind == "number" and not one.is_flag and not one.is_id]
    for flag in flags:
        name = " ".join(name_words(plain_name(flag.name)))
        who = "|".join(re.escape(form) for form in {name, *inflections(name)} if form)
        for measure in measures:
            verbs = {stem(word) for word in name_words(plain_name(measure.name)) if len(word) > 3}
            said = "|".join(sorted(re.escape(verb) for verb in verbs if verb))
            if not said:
                continue
            asked = rf"^(?:do|did|does) (?:the )?(?:{who}) (?:{said})\w{{0,3}} (?:{_LESS})"
            than = r"(?: than (?:the )?(?:others?|rest|non-?\w+|everyone else))?(?: on average)?"
            apart = (
                r"(?:[?.,;]+ *(?:and |if so,? )?"
                r"(?:by how much|how much|what(?:'s| is|s) the (?:average )?difference)\b[^?.]*)?"
            )
            written = f"difference in average {plain_name(measure.name)} by {plain_name(flag.name)}"
            yield re.compile(rf"{asked}{than}{apart}[?. ]*$", re.I), written


def _speakers(table: TableInfo) -> Iterator[Rule]:
    """`the Spanish speakers`, of a column of languages: the rows with that cell."""
    spoken = [one for one in table.columns if {"language", "languages", "tongue"} & set(name_words(one.name))]
    if len(spoken) == 1 and (values := [re.escape(value) for value in spoken[0].values if value.strip()]):
        yield re.compile(rf"\b((?:{'|'.join(values)}))(?: |-)speak(?:ers?|ing)\b", re.I), r"\1 rows"


def _forms_of_values(table: TableInfo) -> Iterator[Rule]:
    """`when it rains`, `when it's sunny`, of a column of weather that holds rain and sun."""
    for column in table.columns:
        if column.kind != "text" or not 0 < len(column.values) <= _FEW:
            continue
        for value in column.values:
            word = key(value)
            if not re.fullmatch("[a-z]{3,12}", word):
                continue
            forms = rf"{word}(?:s|y|{word[-1]}y|ing|ed)"
            yield (
                re.compile(
                    rf"\b(?:when |if |while )?(?:it|it's|its|it is|it was|they're) (?:is |was )?{forms}\b",
                    re.I,
                ),
                f"with {value}",
            )
