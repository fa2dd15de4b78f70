"""`top five sellers`, `how much did we take`, `who won the most`: spoken of the column that counts, or tells, what was done."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import units
from smoldesk.analyst.words.text import name_words, plain_name

Rule = tuple[re.Pattern[str], str]
_SOLD = re.compile(r"\bsold\b|^units$|^qty sold$", re.I)
_INCOME = re.compile(
    r"^(?:total |gross |net )?(?:takings|revenue|sales|income|turnover|box office)\b|^order (?:value|total|amount)\b",
    re.I,
)
_TOOK = r"take|took|make|made|earn|earned|bring|brought|gross|grossed|pull|pulled|rake|raked"
_BOUND = r"(?:under|over|below|above|at most|at least|up to|less than|more than)"
_PAST = {"hold": "held", "keep": "kept", "sleep": "slept", "spend": "spent", "stay": "stayed", "wait": "waited",
         "work": "worked", "run": "run", "walk": "walked", "ride": "ridden", "play": "played", "drive": "driven",
         "rent": "rented", "sell": "sold", "use": "used", "eat": "eaten", "lose": "lost", "buy": "bought", "sit": "sat",
         "lend": "lent", "stand": "stood", "swim": "swum", "fly": "flown", "serve": "served", "read": "read"}  # fmt: skip


def amounts(table: TableInfo) -> Iterator[Rule]:
    """The patterns for one table."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id and not one.is_flag]
    yield from _done(numbers)
    yield from _sold(numbers)
    yield from _taken(numbers)
    yield from _walks(numbers)
    yield from _longest(numbers)
    yield from _won(table)


def _done(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """`how many days do we hold`, of a column Days held."""
    for column in numbers:
        words = name_words(plain_name(column.name))
        for verb, past in _PAST.items():
            if len(words) == 2 and words[1] == past and words[0].endswith("s"):
                whom = r"(?:do|did|does|have|has) (?:we|i|they|you|people|it)"
                asked = rf"\bhow (?:many|much) {words[0]}? ?{whom} (?:{verb}|{past})\b"
                yield re.compile(asked, re.I), f"{plain_name(column.name)} of"


def _sold(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """`number sold`, `top five sellers`: the one column of how many were sold."""
    column = _only(numbers, _SOLD)
    if column is None:
        return
    name = plain_name(column.name)
    yield re.compile(r"\btop (\w+) (?:best )?sellers?\b", re.I), rf"top \1 by {name}"
    yield re.compile(r"\b(?:best ?-?sellers|best ?-?selling ones)\b", re.I), f"top by {name}"
    rest = re.escape(name[name.lower().index("sold") + 4 :]) if "sold" in name.lower() else ""
    once = rf"(?!{rest}\b)" if rest else ""
    if name.lower() != "sold":
        yield (
            re.compile(rf"\b(?:(?:total |the )*number|units|total|quantity) sold\b{once}", re.I),
            f"total {name}",
        )
        yield re.compile(rf"\b(times|by|x|\*) sold\b{once}", re.I), rf"\1 {name}"


def _taken(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """`how much did we take`, `days where we made under 700`: the one column of money that came in."""
    column = _only(numbers, _INCOME)
    if column is None:
        return
    name = plain_name(column.name)
    whose = r"(?:we|i|they|you)"
    yield (
        re.compile(rf"\bhow much (?:money |cash )?(?:did|do|have) {whose} (?:{_TOOK})(?: in)?\b", re.I),
        f"total {name}",
    )
    yield (
        re.compile(
            rf"\b(?:where|when|that|which|on which) {whose} (?:{_TOOK})(?: in)? ({_BOUND} \D?\d[\d,.]*)"
            r"(?: (?:dollars|pounds|euros))?",
            re.I,
        ),
        rf"with {name} \1",
    )
    own = {word for one in numbers for word in name_words(one.name)}
    for word in {"sales", "revenue", "takings", "income", "turnover"} - own:
        yield re.compile(rf"\b{word}\b", re.I), name


def _walks(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """`within a 15 min walk of uni`, of a column Walk to uni (min)."""
    for column in numbers:
        match = re.fullmatch(
            r"(walk|drive|ride|bus|cycle|distance) (?:to|from) (?:the )?(.+)", plain_name(column.name), re.I
        )
        if match:
            far = r"(?:no more than |within |under |less than |at most )(?:an? )?(\d[\d.]*)[- ]?(?:min(?:ute)?s?|km|miles?|m)?"
            where = rf"(?:[' ]*(?:{match[1]}|walking|away))? (?:of|from|to) (?:the )?{re.escape(match[2])}\b"
            yield re.compile(rf"\b{far}{where}", re.I), rf"with {plain_name(column.name)} at most \1"


_MOST = "longest|shortest|biggest|largest|smallest|highest|lowest|heaviest|lightest|furthest|farthest"
_DOWN = ("shortest", "smallest", "lowest", "lightest")


def _longest(numbers: list[ColumnInfo]) -> Iterator[Rule]:
    """`how many nights was the longest stay`: the most of the column that is named."""
    for column in numbers:
        name = plain_name(column.name).lower()
        for end in _MOST.split("|"):
            figure = "minimum" if end in _DOWN else "maximum"
            yield (
                re.compile(
                    rf"^how many {re.escape(name)} (?:is|was|were|did) the {end} ([a-z]+)(?: last| take)?(?= *[?.]*$)",
                    re.I,
                ),
                f"{figure} {name}",
            )
        for unit in units(column.name):
            said = rf"{unit}s?|mins?" if unit == "minute" else rf"{unit}s?"
            yield (
                re.compile(
                    rf"\b(which .+?(?:{_MOST})\b.*?),? and how (?:many|much) (?:{said}) (?:is|was|does|did)"
                    r" (?:it|that)(?: last| take)?(?= *[?.]*$)",
                    re.I,
                ),
                r"\1",
            )


def _won(table: TableInfo) -> Iterator[Rule]:
    """`who won the most`, `wins by host`: rows by the column of winners."""
    winners = [one for one in table.columns if one.kind == "text" and name_words(one.name)[-1:] == ["winner"]]
    if len(winners) == 1:
        name = plain_name(winners[0].name)
        yield (
            re.compile(
                r"\bwho (?:has |have )?won (?:the )?most(?: often| games| times| nights| rounds| matches)?(?= *[?.]*$)",
                re.I,
            ),
            f"which {name} has the most rows",
        )
        yield re.compile(r"\b(?:number of |how many )?wins\b", re.I), "number of rows"


def _only(columns: list[ColumnInfo], said: re.Pattern[str]) -> ColumnInfo | None:
    found = [one for one in columns if said.search(plain_name(one.name))]
    return found[0] if len(found) == 1 else None
