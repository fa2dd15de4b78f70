"""Messages of the chat and image panes: text, code, images, tables, files, data, errors."""

import operator
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from smoldesk.messages.shape import Shape

# Notices that a page can show in its own language.
NoticeCode = Literal["variables_lost", "chat_imported", "program_anew", "program_cut", "prompt_cut"]


class UserMessage(Shape):
    """Echo of a message that a person sent, queued or not; `ahead` counts the runs before it, `attachments` are names of
    files.

    With `is_code` it is Python code that the person ran. With a `conversation` (its id) the desk sent it: it is the
    agent's turn there. With `version_of` it is another version of that run's turn, which takes its place.
    """

    type: Literal["user_message"] = "user_message"
    content: str
    ahead: int = 0
    attachments: list[str] | None = None
    is_code: bool | None = None
    conversation: str | None = None
    version_of: str | None = None


class Text(Shape):
    """Answer of the agent (`answer`), or a notice of the desk (`notice`). Markdown.

    A notice with an `agent` is the output of that agent's program after its run: as it was laid out, no Markdown. One
    with a `code` can be shown in any language: `facts` fill its text; an empty fact is left out. `without_code`: nothing ran
    for this answer, so the model wrote it from what it knew or guessed. `suggestions` are questions in it that can be asked.
    """

    type: Literal["text"] = "text"
    content: str
    tone: Literal["answer", "notice"] = "answer"
    agent: str | None = None
    code: NoticeCode | None = None
    facts: dict[str, str | int] | None = None
    without_code: bool | None = None
    suggestions: list[str] | None = None


class Code(Shape):
    """A code block; `step` is a label such as "Step 1"."""

    type: Literal["code"] = "code"
    content: str
    language: str = "python"
    step: str | None = None


class Image(Shape):
    """An image by file id; the wire adds `url`, or fills `content` with base64 for protocol 1.2.

    `is_answer`, here and below: a part of the answer, which stands between its texts.
    """

    type: Literal["image"] = "image"
    content: str = ""
    format: Literal["png", "jpg", "jpeg", "gif", "bmp", "svg"]
    path: str | None = None
    file_id: str
    width: int | None = None
    height: int | None = None
    is_answer: bool | None = None


class Column(Shape):
    """One column of a table; `kind` decides alignment and formatting on the page, `type` is what it is kept as.

    With `as_text` its values were of no one type, and are kept as text.
    """

    name: str
    kind: Literal["number", "text", "date", "bool"]
    type: str | None = None
    as_text: bool | None = None


class TableContent(Shape):
    """First rows of a table, and its schema; the rest is paged from `/api/chats/{id}/tables/{tableId}`."""

    table_id: str
    name: str
    columns: list[Column]
    rows: list[list[JsonValue]]
    row_count: int


class Table(Shape):
    """A table: its columns and first rows; the rest is fetched in pages."""

    type: Literal["table"] = "table"
    content: TableContent
    is_answer: bool | None = None


class ChartContent(Shape):
    """A chart by the ids of its files: `specId` is a Vega-Lite spec with its rows (JSON), `imageId` its picture (PNG).

    `width` and `height` are those of the picture in CSS pixels. Of `rows` in its data `shown` are drawn; `reduced` says why
    these are fewer: a sample, or groups that were computed ahead over all rows.

    `changes` are those of the chart's controls to the spec `baseId` (without one: to `specId`, and there are none). `codeAt`
    are the ends of their place in the code of the cell; without it the chart has no controls.
    """

    spec_id: str
    image_id: str
    name: str
    description: str
    width: int
    height: int
    rows: int
    shown: int
    reduced: Literal["sampled", "aggregated"] | None = None
    # Dumped only where they are set: older desks read a log without them.
    base_id: Annotated[str | None, Field(exclude_if=operator.not_)] = None
    changes: Annotated[dict[str, str] | None, Field(exclude_if=operator.not_)] = None
    code_at: Annotated[
        Annotated[list[int], Field(min_length=2, max_length=2)] | None, Field(exclude_if=operator.not_)
    ] = None


class Chart(Shape):
    """A chart as data, drawn by the page; a client of 1.2 gets its picture. The wire adds `url` and `imageUrl`."""

    type: Literal["chart"] = "chart"
    content: ChartContent
    is_answer: bool | None = None


class TableFacts(Shape):
    """A table that a file holds: the name it is asked about by, and its size."""

    name: str
    rows: int
    columns: int


class FileNote(Shape):
    """Note or fault of a file as data, so that a page can show it in its own language.

    `code` has the text, which `values` fill; empty if there is only the English text. `place` is {"line": 5}.
    """

    code: str
    values: dict[str, int | str | list[str]]
    place: dict[str, int | str]


class FileContent(Shape):
    """A file; what was found in it when it came in, if it is one to look for tables in. `problems` are in words.

    `problem_facts` has an entry for each of `problems`, except in older logs.

    Without a `file_id` (empty) it was only spoken of: there is nothing to fetch.
    """

    file_id: str
    name: str
    size: int
    media_type: str
    tables: list[TableFacts] | None = None
    problems: list[str] | None = None
    problem_facts: list[FileNote] | None = None


class File(Shape):
    """A file that came into the chat, uploaded or produced; the wire adds `url`."""

    type: Literal["file"] = "file"
    content: FileContent


class McpAppContent(Shape):
    """A view that an MCP server brings with a call (MCP Apps), by the ids of its files.

    `pageId` is its HTML; `factsId` what was called, with which arguments, and what the view may do (JSON); `resultId` what the
    server gave (JSON). It is told when the call begins, and again under its `callId` when it ends; `reason` says why without a
    result.
    """

    call_id: str
    server: str
    tool: str
    title: str
    page_id: str
    facts_id: str
    result_id: str | None = None
    state: Literal["called", "returned", "cancelled"] = "called"
    reason: str | None = None


class McpApp(Shape):
    """A view of an MCP server, shown in a sandboxed frame; the wire adds `url`, and `resultUrl` with a result."""

    type: Literal["mcp_app"] = "mcp_app"
    content: McpAppContent


class Error(Shape):
    """Error for people; `code` is stable, `hint` says what to do.

    A refused answer names its ask; a refused message, code or branch has the client's id. `facts` fill a translation of
    the text, as those of a notice do.
    """

    type: Literal["error"] = "error"
    content: str
    code: str = "desk_error"
    hint: str = ""
    facts: dict[str, str | int] | None = None
    ask_id: str | None = None
    client_message_id: str | None = None


class ReadingChoice(Shape):
    """Alternative for a part of an interpretation: the fields of the query that change, those it is `without`, the
    complete sentence.
    """

    text: str
    change: dict[str, JsonValue]
    without: list[str] | None = None
    sentence: str


class ReadingChip(Shape):
    """One part of a reading, in words."""

    part: Literal[
        "table", "kind", "figure", "column", "group", "condition", "order", "chart", "file", "totals", "add"
    ]
    text: str
    choices: list[ReadingChoice] = []


class ReadingContent(Shape):
    """Interpretation of a request: the query as data, and in chips that can be corrected; `corrected` by the person."""

    query: dict[str, JsonValue]
    chips: list[ReadingChip]
    corrected: bool = False


class Reading(Shape):
    """The reading that an answer of the built-in analyst rests on; a message may be sent with a corrected one."""

    type: Literal["reading"] = "reading"
    content: ReadingContent


class Json(Shape):
    """Data that an agent gave as data: an object or an array, shown as a tree.

    With `in_text` the answer's text has the same data for people; this is for programs.
    """

    type: Literal["json"] = "json"
    content: JsonValue
    name: str | None = None
    in_text: bool | None = None


class SentencePiece(Shape):
    """Words of an alternative's sentence; `differs` if another alternative has others."""

    text: str
    differs: bool | None = None


class Alternative(Shape):
    """One of several readings of a request, in words and as a query, and the messages of its answer.

    The first one has no `outputs`: the messages before it are its answer. Without outputs, `error` is the reason.
    """

    sentence: str
    pieces: list[SentencePiece]
    reading: ReadingContent
    outputs: list[
        Annotated[Text | Code | Image | Table | Chart | File | Json, Field(discriminator="type")]
    ] = []
    error: str | None = None


class AlternativesContent(Shape):
    """Readings of a request that is not clear, the best first. `unknown` are words that none of them uses.

    `note` says so to readers of text alone. `declined` is the answer if none of them is meant.
    """

    alternatives: list[Alternative]
    unknown: list[str] = []
    note: str
    declined: Text


class Alternatives(Shape):
    """The answer is of one reading of several: all of them, with their answers."""

    type: Literal["alternatives"] = "alternatives"
    content: AlternativesContent


class ChartChangedContent(Shape):
    """`specId` is that of the chart as it was first shown, `chart` what it is now.

    `code` is the code of its cell with the changes, and `codeSeq` the seq of the message that showed it.
    """

    spec_id: str
    chart: ChartContent
    code: Code | None = None
    code_seq: int | None = None


class ChartChanged(Shape):
    """A person changed a chart with its controls; the last message counts. The wire adds `url` and `imageUrl`."""

    type: Literal["chart_changed"] = "chart_changed"
    content: ChartChangedContent


class ReadingKeptContent(Shape):
    """`index` counts the alternatives of the run from 0; None: none of them is meant."""

    run_id: str
    index: int | None


class VersionShownContent(Shape):
    """Run whose answer is shown among the versions of its turn."""

    run_id: str


class VersionShown(Shape):
    """A person looks at another version of a turn."""

    type: Literal["version_shown"] = "version_shown"
    content: VersionShownContent


class ReadingKept(Shape):
    """A person keeps one of the alternatives of a run: from here on it is the run's answer."""

    type: Literal["reading_kept"] = "reading_kept"
    content: ReadingKeptContent
