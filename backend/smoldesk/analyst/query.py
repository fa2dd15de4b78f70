"""What a request asks for, as data: every reading is one Query. Pure."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from smoldesk.analyst.times import When

Grain = Literal["", "hour", "hour of day", "day", "week", "month", "quarter", "half year", "year", "weekday"]
Kind = Literal[
    "figure", "groups", "share", "rows", "distinct", "missing", "describe", "shape", "correlation", "outliers", "head",
    "tail", "columns", "difference", "plot values",
]  # fmt: skip

# How pydantic reads these classes from JSON: a field that there is not is refused.
CLOSED = {"extra": "forbid"}


@dataclass(frozen=True)
class Condition:
    """One condition on a column: `op` is ==, !=, >, >=, <, <=, between, contains, missing, present, when or not when."""

    __pydantic_config__: ClassVar = CLOSED
    column: str
    op: str
    values: "tuple[Value, ...]" = ()


@dataclass(frozen=True)
class OtherColumn:
    """Another column of the same row, as the value of a condition."""

    __pydantic_config__: ClassVar = CLOSED
    column: str


# What a condition compares with.
Value = str | bool | int | float | When | OtherColumn


@dataclass(frozen=True)
class Measure:
    """A figure: `fn` of a column; rows are counted where there is no column.

    With `other`, of the two columns together, joined by `sign` (one of * / + -) for each row.
    """

    __pydantic_config__: ClassVar = CLOSED
    fn: str = "count"
    column: str | None = None
    q: float | None = None
    sign: str = ""
    other: str = ""


@dataclass(frozen=True)
class Group:
    """A column that cuts the rows; dates by their grain."""

    __pydantic_config__: ClassVar = CLOSED
    column: str
    grain: Grain = ""


@dataclass(frozen=True)
class Query:
    """A reading. All of `where` hold; the conditions inside one of them are alternatives."""

    __pydantic_config__: ClassVar = CLOSED
    table: str
    kind: Kind = "figure"
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    where: tuple[tuple[Condition, ...], ...] = ()
    top: int | None = None
    descending: bool | None = None
    one: bool = False
    """One row or group is asked for: the longest, the busiest."""
    columns: tuple[str, ...] = ()
    change: str = ""
    window: int | None = None
    plot: str = ""
    file: str = ""
    map: Literal["", "colour", "one", "play", "colour and play"] = ""
    """What rooms are drawn by the figure: coloured, only the first one highlighted, or played over time."""
    last: int = 0
    """Of what is played: only the table's last days; 0 for all of them."""
    part: tuple[tuple[Condition, ...], ...] = ()
    """Of a share: the conditions of the part; `where` is the whole."""
    unused_terms: tuple[str, ...] = field(default=(), compare=False)
    """Words of the request that it leaves unused."""
    features: tuple[tuple[str, float], ...] = field(default=(), compare=False)

    @property
    def first(self) -> Measure:
        """The first measure. Raises IndexError without one."""
        return self.measures[0]


def columns_of(query: Query) -> set[str]:
    """The columns that a query reads."""
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
