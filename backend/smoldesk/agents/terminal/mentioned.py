"""Files that a program mentions: stored if they are in the chat's folder, otherwise only named."""

import os
from pathlib import Path

from smoldesk.errors import DeskError
from smoldesk.messages import File, FileContent
from smoldesk.store.files import media_type_of
from smoldesk.tools.run_context import RunContext

# Files stored for one run; further ones are only named.
MAX_FILES = 100


class MentionedFiles:
    """Files of one run, each stored once."""

    def __init__(self, ctx: RunContext) -> None:
        self._ctx = ctx
        self._stored: dict[str, FileContent] = {}

    def file(self, path: str) -> File:
        """Return the message of a file; without an id, and so without an address, when it was not stored."""
        relative = self._relative(path)
        if relative is not None and relative not in self._stored and len(self._stored) < MAX_FILES:
            try:
                stored = self._ctx.keep_file(relative, "produced")
            except (DeskError, OSError):  # missing, a folder, or too large: then it is only named
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
        """Return a path relative to the chat's folder, the program's working directory; None for one outside."""
        folder = str(self._ctx.folder.resolve())
        inside = os.path.normpath(os.path.join(folder, Path(path).expanduser()))  # noqa: PTH118 - text, not files
        return os.path.relpath(inside, folder) if inside.startswith(folder + os.sep) else None
