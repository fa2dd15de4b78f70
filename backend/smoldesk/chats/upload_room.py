"""Room for what people send: the quota of a chat, which its code shares, and the disk. Looked at before the first byte."""

import shutil

from smoldesk.errors import BadInput
from smoldesk.sandbox.folder_watch import usage
from smoldesk.sandbox.limits import Limits
from smoldesk.store.partial_files import PartialFile, disk_full
from smoldesk.store.store import Store

# Maximum unfinished uploads into one chat.
MAX_COMING = 100


class UploadRoom:
    """Space for uploads: `limit` bytes for one file, `quota` bytes for a chat's folder."""

    def __init__(self, store: Store, limit: int, quota: int) -> None:
        self._store = store
        self.limit = limit
        self._limits = Limits(folder=quota)

    def take(self, chat_id: str, name: str, length: int, here: int = 0) -> PartialFile:
        """Reserve space for a file: a part that holds it until it is discarded or becomes a file. Raises as `check`, and
        OSError.

        A lock over all servers makes sure that space is reserved once.
        """
        with self._store.partials.alone():
            self.check(chat_id, length, here)
            return self._store.partials.begin(chat_id, name, length)

    def check(self, chat_id: str, size: int, here: int = 0) -> None:
        """Check that `size` more bytes fit besides the chat's files and unfinished uploads. Call it outside the event
        loop.

        Raises BadInput("too_large", "chat_full" or "too_many_uploads"), and DeskError("disk_full"): a file is stored
        twice, as received and in the chat's folder, where code may change it. `here` of these bytes are stored
        already.
        """
        if size > self.limit:
            raise BadInput(
                f"The file is larger than {self.limit} bytes.", "Upload a smaller file.", code="too_large"
            )
        data_dir = self._store.data_dir
        coming = [
            part for part in self._store.partials.all() if not part.file_id and not self._is_placed(part)
        ]
        here_too = [part.length for part in coming if part.chat_id == chat_id]
        if len(here_too) >= MAX_COMING:
            raise BadInput(
                f"{len(here_too)} uploads into this chat are unfinished.",
                "Finish or cancel them first.",
                code="too_many_uploads",
            )
        used = usage(data_dir.chat_folder(chat_id), self._limits).size + sum(here_too)
        if used + size > self._limits.folder:
            raise BadInput(
                f"The chat holds {used} bytes, unfinished uploads included; with {size} more it would exceed its quota.",
                f"At most {self._limits.folder} bytes: remove files, or use another chat.",
                code="chat_full",
            )
        pending_bytes = sum(2 * part.length - part.offset for part in coming)
        if pending_bytes + 2 * size - here > shutil.disk_usage(data_dir.files).free:
            raise disk_full()

    def _is_placed(self, part: PartialFile) -> bool:
        """Return whether it lies in the chat's folder already, and counts there."""
        return bool(part.placed) and (self._store.data_dir.chats / part.chat_id / part.placed).is_file()
