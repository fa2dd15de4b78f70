"""The JSON of this wire: updates as followers get them, tasks as they are asked for. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from smoldesk.events import Ask
from smoldesk.wires.task_projection import ArtifactUpdate, StatusUpdate, Update
from smoldesk.wires.tasks.artifacts import artifact_of
from smoldesk.wires.tasks.models import Artifact, TaskFacts

Object = dict[str, Any]
YES_OR_NO = ["y", "n"]


def time_text(moment: datetime) -> str:
    """A moment in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def question(ask: Ask) -> Object:
    """What a task waits for: one form, whatever asks. `type` is that of the ask, or json for work of the client."""
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
    return status


def update_data(update: Update, task_id: str, chat_id: str) -> tuple[str, Object]:
    """The name of an update's event, and its data."""
    ids = {"taskId": task_id, "contextId": chat_id}
    match update:
        case StatusUpdate():
            return "status", ids | status_of(update) | {"final": update.is_end}
        case ArtifactUpdate():
            place = {"index": update.index, "append": update.append, "lastChunk": update.is_whole}
            return "artifact", ids | {"artifact": artifact_of(update.message, chat_id)} | place


def task_json(
    facts: TaskFacts, status: StatusUpdate, updated_at: datetime, artifacts: Sequence[Artifact] | None
) -> Object:
    """A task; None leaves the artifacts out."""
    task: Object = {
        "id": facts.id,
        "contextId": facts.chat_id,
        "status": status_of(status),
        "message": {"role": "user", "parts": [{"type": "text", "text": facts.message}]},
        "metadata": facts.metadata,
        "createdAt": time_text(datetime.fromtimestamp(facts.created_at, UTC)),
        "updatedAt": time_text(updated_at),
    }
    return task if artifacts is None else task | {"artifacts": list(artifacts)}
