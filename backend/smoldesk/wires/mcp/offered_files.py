"""Files of a question: read and checked before a chat is created, then stored in it."""

import asyncio
import base64
import binascii
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.bodies import AttachedFile, check_counts, checked_file
from smoldesk.wires.mcp.analyst_models import OfferedFile

_OF_A_CHAT = re.compile(r"smoldesk://chats/([\w-]{1,80})/files/([^/?#]{1,600})")
_DATA = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),(.*)", re.DOTALL)
EXPECTED = "Expected base64 in `data`, a data: URI, or smoldesk://chats/{chat_id}/files/{name}: the desk fetches nothing."


@dataclass(frozen=True)
class ChatFile:
    """File of another chat of this desk."""

    name: str
    path: Path


# A str is the name of a file that the chat has already.
Offered = str | AttachedFile | ChatFile


class OfferedFiles:
    """Reader of a question's files. Raises BadInput for invalid files, NotFound for missing ones."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def read(self, files: list[OfferedFile]) -> list[Offered]:
        """Read and check the files."""
        check_counts(0, len(files))
        return [await self._read(file, f"file-{number}.bin") for number, file in enumerate(files, 1)]

    async def _read(self, file: OfferedFile, name: str) -> Offered:
        name, limit = file.name or name, self._desk.settings.file_limit
        if file.data is not None:
            return checked_file(name, await asyncio.to_thread(_decoded, file.data), limit)
        if file.uri is None:
            return checked_name(file.name)
        if (match := _OF_A_CHAT.fullmatch(file.uri)) is not None:
            stored, path = await self._desk.files.find(match[1], unquote(match[2]))
            return ChatFile(checked_name(file.name or stored.name), path)
        if (match := _DATA.fullmatch(file.uri)) is not None:
            is_plain, text = not match[2].endswith(";base64"), match[3]
            data = unquote_to_bytes(text) if is_plain else await asyncio.to_thread(_decoded, text)
            return checked_file(name, data, limit)
        raise BadInput(f"The file {file.uri[:80]!r} cannot be read.", EXPECTED, code="bad_file")

    async def place(self, chat_id: str, offered: list[Offered]) -> list[str]:
        """Store files in the chat and return their names there."""
        stored_names = {file.name for file in await self._desk.files.of(chat_id)}
        names: list[str] = []
        for file in offered:
            match file:
                case AttachedFile():
                    names.append(await self._desk.uploads.keep(chat_id, file.name, file.data))
                case ChatFile():
                    names.append((await self._desk.uploads.add(chat_id, file.path, file.name))[0])
                case str() if file in stored_names:
                    names.append(file)
                case str():
                    raise BadInput(f"The chat has no file {file[:80]!r}.", EXPECTED, code="unknown_file")
        return names


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("The bytes of a file are not valid base64.", EXPECTED, code="bad_file") from None
