"""Result of one cell: printed text, shown items, a value or an answer, or an error."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pydantic import JsonValue


@dataclass(frozen=True)
class ProducedFile:
    """A file the cell made: `path` is relative to the chat's folder and was a regular file, without symbolic
    links on the way, when the cell ended. The name is the child's: open it with `folders.open_inside`. Size in
    bytes."""

    path: str
    size: int
    kind: Literal["figure", "file"]


@dataclass(frozen=True)
class CellTable:
    """A table the cell showed: a Parquet file with all its rows (in a hidden part of the chat's folder), its columns
    (`name`; `kind` number, text, date or bool; `type` as Arrow calls it; `as_text` when it had to become text), the first
    50 rows, and how many the table has.
    """

    name: str
    path: str
    columns: "list[dict[str, JsonValue]]"
    rows: "list[list[JsonValue]]"
    row_count: int


@dataclass(frozen=True)
class CellChart:
    """A chart the cell showed: a Vega-Lite spec with its rows, as JSON in a hidden part of the chat's folder.

    Of `rows` in its data `plotted_rows` are in the file, the others left out as `reduced` says. `changes` apply to the
    spec; `at` is their place in the cell's code, if they have one. Nothing in it is believed yet.
    """

    name: str
    title: str
    path: str
    rows: int
    plotted_rows: int
    reduced: Literal["", "sampled", "aggregated"] = ""
    changes: "dict[str, JsonValue]" = field(default_factory=dict[str, "JsonValue"])
    at: tuple[int, int] | None = None


# Items that a cell can show.
OutputItem = ProducedFile | CellTable | CellChart


@dataclass(frozen=True)
class AnswerPart:
    """Part of an answer under its caption: text (`markdown`, `plain`, `code`), `data`, an `item`, or the count of `more`."""

    kind: Literal["markdown", "plain", "code", "data", "item", "more"]
    caption: str = ""
    text: str = ""
    value: "JsonValue" = None
    item: OutputItem | None = None


@dataclass(frozen=True)
class CellAlternative:
    """One of several answers of a cell, with the items it showed; `error` says why it has no parts.

    Of a cell's answer the first one with parts counts.
    """

    sentence: str
    parts: list[AnswerPart]
    output_items: list[OutputItem]
    error: str = ""


@dataclass(frozen=True)
class CellError:
    """Error of a cell; `line` (1-based) and `source` point into the cell, if the error came from it.

    `code` tells a limit of the desk from an error of the code.
    """

    name: str
    message: str
    traceback: str
    line: int | None = None
    source: str | None = None
    code: str = "code_error"

    def explain(self) -> str:
        """In words for a model: where, what, and the way there when it is longer than one line."""
        where = f"Code failed at line {self.line}: {self.source}\n" if self.line and self.source else ""
        if self.traceback.count("  File <cell ") > 1:
            return f"{where}{self.traceback}"
        return f"{where}{self.name}: {self.message}"


@dataclass(frozen=True)
class CellResult:
    """`output` is text: the answer, or the last value ("" for none); `value` the same as JSON, if plain.

    `parts` are the answer's as people see it; of a last value only if the cell was run for it.
    """

    printed: str = ""
    output: str = ""
    value: "JsonValue" = None
    is_final_answer: bool = False
    parts: list[AnswerPart] = field(default_factory=list[AnswerPart])
    output_items: list[OutputItem] = field(default_factory=list[OutputItem])
    alternatives: list[CellAlternative] = field(default_factory=list[CellAlternative])
    error: CellError | None = None
    stopped: bool = False
    variables_intact: bool = True

    @property
    def answer_items(self) -> list[OutputItem]:
        """Items without those of the alternatives that are not the cell's answer."""
        first = next((answer for answer in self.alternatives if answer.parts), None)
        others = [answer for answer in self.alternatives if answer is not first]
        hidden = {id(item) for answer in others for item in answer.output_items}
        return [item for item in self.output_items if id(item) not in hidden]


class CellFailed(Exception):
    """Raised into smolagents for a failed cell: its text is what the model reads."""

    def __init__(self, error: CellError) -> None:
        super().__init__(error.explain())
        self.error = error
