"""What /api tells of a file's card, and takes to change the file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from smoldesk.messages import Shape
from smoldesk.tables.inside.read_options import LAST_HEADER, MOST_LINES, MOST_TYPES

Encoding = Literal[
    "utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16", "cp1252", "latin-1", "cp1250", "cp1251",
    "cp1253", "cp1254", "gb18030", "big5", "cp949",
]  # fmt: skip
Separator = Literal["comma", "semicolon", "tab", "bar", "space"]
MOST_TABLES = 8


class CardColumn(Shape):
    """A column: its type, and bars over `edges` (one more than `counts`) or its most frequent `values`."""

    name: str
    kind: Literal["number", "text", "date", "bool"]
    blank: int
    edges: list[str]
    values: list[str]
    counts: list[int]
    distinct: int | None = None


class CardTable(Shape):
    """A table of a file: `width` is how many columns it has, `rows` the first ones as text, `row_count` all of them."""

    name: str
    row_count: int
    width: int
    columns: list[CardColumn]
    rows: list[list[str]]
    sampled: bool
    questions: list[str]


class CardLine(Shape):
    """A line of the file that is no row of its table, and why."""

    line: str
    why: Literal["before", "units", "names", "page", "total", "note", "ragged", "told"]
    text: str


class CardChoice(Shape):
    """An answer to a question: what it tells of the file (as `readAs` of PATCH), and what is shown for it."""

    told: dict[str, JsonValue]
    shows: str


class CardQuestion(Shape):
    """What is not sure about how the file was read: `value` is the line, column or number in question."""

    about: Literal["header", "total", "day", "mixed", "decimal", "hidden", "ragged", "note"]
    value: str
    choices: list[CardChoice]


class CardReading(Shape):
    """How a file was read: guessed, or `told`. `header` is the line of the column names, 0 for none.

    `left_out` are the first lines around and in its tables of `left_out_count`; `types` what columns are told to hold.
    """

    format: Literal["text", "workbook"]
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
    """A file, what is in its first tables, and what is wrong with it; `tables` is empty for one that is not looked into."""

    file_id: str
    name: str
    size: int
    is_table_file: bool
    table_count: int
    tables: list[CardTable]
    problems: list[str]
    read_as: CardReading | None = None


Type = Literal["number", "date", "day_first", "month_first", "text", "bool"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class NewReading(BaseModel):
    """Fields that are told; null goes back to the guess.

    Entries of `lines` ("12", in a workbook "Sheet!12": whether it is a row of the table) and of `types` (by column) are
    told one by one, too. `hidden`: whether hidden rows are read; `ragged`: lines with too many values are left out.
    """

    model_config = ConfigDict(extra="forbid")

    encoding: Encoding | None = None
    separator: Separator | None = None
    header: Annotated[int | None, Field(ge=0, le=LAST_HEADER)] = None
    sheet: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    decimal: Literal["comma", "point"] | None = None
    lines: Annotated[dict[Name, bool | None] | None, Field(max_length=MOST_LINES)] = None
    types: Annotated[dict[Name, Type | None] | None, Field(max_length=MOST_TYPES)] = None
    hidden: bool | None = None
    ragged: bool | None = None


class FileChange(BaseModel):
    """Body of PATCH /api/chats/{id}/files/{name}: another name, another reading, or both."""

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
