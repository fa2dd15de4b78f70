"""`smoldesk run "question"`: one answer in a terminal, without a server."""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from smoldesk.agents import load_agents
from smoldesk.cli.transcript import JsonTranscript, TextTranscript, Transcript
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.events import (
    FileAdded,
    RunCancelled,
    RunFailed,
    RunFinished,
    StoredEvent,
)
from smoldesk.folders import place
from smoldesk.sandbox.profiles import is_table_file
from smoldesk.settings import Settings
from smoldesk.stopping import StopFlag
from smoldesk.store import chats, files
from smoldesk.store.transaction import Tx


def run(settings: Settings, question: str, paths: Sequence[Path], as_json: bool, keep: bool) -> int:
    """Ask one question in a new chat; 0 when it was answered, 1 when the run failed or was stopped.

    Prints the answer as text, or each message as a line of JSON. What the code draws and saves is copied to the
    current folder. Without `keep` data directory and database are temporary ones. Raises DeskError for what cannot begin.
    """
    listed = load_agents(
        settings.data_dir.absolute()
    )  # of the desk's own data directory, whichever is used below
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as temporary:
        if not keep:
            alone = {"data_dir": Path(temporary), "database_url": "", "files_dir": None}
            settings = settings.model_copy(update=alone)
        desk = build_desk(settings, listed=listed)
        try:
            desk.open()
            chat_id = desk.store.submit(lambda tx: chats.new_chat(tx)).result().id
            for path in paths:
                give(desk, chat_id, path)
            transcript = (JsonTranscript if as_json else TextTranscript)(desk.store.files, Path.cwd())
            return asyncio.run(ask(desk, chat_id, question, transcript))
        finally:
            desk.close()


def give(desk: Desk, chat_id: str, path: Path) -> None:
    """Put a copy of a file into the chat, and say on stderr what is wrong with it if it should hold tables.

    Raises BadInput or NotFound when there is none, or none that may.
    """
    source = path.resolve()  # the person's own link is followed, unlike one that code made
    if not source.is_file():
        raise BadInput(f"There is no file {path}.", "Give the path of a file that exists.")
    folder = desk.data_dir.chat_folder(chat_id)
    name = files.free_name(folder, path.name)
    limit = desk.settings.upload_limit
    file_id, size = desk.store.files.keep(source.parent, source.name, limit)
    place(folder, name, desk.store.files.path(file_id))
    file = files.StoredFile(file_id, chat_id, "upload", name, size, files.media_type_of(name))

    def job(tx: Tx) -> None:
        files.add_file(tx, file)
        tx.append(chat_id, [FileAdded(file=file.content())])

    desk.store.submit(job).result()
    for problem in problems(desk, chat_id, name):
        sys.stderr.write(f"{name}: {problem}\n")


def problems(desk: Desk, chat_id: str, name: str) -> list[str]:
    """What is wrong with a file of the chat, in words; read as an upload is, in a child."""
    if not is_table_file(name):
        return []
    stop = StopFlag()
    try:
        folder = desk.data_dir.chat_folder(chat_id)
        profile = desk.agents.profiles.start(chat_id, folder, name, stop).result()
    finally:
        stop.close()
    return [problem.words for problem in profile.problems]


async def ask(desk: Desk, chat_id: str, question: str, transcript: Transcript) -> int:
    """Send the question and write down what comes, up to the end of its run; the exit code."""
    await desk.runs.start(chat_id, question)
    async for batch in desk.runs.follow(chat_id):
        for item in batch:
            if isinstance(item, StoredEvent):
                transcript.write(item)
                if isinstance(item.event, RunFinished | RunFailed | RunCancelled):
                    return 0 if isinstance(item.event, RunFinished) else 1
    return 1
