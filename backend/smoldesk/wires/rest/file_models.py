"""Models of a file's card, and of changes to the file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from smoldesk.messages import FileNote, Shape
from smoldesk.tables.inside.read_options import LAST_HEADER, MAX_LINES, MAX_TYPES

Encoding = Literal[
    "utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251",
    "cp1253", "cp1254", "gb18030", "big5", "cp949",
]  # fmt: skip
Separator = Literal["comma", "semicolon", "tab", "bar", "space"]
# Tables that a card shows.
MAX_TABLES = 8


class CardColumn(Shape):
    """Column: its type, and `counts` between `edges` (one more than counts) or of its most frequent `values`."""

    name: str
    kind: Literal["number", "text", "date", "bool"]
    blank: int
    edges: list[str]
    values: list[str]
    counts: list[int]
    distinct: int | None = None


class CardTable(Shape):
    """Table of a file: `width` is the number of columns, `rows` the first rows as text, `row_count` the number of all."""

    name: str
    row_count: int
    width: int
    columns: list[CardColumn]
    rows: list[list[str]]
    sampled: bool
    questions: list[str]


class CardLine(Shape):
    """Line of the file that is not a row of its table, with the reason."""

    line: str
    why: Literal["before", "units", "names", "page", "total", "note", "group", "ragged", "told"]
    text: str


class CardChoice(Shape):
    """Choice for a question: the read options `told` (as `readAs` of PATCH), and its label."""

    told: dict[str, JsonValue]
    shows: str


class CardQuestion(Shape):
    """Uncertain part of reading the file: `value` is its line, column or number."""

    about: Literal["header", "total", "day", "mixed", "decimal", "hidden", "ragged", "note"]
    value: str
    choices: list[CardChoice]


class CardReading(Shape):
    """Options with which a file was read; `told` if a person set any. `header` is the line of column names, 0 for none.

    `left_out` has the first of `left_out_count` omitted lines around and in the tables, `types` the column types that a
    person set.
    """

    format: Literal["text", "workbook", "archive"]
    encoding: str | None = None
    separator: str | None = None
    header: int
    sheet: str | None = None
    sheets: list[str]
    left_out: list[CardLine]
    left_out_count: int
    questions: list[CardQuestion]
    types: dict[str, str]
    told: bool


class FileCard(Shape):
    """File with its first tables, problems and notes on how it was read; `tables` is empty for files of other types.

    `problem_facts` and `note_facts` are the same as data, one by one.
    """

    file_id: str
    name: str
    size: int
    is_table_file: bool
    table_count: int
    tables: list[CardTable]
    problems: list[str]
    problem_facts: list[FileNote]
    notes: list[str]
    note_facts: list[FileNote]
    read_as: CardReading | None = None


Type = Literal["number", "date", "day_first", "month_first", "text", "bool"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class NewReading(BaseModel):
    """Read options to set; null returns an option to the guess.

    Entries of `lines` ("12", in a workbook "Sheet!12": whether it is a row of the table) and of `types` (by column) are set
    one by one. `hidden`: read hidden rows; `ragged`: omit lines with too many values.
    """

    model_config = ConfigDict(extra="forbid")

    encoding: Encoding | None = None
    separator: Separator | None = None
    header: Annotated[int | None, Field(ge=0, le=LAST_HEADER)] = None
    sheet: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    decimal: Literal["comma", "point"] | None = None
    lines: Annotated[dict[Name, bool | None] | None, Field(max_length=MAX_LINES)] = None
    types: Annotated[dict[Name, Type | None] | None, Field(max_length=MAX_TYPES)] = None
    hidden: bool | None = None
    ragged: bool | None = None


class FileChange(BaseModel):
    """Body of PATCH /api/chats/{id}/files/{name}: a new name, new read options, or both."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        extra="forbid",
        json_schema_extra={"minProperties": 1},
    )

    name: str | None = None
    read_as: NewReading | None = None

    @model_validator(mode="after")
    def _require_change(self) -> "FileChange":
        if not self.model_fields_set:
            raise ValueError("expected `name`, `readAs` or both")
        return self
