"""Conversion of one agent response (a dict) into the messages that the page shows, in a fixed order.

`agent_wrapper` builds the dict for a step; replayed ones follow protocol 1.2. Keys may be missing and values may have any
type: invalid parts are dropped without an exception. The caller decides the contents (images, tables); this module only
builds messages.

A fenced block of an answer becomes a code message, or data if its fence says json and its content is valid; the prose
around it stays Markdown. Blocks that repeat a step's code stay, because they belong to the answer.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel

from smoldesk.messages import (
    Alternative,
    Alternatives,
    AlternativesContent,
    Chart,
    ChartContent,
    Code,
    Column,
    Error,
    File,
    FileContent,
    GeoPoint,
    Image,
    Json,
    Map,
    PlanPoint,
    Reading,
    ReadingContent,
    StepOutput,
    Table,
    TableContent,
    Text,
)
from smoldesk.output_parser.artifacts import CodeArtifact, TextArtifact
from smoldesk.output_parser.commands import validated
from smoldesk.output_parser.data import any_data_of, plain_data
from smoldesk.output_parser.drawing import (
    CommandReader,
    DrawnLayers,
    Perform,
    highlighted,
)
from smoldesk.output_parser.rooms import RoomFinder
from smoldesk.output_parser.streaming import parse_text

AnswerPart = Text | Code | Json
# Messages that an alternative can have.
Output = Text | Code | Image | Table | Chart | File | Json
_LISTS = ("tables", "charts", "images", "files")
# Lists of a response that an entry of `answer_parts` can refer to, by their names there.
Items = dict[str, list[StepOutput]]


def answer_parts(text: str) -> list[AnswerPart]:
    """Return the messages of an answer; an empty list for a blank one."""
    if "```" not in text and "~~~" not in text:
        return [Text(content=text)] if text.strip() else []
    return list(_parts(text)) or [Text(content=text)]


def _parts(text: str) -> Iterator[AnswerPart]:
    prose: list[str] = []
    for artifact in parse_text(text, file_refs=False, json=False, errors=False):
        if isinstance(artifact, TextArtifact):
            prose.append(artifact.content)
        elif isinstance(artifact, CodeArtifact) and artifact.content.strip():
            if prose:
                yield Text(content="\n\n".join(prose))
                prose = []
            yield _block(artifact)
    if prose:
        yield Text(content="\n\n".join(prose))


def _block(artifact: CodeArtifact) -> Code | Json:
    data = any_data_of(artifact.content) if artifact.language.lower() == "json" else None
    if isinstance(data, dict | list):
        return Json(content=data)
    return Code(content=artifact.content, language=artifact.language)


# Every run creates a parser; the runs of one building share its finder.
_finder_of = lru_cache(16)(RoomFinder)


class OutputParser:
    """Stateless parser of responses; knows the building's rooms, which commands may name.

    `perform` runs `show_map` for responses that contain only code.
    """

    def __init__(self, rooms: Iterable[str], perform: Perform | None = None) -> None:
        names = tuple(rooms)
        self._finder = _finder_of(names)
        self._reader = CommandReader(names, perform)

    def parse(
        self,
        agent_response: Mapping[str, Any],
        drawn: DrawnLayers | None = None,
    ) -> list[StepOutput]:
        """Return the messages in page order: code, tables, charts, images, files, data, map, rooms, error, answer, reading.

        `drawn` is the drawing state before this response.
        """
        response: Mapping[str, object] = agent_response
        codes = list(_codes(response))
        texts = [code.content for code in codes]
        answer = _answer(response)
        maps = [*_map_data(response), *self._reader.commands(response, texts)]
        drawing = (drawn or DrawnLayers()).after(maps)
        items: Items = {
            "tables": list(_tables(response)),
            "charts": list(_charts(response)),
            "images": list(_images(response)),
            "files": list(_files(response)),
        }
        parts, others = _arranged(response, answer, items)
        if response.get("without_code") is True and parts and isinstance(parts[0], Text):
            parts[0] = parts[0].model_copy(update={"without_code": True})
        questions = _suggestions(response)
        parts = _with_suggestions(parts, questions)
        told = answer
        for question in questions:  # a room in a thing to try is not what the answer is about
            told = told.replace(question, "")
        return [
            *codes,
            *others,
            *_data(response, parts),
            *maps,
            *highlighted("\n".join([told, *_cells(parts)]), self._finder, drawing),
            *_error(response),
            *parts,
            *_reading(response),
            *self._alternatives(response.get("alternatives")),
        ]

    def _alternatives(self, value: object) -> Iterator[Alternatives]:
        """Yield the alternatives of an answer. Each entry is a response with its own texts, tables and charts."""
        entries = [
            fields
            | {"outputs": [output for output in self.parse(_response(entry)) if isinstance(output, Output)]}
            for entry in _items(_field(value, "alternatives"))
            if (fields := _fields(entry, Alternative))
        ]
        fields = _fields(value, AlternativesContent)
        if entries and isinstance(declined := fields.get("declined"), str):
            text = Text(content=declined)
            fields |= {"declined": _with_suggestions([text], _suggestions(value))[0]}
            if content := validated(AlternativesContent, fields | {"alternatives": entries}):
                yield Alternatives(content=content)


def parse(agent_response: Mapping[str, Any], rooms: Iterable[str]) -> list[StepOutput]:
    """Parse a single response; to parse many, create one OutputParser."""
    return OutputParser(rooms).parse(agent_response)


def _arranged(
    response: Mapping[str, object], answer: str, items: "Items"
) -> tuple[list[StepOutput], list[StepOutput]]:
    """Return the answer's messages, items among its texts, and the items that are no part of it."""
    parts: list[StepOutput] = []
    placed: set[int] = set()
    for part in _items(response.get("answer_parts")):
        if isinstance(part, str):
            parts += answer_parts(_unicode(part))
            continue
        for kind, number in cast("dict[str, int]", part).items() if isinstance(part, dict) else ():
            entries = items.get(kind, [])
            if 0 <= number < len(entries) and id(entries[number]) not in placed:
                placed.add(id(entries[number]))
                parts.append(_of_answer(entries[number]))
    others = [item for entries in items.values() for item in entries if id(item) not in placed]
    return parts or list(answer_parts(answer)), others


def _of_answer(item: StepOutput) -> StepOutput:
    if isinstance(item, Table | Chart | Image):
        return item.model_copy(update={"is_answer": True})
    return item


def _cells(parts: Iterable[StepOutput]) -> Iterator[str]:
    """Yield the texts in the answer's tables, which may name rooms."""
    for part in parts:
        if isinstance(part, Table):
            yield from (cell for row in part.content.rows for cell in row if isinstance(cell, str))


def _suggestions(response: object) -> list[str]:
    return [text for text in _items(_field(response, "suggestions")) if isinstance(text, str)]


def _with_suggestions(parts: list[StepOutput], questions: list[str]) -> list[StepOutput]:
    """Return the parts of an answer with the suggestions at its last text."""
    at = next((at for at in reversed(range(len(parts))) if isinstance(parts[at], Text)), None)
    if questions and at is not None:
        parts[at] = parts[at].model_copy(update={"suggestions": questions})
    return parts


def _response(entry: object) -> Mapping[str, object]:
    """Return the response inside an entry, without what only the step itself can have."""
    return {name: _field(entry, name) for name in ("text", "answer_parts", *_LISTS)}


def _codes(response: Mapping[str, object]) -> Iterator[Code]:
    codes: set[str] = set()
    for entry in _items(response.get("code_steps")):
        code = _field(entry, "code")
        if not isinstance(code, str) or not code.strip() or code in codes:
            continue
        codes.add(code)
        step = _field(entry, "step")
        yield Code(content=_unicode(code), step=_unicode(step) if isinstance(step, str) and step else None)


def _tables(response: Mapping[str, object]) -> Iterator[Table]:
    for entry in _items(response.get("tables")):
        fields = _fields(entry, TableContent)
        fields["columns"] = [
            column if isinstance(column, Column) else _fields(column, Column)
            for column in _items(fields.get("columns"))
        ]
        fields["rows"] = [[_clean(cell) for cell in _items(row)] for row in _items(fields.get("rows"))]
        if (content := validated(TableContent, fields)) is not None:
            yield Table(content=content)


def _charts(response: Mapping[str, object]) -> Iterator[Chart]:
    for entry in _items(response.get("charts")):
        if (content := validated(ChartContent, _fields(entry, ChartContent))) is not None:
            yield Chart(content=content)


def _images(response: Mapping[str, object]) -> Iterator[Image]:
    for entry in _items(response.get("images")):
        fields = _fields(entry, Image) | {"type": "image", "content": ""}
        if isinstance(kind := fields.get("format"), str):
            fields["format"] = kind.lower()
        if (image := validated(Image, fields)) is not None:
            yield image


def _files(response: Mapping[str, object]) -> Iterator[File]:
    for entry in _items(response.get("files")):
        if (content := validated(FileContent, _fields(entry, FileContent))) is not None:
            yield File(content=content)


# Error codes of a failed cell: an exception of the code, or one of smoldesk's limits.
CODES = frozenset(["code_error", "code_timeout", "code_memory", "folder_full", "process_ended"])


def _error(response: Mapping[str, object]) -> Iterator[Error]:
    error = response.get("error")
    if isinstance(error, str) and error.strip():
        code = response.get("error_code")
        yield Error(
            content=_unicode(error), code=code if isinstance(code, str) and code in CODES else "code_error"
        )


def _data(response: Mapping[str, object], parts: Sequence[StepOutput]) -> Iterator[Json]:
    """Yield the answer's data, unless a block of the answer has it already."""
    data = plain_data(response.get("result"))
    is_arranged = bool(response.get("answer_parts"))
    if data is not None and not (is_arranged and Json(content=data) in parts):
        yield Json(content=data, in_text=True if is_arranged else None)


def _reading(response: Mapping[str, object]) -> Iterator[Reading]:
    if (content := validated(ReadingContent, response.get("reading"))) is not None:
        yield Reading(content=content)


def _map_data(response: Mapping[str, object]) -> Iterator[Map]:
    """Convert `map_data` of protocol 1.2: points with a description, or the content of a map."""
    data = response.get("map_data")
    content: object = {"points": cast(object, data)} if isinstance(data, list) else data
    points = _items(_field(content, "points"))
    if points:
        kinds = [_fields(point, GeoPoint) | _fields(point, PlanPoint) for point in points]
        about = _field(content, "description")
        content = {"points": kinds, "description": _unicode(about) if isinstance(about, str) else ""}
    if isinstance(content, dict) and (command := validated(Map, {"content": cast(object, content)})):
        yield command


def _answer(response: Mapping[str, object]) -> str:
    for key in ("text", "result"):
        value = response.get(key)
        if isinstance(value, bool | int | float):
            value = str(value)
        if isinstance(value, str) and value.strip():
            return _unicode(value)
    return ""


def _items(value: object) -> list[object]:
    return list(cast(Sequence[object], value)) if isinstance(value, list | tuple) else []


def _field(entry: object, name: str) -> object:
    return cast(Mapping[object, object], entry).get(name) if isinstance(entry, Mapping) else None


def _fields(entry: object, shape: type[BaseModel]) -> dict[str, object]:
    """Return the fields of `entry` (snake_case) that `shape` declares."""
    return {name: _clean(value) for name in shape.model_fields if (value := _field(entry, name)) is not None}


def _clean(value: object) -> object:
    """Make a plain value valid JSON: NaN and infinities become empty cells."""
    if isinstance(value, str):
        return _unicode(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _unicode(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, with "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")
