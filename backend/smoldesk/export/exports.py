"""Exports of a chat into a file that appears once it is complete."""

import errno
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal

from smoldesk.chats import Buildings
from smoldesk.errors import BadInput
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.html_page import Rendering, write_page
from smoldesk.export.map_svg import MapState
from smoldesk.export.markdown_pages import write_pages
from smoldesk.export.notebook import write_notebook
from smoldesk.export.pins import Report, map_at_the_end
from smoldesk.export.verify import stamps_of
from smoldesk.export.write_log import log_lines
from smoldesk.folders import checked_name
from smoldesk.sandbox.children import Children
from smoldesk.store.store import Store

Format = Literal["jsonl", "notebook", "markdown", "html"]
ENDINGS: dict[Format, str] = {"jsonl": ".jsonl", "notebook": ".ipynb", "markdown": ".zip", "html": ".html"}
MEDIA_TYPES: dict[Format, str] = {
    "jsonl": "application/jsonl",
    "notebook": "application/x-ipynb+json",
    "markdown": "application/zip",
    "html": "text/html; charset=utf-8",
}


@dataclass(frozen=True)
class Exports:
    """Writes the chats of a desk. Its methods block on the database: do not call them on the event loop."""

    store: Store
    buildings: Buildings
    children: Children
    rendering: Rendering

    @property
    def scratch(self) -> Path:
        """Folder for temporary files."""
        return self.store.data_dir.cache

    def write(self, chat_id: str, format_: Format, path: Path, verify: bool = False) -> None:
        """Write a chat to `path` and replace the file there. Raises NotFound and OSError, which leave that file
        unchanged.
        """
        write_atomically(path, self._writer(chat_id, format_, verify))

    def write_report(self, report: Report, format_: Format, path: Path) -> None:
        """Write a report to `path`. Raises BadInput for `jsonl`, and OSError; both leave the file there unchanged."""
        source = report.source
        match format_:
            case "notebook":
                write_atomically(path, lambda target: write_notebook(source, target, report=report))
            case "markdown":
                write_atomically(path, lambda target: write_pages(source, target, report))
            case "html":
                write_atomically(path, lambda target: write_page(source, self.rendering, target, report))
            case "jsonl":
                raise BadInput(
                    "A report cannot be exported as a log.", "Expected html, markdown or notebook."
                )

    def map_now(self, chat_id: str) -> MapState:
        """Return the current state of a chat's map; its picture has no floor image. Raises NotFound."""
        drawn = map_at_the_end(ChatSource(self.store, self.buildings, chat_id))
        return replace(drawn, images={})

    def _writer(self, chat_id: str, format_: Format, verify: bool) -> Callable[[BinaryIO], object]:
        if format_ == "jsonl":
            return lambda target: target.writelines(log_lines(self.store, chat_id))
        source = ChatSource(self.store, self.buildings, chat_id)
        match format_:
            case "notebook":
                stamps = stamps_of(source, self.children, self.store.data_dir.chats) if verify else None
                return lambda target: write_notebook(source, target, stamps)
            case "markdown":
                return lambda target: write_pages(source, target)
            case "html":
                return lambda target: write_page(source, self.rendering, target)


def file_name(title: str, format_: Format) -> str:
    """Return a file name for a chat with this title."""
    # Windows does not allow these characters in names, and downloads may land there.
    name = "".join(sign if sign.isprintable() and sign not in '\\/:*?"<>|' else " " for sign in title)
    try:
        return checked_name(" ".join(name.split())[:60].strip(". ") + ENDINGS[format_])
    except BadInput:
        return "chat" + ENDINGS[format_]


def write_atomically(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a temporary file beside `path`, then rename it to `path`."""
    # Checked first: `replace` would fail only after the whole export was written.
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    # Cut to 60 characters: a name has at most 255 bytes, and a character up to four.
    temporary = path.with_name(f".{path.name[:60]}.{secrets.token_hex(6)}")
    try:
        with temporary.open("xb") as target:
            fill(target)
            # Before the rename: without it a power cut could leave the new name with an empty file.
            target.flush()
            os.fsync(target.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
