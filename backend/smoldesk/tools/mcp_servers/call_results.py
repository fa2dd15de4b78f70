"""Results of a server's tool in the desk's form: text, data, images, files of the chat."""

import base64
import binascii
import json
import mimetypes
from collections.abc import Sequence
from typing import Any, cast

from smoldesk.errors import DeskError
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.run_context import ToolContext

LONGEST_ERROR = 4_000
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
# Maximum parts of one result: each may become a file of the chat, or an image of the step.
MAX_PARTS = 200
# Bytes of an image that is shown in the step; a larger one becomes a file.
MAX_IMAGE_BYTES = 8 * 1024 * 1024


def value_of(result: Any, server: str, tool: str, has_schema: bool, context: ToolContext) -> Any:
    """Return the value of a call: data if the server describes it, else text. Files go into the chat. Raises McpFailed."""
    if result.is_error:
        text = "\n".join(content.text for content in result.content if content.type == "text")
        raise McpFailed(
            f"The MCP server {server!r} says: {text[:LONGEST_ERROR] or 'it failed, without a word'}"
        )
    data = cast("dict[str, Any] | None", result.structured_content)
    with_data = has_schema and data is not None
    lines = parts_of(result.content, f"{server}-{tool}", context, text=not with_data, as_files=with_data)
    if data is None or (not has_schema and lines):
        return "\n".join(lines)
    if not has_schema:
        return json.dumps(data, ensure_ascii=False)
    return data["result"] if set(data) == {"result"} else data


def parts_of(
    content: Sequence[Any], name: str, context: ToolContext, text: bool = True, as_files: bool = False
) -> list[str]:
    """Content blocks in words, files put into the chat; with `as_files` also images. Without `text` texts are left out."""
    lines: list[str] = []
    if len(content) > MAX_PARTS:
        raise McpFailed(f"The result has {len(content):,} parts, and more than {MAX_PARTS} are not taken.")
    for block in content:
        match block.type:
            case "text":
                lines += [block.text] if text else []
            case "image" if (
                not as_files
                and block.mime_type in IMAGE_TYPES
                and len(block.data) * 3 // 4 <= MAX_IMAGE_BYTES
            ):
                _bytes(block.data)
                lines.append(
                    f"data:{block.mime_type};base64,{block.data}"
                )  # which becomes an image of the step
            case "image" | "audio":
                lines.append(_save_file(name, block.mime_type, _bytes(block.data), context))
            case "resource_link":
                lines.append(f"Resource: {block.uri} ({block.name})")
            case "resource":
                lines += (
                    contents_of([block.resource], name, context)
                    if text or hasattr(block.resource, "blob")
                    else []
                )
            case _:
                lines.append(f"(a part of the kind {str(block.type)[:40]!r}, which is not shown)")
    return lines


def contents_of(contents: Sequence[Any], name: str, context: ToolContext) -> list[str]:
    """Return the contents of resources: text unchanged, bytes as files of the chat."""
    if len(contents) > MAX_PARTS:
        raise McpFailed(f"The resource has {len(contents):,} parts, and more than {MAX_PARTS} are not taken.")
    lines: list[str] = []
    for content in contents:
        if hasattr(content, "text"):
            lines.append(cast("str", content.text))
            continue
        last = str(content.uri).rstrip("/").rpartition("/")[2]
        lines.append(
            _save_file(last if "." in last[1:-1] else name, content.mime_type, _bytes(content.blob), context)
        )
    return lines


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise McpFailed("The server sent bytes that are not base64.") from fault


def _save_file(name: str, media_type: str | None, content: bytes, context: ToolContext) -> str:
    ending = mimetypes.guess_extension(media_type or "") or ".bin"
    safe = (
        "".join(character if character.isalnum() or character in "-_." else "_" for character in name)[
            :80
        ].lstrip(".")
        or "file"
    )
    try:
        return f"Wrote: {context.add_file(safe if '.' in safe else safe + ending, content)}"
    except (DeskError, OSError) as fault:
        return f"({safe} was not taken: {fault})"
