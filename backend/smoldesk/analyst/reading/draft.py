"""The parts of a data question, collected from its items before anyone decides what they add up to.

Every item is used once or stays over; what stays over makes the analyst decline, so nothing said is
silently ignored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from smoldesk.analyst.intents import (
    Aggregate,
    Filter,
    Grain,
    Language,
    Order,
    Plot,
    Refusal,
)
from smoldesk.analyst.meanings import ColumnRef, TableRef
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts


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
    placed: list[tuple[Filter, int]] = field(default_factory=list[tuple[Filter, int]])
    """The filters with the positions of their words."""
    grain: Grain = ""
    cut_by: str = ""
    """The column of days that stands behind `by`."""
    over_time: bool = False
    order: Order = ""
    limit: int = 0
    plot: Plot = ""
    save: bool = False
    change: str = ""
    window: int = 0
    bins: int = 0
    file_kind: str = "csv"
    rule_limit: float = 0.0
    file_name: str = ""
    quartiles: list[float] = field(default_factory=list[float])
    rows: bool = False
    said_no: bool = False
    problem: Refusal | None = None

    def keep(self, one: Filter, *positions: int) -> None:
        """Adds a condition that was read off these positions."""
        self.filters.append(one)
        self.placed += [(one, position) for position in positions]

    def swap(self, old: Sequence[Filter], new: Sequence[Filter]) -> None:
        """Puts conditions in the place of others; they count as said wherever one of those was."""
        place = min(self.filters.index(one) for one in old)
        positions = dict.fromkeys(at for one, at in self.placed if one in old)
        self.filters = [one for one in self.filters if one not in old]
        self.filters[place:place] = new
        self.placed += [(one, at) for one in new for at in positions]

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
        over: list[str] = []
        last = -1
        for index, item in enumerate(self.items):
            said = item.column or item.number is not None or item.when or item.unit or item.stray
            if index in self.used or not said:
                continue
            if over and item.mention.start == last and item.mention.text.isascii():
                over[-1] += item.mention.text  # 9C is one word
            else:
                over.append(item.mention.text)
            last = item.mention.end
        return over + self._unmet_cues()

    def _unmet_cues(self) -> list[str]:
        """Words of the grammar that would change the meaning and were not honoured."""
        unmet: list[str] = []
        negated = any(one.comparison == "!=" for one in self.filters) or self.said_no
        several = len({one.column for one in self.filters}) > 1
        for index, item in enumerate(self.items):
            lost = item.is_cue("cmp") and index not in self.used
            unheard = bool(item.cue("grain")) and not self.grain and index not in self.used
            lost = lost or (unheard and not self._of_value(index) and not self._says_nothing(index))
            lost = lost or (item.is_cue("not") and not negated)
            or_lost = item.is_cue("or") and index not in self.used and not self.either_values(index)
            lost = lost or (or_lost and (several or self._between(index)))
            lost = lost or (
                item.is_cue("calc") and not item.is_cue("and", "agg", "cmp") and index not in self.used
            )
            lost = lost or (item.is_cue("more", "end", "bins") and index not in self.used)
            lost = lost or (item.is_cue("change") and not self.change)
            if lost:
                unmet.append(item.mention.text)
        return unmet

    def has_bare_number(self) -> bool:
        """True when a number found no place yet: `only 5`, `under 30`."""
        return any(item.number is not None and at not in self.used for at, item in enumerate(self.items))

    def _of_value(self, index: int) -> bool:
        """`rainy days`, 雨の日: the days are those of the value before."""
        before = self.at(index - 1)
        return bool(
            before and (before.value is not None or before.when or before.is_cue("cmp", "not", "without"))
        )

    def _says_nothing(self, index: int) -> bool:
        """`for the year` of a table of one year; `a month` beside a monthly fee."""
        grain, lead = self.items[index].cue("grain") or "", self.items[index].mention.lead
        if lead.endswith((" a ", " per ", " each ", " every ")):
            named = [item.column.name.lower() for item in self.items if item.is_column and item.column]
            return any(grain in name for name in named)
        spans = [
            column.span for column in self.table.columns if column.kind == "date" and len(column.span) == 2
        ]
        size = {"year": 4, "month": 7}.get(grain, 0)
        whole = lead.endswith(
            (" for the ", " of the ", " in the ", " this ", " over the ", " during the ", " the whole ")
        )
        return whole and bool(size and spans) and all(first[:size] == last[:size] for first, last in spans)

    def either_values(self, index: int) -> bool:
        """`札幌か仙台で雨`: `or` stands between two values of one column."""
        before, after = self.at(index - 1), self.at(index + 1)
        return bool(before and after and before.value and after.value and before.column == after.column)

    def _between(self, index: int) -> bool:
        """Whether there are conditions on both sides of a position."""
        kept = [at for one, at in self.placed if one in self.filters]
        return any(at < index for at in kept) and any(at > index for at in kept)

    def says(self, *kinds: str) -> bool:
        return any(item.is_cue(*kinds) for item in self.items)

    @property
    def names_table(self) -> bool:
        return any(item.mention.all(TableRef) for item in self.items if item.column is None)

    def at(self, index: int) -> Item | None:
        return self.items[index] if 0 <= index < len(self.items) else None


def rivals(draft: Draft) -> Refusal | None:
    """A question back when a word may mean several columns alike and nothing tells them apart.

    `average point` beside a subject's own name says nothing more, and of two stations the one where it starts is meant.
    """
    for index, item in enumerate(draft.items):
        if not item.is_column or item.column is None:
            continue
        alike = _alike(item, draft.table)
        if len(alike) < 2:
            continue
        others = [
            one.column for at, one in enumerate(draft.items) if at != index and one.is_column and one.column
        ]
        near = [one for one in others if one.name in alike or one.kind == "number" == item.column.kind]
        if near:
            draft.items[index] = replace(item, column=near[0])
        elif any("origin" in concepts(name) for name in alike) and len(alike) == 2:
            start = next(name for name in alike if "origin" in concepts(name))
            draft.items[index] = replace(item, column=draft.table.column(start))
        else:
            return Refusal("which_column", (item.mention.text,), tuple(alike), draft.table.name)
    return None


def _alike(item: Item, table: TableInfo) -> list[str]:
    """The columns of one kind that a word may mean just as well."""
    refs = [ref for ref in item.mention.all(ColumnRef) if ref.table == table.name]
    best = max((ref.strength for ref in refs), default=3.0)
    if best >= 2.75:
        return []
    alike = list(dict.fromkeys(ref.column for ref in refs if ref.strength > best - 0.015))
    return alike if len({table.column(name).kind for name in alike}) == 1 else []


def number_columns(draft: Draft) -> tuple[str, ...]:
    """Names of the table's number columns, to offer instead."""
    return tuple(column.name for column in draft.table.columns if column.kind == "number")
