"""What the built-in analyst may talk about: the chat's tables and the building, as plain frozen data.

Another room fills it before a run. The analyst never opens a file itself: all it knows of a table is
what is here, and all numbers in its answers are computed by the code it writes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

ColumnKind = Literal["number", "text", "date", "bool"]
Box = tuple[float, float, float, float]
# The values of a table's columns of text, the most frequent first, as the child that read the file kept them; none of ids.
ValueIndex = Mapping[str, Sequence[str]]

# The form of numbers whose decimals follow a comma: 24,65.
COMMA = "comma"
# What stands in a form for the day of the week behind a date: 2024年9月1日(日).
WEEKDAY = "(曜)"
# The form of days that are written in several ways in one column, all beginning with the year or naming the month.
MIXED = "mixed"
# The same, with some of them in the years of a Japanese era.
MIXED_ERAS = "mixed eras"
# The form of quarters of calendar years: 2023Q1, Q1 2023.
QUARTER = "quarter"
_TRUE_FALSE = ({"0", "1"}, {"0.0", "1.0"}, {"true", "false"})
_ID = re.compile(
    r"(?:^|[\W_]|(?<=[\u3040-\u9fff]))(?:id|ids|no\.?|number|ref|code|key|uuid)$|#$|番号$|コード$|id$"
)
# Words that end like an id and are none: `Total paid`.
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
    """One column; `values` holds a few distinct cell values when there are few of them, as text.

    `form` says how numbers ("text", COMMA) and dates (a `strptime` format, "wareki", MIXED or MIXED_ERAS) are written where the
    file holds text ("spaces" for texts with spaces around them), `span` is the first and last day of dates. Dates of form ""
    are ISO or timestamps and may have a time.
    """

    name: str
    kind: ColumnKind
    values: list[str] = field(default_factory=list[str])
    form: str = ""
    span: tuple[str, ...] = ()

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
class TableInfo:
    """One table and the Python that loads it: an expression, or statements whose last one assigns it.

    `file` is the one of the chat's files that holds it; `produced` when code wrote that file, not a person. `index` gives
    the values of its columns of text, also where there are many; it is called when a request first needs them.
    """

    name: str
    columns: list[ColumnInfo]
    rows: int
    load: str
    file: str = ""
    produced: bool = False
    index: Callable[[], ValueIndex] | None = field(default=None, compare=False, repr=False)

    @property
    def bundled(self) -> bool:
        """True for a dataset that comes with smoldesk, false for one of the chat's own files."""
        return self.load.startswith("load_dataset(")

    @property
    def place(self) -> int:
        """Who wins when several tables fit as well: what a person gave, then the datasets, then what code wrote."""
        return 2 if self.produced else 1 if self.bundled else 0


@dataclass(frozen=True)
class Catalogue:
    """Tables of a chat, rooms per floor id, names of the floors, bitmap ids, and the floor on show.

    `bounds` are a floor's virtual coordinates: left, top, right, bottom. `broken` are files of the chat in which no
    table could be read, each with what is wrong with it. `tools` are the names of the tools the agent has, where the
    analyst must know: the model fills them in from each conversation.
    """

    tables: list[TableInfo]
    rooms: dict[str, list[str]]
    floor_names: dict[str, str]
    bitmaps: list[str]
    current_floor: str
    bounds: dict[str, Box] = field(default_factory=dict[str, Box])
    broken: dict[str, str] = field(default_factory=dict[str, str])
    tools: frozenset[str] = frozenset()

    @property
    def room_names(self) -> tuple[str, ...]:
        """The names of all rooms, each once, floor by floor."""
        return tuple(dict.fromkeys(room for rooms in self.rooms.values() for room in rooms))
