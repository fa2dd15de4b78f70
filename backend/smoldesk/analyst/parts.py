"""Division of an interpretation into conditions, groups, named columns and operations."""

from dataclasses import dataclass

from smoldesk.analyst.conditions import ConditionReader
from smoldesk.analyst.marks import Conditions
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.query import Group, Where
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import Column, TableSchema

GRAINS_LY = ("hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually")


_CONDITION = ("have", "had", "with", "without", "over", "under", "above", "below", "who", "that", "whose",
    "where")  # fmt: skip


@dataclass
class Parts:
    """Parts of an interpretation, as the rules use them."""

    schema: TableSchema
    request: Request
    reading: Interpretation
    conditions: Conditions
    groups: list[Group]
    # Named columns that are neither groups nor compared, in the order of the request.
    columns: list[tuple[int, Column]]
    compared: list[tuple[int, Column]]
    # Number columns that sort the rows or groups.
    order: list[Column]
    # Categories that a condition follows: the rooms of `rooms with ...`.
    subjects: list[Column]
    ops: dict[str, list[str]]

    def has(self, kind: str, *values: str) -> bool:
        """Return whether the request contains a mention of this kind."""
        entries = self.ops.get(kind)
        return entries is not None and (not values or any(entry in values for entry in entries))

    def texts(self, *kinds: str) -> list[str]:
        """Return the texts of all mentions of some kinds, in small letters."""
        return [self.request.raw(m.first, m.end).casefold() for m in self.reading.mentions if m.kind in kinds]

    @property
    def where(self) -> Where:
        return tuple(tuple(group) for group in self.conditions.where)

    @property
    def flagged(self) -> Where:
        """Conditions by yes-or-no columns."""
        return tuple((flag,) for flag in self.conditions.flags.values() if flag.op != "compared")

    @property
    def half_named(self) -> set[str]:
        """Columns of whose headers the request has only a part."""
        return {column.name for at, column in self.columns if self.reading.mentions[at].strength <= 0.6}

    @property
    def described(self) -> list[Column]:
        """Columns of adjectives: Age of older."""
        marks = self.reading.mentions
        return [mark.column for mark in marks if mark.is_a("adjective") and mark.column is not None]

    @property
    def ranks_unknown(self) -> bool:
        """True if an unexplained word stands next to a superlative."""
        ends = [mark.end for mark in self.reading.mentions if mark.kind == "top"]
        return any(0 <= n - end <= 1 for n in self.reading.uncovered_units for end in ends)

    @property
    def limit(self) -> int | None:
        """Requested number of rows or groups: an integer without a unit, unlike the one in `100 m`."""
        marks = self.reading.mentions
        measured = {m.first for m in marks if m.kind == "scale" or (m.kind == "unit" and m.value)}
        ends = ((marks[at].end, value) for at, value in self.conditions.limits)
        return next((int(n) for end, n in ends if n >= 1 and n == int(n) and end not in measured), None)

    def is_unique(self, name: str) -> bool:
        """Return whether each row has its own value in a column."""
        column = self.schema.column(name)
        is_other = column.is_id and column != self.schema.row_id
        return not (is_other or 0 < len(self.schema.values_of(column)) < self.schema.info.rows)

    def numbers(self) -> list[Column]:
        return [c for c in self._figures() if c not in self._labels()]

    def categories(self) -> list[Column]:
        labels = self._labels()
        return unique([c for _, c in self.columns if not c.is_number or c.info.yes_no or c in labels])

    def _figures(self) -> list[Column]:
        return unique([c for _, c in self.columns if c.is_number and not c.info.yes_no and not c.is_id])

    def _labels(self) -> list[Column]:
        """Return the numbers that only tell rows apart: which district has the most crime, which chick is the heaviest."""
        figures = self._figures()
        ids = [column for column in figures if column.info.role == "id"]
        is_label = self.has("which") or (self.has("top") and len(ids) < len(figures))
        return ids if is_label and not self.has("agg") else []


def unique(columns: list[Column]) -> list[Column]:
    return list(dict.fromkeys(columns))


def take_apart(request: Request, schema: TableSchema, reading: Interpretation) -> Parts:
    """Divide an interpretation into conditions, groups, named columns and operations."""
    return _Division(request, schema, reading).parts()


class _Division:
    """Division of one interpretation, mention by mention; `after_per` is true behind an English `by` or `per`."""

    def __init__(self, request: Request, schema: TableSchema, reading: Interpretation) -> None:
        self.reader = ConditionReader(request, schema, reading)
        conditions = self.reader.read()
        self.request, self.schema, self.marks = request, schema, self.reader.marks
        self.p = Parts(schema, request, reading, conditions, [], [], [], [], [], {})
        self.after_per = False
        kinds = {mark.kind for mark in self.marks}
        self.ranks = not kinds.isdisjoint(("top", "sort"))
        asks_extreme = any(mark.is_a("agg", "max", "min") for mark in self.marks)
        self.which = asks_extreme or not kinds.isdisjoint(("which", "top", "adjective"))
        self.which |= any(unit.raw == "which" for unit in request.units)

    def parts(self) -> Parts:
        """Return the parts."""
        for at, mark in enumerate(self.marks):
            if mark.kind == "per":
                self.after_per = not self.reader.japanese(at)
            elif mark.kind == "column" and mark.column is not None:
                if at not in self.p.conditions.used:
                    self._column(at, mark, mark.column)
            elif not (mark.kind == "and" and self.after_per and self.p.groups):
                self._operation(at, mark)
        self.p.groups = list(dict.fromkeys(self.p.groups))
        if self.p.has("sort", "asc"):  # sort it from low to high
            self.p.ops["sort"] = ["asc"]
        return self.p

    def _is_grouped(self, at: int) -> bool:
        """Return whether a word for groups belongs to a mention: before it in English, after it in Japanese."""
        follows = self.reader.mark(at + 1).kind == "per"
        return self.after_per or (follows and self.reader.japanese(at + 1))

    def _column(self, at: int, mark: Mention, column: Column) -> None:
        grouped = self._is_grouped(at)
        if self._names_rows(at, column, grouped):
            self.p.ops.setdefault("row", []).append("")
        elif not self._is_only_a_word(at, mark, column, grouped):
            self._named(at, column, grouped)

    def _names_rows(self, at: int, column: Column, grouped: bool) -> bool:
        """Return whether a column stands for the rows: the 出店 of 出店件数, the dogs of `for dogs over 20 kg`."""
        if self.reader.mark(at - 1).is_a("op", "distinct"):  # how many different vessels have called
            return False
        rowish = row_like(self.schema, column)
        if rowish and not grouped and len(self.marks) > 1 and not self.which:
            return True
        if _is_counted(self.reader, at):
            return True
        has_condition = not grouped and _has_condition(self.request, self.marks, at)
        subject = column.is_category and has_condition and (not self.which or rowish)
        if subject and not self._is_only_a_word(at, self.marks[at], column, grouped):
            self.p.subjects.append(column)
            return True
        return False

    def _is_only_a_word(self, at: int, mark: Mention, column: Column, grouped: bool) -> bool:
        """Return whether a mention adds nothing: `how much is X` asks for X, `how many sales` for rows, the language of
        `language being practised`.
        """
        counted = self.schema.takings is not None and self.reader.mark(at - 1).is_a("agg", "count")
        worth = mark.value == "worth" and (grouped or counted or _names_other(self.reader, column))
        return worth or (mark.strength <= 0.62 and _is_head(self.reader, at))

    def _named(self, at: int, column: Column, grouped: bool) -> None:
        """Add a column as a group, as the order, or as a named column."""
        follows, flags = self.reader.mark(at + 1).kind, self.p.conditions.flags
        few = 0 < len(column.info.values) <= 12
        japanese_per = follows == "per" and self.reader.japanese(at + 1)
        many = (not few and column.info.role not in ("id", "time")) or self.ranks
        if grouped and column.is_number and many and not column.info.yes_no and not japanese_per:
            self.p.order.append(column)
            self.after_per = False
            return
        is_group = grouped or (follows == "and" and _per_behind(self.marks, at, self.request))
        cuts = column.is_category or not column.is_number or grouped or few
        if at in flags and flags[at].op == "compared":
            self.p.compared.append((at, column))
        elif is_group and cuts:
            self.p.groups.append(Group(column.name, "day" if column.is_date else ""))
        else:
            self.p.columns.append((at, column))
        self.after_per = self.after_per and follows == "and"

    def _operation(self, at: int, mark: Mention) -> None:
        """Add a time step that groups, or an operation."""
        if (
            mark.kind == "grain"
            and self.schema.dates
            and (self._is_grouped(at) or _is_each(self.request, mark))
        ):
            named = (m.column for m in self.marks if m.kind == "column" and m.column is not None)
            dated = next((candidate for candidate in named if candidate.is_date), self.schema.dates[0])
            self.p.groups.append(Group(dated.name, str(mark.value)))  # type: ignore[arg-type]
            self.after_per = False
            return
        self.after_per = self.after_per and mark.kind in ("pad", "with", "which", "grain")
        # 時間 is a duration here, not a time step; so are the hours of `labour hours`.
        lasts = mark.is_a("grain", "hour") and (
            self.reader.mention_text(at) == "時間" or _is_unit(self.reader, at)
        )
        if not lasts and mark.kind not in ("value", "number", "unit", "scale", "date"):
            self.p.ops.setdefault(mark.kind, []).append(str(mark.value))
        if mark.kind == "quart":  # the upper quartile is a quantile
            self.p.ops.setdefault("agg", []).append("quantile")


def _is_unit(reader: ConditionReader, at: int) -> bool:
    """Return whether a time step only repeats the unit of the column before it."""
    before = reader.mark(at - 1)
    is_same = before.column is not None and before.column.unit == reader.marks[at].value
    return is_same and reader.adjacent(at - 1, at, 0)


def _has_condition(request: Request, marks: list[Mention], at: int) -> bool:
    """Return whether an English condition starts right after a mention: games with 5 or more players."""
    behind = request.units[marks[at].end : marks[at].end + 1]
    return bool(behind) and behind[0].raw in _CONDITION


def _is_counted(reader: ConditionReader, at: int) -> bool:
    """Return whether a Japanese name and 件数 or 回数 after it form one word."""
    after = reader.mark(at + 1)
    is_adjacent = after.is_a("agg", "count") and after.first == reader.marks[at].end
    return is_adjacent and reader.mention_text(at + 1) in ("件数", "回数")


def _names_other(reader: ConditionReader, column: Column) -> bool:
    """Return whether a request names another number column, outside of conditions."""
    used, flags = reader.conditions.used, reader.conditions.flags
    named = (other for n, _, other in reader.columns() if n not in used and n not in flags)
    return any(other.is_number and other != column for other in named)


def _is_head(reader: ConditionReader, at: int) -> bool:
    """Return whether part of a header directly precedes another column, as its noun."""
    after = reader.mark(at + 1)
    sure = after.kind == "column" and after.strength > 0.62 and after.column != reader.marks[at].column
    between = reader.text_between(at, at + 1) if sure else ","
    return "," not in between and not reader.japanese(at) and reader.adjacent(at, at + 1)


def _is_each(request: Request, mark: Mention) -> bool:
    """Return whether a time step groups by itself: monthly, 月次, 毎月."""
    raw = request.units[mark.end - 1].raw
    return raw in GRAINS_LY or raw.endswith(("次", "毎")) or "毎" in request.raw(mark.first, mark.end)


def _per_behind(marks: list[Mention], at: int, request: Request) -> bool:
    """Return whether columns joined by `and` end in a Japanese ごと or 別."""
    end = at + 1
    while end < len(marks) and marks[end].kind in ("and", "column"):
        end += 1
    return any(mark.kind == "per" and request.units[mark.first].is_japanese for mark in marks[end : end + 1])


def row_like(schema: TableSchema, column: Column) -> bool:
    """Return whether nearly each row has a distinct value in a column."""
    if column.is_id:
        return column == schema.row_id
    if column.info.kind != "text":
        return False
    return "unique" in column.info.traits or 3 * len(schema.values_of(column)) > 2 * schema.info.rows
