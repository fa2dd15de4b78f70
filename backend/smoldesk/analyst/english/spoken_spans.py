"""English that ranks or counts days, weeks and months, in the words that the grammar reads: `top 3 months by glass`.

Where every month of a table is one row, its months are its rows: `how many months had more than 30 t of glass`.
"""

import re
from collections.abc import Iterator
from datetime import date

from smoldesk.analyst.tables.catalogue import TableInfo

_SPAN = r"(day|week|month|quarter|year)s"
_NUMBER = r"(\d+|two|three|four|five|six|seven|eight|nine|ten)"
_HIGH, _LOW = "top|best|highest|biggest|largest|busiest|strongest", "worst|lowest|smallest|weakest|bottom"
_END = r"[?.! ]*$"
_RANKED = re.compile(
    r"(?:(?:what|which) (?:are|were) |show (?:me )?|list |give me )?(?:the )?"
    rf"(?:({_HIGH}|{_LOW}) {_NUMBER}|{_NUMBER} ({_HIGH}|{_LOW})) {_SPAN} "
    rf"(?:by|for|in terms of|on|ranked by) (?:the )?(.+?){_END}",
    re.IGNORECASE,
)
_HAVING = re.compile(
    rf"(?:which|what|the) {_NUMBER} {_SPAN} (?:have|had|has|saw|got|with) (?:the )?"
    rf"(most|highest|largest|fewest|least|lowest|smallest) (.+?){_END}",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:in )?(?:which|what) (day|week|month|quarter|year) (?:had|has|have|saw|did we have|do we have|were there) (?:the )?"
    rf"(most|highest|biggest|largest|fewest|least|lowest|smallest) (.+?){_END}",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"(?:the )?year[- ](?:on|over)[- ]year (?:change|growth) (?:in|of) (?:the )?"
    rf"(.+?)( in percent| in %)?{_END}",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:in |on |for )?how many {_SPAN} (?:(was|were|is|are|did|do) (.+?) )?"
    r"(?=(?:had |have |has |saw |with )?(?:between|more|fewer|less|over|under|above|below|at least|at most)\b)"
    rf"(.+?){_END}",
    re.IGNORECASE,
)
_BLANK = re.compile(
    r"(?:(?:in |for |on )?(?:which|what)|(?:is|are|does|do|has|have) (?:there )?any) (day|week|month|quarter|year)s? (?:that )?"
    r"(?:(?:is|are|was|were|has|have|had) )?(?:missing|without|no|lack|lacks|lacking)(?: (?:a|an|any|its|their|the))? "
    r"(.+?)(?: (?:figure|value|number|entry|reading)s?)?"
    r"(?:[?.,;:]+ *(?:and |if so,? )?which(?: ones?)?(?: (?:is|are) (?:it|they|that|those))?)?"
    rf"{_END}",
    re.IGNORECASE,
)
_LISTED = re.compile(rf"\b(?:all |every |the |any )*{_SPAN} (?=with\b|where\b|when\b|that\b)", re.IGNORECASE)


def spoken_spans(text: str, tables: list[TableInfo]) -> Iterator[str]:
    """The requests that mean the same, if there are any; `tables` are a person's own."""
    said = text.strip()
    if ranked := _RANKED.match(said):
        word, number = ranked[1] or ranked[4], ranked[2] or ranked[3]
        yield f"{_direction(word)} {number} {ranked[6]} by {ranked[5].lower()}"
    if ranked := _HAVING.match(said):
        yield f"{_direction(ranked[3])} {ranked[1]} {ranked[4]} by {ranked[2].lower()}"
    if which := _WHICH.match(said):
        yield f"{_direction(which[2])} 1 {which[3]} by {which[1].lower()}"
    if yearly := _YEARLY.match(said):
        yield f"change in {yearly[1]} per year{yearly[2] or ''}"
    counted = _COUNTED.match(said)
    if counted and any(_is_one_row(table, counted[1].lower()) for table in tables[:1]):
        subject = f"{counted[3]} " if counted[3] else ""
        condition = re.sub(r"^(?:had|have|has|saw|with) ", "", counted[4], flags=re.IGNORECASE)
        yield f"how many rows have {subject}{condition}"
    blank = _BLANK.match(said)
    if blank and any(_is_one_row(table, blank[1].lower()) for table in tables[:1]):
        yield f"which rows have no {blank[2]}"
    listed = _LISTED.search(said)
    if listed and any(_is_one_row(table, listed[1].lower()) for table in tables[:1]):
        yield said[: listed.start()] + "all rows " + said[listed.end() :]


def _direction(word: str) -> str:
    """`best` and `worst` as they are: which way they look depends on the measure."""
    if word.lower() in ("best", "worst"):
        return word.lower()
    return "highest" if re.fullmatch(f"{_HIGH}|most", word, re.IGNORECASE) else "lowest"


def _is_one_row(table: TableInfo, span: str) -> bool:
    """Whether each day, or each month, of the only column of dates is one row: there are as many rows as of them, at most."""
    dates = [column for column in table.columns if column.kind == "date" and len(column.span) == 2]
    if len(dates) != 1 or dates[0].span_of_one != span or any(column.is_id for column in table.columns):
        return False
    first, last = dates[0].span
    if span == "month":
        long = (int(last[:4]) - int(first[:4])) * 12 + int(last[5:7]) - int(first[5:7]) + 1
    else:
        long = (date.fromisoformat(last[:10]) - date.fromisoformat(first[:10])).days + 1
    return long * 0.6 <= table.rows <= long
