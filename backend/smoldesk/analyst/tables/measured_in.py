"""The one unit that the figures of a column are in: of `Hours to Resolve`, `Fee (USD)`, 売上(千円), 配送日数."""

import re
from collections.abc import Iterator
from functools import lru_cache

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import unit_of
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.words.measures import kinds_of
from smoldesk.analyst.words.text import bracketed, key, name_words

_SPELLED = frozenset(
    ("second", "minute", "hour", "day", "week", "month", "year", "kilometre", "mile", "metre", "kilogram", "gram",
     "tonne", "litre", "kilowatt hour", "dollar", "euro", "pound", "yen")
)  # fmt: skip
"""Units that the first word of a name may say: Days open, Km driven."""
_SHORT_UNITS = {
    "yrs": "year", "yr": "year", "mths": "month", "mth": "month", "mos": "month", "wks": "week", "wk": "week", "hr": "hour",
    "hrs": "hour", "k€": "thousand euros", "k£": "thousand pounds", "k$": "thousand dollars", "億円": "hundred million yen",
}  # fmt: skip
"""Units as headers shorten them, which are no words of a request."""
_SHORT = 1
"""The m of `m visitors` may be millions: a first word that is a unit has more letters."""
_COUNTS = (
    ("日数", "day"),
    ("年数", "year"),
    ("月数", "month"),
    ("週数", "week"),
    ("分数", "minute"),
    ("秒数", "second"),
    ("時間数", "hour"),
)
_RATE = re.compile(r"/|\bper\b|毎|あたり|当たり")
_CURRENCY = re.compile(r"[$€£¥]")
_LARGE = re.compile(
    r"(?:in )?(?P<one>[$€£]|us\$|usd|eur|gbp) ?(?P<scale>k|000s?|'000s?|thousands?|m|mn|mil|millions?)"
    r"|(?P<scale2>k|thousands?(?: of)?|m|mn|millions?(?: of)?) ?(?P<two>[$€£]|usd|eur|gbp|dollars|euros|pounds)"
)
"""Cost ($k), Revenue (USD m): thousands and millions of a currency."""
_TEMPERATURE = re.compile(r"temp|気温|水温|室温|体温|温度")
_FAHRENHEIT = re.compile(r"[(\[]f[)\]]|[ _]f$|華氏")
_NO_TIME = re.compile(r"\b(?:of|in|built|founded|made|released|model|birth)\b")
"""`Year of birth` is no number of years."""


@lru_cache(maxsize=4096)
def unit_in_name(name: str) -> str:
    """The unit that a header says; empty where it says none, or figures of one thing per another."""
    for said in _said(name):
        if large := _LARGE.fullmatch(said):
            scale = "million" if (large["scale"] or large["scale2"]).startswith("m") else "thousand"
            money = unit_of((large["one"] or large["two"]).removeprefix("us")) or "dollar"
            return f"{scale} {money if money == 'yen' else f'{money}s'}"  # as words/measures has them
        if unit := unit_of(said) or _SHORT_UNITS.get(said, ""):
            return unit
    if _TEMPERATURE.search(name.lower()) and _FAHRENHEIT.search(name.lower()):
        return "fahrenheit"
    whole = "".join(name_words(name))
    return next((unit for ending, unit in _COUNTS if whole.endswith(ending)), "")


def _said(name: str) -> Iterator[str]:
    """Where a header may say its unit: in brackets, as its last word, glued to Japanese, or first of all."""
    yield from (part for part in bracketed(name))
    if mark := _CURRENCY.search(name):
        yield mark[0]
    words = name_words(name)
    if not words:
        return
    if not _RATE.search(key(name)) and len(words) > 1:
        yield words[-1]
    if tail := re.search(r"(?<=[^\x00-\x7f])[a-z%°]+$", words[-1]):
        yield tail.group()
    first = words[0]
    spelled = len(words) > 1 and len(first) > _SHORT and unit_of(first) in _SPELLED
    if spelled and not _RATE.search(key(name)) and not _NO_TIME.search(" ".join(words)):
        plural = first.endswith("s") or not (unit_of(first) or "").startswith(first)
        if plural or first == "km":
            yield first


def unit_of_column(column: ColumnInfo) -> str:
    """The unit of a column of numbers; empty where nothing says it."""
    if column.kind != "number" or column.is_id:
        return ""
    return "day" if is_duration(column) else unit_in_name(column.name)


def columns_measuring(kinds: frozenset[str], table: TableInfo) -> list[ColumnInfo]:
    """The columns whose unit says that they hold such figures, in the order of the table."""
    return [one for one in table.columns if kinds_of(unit_of_column(one)) & kinds]
