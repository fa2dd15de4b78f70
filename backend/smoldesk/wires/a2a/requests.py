"""Reader of a client's message: text, files and data of its parts, its context and task. Pure.

Unsupported parts are errors: without them the message would have another meaning.
"""

import hashlib
import mimetypes
from collections.abc import Collection
from typing import Any, cast

from a2a.types import a2a_pb2 as pb
from google.protobuf.json_format import MessageToDict, SerializeToJsonError
from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.a2a.models import DEPTH, METADATA_PREFIX, IncomingMessage
from smoldesk.wires.bodies import DEEPEST, AttachedFile, check_counts, checked_file, checked_metadata

LONGEST_ID = 500
# Maximum chain of agents: an agent that calls this desk sends its own depth.
MAX_DEPTH = 4
TEXT_MODES = ("text/plain", "text/markdown", "application/json")
FILE_MODES = (
    "text/csv",
    "text/tab-separated-values",
    "text/html",
    "application/geo+json",
    "application/pdf",
    "application/vnd.apache.parquet",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.sqlite3",
    "application/x-ndjson",
    "application/zip",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/svg+xml",
    "image/webp",
)
# Input modes on the cards.
INPUT_MODES = (*TEXT_MODES, *FILE_MODES)


def read_message(
    params: pb.SendMessageRequest, file_limit: int, modes: Collection[str] = INPUT_MODES
) -> IncomingMessage:
    """Read the message of a request; a file has at most `file_limit` bytes. Without `modes` any type is accepted. Raises
    BadInput.
    """
    message = params.message
    if message.role == pb.ROLE_AGENT:
        raise BadInput("The message has the role of an agent.", "Expected ROLE_USER.")
    check_counts(len(message.parts), 0)
    texts: list[str] = []
    files: list[AttachedFile] = []
    data: list[JsonValue] = []
    for part in message.parts:
        _check_mode(part, modes)
        match part.WhichOneof("content"):
            case "text":
                texts.append(part.text)
            case "raw":
                files.append(_file(part, len(files) + 1, file_limit))
            case "data":
                data.append(_data(part))
            case "url":
                hint = "Expected its bytes in `raw`: the desk fetches nothing from other servers."
                raise BadInput(
                    f"The file {part.filename[:80]!r} is an address instead of data.", hint, code="no_bytes"
                )
            case _:
                raise BadInput("A part of the message is empty.", "Expected text, raw or data.")
    check_counts(0, len(files))
    text = "\n".join(part_text for part_text in texts if part_text.strip())
    if not text and not files and not data:
        raise BadInput("The message is empty.", "Expected a part with text, raw or data.")
    about = _metadata(params.metadata) | _metadata(message.metadata)
    return IncomingMessage(
        message_id=_id("messageId", message.message_id) or "",
        text=text,
        files=files,
        data=data,
        context_id=_id("contextId", message.context_id),
        task_id=_id("taskId", message.task_id),
        depth=_depth(about.pop(DEPTH, 0)),
        message_json=_message_json(message),
        key=hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()[:32],
        metadata={name: value for name, value in about.items() if not name.startswith(METADATA_PREFIX)},
    )


def _message_json(message: pb.Message) -> dict[str, JsonValue]:
    """Return the message as JSON for the task's history, without the bytes of its files; a part with a `url` stays."""
    stored_message = pb.Message(
        message_id=message.message_id,
        metadata=message.metadata,
        parts=message.parts,
        extensions=message.extensions,
        reference_task_ids=message.reference_task_ids,
    )
    for part in stored_message.parts:
        if part.HasField("raw"):
            part.url = part.filename
    return cast("dict[str, JsonValue]", _as_json(stored_message, "The message"))


def _check_mode(part: pb.Part, modes: Collection[str]) -> None:
    mode = part.media_type.partition(";")[0].strip().lower()
    if mode and modes and mode not in modes:
        raise BadInput(
            f"Media type {mode[:80]!r} is not supported.",
            f"Expected one of: {', '.join(modes)}.",
            code="bad_media_type",
        )


def _file(part: pb.Part, number: int, limit: int) -> AttachedFile:
    ending = mimetypes.guess_extension(part.media_type.partition(";")[0].strip()) or ".bin"
    return checked_file(part.filename or f"file-{number}{ending}", part.raw, limit)


def _data(part: pb.Part) -> JsonValue:
    value = cast(JsonValue, _as_json(part.data, "A data part"))
    if is_deeper(value, DEEPEST):
        raise BadInput("A data part is nested too deeply.", f"At most {DEEPEST} levels.")
    return with_integers(value)


def _as_json(message: Any, what: str) -> Any:
    """Return a message as JSON. Raises BadInput for a number without a JSON form: 1e400 reads as infinite, and some
    libraries write NaN.
    """
    try:
        return MessageToDict(message)
    except (SerializeToJsonError, ValueError):
        raise BadInput(f"{what} holds a number that is not finite.", "Expected numbers of JSON.") from None


def with_integers(value: Any) -> JsonValue:
    """Return data with 1 for 1.0: the protocol has floats only, and an agent should read what its client wrote."""
    match value:
        case float():
            return int(value) if value.is_integer() and abs(value) < 2**53 else value
        case dict():
            items = cast("dict[str, JsonValue]", value).items()
            return {name: with_integers(inner) for name, inner in items}
        case list():
            return [with_integers(inner) for inner in cast("list[JsonValue]", value)]
        case _:
            return value


def _id(name: str, value: str) -> str | None:
    if len(value) > LONGEST_ID or not value.isprintable():
        raise BadInput(f"`{name}` is not an id.", f"Expected at most {LONGEST_ID} printable characters.")
    return value or None


def _metadata(struct: Any) -> dict[str, JsonValue]:
    metadata = cast("dict[str, JsonValue]", _as_json(struct, "`metadata`"))
    return cast("dict[str, JsonValue]", with_integers(checked_metadata(metadata)))


def _depth(value: JsonValue) -> int:
    """Return the number of agents behind the client."""
    is_integer = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    if not is_integer or not isinstance(value, int | float) or value < 0:
        raise BadInput(f"`{DEPTH}` is not an integer of at least 0.", f"Expected 0 to {MAX_DEPTH}.")
    if value > MAX_DEPTH:
        hint = f"At most {MAX_DEPTH} agents may ask each other in a row; this message would be number {int(value)}."
        raise BadInput("Agents ask each other in a loop, it seems.", hint, code="too_deep")
    return int(value)
