"""Query: the data model of a request about a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from smoldesk.analyst.times import When

Grain = Literal["", "hour", "hour of day", "day", "week", "month", "quarter", "half year", "year", "weekday"]
Kind = Literal[
    "figure", "groups", "share", "rows", "distinct", "missing", "describe", "shape", "correlation", "outliers", "head",
    "tail", "columns", "difference", "plot values",
]  # fmt: skip

# pydantic configuration of these classes: JSON with unknown fields is rejected.
CLOSED = {"extra": "forbid"}


@dataclass(frozen=True)
class Condition:
    """Condition on a column: `op` is ==, !=, >, >=, <, <=, between, missing, present, when or not when."""

    __pydantic_config__: ClassVar = CLOSED
    column: str
    op: str
    values: "tuple[Value, ...]" = ()


@dataclass(frozen=True)
class OtherColumn:
    """Another column of the same row, as the operand of a condition."""

    __pydantic_config__: ClassVar = CLOSED
    column: str


# Operand of a condition.
Value = str | bool | int | float | When | OtherColumn
# Conditions that must all hold; the conditions inside one of them are alternatives.
Where = tuple[tuple[Condition, ...], ...]


@dataclass(frozen=True)
class Measure:
    """Figure: `fn` of a column; without a column, the number of rows.

    With `other`, `fn` of both columns combined by `sign` (one of * / + -) in each row.
    """

    __pydantic_config__: ClassVar = CLOSED
    fn: str = "count"
    column: str | None = None
    q: float | None = None
    sign: str = ""
    other: str = ""


@dataclass(frozen=True)
class Having:
    """Condition on the first measure of each group: `op` is one of > >= < <= == and between."""

    __pydantic_config__: ClassVar = CLOSED
    op: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Group:
    """Column that groups the rows; dates by their grain."""

    __pydantic_config__: ClassVar = CLOSED
    column: str
    grain: Grain = ""


@dataclass(frozen=True)
class Query:
    """Interpretation as data."""

    __pydantic_config__: ClassVar = CLOSED
    table: str
    kind: Kind = "figure"
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    where: Where = ()
    top: int | None = None
    descending: bool | None = None
    # True if one row or group is requested: the longest, the busiest.
    one: bool = False
    columns: tuple[str, ...] = ()
    change: str = ""
    window: int | None = None
    plot: str = ""
    file: str = ""
    # Drawing of the rooms: coloured by the figure, only the first one highlighted, or played over time.
    map: Literal["", "colour", "one", "play", "colour and play"] = ""
    # Last days of the table to play; 0 for all.
    last: int = 0
    # Conditions of a share's part; `where` limits the total.
    part: Where = ()
    # Groups that are shown; None for all. It applies after the figures are computed.
    having: Having | None = None
    # True if rows that are totals of others are included.
    totals: bool = False
    # Words of the request that the query leaves unused. Like the features, they are left out of comparisons and JSON.
    unused_terms: tuple[str, ...] = field(default=(), compare=False)
    features: tuple[tuple[str, float], ...] = field(default=(), compare=False)

    @property
    def first(self) -> Measure:
        """First measure. Raises IndexError without one."""
        return self.measures[0]


def explains(query: Query) -> bool:
    """Return whether a difference is of a figure that can be split into the parts of categories."""
    return query.first.fn in ("sum", "mean", "count") and not query.first.other


# Steps of time from fine to coarse.
_STEPS: tuple[Grain, ...] = ("day", "week", "month", "quarter", "half year", "year")


def coarsened(query: Query, steps: Mapping[str, str]) -> Query:
    """Return a query whose groups are not finer than their columns: years for a column with one date a year.

    `steps` has the period of a column's dates by its name.
    """
    groups = tuple(
        replace(group, grain=step)
        if (step := steps.get(group.column)) in _STEPS
        and group.grain in _STEPS
        and _STEPS.index(group.grain) < _STEPS.index(step)
        else group
        for group in query.groups
    )
    return query if groups == query.groups else replace(query, groups=groups)


def columns_of(query: Query) -> set[str]:
    """Return the columns that a query reads."""
    conditions = [condition for group in (*query.where, *query.part) for condition in group]
    names = (
        {condition.column for condition in conditions}
        | {group.column for group in query.groups}
        | set(query.columns)
    )
    names |= {
        value.column
        for condition in conditions
        for value in condition.values
        if isinstance(value, OtherColumn)
    }
    return names | {name for measure in query.measures for name in (measure.column, measure.other) if name}
