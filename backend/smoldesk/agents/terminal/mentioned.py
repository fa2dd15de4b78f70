"""Files that a program says it made: stored, when they lie in the chat's folder, else only named."""

import os
from pathlib import Path

from smoldesk.errors import DeskError
from smoldesk.messages import File, FileContent
from smoldesk.store.files import media_type_of
from smoldesk.tools.run_context import RunContext

# Files that are stored for one run; what is named beyond is only named.
MOST_FILES = 100


class MentionedFiles:
    """The files of one run. A file that is named twice is stored once."""

    def __init__(self, ctx: RunContext) -> None:
        self._ctx = ctx
        self._stored: dict[str, FileContent] = {}

    def file(self, path: str) -> File:
        """The message of a file; without an id (and so without an address) when there is none to be had."""
        relative = self._relative(path)
        if relative is not None and relative not in self._stored and len(self._stored) < MOST_FILES:
            try:
                stored = self._ctx.keep_file(relative, "produced")
            except (DeskError, OSError):  # not there, a folder, too large: it was talked about, no more
                pass
            else:
                self._stored[relative] = FileContent(
                    file_id=stored.id, name=stored.name, size=stored.size, media_type=stored.media_type
                )
        content = self._stored.get(relative or "")
        return File(
            content=content or FileContent(file_id="", name=path, size=0, media_type=media_type_of(path))
        )

    def _relative(self, path: str) -> str | None:
        """The path seen from the chat's folder, where the program works; None when it leads elsewhere."""
        folder = str(self._ctx.folder.resolve())
        inside = os.path.normpath(os.path.join(folder, Path(path).expanduser()))  # noqa: PTH118 - text, not files
        return os.path.relpath(inside, folder) if inside.startswith(folder + os.sep) else None
