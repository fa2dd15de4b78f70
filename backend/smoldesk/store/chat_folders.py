"""Chats' folders: on this disk alone, or the same at all servers through a bucket (`synced_folders`)."""

import errno
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from smoldesk.folders import remove_tree
from smoldesk.store.data_dir import DataDir

# Seconds for which a folder that is only read counts as up to date.
FRESH_SECONDS = 2


class ChatFolders(Protocol):
    """Working folders of chats' code. Methods block; they raise DeskError if the bucket cannot be used."""

    def opened(self, chat_id: str) -> Path:
        """Return a chat's folder with what other servers changed in it."""
        ...

    def reading(self, chat_id: str, name: str | None = None) -> Path:
        """Return the folder for reading outside a run: at most FRESH_SECONDS old, unless it lacks the file `name`.

        It is what this server has of it while the bucket is away.
        """
        ...

    def changing(self, chat_id: str) -> AbstractContextManager[Path]:
        """Yield the folder as `opened` does; what changes in it meanwhile reaches the other servers."""
        ...

    def remove(self, chat_id: str) -> None:
        """Delete a chat's folder everywhere. Raises OSError if something of it is left."""
        ...


class LocalFolders:
    """Folders on a disk of this server, or one that all servers mount."""

    def __init__(self, data_dir: DataDir) -> None:
        self._data_dir = data_dir

    def opened(self, chat_id: str) -> Path:
        return self._data_dir.chat_folder(chat_id)

    def reading(self, chat_id: str, name: str | None = None) -> Path:
        return self.opened(chat_id)

    @contextmanager
    def changing(self, chat_id: str) -> Generator[Path]:
        yield self.opened(chat_id)

    def remove(self, chat_id: str) -> None:
        erase_folder(self._data_dir.chats / chat_id)


def erase_folder(folder: Path) -> None:
    """Delete a folder. Raises OSError if it is still there: its chat is not erased then, and is tried again."""
    remove_tree(folder)
    if os.path.lexists(folder):
        raise OSError(errno.ENOTEMPTY, "the folder of a chat could not be deleted")
