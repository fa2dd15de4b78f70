"""`smoldesk replay log.jsonl`: the page plays a log, served from a temporary desk that can do nothing else."""

import asyncio
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from smoldesk.app import create_app, wires_of
from smoldesk.cli.logs import describe_import
from smoldesk.cli.server import build_server
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.export.log_format import renamed
from smoldesk.export.write_log import LogIds
from smoldesk.settings import Settings
from smoldesk.wires.four_pane.message_lines import message_lines
from smoldesk.wires.four_pane.routes import chat_content
from smoldesk.wires.security import ReadOnly

WIRES = ["four_pane", "rest", "page", "health"]


def replay(
    settings: Settings, log: Path, partial: bool, as_json: bool, browse: bool, place: tuple[str, int]
) -> int:
    """Serve the page with the log at a `place` (host, port) until a signal comes, or print its messages; the exit code.

    Raises DeskError.
    """
    if not log.is_file():
        raise BadInput(f"There is no file {log}.", "Give the path of a log.")
    with tempfile.TemporaryDirectory(prefix="smoldesk-replay-") as folder:
        settings = alone(settings, Path(folder), place)
        desk = build_desk(settings)
        try:
            done = asyncio.run(desk.imports.read(log, partial, records_origin=False))
            sys.stderr.writelines(f"{line}\n" for line in describe_import(done))
            if as_json:
                asyncio.run(print_messages(desk, done.chat_id))
                return 0
            return _serve(settings, desk, done.chat_id, browse)
        finally:
            desk.close()


def alone(settings: Settings, folder: Path, place: tuple[str, int]) -> Settings:
    """Return settings of a desk with its own folder and nothing else: only the built-in model, no data, no tools.

    It listens on its own address, not on that of the settings.
    """
    own: dict[str, Any] = {"model": "builtin", "agent": ""}
    own |= {"sql_urls": {}, "tool_files": [], "data_folders": [], "wires": WIRES, "sandbox_preload": []}
    own |= {"host": place[0], "port": place[1], "allow_unisolated": True}
    return settings.with_own_storage(folder).model_copy(update=own)


async def print_messages(desk: Desk, chat_id: str) -> None:
    """Print the messages of a chat as the page is sent them, with ids numbered: those of a log are the same each time."""
    ids = LogIds()
    content = await chat_content(desk, await desk.chats.get(chat_id))
    async for lines in message_lines(desk, chat_id, content):
        sys.stdout.write(renamed(lines.decode(), ids.name))


def _serve(settings: Settings, desk: Desk, chat_id: str, browse: bool) -> int:
    app = create_app(settings, desk, wires_of(settings))
    server = build_server(desk, ReadOnly(app))
    server.warms = False

    def opened(address: str) -> bool:
        url = f"{address}/#chat={chat_id}&replay=only"
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        if browse:
            webbrowser.open(url)
        return True

    server.when_open = opened
    server.run()
    return 0 if server.started else 1
