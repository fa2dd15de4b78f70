"""A reading taken apart: its conditions, groups, the columns it names, and what is to be done with them. Pure."""

from dataclasses import dataclass

from smoldesk.analyst.conditions import ConditionReader
from smoldesk.analyst.marks import Conditions
from smoldesk.analyst.mentions import Mention, Reading
from smoldesk.analyst.query import Condition, Group
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import Column, TableSchema, indexed_values

GRAINS_LY = ("hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually")


@dataclass
class Parts:
    """A reading taken apart, as the rules look at it."""

    schema: TableSchema
    request: Request
    reading: Reading
    conditions: Conditions
    groups: list[Group]
    columns: list[tuple[int, Column]]
    """Columns named that are neither group nor compared, in their order."""
    compared: list[tuple[int, Column]]
    order: list[Column]
    """Columns of numbers that rows or groups are put in order by."""
    ops: dict[str, list[str]]
    used: set[int]
    time: bool = False

    def has(self, kind: str, *values: str) -> bool:
        """Whether something of a kind was said."""
        said = self.ops.get(kind)
        return said is not None and (not values or any(one in values for one in said))

    @property
    def where(self) -> tuple[tuple[Condition, ...], ...]:
        return tuple(tuple(one) for one in self.conditions.where)

    def numbers(self) -> list[Column]:
        return once([c for _, c in self.columns if c.is_number and not c.info.yes_no and not c.is_id])

    def categories(self) -> list[Column]:
        return once([column for _, column in self.columns if not column.is_number or column.info.yes_no])


def once(columns: list[Column]) -> list[Column]:
    return list(dict.fromkeys(columns))


def take_apart(request: Request, schema: TableSchema, reading: Reading) -> Parts:
    """The parts of a reading: conditions, groups, what is named, what is to be done."""
    reader = ConditionReader(request, schema, reading)
    conditions = reader.read()
    marks = reader.marks
    ops: dict[str, list[str]] = {}
    groups: list[Group] = []
    used: set[int] = set(conditions.used)
    columns: list[tuple[int, Column]] = []
    compared: list[tuple[int, Column]] = []
    order: list[Column] = []
    after_per = False
    for at, mark in enumerate(marks):
        follows = marks[at + 1].kind if at + 1 < len(marks) else ""
        japanese_per = follows == "per" and request.units[marks[at + 1].first].is_japanese
        grouped = after_per or japanese_per
        if mark.kind == "per":
            used.add(at)
            after_per = not request.units[mark.first].is_japanese
            continue
        if mark.kind == "and" and after_per and groups:
            used.add(at)
            continue
        if mark.kind == "column" and mark.column is not None and at in conditions.used:
            continue
        if mark.kind == "column" and mark.column is not None:
            rowlike = row_like(schema, mark.column) and not grouped and len(marks) > 1
            if rowlike and not any(one.kind in ("which", "top", "adjective") for one in marks):
                ops.setdefault("row", []).append("")
                used.add(at)
                continue
            ordered = any(one.kind in ("top", "sort") for one in marks) or len(mark.column.info.values) > 12
            if (
                grouped
                and mark.column.is_number
                and (not mark.column.info.values or ordered)
                and not mark.column.info.yes_no
                and not japanese_per
            ):
                order.append(mark.column)
                used.add(at)
                after_per = False
                continue
            listed = grouped or (follows == "and" and _per_behind(marks, at, request))
            if at in conditions.flags and conditions.flags[at].op == "compared":
                compared.append((at, mark.column))
            elif listed and (
                mark.column.is_category
                or mark.column.is_date
                or not mark.column.is_number
                or grouped
                or 0 < len(mark.column.info.values) <= 12
            ):
                groups.append(Group(mark.column.name, "day" if mark.column.is_date else ""))
            elif at in conditions.flags and not grouped:
                columns.append((at, mark.column))
            else:
                columns.append((at, mark.column))
            used.add(at)
            after_per = after_per and follows == "and"
            continue
        if mark.kind == "grain":
            raw = request.units[mark.end - 1].raw
            dated = schema.dates
            if dated and (
                grouped
                or raw in GRAINS_LY
                or raw.endswith(("次", "毎"))
                or "毎" in request.raw(mark.first, mark.end)
            ):
                groups.append(Group(_dates(marks, schema).name, str(mark.value)))  # type: ignore[arg-type]
                used.add(at)
                after_per = False
                continue
            ops.setdefault("grain", []).append(str(mark.value))
            continue
        after_per = False if mark.kind not in ("pad", "with", "which") else after_per
        if mark.kind in ("value", "number", "unit", "scale", "date"):
            continue
        ops.setdefault(mark.kind, []).append(str(mark.value))
        if mark.kind == "quart":  # the upper quartile is a quantile
            ops.setdefault("agg", []).append("quantile")
    return Parts(
        schema, request, reading, conditions, list(dict.fromkeys(groups)), columns, compared, order, ops, used
    )


def _per_behind(marks: list[Mention], at: int, request: Request) -> bool:
    """Whether columns joined by `and` end in a Japanese ごと or 別."""
    number = at + 1
    while number < len(marks) and marks[number].kind in ("and", "column"):
        number += 1
    return (
        number < len(marks) and marks[number].kind == "per" and request.units[marks[number].first].is_japanese
    )


def _dates(marks: list[Mention], schema: TableSchema) -> Column:
    named = [
        mark.column
        for mark in marks
        if mark.kind == "column" and mark.column is not None and mark.column.is_date
    ]
    return named[0] if named else schema.dates[0]


def row_like(schema: TableSchema, column: Column) -> bool:
    """Whether nearly every row has a value of its own in a column."""
    if column.is_id:
        return True
    if column.info.kind != "text":
        return False
    different = len(column.info.values) or len(indexed_values(schema.info, column.name))
    return 3 * different > 2 * schema.info.rows
