"""`smoldesk export` and `smoldesk import`: by the desk that has the data directory, when one runs, else here."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from smoldesk.cli.open_files import client_of, running, send_request, unreachable
from smoldesk.cli.projects import printable, refused
from smoldesk.cli.umasks import give_usual_mode
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput, DeskError
from smoldesk.export.exports import file_name, write_atomically
from smoldesk.export.log_reading import ImportResult
from smoldesk.folders import free_name
from smoldesk.settings import Settings

PIECE = 1 << 20


def export(settings: Settings, options: argparse.Namespace) -> int:
    """Write a chat into a file, and print its name. Raises DeskError; then nothing is written."""
    if options.verify and options.format != "notebook":
        raise BadInput("Only a notebook can be verified.", "Add --format notebook.")
    address = running(settings)
    try:
        path = (
            _exported(settings, options) if address is None else _download_export(settings, address, options)
        )
    except OSError as fault:
        raise DeskError(
            f"The file cannot be written: {fault.strerror}.", "Choose another --output."
        ) from None
    except httpx2.HTTPError as fault:
        raise unreachable(fault) from None
    give_usual_mode(path)
    sys.stdout.write(f"{printable(str(path))}\n")
    return 0


def _exported(settings: Settings, options: argparse.Namespace) -> Path:
    desk = build_desk(settings)
    try:
        path = place(options, asyncio.run(desk.chats.get(options.chat)).title)
        asyncio.run(desk.audit.add("chat.exported", chat_id=options.chat, outcome=options.format))
        desk.exports.write(options.chat, options.format, path, options.verify)
        return path
    finally:
        desk.close()


def _download_export(settings: Settings, address: str, options: argparse.Namespace) -> Path:
    with client_of(settings, address) as client:
        path = place(options, send_request(client, "GET", f"/api/chats/{options.chat}").json()["title"])
        query = {"format": options.format, "verify": options.verify}
        with client.stream("GET", f"/api/chats/{options.chat}/export", params=query, timeout=None) as answer:
            if not answer.is_success:
                answer.read()
                raise refused(answer)
            write_atomically(path, lambda target: target.writelines(answer.iter_bytes(PIECE)))
    return path


def place(options: argparse.Namespace, title: str) -> Path:
    """Return the requested path, or a free name from the chat's title."""
    return options.output or Path(free_name(Path(), file_name(title, options.format)))


def take(settings: Settings, options: argparse.Namespace) -> int:
    """Make a chat of a log, print its id, and say on stderr what did not come with it. Raises DeskError."""
    if not options.log.is_file():
        raise BadInput(f"There is no file {options.log}.", "Give the path of a log.")
    address = running(settings)
    try:
        done = _import_log(settings, options) if address is None else _sent(settings, address, options)
    except OSError as fault:
        raise DeskError(f"The log cannot be read: {fault.strerror}.", "Give the path of a log.") from None
    sys.stdout.write(f"{done.chat_id}\n")
    sys.stderr.writelines(f"{line}\n" for line in describe_import(done))
    return 0


def _import_log(settings: Settings, options: argparse.Namespace) -> ImportResult:
    desk = build_desk(settings)
    try:
        return asyncio.run(desk.imports.read(options.log, options.partial))
    finally:
        desk.close()


def _sent(settings: Settings, address: str, options: argparse.Namespace) -> ImportResult:
    with client_of(settings, address) as client:
        query: dict[str, Any] = {"partial": options.partial}
        answer = send_request(
            client, "POST", "/api/imports", params=query, content=_pieces(options.log), timeout=None
        )
        return ImportResult(**{name: answer.json()[key] for name, key in FIELDS.items()})


FIELDS = {name: name for name in ("title", "events", "files", "missing", "closed")} | {
    "chat_id": "chatId",
    "is_cut": "isCut",
}


def describe_import(done: ImportResult) -> Iterator[str]:
    """Yield the lines to print about an imported log."""
    if done.is_cut:
        yield f"The log is cut: the chat ends after {done.events} events."
    if done.missing:
        yield f"Files that the log mentions but does not contain: {done.missing}."
    if done.closed:
        yield f"Runs that were active at the end of the log and were closed: {done.closed}."


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
