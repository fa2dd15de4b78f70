"""The mentions of one reading as the rules of conditions look at them: what stands beside what, and which are used up."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.query import Condition
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import Column, TableSchema

NOTHING = Mention(0, 0, "")


@dataclass
class Conditions:
    """What was found: alternatives joined by `and`; which mentions it took; numbers that are no comparison."""

    where: list[list[Condition]] = field(default_factory=list[list[Condition]])
    used: set[int] = field(default_factory=set[int])
    limits: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    doubts: list[str] = field(default_factory=list[str])
    flags: dict[int, Condition] = field(default_factory=dict[int, Condition])


class MentionIndex:
    """The mentions of a reading in order, and the conditions that are made of them."""

    def __init__(self, request: Request, schema: TableSchema, reading: Interpretation) -> None:
        self.request = request
        self.schema = schema
        self.marks = list(reading.mentions)
        self.conditions = Conditions()
        self.spots: dict[int, int] = {}
        """Where a condition's number or value stands, by its place in `where`."""

    def mark(self, at: int) -> Mention:
        """The mention with a number; NOTHING beyond the ends."""
        return self.marks[at] if 0 <= at < len(self.marks) else NOTHING

    def add_condition(self, used: Iterable[int], *group: Condition, spot: int | None = None) -> None:
        """Adds alternatives, and the mentions they were made of."""
        self.conditions.where.append(list(group))
        self.conditions.used |= set(used)
        if spot is not None:
            self.spots[len(self.conditions.where) - 1] = spot

    def of_kind(self, *kinds: str) -> list[tuple[int, Mention]]:
        """The mentions of some kinds that are not used yet, with their numbers."""
        return [(n, m) for n, m in enumerate(self.marks) if m.kind in kinds and n not in self.conditions.used]

    def columns(self) -> list[tuple[int, Mention, Column]]:
        """The mentions of columns."""
        return [(n, m, m.column) for n, m in enumerate(self.marks) if m.kind == "column" and m.column]

    def past(self, at: int, step: int, *kinds: str) -> int:
        """The number of the first mention in a direction that is of none of these kinds."""
        at += step
        while self.mark(at).kind in kinds:
            at += step
        return at

    def between(self, start: int, end: int, *kinds: str) -> set[int]:
        """The numbers from one to before another whose mentions are of these kinds."""
        return {n for n in range(max(0, start), min(end, len(self.marks))) if self.marks[n].kind in kinds}

    def adjacent(self, index: int, other: int, most: int = 2) -> bool:
        """Whether two mentions stand beside each other, but for a few free units."""
        first, second = sorted((index, other))
        fillers = (mark for mark in self.marks[first + 1 : second] if mark.kind in ("unit", "scale", "pad"))
        inner = {n for mark in fillers for n in range(mark.first, mark.end)}
        units = [n for n in range(self.marks[first].end, self.marks[second].first) if n not in inner]
        return len(units) <= most and all(n in self.request.free for n in units)

    def japanese(self, at: int) -> bool:
        """Whether a mention is of Japanese words."""
        return self.request.units[self.marks[at].first].is_japanese

    def mention_text(self, at: int) -> str:
        """The words of a mention."""
        return self.request.raw(self.marks[at].first, self.marks[at].end)

    def text_between(self, first: int, second: int) -> str:
        """The text between two mentions."""
        units = self.request.units
        return self.request.text[units[self.marks[first].end - 1].end : units[self.marks[second].first].start]

    def negated(self, at: int) -> int | None:
        """The number of a denial that belongs to a mention: before it, in Japanese behind it."""
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
        """A column mention became the column of a condition; it may still be the measure."""
        column = self.marks[number].column
        if column is not None:
            self.conditions.flags.setdefault(number, Condition(column.name, "compared"))
