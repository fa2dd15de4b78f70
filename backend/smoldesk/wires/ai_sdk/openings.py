"""What a client's messages ask for when they ask for something new: the message, its files and the talk before it.

Files come inside a message, as data URLs, and become files of the chat like any upload.
"""

import asyncio
import base64
import binascii
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from smoldesk.chats import ToldTurn, Uploads
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.ai_sdk.requests import (
    EXPECTED,
    ChatRequest,
    ClientMessage,
    FilePart,
)
from smoldesk.wires.bodies import GivenFile, check_counts, check_text, file_too_large, given_file

MOST_TURNS = 40
"""How many turns of a history the desk does not know are told to it: the last ones."""


@dataclass(frozen=True)
class Opening:
    """`message` is empty when another answer is wanted to what was asked last. `told` counts for a new chat only."""

    message: str
    files: list[FilePart] = field(default_factory=list[FilePart])
    told: list[ToldTurn] = field(default_factory=list[ToldTurn])


def opening_of(request: ChatRequest, message_limit: int) -> Opening:
    """Raises BadInput for a last message without text and files, and for one of more than `message_limit` bytes."""
    messages = request.messages
    last = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "user"), None)
    anew = request.trigger == "regenerate-message"
    if last is None:
        if anew:
            return Opening("")
        raise BadInput("There is no message of a user.", EXPECTED, code="empty")
    said = messages[last]
    if not said.text.strip() and not said.files and not anew:
        raise BadInput("The last message is empty.", "Expected text or a file.", code="empty")
    check_text(said.text, message_limit)
    told = turns_of(messages[:last], message_limit)
    return Opening(said.text, [] if anew else said.files, told)


def turns_of(messages: list[ClientMessage], most: int) -> list[ToldTurn]:
    """A history as turns, the last ones: each what a user said and what was answered, `most` characters of either."""
    turns: list[tuple[str, str]] = []
    for message in messages:
        text = message.text.strip()[:most]
        if message.role == "user" and text:
            turns.append((text, ""))
        elif message.role == "assistant" and text and turns:
            question, answer = turns[-1]
            turns[-1] = (question, f"{answer}\n\n{text}".strip()[:most])
    return [ToldTurn(*turn) for turn in turns[-MOST_TURNS:]]


_DATA_URL = re.compile(r"data:([^,]{0,300}),", re.IGNORECASE)


def decoded(parts: Sequence[FilePart], limit: int) -> list[GivenFile]:
    """The files of a message, each at most `limit` bytes. Raises BadInput for any that cannot be one. Pure."""
    check_counts(0, len(parts))
    return [_decoded(part, number, limit) for number, part in enumerate(parts, 1)]


def _decoded(part: FilePart, number: int, limit: int) -> GivenFile:
    ending = mimetypes.guess_extension(part.media_type.partition(";")[0].strip()) or ".bin"
    name = checked_name(part.name or f"file-{number}{ending}")
    head = _DATA_URL.match(part.url)
    if head is None:
        hint = "Expected its bytes: a data: URL. The desk fetches nothing from other servers."
        raise BadInput(f"The file {name[:80]!r} came as an address.", hint, code="not_a_data_url")
    text = part.url[head.end() :]
    if len(text) > 3 * limit:  # percent-encoded, each byte is three characters
        raise file_too_large(name, limit)
    try:
        is_base64 = head[1].lower().endswith(";base64")
        data = base64.b64decode(text, validate=True) if is_base64 else unquote_to_bytes(text)
    except (binascii.Error, ValueError) as fault:
        raise BadInput(f"The file {name[:80]!r} is no valid base64.", "Expected a data: URL.") from fault
    return given_file(name, data, limit)


class Attachments:
    """Puts files of messages into chats."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads

    async def read(self, parts: Sequence[FilePart]) -> list[GivenFile]:
        """Raises BadInput; decoded aside, for it takes as long as the files are large."""
        return await asyncio.to_thread(decoded, parts, self._uploads.limit) if parts else []

    async def keep(self, chat_id: str, files: Sequence[GivenFile]) -> list[str]:
        """Take them in; the names they have in the chat. Raises BadInput, or DeskError when the disk will not."""
        return [await self._uploads.keep(chat_id, file.name, file.data) for file in files]
