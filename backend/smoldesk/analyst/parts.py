"""Division of an interpretation into conditions, groups, named columns and operations."""

from dataclasses import dataclass

from smoldesk.analyst.conditions import ConditionReader
from smoldesk.analyst.marks import Conditions
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.query import Condition, Group
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import Column, TableSchema, indexed_values

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

    @property
    def where(self) -> tuple[tuple[Condition, ...], ...]:
        return tuple(tuple(group) for group in self.conditions.where)

    @property
    def limit(self) -> int | None:
        """Requested number of rows or groups: an integer without a unit, unlike the one in `100 m`."""
        marks = self.reading.mentions
        measured = {m.first for m in marks if m.kind == "scale" or (m.kind == "unit" and m.value)}
        ends = ((marks[at].end, value) for at, value in self.conditions.limits)
        return next((int(n) for end, n in ends if n >= 1 and n == int(n) and end not in measured), None)

    def numbers(self) -> list[Column]:
        return unique([c for _, c in self.columns if c.is_number and not c.info.yes_no and not c.is_id])

    def categories(self) -> list[Column]:
        return unique([column for _, column in self.columns if not column.is_number or column.info.yes_no])


def unique(columns: list[Column]) -> list[Column]:
    return list(dict.fromkeys(columns))


def take_apart(request: Request, schema: TableSchema, reading: Interpretation) -> Parts:
    """Divide an interpretation into conditions, groups, named columns and operations."""
    reader = ConditionReader(request, schema, reading)
    conditions, marks = reader.read(), reader.marks
    p = Parts(schema, request, reading, conditions, [], [], [], [], [], {})
    after_per = False
    ranks = any(mark.kind in ("top", "sort") for mark in marks)
    which = any(
        mark.kind in ("which", "top", "adjective") or mark.is_a("agg", "max", "min") for mark in marks
    )
    for at, mark in enumerate(marks):
        follows = marks[at + 1].kind if at + 1 < len(marks) else ""
        japanese_per = follows == "per" and reader.japanese(at + 1)
        grouped = after_per or japanese_per
        has_condition = not grouped and _has_condition(request, marks, at)
        column = mark.column if mark.kind == "column" else None
        if mark.kind == "per":
            after_per = not reader.japanese(at)
        elif (mark.kind == "and" and after_per and p.groups) or (column and at in conditions.used):
            continue
        elif column is not None and row_like(schema, column) and not grouped and len(marks) > 1 and not which:
            p.ops.setdefault("row", []).append("")
        elif column is not None and _is_counted(reader, at):
            p.ops.setdefault("row", []).append("")  # the 出店 of 出店件数
        elif column is not None and mark.value == "worth" and (grouped or _names_other(reader, column)):
            continue  # "how much is X" asks for this figure
        elif column is not None and mark.strength <= 0.62 and _is_head(reader, at):
            continue  # the language of `language being practised`
        elif column and column.is_category and has_condition and (not which or row_like(schema, column)):
            p.subjects.append(column)
            p.ops.setdefault("row", []).append("")  # the dogs of `for dogs over 20 kg` are the rows
        elif column is not None:
            many = not column.info.values or ranks or len(column.info.values) > 12
            if grouped and column.is_number and many and not column.info.yes_no and not japanese_per:
                p.order.append(column)
                after_per = False
                continue
            is_group = grouped or (follows == "and" and _per_behind(marks, at, request))
            cuts = column.is_category or not column.is_number or grouped or 0 < len(column.info.values) <= 12
            if at in conditions.flags and conditions.flags[at].op == "compared":
                p.compared.append((at, column))
            elif is_group and cuts:
                p.groups.append(Group(column.name, "day" if column.is_date else ""))
            else:
                p.columns.append((at, column))
            after_per = after_per and follows == "and"
        elif mark.kind == "grain" and schema.dates and (grouped or _is_each(request, mark)):
            named = (mark.column for mark in marks if mark.kind == "column" and mark.column is not None)
            dated = next((candidate for candidate in named if candidate.is_date), schema.dates[0])
            p.groups.append(Group(dated.name, str(mark.value)))  # type: ignore[arg-type]
            after_per = False
        else:
            after_per = after_per and mark.kind in ("pad", "with", "which", "grain")
            # 時間 is a duration here, not a time step.
            lasts = mark.is_a("grain", "hour") and reader.mention_text(at) == "時間"
            if not lasts and mark.kind not in ("value", "number", "unit", "scale", "date"):
                p.ops.setdefault(mark.kind, []).append(str(mark.value))
            if mark.kind == "quart":  # the upper quartile is a quantile
                p.ops.setdefault("agg", []).append("quantile")
    p.groups = list(dict.fromkeys(p.groups))
    return p


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
        return True
    if column.info.kind != "text":
        return False
    different = len(column.info.values) or len(indexed_values(schema.info, column.name))
    return 3 * different > 2 * schema.info.rows
