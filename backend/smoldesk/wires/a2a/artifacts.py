"""What a run shows, as artifacts of this protocol: text, data and files by their address. Pure."""

import json
from typing import Any, assert_never, cast

from a2a.types import a2a_pb2 as pb
from google.protobuf import struct_pb2
from google.protobuf.json_format import ParseDict
from pydantic import JsonValue

from smoldesk import messages as m
from smoldesk.chats.uploads import media_type_of
from smoldesk.messages import StepOutput, as_json
from smoldesk.output_parser.artifacts import CodeArtifact
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.file_urls import file_url, table_url

DEEPEST = 60
"""Most levels of data; what is deeper goes as text, for the format of the protocol ends at 100."""


def artifact_of(message: StepOutput, artifact_id: str, chat_id: str, base: str) -> pb.Artifact:
    """The artifact a message is; `base` begins the addresses of files (http://host:port)."""
    name, parts, about = _content(message, chat_id, base)
    artifact = pb.Artifact(artifact_id=artifact_id, name=name, parts=parts)
    if about:
        artifact.metadata.update(about)
    return artifact


def text_part(words: str, media_type: str = "text/plain") -> pb.Part:
    """A part of words."""
    return pb.Part(text=words, media_type=media_type)


def data_part(value: JsonValue) -> pb.Part:
    """A part of data; as text when it is nested too deeply for the protocol."""
    if is_deeper(value, DEEPEST):
        return text_part(json.dumps(value, ensure_ascii=False), "application/json")
    return pb.Part(
        data=ParseDict(cast("dict[str, Any]", value), struct_pb2.Value()), media_type="application/json"
    )


Content = tuple[str, list[pb.Part], dict[str, str | bool]]


def _content(message: StepOutput, chat_id: str, base: str) -> Content:
    match message:
        case m.Text():
            name = "output" if message.tone == "answer" else "notice"
            return name, [text_part(message.content, "text/markdown")], {}
        case m.Code():
            code = CodeArtifact(message.content, message.language)
            return "code", [text_part(message.content, code.media_type)], {"language": message.language}
        case m.Error():
            about: dict[str, str | bool] = {"isError": True, "errorCode": message.code or ""}
            return "error", [text_part(message.content)], about
        case m.Image():
            name = message.path or f"{message.file_id}.{message.format}"
            url = base + file_url(chat_id, name, message.file_id)
            return name, [pb.Part(url=url, filename=name, media_type=media_type_of(name))], {}
        case m.File(content=file):
            if not file.file_id:  # it was only spoken of
                return file.name, [text_part(f"File: {file.name}")], {}
            url = base + file_url(chat_id, file.name, file.file_id)
            return file.name, [pb.Part(url=url, filename=file.name, media_type=file.media_type)], {}
        case m.Json():
            return message.name or "json_output", [data_part(message.content)], {}
        case m.Reading():
            return "reading", [data_part(as_json(message.content))], {"type": "reading"}
        case m.Table(content=table):
            columns = ", ".join(column.name for column in table.columns)
            summary = f"Table {table.name or table.table_id}: {table.row_count} rows; columns: {columns}"
            whole = as_json(table) | {"url": base + table_url(chat_id, table.table_id)}
            return table.name or "table", [text_part(summary), data_part(whole)], {"type": "table"}
        case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
            return message.type, [data_part(as_json(message))], {"type": "map"}
        case _:
            assert_never(message)
