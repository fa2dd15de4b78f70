"""What a stretch of a request can mean. A mention carries all its possible meanings; the readers choose.

Strengths compare meanings of the same words: 3 a name as it is written, 2 a synonym, 1 a part of a
name.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar


@dataclass(frozen=True)
class Cue:
    """A word of the grammar: `kind` says which part of the grammar, `value` which of its choices."""

    kind: str
    value: str = ""


@dataclass(frozen=True)
class ColumnRef:
    table: str
    column: str
    strength: float


@dataclass(frozen=True)
class ValueRef:
    """A cell value; `needs_column` when it is too short to be believed away from its column's name, `guess` when it is one
    of several that may be meant."""

    table: str
    column: str
    value: str
    strength: float
    needs_column: bool = False
    guess: bool = False


ROW_NAMED = 3.2
"""How surely a number names a row: `ticket 1004`. It is that also beside a word of comparison."""


@dataclass(frozen=True)
class TableRef:
    table: str


@dataclass(frozen=True)
class BrokenFile:
    """A file of the chat in which no table could be read."""

    name: str


@dataclass(frozen=True)
class RowNoun:
    """What one row of a table is called (passengers, rides); no table when the word fits any (rows).

    `kinds` when it may be the column of their kinds as well: 魚 of 魚種. `weak` when it yields to a column as soon as a
    figure is asked for: 通話の平均 is about 通話時間.
    """

    table: str = ""
    weak: bool = False
    kinds: bool = False


@dataclass(frozen=True)
class RoomRef:
    floor: str
    room: str


@dataclass(frozen=True)
class FloorRef:
    floor: str


@dataclass(frozen=True)
class NoPlace:
    """A room or floor that is named like one, and is not there."""

    kind: str


@dataclass(frozen=True)
class IconRef:
    bitmap: str


@dataclass(frozen=True)
class Unit:
    name: str


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class When:
    """A day, month or year (0 where it is not said), or a `part`: weekend, workday, weekday 0-6, hour 0-23 in `value`.

    `bare` for a number that may be a year. `ends` are the first of what is meant and the first after it: the hours of
    a `daytime`, the days of a `month part`. `minute` goes with an hour.
    """

    year: int = 0
    month: int = 0
    day: int = 0
    part: str = ""
    value: int = 0
    bare: bool = False
    minute: int = 0
    ends: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Point:
    """A place in a floor's virtual coordinates."""

    x: float
    y: float


@dataclass(frozen=True)
class Quoted:
    text: str


@dataclass(frozen=True)
class Fragment:
    """A part of a text that cells hold, begin or end with; `columns` are those the words after `in the` may name.

    `placed` when such words were said.
    """

    how: Literal["holds", "begins", "ends"]
    text: str
    negated: bool = False
    columns: tuple[ColumnRef, ...] = ()
    placed: bool = False


@dataclass(frozen=True)
class FileName:
    name: str


@dataclass(frozen=True)
class Skip:
    """A word that carries no meaning here: please, the, を."""


@dataclass(frozen=True)
class Unknown:
    """A content word that matched nothing."""


Meaning = (
    Cue
    | ColumnRef
    | ValueRef
    | TableRef
    | BrokenFile
    | RowNoun
    | RoomRef
    | FloorRef
    | NoPlace
    | IconRef
    | Unit
    | Number
    | When
    | Point
    | Quoted
    | Fragment
    | FileName
    | Skip
    | Unknown
)
M = TypeVar("M")


@dataclass(frozen=True)
class Mention:
    """A stretch of the tidied request and what it can mean; `read_as` is set when a typo was mended."""

    start: int
    end: int
    text: str
    meanings: tuple[Meaning, ...]
    read_as: str = ""
    lead: str = ""
    """The words right before it, in lower case."""

    def all(self, kind: type[M]) -> list[M]:
        return [meaning for meaning in self.meanings if isinstance(meaning, kind)]

    def first(self, kind: type[M]) -> M | None:
        return next(iter(self.all(kind)), None)

    def cue(self, kind: str) -> str | None:
        """The value of this mention's cue of that kind, or None."""
        return next((cue.value for cue in self.all(Cue) if cue.kind == kind), None)

    def says(self, *kinds: str) -> bool:
        """True when the mention can be a cue of one of these kinds."""
        return any(cue.kind in kinds for cue in self.all(Cue))


def cues(mentions: Iterable[Mention], kind: str) -> list[str]:
    """The values of all cues of a kind, in the order of the request."""
    return [value for mention in mentions if (value := mention.cue(kind)) is not None]


def found(mentions: Iterable[Mention], kind: type[M]) -> list[M]:
    """The first meaning of that type of each mention that has one, in the order of the request."""
    return [meaning for mention in mentions if (meaning := mention.first(kind)) is not None]
