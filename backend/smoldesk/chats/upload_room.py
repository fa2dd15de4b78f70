"""Room for what people send: the quota of a chat, which its code shares, and the disk. Looked at before the first byte."""

import shutil

from smoldesk.errors import BadInput
from smoldesk.sandbox.folder_watch import usage
from smoldesk.sandbox.limits import Limits
from smoldesk.store.partial_files import disk_full
from smoldesk.store.store import Store


class UploadRoom:
    """How much may still come; `limit` is of one file, `quota` of a chat's folder, in bytes."""

    def __init__(self, store: Store, limit: int, quota: int) -> None:
        self._store = store
        self.limit = limit
        self._limits = Limits(folder=quota)

    def check(self, chat_id: str, size: int) -> None:
        """Whether `size` more bytes fit beside what the chat has and what is on its way. Not on the event loop.

        Raises BadInput("too_large" or "chat_full"), and DeskError("disk_full"): a file lies on the disk twice, as it came
        and in the chat's folder, where code may change it.
        """
        if size > self.limit:
            raise BadInput(
                f"The file is larger than {self.limit} bytes.", "Upload a smaller file.", code="too_large"
            )
        data_dir = self._store.data_dir
        coming = [part for part in self._store.partials.all() if not part.file_id]
        used = usage(data_dir.chat_folder(chat_id), self._limits).size
        used += sum(part.length for part in coming if part.chat_id == chat_id)
        if used + size > self._limits.folder:
            raise BadInput(
                f"The chat holds {used} bytes, those on their way included; with {size} more it would be over its quota.",
                f"At most {self._limits.folder} bytes: remove files of it, or use another chat.",
                code="chat_full",
            )
        due = sum(2 * part.length - part.offset for part in coming)
        if due + 2 * size > shutil.disk_usage(data_dir.files).free:
            raise disk_full()
