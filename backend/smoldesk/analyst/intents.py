"""What a request asks for, as plain data: the one thing readers produce and writers turn into code.

An intent says nothing about the language it was asked in, so that the same one can be answered in
either, kept for a follow-up, and given to an agent that calls tools instead of writing code.
"""

from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "ja"]
Operation = Literal[
    "aggregate",
    "describe",
    "head",
    "tail",
    "shape",
    "missing",
    "distinct",
    "columns",
    "correlation",
    "hist",
    "scatter",
    "top",
    "outliers",
    "quantile",
    "mode",
    "difference",
    "normality",
    "regression",
    "pairs",
    "rows",
    "sample",
    "duplicates",
    "deduplicate",
    "types",
    "memory",
]
Aggregate = Literal[
    "mean", "median", "sum", "min", "max", "std", "var", "range", "iqr", "mode", "skew", "kurt", "quantile",
    "count", "share", "nunique",
]  # fmt: skip
Plot = Literal[
    "", "auto", "bar", "line", "hist", "scatter", "box", "violin", "stacked", "pie", "heatmap", "pair"
]
Grain = Literal[
    "", "hour", "hour of day", "half of day", "day", "week", "month", "quarter", "half year", "year", "weekday",
    "part of week",
]  # fmt: skip
Order = Literal["", "asc", "desc"]
Comparison = Literal["==", "!=", ">", ">=", "<", "<="]
Change = Literal["", "diff", "pct"]
DatePart = Literal[
    "", "blank", "month", "day", "days left", "weekend", "workday", "weekday", "hour", "holds", "begins", "ends",
    "any", "all", "column", "average",
]  # fmt: skip
ColumnSort = Literal["", "number", "text", "date", "yes or no"]
"""What the columns are that a question about types asks for."""
Scalar = str | float | bool


@dataclass(frozen=True)
class Filter:
    """Rows whose `column` compares so to the value; several values mean any of them (or, with !=, none)."""

    column: str
    comparison: Comparison
    values: tuple[Scalar, ...]
    part: DatePart = ""
    """What of a date or a text is compared, when not the whole of it; `any` and `all` of the `options`, or, with `column`,
    the other column of the row that `values` names; with `average` the column's own figure so called."""
    options: tuple["Filter", ...] = ()
    said: str = field(default="", compare=False)
    """The amount as it was said, where it was converted to the column's unit: 90 minutes."""

    @property
    def leaves(self) -> tuple["Filter", ...]:
        """The plain conditions it is made of: itself, or those of its options."""
        return tuple(each for one in self.options for each in one.leaves) if self.options else (self,)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that the condition looks at."""
        if self.options:
            return tuple(name for one in self.leaves for name in one.columns)
        return (self.column, str(self.values[0])) if self.part == "column" else (self.column,)


@dataclass(frozen=True)
class Join:
    """Two tables side by side, where `left_key` of one equals `right_key` of the other."""

    left: str
    right: str
    left_key: str
    right_key: str


DerivedSign = Literal["×", "÷", "+", "−", "gap", "days", "range"]


@dataclass(frozen=True)
class Derived:
    """A column made of others row by row: their product, ratio, sum or difference, the difference without its sign, or the
    days from the first date to the second; or the range that a number lies in, each of `width` (0: as the numbers ask)."""

    name: str
    sign: DerivedSign
    columns: tuple[str, ...]
    width: float = 0.0


@dataclass(frozen=True)
class PerThing:
    """What is asked of how many rows each group has: those that have so many, or a `figure` of these numbers."""

    comparison: Comparison = ">="
    number: int = 0
    figure: Aggregate | Literal[""] = ""
    asked: Literal["names", "share"] = "names"


@dataclass(frozen=True)
class DataIntent:
    """A question to one table. `target` is the condition that a share counts."""

    table: str
    operation: Operation = "aggregate"
    measures: tuple[str, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    groups: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    target: Filter | None = None
    date: str = ""
    grain: Grain = ""
    over_time: bool = False
    order: Order = ""
    limit: int = 0
    plot: Plot = ""
    save: bool = False
    file_name: str = ""
    file_kind: Literal["csv", "xlsx"] = "csv"
    quantiles: tuple[float, ...] = ()
    rule: Literal["iqr", "z"] = "iqr"
    rule_limit: float = 0.0
    change: Change = ""
    window: int = 0
    bins: int = 0
    """How many bars a histogram has; 0 where nobody said."""
    wide: bool = False
    trend_line: bool = False
    unnamed: bool = False
    """No figure was named: the usual one was taken, and the answer says so."""
    running: bool = False
    """Figures add up from one point in time to the next."""
    averaged: bool = False
    """The totals of the steps of time are averaged."""
    sides: tuple[Filter, ...] = ()
    """The two groups whose figures are compared, the first minus the second."""
    place: int = 0
    """Only the one at this place of the ranking."""
    joined: Join | None = None
    derived: tuple[Derived, ...] = ()
    per_thing: PerThing | None = None
    """What is asked of the groups' counts themselves: customers with more than 2 orders."""
    sort: ColumnSort = ""
    """Only the columns of this sort, where types are asked for."""
    seed: int = 0
    """What a random sample is drawn with, so that it can be drawn again; 0 before the request's place in the talk is known."""


@dataclass(frozen=True)
class At:
    """A place on a floor: a room by name, or a point in the floor's virtual coordinates."""

    room: str = ""
    x: float = 0.0
    y: float = 0.0

    def spelled(self) -> str:
        """As the map tools want it."""
        return self.room or f"{self.x:.10g},{self.y:.10g}"


@dataclass(frozen=True)
class MapIntent:
    """One drawing on the map. Colours are `#RRGGBB` or empty for the usual one."""

    floor: str = ""
    highlights: tuple[tuple[str, str], ...] = ()
    arrows: tuple[tuple[str, At], ...] = ()
    icons: tuple[tuple[str, At], ...] = ()
    texts: tuple[tuple[str, At], ...] = ()
    clear: Literal["", "map", "arrows"] = ""
    text_colour: str = ""
    random_points: int = 0
    random_icon: str = ""


@dataclass(frozen=True)
class ColourRooms:
    """Colour the rooms of a floor by a figure; `data` groups by the column of room names.

    With `only`, just the highest (desc) or lowest (asc) room is highlighted.
    """

    floor: str
    rooms: tuple[str, ...]
    data: DataIntent
    only: Order = ""


@dataclass(frozen=True)
class PlayRooms:
    """Play over time what colours the rooms: `data` is that of `rooms` with a date and a grain.

    `last` keeps the table's last days (0: all of it); `colours` paints the rooms once before, as it was asked for.
    """

    rooms: ColourRooms
    data: DataIntent
    last: int = 0
    colours: bool = False


@dataclass(frozen=True)
class Ways:
    """One question about the building, as the call of the tool that answers it: names as the person writes them."""

    tool: Literal["find_route", "nearest", "where_is", "list_rooms"]
    arguments: tuple[tuple[str, Scalar], ...]


@dataclass(frozen=True)
class Draw:
    """A plot of nothing but mathematics; `plot` says what kind when the data is random."""

    what: Literal["sine", "cosine", "both", "random"]
    plot: Plot = ""


@dataclass(frozen=True)
class Payment:
    """Money for somebody; the recipient is written as in the request, the currency is a code."""

    recipient: str
    amount: float
    currency: str
    description: str = ""


@dataclass(frozen=True)
class Whereabouts:
    """Where the person is."""


@dataclass(frozen=True)
class Music:
    """The track the BGM changes to; 0 is silence."""

    track: int


@dataclass(frozen=True)
class Weather:
    """The weather of a place, as the request writes it."""

    location: str


@dataclass(frozen=True)
class Asking:
    """What another agent is asked, as the request writes it."""

    agent: str
    message: str


Errand = Payment | Whereabouts | Music | Weather | Asking


@dataclass(frozen=True)
class Errands:
    """Things to do for the person, in the order of the request; each is one call of a tool."""

    errands: tuple[Errand, ...]


@dataclass(frozen=True)
class ListDatasets:
    """What can be loaded here."""


@dataclass(frozen=True)
class Help:
    """A greeting, or a question about what the analyst can do."""

    greeting: bool


Reason = Literal[
    "nothing", "unknown", "beyond", "no_dataset", "no_column", "no_room", "no_floor", "no_icon", "no_value",
    "which_way", "which_value", "which_table",
    "which_column", "which_rooms", "not_a_number", "no_date", "two_numbers", "no_tables",
    "nothing_to_save", "too_much", "not_saved", "broken_file", "failed",
    "no_key", "two_groups",
    "incomplete", "each_or_shared", "no_currency", "one_by_one", "errand_words", "later", "where_from", "no_selection",
]  # fmt: skip


@dataclass(frozen=True)
class Refusal:
    """Why there is no answer: the reason, the words it is about, and what there is instead."""

    reason: Reason
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    table: str = ""


Intent = (
    DataIntent | MapIntent | ColourRooms | PlayRooms | Ways | Draw | Errands | ListDatasets | Help | Refusal
)


@dataclass(frozen=True)
class Reading:
    """An intent, the language to answer in, and the mended typos (as written, as read).

    `turn` is the number of the request in its talk: the seed of whatever is random.
    """

    intent: Intent
    language: Language
    mended: tuple[tuple[str, str], ...] = ()
    turn: int = 1
