"""How far apart two sides are, asked as a comparison: `how much more did Hull pay than York`.

Written as the difference that the grammar knows, where both sides are cells of one column, months, weekdays or years, and a
measure is named, or meant by the word of comparison. Where it is not plain what is compared the request stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts, unit_of, units
from smoldesk.analyst.words.text import (
    inflections,
    key,
    name_words,
    tidy,
)

_UP = (
    "more|higher|larger|bigger|greater|longer|older|heavier|taller|better|hotter|warmer|faster|slower|later|deeper|wider|farther"
    "|further|costlier|pricier|dearer|richer|busier|stronger"
)
_DOWN = "less|fewer|lower|smaller|shorter|younger|lighter|cheaper|colder|cooler|quicker|sooner|worse|weaker"
_ASKED = re.compile(
    r"^(?:and |so |on average,? )?(?:by )?how (?P<many>much|many)(?P<unit>(?: [a-z%€$£]+){0,2}?) "
    rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b(?: (?P<adjective>expensive|costly|pricey))?"
    r"(?P<first>.*?) than (?P<second>.+?)[?.! ]*$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"\bhow many (?:[a-z]+ ){{0,2}}(?:{_UP}|{_DOWN})\b(?: [a-z]+){{0,2}}"
    r" (?:is|are|was|were|do|does|did|has|have) .*\bthan (?!\d)",
    re.IGNORECASE,
)
MEANT = {
    "longer": "duration", "shorter": "duration", "slower": "duration", "faster": "duration", "quicker": "duration",
    "older": "age", "younger": "age", "heavier": "weight", "lighter": "weight", "taller": "height",
    "hotter": "temperature", "warmer": "temperature", "colder": "temperature", "cooler": "temperature",
    "deeper": "depth", "wider": "width", "farther": "distance", "further": "distance",
    "cheaper": "price", "costlier": "price", "pricier": "price", "dearer": "price",
}  # fmt: skip
_PAYS = frozenset((
    "pay", "pays", "paid", "paying", "spend", "spends", "spent", "spending", "cost", "costs", "costing",
    "earn", "earns", "earned", "make", "makes", "made", "charge", "charges", "charged", "expensive",
    "costly", "pricey", "bring", "brings", "brought", "take", "takes", "took", "sell", "sells", "sold",
    "raise", "raised", "give", "gave",
))  # fmt: skip
_SMALL = frozenset((
    "a", "an", "the", "our", "my", "their", "his", "her", "its", "of", "in", "on", "at", "to", "for", "by",
    "with", "from", "and", "do", "does", "did", "is", "are", "was", "were", "be", "been", "has", "have",
    "had", "it", "we", "they", "you", "i", "one", "ones", "those", "that", "usually", "typically", "there",
    "get", "gets", "got", "getting", "score", "scores", "scored", "do", "doing", "take", "takes", "took",
    "last", "lasts", "lasted", "come", "comes", "came", "need", "needs", "needed", "perform", "performed",
    "go", "went", "cost", "costs", "pay", "paid", "spend", "spent", "earn", "earns", "earned", "make",
    "made", "money", "cash", "charge", "charges", "charged", "weigh", "weighs", "weighed", "than",
))  # fmt: skip
_FIGURES = {"average": "average", "mean": "average", "avg": "average", "median": "median", "total": "total",
            "altogether": "total", "overall": "total", "combined": "total"}  # fmt: skip
_MONEY = frozenset(("dollar", "euro", "pound", "yen"))
_PARTS = ("percent", "%", "percentage")
_GRADED = frozenset(("points", "marks", "point", "mark"))
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))(?: (?:19|20)\d\d)?"
)
_TIMES = re.compile(
    rf"\b(?:{_MONTH}|(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?)\b", re.I
)
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*|%")


@dataclass(frozen=True)
class _Side:
    """A side as it was said, the column it is a cell of (empty for a time), and what stands around it."""

    said: str
    column: str
    rest: str


def asks_how_many_more(text: str) -> str:
    """The words that ask for a difference by its unit, `how many weeks longer does`; empty where none do."""
    said = _HOW_MANY.search(text)
    return said[0] if said else ""


def spoken_comparison(text: str, table: TableInfo, money: ColumnInfo | None) -> str:
    """The request as a difference; empty where it is none, or not plain; `money` is what a row costs."""
    asked = _ASKED.match(text.strip())
    if asked is None:
        return ""
    for first in _sides(asked["first"], table):
        for second in _sides(asked["second"], table):
            if first.column == second.column and key(first.said) != key(second.said):
                return _written(asked, first, second, table, money)
    return ""


_MOVED = re.compile(
    r"\b(?:by )?how many ([a-z]+) (did .+? (?:change|rise|grow|increase|fall|drop|decrease|decline|shrink|go up|go down)"
    r" (?:from|between) .+)",
    re.IGNORECASE,
)
_LARGE = {"million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
_IN_LARGE = {
    "million": re.compile(r"[(\[/ _](?:m|mn|mio|mill|millions?)\b[)\]]?$|\bin millions?\b|_m$", re.I),
    "billion": re.compile(r"[(\[/ _](?:b|bn|billions?)\b[)\]]?$|\bin billions?\b|_bn$", re.I),
}


def moved_by_unit(text: str, table: TableInfo) -> str:
    """`how many tonnes did the output fall from 2010 to 2020`: the unit goes where a column of numbers is in it."""
    said = _MOVED.search(text)
    unit = unit_of(said[1].lower()) if said else None
    if (
        said is None
        or unit is None
        or not any(unit in units(one.name) for one in table.columns if one.kind == "number")
    ):
        return text
    named = [
        one
        for one in table.columns
        if unit in units(one.name) and set(name_words(one.name)) & set(name_words(said[2]))
    ]
    return f"{text[: said.start()]}how much {said[2]}" if named else text


def large_numbers(text: str, table: TableInfo) -> str:
    """`40 million` is 40 of a column in millions, and 40000000 where no column is in them."""

    def written(said: re.Match[str]) -> str:
        word = {"mn": "million", "bn": "billion"}.get(said[2].lower(), said[2].lower())
        scaled = [
            one
            for one in table.columns
            if one.kind == "number" and word in _IN_LARGE and _IN_LARGE[word].search(one.name)
        ]
        return said[1] if scaled else f"{float(said[1].replace(',', '')) * _LARGE[said[2].lower()]:.0f}"

    return re.sub(rf"(\d[\d,]*(?:\.\d+)?) ({'|'.join(_LARGE)})\b", written, text, flags=re.I)


def _sides(text: str, table: TableInfo) -> Iterator[_Side]:
    """The cells and times that a half of the sentence names, the longest first."""
    found: list[tuple[int, re.Match[str], str]] = []
    for column in table.columns:
        if column.kind == "text" and not column.is_id:
            for value in column.values:
                said = "|".join(re.escape(one) for one in {tidy(value), *_forms(value)} if one)
                if said and (match := re.search(rf"(?<![\w-])(?:{said})(?:'s?)?(?![\w-])", text, re.I)):
                    found.append((len(match[0]), match, column.name))
    if not found:
        found = [(len(match[0]), match, "") for match in _TIMES.finditer(text)]
    for _, match, column in sorted(found, key=lambda one: -one[0]):
        said = re.sub(r"'s?$", "", match[0])
        yield _Side(said, column, f"{text[: match.start()]} {text[match.end() :]}")


def _forms(value: str) -> Sequence[str]:
    word = key(value)
    return inflections(word) if re.fullmatch("[a-z]{3,}", word) else ()


def _written(
    asked: re.Match[str], first: _Side, second: _Side, table: TableInfo, money: ColumnInfo | None
) -> str:
    words = [one.lower() for one in _WORD.findall(f"{asked['unit']} {first.rest} {second.rest}")]
    percent = any(word in _PARTS for word in words) or "per cent" in asked["unit"].lower()
    figure = next((_FIGURES[word] for word in words if word in _FIGURES), "")
    measure = _measure(asked, words, table, money)
    if measure is None and asked["unit"].strip():
        return ""
    sides = (second, first) if asked["down"] and not percent else (first, second)
    own = set(name_words(measure.name)) if measure else set[str]()
    if measure:
        own |= {form for word in own for form in inflections(word)}
        own |= _said_units(measure, words)
    rest = _rest(f"{first.rest} {second.rest}", own)
    if measure is None:
        if asked["many"].lower() != "many" or figure in ("average", "median"):
            return ""
        return f"difference in number of {rest or 'rows'} between {sides[0].said} and {sides[1].said}"
    if any(
        word not in own | _SMALL | set(_FIGURES) and word not in _PARTS
        for word in asked["unit"].lower().split()
    ):
        return ""
    name = re.sub(r"\s*[\(\[][^()\[\]]*[\)\]]|[?#:]|/ ?\d+", "", tidy(measure.name)).strip()
    asks = f"difference in {figure} {name} between {sides[0].said} and {sides[1].said} {rest}"
    return re.sub(r" {2,}", " ", asks).strip() + (" in percent" if percent else "")


def _said_units(measure: ColumnInfo, words: Sequence[str]) -> set[str]:
    """The words that are the measure's own unit: euros of money, points of a score."""
    own = units(measure.name)
    graded = _GRADED if not own else frozenset[str]()
    return {
        word
        for word in words
        if (unit := unit_of(word)) in own
        or (unit in _MONEY and not own & _MONEY and _is_money(measure))
        or word in graded
    }


def _is_money(measure: ColumnInfo) -> bool:
    return bool(
        set(concepts(measure.name)) & {"amount", "price", "sales", "salary", "cost", "income", "fare", "fee"}
    )


def _measure(
    asked: re.Match[str], words: Sequence[str], table: TableInfo, money: ColumnInfo | None
) -> ColumnInfo | None:
    """The one measure that is named, else that of the word of comparison, else the money that is paid."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id and not one.is_flag]
    said = {form for word in words for form in (word, *inflections(word))}
    scored = [(len(said & (set(name_words(one.name)) - _SMALL - set(_FIGURES))), one) for one in numbers]
    best = max((score for score, _ in scored), default=0)
    named = [one for score, one in scored if score == best and best]
    if named:
        return named[0] if len(named) == 1 else None
    word = (asked["up"] or asked["down"]).lower()
    priced = any(unit_of(one) in _MONEY or one in _PARTS for one in asked["unit"].lower().split())
    pays = (asked["adjective"] or set(words) & _PAYS) and (asked["many"].lower() == "much" or priced)
    concept = MEANT.get(word, "")
    if concept == "price" or (word in ("more", "less") and pays):
        return money or _only(numbers, ("price", "cost", "salary", "income", "sales", "amount"))
    return _only(numbers, (concept,)) if concept else None


def _only(numbers: Sequence[ColumnInfo], meant: Sequence[str]) -> ColumnInfo | None:
    found = [one for one in numbers if set(concepts(one.name)[:1]) & set(meant)]
    return found[0] if len(found) == 1 else None


def _rest(text: str, own: set[str]) -> str:
    """What else was said: conditions, with the words that tie them."""
    kept: list[str] = []
    for word in _WORD.findall(text):
        said = word.lower()
        if said in own or said in _FIGURES or said in _PARTS:
            while kept and kept[-1].lower() in ("in", "on", "of", "the", "for", "at"):
                kept.pop()
            continue
        if said in _SMALL and said not in ("in", "on", "of", "for", "at", "by", "from", "with", "to", "and"):
            continue
        kept.append(word)
    while kept and kept[-1].lower() in _SMALL:
        kept.pop()
    while len(kept) > 1 and kept[0].lower() in _SMALL and kept[1].lower() in _SMALL:
        kept.pop(0)
    return " ".join(kept)
