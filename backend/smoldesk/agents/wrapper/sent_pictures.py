"""Pictures that a message names, for models that accept pictures. Their bytes are sent unchanged, never decoded here.

Stored prompts have the pictures' names; only the request to the model has their bytes.
"""

import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from smolagents.models import ChatMessage, MessageRole

from smoldesk import folders
from smoldesk.errors import DeskError

# Pictures of one message: the first ones are sent.
MAX_PICTURES = 4
MAX_PICTURE_BYTES = 5_000_000
# First bytes of the formats that providers accept; WebP has its signature further inside.
_SIGNS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


class SentPictures:
    """Pictures of one run's message: data URLs by name, in their order."""

    def __init__(self, urls: Mapping[str, str] | None = None) -> None:
        self._urls = dict(urls or {})

    @classmethod
    def of(cls, folder: Path, names: Sequence[str]) -> "SentPictures":
        """Read those files of a chat's folder that are pictures."""
        urls: dict[str, str] = {}
        for name in names:
            if len(urls) < MAX_PICTURES and (url := _data_url(folder, name)):
                urls[name] = url
        return cls(urls)

    def named(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        """Add the pictures' names to the newest task of a prompt; returns the same list when there are none."""
        at = next((n for n in reversed(range(len(messages))) if messages[n].role == MessageRole.USER), None)
        if not self._urls or at is None:
            return messages
        parts: list[dict[str, Any]] = [{"type": "picture", "name": name} for name in self._urls]
        task = messages[at]
        complete = ChatMessage(role=task.role, content=[*_parts(task), *parts], tool_calls=task.tool_calls)
        return [*messages[:at], complete, *messages[at + 1 :]]

    def with_pictures(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        """Replace the pictures' names by the pictures, in the format of chat completions."""
        if not self._urls:
            return messages
        return [self._with_pictures(message) for message in messages]

    def _with_pictures(self, message: ChatMessage) -> ChatMessage:
        parts = _parts(message)
        if not any(part["type"] == "picture" for part in parts):
            return message
        content = [
            {"type": "image_url", "image_url": {"url": self._urls[part["name"]]}}
            if part["type"] == "picture"
            else part
            for part in parts
        ]
        return ChatMessage(role=message.role, content=content, tool_calls=message.tool_calls)


def _parts(message: ChatMessage) -> list[dict[str, Any]]:
    content: Any = message.content
    if isinstance(content, list):
        return cast("list[dict[str, Any]]", content)
    return [{"type": "text", "text": str(content)}]


def _data_url(folder: Path, name: str) -> str | None:
    try:
        with folders.opened_inside(folder, name, MAX_PICTURE_BYTES) as descriptor:
            data = os.pread(descriptor, MAX_PICTURE_BYTES, 0)
    except (DeskError, OSError):
        return None
    media_type = next((kind for sign, kind in _SIGNS if data.startswith(sign)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        media_type = "image/webp"
    return media_type and f"data:{media_type};base64,{base64.b64encode(data).decode()}"
