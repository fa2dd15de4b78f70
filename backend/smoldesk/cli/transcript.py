"""Output of `smoldesk run`: text for people, or one line of JSON for each message.

Files that a step shows are copied out of the desk, which may be temporary.
"""

import json
import shutil
import sys
from pathlib import Path

from smoldesk import messages as m
from smoldesk.chats import Files
from smoldesk.cli.umasks import give_usual_mode
from smoldesk.errors import BadInput
from smoldesk.events import FileAdded, FileChanged, StoredEvent
from smoldesk.folders import free_name
from smoldesk.wires.four_pane.encoder import encode_event

ROWS_SHOWN = 12
CELL_WIDTH = 18


class Transcript:
    """Writes down a chat's events, one after the other."""

    def __init__(self, files: Files, folder: Path) -> None:
        self._results = Results(files, folder)

    def write(self, stored: StoredEvent) -> None:
        """Print an event, and copy the file that comes with it."""
        message = encode_event(stored.event, stored.run_id)
        if message is not None:
            sys.stdout.write(self.written(stored, message, self._results.copy(stored, message)))
            sys.stdout.flush()

    def written(self, stored: StoredEvent, message: m.Message, path: Path | None) -> str:
        """Return the output for a message and the path its file was copied to."""
        raise NotImplementedError


class JsonTranscript(Transcript):
    """A line of JSON for each message, as the page would get it, with `savedAs` where a file was copied."""

    def written(self, stored: StoredEvent, message: m.Message, path: Path | None) -> str:
        data = m.as_json(message) | {"seq": stored.seq, "runId": stored.run_id}
        if path is not None:
            data["savedAs"] = path.name
        return json.dumps(data, ensure_ascii=False) + "\n"


class TextTranscript(Transcript):
    """For people: code, prints, tables and the answer on stdout, errors on stderr; the rest is for the page."""

    def written(self, stored: StoredEvent, message: m.Message, path: Path | None) -> str:
        if isinstance(message, m.Error):
            sys.stderr.write(f"\nerror: {message.content}\n")
        return f"\nsaved: {path.name}\n" if path else format_message(message)


def format_message(message: m.Message) -> str:
    """Return a message as text for a terminal; empty for a kind that is not printed."""
    match message:
        case m.Code():
            lines = "".join(f"    {line}\n" for line in message.content.split("\n"))
            return f"\n[{message.step or message.language}]\n{lines}"
        case m.Printed():
            return message.content
        case m.Text():
            return f"\n{message.content}\n"
        case m.Nested(content=nested) if isinstance(nested.message, m.Code | m.Table):
            return f"\n[{nested.agent}]{format_message(nested.message)}"
        case m.Json():
            return f"\n{json.dumps(message.content, ensure_ascii=False, indent=2)}\n"
        case m.McpApp(content=app) if app.state == "called":
            return f"\n(a view of {app.title!r} by the MCP server {app.server!r}: the page shows it)\n"
        case m.Table():
            table = message.content
            rows = [[column.name for column in table.columns], *table.rows[:ROWS_SHOWN]]
            lines = ("".join(str(cell)[:CELL_WIDTH].ljust(CELL_WIDTH + 2) for cell in row) for row in rows)
            return f"\n{table.name}: {table.row_count} rows\n" + "".join(
                f"  {line.rstrip()}\n" for line in lines
            )
        case _:
            return ""


class Results:
    """Copies what a step shows as a file into a folder, and replaces nothing there."""

    def __init__(self, files: Files, folder: Path) -> None:
        self._files = files
        self._folder = folder

    def copy(self, stored: StoredEvent, message: m.Message) -> Path | None:
        """Copy the file of a message and return its path; None for a message without a file, or with one the person
        sent.
        """
        match message.content.message if isinstance(message, m.Nested) else message:
            case m.Image(file_id=file_id, path=path):
                name = path or file_id
            case m.Chart(content=chart):
                file_id, name = chart.image_id, f"{chart.name}.png"
            case m.File(content=file) if not isinstance(stored.event, FileAdded | FileChanged):
                file_id, name = file.file_id, file.name
            case _:
                return None
        target = self._folder / self._free(name.rpartition("/")[2], file_id)
        shutil.copyfile(self._files.path(file_id), target)
        give_usual_mode(target)
        return target

    def _free(self, name: str, file_id: str) -> str:
        try:
            return free_name(self._folder, name)
        except BadInput:  # code may call its file what it likes; this folder is not its own
            return file_id
