"""Index of an interpretation's mentions for the condition rules: neighbours, and which mentions are used."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.query import Condition
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import Column, TableSchema

NOTHING = Mention(0, 0, "")
# Maximum distance, in mentions, between a number and its column.
MAX_DISTANCE = 4
# Figures that a group's condition may name.
FIGURES = ("mean", "sum", "median", "max", "min", "std")
# Japanese counters of rows: 2回以上.
COUNTERS = ("回", "件", "度", "行")


@dataclass
class Conditions:
    """Result of the rules: alternatives joined by `and`, mentions used for them, and numbers without a comparison."""

    where: list[list[Condition]] = field(default_factory=list[list[Condition]])
    used: set[int] = field(default_factory=set[int])
    limits: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    doubts: list[str] = field(default_factory=list[str])
    flags: dict[int, Condition] = field(default_factory=dict[int, Condition])
    # Conditions that may concern the figure of each group instead of each row.
    totals: list["Total"] = field(default_factory=list["Total"])


@dataclass(frozen=True)
class Total:
    """Number compared with a figure: `fn` of a column, or of the rows without one.

    `row` is the condition on each row that the same words may mean, `at` the mention of the comparison; `sure` is False if
    the words do not name the figure.
    """

    fn: str
    column: str | None
    op: str
    value: float
    at: int
    row: Condition | None = None
    sure: bool = True


class MentionIndex:
    """Mentions of an interpretation in order, and the conditions read from them."""

    def __init__(self, request: Request, schema: TableSchema, reading: Interpretation) -> None:
        self.request = request
        self.schema = schema
        self.reading = reading
        self.marks = list(reading.mentions)
        self.conditions = Conditions()
        # Mention index of a condition's number or value, by the condition's index in `where`.
        self.spots: dict[int, int] = {}

    def mark(self, at: int) -> Mention:
        """Return the mention at an index; NOTHING outside the range."""
        return self.marks[at] if 0 <= at < len(self.marks) else NOTHING

    def add_condition(self, used: Iterable[int], *group: Condition, spot: int | None = None) -> None:
        """Add alternatives, and the mentions used for them."""
        self.conditions.where.append(list(group))
        self.conditions.used |= set(used)
        if spot is not None:
            self.spots[len(self.conditions.where) - 1] = spot

    def of_kind(self, *kinds: str) -> list[tuple[int, Mention]]:
        """Return the unused mentions of the given kinds, with their indexes."""
        return [(n, m) for n, m in enumerate(self.marks) if m.kind in kinds and n not in self.conditions.used]

    def columns(self) -> list[tuple[int, Mention, Column]]:
        """Return the mentions of columns."""
        return [(n, m, m.column) for n, m in enumerate(self.marks) if m.kind == "column" and m.column]

    def past(self, at: int, step: int, *kinds: str) -> int:
        """Return the index of the first mention in a direction that has none of these kinds."""
        at += step
        while self.mark(at).kind in kinds:
            at += step
        return at

    def between(self, start: int, end: int, *kinds: str) -> set[int]:
        """Return the indexes from `start` to before `end` whose mentions have these kinds."""
        return {n for n in range(max(0, start), min(end, len(self.marks))) if self.marks[n].kind in kinds}

    def adjacent(self, index: int, other: int, most: int = 2) -> bool:
        """Return whether at most `most` free units separate two mentions; units and scales do not count."""
        first, second = sorted((index, other))
        fillers = (mark for mark in self.marks[first + 1 : second] if mark.kind in ("unit", "scale", "pad"))
        inner = {n for mark in fillers for n in range(mark.first, mark.end)}
        units = [n for n in range(self.marks[first].end, self.marks[second].first) if n not in inner]
        return len(units) <= most and all(n in self.request.free for n in units)

    def japanese(self, at: int) -> bool:
        """Return whether a mention consists of Japanese words."""
        return self.request.units[self.marks[at].first].is_japanese

    def mention_text(self, at: int) -> str:
        """Return the text of a mention."""
        return self.request.raw(self.marks[at].first, self.marks[at].end)

    def text_between(self, first: int, second: int) -> str:
        """Return the text between two mentions."""
        units = self.request.units
        return self.request.text[units[self.marks[first].end - 1].end : units[self.marks[second].first].start]

    def negated(self, at: int) -> int | None:
        """Return the index of the negation of a mention: before it in English, after it in Japanese."""
        before, after = self.past(at, -1, "column", "pad", "with"), at + 1
        for near, far in ((before, 4), (after, 2 if self.japanese(at) else 0)):
            if self.mark(near).kind not in ("not", "without") or near in self.conditions.used:
                continue
            behind = near == after and self.mark(near + 1).kind in ("column", "value")
            if behind and not self.japanese(near) and self.adjacent(near, near + 1, far):
                continue  # the mackerel that were not released
            if not (near == before and self.japanese(near)) and self.adjacent(near, at, far):
                return near
        return None

    def mark_compared(self, number: int) -> None:
        """Mark a column mention as compared by a condition; it may still be the measure."""
        column = self.marks[number].column
        if column is not None:
            self.conditions.flags.setdefault(number, Condition(column.name, "compared"))


class FigureIndex(MentionIndex):
    """Index that also finds the figures of groups that a number is compared with."""

    def figure_column(self, at: int, op_at: int) -> Column | None:
        """Return the column whose named figure directly precedes a comparison: average temperature above, 平均が21."""
        japanese = self.japanese(op_at)
        near = at - 1 if japanese else op_at - 1
        number = near - 1 if japanese and self.mark(near).kind == "agg" else near
        mark, before = self.mark(number), self.mark(self.past(number, -1, "pad"))
        agg = self.mark(near) if number < near else before
        is_number = mark.kind == "column" and mark.column is not None and mark.column.is_number
        if not is_number or not agg.is_a("agg", *FIGURES):
            return None
        self.mark_compared(number)
        return mark.column

    def figure_of(self, at: int, column: Column) -> str:
        """Return the figure of a column that a number is compared with: average temperature above 21; empty without one."""
        named = [n for n, _, other in self.columns() if other == column and abs(n - at) <= MAX_DISTANCE]
        for number in sorted(named, key=lambda n: abs(n - at))[:1]:
            beside = [self.mark(self.past(number, -1, "pad"))]
            if self.japanese(min(number + 1, len(self.marks) - 1)):
                beside.append(self.mark(number + 1))
            for mark in beside:
                if mark.is_a("agg", *FIGURES):
                    return str(mark.value)
        return ""

    def rows_compared(self, at: int, compared: tuple[str, int], value: float, row: Condition | None) -> None:
        """Read a number of rows: more than 2 orders, 2回以上, 行数が8以上."""
        op, op_at = compared
        after = self.past(at, 1, "scale", "pad")
        behind = self.mark(after) if self.adjacent(at, min(after, len(self.marks) - 1), 0) else NOTHING
        named = self.counts_rows(at, compared)
        counted = behind.is_a("agg", "count") or behind.is_a("calc", "times")
        is_number = self.mention_text(at).casefold() not in ("once", "twice")
        counted = counted or behind.kind in ("row", "table") or not is_number
        if self.japanese(op_at):
            counted = behind.kind in ("unit", "agg") and self.mention_text(after) in COUNTERS
        part = behind.kind == "column" and behind.strength < 0.9 and not self.japanese(op_at)
        if named or counted or part:
            total = Total("count", None, op, value, op_at, row, named or counted)
            self.conditions.totals.append(total)

    def counts_rows(self, at: int, compared: tuple[str, int]) -> bool:
        """Return whether a number is compared with a count that stands before it: number of rows over 8, 件数が3以上."""
        start = at if self.japanese(compared[1]) else compared[1]
        before = self.past(start, -1, "pad", "row", "table")
        near = self.marks[start].first - self.mark(before).end <= MAX_DISTANCE
        if not (near and self.mark(before).is_a("agg", "count")):
            return False
        return not self.mention_text(before).casefold().startswith(("how", "何"))  # how many are over 50
