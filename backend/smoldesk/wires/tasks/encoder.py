"""The JSON of this wire: updates as followers get them, tasks as they are asked for, and what a run shows. Pure.

An artifact is `{type, name, parts, metadata?}`, where type is text, code, file or data.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, assert_never

from smoldesk import messages as m
from smoldesk.events import Ask
from smoldesk.messages import StepOutput, as_json
from smoldesk.output_parser.artifacts import CodeArtifact
from smoldesk.runs import RunRecord
from smoldesk.wires.serialization import alternatives_json, file_url, image_type, table_url, time_text
from smoldesk.wires.task_projection import ArtifactUpdate, StatusUpdate, Update
from smoldesk.wires.tasks.models import Artifact


def text(content: str, name: str = "output") -> Artifact:
    """Words."""
    return {"type": "text", "name": name, "parts": [{"type": "text", "text": content}]}


def artifact_of(message: StepOutput, chat_id: str) -> Artifact:
    """Return the artifact of a message; map drawings are data, in the page's own form."""
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
            return _file(name, image_type(message.format), file_url(chat_id, name, message.file_id))
        case m.Chart(content=chart):
            picture = f"{chart.name}.png"
            file_part = _file(picture, "image/png", file_url(chat_id, picture, chart.image_id))
            spec = file_url(chat_id, f"{chart.name}.json", chart.spec_id)
            return file_part | {
                "metadata": file_part["metadata"] | {"description": chart.description, "specUrl": spec}
            }
        case m.File(content=file):
            if not file.file_id:  # it was only spoken of
                return text(f"File: {file.name}", file.name) | {
                    "type": "file",
                    "metadata": {"path": file.name},
                }
            file_part = _file(file.name, file.media_type, file_url(chat_id, file.name, file.file_id))
            return file_part | {"metadata": file_part["metadata"] | {"size": file.size}}
        case m.Json():
            return _data(message.name or "json_output", message.content)
        case m.Reading():
            return _data("reading", as_json(message.content), type="reading")
        case m.Alternatives(content=content):
            parts = text(content.note)["parts"] + _data("", alternatives_json(content, chat_id))["parts"]
            return _data("alternatives", None, type="alternatives") | {"parts": parts}
        case m.Table(content=table):
            data = as_json(table) | {"url": table_url(chat_id, table.table_id)}
            return _data(table.name, data, type="table")
        case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
            return _data(message.type, as_json(message), type="map")
        case m.McpApp() | m.Evidence():
            raise AssertionError(
                "a view is shown on the desk's page only, and evidence is part of the last status"
            )
        case _:
            assert_never(message)


def _file(name: str, media_type: str, url: str) -> Artifact:
    """Return a file by its address, after a text with its name for clients that read text only."""
    file = {"name": name, "mimeType": media_type, "uri": url}
    parts: list[Artifact] = [{"type": "text", "text": f"File: {name}"}, {"type": "file", "file": file}]
    about = {"path": name, "mimeType": media_type, "url": url}
    return {"type": "file", "name": name, "parts": parts, "metadata": about}


def _data(name: str, data: Any, **about: str) -> Artifact:
    metadata = {"mimeType": "application/json", **about}
    return {"type": "data", "name": name, "parts": [{"type": "data", "data": data}], "metadata": metadata}


Object = dict[str, Any]
YES_OR_NO = ["y", "n"]


def question(ask: Ask) -> Object:
    """Return the question of a waiting task in one form. `type` is that of the ask, or json for client work."""
    is_confirmed = ask.kind == "approval" or (ask.kind == "input" and ask.input_type == "confirmation")
    options = ask.options or (YES_OR_NO if is_confirmed else None)
    return {
        "type": "json" if ask.kind == "client_tool" else ask.input_type,
        "prompt": ask.prompt,
        "options": options,
        "default": ask.default,
        "ask_id": ask.id,
        "tool": ask.tool,
        "arguments": ask.arguments if ask.tool is not None else None,
        "expires_at": time_text(ask.expires_at),
    }


def status_of(update: StatusUpdate) -> Object:
    """`{state, timestamp, message?, error?, reason?}`."""
    status: Object = {"state": update.state, "timestamp": time_text(update.at)}
    if update.ask is not None:
        status["message"] = question(update.ask)
    if update.failure is not None:
        failure = update.failure
        status["error"] = {"code": failure.code, "message": f"{failure.message} {failure.hint}".strip()}
    if update.reason is not None:
        status["reason"] = update.reason
    if update.evidence is not None:
        status["evidence"] = as_json(update.evidence)
    return status


def update_data(update: Update, task_id: str, chat_id: str) -> tuple[str, Object]:
    """Return the name and the data of an update's event."""
    ids = {"taskId": task_id, "contextId": chat_id}
    match update:
        case StatusUpdate():
            return "status", ids | status_of(update) | {"final": update.is_end}
        case ArtifactUpdate():
            place = {"index": update.index, "append": update.append, "lastChunk": update.is_final}
            return "artifact", ids | {"artifact": artifact_of(update.message, chat_id)} | place


def task_json(
    record: RunRecord, status: StatusUpdate, updated_at: datetime, artifacts: Sequence[Artifact] | None
) -> Object:
    """Return a task; None leaves the artifacts out."""
    task: Object = {
        "id": record.id,
        "contextId": record.chat_id,
        "status": status_of(status),
        "message": {"role": "user", "parts": [{"type": "text", "text": record.message}]},
        "metadata": record.options.metadata or {},
        "createdAt": time_text(datetime.fromtimestamp(record.created_at, UTC)),
        "updatedAt": time_text(updated_at),
    }
    return task if artifacts is None else task | {"artifacts": list(artifacts)}
