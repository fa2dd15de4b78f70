"""`by age group`, 価格帯別, 年齢を10歳ごとに: a number that is to be cut into ranges, taken out of the request.

What is left asks for groups by the number itself; `cut_into_ranges` then puts the ranges in their place. A table that has such
a column of its own (`Age group`, 年代) is asked for that.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from smoldesk.analyst.intents import (
    DataIntent,
    Derived,
    Intent,
    Refusal,
)
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import is_japanese, key, level

_KINDS = r"(?:group|range|band|bracket|bucket|bin|tier|interval)s?"
_STEP = r"(?P<step>\d+(?:\.\d+)?)"
_BY = r"\b(?P<by>by|per|for each|for every|for|each|across|in|into)"
_ENGLISH = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_BY} {_STEP}[- ]?(?:years?[- ]?)?(?P<name>\w+) {_KINDS}\b",
        rf"{_BY} (?P<name>\w+(?: \w+)??)[- ]{_KINDS}(?: of {_STEP}(?: years| dollars)?)?\b",
        rf"{_BY} (?P<tens>decades?) of (?P<name>age)\b",
        rf"{_BY} (?P<name>age) (?P<tens>decades?)\b",
        rf"{_BY} (?P<name>\w+(?: \w+)?),? (?:in|into|cut into|grouped into|binned into) (?P<tens>decades|tens)\b",
        rf"{_BY} (?P<name>\w+(?: \w+)?),? (?:in|into|cut into|grouped into|binned into|with) (?:{_KINDS}|steps) of {_STEP}\b",
        rf"{_BY} (?P<name>\w+(?: \w+)?),? (?:in|into|cut into|grouped into) {_STEP}[- ]?(?:years?)?[- ]?(?:{_KINDS}|steps)\b",
        rf"{_BY} {_STEP} years of (?P<name>age)\b",
        r"\b(?P<name>\w+) (?:group|band|bracket|bucket|bin|tier)s?\b",
    )
)
_CUT = "(?:に|で)?(?:区切って|区切った|分けて|分けた|区分して|区分した|まとめて|集計して|わけて)?(?:の|、)?"
_EACH = "(?:ごと|毎|おき|刻み|きざみ|単位|別|区切り)"
_SIZE = r"(?P<step>\d+(?:\.\d+)?)(?P<scale>万|千)?(?:歳|才|円|人|個|回|点|分|時間|日|年|km|kg|g|cm|m|㎡|本|枚|冊|台|件)?"
_JAPANESE = tuple(
    re.compile(form)
    for form in (
        rf"(?P<tens>年代|世代|年齢層|年齢帯){_EACH}{_CUT}",
        rf"(?P<name>[\u4e00-\u9fff々ァ-ヶーA-Za-z]+?さ?)(?:帯|層|の範囲|の幅|レンジ|ゾーン|の区間){_EACH}{_CUT}",
        rf"(?P<name>[\u4e00-\u9fff々ァ-ヶーA-Za-z]+さ?)(?:を|は|が|の|で)?{_SIZE}{_EACH}{_CUT}",
        rf"(?P<tens>10歳|10才|十歳){_EACH}{_CUT}",
    )
)
_HOURS = ("時間帯", "時刻帯")
"""Hours of the day, no ranges of how long something took."""
_SCALES = {"万": 10_000.0, "千": 1_000.0}


@dataclass(frozen=True)
class Ranges:
    """The request without its ranges, what was said of them, and how wide each is (0: as the numbers ask for)."""

    text: str
    said: str
    width: float = 0.0


def said_in_ranges(text: str, lexicon: Lexicon) -> Ranges | None:
    """The ranges that a request wants a number cut into; None where it wants none."""
    for form in _JAPANESE if is_japanese(text) else _ENGLISH:
        for found in form.finditer(text):
            parts = found.groupdict()
            name, tens = parts.get("name") or "", parts.get("tens") or ""
            said = found[0][len(parts.get("by") or "") :].strip(" 、")
            if (
                said.startswith(_HOURS)
                or _is_column(_bare(said), lexicon)
                or (parts.get("by") in ("in", "for") and not _numbered(name, lexicon))
            ):
                continue
            age = _age(_meant(text, lexicon)) if tens and not name else ""
            if not (age or _numbered(name, lexicon)):
                continue
            width = float(parts.get("step") or 0) * _SCALES.get(parts.get("scale") or "", 1.0)
            width = width or (10.0 if tens else 0.0)
            by = parts.get("by") or ""
            plain = f"{'by' if by in ('in', 'into', 'for') else by} {name}" if by else name
            plain = f"{age or name}別の" if is_japanese(text) else plain
            rest = f"{text[: found.start()]}{plain}{text[found.end() :]}"
            return Ranges(rest, said, width)
    return None


def cut_into_ranges(intent: Intent, ranges: Ranges, catalogue: Catalogue) -> Intent:
    """The intent with ranges in the place of the one number it groups by; a refusal where it groups by none."""
    if not isinstance(intent, DataIntent):
        return intent
    if intent.joined or intent.operation != "aggregate":
        return Refusal("too_much", (ranges.said,), table=intent.table)
    table = catalogue.table(intent.table)
    numbers = [one for one in _columns(table, intent.groups) if one.kind == "number" and not one.is_flag]
    if len(numbers) != 1:
        return Refusal("too_much", (ranges.said,), table=intent.table)
    (column,) = numbers
    aged = "age" in concepts(column.name)[:1]
    width = ranges.width or (10.0 if aged else 0.0)
    made = Derived(f"{column.name} range", "range", (column.name,), width)
    groups = tuple(made.name if name == column.name else name for name in intent.groups)
    measures = tuple(name for name in intent.measures if name != column.name or len(intent.measures) == 1)
    return replace(intent, groups=groups, measures=measures, derived=(*intent.derived, made))


def _columns(table: TableInfo, names: Iterable[str]) -> list[ColumnInfo]:
    return [column for column in table.columns if column.name in set(names)]


def _bare(said: str) -> str:
    """The phrase without what groups by it: 年代別 is 年代."""
    return re.sub(f"{_EACH}{_CUT}$", "", said)


def _is_column(said: str, lexicon: Lexicon) -> bool:
    """Whether a table has a column called so, which then is a group of its own."""
    known = [one for one in lexicon.terms.get(level(said), ()) if isinstance(one, ColumnRef)]
    return any(one.strength >= 2.0 and _kind(one, lexicon) != "number" for one in known) or any(
        one.strength >= 2.75 for one in known
    )


def _kind(one: ColumnRef, lexicon: Lexicon) -> str:
    table = next((each for each in lexicon.catalogue.tables if each.name == one.table), None)
    column = next((each for each in table.columns if each.name == one.column), None) if table else None
    return column.kind if column else ""


def _numbered(name: str, lexicon: Lexicon) -> bool:
    """Whether a word names a column of numbers."""
    known = [
        one for one in (lexicon.meant(level(name)) if name else None) or () if isinstance(one, ColumnRef)
    ]
    return any(_kind(one, lexicon) == "number" for one in known if one.strength >= 1.5)


def _meant(text: str, lexicon: Lexicon) -> list[TableInfo]:
    """A person's own tables where there are any, and those that are named."""
    tables = lexicon.catalogue.tables
    own = any(not one.bundled and not one.produced for one in tables)
    return [one for one in tables if not (own and one.bundled) or key(one.name) in level(text)]


def _age(tables: Iterable[TableInfo]) -> str:
    """What the column of ages is called, where a table has one of numbers."""
    return next(
        (
            column.name
            for table in tables
            for column in table.columns
            if column.kind == "number" and concepts(column.name)[:1] == ("age",)
        ),
        "",
    )
