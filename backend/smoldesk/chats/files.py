"""Files of a chat: uploaded, produced and shown ones; their facts and where their bytes are."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import Connection

from smoldesk.store import chats, files
from smoldesk.store.files import StoredFile
from smoldesk.store.store import Store


class Files:
    """The files of all chats of a desk."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, chat_id: str) -> list[StoredFile]:
        """The newest file of each name that a person uploaded or code produced, oldest first. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: files.list_files(connection, chat_id))

    async def find(self, chat_id: str, name: str, file_id: str | None = None) -> tuple[StoredFile, Path]:
        """The newest file of that name in the chat, or the one with that id, and its bytes. Raises NotFound."""

        def look(connection: Connection) -> StoredFile:
            chats.get_chat(connection, chat_id)  # of a deleted chat nothing is found
            return files.find_file(connection, chat_id, name, file_id)

        file = await self._store.aread(look)
        return file, await self.kept(file.id)

    async def kept(self, file_id: str) -> Path:
        """The path of a file that was stored; raises NotFound when its bytes are not on this server."""
        return await asyncio.to_thread(self._store.files.kept, file_id)

    def path(self, file_id: str) -> Path:
        """Where the bytes of a file are, if they are here."""
        return self._store.files.path(file_id)

    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
        """Store bytes as they arrive; (id, bytes). Raises BadInput beyond `limit` bytes or when empty."""
        return await self._store.files.receive(chunks, limit)

    def discard(self, file_id: str) -> None:
        """Forget stored bytes that became no file."""
        self._store.files.discard(file_id)
