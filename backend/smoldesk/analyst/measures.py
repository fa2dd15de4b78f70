"""Choice of a column's figure: as named in the request, else by what its numbers are; and the roles of columns."""

import re
from datetime import date
from functools import lru_cache
from itertools import combinations

from smoldesk.analyst.lexicon import Key, lexicon
from smoldesk.analyst.parts import Parts, row_like
from smoldesk.analyst.query import Condition, Measure
from smoldesk.analyst.schema import BRACKETS, Column, TableSchema
from smoldesk.analyst.times import When
from smoldesk.analyst.units import key_of

# Headers whose words are kept.
MAX_NAMES = 4096
# Units of figures whose sum has no meaning.
AVERAGED = ("percent", "celsius", "year", "ppm")
# Units of amounts, which are summed; other figures are averaged.
MONEY = ("yen", "dollar", "pound", "euro")
# Traits of measures that hardly change from one time to the next, or never fall.
LASTS = {"lasting", "running"}
# A unit of a rate in brackets: (m/s), not (2019/20).
_PER = re.compile(r"[(（\[][^)）\]]*[^\W\d]/[^\W\d]")
SIGNS = {"times": "*", "over": "/", "plus": "+", "minus": "-"}


def default_measure(column: Column) -> Measure:
    """Return the default figure of a column: the sum if it is additive, else the average."""
    return Measure("sum" if additive(column) else "mean", column.name)


def is_year(column: Column) -> bool:
    """Return whether a number column holds years, which are not summed; those below a year as header are figures."""
    if column.info.role == "period":
        return False
    name_key = set(key_of(column.name))
    age = "齢" in column.name or {"age", "old"} & name_key
    bare = BRACKETS.sub("", column.name).strip()
    years = (
        "year" in name_key or bare.startswith(("年式", "年度")) or bare.endswith(("年", "年度"))
    )  # not 年収
    return column.is_number and bool(years) and not age


def additive(column: Column) -> bool:
    """Return whether the figures of a column can be summed, by the concepts of its name, its unit and its fractions.

    Decimals that are alike in all things and hardly change over time are rates: life expectancy.
    """
    lex, traits = lexicon(), {*column.info.traits}
    tails, terms = _terms(column)
    is_averaged = bool(tails & lex.averaged) or is_about(column, "extremes")
    is_averaged |= column.unit in AVERAGED and not (column.unit == "year" and column.info.role == "period")
    is_rate = "per" in key_of(column.name) or bool(_PER.search(column.name))
    if (
        is_averaged
        or is_rate
        or "shares" in traits
        or ("fractions" in traits and terms & lex.countable)
        or ({"fractions", "steady"} <= traits and traits & LASTS and not terms & lex.additive)
    ):
        return False
    return bool(terms & lex.additive) or not terms & lex.averaged


def is_level(column: Column) -> bool:
    """Return whether a column holds levels: what there is at a time, such as a population, and not what adds up over time.

    A word of the header decides, or that the figures of a thing never fall for long; without a word, that they hardly change
    from one time to the next.
    """
    if not additive(column):
        return False
    is_named = is_about(column, "levels") and not is_about(column, "changes")
    if is_named or "running" in column.info.traits:
        return True
    return "lasting" in column.info.traits and not _terms(column)[1] & lexicon().additive


def is_number_of_things(column: Column) -> bool:
    """Return whether the figures are numbers of things, such as cases, votes or people, and not money or a length."""
    is_counted = is_about(column, "counts") or bool(_terms(column)[1] & lexicon().countable)
    return column.unit not in MONEY and ((is_counted and additive(column)) or is_level(column))


def latest_condition(schema: TableSchema) -> Condition | None:
    """Return the condition that only rows of the last complete time of a panel fulfil; None for other tables."""
    column = next((column for column in schema.columns if column.info.latest), None)
    if column is None:
        return None
    text = column.info.latest
    if column.is_number:
        return Condition(column.name, "==", (float(text),))
    if not column.is_date:
        return Condition(column.name, "==", (text,))
    try:
        day = date.fromisoformat(text.removesuffix(" 00:00:00"))
    except ValueError:  # a time of day, or a notation whose order as text is not that of the days
        return None
    return Condition(column.name, "when", (When(day.year, None, day.month, day.day),))


def _terms(column: Column) -> tuple[frozenset[Key], frozenset[Key]]:
    """Return the ends of a name ("月間売上" has no spaces, but ends in "売上"), and these with their synonyms."""
    is_period = column.info.role == "period"  # 2010年（人口）
    name = " ".join(BRACKETS.findall(column.name)) if is_period else BRACKETS.sub(" ", column.name)
    return _terms_of(name)


@lru_cache(maxsize=MAX_NAMES)
def _terms_of(name: str) -> tuple[frozenset[Key], frozenset[Key]]:
    key = key_of(name)
    tails = frozenset(key[at:] for at in range(len(key)))
    return tails, tails.union(*map(lexicon().synonyms, tails))


def small_is_best(column: Column) -> bool:
    """Return whether lower values of a column are better: a time, or by the glossary."""
    is_duration = column.unit in ("second", "minute", "millisecond")
    return is_duration or key_of(BRACKETS.sub(" ", column.name)) in lexicon().bad_high


# Roles of columns that an unnamed figure does not mean.
NO_FIGURES = ("constant", "id", "place", "time")
# Maximum columns that are assumed for a figure without one.
MAX_ASSUMED = 3


def likely_numbers(p: Parts, unit: str = "") -> list[Column]:
    """Return the columns that an unnamed figure may mean: those with its unit, those that share a word, then the others."""
    if p.schema.info.place:
        return []  # only the chat's own tables are meant by so little: "nearest toilet" is about the building
    used = {condition.column for group in p.where for condition in group}
    words = {word.key for word in p.request.units if len(word.key) > 2 or word.is_japanese}
    money = (
        lexicon().lists["money"]
        if any(word in p.request.text for word in ("高い", "安い", "高かった"))
        else ()
    )
    numbers = [c for c in p.schema.numbers if not (is_year(c) or c.name in used or c.info.role in NO_FIGURES)]

    def fit(column: Column) -> tuple[int, int]:
        names = set(key_of(column.name))
        is_rate = unit == "percent" and not names.isdisjoint(("rate", "percent", "pct", "率"))
        fits = is_rate or column.unit in money or bool(unit and column.unit == unit)
        return -fits, -len(words & names)

    return sorted(numbers, key=fit)[:MAX_ASSUMED]


def aggregates(p: Parts) -> list[str]:
    """Return the named figures of columns."""
    return [name for name in dict.fromkeys(p.ops.get("agg", [])) if name not in ("count", "share")]


def measured(p: Parts, columns: list[Column]) -> tuple[Measure, ...]:
    """Return the named figures of columns; without a name, the default figure of each."""
    aggs = aggregates(p)
    # Words for money, such as takings, mean a sum.
    worth_columns = {mention.column for mention in p.reading.mentions if mention.value == "worth"}
    takings = p.schema.takings
    if takings and [takings[1]] == columns and columns[0] in worth_columns:
        pieces, price = (column.name for column in takings)
        return tuple(Measure(agg, pieces, _quantile(p, agg), "*", price) for agg in aggs or ["sum"])
    if not aggs and most(p):  # the most minutes are a sum, the longest time is not
        lasting = lexicon().measures_of("time")
        return tuple(Measure("sum", c.name) if c.unit in lasting else default_measure(c) for c in columns)
    if not aggs:
        return tuple(Measure("sum", c.name) if c in worth_columns else default_measure(c) for c in columns)
    return tuple(Measure(agg, column.name, _quantile(p, agg)) for column in columns for agg in aggs)


def measures_of(p: Parts, numbers: list[Column], counts: bool) -> tuple[Measure, ...]:
    """Return the measures to compute: figures of the named columns, or the number of rows."""
    aggs, sign = aggregates(p), _sign(p)
    if sign and len(numbers) == 2:
        fn = aggs[0] if aggs else "mean" if sign == "/" else "sum"
        return (Measure(fn, numbers[0].name, None, sign, numbers[1].name),)
    if not numbers or aggs or not counts:
        return measured(p, numbers) or ((Measure(),) if counts else ())
    conditioned = {condition.column for group in p.where for condition in group}
    lasts = numbers[0].unit in lexicon().measures_of("time")  # how many minutes: all of them
    if numbers[0].name in p.half_named | conditioned or _times(p) or not (lasts or additive(numbers[0])):
        return (Measure(),)
    return (Measure("sum", numbers[0].name),)


def most(p: Parts) -> bool:
    """Return whether the request asks for the most or fewest, not for the highest or longest."""
    return any(text in ("most", "least", "fewest") or "多" in text or "少" in text for text in p.texts("top"))


def _quantile(p: Parts, agg: str) -> float | None:
    if agg != "quantile":
        return None
    if quarters := p.ops.get("quart"):
        return float(quarters[0])
    percent = next((value for _, value in p.conditions.limits if 0 < value < 100), None)
    return percent / 100 if percent else None


def _times(p: Parts) -> bool:
    """Return whether the request asks how many times: rows are counted, even if it names columns."""
    marks = (mark for mark in p.reading.mentions if mark.is_a("agg", "count"))
    endings = ("回数", "件数", "何回", "何件", "times", "often")
    return any(p.request.raw(mark.first, mark.end).endswith(endings) for mark in marks)


def _sign(p: Parts) -> str:
    """Return the operator between two number columns; empty without one."""
    marks = p.reading.mentions
    for before, mark, after in zip(marks, marks[1:], marks[2:], strict=False):
        if before.kind != "column" or after.kind != "column":
            continue
        if mark.kind == "calc" and str(mark.value) in SIGNS:
            return SIGNS[str(mark.value)]
        if mark.kind == "and" and p.request.raw(mark.first, mark.end) in ("x", "×"):
            return "*"
    return ""


def amounts(column: Column) -> bool:
    """Return whether a column holds amounts, by its name or unit: figures that are summed by default."""
    is_known = bool(_terms(column)[1] & lexicon().additive)
    is_amount = is_known or column.unit in MONEY or is_about(column, "counts")
    return additive(column) and is_amount and "steady" not in column.info.traits


def is_about(column: Column, concept: str) -> bool:
    """Return whether a header contains a word of a concept of the glossary's `[suggested]`."""
    return _is_about(column.name, concept)


@lru_cache(maxsize=MAX_NAMES)
def _is_about(header: str, concept: str) -> bool:
    key = key_of(re.sub(r"[._]", " ", header))
    places = combinations(range(len(key) + 1), 2)
    # One Japanese character is a word at the end only: 数 of 人数, not of 数学.
    spans = (key[at:end] for at, end in places if end == len(key) or end - at > 1 or key[at] < "\u3000")
    return not lexicon().suggested[concept].isdisjoint(spans)


def role_of(schema: TableSchema, column: Column) -> str:
    """Return the role that the reader of the file gave a column; for a bundled table, by its name and values."""
    if column.info.role:
        return "category" if column.name.endswith("名") and column.info.values else column.info.role
    if column.is_date or is_year(column):
        return "time"
    if column.is_id or row_like(schema, column):
        return "id"
    if column.is_number:
        return "category" if column.info.yes_no else "measure"
    return "category" if len(column.info.values) > 1 else "text"


def remoteness(column: Column) -> tuple[bool, bool, bool]:
    """Return the order of measures: amounts and money first, ages and ranks last."""
    return not amounts(column), is_about(column, "spans"), not is_about(column, "worth")
