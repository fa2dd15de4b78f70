"""`smoldesk report`: the report of a chat as a file, also on other files; by the desk that runs, else here."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from smoldesk.cli.logs import PIECE, place
from smoldesk.cli.open_files import client_of, running, send_request
from smoldesk.cli.projects import printable, refused
from smoldesk.cli.umasks import give_usual_mode
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput, DeskError
from smoldesk.export.exports import write_atomically
from smoldesk.export.reports import OtherFile, title_of
from smoldesk.settings import Settings
from smoldesk.stopping import StopFlag


def report(settings: Settings, options: argparse.Namespace) -> int:
    """Write the report into a file, and print its name. Raises DeskError; then nothing is written."""
    others = dict(_pair(text) for text in options.others)
    address = running(settings)
    try:
        write = (
            _written(settings, options, others)
            if address is None
            else _download_report(settings, address, options, others)
        )
    except OSError as fault:
        raise DeskError(
            f"The file cannot be written: {fault.strerror}.", "Choose another --output."
        ) from None
    give_usual_mode(write)
    sys.stdout.write(f"{printable(str(write))}\n")
    return 0


def _pair(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    if not name or not Path(path).is_file():
        raise BadInput(
            f"--with {text!r} does not name a file.", "Expected OLD=NEW: a name, and the path of a file."
        )
    return name, Path(path)


def _written(settings: Settings, options: argparse.Namespace, replacements: Mapping[str, Path]) -> Path:
    desk = build_desk(settings)
    try:
        chat = asyncio.run(desk.chats.get(options.chat))
        path = place(options, title_of(chat.title, title=desk.reports.title(options.chat)))
        number = 0
        if replacements:
            files = {name: OtherFile(other.name, other) for name, other in replacements.items()}
            number = desk.reports.run_again(options.chat, files, options.confirm, StopFlag())
        asyncio.run(desk.audit.add("report.exported", chat_id=options.chat, outcome=options.format))
        desk.reports.write(options.chat, options.format, path, number)
        return path
    finally:
        desk.close()


def _download_report(
    settings: Settings, address: str, options: argparse.Namespace, replacements: Mapping[str, Path]
) -> Path:
    base = f"/api/chats/{options.chat}"
    with client_of(settings, address) as client, ExitStack() as opened:
        chat = send_request(client, "GET", base).json()["title"]
        title = send_request(client, "GET", f"{base}/report").json()["title"]
        path = place(options, title_of(chat, title=title))
        wanted = {"format": options.format, "run": 0}
        if replacements:
            files = [
                (name, (one.name, opened.enter_context(one.open("rb")))) for name, one in replacements.items()
            ]
            confirm = {"confirm": options.confirm}
            answer = send_request(
                client, "POST", f"{base}/report/runs", files=files, params=confirm, timeout=None
            )
            wanted["run"] = answer.json()["number"]
        with client.stream("GET", f"{base}/report/export", params=wanted, timeout=None) as answer:
            if not answer.is_success:
                answer.read()
                raise refused(answer)
            write_atomically(path, lambda target: target.writelines(answer.iter_bytes(PIECE)))
    return path
