"""The parts of a data question, collected from its items before anyone decides what they add up to.

Every item is used once or stays over; what stays over makes the analyst decline, so nothing said is
silently ignored.
"""

import re
from dataclasses import dataclass, field
from typing import cast

from backend.builtin.catalogue import ColumnInfo, TableInfo
from backend.builtin.glossary import ADJECTIVES
from backend.builtin.intents import (
    Aggregate,
    Comparison,
    Filter,
    Grain,
    Language,
    Order,
    Plot,
    Refusal,
    Scalar,
)
from backend.builtin.lexicon import concepts, units
from backend.builtin.meanings import ColumnRef, FileName, Quoted, TableRef
from backend.builtin.resolve import Item, ambiguous, concept_column, guessed, unit_column
from backend.builtin.words import key

_EXCEL = re.compile(r"excel|xlsx|spreadsheet|エクセル")
_BEFORE_GROUP = ("各", "それぞれ")


@dataclass
class Draft:
    """What was said, sorted: columns still without a role are free, used positions are in `used`."""

    table: TableInfo
    items: list[Item]
    language: Language
    text: str = ""
    used: set[int] = field(default_factory=set[int])
    aggregates: list[Aggregate] = field(default_factory=list[Aggregate])
    groups: list[str] = field(default_factory=list[str])
    filters: list[Filter] = field(default_factory=list[Filter])
    grain: Grain = ""
    over_time: bool = False
    order: Order = ""
    limit: int = 0
    plot: Plot = ""
    save: bool = False
    change: str = ""
    window: int = 0
    file_kind: str = "csv"
    rule_limit: float = 0.0
    file_name: str = ""
    rows: bool = False
    said_no: bool = False
    problem: Refusal | None = None

    @property
    def operations(self) -> list[str]:
        return [
            value
            for item in self.items
            if (value := item.cue("op")) not in (None, "load", "save", "datasets")
        ]

    def free(self) -> list[tuple[int, ColumnInfo]]:
        """Columns that have no role yet, with their positions."""
        return [
            (index, item.column)
            for index, item in enumerate(self.items)
            if item.column and item.value is None and index not in self.used
        ]

    def left_over(self) -> list[str]:
        """Words with a meaning in the table that found no place in the question."""
        return [
            item.mention.text
            for index, item in enumerate(self.items)
            if index not in self.used
            and (item.column or item.number is not None or item.when or item.unit or item.stray)
        ] + self._unmet_cues()

    def _unmet_cues(self) -> list[str]:
        """Words of the grammar that would change the meaning and were not honoured."""
        unmet: list[str] = []
        negated = any(one.comparison == "!=" for one in self.filters) or self.said_no
        several = len({one.column for one in self.filters}) > 1
        for index, item in enumerate(self.items):
            lost = item.is_cue("cmp") and index not in self.used
            lost = lost or (bool(item.cue("grain")) and not self.grain and not self._of_value(index))
            lost = lost or (item.is_cue("not") and not negated)
            lost = lost or (item.is_cue("or") and several and not self._or_of_one(index))
            lost = lost or (item.is_cue("change") and not self.change)
            if lost:
                unmet.append(item.mention.text)
        return unmet

    def _of_value(self, index: int) -> bool:
        """`rainy days`, 雨の日: the days are those of the value before."""
        before = self.at(index - 1)
        return bool(before and (before.value is not None or before.when))

    def _or_of_one(self, index: int) -> bool:
        """`札幌か仙台で雨`: `or` stands between two values of one column."""
        before, after = self.at(index - 1), self.at(index + 1)
        return bool(before and after and before.value and after.value and before.column == after.column)

    def says(self, *kinds: str) -> bool:
        return any(item.is_cue(*kinds) for item in self.items)

    @property
    def names_table(self) -> bool:
        return any(item.mention.all(TableRef) for item in self.items if item.column is None)

    def at(self, index: int) -> Item | None:
        return self.items[index] if 0 <= index < len(self.items) else None


def collect(table: TableInfo, items: list[Item], language: Language, text: str) -> Draft:
    """Everything that can be read off without knowing what kind of question it is."""
    from backend.builtin.read_changes import read_changes  # they read drafts
    from backend.builtin.read_dates import read_dates

    draft = Draft(table, items, language, text)
    draft.rows = any(item.rows for item in items)
    draft.aggregates = list(
        dict.fromkeys(cast(Aggregate, value) for item in items if (value := item.cue("agg")) is not None)
    )
    plots = [value for item in items if (value := item.cue("plot"))]
    draft.plot = cast(Plot, next((plot for plot in plots if plot != "auto"), plots[0] if plots else ""))
    draft.over_time = draft.says("time")
    if any(item.cue("op") == "save" and _EXCEL.search(item.mention.text.lower()) for item in items):
        draft.file_kind = "xlsx"
    draft.save = any(item.cue("op") == "save" for item in items)
    named_columns = {item.column.name for item in items if item.is_column and item.column}
    for item in items:
        if item.value is not None and (columns := ambiguous(item.mention, table, named_columns)):
            draft.problem = Refusal("which_column", (item.mention.text,), columns, table.name)
        if item.value is not None and (values := guessed(item.mention, table)):
            draft.problem = Refusal("which_value", (item.mention.text,), values, table.name)
    _read_file_name(draft)
    _read_groups(draft)
    _read_order(draft)
    _read_ranked_grain(draft)
    read_changes(draft)
    read_dates(draft)
    _read_ranges(draft)
    _read_comparisons(draft)
    _read_equalities(draft)
    _read_opposites(draft)
    _read_yes_no(draft)
    return draft


def _read_file_name(draft: Draft) -> None:
    for item in draft.items:
        if draft.save and (named := item.mention.first(FileName) or item.mention.first(Quoted)):
            text = named.name if isinstance(named, FileName) else named.text
            draft.file_name = text.rsplit(".", 1)[0] if "." in text else text


def _read_groups(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if not item.is_cue("per"):
            continue
        forward = item.mention.text.isascii() or item.mention.text in _BEFORE_GROUP
        step = 1 if forward else -1
        at = index + step
        while (near := draft.at(at)) and _take_group(draft, at, near):
            joined = draft.at(at + step)
            at += 2 * step if joined and joined.is_cue("and", "follow") else step
            if not joined or not joined.is_cue("and"):
                break
    if not draft.grain and (
        grain := next(
            (g for item in draft.items if (g := item.cue("grain")) and _adverb(item.mention.text)), ""
        )
    ):
        draft.grain = cast(Grain, grain)


def _adverb(text: str) -> bool:
    """daily, monthly, 毎日: a grain that needs no `per`."""
    return key(text).endswith("ly") or text.startswith("毎") or text.endswith("次") or key(text) == "annual"


def _read_ranked_grain(draft: Draft) -> None:
    """`the hottest day`: days are ranked, each by its average."""
    grain = next((value for item in draft.items if (value := item.cue("grain"))), "")
    averaged = any(
        item.cue("grain")
        and item.mention.text in ("月", "日", "年", "週")
        and (near := draft.at(index + 1))
        and near.cue("agg")
        and near.mention.start == item.mention.end
        for index, item in enumerate(draft.items)
    )  # 月平均
    if (draft.order or averaged) and grain and not draft.grain and not draft.groups:
        draft.grain = cast(Grain, grain)


def _take_group(draft: Draft, at: int, near: Item) -> bool:
    if near.is_column and near.column and at not in draft.used:
        ranked = any(item.is_cue("top", "sort") for item in draft.items) and near.column.kind == "number"
        texts = any(column.kind == "text" for _, column in draft.free())
        if ranked and (texts or not near.column.values):
            return False  # the top five by fare: fare ranks, it does not group
        if near.column.kind == "date":
            draft.grain = draft.grain or "day"
        elif near.column.name not in draft.groups:
            draft.groups.append(near.column.name)
        draft.used.add(at)
        return True
    if grain := near.cue("grain"):
        draft.grain = cast(Grain, grain)
        return True
    return False


def _read_order(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if (order := item.cue("top") or item.cue("sort")) is None:
            continue
        if not draft.order or item.is_cue("top") or order == "asc":
            draft.order = cast(Order, order)
        if item.mention.text in ("一番", "最も", "most", "least") and draft.says("low"):
            draft.order = "asc"
        for at in (index + 1, index - 1):
            near = draft.at(at)
            if near and near.number is not None and near.number >= 1 and at not in draft.used:
                draft.limit = int(near.number)
                draft.used.add(at)
                break
    for index, item in enumerate(draft.items):
        if item.cue("op") == "head" or (item.rows and "head" in draft.operations):
            for at in (index + 1, index - 1):
                near = draft.at(at)
                if near and near.number is not None and near.number >= 1 and at not in draft.used:
                    draft.limit = int(near.number)
                    draft.used.add(at)


def _number_at(draft: Draft, at: int, step: int) -> tuple[float, list[int], str] | None:
    """The unused number next to `at`, the positions it takes with its unit, and that unit."""
    near = draft.at(at)
    if near and near.unit and step < 0:
        before = draft.at(at - 1)
        if before and before.number is not None and at - 1 not in draft.used:
            return before.number, [at - 1, at], near.unit
    if not near or near.number is None or at in draft.used:
        return None
    after = draft.at(at + 1)
    return (near.number, [at, at + 1], after.unit) if after and after.unit else (near.number, [at], "")


def _read_ranges(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if not item.is_cue("range"):
            continue
        steps = (1, -1) if item.mention.text in ("between", "from") else (-1, 1)
        low: tuple[float, list[int], str] | None = None
        for step in steps:
            low = low or _number_at(draft, index + step, step)
        if low is None:
            continue
        draft.used.update(low[1])
        after = max(index, *low[1]) + 1
        near = draft.at(after)
        high = _number_at(draft, after + 1 if near and near.is_cue("and", "range") else after, 1)
        column = high and _compared_column(draft, min(index, *low[1]), high[1][-1], high[2] or low[2], "")
        if high is None or column is None:
            draft.used.difference_update(low[1])
            continue
        draft.used.update(high[1])
        draft.filters += [Filter(column.name, ">=", (low[0],)), Filter(column.name, "<=", (high[0],))]


def _read_comparisons(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if (comparison := item.cue("cmp")) is None:
            continue
        steps = (1, -1) if item.mention.text.isascii() or item.mention.text in "≥≤" else (-1, 1)
        number = next((one for step in steps if (one := _number_at(draft, index + step, step))), None)
        if number is None or index in draft.used:
            continue
        value, positions, unit = number
        column = _compared_column(
            draft, min(index, *positions), max(index, *positions), unit, item.mention.text
        )
        if column:
            draft.used.update((index, *positions))
            value = converted(value, unit, column)
            draft.filters.append(Filter(column.name, cast(Comparison, comparison), (value,)))


def _compared_column(draft: Draft, first: int, last: int, unit: str, phrase: str) -> ColumnInfo | None:
    """What a number is compared with: by unit, adjective, or the nearest number column."""
    words = key(phrase).split()
    said = next((concept for concept, adjectives in ADJECTIVES.items() if set(words) & set(adjectives)), "")
    column = concept_column(said, draft.table) if said else None
    near_before = [(i, c) for i, c in reversed(draft.free()) if i < first and c.kind == "number"]
    near_after = [(i, c) for i, c in draft.free() if i > last and c.kind == "number"]
    if column is None and near_before and near_before[0][0] >= first - 2:
        unit = ""  # the column that stands right before is meant, whatever the unit
    elif column is None:
        column = _compared_again(draft, first, unit)
    if column is None and unit:
        column = unit_column(unit, draft.table)
    if column is None:
        if not near_before and not near_after:
            return _amount(draft) if unit in ("dollar", "yen", "euro", "pound") else None
        index, column = (near_before or near_after)[0]
        only_one = len(near_before) + len(near_after) == 1
        if not (only_one and any(aggregate not in ("count", "share") for aggregate in draft.aggregates)):
            draft.used.add(index)
    elif near_before and near_before[0][1] == column and near_before[0][0] == first - 1:
        draft.used.add(near_before[0][0])
    return column if column.kind == "number" else None


def _compared_again(draft: Draft, first: int, unit: str) -> ColumnInfo | None:
    """The column of the comparison before: 30歳以上40歳未満, `over 10 and under 20 years`."""
    if not draft.filters or draft.filters[-1].part:
        return None
    earlier = draft.table.column(draft.filters[-1].column)
    before = draft.at(first - 1)
    at_once = before is not None and before.is_cue("cmp") and first - 1 in draft.used
    same = bool(unit) and earlier.kind == "number" and unit_column(unit, draft.table) in (earlier, None)
    return earlier if at_once or same else None


def _amount(draft: Draft) -> ColumnInfo | None:
    """What `orders over 100 dollars` is about: the amount of a row."""
    return concept_column("amount", draft.table) or concept_column("sales", draft.table)


_SCALES = {
    "second": ("time", 1.0), "minute": ("time", 60.0), "hour": ("time", 3600.0), "day": ("time", 86400.0),
    "metre": ("length", 1.0), "kilometre": ("length", 1000.0), "centimetre": ("length", 0.01),
    "gram": ("mass", 1.0), "kilogram": ("mass", 1000.0), "yen": ("yen", 1.0), "ten thousand yen": ("yen", 10000.0),
}  # fmt: skip


def converted(value: float, unit: str, column: ColumnInfo) -> float:
    """A number in the unit of the column it is compared with: 1 hour is 60 in a column of minutes."""
    own = next((one for one in units(column.name) if one in _SCALES), "")
    if unit in _SCALES and own and _SCALES[unit][0] == _SCALES[own][0]:
        return value * _SCALES[unit][1] / _SCALES[own][1]
    return value


def _read_equalities(draft: Draft) -> None:
    """`class 3`, `pclass = 1`: a number right after a column, and every cell value that was mentioned."""
    for index, item in enumerate(draft.items):
        sign = draft.at(index + 1)
        at = index + 2 if sign and sign.cue("cmp") == "==" else index + 1
        near = draft.at(at)
        if not item.is_column or index in draft.used or not near or near.number is None or at in draft.used:
            continue
        column = _holding(item, near.number, draft.table, stated=at == index + 2)
        if column:
            draft.used.update((index, at, at - 1) if at == index + 2 else (index, at))
            draft.filters.append(Filter(column.name, "==", (near.number,)))
    chosen: dict[tuple[str, Comparison], list[Scalar]] = {}
    for index, item in enumerate(draft.items):
        if item.column is None or item.value is None:
            continue
        before, after = draft.at(index - 1), draft.at(index + 1)
        earlier = draft.at(index - 2)
        linked = before is not None and before.is_cue("per", "with") and earlier is not None
        if linked and earlier and earlier.is_cue("not"):
            before = earlier
        negated = (before and before.is_cue("not")) or (
            after and after.is_cue("not") and draft.language == "ja"
        )
        values = chosen.setdefault((item.column.name, "!=" if negated else "=="), [])
        literal = cell_value(item.column, item.value)
        if literal not in values:
            values.append(literal)
        draft.used.add(index)
        for at, near in ((index - 1, before), (index + 1, after)):
            if near and near.is_column and near.column and _same_thing(near.column, item.column):
                draft.used.add(at)
    draft.filters += [
        Filter(column, comparison, tuple(values)) for (column, comparison), values in chosen.items()
    ]


def _same_thing(one: ColumnInfo, other: ColumnInfo) -> bool:
    """True for a column and another that says the same in other words: embarked, embark_town."""
    return one == other or bool(set(concepts(one.name)) & set(concepts(other.name)))


def _holding(item: Item, number: float, table: TableInfo, stated: bool) -> ColumnInfo | None:
    text = f"{number:g}"
    for ref in sorted(item.mention.all(ColumnRef), key=lambda ref: -ref.strength):
        if ref.table == table.name:
            column = table.column(ref.column)
            if column.kind == "number" and (
                stated or text in column.values or f"{number:.1f}" in column.values
            ):
                return column
    return None


def cell_value(column: ColumnInfo, value: str) -> Scalar:
    """A cell value as the Python literal it is compared with."""
    if column.kind == "bool":
        return value.casefold() in ("true", "1", "1.0")
    if column.kind == "number":
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _read_opposites(draft: Draft) -> None:
    for item in draft.items:
        if (
            (concept := item.cue("opposite"))
            and (column := concept_column(concept, draft.table))
            and column.yes_no
        ):
            draft.filters.append(Filter(column.name, "==", (cell_value(column, column.yes_no[1]),)))


def _read_yes_no(draft: Draft) -> None:
    """`no helmet`, `with a helmet`, ヘルメットなし: a yes/no column beside a word that says which."""
    for index, column in draft.free():
        before, after = draft.at(index - 1), draft.at(index + 1)
        near = after if draft.language == "ja" else before
        if column.yes_no is None:
            lead = draft.items[index].mention.lead
            held = lead.endswith(("with ", "with a ", "with an ", "with any "))
            compared = after is not None and after.is_cue("cmp", "range") and draft.language == "en"
            if (
                column.kind == "number"
                and not compared
                and (held or (near and near.is_cue("without", "with")))
            ):
                _read_having(draft, index, column, bool(not held and near and near.is_cue("without")))
            continue
        if near and near.is_cue("without", "with", "not"):
            draft.said_no = draft.said_no or near.is_cue("without", "not")
            value = column.yes_no[1 if near.is_cue("without", "not") else 0]
            draft.filters.append(Filter(column.name, "==", (cell_value(column, value),)))
            draft.used.add(index)


def _read_having(draft: Draft, index: int, column: ColumnInfo, without: bool) -> None:
    """`with kids` means more than none; `no rating` an empty cell, or none where the column counts from 0."""
    counts = "0" in column.values or "0.0" in column.values
    if counts:
        draft.filters.append(Filter(column.name, "==" if without else ">", (0.0,)))
    else:
        draft.filters.append(Filter(column.name, "==" if without else "!=", (), "blank"))
    draft.said_no = draft.said_no or without
    draft.used.add(index)
