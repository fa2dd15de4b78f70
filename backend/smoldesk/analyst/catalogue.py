"""Tables and building that the analyst may use, as frozen data.

`smoldesk.agents` fills it before a run. The analyst opens no files: it knows only this description of a table, and the code
that it writes computes all numbers of its answers.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from smoldesk.buildings.places import PlaceIndex

ColumnKind = Literal["number", "text", "date", "bool"]
Box = tuple[float, float, float, float]
# Values of the text columns, the most frequent first, as counted by the process that read the file; ids are left out.
ValueIndex = Mapping[str, Sequence[str]]

# Form of numbers with a decimal comma: 24,65.
COMMA = "comma"
# Placeholder in a date form for a weekday after the date: 2024年9月1日(日).
WEEKDAY = "(曜)"
# Form of a date column in several notations, all of which start with the year or spell out the month.
MIXED = "mixed"
# MIXED, with some years of a Japanese era.
MIXED_ERAS = "mixed eras"
# Form of quarters of calendar years: 2023Q1, Q1 2023.
QUARTER = "quarter"
# Form of texts that the file stores as whole numbers: the numbers of rooms.
ROOM_NUMBERS = "room numbers"
_TRUE_FALSE = ({"0", "1"}, {"0.0", "1.0"}, {"true", "false"})
_ID = re.compile(
    r"(?:^|[\W_]|(?<=[\u3040-\u9fff]))(?:id|ids|no\.?|number|ref|code|key|uuid)$|#$|番号$|コード$|id$"
)
# English words that end in "id" without naming an id: `Total paid`.
_ENDS_ALIKE = re.compile(
    r"(?:paid|valid|(?:^|[\W_])(?:grid|bid|void|solid|liquid|fluid|covid|kid|aid|acid|mid|hybrid|lid|rapid|humid|orchid|raid"
    r"|android|steroid|asteroid|madrid|pyramid))$"
)
_YES = ("yes", "y", "true", "t", "1", "1.0", "はい", "あり", "有", "有り", "済", "済み", "on",
    "可", "要", "○", "〇", "◯", "する", "該当", "必要", "可能", "対象",
)  # fmt: skip
_NO = ("no", "n", "false", "f", "0", "0.0", "いいえ", "なし", "無", "無し", "未", "未済", "off",
    "不可", "不要", "×", "✕", "しない", "非該当", "不可能", "対象外",
)  # fmt: skip


@dataclass(frozen=True)
class ColumnInfo:
    """One column; `values` holds its distinct cell values as text if there are few of them.

    `form` is the notation of numbers ("text", COMMA) and dates (a `strptime` format, "wareki", MIXED or MIXED_ERAS) that
    the file stores as text ("spaces" for texts with spaces around them); `span` is the first and last day of dates, or
    the smallest and largest number. Dates of form "" are ISO or timestamps and may have a time. `role` is its use in
    questions (`smoldesk.tables.inside.roles`), empty if unknown. `has_blanks` is false if no cell is blank for certain.
    `step` is "month" or "year" if all dates are the first day of one. `whole` is the value whose rows are the sums of the
    others', `divisions` those that divide it once more. `traits` are facts about the values, `explained` the share of a
    measure's variance by column (`smoldesk.tables.inside.traits`), `latest` the last complete time of a panel
    (`smoldesk.tables.inside.panels`).
    """

    name: str
    kind: ColumnKind
    values: list[str] = field(default_factory=list[str])
    form: str = ""
    span: tuple[str, ...] = ()
    role: str = ""
    has_blanks: bool = True
    step: str = ""
    whole: str = ""
    traits: tuple[str, ...] = ()
    explained: Mapping[str, float] = field(default_factory=dict[str, float])
    latest: str = ""
    divisions: tuple[str, ...] = ()

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """Smallest and largest number; None if they are unknown."""
        return (float(self.span[0]), float(self.span[1])) if self.kind == "number" and self.span else None

    @cached_property
    def is_id(self) -> bool:
        """True for a column that numbers the rows: `Order ID`, `visit no.`, 社員番号."""
        name = self.name.casefold()
        return bool(_ID.search(name)) and not _ENDS_ALIKE.search(name)

    @cached_property
    def is_flag(self) -> bool:
        """True for a 0/1 or true/false column, whose mean is a rate."""
        return self.kind == "bool" or {value.casefold() for value in self.values} in _TRUE_FALSE

    @cached_property
    def yes_no(self) -> tuple[str, str] | None:
        """The cell values that mean yes and no, when the column holds exactly such a pair."""
        if self.is_flag:
            return ("1", "0") if self.kind == "number" else ("True", "False")
        yes = [value for value in self.values if value.casefold() in _YES]
        no = [value for value in self.values if value.casefold() in _NO]
        return (yes[0], no[0]) if len(self.values) == 2 and yes and no else None


@dataclass(frozen=True)
class Join:
    """Join with another table of the chat, in whose `other_key` each value of the column `key` stands at most once.

    `load` is the expression that reads the other table; `columns` are its columns, each with its name in the joined table.
    """

    table: str
    load: str
    key: str
    other_key: str
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TableInfo:
    """One table and the Python that loads it: an expression, or statements whose last one assigns it.

    `load_with_totals` loads it with the `total_rows` that are left out otherwise. `file` is the chat's file that contains
    it; `produced` is set if code wrote that file. `index` returns the values of text columns, including columns with many;
    it is called when a request first needs them. `joined` are the tables whose columns come last among its own.
    """

    name: str
    columns: list[ColumnInfo]
    rows: int
    load: str
    file: str = ""
    produced: bool = False
    total_rows: int = 0
    load_with_totals: str = ""
    index: Callable[[], ValueIndex] | None = field(default=None, compare=False, repr=False)
    joined: tuple[Join, ...] = ()

    @property
    def bundled(self) -> bool:
        """True for a dataset that comes with smoldesk, false for a file of the chat."""
        return self.load.startswith("load_dataset(")

    @property
    def place(self) -> int:
        """Priority among tables that match equally: 0 for uploaded files, 1 for datasets, 2 for files that code wrote."""
        return 2 if self.produced else 1 if self.bundled else 0


@dataclass(frozen=True)
class Catalogue:
    """Tables of a chat, rooms by floor id, floor names, bitmap ids, and the current floor.

    `bounds` are a floor's virtual coordinates: left, top, right, bottom. `broken` maps files without a readable table to
    the reason. `tools` are the names of the agent's tools; the model reads them from each conversation. `places` has all names
    of the rooms and floors.
    """

    tables: list[TableInfo]
    rooms: dict[str, list[str]]
    floor_names: dict[str, str]
    bitmaps: list[str]
    current_floor: str
    bounds: dict[str, Box] = field(default_factory=dict[str, Box])
    broken: dict[str, str] = field(default_factory=dict[str, str])
    tools: frozenset[str] = frozenset()
    places: PlaceIndex | None = None

    @property
    def room_names(self) -> tuple[str, ...]:
        """Names of all rooms, without duplicates, floor by floor."""
        return tuple(dict.fromkeys(room for rooms in self.rooms.values() for room in rooms))
