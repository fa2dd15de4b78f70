"""What a run shows, as artifacts: `{type, name, parts, metadata?}`, where type is text, code, file or data. Pure."""

from typing import Any, assert_never

from smoldesk import messages as m
from smoldesk.messages import StepOutput, as_json
from smoldesk.output_parser.artifacts import CodeArtifact
from smoldesk.wires.file_urls import file_url, table_url
from smoldesk.wires.tasks.models import Artifact

_IMAGE_TYPES = {"jpg": "image/jpeg", "svg": "image/svg+xml"}


def text(content: str, name: str = "output") -> Artifact:
    """Words."""
    return {"type": "text", "name": name, "parts": [{"type": "text", "text": content}]}


def artifact_of(message: StepOutput, chat_id: str) -> Artifact:
    """The artifact a message is; one of the map is data, in the page's own form."""
    match message:
        case m.Text():
            return text(message.content, "output" if message.tone == "answer" else "notice")
        case m.Code():
            media_type = CodeArtifact(message.content, message.language).media_type
            about = {"language": message.language, "mimeType": media_type}
            return text(message.content, "code") | {"type": "code", "metadata": about}
        case m.Error():
            about = {"isError": True, "errorCode": message.code}
            return text(message.content, "error") | {"metadata": about}
        case m.Image():
            name = message.path or f"{message.file_id}.{message.format}"
            media_type = _IMAGE_TYPES.get(message.format, f"image/{message.format}")
            return _file(name, media_type, file_url(chat_id, name, message.file_id))
        case m.File(content=file):
            if not file.file_id:  # it was only spoken of
                return text(f"File: {file.name}", file.name) | {
                    "type": "file",
                    "metadata": {"path": file.name},
                }
            made = _file(file.name, file.media_type, file_url(chat_id, file.name, file.file_id))
            return made | {"metadata": made["metadata"] | {"size": file.size}}
        case m.Json():
            return _data(message.name or "json_output", message.content)
        case m.Reading():
            return _data("reading", as_json(message.content), type="reading")
        case m.Table(content=table):
            shown = as_json(table) | {"url": table_url(chat_id, table.table_id)}
            return _data(table.name, shown, type="table")
        case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
            return _data(message.type, as_json(message), type="map")
        case _:
            assert_never(message)


def _file(name: str, media_type: str, url: str) -> Artifact:
    """A file by its address; the words before it are for clients that read text alone."""
    file = {"name": name, "mimeType": media_type, "uri": url}
    parts: list[Artifact] = [{"type": "text", "text": f"File: {name}"}, {"type": "file", "file": file}]
    about = {"path": name, "mimeType": media_type, "url": url}
    return {"type": "file", "name": name, "parts": parts, "metadata": about}


def _data(name: str, data: Any, **about: str) -> Artifact:
    metadata = {"mimeType": "application/json", **about}
    return {"type": "data", "name": name, "parts": [{"type": "data", "data": data}], "metadata": metadata}
