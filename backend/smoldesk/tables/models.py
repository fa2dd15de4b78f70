"""Models of what a child reports about the tables in a chat's folder.

The child has parsed untrusted bytes, so its report is checked for shape and size. A false report harms only the chat
with the file: a `load` expression runs in that chat's own child. `table_profiles` asks the child.
"""

import ast
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.messages import FileNote
from smoldesk.tables.inside.file_notes import MAX_LISTED, TEXTS, bounded_values, note_text
from smoldesk.tables.inside.load_options import MAX_QUESTIONS, MAX_SKIPPED_LINES
from smoldesk.tables.inside.preview import BINS, MAX_ROWS, ROW_COLUMNS, TOP
from smoldesk.tables.inside.preview import MAX_COLUMNS as PREVIEWED
from smoldesk.tables.inside.read_options import MAX_TYPES
from smoldesk.tables.inside.shapes import MAX_COLUMNS, MAX_LOAD, MAX_PARTS, MAX_VALUES
from smoldesk.tables.inside.traits import MAX_EXPLAINED

Short = Annotated[str, StringConstraints(max_length=200)]
LongText = Annotated[str, StringConstraints(max_length=500)]
Value = int | Short | Annotated[list[Short], Field(max_length=MAX_LISTED)]
# Role of a column in questions, see `inside.roles`; `period` is a measure whose header is a month or year.
Role = Literal[
    "", "time", "moment", "measure", "period", "category", "name", "place", "id", "text", "constant"
]
# See `inside.traits`.
Trait = Literal["even", "follows", "fractions", "lasting", "rare", "running", "shares", "steady", "unique"]
# The only names that a `load` expression may contain.
NAMES = frozenset({"pd", "json", "sqlite3", "gzip", "zipfile", "pyarrow", "open", "t", "line", "range"})
NOT_BELIEVED = TEXTS["bad_report"]


class ProfileModel(BaseModel):
    """Base of the models of this module: frozen, without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(ProfileModel):
    """Column of a table: its name, type and values."""

    name: Short
    kind: Literal["number", "text", "date", "bool"]
    values: Annotated[list[Short], Field(max_length=MAX_VALUES)]
    form: Annotated[str, StringConstraints(max_length=40)] = ""
    """Form of numbers or dates that are text: "text", a `strptime` format, "wareki", "mixed", "mixed eras"."""
    span: Annotated[list[Short], Field(max_length=2)] = []
    """First and last day of a column of dates, in ISO; smallest and largest number of a column of numbers."""
    step: Literal["", "month", "year"] = ""
    """Period of dates that are all the first day of one."""
    role: Role = ""
    traits: Annotated[list[Trait], Field(max_length=8)] = []
    """Facts about the values, see `inside.traits`."""
    explained: Annotated[
        dict[Short, Annotated[float, Field(ge=0, le=1)]], Field(max_length=MAX_EXPLAINED)
    ] = {}
    """Share of a measure's variance that each other column explains, see `inside.traits`."""
    latest: Short = ""
    """Last time with as many rows as usual, of the times of a panel (`inside.panels`)."""
    whole: Short = ""
    """Value that stands for the sum of the other values, such as 全国 among prefectures."""
    divisions: Annotated[list[Short], Field(max_length=8)] = []
    """Values that add up to the whole a second time, in pairs."""


class ColumnPreview(ProfileModel):
    """Distribution of a column's values: bars between `edges` (one more than `counts`), or the most frequent
    `values`.
    """

    blank: Annotated[int, Field(ge=0)]
    edges: Annotated[list[Short], Field(max_length=BINS + 1)]
    values: Annotated[list[Short], Field(max_length=TOP)]
    counts: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=BINS)]
    distinct: Annotated[int, Field(ge=0)] | None = None


class TablePreview(ProfileModel):
    """First rows of a table as text, and its first columns; `sampled` if only some of the rows were counted."""

    rows: Annotated[list[Annotated[list[Short], Field(max_length=ROW_COLUMNS)]], Field(max_length=MAX_ROWS)]
    columns: Annotated[list[ColumnPreview], Field(max_length=PREVIEWED)]
    sampled: bool


class SkippedLine(ProfileModel):
    """Line of a file that is not a row of its table, and the reason."""

    line: Short
    why: Literal["before", "units", "names", "page", "total", "note", "group", "ragged", "told"]
    text: Short


class Choice(ProfileModel):
    """Answer to a question about a file: the read options it sets (`told`), and the text shown for it."""

    told: dict[Short, JsonValue]
    shows: Short


class ReadingQuestion(ProfileModel):
    """Question to a person about an uncertain guess; `value` is the line, column or number in question."""

    about: Literal["header", "total", "day", "mixed", "decimal", "hidden", "ragged", "note"]
    value: LongText
    choices: Annotated[list[Choice], Field(min_length=1, max_length=8)]


class ReadAs(ProfileModel):
    """Way in which a file was read. `told` is true if a person set options. `header` is the line of the column
    names, 0 for none.
    """

    format: Literal["text", "workbook", "archive"]
    encoding: Short | None = None
    separator: Short | None = None
    header: Annotated[int, Field(ge=0)] = 1
    sheet: Short | None = None
    sheets: Annotated[list[Short], Field(max_length=MAX_PARTS)] = []
    left_out: Annotated[list[SkippedLine], Field(max_length=MAX_SKIPPED_LINES)] = []
    left_out_count: Annotated[int, Field(ge=0)] = 0
    questions: Annotated[list[ReadingQuestion], Field(max_length=MAX_QUESTIONS)] = []
    types: Annotated[dict[LongText, Short], Field(max_length=MAX_TYPES)] = {}
    told: bool = False


class TableProfile(ProfileModel):
    """Table of a chat's folder.

    `file` is its file there, `width` the number of its columns, `columns` the first of them, `load` the Python
    expression over NAMES that reads it. `load_with_totals` reads it with the `total_rows` that are left out otherwise.
    """

    file: Annotated[str, StringConstraints(max_length=1_000)]
    name: Short
    rows: Annotated[int, Field(ge=0)]
    width: Annotated[int, Field(ge=0)]
    columns: Annotated[list[Column], Field(max_length=MAX_COLUMNS)]
    load: Annotated[str, StringConstraints(max_length=MAX_LOAD)]
    preview: TablePreview | None = None
    total_rows: Annotated[int, Field(ge=0)] = 0
    load_with_totals: Annotated[str, StringConstraints(max_length=MAX_LOAD)] = ""


class Problem(ProfileModel):
    """Fault of a file and its place: "line 5", "byte 120", "sheet 'Data'", or empty for the whole file."""

    where: Short
    message: LongText
    is_note: bool = False
    """True for a fact about how the file was read, which is no fault of it."""
    code: Short = ""
    values: Annotated[dict[Short, Value], Field(max_length=8)] = {}
    place: Annotated[dict[Short, int | Short], Field(max_length=4)] = {}

    @property
    def line(self) -> str:
        """The fault as one line: "Line 5: ..."."""
        return f"{self.where[0].upper()}{self.where[1:]}: {self.message}" if self.where else self.message

    @property
    def facts(self) -> FileNote:
        """The fault as data, for a page in another language."""
        return FileNote(code=self.code, values=self.values, place=self.place)


class FileProfile(ProfileModel):
    """Tables and problems of one file."""

    tables: Annotated[list[TableProfile], Field(max_length=MAX_PARTS)] = []
    problems: Annotated[list[Problem], Field(max_length=20)] = []
    read_as: ReadAs | None = None

    @property
    def faults(self) -> list[str]:
        """The problems that are faults, as lines."""
        return [problem.line for problem in self.problems if not problem.is_note]

    @property
    def notes(self) -> list[str]:
        """The other problems, as lines."""
        return [problem.line for problem in self.problems if problem.is_note]

    def facts(self, is_note: bool = False) -> list[FileNote]:
        """Return the data of `faults`, or of `notes`."""
        return [problem.facts for problem in self.problems if problem.is_note == is_note]


def unreadable(code: str, values: Mapping[str, Value] | None = None) -> FileProfile:
    """Return a profile without tables and with one problem, whose `code` is one of `file_notes.TEXTS`."""
    values = bounded_values(values or {})
    problem = Problem(where="", message=note_text(code, values)[:500], code=code, values=values)
    return FileProfile(problems=[problem])


def believed(answer: object, file: str) -> FileProfile:
    """Return the child's report about `file`, or an unreadable profile if its shape, size or content is invalid."""
    try:
        profile = FileProfile.model_validate(answer)
    except (ValidationError, RecursionError):
        return unreadable("bad_report")
    loads = (load for table in profile.tables for load in (table.load, table.load_with_totals) if load)
    if all(table.file == file and table.load for table in profile.tables) and all(map(_loads, loads)):
        return profile
    return unreadable("bad_report")


def _loads(text: str) -> bool:
    """Check that a text is one expression that uses only NAMES."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(node.id in NAMES for node in ast.walk(tree) if isinstance(node, ast.Name))
