"""What is known of the tables in a chat's folder, as a child tells it; believed only where it has the right shape.

The child has met bytes nobody trusts, so what it says is checked for shape and size. A lie in it harms only the chat
whose file told it: a `load` expression runs in that chat's own child and nowhere else. `profiles` asks the child.
"""

import ast
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.tables.inside.load_options import MOST_ASKED, MOST_TOLD
from smoldesk.tables.inside.preview import BINS, MOST_ROWS, TOP
from smoldesk.tables.inside.preview import MOST_COLUMNS as PREVIEWED
from smoldesk.tables.inside.read_options import MOST_TYPES
from smoldesk.tables.inside.shapes import MOST_COLUMNS, MOST_LOAD, MOST_PARTS, MOST_VALUES

Short = Annotated[str, StringConstraints(max_length=200)]
LongText = Annotated[str, StringConstraints(max_length=500)]
# All that a `load` expression speaks of.
NAMES = frozenset({"pd", "json", "sqlite3", "open", "t", "range"})
NOT_BELIEVED = "Reading it gave an answer that makes no sense: the file is damaged, or made to deceive."


class ProfileModel(BaseModel):
    """What every model of this room has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(ProfileModel):
    """A column of a table: its name, type and what its values are like."""

    name: Short
    kind: Literal["number", "text", "date", "bool"]
    values: Annotated[list[Short], Field(max_length=MOST_VALUES)]
    form: Annotated[str, StringConstraints(max_length=40)] = ""
    """How numbers or dates are written where they are text: "text", a `strptime` format, "wareki", "mixed", "mixed eras"."""
    span: Annotated[list[Short], Field(max_length=2)] = []
    """The first and last day of a column of dates, in ISO."""


class ColumnPreview(ProfileModel):
    """How the values of a column are spread: bars between `edges` (one more than `counts`), or its most frequent `values`."""

    blank: Annotated[int, Field(ge=0)]
    edges: Annotated[list[Short], Field(max_length=BINS + 1)]
    values: Annotated[list[Short], Field(max_length=TOP)]
    counts: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=BINS)]
    distinct: Annotated[int, Field(ge=0)] | None = None


class TablePreview(ProfileModel):
    """The first rows of a table as text, and its first columns; `sampled` when only a part of the rows was counted."""

    rows: Annotated[list[Annotated[list[Short], Field(max_length=PREVIEWED)]], Field(max_length=MOST_ROWS)]
    columns: Annotated[list[ColumnPreview], Field(max_length=PREVIEWED)]
    sampled: bool


class SkippedLine(ProfileModel):
    """A line of a file that is no row of its table, and why: it stands before it, repeats the names, is a total, ..."""

    line: Short
    why: Literal["before", "units", "names", "page", "total", "note", "ragged", "told"]
    text: Short


class Choice(ProfileModel):
    """An answer to a question: what it `told`s of the file, and what is shown for it."""

    told: dict[Short, JsonValue]
    shows: Short


class ReadingQuestion(ProfileModel):
    """What a person should say of a file, since its guess is not sure: `value` is the line, column or number in question."""

    about: Literal["header", "total", "day", "mixed", "decimal", "hidden", "ragged", "note"]
    value: LongText
    choices: Annotated[list[Choice], Field(min_length=1, max_length=8)]


class ReadAs(ProfileModel):
    """How a file was read: guessed, or `told` by a person. `header` is the line of the column names, 0 for none."""

    format: Literal["text", "workbook"]
    encoding: Short | None = None
    separator: Short | None = None
    header: Annotated[int, Field(ge=0)] = 1
    sheet: Short | None = None
    sheets: Annotated[list[Short], Field(max_length=MOST_PARTS)] = []
    left_out: Annotated[list[SkippedLine], Field(max_length=MOST_TOLD)] = []
    left_out_count: Annotated[int, Field(ge=0)] = 0
    questions: Annotated[list[ReadingQuestion], Field(max_length=MOST_ASKED)] = []
    types: Annotated[dict[LongText, Short], Field(max_length=MOST_TYPES)] = {}
    told: bool = False


class TableProfile(ProfileModel):
    """One table of a chat's folder: `file` is its file there, `width` how many columns it has, `load` the Python
    expression over `pd`, `json` and `sqlite3` that reads it. `columns` are the first of them."""

    file: Annotated[str, StringConstraints(max_length=1_000)]
    name: Short
    rows: Annotated[int, Field(ge=0)]
    width: Annotated[int, Field(ge=0)]
    columns: Annotated[list[Column], Field(max_length=MOST_COLUMNS)]
    load: Annotated[str, StringConstraints(max_length=MOST_LOAD)]
    preview: TablePreview | None = None


class Problem(ProfileModel):
    """What is wrong with a file, and where: "line 5", "byte 120", "sheet 'Data'", or nowhere in particular."""

    where: Short
    message: LongText

    @property
    def line(self) -> str:
        """ "Line 5: ..." """
        return f"{self.where[0].upper()}{self.where[1:]}: {self.message}" if self.where else self.message


class FileProfile(ProfileModel):
    """What one file holds."""

    tables: Annotated[list[TableProfile], Field(max_length=MOST_PARTS)] = []
    problems: Annotated[list[Problem], Field(max_length=20)] = []
    read_as: ReadAs | None = None


def unreadable(message: str) -> FileProfile:
    """A file without tables, and why."""
    return FileProfile(problems=[Problem(where="", message=message)])


def believed(answer: object, file: str) -> FileProfile:
    """A child's answer about `file`, if it has the right shape and size; else a profile that says it has not."""
    try:
        profile = FileProfile.model_validate(answer)
    except (ValidationError, RecursionError):
        return unreadable(NOT_BELIEVED)
    if all(table.file == file and _loads(table.load) for table in profile.tables):
        return profile
    return unreadable(NOT_BELIEVED)


def _loads(text: str) -> bool:
    """Whether this is one expression about the few names that loading needs."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(node.id in NAMES for node in ast.walk(tree) if isinstance(node, ast.Name))
